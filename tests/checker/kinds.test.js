// Kinds of passages in public texts, in words and numbers of our own: what is right passes, one wrong number is put right, and
// where nobody knows which number is wrong none is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check } from '../../bindings/learn/checker/index.js';

const gf = await load();

/** @param {string} text */
const flagsOf = (text) =>
  check(gf, text).flags.map(({ printed, corrected }) => `${printed} → ${corrected}`);

const LOGITS = `           Logit z       e^z  Softmax p
Berlin        1.20  3.320117   0.509178
Rom           0.90  2.459603   0.377209
Oslo         -0.30  0.740818   0.113613
`;

const UNIT = String.raw`\[ Q=K\approx\begin{bmatrix}1.0000&0.0000\\0.8776&0.4794\\0.5403&0.8415\end{bmatrix} \]

\[ S=QK^\top\approx\begin{bmatrix}
1.0000&0.8776&0.5403\\0.8776&1.0000&0.8776\\0.5403&0.8776&1.0000\end{bmatrix} \]`;

const GRADIENT = String.raw`- $z=[2.0, 1.0, 0.1]$
- $p=\text{softmax}(z)=[0.6590, 0.2424, 0.0986]$
- $y=[1,0,0]$ and $x=[1.5, 0.5]$
- $\frac{\partial L}{\partial W} = (p-y) x^T$

- class 1: [-0.5115, -0.1705]
- class 2: [ 0.3636,  0.1212]
- class 3: [ 0.1479,  0.0493]`;

const MASKED = String.raw`$Q=\begin{bmatrix}1&0\\0&1\end{bmatrix}, K=\begin{bmatrix}1&1\\0&2\end{bmatrix}, V=\begin{bmatrix}1&0\\3&2\end{bmatrix}$

$S_{\text{scaled}}=\frac{QK^\top}{\sqrt2}\approx\begin{bmatrix}0.7071&0\\0.7071&1.4142\end{bmatrix}$

The output with no mask would be

$O_{\text{unmasked}}\approx\begin{bmatrix}1.6605&0.6605\\2.3395&1.3395\end{bmatrix}$`;

const INPUTS = `X:
[[1. 0. 2.]
 [0. 1. 1.]
 [2. 1. 0.]]

Weights:
[[0.9094 0.0453 0.0453]
 [0.4223 0.4223 0.1554]
 [0.0466 0.0171 0.9362]]

Output:
[[1.0000 0.0906 1.8642]
 [0.7330 0.5777 1.2670]
 [1.9191 0.9534 0.1104]]
`;

const SCORES = String.raw`$Q = \begin{bmatrix} 1 & 2 \\ 0 & 1 \end{bmatrix}$, $K_{\text{in}} = \begin{bmatrix} 1 & 1 \\ 2 & 1 \end{bmatrix}$

$$\mathbf{S}_{\text{scaled}} = \frac{Q K_{\text{in}}^{\top}}{\sqrt{2}} = \begin{bmatrix} 2.1213 & 2.8284 \\ 0.7071 & 0.7071 \end{bmatrix}$$`;

const ROWS = `x = [
  [1, 2, 6],  # "red"
  [0, 2, 4],  # "blue"
]

"red" : mean = 3.00, std = 2.160
"blue": mean = 2.00, std = 1.633
`;

/** Each with its text, a right number of it, a wrong one for that, and what is then flagged.
 * @type {Record<string, [text: string, right: string, wrong: string, flags: string[]]>} */
const PUT_RIGHT = {
  'a column of products': [
    `| i | a | b | term |
|---|---|---|---|
| 0 | 0.3 | 0.6 | 0.18 |
| 1 | 0.7 | -0.4 | -0.28 |
| 2 | 0.9 | 0.5 | 0.45 |
| 3 | 0.2 | 0.8 | 0.16 |`,
    '0.45',
    '0.48',
    ['0.48 → 0.45'],
  ],
  'the parts of a row in columns of their own': [
    `| $T$ | $z / T$ | $p_1$ | $p_2$ |
|---|---|---|---|
| 1 | [2.0, 1.0] | 0.731 | 0.269 |
| 0.5 | [4.0, 2.0] | 0.881 | 0.119 |
| 2 | [1.0, 0.5] | 0.622 | 0.378 |`,
    '0.881',
    '0.831',
    ['0.831 → 0.881'],
  ],
  'the only column of a table, which repeats results': [
    `P(a) = 2/9 = 0.222
P(b) = 3/9 = 0.333
P(c) = 4/9 = 0.444

| token | probability |
|---|---|
| a | 0.222 |
| b | 0.333 |
| c | 0.444 |`,
    '| 0.333',
    '| 0.338',
    ['0.338 → 0.333'],
  ],
  'columns without bars, with headings of two words': [
    LOGITS,
    '0.377209',
    '0.377290',
    ['0.377290 → 0.377209'],
  ],
  'position codes with a frequency for each channel': [
    'PE(2) = [0.9093, 0.9086, 0.0927, 0.9998, 0.0043, 1.0000]',
    '0.9086',
    '0.9036',
    ['0.9036 → 0.9086'],
  ],
  'one wrong number of a matrix, and not all that follows': [
    UNIT,
    '0.4794',
    '0.4194',
    ['0.4194 → 0.4794'],
  ],
  'a wrong probability, and not the last digit of what follows': [
    GRADIENT,
    '0.0986',
    '0.0989',
    ['0.0989 → 0.0986'],
  ],
  'a logarithm without brackets, in columns': [
    'door   p = 0.25   -log p = 1.386\nkey    p = 0.125  -log p = 2.079',
    '1.386',
    '1.836',
    ['1.836 → 1.386'],
  ],
  'a percentage in a word of LaTeX': [
    String.raw`$r = \frac{2}{7} = 0.286 \text{ (28.6%)}$`,
    '28.6',
    '28.9',
    ['28.9% → 28.6%'],
  ],
  'words before a formula in dollars': [
    String.raw`Dividing by $\sqrt2=1.414$ we go on.`,
    '1.414',
    '1.441',
    ['1.441 → 1.414'],
  ],
  'a thin space that multiplies': [
    String.raw`$z = 0.4\,(1,0)+0.6\,(0,2)=(0.4, 1.2)$`,
    '1.2)',
    '1.4)',
    ['1.4 → 1.2'],
  ],
  'a minus behind a word without small letters': [
    '计算 -ln(0.7) ≈ 0.357',
    '0.357',
    '0.375',
    ['0.375 → 0.357'],
  ],
  'shares behind a softmax in words, all of them wrong': [
    'z / T = [2/2, 1/2, 0.1/2] = [1.0, 0.5, 0.05]\n\nApply softmax:\n\nP = [0.50, 0.30, 0.19]',
    '0.50, 0.30, 0.19',
    '0.54, 0.33, 0.13',
    ['0.54 → 0.50', '0.33 → 0.30', '0.13 → 0.19'],
  ],
  'statistics of the rows that remarks name': [ROWS, '1.633', '1.363', ['1.363 → 1.633']],
  'a norm by a deviation that is wrong': [
    `${ROWS}\nnormalized_x = [[-0.926, -0.463, 1.389], [-1.225, 0.000, 1.225]]`,
    '1.633\n\nnormalized_x = [[-0.926, -0.463, 1.389], [-1.225, 0.000, 1.225]]',
    '1.833\n\nnormalized_x = [[-0.926, -0.463, 1.389], [-1.091, 0.000, 1.091]]',
    ['1.833 → 1.633', '-1.091 → -1.225', '1.091 → 1.225'],
  ],
  'columns whose headings are formulas of others': [
    `$\\mu = 4$ and $d = 4$

| $i$ | $x$ | $x-\\mu$ | Square $(x-\\mu)^2$ | Rate $100^{-2i/d}$ | Angle $3 \\times \\text{Rate}$ |
|---|---|---|---|---|---|
| 0 | 1.5 | -2.5 | 6.25 | 1.0000 | 3.0000 |
| 1 | 4.5 | 0.5 | 0.25 | 0.1000 | 0.3000 |
| 2 | 6.0 | 2.0 | 4.00 | 0.0100 | 0.0300 |`,
    '0.1000',
    '0.1800',
    ['0.1800 → 0.1000'],
  ],
  'a column by the first letters of its name': [
    String.raw`| Step $i$ | Exponent $\frac{i}{8}$ | Rate $16^{-\text{exp}}$ |
|---|---|---|
| 0 | 0.00 | 1.0000 |
| 2 | 0.25 | 0.5000 |
| 4 | 0.50 | 0.2500 |`,
    '0.5000',
    '0.8000',
    ['0.8000 → 0.5000'],
  ],
  'indices and transposes of LaTeX in a notebook': [
    JSON.stringify({ cells: [{ cell_type: 'markdown', source: [SCORES] }] }),
    '2.8284',
    '2.2884',
    ['2.2884 → 2.8284'],
  ],
  'probabilities at several temperatures': [
    `logits z = [1.5, 0.5, -0.5]

| T | p_1 | p_2 | p_3 |
|---|---|---|---|
| 0.5 | 0.867 | 0.117 | 0.016 |
| 1 | 0.665 | 0.245 | 0.090 |
| 2 | 0.506 | 0.307 | 0.186 |`,
    '0.307',
    '0.370',
    ['0.370 → 0.307'],
  ],
  'percentages of LaTeX in a notebook': [
    JSON.stringify({
      cells: [
        {
          cell_type: 'markdown',
          source: [
            'softmax([2, 1, 0.1]) = [0.659, 0.242, 0.099]: $65.9\\%$ on a, $24.2\\%$ on b, $9.9\\%$ on c',
          ],
        },
      ],
    }),
    '24.2',
    '24.8',
    [String.raw`24.8\\% → 24.2\\%`],
  ],
  'a row of a matrix by its count': [
    String.raw`$A = \frac{1}{2} \begin{bmatrix}0.42&0&1.42\\1.42&0.42&0\\1&3&2\end{bmatrix} = \begin{bmatrix}0.21&0&0.71\\0.71&0.21&0\\0.5&1.5&1\end{bmatrix}$

- Row 1: $[0.21, 0, 0.71]$, with $e^{0.21} = 1.234$
- Row 2: $[0.71, 0.21, 0]$`,
    'Row 2: $[0.71',
    'Row 2: $[0.77',
    ['0.77 → 0.71'],
  ],
  'the terms of weighed rows': [
    '$$0.3 \\times [1, 2] + 0.7 \\times [4, 0] = [0.3 + 2.8,\\; 0.6 + 0] = [3.1,\\; 0.6]$$',
    '[0.3 + 2.8',
    '[0.8 + 2.8',
    ['0.8 → 0.3'],
  ],
  'a row times a column, as a sum': [
    String.raw`$[0.5, 0.5]\begin{bmatrix}3\\5\end{bmatrix} = 0.5 \times 3 + 0.5 \times 5 = 1.5 + 2.5 = 4$`,
    '1.5 + 2.5',
    '1.2 + 2.5',
    ['1.2 → 1.5'],
  ],
  'a variable that a program computes of names not yet known, and later of others': [
    'weights = softmax(scores)\n\nscores = [2, 0]\n\nhalved = scores / 2\n\nweights = softmax(halved)\n# weights ≈ [0.73, 0.27]',
    '0.73',
    '0.78',
    ['0.78 → 0.73'],
  ],
  'percentages in a sentence, in another order than their row': [
    'softmax([2, 1, 0.1]) = [0.659, 0.242, 0.099]\n\nThe model pays 24.2% to "b", 65.9% to "a" and 9.9% to "c".',
    '24.2%',
    '24.5%',
    ['24.5% → 24.2%'],
  ],
  'percentages in a list, of results one after the other': [
    '`3 / 8 = 0.375`\n`1 / 8 = 0.125`\n`4 / 8 = 0.5`\n\n- "a" gets **37.5%** of it\n- "b" gets **12.5%** of it\n- "c" gets **50%** of it',
    '12.5%',
    '13.5%',
    ['13.5% → 12.5%'],
  ],
  'the shares of exponentials in a sentence': [
    'We get e^2 = 7.389, e^1 = 2.718, e^0 = 1. Normalized: 0.665 (66.5%), 0.245 (24.5%), 0.090 (9.0%).',
    '0.245',
    '0.248',
    ['0.248 → 0.245'],
  ],
  'an output without the mask': [MASKED, '1.6605', '1.6065', ['1.6065 → 1.6605']],
  'weights of inputs, without projections': [INPUTS, '0.1554', '0.1545', ['0.1545 → 0.1554']],
};

describe('is put right', () => {
  for (const [name, [text, right, wrong, flags]] of Object.entries(PUT_RIGHT)) {
    test(name, () => {
      assert.deepEqual(flagsOf(text), []);
      assert.deepEqual(flagsOf(text.replace(right, wrong)), flags);
    });
  }
});

/** Each with its text, and the lines that are listed: none of its numbers is flagged.
 * @type {Record<string, [text: string, lines: number[]]>} */
const LISTED = {
  'two given values of which one is wrong': ['A: 0.876 (87.9%)', [1]],
  'a value that is given twice, and once otherwise': [
    'Logit z = [1.25, 0.90, -0.30]\n\nLogit z = [1.20, 0.90, -0.30]\n\nexp(z) = [3.32, 2.46, 0.74]',
    [1],
  ],
  'a divisor for which several others would do': [
    'e^0.71 = 2.03\n\nA = (2.03, 1, 2.03) / 5.09 = (0.401, 0.198, 0.401)',
    [3],
  ],
  'what follows from a probability that is rounded': ['p = 0.1324   -log p = 2.0222', [1]],
  'the gradient of a softmax, which is no copy of it': [
    'z = [1.5, 0.5, -1.0]\n\nsoftmax(z) = [0.69, 0.25, 0.06]\n\nso we get: [-0.31, 0.25, 0.06]',
    [5],
  ],
  'percentages of which either may be the wrong one': [
    'p = [42/100, 32/100, 26/100] = [0.42, 0.32, 0.26]\n\nIt gives 26% to "c", 42% to "a", and 42% to "b".',
    [3],
  ],
  'a deviation of a row that divides by nobody knows what': [
    'x = [\n  [1, 2, 6],  # "red"\n  [0, 2, 4],  # "blue"\n]\n\n"red": std = 2.610',
    [1, 6],
  ],
  'percentages of something else': [
    'p = [42/100, 32/100, 26/100] = [0.42, 0.32, 0.26]\n\nIt grew from 41% to 33%, and then by 26%.',
    [3],
  ],
  'another row of two numbers that shares one': [
    '- for (a): [0.4 × 1 + 0.2 × 1, 0.5 × 0.5] = [0.60, 0.25]\n- for (b): [0.66, 0.25]',
    [2],
  ],
  'results alone, and percentages': [
    'x = [1, 2, 4]\n\nAbout 39% of it.\n\n"b": std = 0.42',
    [1, 3, 5],
  ],
};

describe('is listed, and not corrected', () => {
  for (const [name, [text, lines]] of Object.entries(LISTED)) {
    test(name, () => {
      const { flags, notUnderstood } = check(gf, text);
      assert.deepEqual(flags, []);
      assert.deepEqual([...new Set(notUnderstood.map(({ line }) => line))], lines);
    });
  }
});

test('a function in a name says what it is a function of', () => {
  const text = String.raw`$d_k = 2$, $QK^T = \begin{bmatrix}1.1 & 3.1 \\ 2.2 & 2.4\end{bmatrix}$

$\frac{QK^T}{\sqrt{d_k}} = \begin{bmatrix}0.78 & 2.19 \\ 1.56 & 1.70\end{bmatrix}$

$\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) = \begin{bmatrix}0.13 & 0.88 \\ 0.46 & 0.54\end{bmatrix}$`;
  assert.deepEqual(flagsOf(text), ['0.13 → 0.20', '0.88 → 0.80']);
});
