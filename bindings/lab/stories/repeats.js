// The birth of an induction head: a model of two layers learns to continue repeated tokens. At first no head can; within a
// few hundred steps one of the second layer attends to the token after the last copy.

import { checkCore, checkInteger, checkOptions, checkUint32 } from '../../js/base/errors.js';
import { dice } from '../../js/base/random.js';
import { meanOf } from '../../js/base/sum.js';
import { checkSignal, streamOf } from '../../js/base/turn.js';
import { IGNORE } from '../../js/model/inputs/sequences.js';
import { train } from '../../js/model/train.js';
import { circuits } from '../inside/circuits.js';
import { headScores } from '../inside/scores.js';
import { checkModel, checkPoints } from './checks.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/model/model.js').Model} Model */

/** What is measured of each head, by layer and head.
 * @typedef {object} BirthScores
 * @property {number[][]} induction attention to the token behind the last copy: `headScores`, a mean over several sequences
 * @property {number[][]} copying how alike what the head writes and what it reads are, from −1 to 1: the correlation of
 *   its OV circuit, each row less its mean, with the identity */
/** What was measured after a step: the heads, and the `loss` on repeated tokens, a mean over the steps since the last point;
 * null before the first step.
 * @typedef {{ step: number, loss: number | null } & BirthScores} Point */
/** Where a head was born: the head whose induction score rose most. before, after: its score at the beginning and at the end. step:
 * between the two points where it first passes the middle of them.
 * @typedef {{ layer: number, head: number, step: number, before: number, after: number }} Change */

const TOKENS = 16;
/** Tokens of a sequence, and after how many of them it begins again. */
const LENGTH = 20;
const PERIODS = { shortest: 6, longest: 10 };
/** Sequences of a batch. */
const SEQUENCES = 16;
/** Sequences whose scores a point averages. */
const MEASURED = 4;
const DEFAULT_STEPS = 1200;
/** Steps between two points. */
const DEFAULT_EVERY = 50;
const INT32 = 2 ** 31 - 1;
const MAX_LAYERS = 8;

/** Attention does all the work: the feed-forwards are narrow, and positions are distances. */
const MODEL = /** @type {const} */ ({
  kind: 'gpt',
  vocab: TOKENS,
  maxLength: LENGTH,
  dModel: 32,
  heads: 4,
  layers: 2,
  dFF: 8,
  positions: 'alibi',
  activation: 'gelu-tanh',
  preNorm: true,
  finalNorm: true,
  tied: false,
  dropout: 0,
});

/** How it is trained. */
export const TRAINING = /** @type {const} */ ({ rate: 0.01, clip: 1 });

/** @param {number} seed @param {number} from */
function batchOf(seed, from) {
  const rows = Array.from({ length: SEQUENCES }, (_, i) => {
    const throwDice = dice(seed, from + i);
    const { shortest, longest } = PERIODS;
    const period = shortest + throwDice(longest - shortest + 1);
    const tokens = Array.from({ length: period }, () => throwDice(TOKENS));
    return { period, row: Array.from({ length: LENGTH }, (_, t) => tokens[t % period]) };
  });
  return {
    target: rows.map(({ row }) => row.slice(0, -1)),
    /* Before the first token has come again, there is nothing to know. */
    labels: rows.map(({ row, period }) => row.slice(1).map((id, t) => (t < period ? IGNORE : id))),
  };
}

/** Batches of random tokens that are repeated, without end. Labels count from where the repetition shows.
 * @param {number} seed 0 to 2^32 - 1 @param {number} [from] how many were had before
 * @returns {Generator<{ target: number[][], labels: number[][] }, never, undefined>}
 * @example
 * import { repeats } from 'glassformer/stories';
 *
 * const { target, labels } = repeats(1).next().value;
 * target[0].length === labels[0].length; // = true */
export function repeats(seed, from = 0) {
  checkUint32('repeats: seed', seed);
  checkInteger('repeats: from', from, 0, INT32);
  return stream();

  /** @returns {Generator<{ target: number[][], labels: number[][] }, never, undefined>} */
  function* stream() {
    for (let batch = from; ; batch++) yield batchOf(seed, batch * SEQUENCES);
  }
}

/** A model with four heads in each layer. With two layers, a head can be born in it; with one, no head has the results
 * of another to read.
 * @param {Glassformer} gf @param {number} seed @param {{ layers?: number }} [options] 1 to 8, 2 by
 *   default
 * @example
 * import { unborn } from 'glassformer/stories';
 *
 * unborn(gf, 1).config.layers; // = 2 */
export function unborn(gf, seed, options = {}) {
  checkCore('unborn', gf);
  checkOptions('unborn', options, ['layers']);
  const { layers = MODEL.layers } = options;
  checkInteger('unborn: layers', layers, 1, MAX_LAYERS);
  return gf.model({ ...MODEL, layers, seed });
}

/** Whether a head raises the logit of the token that it reads.
 * @param {Model} model @param {number} layer @param {number} head */
async function copyingOf(model, layer, head) {
  const circuit = await circuits(model, { layer, head });
  let [diagonal, squares] = [0, 0];
  for (const [token, row] of circuit?.ov.values.entries() ?? []) {
    const mean = meanOf(row);
    diagonal += row[token] - mean;
    for (const logit of row) squares += (logit - mean) ** 2;
  }
  return diagonal / Math.sqrt(squares * (TOKENS - 1) || 1);
}

/** @param {Model} model
 * @returns {Promise<BirthScores>} */
async function scoresOf(model) {
  const { layers, heads } = model.config;
  const blank = () => Array.from({ length: layers }, () => new Array(heads).fill(0));
  const [induction, copying] = [blank(), blank()];
  for (let seed = 0; seed < MEASURED; seed++) {
    const repeat = { length: PERIODS.longest, seed };
    const scores = await headScores(model, { target: [0] }, { repeat });
    for (const { layer, head, ...score } of scores?.heads ?? []) {
      induction[layer][head] += Number(score.induction) / MEASURED;
    }
  }
  for (const [layer, row] of copying.entries()) {
    for (const head of row.keys()) row[head] = await copyingOf(model, layer, head);
  }
  return { induction, copying };
}

/** Trains a model of `unborn` on `repeats`, and measures its heads as it goes on: before the first step, and after every so
 * many.
 * @param {Model} model
 * @param {{ steps?: number, every?: number, seed?: number, signal?: AbortSignal }} [options] 1200 steps by default,
 *   measured after every 50
 * @returns {import('../../js/base/turn.js').Stream<Point>}
 * @example
 * import { birth, unborn } from 'glassformer/stories';
 *
 * const points = [];
 * for await (const point of birth(unborn(gf, 1), { steps: 4, every: 2 })) points.push(point);
 * points.map(({ step }) => step); // = [0, 2, 4]
 * points[0].induction.length; // = 2 */
export function birth(model, options = {}) {
  checkModel('birth', model);
  checkOptions('birth', options, ['steps', 'every', 'seed', 'signal']);
  const { steps = DEFAULT_STEPS, every = DEFAULT_EVERY, seed = 1, signal } = options;
  checkInteger('birth: steps', steps, 1, INT32);
  checkInteger('birth: every', every, 1, INT32);
  checkSignal('birth: signal', signal);
  const batches = repeats(seed, model.step);
  const training = train(model, batches, { steps, ...TRAINING, seed, signal });
  return streamOf('birth', points());

  /** @returns {AsyncGenerator<Point, void, undefined>} */
  async function* points() {
    yield { step: model.step, loss: null, ...(await scoresOf(model)) };
    /** @type {number[]} */
    let losses = [];
    for await (const { step, loss } of training) {
      losses.push(loss);
      if (step % every) continue;
      const mean = meanOf(losses);
      losses = [];
      yield { step, loss: mean, ...(await scoresOf(model)) };
    }
  }
}

/** Where a head was born in these points.
 * @param {readonly Pick<Point, 'step' | 'induction'>[]} points two at least
 * @returns {Change}
 * @example
 * import { changeOf } from 'glassformer/stories';
 *
 * const scores = [0.1, 0.1, 0.5, 0.6];
 * const points = scores.map((score, i) => ({ step: 50 * i, loss: 1, induction: [[0.1, score]] }));
 * changeOf(points); // = { layer: 0, head: 1, step: 75, before: 0.1, after: 0.6 } */
export function changeOf(points) {
  checkPoints('changeOf', points);
  const rises = points[0].induction.flatMap((heads, layer) =>
    heads.map((before, head) => {
      const curve = points.map(({ induction }) => induction[layer][head]);
      const after = curve[curve.length - 1];
      const middle = Math.max(
        1,
        curve.findIndex((score) => score >= (before + after) / 2),
      );
      const step = (points[middle - 1].step + points[middle].step) / 2;
      return { layer, head, step, before, after };
    }),
  );
  return rises.reduce((best, one) =>
    one.after - one.before > best.after - best.before ? one : best,
  );
}
