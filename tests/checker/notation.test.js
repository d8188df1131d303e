// However a text writes its numbers, its lines and its characters: they are read, found again by line and column, and
// corrected in the same way; all else stays byte for byte. Work grows with the text, not with its square.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { dice } from '../../bindings/js/base/random.js';
import { check, fixed } from '../../bindings/learn/checker/index.js';
import { Reader } from '../../bindings/learn/checker/read/expression.js';
import { LESSONS } from './lessons.js';
import { mutated } from './texts.js';

const gf = await load();

/** What is flagged, and what becomes of the text. @param {string} text */
function told(text) {
  const { flags } = check(gf, text);
  return [flags.map(({ printed, corrected }) => `${printed} ${corrected}`), fixed(text, flags)];
}

describe('numbers', () => {
  for (const [name, text, due] of /** @type {[string, string, string][]} */ ([
    ['a minus of its own', '2 · −3 = −5', '2 · −3 = −6'],
    ['a wrong sign where the text has a minus of its own', '−1 · −1 = −1', '−1 · −1 = 1'],
    ['a minus that was forgotten', 'x − 2 \n−1 · 3 = 3', 'x − 2 \n−1 · 3 = −3'],
    ['an en dash', '5 – 3 = 1', '5 – 3 = 2'],
    [
      'decimal commas',
      'Also ist 0,65 × 1,1 + 0,35 × 0,2 = 0,91.',
      'Also ist 0,65 × 1,1 + 0,35 × 0,2 = 0,79.',
    ],
    [
      'decimal commas in a list',
      'softmax([0,86; 0,24]) = [0,65; 0,53]',
      'softmax([0,86; 0,24]) = [0,65; 0,35]',
    ],
    [
      'decimal commas in a row of LaTeX',
      'softmax([0{,}86; 0{,}24]) = [0{,}65; 0{,}53]',
      'softmax([0{,}86; 0{,}24]) = [0{,}65; 0{,}35]',
    ],
    [
      'lists of whole numbers beside decimal commas',
      '[1,0] · [2,3] = 2 und 2 · 0,5 = 1,5',
      '[1,0] · [2,3] = 2 und 2 · 0,5 = 1,0',
    ],
    ['an exponent', '2 · 1e-3 = 3e-3', '2 · 1e-3 = 2e-3'],
    ['an exponent with a minus of its own', '2 · 1.0e−3 = 2.1e−3', '2 · 1.0e−3 = 2.0e−3'],
    ['a power of ten', '0.5 · 0.001 = 4.0 × 10^{-4}', '0.5 · 0.001 = 5.0 × 10^{-4}'],
    ['a power of ten with small digits', '0.5 · 0.001 = 4.0·10⁻⁴', '0.5 · 0.001 = 5.0·10⁻⁴'],
    ['groups of three digits', '1024 · 1024 = 1,048,575', '1024 · 1024 = 1,048,576'],
    ['a logarithm', 'ln 0.5 = -0.699', 'ln 0.5 = -0.693'],
    ['the smaller of two', 'min(0.5, 0.25) = 0.4', 'min(0.5, 0.25) = 0.3'],
    ['NaN', 'softmax([1, 1]) = [nan, 0.5]', 'softmax([1, 1]) = [0.5, 0.5]'],
    ['infinity', 'exp(0) = ∞', 'exp(0) = 1'],
    ['a masked score', 'softmax([0, -inf]) = [1.0, 0.2]', 'softmax([0, -inf]) = [1.0, 0.0]'],
  ])) {
    test(name, () => {
      const [flags, right] = told(text);
      assert.equal(flags.length, 1, `${flags}`);
      assert.equal(right, due);
      assert.deepEqual(check(gf, right).flags, []);
    });
  }

  test('what can be meant otherwise, or has no value, is not flagged', () => {
    for (const text of [
      'log(1000) = 3',
      'log_2(8) = 3',
      'log10(100) = 2',
      '0/0 = 1',
      'softmax([nan, 1]) = [0.5, 0.5]',
      'softmax([0, -np.inf]) = [1, 0]',
      'The 2,048 units and [1,2,3] = [1,2,3]',
      'exp(-∞) = 0',
    ]) {
      assert.deepEqual(check(gf, text).flags, [], text);
    }
  });
});

describe('places', () => {
  const placesOf = (text) => check(gf, text).flags.map(({ line, column }) => [line, column]);

  test('a character is one column, however many bytes it has', () => {
    assert.deepEqual(placesOf('2 + 2 = 5'), [[1, 9]]);
    assert.deepEqual(placesOf('é: 2 + 2 = 5'), [[1, 12]]);
    assert.deepEqual(placesOf('😀 𝑄: 2 + 2 = 5'), [[1, 14]]);
    assert.deepEqual(placesOf('\t2 + 2 = 5'), [[1, 10]]);
  });

  test('a byte order mark is no column, a carriage return ends a line with the line feed', () => {
    assert.deepEqual(placesOf('\uFEFF2 + 2 = 5\r\n1 + 1 = 3\r\n'), [
      [1, 9],
      [2, 9],
    ]);
  });
});

/** Texts in other clothes: lines that end otherwise, a mark before them, wide characters between them.
 * @type {Record<string, (text: string) => string>} */
const CLOTHES = {
  'line feeds': (text) => text,
  'carriage returns': (text) => text.replace(/\n/g, '\r\n'),
  'a byte order mark': (text) => `\uFEFF${text}`,
  'wide characters': (text) =>
    `😀 ${text.replace(/\n\n/g, '\n\n𝒳 — é\n\n')}`.replace(/= /g, '= 𝒳 = '),
  tabs: (text) => text.replace(/ /g, '\t'),
};

for (const [name, dress] of Object.entries(CLOTHES)) {
  test(`fixed changes the flagged numbers and nothing else: ${name}`, () => {
    let changed = 0;
    for (const lesson of Object.keys(LESSONS)) {
      for (let seed = 1; seed <= 12; seed++) {
        const text = dress(mutated(seed, lesson).text);
        const { flags } = check(gf, text);
        const lines = text
          .split('\n')
          .map((line, i) => [...(i ? line : line.replace('\uFEFF', ''))]);
        for (const { line, column, printed, corrected } of [...flags].reverse()) {
          const old = lines[line - 1].splice(column - 1, printed.length, ...corrected);
          assert.equal(old.join(''), printed);
          changed += 1;
        }
        const due = lines.map((line) => line.join('')).join('\n');
        const all = fixed(text, flags, { rounding: 'strict' });
        assert.equal(all, (text.startsWith('\uFEFF') ? '\uFEFF' : '') + due);
      }
    }
    assert.ok(changed > 100, `${changed}`);
  });
}

test('flags of another text, and flags that are none, are refused', () => {
  const { flags } = check(gf, '2 + 2 = 5');
  assert.throws(() => fixed('2 + 2 = 4', flags), { name: 'RangeError', detail: 'otherText' });
  assert.throws(() => fixed('', flags), { detail: 'otherText' });
  assert.throws(() => fixed('2 + 2 = 5', [...flags, ...flags]), { detail: 'otherText' });
  assert.throws(() => fixed('', [{ ...flags[0], line: 1e9 }]), { detail: 'otherText' });
  assert.throws(() => fixed('', [{ ...flags[0], column: 0.5 }]), { detail: 'flags' });
});

const PARTS =
  '[[ [ ] ( ) { } , ; : | & \\\\ \\begin{bmatrix} \\end{bmatrix} \\frac \\sqrt \\text{ \\hat = ≈ + - · * / ^ ^T ² √ 0.5 1 .3 1,111, 0,5 10⁻³ -∞ nan softmax ln min( a Q scores m_hat <table> <tr> <td> </table> np.array( $ - \n'.split(
    ' ',
  );

test('of 10 kB, each token begins at most 60 sums', () => {
  const { sum } = Reader.prototype;
  let sums = 0;
  Reader.prototype.sum = function (at) {
    sums += 1;
    return sum.call(this, at);
  };
  try {
    for (let seed = 0; seed < 150; seed++) {
      const roll = dice(seed, 11);
      const few = Array.from({ length: 1 + roll(4) }, () => PARTS[roll(PARTS.length)]);
      let text = '';
      while (text.length < 10_000) text += few[roll(few.length)] + ['', ' ', '1'][roll(3)];
      sums = 0;
      check(gf, text);
      assert.ok(sums <= 60 * text.length, `${sums}: ${JSON.stringify(few)}`);
    }
  } finally {
    Reader.prototype.sum = sum;
  }
});
