// What train and ask share: tasks, and models that fit them.

import { readFile } from 'node:fs/promises';
import { readModel } from '../model/file.js';
import { tasks } from '../tasks/index.js';
import { Failure, reasonOf, refusing, UsageError, unknown } from './usage.js';

/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../tasks/task.js').Task} Task */

export const NAMES = Object.keys(tasks);

/** @param {string | undefined} name
 * @returns {Task} */
export function taskOf(name) {
  if (name === undefined) throw new UsageError(`missing task. Choose from ${NAMES.join(', ')}`);
  return Object.hasOwn(tasks, name) ? tasks[name] : unknown('task', name, NAMES);
}

/** The model of a file; one of another task is refused.
 * @param {Glassformer} gf @param {Task} task @param {string} file */
export async function openModel(gf, task, file) {
  const bytes = await readFile(file).catch((error) => {
    throw reasonOf(`cannot read ${file}`, error);
  });
  const model = refusing(file, () => gf.open(readModel(bytes)));
  const { vocab } = model.config;
  const { size } = task.vocabulary;
  if (vocab === size) return model;
  throw new Failure(`${file}: its vocabulary has ${vocab} tokens, that of ${task.name} ${size}`);
}
