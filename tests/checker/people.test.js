// Texts as people lay them out: all that is right passes, one wrong number in each is found and put right, and nothing else
// is touched. What stays open is listed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check, fixed } from '../../bindings/learn/checker/index.js';
import { full } from '../support/sample.js';
import { asNotebook, LAYOUTS, problemOf, randomOf, spoiled } from './people.js';

const gf = await load();
const SEEDS = full ? 200 : 12;

describe('of one wrong number, each layout', () => {
  for (const [name, layout] of Object.entries(LAYOUTS)) {
    test(name, () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const plain = layout(problemOf(seed));
        for (const made of [plain, asNotebook(plain)]) {
          assert.deepEqual(check(gf, made.text).flags, [], made.text);
          const { text, right } = spoiled(made, randomOf(seed + 1000));
          const { flags } = check(gf, text);
          assert.ok(
            flags.some(({ corrected }) => corrected.includes(right)),
            text,
          );
          assert.equal(fixed(text, flags), made.text);
        }
      }
    });
  }
});

/** Right texts in which a hasty reader would correct something. */
const RIGHT = [
  '-2^2 = -4 and −√2/2 = −0.707',
  'Die Zahl der Parameter: 4 · 512 = 2.048',
  '512 · 512 = 262.144 Parameter und 0,5 · 2 = 1',
  '$50\\,257 \\times 768 = 38\\,597\\,376$',
  '50 257 × 768 = 38 597 376',
  '3/4 = 0.75 = 75 %',
  'x = [1, 3, 5, 7]\nLN(x) = [-1.3416, -0.4472, 0.4472, 1.3416]',
  'x = [1, 2, 3]\nln(x) = [0, 0.693, 1.099]',
  'scores = [2, 1]\nweights with temperature 2: [0.62, 0.38]',
  'Scores: [2, 1, 0]\nAfter masking and softmax: [0.73, 0.27, 0.00]',
  'scores = [3, 1]\nother weights = [0.6, 0.4]',
  'scores: [5, 3]\nnormalised weights: [0.625, 0.375]',
  'Scores: [2, 1, 0]\nd_k = 4\nAttention weights: [0.51, 0.31, 0.19]',
  'x = np.array([1, 2])\nx += 1\ny = x * 2\nprint(y)\ny = [4 6]',
  '$\\frac{4}{\\sqrt{2}} = \\frac{4}{1.41} = 2.83$',
  'e^2 / (e^2 + e^1) = 7.39 / (7.39 + 2.72) = 7.39 / 10.11 = 0.731',
  '7.5/2 ≈ 8/2 = 4',
  '$W x = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix} \\begin{bmatrix} 1 \\\\ 1 \\end{bmatrix} = \\begin{bmatrix} 3 \\\\ 7 \\end{bmatrix}$',
  'tokens 1-3 = 3 tokens',
  'x = torch.tensor([1., 2.])\nprint(x.softmax(-1))\ntensor([0.2689, 0.7311])',
  '| token | score | exp | weight |\n|---|---|---|---|\n| a | 2 | 7.389 | 0.881 |\n| b | 0 | 1.000 | 0.119 |',
];

test('nothing right is corrected', () => {
  for (const text of RIGHT) assert.deepEqual(check(gf, text).flags, [], text);
});

test('where sides disagree and no number is to blame, nothing is corrected, and it is listed', () => {
  const { flags, notUnderstood } = check(gf, '2 · 3 + 4 · 5 = 7 + 21 = 28');
  assert.ok(!flags.some(({ printed }) => printed === '7' || printed === '21'));
  assert.deepEqual(
    notUnderstood.map(({ why }) => why),
    ['sides'],
  );
});

test('matrices that have no product are named by their shapes, though the numbers are those of another', () => {
  const given = 'Q = [[1,0],[0,1],[1,1]]\nK = [[1,0],[2,1],[0,2]]\n';
  const product = '[[1,2,0],[0,1,2],[1,3,2]]';
  for (const [written, shapes] of [
    ['Q K', /^Not understood, line 3: .*3 × 2 and 3 × 2 have no product: 2 columns, 3 rows/],
    ['QK', /3 × 2 and 3 × 2/],
    ['$QK$', /3 × 2 and 3 × 2/],
    ['softmax(Q @ K / 2)', /3 × 2 and 3 × 2/],
  ]) {
    const { flags, notUnderstood } = check(gf, `${given}S = ${written} = ${product}`);
    assert.deepEqual(flags, [], written);
    const [one] = notUnderstood.filter(({ why }) => why === 'shapes');
    assert.match(one ? `Not understood, line ${one.line}: ${one.message}` : '', shapes, written);
  }
  for (const written of ['Q K^T', 'QK^T', 'Q @ K.T', 'Q Kᵀ', '$QK^\\top$']) {
    const { checked, notUnderstood } = check(gf, `${given}S = ${written} = ${product}`);
    assert.equal(checked, 9, written);
    assert.deepEqual(notUnderstood, [], written);
  }
});

test('what follows from numbers that nothing explains is not corrected', () => {
  const text = `X = [[1, 0], [0, 1]]
W_Q = [[1, 2], [3, 4]]
Q = [[9, 7], [8, 5]]
K = [[1, 0], [0, 1]]
scores = Q K^T = [[1, 2], [3, 4]]`;
  const { flags, notUnderstood } = check(gf, text);
  assert.deepEqual(flags, []);
  assert.deepEqual(
    notUnderstood.map(({ line, why }) => [line, why]).filter(([, why]) => why === 'follows'),
    [[5, 'follows']],
  );
});
