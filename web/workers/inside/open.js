// The page's way to the experiments.
import { portOf } from '../remote/local.js';

export const openExperiments = () =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async (tell) => {
      const [{ answersOf }, sources] = await Promise.all([
        import('./answers.js'),
        import('./sources.js'),
      ]);
      return answersOf(tell, sources);
    },
  );
