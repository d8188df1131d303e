// A worker of a pool: runs the program's function row by row, in the order in which they come.

import { parentPort, workerData } from 'node:worker_threads';
import { parse } from '../base/file.js';

/** @type {(row: unknown) => unknown} */
let work;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** @param {unknown} error */
const told = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} text of a row */
async function answer(text) {
  try {
    const result = JSON.stringify(await work(parse('row', text)));
    if (result === undefined) throw new TypeError('the program gave nothing that JSON can write');
    port.postMessage({ text: result });
  } catch (error) {
    port.postMessage({ error: told(error) });
  }
}

let last = Promise.resolve();
try {
  ({ default: work } = await import(workerData));
  if (typeof work !== 'function')
    throw new TypeError('expected a default export that is a function');
  port.postMessage({ ready: true });
  port.on('message', (text) => {
    last = last.then(() => answer(text));
  });
} catch (error) {
  port.postMessage({ wrong: `the program does not load: ${told(error)}` });
}
