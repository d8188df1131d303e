// A number is blamed only where nothing else explains it: not where what it comes from may be wrong, or rounded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check } from '../../bindings/learn/checker/index.js';

const gf = await load();

/** What is flagged, each with its line and its correction. */
const flagsOf = (text) =>
  check(gf, text).flags.map(({ line, printed, corrected }) => `${line}: ${printed} ${corrected}`);

/** Each text with what is flagged in it: nothing where it is right or where one cannot know. */
const TEXTS = {
  /* 1 / 1.36788 is 0.73106. */
  'a divisor that was rounded': ['e^{-1} = 0.3679\np = 1/1.3679 = 0.7311', []],
  'off by more than rounding': ['e^{-1} = 0.3679\np = 1/1.3679 = 0.7316', ['2: 0.7316 0.7310']],
  'a start of two digits is not rounded': ['1 / 1.4 = 0.724', ['1: 0.724 0.714']],
  /* √2 of a text that prints 0.707. */
  'scores that are rounded': [
    'S = [[0.707, 0], [0, 0.707]]\nA = softmax(S) = [[0.670, 0.330], [0.330, 0.670]]\nV = [[2, 0], [0, 4]]\nO = A V = [[1.340, 1.321], [0.660, 2.679]]',
    [],
  ],
  'a number that an equation repeats wrongly': [
    'A = softmax([0.71, 0]) = [0.67, 0.33]\ns = 0.76 · 1 + 0.33 · 0 = 0.67',
    ['2: 0.76 0.67'],
  ],
  'the result of an equation whose numbers are repeated': [
    'A = softmax([0.71, 0]) = [0.67, 0.33]\ns = 0.67 · 1 + 0.33 · 0 = 0.76',
    ['2: 0.76 0.67'],
  ],
  'what comes from numbers that nothing explains': [
    'E = foo(X) = [[7.007, 0], [0, 0.707]]\nA = softmax(E) = [[0.67, 0.33], [0.33, 0.67]]',
    [],
  ],
  'one of several numbers that come from such': [
    'E = foo(X) = [[0.707, 0], [0, 0.707]]\nA = softmax(E) = [[0.67, 0.33], [0.33, 0.76]]',
    ['2: 0.76 0.67'],
  ],
  'a row that may be another one with a slip': [
    [
      'Scaled scores: [[0.71, 0, 0.71], [0, 0.71, 0.71]]',
      '',
      '| Row | exp | Sum | Softmax α |',
      '|---|---|---|---|',
      '| 1 | \\([e^{0.71}, e^{0}, e^{0.71}] \\approx [2.03, 1.00, 2.03]\\) | \\(5.06\\) | \\([0.40, 0.20, 0.40]\\) |',
      '| 2 | \\([e^{0}, e^{0.71}, e^{0.71}] \\approx [1.00, 2.03, 2.03]\\) | \\(5.06\\) | \\([0.40, 0.40, 0.40]\\) |',
    ].join('\n'),
    [],
  ],
  'a name whose computation goes on in the next line': [
    'Variance = (9 + 1 + 1 + 9) / 4\nVariance = 30 / 4\nVariance = 5',
    ['2: 30 20'],
  ],
  /* The equation copies rows that are wrong: what comes behind it is computed with the numbers of the text. */
  'an equation of which two sides disagree': [
    'q = [1.5, 2.5] + [1.0, 1.0] = [2.9, 3.5]\nk = [0.5, 0.1] + [0.1, 0.1] = [0.8, 0.2]\n\nq · k = [2.9, 3.5] · [0.8, 0.2] = 2.9×0.8 + 3.5×0.2 = 3.20\n\np = softmax([3.20, 1.00]) = [0.80, 0.20]',
    ['1: 2.9 2.5', '2: 0.8 0.6', '4: 3.20 3.02', '6: 0.80 0.90', '6: 0.20 0.10'],
  ],
  /* 0.636 + 0.234 is 0.870 or 0.871: of a wrong number only two digits are certain. */
  'a correction has the digits that are certain': [
    '| token | probability | cumulative |\n|---|---|---|\n| A | 0.636 | 0.636 |\n| B | 0.234 | 0.971 |\n| C | 0.086 | 0.956 |\n| D | 0.032 | 0.988 |',
    ['4: 0.971 0.87'],
  ],
};

for (const [name, [text, flags]] of Object.entries(TEXTS)) {
  test(name, () => assert.deepEqual(flagsOf(text), flags));
}

/** The same of notations: each with one wrong number. */
const WRONG = {
  'a column of cumulative sums': [
    '| token | probability | cumulative |\n|---|---|---|\n| A | 0.5 | 0.5 |\n| B | 0.25 | 0.65 |\n| C | 0.25 | 1.0 |',
    ['4: 0.65 0.75'],
  ],
  'a call and what it prints on the next line': [
    'z = torch.tensor([1.0, 2.0, 3.0])\nprint(F.softmax(z / 0.5, dim=0))  # T=0.5\n# tensor([0.0159, 0.1173, 0.8886])',
    ['3: 0.8886 0.8668'],
  ],
  'a call whose value is printed with words': [
    'p = torch.softmax(torch.tensor([2.0, 1.0, 0.1]), dim=0)\nprint(f"Sum: {p.sum():.4f}")\n\nSum: 1.1000',
    ['4: 1.1000 1.0000'],
  ],
  'a percentage behind its number': ['Dog: 2.718 / 11.212 = 0.242 (42.2%)', ['1: 42.2% 24.2%']],
  'an inner product': ['a = [0.67, 0.33]\ng = [1, 0]\ns = ⟨a, g⟩ = 0.76', ['3: 0.76 0.67']],
  'a row of a matrix, by its name': [
    'A = [[0.5, 0.25], [0.125, 0.875]]\n$A_{1,:} = [0.125, 0.785]$',
    ['2: 0.785 0.875'],
  ],
  'shares of a sum': [
    'scores: [1.5, 0.5, 2.0, 1.0]\nattention weights: [0.30, 0.10, 0.40, 0.02]\nThe weights are normalised by their sum.',
    ['2: 0.02 0.20'],
  ],
  'single results that are put together': [
    'S_1 = 2.03 / 3.03 = 0.67\nS_2 = 1 / 3.03 = 0.33\nResult: [0.67, 0.38]',
    ['3: 0.38 0.33'],
  ],
};

for (const [name, [text, flags]] of Object.entries(WRONG)) {
  test(name, () => {
    assert.deepEqual(flagsOf(text), flags);
    const [, printed, corrected] = flags[0].split(' ');
    const at = text.lastIndexOf(printed);
    const right = `${text.slice(0, at)}${corrected}${text.slice(at + printed.length)}`;
    assert.deepEqual(flagsOf(right), []);
  });
}
