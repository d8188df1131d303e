// What stands beside an equation and may belong to it: an operator, a word, a bracket or a number that is not read. The
// equation is listed as not understood then, and no number of it is called wrong.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check } from '../../bindings/learn/checker/index.js';

const gf = await load();

describe('signs that are understood', () => {
  for (const [right, wrong] of [
    ['2 x 3 = 6', '2 x 3 = 7'],
    ['2 X 3 = 6', '2 X 3 = 7'],
    ['Layer 2 x 3 = 6', 'Layer 2 x 3 = 7'],
    ['2 ∗ 3 = 6', '2 ∗ 3 = 7'],
    ['3 • 4 = 12', '3 • 4 = 13'],
    ['2 \\ast 3 = 6', '2 \\ast 3 = 7'],
    ['12 \\div 4 = 3', '12 \\div 4 = 4'],
    ['2**3 = 8', '2**3 = 9'],
    ['4 ** -0.5 = 0.5', '4 ** -0.5 = 0.6'],
    ['**Power** 2**3 = 8', '**Power** 2**3 = 9'],
    ['**2 · 3** = 6', '**2 · 3** = 7'],
  ]) {
    test(right, () => {
      const { flags, checked, notUnderstood } = check(gf, right);
      assert.deepEqual([flags, checked, notUnderstood], [[], 1, []]);
      assert.equal(check(gf, wrong).flags.length, 1);
    });
  }
});

describe('what is not understood is listed', () => {
  for (const text of [
    '12 : 4 = 3',
    '12 : 4 + 1 = 4',
    '7 — 2 = 5',
    '7 — 2 · 1 = 5',
    '2 times 3 = 6',
    '2 times 3 + 1 = 7',
    '5 plus 3 · 2 = 11',
    '2 mal 3 + 1 = 7',
    '2 fois 3 + 1 = 7',
    '50% of 10 = 5',
    '50% of 10 + 2 = 7',
    '3 of 4 = 0.75',
    '5 choose 2 = 10',
    '(1 + 2) 3 = 9',
    '(1 + 2) 3 + 1 = 10',
    '2 (3) = 6',
    'y = 2 (3 + 4) = 14',
    '1 ± 0.1 = 1.1',
    '1 ± 0.1 · 1 = 1.1',
    'The sum of 1 and 2 = 3',
    'The sum of 1 and 2 · 3 = 7',
    'mean of 1, 3 = 2',
    'mean of 1, 3 + 2 = 3',
    'softmax of [1, 1] = [0.5, 0.5]',
    'Twice 3 + 4 = 14',
    '7 // 2 = 3',
    '7 // 2 + 1 = 4',
    '# 10 % 3 = 1',
    '10 % 3 + 1 = 2',
    '4 & 6 = 4',
    '1 << 3 = 8',
    '1 << 3 + 1 = 16',
    '5! + 3 · 2 = 126',
    'sinh(1) ∘ 3 + 4 = 8',
    '\\binom{5}{2} = 10',
    '\\binom{5}{2} + 3 · 1 = 13',
    '3 \\bmod 2 = 1',
    '3 \\bmod 2 + 1 = 2',
    '\\sinh 1 + 2 = 3.175',
    'x 3 + 4 = 7',
    '3 + 4 = 14 // 2',
    '3 + 4 = 14 : 2 = 7',
    '3 · 4 = 2 (6) = 12',
    '3 · 4 = 2 times 6',
    '1000 · 1000 = 1 million',
    '1000 · 1000 = 1 000 000',
    '2 · 3 = 3!',
    '5 + 4 = 2 \\pmod{7}',
  ]) {
    test(text, () => {
      const { flags, notUnderstood } = check(gf, text);
      assert.deepEqual(flags, []);
      assert.ok(notUnderstood.length > 0);
    });
  }
});

test('a number with nothing computed is no side to compare with', () => {
  for (const text of [
    'In 2023 = 5',
    'version 2.0 = 3.0',
    'accuracy at 3 = 0.9',
    'In 2023 = 5 + 2 = 7',
    'The 3 × 4 matrix has entries (a ± b) = 5',
  ]) {
    assert.deepEqual(check(gf, text).flags, [], text);
  }
});

test('what is read in part is no value of a name', () => {
  const { flags, notUnderstood } = check(gf, 'n = 7 // 2\nn + 1 = 4');
  assert.deepEqual(flags, []);
  assert.deepEqual(notUnderstood, [
    {
      line: 2,
      text: 'n + 1 = 4',
      why: 'unknown',
      message: 'it has an unknown name or function',
    },
  ]);
});

describe('words, marks and lists around an equation are none of it', () => {
  for (const text of [
    'The score is 1.1 × 0.2 = 0.22',
    'we get 3 + 4 = 7',
    'row 2: 3 + 4 = 7',
    'Zeile 2, also 3 + 4 = 7.',
    'In step 2 we get 3 + 4 = 7',
    'Score : 3 + 4 = 7',
    'a total of 3 + 4 = 7',
    'This is a 3 × 4 = 12 matter',
    'so 3 + 4 = 7 and 2 + 2 = 4',
    'the result is right and 3 + 4 = 7',
    'In row 2, 3 + 4 = 7',
    '2. 3 + 4 = 7',
    '2) 3 + 4 = 7',
    '(a) 3 + 4 = 7',
    '• 3 + 4 = 7\n• 2 + 2 = 4',
    'x = 5  # 3 + 4 = 7',
    'x = 5; // 3 + 4 = 7',
    '// 3 + 4 = 7',
    '% 3 + 4 = 7',
    'Look! 3 + 4 = 7',
    'the score — 3 + 4 = 7 — that is',
    '<tr><td>2</td><td>3 + 4 = 7</td></tr>',
    '\\item 3 + 4 = 7',
    '\\begin{align} 3 + 4 &= 7 \\end{align}',
    '3 + 4 \\\\\n&= 7',
    '\\text{so that } 3 + 4 = 7',
    '3 + 4 = 7 (see above)',
    '3 + 4 = 7.0 (1 decimal)',
  ]) {
    test(text, () => {
      const { flags, checked, notUnderstood } = check(gf, text);
      assert.deepEqual([flags, notUnderstood], [[], []]);
      assert.ok(checked > 0);
      const wrong = text
        .replace(/(?<![\d.])7(?!\d)/, '8')
        .replace('12', '13')
        .replace('0.22', '0.23');
      assert.ok(check(gf, wrong).flags.length > 0);
    });
  }
});
