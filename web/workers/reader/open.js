// The page's way to what reads files.
import { portOf } from '../remote/local.js';

export const openReader = () =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async (tell) => (await import('./answers.js')).answersOf(tell),
  );
