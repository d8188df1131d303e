/// <reference path="../../disposable.d.ts" preserve="true" />
// load() of glassformer/threads, wherever threads come from.

import { checkInteger, checkOptions } from '../../js/base/errors.js';
import { start } from '../../js/runtime/engine.js';
import { opener } from '../opener.js';
import { startTeam } from './team.js';

/** @typedef {import('../opener.js').ModelOpener} ModelOpener */
/** @typedef {import('./team.js').Team} Team */

/**
 * @typedef {object} ThreadsOptions
 * @property {number} [threads] how many, 1 to 64, with the one that calls; by default as many as the machine runs
 *   at a time, at most 8 */

/**
 * @typedef {object} Threads
 * @property {number} count how many there are, with the one that calls
 * @property {string | null} reason why there are fewer than were asked for; null if there are as many */

/**
 * @typedef {object} Sharing
 * @property {Threads} threads as they are now
 * @property {() => void} dispose ends all threads but the one that calls: what runs afterwards runs on that alone */

/** What load({ core: threads() }) gives beside the functions.
 * @typedef {Sharing & { [Symbol.dispose]: () => void }} Shared */

/** What load() gives, and its threads.
 * @typedef {ModelOpener & Shared} Threaded */

const MAX_THREADS = 64;
const MAX_DEFAULT = 8;

const alone = async () => (await import('../../js/embedded.js')).core();

/** @param {import('../../js/runtime/engine.js').Engine} engine @param {() => Threads} threads @param {() => void} dispose */
const threaded = (engine, threads, dispose) =>
  Object.assign(engine, {
    beside: {
      get threads() {
        return threads();
      },
      dispose,
      [Symbol.dispose]: dispose,
    },
  });

/** A core on so many threads.
 * @param {string} where @param {number | undefined} count @param {number} processors
 * @param {() => import('./team.js').Thread} spawn
 * @returns {import('../../js/runtime/engine.js').Core<Shared>} */
export function threadsCore(where, count, processors, spawn) {
  const threads = count ?? Math.min(processors, MAX_DEFAULT);
  checkInteger(where, threads, 1, MAX_THREADS);
  return async () => {
    const started = threads > 1 ? await startTeam(threads, spawn) : null;
    if (started === null || typeof started === 'string') {
      return threaded(
        await start(alone),
        () => ({ count: 1, reason: started }),
        () => {},
      );
    }
    const { engine, team } = started;
    return threaded(
      engine,
      () => ({ count: team.count, reason: team.reason }),
      () => team.end(),
    );
  };
}

/** @param {ThreadsOptions} options @param {number} processors @param {() => import('./team.js').Thread} spawn
 * @returns {Promise<Threaded>} */
export async function loadThreads(options, processors, spawn) {
  checkOptions('load', options, ['threads']);
  const engine = await threadsCore('load: threads', options.threads, processors, spawn)();
  return /** @type {Threaded} */ (
    opener(/** @type {import('../../js/runtime/engine.js').Engine} */ (engine))
  );
}
