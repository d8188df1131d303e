// The page's way to the experiments.
import { portOf } from '../remote/local.js';

export const openExperiments = () =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async (tell) => (await import('./answers.js')).answersOf(tell),
  );
