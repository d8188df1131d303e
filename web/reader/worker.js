// Reads the files of a checkpoint apart from the page: they may be large. It is the one part that asks
// another origin for anything, and only for the address that the reader typed.
//
// The page asks { id, read: files } or { id, encode: text }; answers come as { id, answer } or
// { id, failure }, and { progress } while files are read. To cancel, the page ends the worker.

import { importModel, openTokenizer, readModel } from './core.js';
import { collect, download, Missing } from './download.js';

/**
 * @typedef {File | string} Given a file, or its address
 * @typedef {{ weights: Given, config?: Given, tokenizer?: Given, tokenizerConfig?: Given }} Files
 * @typedef {{ file: string, loaded: number, total: number | null }} Progress
 * @typedef {{ message: string, missing: { file: string, status: number | null } | null }} Failure
 * @typedef {object} Read
 * @property {Record<string, any>} config
 * @property {[string, { shape: number[], data: Float32Array | Int32Array }][]} parameters
 * @property {number} step training steps taken, where all is there that it takes to go on
 * @property {string[] | null} vocabulary null without a tokenizer
 * @property {Record<string, any>} hints of config.json, that no model needs: with which token a target starts
 */

/** @type {import('../../bindings/formats/tokenizer.js').TextTokenizer | null} */
let tokenizer = null;

/** @param {Given} given @param {string} file */
function bytesOf(given, file) {
  const listener = {
    onProgress: (/** @type {number} */ loaded, /** @type {number | null} */ total) =>
      postMessage({ progress: { file, loaded, total } }),
  };
  return typeof given === 'string'
    ? download(given, listener)
    : collect(given.stream(), given.size, listener);
}

/** @param {Given} given @param {string} file */
async function jsonOf(given, file) {
  const text = new TextDecoder().decode(await bytesOf(given, file));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * A file of a folder that need not be there.
 * @param {Given | undefined} given
 * @param {string} file
 */
async function optional(given, file) {
  try {
    return given && (await jsonOf(given, file));
  } catch (error) {
    if (error instanceof Missing && error.status !== null) return undefined;
    throw error;
  }
}

/**
 * @param {Files} files
 * @returns {Promise<Read>}
 */
async function read({ weights, config, tokenizer: words, tokenizerConfig }) {
  /* The small files first: what they lack is told before the large one is read. */
  const settings = config && (await jsonOf(config, 'config.json'));
  const vocabulary = await optional(words, 'tokenizer.json');
  const beside = vocabulary && (await optional(tokenizerConfig, 'tokenizer_config.json'));
  tokenizer = vocabulary ? openTokenizer({ tokenizer: vocabulary, config: beside ?? {} }) : null;
  const bytes = await bytesOf(weights, 'model.safetensors');
  const model = settings ? importModel({ config: settings, bytes }) : readModel(bytes);
  const { vocab } = model.config;
  const ids = Array.from({ length: vocab ?? 0 }, (_, id) => id);
  const { decoder_start_token_id: start = null } = settings ?? {};
  return {
    config: /** @type {any} */ (model.config),
    parameters: /** @type {any} */ ([...model.parameters]),
    step: model.step ?? 0,
    vocabulary: tokenizer?.tokens(ids) ?? null,
    hints: { start },
  };
}

addEventListener('message', async ({ data: { id, ...asked } }) => {
  try {
    if ('encode' in asked) {
      postMessage({ id, answer: tokenizer?.encode(asked.encode) ?? null });
      return;
    }
    const answer = await read(asked.read);
    const buffers = new Set(answer.parameters.map(([, { data }]) => data.buffer));
    postMessage({ id, answer }, { transfer: /** @type {ArrayBuffer[]} */ ([...buffers]) });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const missing = error instanceof Missing ? { file: error.file, status: error.status } : null;
    postMessage({ id, failure: { message, missing } });
  }
});
