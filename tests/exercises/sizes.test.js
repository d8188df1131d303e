// A problem of attention by hand may be of other sizes than are drawn: the numbers of a worked example.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load } from '../../bindings/index.js';
import { mark, traceProblem } from '../../bindings/learn/exercises/index.js';

const gf = await load();
const { x, w_q, w_k, w_v } = examples['i-love-robotics'].inputs;

/** @param {object} [given] */
const problem = (given = { x, w_q, w_k, w_v }) => ({
  ...{ recipe: 'attention', seed: 1, level: 'steps', policy: { digits: 2 }, given },
  ...{ asked: [], shown: {}, solution: {}, misconceptions: {} },
});

const times = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((s, v, k) => s + v * b[k][j], 0)));
const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
/** The last row's weights in float64. @param {number} divisor */
function weightsBy(divisor) {
  const scores = times(times(x, w_q), turned(times(x, w_k)))[2].map((s) => s / divisor);
  const powers = scores.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

const answersOf = (row) => ({
  cells: Object.fromEntries(row.map((value, j) => [`weights[2,${j}]`, value.toFixed(2)])),
});

test('the weights of an example with three columns are right as float64 has them', () => {
  const { cells } = mark(gf, problem(), answersOf(weightsBy(Math.sqrt(3))));
  for (const j of [0, 1, 2]) assert.equal(cells[`weights[2,${j}]`].state, 'right');
});

test('and without the division they are the weights of that mistake, whose machine can be played', () => {
  const { cells } = mark(gf, problem(), answersOf(weightsBy(1)));
  assert.equal(cells['weights[2,2]'].state, 'misconception:no-scaling');
  const played = traceProblem(gf, problem(), { misconception: 'no-scaling' });
  const { data } = played.step('weights');
  for (const [j, due] of weightsBy(1).entries()) assert.ok(Math.abs(data[6 + j] - due) < 1e-6);
});

test('matrices of another rank are refused, and those that do not fit each other', () => {
  assert.throws(() => mark(gf, problem({ x: 1, w_q, w_k, w_v }), { cells: {} }), {
    code: 'GF_ETYPE',
  });
  const scores = { ...problem({ x, q: x, k: w_k }), recipe: 'scores' };
  assert.throws(() => mark(gf, scores, { cells: {} }), { code: 'GF_ETYPE' });
});

test('a softmax alone may have several rows: those of the scores of a scene', () => {
  const rows = {
    ...problem({
      'scores.scaled': [
        [1, 0],
        [0, 2],
        [1, 1],
      ],
    }),
    recipe: 'softmax-row',
  };
  const share = (1 / (1 + Math.exp(-2))).toFixed(2);
  assert.equal(
    mark(gf, rows, { cells: { 'weights[1,1]': share } }).cells['weights[1,1]'].state,
    'right',
  );
});
