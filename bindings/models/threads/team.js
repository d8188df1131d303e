// A core whose memory is shared, and the threads that compute on it.

import { onForgotten } from '../../js/base/forgotten.js';
import { compile, Engine } from '../../js/runtime/engine.js';
import { unpacked } from '../../js/runtime/unpack.js';
import { failure, TEXTS } from './texts.js';

/** One thread, wherever it runs.
 * @typedef {object} Thread
 * @property {(post: import('./help.js').Post) => void} post
 * @property {(ready: () => void, ended: (reason: string) => void) => void} listen
 * @property {() => void} release the program may end without waiting for it
 * @property {() => void} terminate */

/** The most that an address reaches, in pages of wasm. */
const MAX_PAGES = 65536;
const FIRST_PAGES = 16;
/** The stack of each thread in bytes: as much as the core's own. */
const STACK_BYTES = 128 * 1024;

/** Seconds that a run waits for a part of it while nothing gets done. */
const WAIT_SECONDS = 60;

/** The core's functions that run tapes. */
const RUNS = ['gf_forward', 'gf_backward', 'gf_forward_part', 'gf_backward_part'];

/** Functions whose work is shared out, by their names. They refuse once the core has given up on a thread: one that is only
 * slow still writes to memory.
 * @param {Readonly<Record<string, (...args: number[]) => number>>} functions */
function guarded(functions) {
  let isLost = false;
  const runs = Object.entries(functions).map(([name, run]) => [
    name,
    (/** @type {number[]} */ ...args) => {
      try {
        if (!isLost) return run(...args);
      } catch (error) {
        if (!(error instanceof WebAssembly.RuntimeError)) throw error;
        isLost = true;
      }
      throw failure('GF_ESTATE', 'lost', {});
    },
  ]);
  return Object.fromEntries(runs);
}

/** Ends the threads of cores that are no longer used. */
const forgotten = onForgotten((/** @type {Team} */ team) => team.end());

/** The threads besides the one that runs tapes. */
export class Team {
  /** @type {Set<Thread>} */
  #threads = new Set();
  /** Why there are fewer than were asked for.
   * @type {string | null} */
  reason = null;
  #leave;

  /** @param {() => void} leave from then on the core gives no part of a run away */
  constructor(leave) {
    this.#leave = leave;
  }

  get count() {
    return 1 + this.#threads.size;
  }

  /** Starts another one. Resolves once it is at work, or has failed.
   * @param {() => Thread} spawn @param {import('./help.js').Post} post
   * @returns {Promise<void>} */
  start(spawn, post) {
    return new Promise((resolve) => {
      const failed = (/** @type {string} */ reason) => {
        this.reason ??= TEXTS.noThread.replace('{reason}', reason);
        resolve();
      };
      try {
        const thread = spawn();
        const ready = () => {
          this.#threads.add(thread);
          thread.release();
          resolve();
        };
        thread.listen(ready, (reason) => {
          if (this.#threads.delete(thread)) this.reason ??= TEXTS.ended;
          else failed(reason);
        });
        thread.post(post);
      } catch (error) {
        failed(/** @type {Error} */ (error).message);
      }
    });
  }

  /** Ends them: what runs from now on runs on one thread. The core knows before they end, which they do some time later:
   * a thread that ended with a part in hand would leave the run waiting for it. */
  end() {
    this.#leave();
    for (const thread of this.#threads) thread.terminate();
    this.#threads.clear();
    this.reason = TEXTS.ended;
  }
}

/** Whether this thread may sleep until a number changes: the main thread of a page may not.
 * @param {WebAssembly.Memory} memory */
function maySleep({ buffer }) {
  const numbers = new Int32Array(buffer, 0, 1);
  try {
    Atomics.wait(numbers, 0, ~numbers[0], 0);
    return true;
  } catch {
    return false;
  }
}

/** The core for threads, or why there is none here.
 * @returns {Promise<{ module: WebAssembly.Module, memory: WebAssembly.Memory } | string>} */
async function sharedCore() {
  if (globalThis.crossOriginIsolated === false) return TEXTS.notIsolated;
  const { packed } = await import('../../generated/threads.js');
  try {
    const memory = new WebAssembly.Memory({
      initial: FIRST_PAGES,
      maximum: MAX_PAGES,
      shared: true,
    });
    return { module: await compile({ bytes: await unpacked(packed) }), memory };
  } catch {
    return TEXTS.noSharing;
  }
}

/** Starts a core on so many threads.
 * @param {number} count @param {() => Thread} spawn @param {number} [patience] in seconds
 * @returns {Promise<{ engine: Engine, team: Team } | string>} or why there is one thread only */
export async function startTeam(count, spawn, patience = WAIT_SECONDS) {
  const core = await sharedCore();
  if (typeof core === 'string') return core;
  const { module, memory } = core;
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  const functions = /** @type {import('../../js/runtime/engine.js').Functions} */ (
    /** @type {unknown} */ (exports)
  );
  let address = 0;
  /** @param {number} tape @param {number} bytes */
  const create = (tape, bytes) => {
    functions.gf_tape_create(tape, bytes);
    functions.gf_tape_team(tape, address);
    return tape;
  };
  const engine = new Engine({
    ...exports,
    ...guarded({
      ...Object.fromEntries(RUNS.map((name) => [name, functions[name]])),
      gf_adam_step: (...step) => functions.gf_team_adam_step(address, ...step),
    }),
    memory,
    gf_tape_create: create,
  });
  address = engine.heap.alloc(functions.gf_team_bytes());
  functions.gf_team_create(address, count, Number(maySleep(memory)), patience);
  /* Bound: a function of this scope would keep the engine, which is never forgotten then. */
  const team = new Team(functions.gf_team_end.bind(null, address));
  const posts = Array.from({ length: count - 1 }, (_, i) => ({
    module,
    memory,
    team: address,
    stack: engine.heap.alloc(STACK_BYTES) + STACK_BYTES,
    thread: i + 1,
  }));
  await Promise.all(posts.map((post) => team.start(spawn, post)));
  forgotten.register(engine, team);
  return { engine, team };
}
