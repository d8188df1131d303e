// Reads the files of a checkpoint apart from the page: they may be large. It is the one part that asks
// another origin for anything, and only for the address that the reader typed.
//
// The page asks { id, read: files }, { id, words } or { id, encode: text }; answers come as { id, answer } or
// { id, failure }, and { progress } while files are read. To cancel, the page ends the worker: a pattern of a
// tokenizer may run without end. The next one is given the words that the last one read.

import { importModel, openTokenizer, parse, readModel, refusing } from './core.js';
import { collect, download, Missing } from './download.js';

/**
 * @typedef {File | string} Given a file, or its address
 * @typedef {{ weights: Given, config?: Given, tokenizer?: Given, tokenizerConfig?: Given }} Files
 * @typedef {{ file: string, loaded: number, total: number | null }} Progress
 * @typedef {{ tokenizer: string, config: string | null }} Words tokenizer.json, tokenizer_config.json
 * @typedef {object} Failure
 * @property {string} message
 * @property {{ file: string, status: number | null } | null} missing
 * @property {{ code?: string, detail?: string, params?: any }} told what the message is made of
 * @typedef {object} Read
 * @property {Record<string, any>} config
 * @property {[string, { shape: number[], data: Float32Array | Int32Array }][]} parameters
 * @property {number} step training steps taken, where all is there that it takes to go on
 * @property {string[] | null} vocabulary null without a tokenizer
 * @property {Words | null} words likewise
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
const textOf = async (given, file) => new TextDecoder().decode(await bytesOf(given, file));

/**
 * The text of a file of a folder that need not be there.
 * @param {Given | undefined} given
 * @param {string} file
 */
async function optional(given, file) {
  try {
    return given ? await textOf(given, file) : null;
  } catch (error) {
    if (error instanceof Missing && error.status !== null) return null;
    throw error;
  }
}

/** @param {Words} words */
function open(words) {
  tokenizer = openTokenizer({
    tokenizer: parse('tokenizer.json', words.tokenizer),
    config: words.config === null ? {} : parse('tokenizer_config.json', words.config),
  });
}

/**
 * With which token a target starts, of those that a model has.
 * @param {Record<string, any>} settings
 * @param {number} vocab
 */
function startOf({ decoder_start_token_id: given = null }, vocab) {
  if (given === null || (Number.isInteger(given) && given >= 0 && given < vocab)) return given;
  const told = { where: 'decoder_start_token_id', low: 0, high: vocab - 1, given };
  return refusing('config.json')('integerFrom', told);
}

/**
 * @param {Files} files
 * @returns {Promise<Read>}
 */
async function read({ weights, config, tokenizer: words, tokenizerConfig }) {
  /* The small files first: what they lack is told before the large one is read. */
  const settings = config && parse('config.json', await textOf(config, 'config.json'));
  const text = await optional(words, 'tokenizer.json');
  const given =
    text === null
      ? null
      : { tokenizer: text, config: await optional(tokenizerConfig, 'tokenizer_config.json') };
  if (given) open(given);
  const bytes = await bytesOf(weights, 'model.safetensors');
  const model = settings ? importModel({ config: settings, bytes }) : readModel(bytes);
  const { vocab = 0 } = model.config;
  const ids = Array.from({ length: vocab }, (_, id) => id);
  return {
    config: /** @type {any} */ (model.config),
    parameters: /** @type {any} */ ([...model.parameters]),
    step: model.step ?? 0,
    vocabulary: tokenizer?.tokens(ids) ?? null,
    words: given,
    hints: { start: settings ? startOf(settings, vocab) : null },
  };
}

addEventListener('message', async ({ data: { id, ...asked } }) => {
  try {
    if ('words' in asked) open(asked.words);
    if (!('read' in asked)) {
      postMessage({ id, answer: 'encode' in asked ? tokenizer?.encode(asked.encode) : null });
      return;
    }
    const answer = await read(asked.read);
    const buffers = new Set(answer.parameters.map(([, { data }]) => data.buffer));
    postMessage({ id, answer }, { transfer: /** @type {ArrayBuffer[]} */ ([...buffers]) });
  } catch (error) {
    const { message, code, detail, params } = /** @type {any} */ (error);
    const missing = error instanceof Missing ? { file: error.file, status: error.status } : null;
    postMessage({ id, failure: { message, missing, told: { code, detail, params } } });
  }
});
