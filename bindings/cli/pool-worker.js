// A worker of a pool: runs the program's function row by row, in the order in which they come.

import { AsyncLocalStorage } from 'node:async_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from '../js/base/file.js';
import { resultText } from './result.js';

/** A row that is to be worked on. @typedef {{ line: number, text: string }} Task */

/** @type {(row: unknown) => unknown} */
let work;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** The line of the row that some code runs for, even in a timer that it has set.
 * @type {AsyncLocalStorage<number>} */
const lines = new AsyncLocalStorage();
/** Fails the row at work, whose promise nothing can settle any more. */
let giveUp = () => {};

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** What may matter in a text of JSON: where a string begins or ends, an escaped sign in it, an integer of many digits. */
const QUOTE_OR_LONG_INTEGER = /"|\\.|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** The row of a text, unless an integer in it would become another without a word: ids of 64 bits would.
 * @param {string} text */
function rowOf(text) {
  const row = parse('row', text);
  let quoted = false;
  for (const [sign] of text.matchAll(QUOTE_OR_LONG_INTEGER)) {
    if (sign === '"') quoted = !quoted;
    else if (!quoted && String(Number(sign)) !== sign && BigInt(Number(sign)) !== BigInt(sign)) {
      throw new RangeError(
        `row: ${sign} is no number of JavaScript (the nearest is ${Number(sign)}). Write it as a string`,
      );
    }
  }
  return row;
}

/** @param {Task} task */
async function answer({ line, text }) {
  const never = new Promise((_, reject) => {
    giveUp = () => reject(new Error('the promise of the program never settles'));
  });
  /* While a row is at work, only what the program waits for keeps this thread alive. */
  port.unref();
  try {
    const result = lines.run(line, async () => work(rowOf(text)));
    port.postMessage({ text: resultText(await Promise.race([result, never])) });
  } catch (error) {
    port.postMessage({ error: reasonOf(error) });
  }
  giveUp = () => {};
  port.ref();
}

process.on('beforeExit', () => giveUp());
process.on('exit', () => port.postMessage({ line: lines.getStore() }));

let last = Promise.resolve();
try {
  ({ default: work } = await import(workerData));
  if (typeof work !== 'function')
    throw new TypeError('expected a default export that is a function');
  port.postMessage({ ready: true });
  port.on('message', (/** @type {Task | null} */ task) => {
    /* Nothing comes after null: the thread ends once the program waits for nothing. */
    if (task === null) port.unref();
    else last = last.then(() => answer(task));
  });
} catch (error) {
  /* Node keeps the line of such an error to itself, and prints it. */
  const where = error instanceof SyntaxError ? '. Run it with node to see where' : '';
  port.postMessage({ wrong: `the program does not load: ${reasonOf(error)}${where}` });
}
