// The tokenizer that lies beside a model.

import { GlassformerError } from '../../js/base/errors.js';
import { endsOf } from '../formats/tokenizer-ends.js';
import { jsonOf } from './place.js';
import { failure } from './texts.js';

/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {{ tokenizer: ListedTokenizer | Error, chatTemplate: string | null }} Texts */

/** What opens tokenizer.json: openTokenizer of glassformer/tokenizer.
 * @typedef {(files: { tokenizer: unknown, config?: unknown, generation?: unknown }) =>
 *   import('../formats/tokenizer.js').TextTokenizer | Promise<import('../formats/tokenizer.js').TextTokenizer>} OpenTokenizer */

/** The entry's name, which bundlers do not see: its package may not be installed, and they would refuse to build. */
const ENTRY = ['glassformer', 'tokenizer'].join('/');

/** @returns {Promise<OpenTokenizer>} */
async function importedOpener() {
  try {
    const { openTokenizer } = await import(/* @vite-ignore */ /* webpackIgnore: true */ ENTRY);
    return openTokenizer;
  } catch {
    throw failure('GF_ESTATE', 'noTokenizerEntry', { where: 'open: tokenizer' });
  }
}

/** The files of Hugging Face.
 * @param {import('./place.js').Place} place @param {Record<string, unknown>} config of the model
 * @param {{ signal?: AbortSignal, openTokenizer?: OpenTokenizer }} options
 * @returns {Promise<Texts>} */
async function ofFolder(place, config, { signal, openTokenizer }) {
  const file = await jsonOf(place, 'tokenizer.json', signal);
  if (!file) {
    const missing = failure('GF_ESTATE', 'noTokenizerFile', { where: 'open: tokenizer' });
    return { tokenizer: missing, chatTemplate: null };
  }
  const said = (await jsonOf(place, 'tokenizer_config.json', signal)) ?? {};
  const template = await place.read('chat_template.jinja', signal);
  if (template) said.chat_template = new TextDecoder().decode(template);
  const generation = (await jsonOf(place, 'generation_config.json', signal)) ?? {};
  const opener = openTokenizer ?? (await importedOpener());
  const { chatTemplate, ...tokenizer } = await opener({
    tokenizer: file,
    config: said,
    generation,
  });
  const stops = [...new Set([...endsOf('config.json', config), ...tokenizer.stops])];
  return { tokenizer: { ...tokenizer, stops }, chatTemplate };
}

/** @param {import('./place.js').Place} place @param {import('../checkpoints/open.js').Checkpoint} checkpoint
 * @param {Record<string, unknown> | null} config @param {{ signal?: AbortSignal, openTokenizer?: OpenTokenizer }} options
 * @returns {Promise<Texts>} */
export async function tokenizerOf(place, { container, tokenizer, chatTemplate }, config, options) {
  if (tokenizer) return { tokenizer, chatTemplate };
  if (container !== 'safetensors') {
    const missing = failure('GF_ESTATE', 'noTokenizerFile', { where: 'open: tokenizer' });
    return { tokenizer: missing, chatTemplate };
  }
  try {
    return await ofFolder(place, config ?? {}, options);
  } catch (error) {
    /* The model works without it: who asks for the tokenizer learns what is wrong. */
    if (!(error instanceof GlassformerError) || options.signal?.aborted) throw error;
    return { tokenizer: error, chatTemplate };
  }
}
