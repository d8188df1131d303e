// Cells that depend on their whole row: softmax and its logarithm, norms, the loss.

import { cell, f32, logOf, operand, powersOf, rowOf, rowSum, widthOf } from './parts.js';

/** @typedef {import('./parts.js').Question} Question */
/** @typedef {import('./parts.js').Step} Step */
/** @typedef {import('../explain.js').Loss} Loss */

/** GF_SUM, GF_EACH; 0 is the mean. */
const SUM = 1;
const EACH = 2;

/** One row of a cross entropy; null if its target is passed over.
 * @param {Question} question @param {number} row
 * @returns {Loss | null} */
function lossOf({ operands, step, gf }, row) {
  const [logits, targets, weights] = /** @type {Step[]} */ (operands);
  const { smoothing, ignore_index: ignored } = step.attributes;
  const width = widthOf(logits);
  const given = targets.kind !== 'ids';
  const target = given ? null : targets.data[row];
  if (target === ignored) return null;
  const powers = powersOf(logits, row * width, gf);
  const log = logOf(powers, gf);
  const classes = powers.row.map((entry, j) => {
    const q = given ? targets.data[row * width + j] : Number(j === target);
    const spread = f32(f32(f32(1 - smoothing) * q) + f32(smoothing / width));
    const wanted = f32((weights?.data[j] ?? 1) * spread);
    const { node, index, value } = entry;
    const surprise = f32(-f32(entry.shifted - log));
    const product = wanted === 0 ? 0 : f32(wanted * surprise);
    return { node, index, value, wanted, surprise, product };
  });
  const weight = weights && target !== null ? weights.data[target] : 1;
  const loss = rowSum(classes.map(({ product }) => product));
  return { target, max: powers.max, log, classes, weight, loss };
}

/** @type {import('./parts.js').Stories} */
export const rows = {
  softmax(question) {
    const x = operand(question, 0);
    const powers = powersOf(x, question.at, question.gf);
    return { ...powers, numerator: powers.row[question.at % widthOf(x)].exp };
  },

  log_softmax(question) {
    const x = operand(question, 0);
    const powers = powersOf(x, question.at, question.gf);
    const log = logOf(powers, question.gf);
    return { ...powers, log, shifted: powers.row[question.at % widthOf(x)].shifted };
  },

  layer_norm(question) {
    const [, gain, bias] = question.operands;
    const x = operand(question, 0);
    const width = widthOf(x);
    const column = question.at % width;
    const row = rowOf(x, question.at).map(({ value }) => value);
    const mean = f32(rowSum(row) / width);
    const away = row.map((value) => f32(value - mean));
    /* What the rounding of the mean left over. */
    const rest = f32(rowSum(away) / width);
    const squares = f32(rowSum(away.map((d) => f32(d * d))) / width);
    const variance = Math.max(f32(squares - f32(rest * rest)), 0);
    const { epsilon } = question.step.attributes;
    const deviation = f32(Math.sqrt(f32(variance + f32(epsilon))));
    const normalised = f32(f32(away[column] - rest) * f32(1 / deviation));
    return {
      x: cell(x, question.at),
      mean,
      deviation,
      normalised,
      gain: gain && cell(gain, column),
      bias: bias && cell(bias, column),
    };
  },

  rms_norm(question) {
    const gain = question.operands[1];
    const x = operand(question, 0);
    const width = widthOf(x);
    const row = rowOf(x, question.at).map(({ value }) => value);
    const meanSquare = f32(rowSum(row.map((value) => f32(value * value))) / width);
    const { epsilon } = question.step.attributes;
    const root = f32(Math.sqrt(f32(meanSquare + f32(epsilon))));
    return {
      x: cell(x, question.at),
      meanSquare,
      root,
      normalised: f32(x.data[question.at] * f32(1 / root)),
      gain: gain && cell(gain, question.at % width),
    };
  },

  cross_entropy(question) {
    const { step, operands, at } = question;
    const logits = operand(question, 0);
    const rows = logits.data.length / widthOf(logits);
    const { reduction } = step.attributes;
    if (reduction === EACH) return { losses: [lossOf(question, at)], count: 1 };
    const losses = Array.from({ length: rows }, (_, row) => lossOf(question, row));
    const weighed = losses.reduce((sum, loss) => sum + (loss?.weight ?? 0), 0);
    const given = operands[1]?.kind !== 'ids';
    return { losses, count: reduction === SUM ? 1 : given ? rows : weighed };
  },

  top_k(question) {
    const x = operand(question, 0);
    const k = widthOf(question.step);
    const first = Math.floor(question.at / k) * widthOf(x);
    const ranked = rowOf(x, first).sort((a, b) => b.value - a.value);
    return { from: ranked[question.at % k] };
  },
};
