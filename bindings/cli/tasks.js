// What train and ask share: tasks, and models that fit them.

import { readFile } from 'node:fs/promises';
import { tasks, trained } from '../tasks/index.js';
import { reasonOf, refusing, UsageError, unknown } from './usage.js';

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
  return refusing(file, () => trained(gf, task, bytes));
}
