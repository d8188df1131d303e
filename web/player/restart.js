// A lesson that starts over: what was solved of it is forgotten.
import { lessonOf } from './list.js';
import { progress, store } from './progress.js';

/** @param {import('./player.js').Player} player @param {string} name of the lesson */
export async function restart(player, name) {
  const { [name]: _, ...others } = progress();
  store(others);
  const { scenes } = player.imported.get(name) ?? (await lessonOf(name));
  for (const scene of scenes) player.solved.delete(scene);
  player.ask({ lesson: name, scene: 1 });
}
