// Blocks of numbers as people paste them: the same matrix in each notation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBlock } from '../../bindings/js/number/block.js';
import { readNumber } from '../../bindings/js/number/read.js';

/** The rows as numbers. @param {string} text */
const numbersIn = (text) =>
  readBlock(text).map((row) => row.map((cell) => readNumber(cell)?.value));

const MATRIX = [
  [1, -0.5],
  [0, 2],
  [1 / 3, 1],
];

for (const [name, text] of Object.entries({
  spreadsheet: '1\t-0.5\n0\t2\n1/3\t1\n',
  'spreadsheet with decimal commas': '1\t-0,5\r\n0\t2\r\n1/3\t1\r\n',
  'rows of a text': '1 -0.5\n0 2\n1/3 1',
  'rows with blanks before': '  1   −0,5\n  0   2\n\n  1/3 1',
  'commas and blanks': '1, -0.5\n0, 2\n1/3, 1',
  'semicolons between columns': '1; -0,5\n0; 2\n1/3; 1',
  'MATLAB on one line': '[1 -0.5; 0 2; 1/3 1]',
  JSON: '[[1, -0.5], [0, 2], [1/3, 1]]',
  NumPy: 'np.array([[1.0, -0.5],\n          [0., 2.], [1/3, 1]], dtype=np.float32)',
  'what NumPy prints': '[[ 1.  -0.5]\n [ 0.   2. ]\n [ 1/3  1. ]]',
  PyTorch: 'tensor([[1., -0.5], [0., 2.], [1/3, 1.]], requires_grad=True)',
  Mathematica: '{{1, -0.5}, {0, 2}, {1/3, 1}}',
  LaTeX: '\\begin{pmatrix} 1 & -0.5 \\\\ 0 & 2 \\\\ \\frac{1}{3} & 1 \\end{pmatrix}',
  'LaTeX in an equation':
    '$$\\left[\\begin{array}{cc}\n1&-0{,}5\\\\\n0&2\\\\\n\\tfrac{1}{3}&1\n\\end{array}\\right]$$',
  'LaTeX with digits and brackets in fractions':
    '\\begin{bmatrix} 1 & -\\frac12 \\\\ 0 & \\frac{1+1}{1} \\\\ \\frac13 & 1 \\end{bmatrix}',
  Markdown: '| 1 | -0.5 |\n| --- | --- |\n| 0 | 2 |\n| 1/3 | 1 |',
  'Markdown with words':
    '| X | a | b2 |\n|---|---:|---|\n| the | 1 | -0.5 |\n| cat | 0 | 2 |\n|  | 1/3 | 1 |',
  'spreadsheet with words': '\ta\tb\nthe\t1\t-0.5\ncat\t0\t2\nsat\t1/3\t1\n',
  'one line in round brackets': '(1 -0.5; 0 2; 1/3 1)',
  'brackets row by row': '[1, -0.5]\n[0, 2]\n[1/3, 1]',
  'round brackets row by row': '(1, -0.5)\n(0, 2)\n(1/3, 1)',
})) {
  test(name, () => assert.deepEqual(numbersIn(text), MATRIX));
}

test('rows of whole numbers with commas alone are lists, and 1,5 is a number', () => {
  assert.deepEqual(numbersIn('1,0,1\n0,1,0'), [
    [1, 0, 1],
    [0, 1, 0],
  ]);
  assert.deepEqual(numbersIn('1,5'), [[1.5]]);
  assert.deepEqual(numbersIn('1,5; 2,5'), [[1.5], [2.5]]);
});

test('empty cells of a spreadsheet stay, and a text without numbers has no rows', () => {
  assert.deepEqual(readBlock('1\t\n\t2'), [
    ['1', ''],
    ['', '2'],
  ]);
  assert.deepEqual(readBlock('no numbers'), []);
  assert.deepEqual(readBlock(''), []);
});
