// How sentence-transformers makes the vectors of a model: what lies in its folder of that.

import { jsonOf } from './place.js';

/** @typedef {import('../../js/model/model.js').Embedding} Embedding */

/** What `embed` calls the poolings of sentence-transformers. @type {Record<string, string>} */
const POOLINGS = { cls_token: 'first', mean_tokens: 'mean', lasttoken: 'last' };
/** Modules that `embed` does the work of. */
const MODULES = ['Transformer', 'Pooling', 'Normalize'];

/** @param {import('./place.js').Place} place @param {number} maxLength of the model @param {AbortSignal} [signal]
 * @returns {Promise<Embedding | null>} null where no such files lie beside the weights */
export async function embeddingOf(place, maxLength, signal) {
  const said = await jsonOf(place, '1_Pooling/config.json', signal);
  if (!said) return null;
  const begin = 'pooling_mode_';
  const modes = Object.keys(said)
    .filter((key) => key.startsWith(begin) && said[key] === true)
    .map((key) => key.slice(begin.length));
  const kinds = modes.map((mode) => (Object.hasOwn(POOLINGS, mode) ? POOLINGS[mode] : mode));
  const sentence = (await jsonOf(place, 'sentence_bert_config.json', signal)) ?? {};
  const { max_seq_length: most, do_lower_case: lowers } = sentence;
  const modules = (await jsonOf(place, 'modules.json', signal, 'array')) ?? [];
  const types = modules.map((one) => String(Object(one).type).replace(/^.*\./s, ''));
  const others = [
    ...types.filter((type) => !MODULES.includes(type)),
    ...(lowers ? ['do_lower_case'] : []),
  ];
  const isCount = Number.isInteger(most) && Number(most) > 1;
  return Object.freeze({
    pooling: [...kinds, ...others].join(' + ') || 'none',
    maxLength: isCount ? Math.min(Number(most), maxLength) : maxLength,
  });
}
