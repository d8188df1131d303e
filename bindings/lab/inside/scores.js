// Scores of heads: how much they attend to the previous token, the first, an earlier copy of the same
// token, the token behind such a copy (induction), and how widely they spread.

import { checkInteger, checkOptions } from '../../js/base/errors.js';
import { dice } from '../../js/base/random.js';
import { UINT32 } from '../../js/base/values.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { attentionsOf } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { headName } from './stream.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** Attention weights from 0 to 1, each a mean over positions; null where no position has such a token, and of
 * attention to another sequence.
 * @typedef {object} HeadScore
 * @property {string} name
 * @property {string} stack
 * @property {number} layer
 * @property {string} part 'self_attn' or 'cross_attn'
 * @property {number} head
 * @property {number | null} previous on the token before: mean over the positions from 1 on
 * @property {number | null} first on the first token: mean over the positions from 1 on
 * @property {number | null} duplicate on earlier copies of the same token: mean over the tokens that have one
 * @property {number | null} induction in random tokens that are repeated, on the token behind the copy: mean over the
 *   second half; null unless the model is a gpt
 * @property {number} entropy of the weights, in nats: mean over all positions
 */

/** repeat: the random tokens, by default 20 or as many as fit twice, of seed 0.
 * @typedef {{ repeat?: { length?: number, seed?: number } }} HeadScoreOptions */

/** repeated: the random tokens that induction is measured on.
 * @typedef {{ experiment: 'scores', heads: HeadScore[], repeated: number[] | null }} HeadScores */

const REPEATED_LENGTH = 20;
const LOGARITHMS = 'scores.log_weights';

/** @param {readonly number[]} values */
const mean = (values) =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

/** The rows of one head.
 * @param {Tensor} node [1,H,Tq,Tk] @param {number} head
 * @returns {Float32Array[]} */
export function rowsOf(node, head) {
  const [, , queries, keys] = node.shape;
  return Array.from({ length: queries }, (_, i) => {
    const from = (head * queries + i) * keys;
    return floatsOf(node).subarray(from, from + keys);
  });
}

/** Of a sequence that attends to itself.
 * @param {Float32Array[]} rows @param {ArrayLike<number> | null} tokens null where the model reads vectors */
function onItself(rows, tokens) {
  const later = rows.slice(1);
  const onCopies = rows.flatMap((row, i) => {
    const weights = [...row.subarray(0, i)].filter((_, j) => tokens && tokens[j] === tokens[i]);
    return weights.length > 0 ? [weights.reduce((sum, weight) => sum + weight, 0)] : [];
  });
  return {
    previous: mean(later.map((row, i) => row[i])),
    first: mean(later.map(([first]) => first)),
    duplicate: mean(onCopies),
  };
}

const ON_ANOTHER = { previous: null, first: null, duplicate: null };

/** @param {Float32Array} row @param {Float32Array} logarithms */
const entropyOf = (row, logarithms) =>
  row.reduce((sum, weight, j) => (weight > 0 ? sum - weight * logarithms[j] : sum), 0);

/** The ids that a stack's attention attends with; null where the model reads vectors.
 * @param {Bench} bench @param {Tensor} weights */
function tokensOf({ nodes }, { sequences: [, , whose] }) {
  const leaf = nodes.find(({ role, sequences }) => role === 'tokens' && sequences[1] === whose);
  return leaf ? valuesOf(leaf) : null;
}

/** Random tokens, and the same again; null where a model does not read on from them.
 * @param {Bench} bench @param {{ length?: number, seed?: number }} repeat
 * @returns {number[] | null} */
function repeatedOf({ where, config }, repeat) {
  checkOptions(`${where}: repeat`, repeat, ['length', 'seed']);
  const { kind, vocab, maxLength } = config;
  const most = Math.floor(maxLength / 2);
  const { length = Math.min(REPEATED_LENGTH, most), seed = 0 } = repeat;
  checkInteger(`${where}: repeat: seed`, seed, 0, UINT32);
  if (kind !== 'gpt' || vocab === 0 || most < 2) return null;
  checkInteger(`${where}: repeat: length`, length, 2, most);
  const throwDice = dice(seed, 0);
  const tokens = Array.from({ length }, () => throwDice(vocab));
  return [...tokens, ...tokens];
}

/** How much each head attends to the previous token, the first, earlier copies of a token and, in repeated random
 * tokens, the one behind the copy (induction); and the entropy of its weights.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {HeadScoreOptions & Listener} [options]
 * @returns {Promise<HeadScores>}
 * @example
 * import { headScores } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { heads } = await headScores(model, { target: [1, 2, 1] });
 * heads.map(({ name }) => name); // = ['layer 0 head 0', 'layer 0 head 1']
 * heads[0].entropy > 0; // = true
 * model.dispose(); */
export function headScores(model, inputs, options = {}) {
  const where = 'headScores';
  return experiment(where, options, ['repeat'], function* (use, options) {
    /** By the core, so that all engines have the same bits.
     * @type {Tensor[]} */
    let logarithms = [];
    const bench = use(
      new Bench(where, model, inputs, (tape) => {
        logarithms = attentionsOf(tape).map(({ masked }, i) =>
          tape.logSoftmax(masked, `${LOGARITHMS}.${i}`),
        );
      }),
    );
    const repeated = repeatedOf(bench, options.repeat ?? {});
    yield* bench.running();
    yield 0.5;
    const twice = repeated && use(new Bench(where, model, { target: repeated }));
    if (twice) yield* twice.running();
    const again = twice && attentionsOf(twice);
    const half = (repeated?.length ?? 0) / 2;
    const heads = attentionsOf(bench).flatMap(
      ({ stack, layer, part, heads: count, weights }, place) =>
        Array.from({ length: count }, (_, head) => {
          const rows = rowsOf(weights, head);
          const ofLogarithms = rowsOf(logarithms[place], head);
          const behind = again && rowsOf(again[place].weights, head).slice(half);
          return {
            name: headName(bench, weights, head),
            ...{ stack, layer, part, head },
            ...(part === 'self_attn' ? onItself(rows, tokensOf(bench, weights)) : ON_ANOTHER),
            induction: behind && mean(behind.map((row, i) => row[i + 1])),
            entropy: Number(mean(rows.map((row, i) => entropyOf(row, ofLogarithms[i])))),
          };
        }),
    );
    return { experiment: /** @type {const} */ ('scores'), heads, repeated };
  });
}
