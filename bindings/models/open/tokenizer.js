// The tokenizer that lies beside a model.

import { GlassformerError } from '../../js/base/errors.js';
import { endsOf } from '../formats/tokenizer-ends.js';
import { importTokenizer } from '../formats/tokenizer-package.js';
import { jsonOf } from './place.js';
import { failure } from './texts.js';

/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {{ tokenizer: ListedTokenizer | Error, chatTemplate: string | null }} Texts */

/** The files of Hugging Face.
 * @param {import('./place.js').Place} place @param {Record<string, unknown>} config of the model @param {AbortSignal} [signal]
 * @returns {Promise<Texts>} */
async function ofFolder(place, config, signal) {
  const file = await jsonOf(place, 'tokenizer.json', signal);
  if (!file) {
    const missing = failure('GF_ESTATE', 'noTokenizerFile', { where: 'open: tokenizer' });
    return { tokenizer: missing, chatTemplate: null };
  }
  const said = (await jsonOf(place, 'tokenizer_config.json', signal)) ?? {};
  const template = await place.read('chat_template.jinja', signal);
  if (template) said.chat_template = new TextDecoder().decode(template);
  const generation = (await jsonOf(place, 'generation_config.json', signal)) ?? {};
  const { openTokenizer } = await importTokenizer();
  const { chatTemplate, ...tokenizer } = openTokenizer({
    tokenizer: file,
    config: said,
    generation,
  });
  const stops = [...new Set([...endsOf('config.json', config), ...tokenizer.stops])];
  return { tokenizer: { ...tokenizer, stops }, chatTemplate };
}

/** @param {import('./place.js').Place} place @param {import('../checkpoints/open.js').Checkpoint} checkpoint
 * @param {Record<string, unknown> | null} config @param {AbortSignal} [signal]
 * @returns {Promise<Texts>} */
export async function tokenizerOf(place, { container, tokenizer, chatTemplate }, config, signal) {
  if (tokenizer) return { tokenizer, chatTemplate };
  if (container !== 'safetensors') {
    const missing = failure('GF_ESTATE', 'noTokenizerFile', { where: 'open: tokenizer' });
    return { tokenizer: missing, chatTemplate };
  }
  try {
    return await ofFolder(place, config ?? {}, signal);
  } catch (error) {
    /* The model works without it: who asks for the tokenizer learns what is wrong. */
    if (!(error instanceof GlassformerError) || signal?.aborted) throw error;
    return { tokenizer: error, chatTemplate };
  }
}
