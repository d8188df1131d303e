// The page's way to the checker.
import { portOf } from '../remote/local.js';

export const openChecker = () =>
  portOf(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    async () => (await import('./answers.js')).answersOf(),
  );
