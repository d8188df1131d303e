// The page's way to the trainer.
import { portOf } from '../remote/local.js';

/** @param {() => void} standsIn is called if the page itself has to train */
export const openTrainer = (standsIn) =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async (tell) => (await import('./answers.js')).answersOf(tell),
    standsIn,
  );
