// Who answers the questions about a training, in a worker or in the page itself.
import { inspect, load } from './core.js';
import { Trainer } from './trainer.js';

/** @param {import('../remote/server.js').Tell} tell */
export const answersOf = async (tell) => {
  const gf = await load();
  /** Loaded with its first question. @type {Promise<import('../birth/birth.js').Birth> | null} */
  let birth = null;
  const born = () =>
    (birth ??= import('../birth/birth.js').then(({ Birth }) => new Birth(gf, tell)));
  return Object.assign(new Trainer(gf, tell), {
    grow: async (/** @type {any} */ question, /** @type {AbortSignal} */ signal) =>
      (await born()).grow(question, signal),
    read: async (/** @type {any} */ question) => (await born()).read(question),
    take: async (/** @type {any} */ question) => (await born()).take(question, inspect),
  });
};
