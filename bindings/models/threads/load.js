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

/** What load() gives: what that of glassformer/models gives, and its threads.
 * @typedef {ModelOpener & Sharing & { [Symbol.dispose]: () => void }} Threaded */

const MAX_THREADS = 64;
const MAX_DEFAULT = 8;

const alone = async () => (await import('../../js/embedded.js')).core();

/** @param {import('../../js/runtime/engine.js').Engine} engine @param {() => Threads} threads @param {() => void} dispose
 * @returns {Threaded} */
const threaded = (engine, threads, dispose) => ({
  ...opener(engine),
  get threads() {
    return threads();
  },
  dispose,
  [Symbol.dispose]: dispose,
});

/** @param {ThreadsOptions} options @param {number} processors @param {() => import('./team.js').Thread} spawn
 * @returns {Promise<Threaded>} */
export async function loadThreads(options, processors, spawn) {
  checkOptions('load', options, ['threads']);
  const { threads = Math.min(processors, MAX_DEFAULT) } = options;
  checkInteger('load: threads', threads, 1, MAX_THREADS);
  const started = threads > 1 ? await startTeam(threads, spawn) : null;
  if (started === null || typeof started === 'string') {
    const engine = await start(alone);
    return threaded(
      engine,
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
}
