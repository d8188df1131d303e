// What runs in the page of Chromium: `open` reads the file, and makes a writer of it.

import { Wllama } from '@wllama/wllama';
import { timed, writer } from './ours.js';

/** @typedef {import('./ours.js').Write} Write */

const now = () => performance.now();

/** llama.cpp as wasm: one thread, as the page is not isolated; in a worker of its own.
 * @param {Blob} file
 * @returns {Promise<Write>} */
async function llama(file) {
  const wllama = new Wllama({ default: '/wllama.wasm' }, { suppressNativeLog: true });
  await wllama.loadModel([file], { n_ctx: 512, n_threads: 1, n_gpu_layers: 0 });
  return async (prompt, tokens) => {
    const begin = now();
    const stream = await wllama.createCompletion({
      prompt,
      max_tokens: tokens,
      temperature: 0,
      stream: true,
      cache_prompt: false,
      ignore_eos: true,
    });
    const { first, rest } = await timed(stream, now);
    return { first: first + (now() - begin - first - rest), rest };
  };
}

/** @type {Record<string, (file: Blob) => Promise<Write>>} */
const WAYS = {
  ours: (file) => writer(file, { stored: true }, now),
  integer: (file) => writer(file, { arithmetic: 'integer' }, now),
  f32: (file) => writer(file, {}, now),
  wllama: llama,
};

/** @type {Write} */
let write;

Object.assign(globalThis, {
  /** @param {string} way */
  async open(way) {
    const file = await (await fetch('/model.gguf')).blob();
    const begin = now();
    write = await WAYS[way](file);
    return now() - begin;
  },
  /** @param {string} prompt @param {number} tokens */
  write: (prompt, tokens) => write(prompt, tokens),
});
