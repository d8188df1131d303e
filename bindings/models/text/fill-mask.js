// Predicting masked tokens with an encoder.

import { checkInteger, readOptions } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { checkSignal, inTurns } from '../../js/base/turn.js';
import { architectureOf } from '../../js/model/config/architecture.js';
import { choosing, ranked } from '../../js/model/decode/sample.js';
import { Reading } from '../../js/model/inputs/inputs.js';
import { weightsOf } from '../../js/model/model.js';
import { forwardInSlices } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { rangeError, typeError } from './texts.js';
import { checkTokenizer, idsOf, textOf } from './tokenizer.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */

/** A token that may stand behind a mask.
 * @typedef {object} Filling
 * @property {number} token
 * @property {string} text of that token
 * @property {number} probability 0 to 1, over the whole vocabulary */

/** @typedef {object} FillOptions
 * @property {number} [best] how many fillings of each mask, at most as many as the vocabulary has: 5 by default
 * @property {number} [mask] the mask's id; by default the tokenizer's [MASK] or <mask>
 * @property {AbortSignal} [signal] ends the work */

export const DEFAULT_BEST = 5;
export const MASKS = ['[MASK]', '<mask>'];

/** Where the masks are.
 * @param {Tokenizer} tokenizer @param {readonly number[]} ids @param {number | undefined} mask */
function placesOf(tokenizer, ids, mask) {
  const names = mask === undefined ? (tokenizer.tokens?.(ids) ?? []) : [];
  return Array.from(ids.keys()).filter((i) =>
    mask === undefined ? MASKS.includes(names[i]) : ids[i] === mask,
  );
}

/** The likeliest tokens behind each mask of a text, best first. The other masks stay as they are.
 * @param {Model} model a bert with logits @param {Tokenizer} tokenizer
 * @param {string | ArrayLike<number>} text with [MASK] or <mask> in it, or ids
 * @param {FillOptions} [options]
 * @returns {Promise<Filling[][]>}
 * @example
 * import { fillMask } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'bert', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const letters = [...'abcdefg_'];
 * model.tokenizer = {
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 * };
 * const [fillings] = await fillMask(model, model.tokenizer, 'a_c', { mask: 7, best: 3 });
 * fillings.length; // = 3
 * fillings[0].probability >= fillings[1].probability; // = true
 * model.dispose(); */
export async function fillMask(model, tokenizer, text, options = {}) {
  const where = 'fillMask';
  const weights = weightsOf(where, model);
  checkTokenizer(where, tokenizer);
  const { config } = model;
  if (config.kind !== 'bert' || !architectureOf(config).logits) {
    throw typeError('noPrediction', { where });
  }
  const {
    best = Math.min(DEFAULT_BEST, config.vocab),
    mask,
    signal,
  } = readOptions(where, options, {
    best: [checkInteger, 1, config.vocab],
    mask: [checkInteger, 0, config.vocab - 1],
    signal: [checkSignal],
  });
  const ids = Array.from(idsOf(`${where}: text`, tokenizer, text));
  const places = placesOf(tokenizer, ids, mask);
  if (!places.length) throw rangeError('noMask', { where: `${where}: text`, given: text });
  const reading = new Reading(where, config, { target: [ids] });
  /** @param {number} room
   * @returns {Generator<number, Filling[][]>} */
  function* work(room) {
    const tape = weights.tape(
      { ...reading.batch(), fused: true },
      {
        changes: { pooler: false },
        more: (made) => made.softmax(made.find('logits'), 'probabilities'),
        keep: () => [],
      },
    );
    try {
      reading.write(tape);
      yield* forwardInSlices(tape);
      const all = /** @type {Float32Array} */ (valuesOf(tape.find('probabilities')));
      return places.map((place) => {
        const row = all.subarray(place * config.vocab, (place + 1) * config.vocab);
        largestOf(`${where}: position ${place}`, row);
        return ranked(weights.engine, room, row, best).map((token) => ({
          token,
          text: textOf(tokenizer, [token]),
          probability: row[token],
        }));
      });
    } finally {
      tape.dispose();
    }
  }
  const filling = choosing(weights.engine, config.vocab, work);
  return inTurns(filling, signal);
}
