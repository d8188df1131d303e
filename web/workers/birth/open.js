// The page's way to the birth of a head.
import { portOf } from '../remote/local.js';

/** @param {() => void} standsIn is called if the page itself has to train */
export const openBirth = (standsIn) =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async (tell) => (await import('./answers.js')).answersOf(tell),
    standsIn,
  );
