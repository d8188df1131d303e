// Short texts as lecturers write them: what is found in each, and that nothing right is flagged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check } from '../../bindings/learn/checker/index.js';

const gf = await load();

/** Each with the relations that hold in it, by what it calls their results.
 * @type {Record<string, [string, string[]]>} */
const RIGHT = {
  'a loss, and others that are not of these probabilities': [
    `p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]]
labels = [0, 1]
losses = [0.357, 0.223]
loss = 0.290
After training the loss = 0.1
validation loss = 0.31
epoch 1 loss: 2.3
Mean reciprocal rank: 0.35`,
    ['losses: cross entropy', 'loss: mean'],
  ],
  'momentum, which is no Adam': [
    `gradient = [0.5, -1]
v_0 = [0.1, 0.2]
v = [0.59, -0.82]
m_0 = [0, 0]
m = [0.5, -1]
w = [1, 2]
w_new = [0.9, 2.1]`,
    [],
  ],
  'the variance of PyTorch': [
    `x = tensor([[1.0, 2.0, 3.0]])
softmax(x) = tensor([[0.0900, 0.2447, 0.6652]])
mean = 2.0
var = 1.0
std: 0.8165`,
    ['softmax(x): softmax', 'mean: mean', 'var: variance', 'std: deviation'],
  ],
  'layer norm before and after gain and bias': [
    `x = [2, 4, 6, 8]; mean = 5; variance = 5
Normalized: [-1.34, -0.45, 0.45, 1.34]
γ = [2, 2, 2, 2], β = [1, 1, 1, 1]:
LayerNorm = [-1.68, 0.11, 1.89, 3.68]`,
    ['mean: mean', 'variance: variance', 'normalized: layer norm', 'layernorm: layer norm'],
  ],
  'the first step of Adam, with hats': [
    `g = [0.1, -0.2], m_0 = [0, 0], v_0 = [0, 0], β₁ = 0.9, β₂ = 0.999, t = 1, lr = 0.001
m_1 = 0.9 · m_0 + 0.1 · g = [0.01, -0.02]
v_1 = [0.00001, 0.00004]
m̂ = m_1 / (1 - 0.9) = [0.1, -0.2]
v̂ = [0.01, 0.04]
update = m̂ / (√v̂ + 1e-8) = [1, -1]
θ = [0.5, 0.5]
θ_new = [0.499, 0.501]`,
    [
      'm1: as written',
      'v1: moment',
      'mhat: as written',
      'vhat: bias correction',
      'update: as written',
      'θnew: adam step',
    ],
  ],
  'positions by their numbers': [
    `PE(1) = [0.841, 0.540, 0.010, 1.000]
PE(2) = [0.909, -0.416, 0.020, 0.999]`,
    ['pe(1): sinusoid', 'pe(2): sinusoid'],
  ],
  'cells by their names, and pages with styles': [
    `<style>td { margin: 2cm 1.5rem } p[0,1] = 3</style>
- mean\\[0,0\\] = −2 · 0.25 + 3 · 0.25 = 0.25
- scores[1,0] = 2 · 3 + 1 · 1 = 7`,
    ['mean[0,0]: as written', 'scores[1,0]: as written'],
  ],
  'encodings of positions that are not given': [
    `Position encodings:
[[0.84, 0.54, 0.01, 1.00], [-0.96, 0.28, 0.05, 1.00]]`,
    [],
  ],
  'a table of learning rates': [
    `d_model = 512, warmup = 4000
### Learning rate
| step | rate |
|---|---|
| 1 | 1.75e-7 |
| 4000 | 6.99e-4 |
| 16000 | 3.49e-4 |`,
    ['learning rate: schedule'],
  ],
  'a row of bias, added to each row': [
    `x = [[1, 2], [3, 4]]; b = [0.5, -1]
x + b = [[1.5, 1.0], [3.5, 3.0]]`,
    ['x + b: as written'],
  ],
};

for (const [name, [text, due]] of Object.entries(RIGHT)) {
  test(name, () => {
    const { flags, relations } = check(gf, text);
    assert.deepEqual(flags, []);
    assert.deepEqual(
      relations.map(({ result, relation }) => `${result}: ${relation}`),
      due,
    );
  });
}

/** Sentences before an equation, and what the text should have printed; empty where it is right.
 * @type {[string, string[]][]} */
const SENTENCES = [
  ...[
    ...['So', 'Then', 'Thus', 'and', 'hence', 'We get', 'This gives', 'i.e.', 'Therefore,', 'Also'],
    ...['Donc', 'Alors', 'Ainsi', 'et', 'on obtient', 'ce qui donne', 'soit', 'Par conséquent,'],
    ...['Dann', 'Somit', 'und', 'Daher', 'wir erhalten', 'das ergibt', 'd.h.', 'es folgt'],
    ...['Entonces', 'Así', 'por lo tanto', 'luego', 'es decir,', 'obtenemos', 'también'],
  ].map((lead) => /** @type {[string, string[]]} */ ([`${lead} e^2 = 8.39.`, ['7.39']])),
  ['So e^2 = 7.39, and then sqrt(2) = 1.51', ['1.41']],
  ['eta e^2 = 8.39', []],
  ['import numpy as np', []],
  ['and so it is', []],
];

for (const [text, due] of SENTENCES) {
  test(`words before an equation are none of it: ${text}`, () => {
    const { flags, notUnderstood } = check(gf, text);
    assert.deepEqual(
      flags.map(({ corrected }) => corrected),
      due,
    );
    if (due.length) assert.deepEqual(notUnderstood, []);
  });
}

test('a correction has the digits of its row, and a cause where the whole row has one', () => {
  for (const text of [
    'softmax(1, 2, 3) = (0.17, 0.33, 0.5)',
    'softmax([1, 2, 3]) = [0.17, 0.33, 0.5]',
  ]) {
    const { flags } = check(gf, text);
    assert.deepEqual(
      flags.map(({ corrected }) => corrected),
      ['0.09', '0.24', '0.67'],
    );
    assert(flags.every(({ cause }) => cause === 'misconception:no-exp'));
  }
  const { flags } = check(gf, 'softmax(1, 2, 3) = (0.17, 0.32, 0.5)');
  assert.deepEqual(new Set(flags.map(({ cause }) => cause)), new Set(['slip']));
});

test('half of a digit that is cut off is said to be', () => {
  for (const text of ['3/4 = 0.7', '0.16 + 0.59 = 0.7']) {
    assert.deepEqual(check(gf, text).flags, []);
    assert.equal(check(gf, text).truncated[0].corrected, '0.8');
    assert.equal(check(gf, text, { rounding: 'strict' }).flags.length, 1);
  }
  for (const text of ['3/4 = 0.8', '1/4 = 0.2', '1/4 = 0.3', '1/8 = 0.12', '1/8 = 0.13']) {
    const { flags, truncated } = check(gf, text, { rounding: 'strict' });
    assert.deepEqual([flags, truncated], [[], []], text);
  }
});

test('a name of a program keeps its underscore', () => {
  const { relations } = check(gf, 'scores = [1, 3]\nattn_weights = softmax(scores) = [0.12, 0.88]');
  assert.equal(relations[0].result, 'attn_weights');
});
