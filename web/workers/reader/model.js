// The trained translator, from where the page comes from: its weights, and the language that it was trained on.
import { download } from './download.js';

/**
 * @typedef {object} Trained
 * @property {Uint8Array} weights
 * @property {import('../../../bindings/lab/tasks/index.js').Task} task
 * @property {{ START: number, END: number, UNKNOWN: number }} marks ids
 */

const file = new URL('../../../bindings/data/models/french-english.safetensors', import.meta.url);

/**
 * @param {import('./download.js').Listener} listener
 * @returns {Promise<Trained>}
 */
export async function translator(listener) {
  const [weights, { tasks, START, END, UNKNOWN }] = await Promise.all([
    download(file, listener),
    import('../../../bindings/lab/tasks/index.js'),
  ]);
  return { weights, task: tasks['french-english'], marks: { START, END, UNKNOWN } };
}
