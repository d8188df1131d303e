// Answers as people write them: groups of thousands where numbers count, what programs write for −∞, every minus sign.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../bindings/js/base/speech.js';
import { marked, problemOf } from './setup.js';

/** The mark of one cell. @param {any} problem @param {string} cell @param {string} text @param {any} [options] */
const markOf = (problem, cell, text, options) =>
  marked(problem, { [cell]: text }, options).cells[cell];

test('thousands are read in groups where numbers count, by the language where that alone decides', () => {
  const problem = problemOf('cost', { seed: 1 });
  const cell = 'layer[0]';
  assert.equal(problem.solution[cell].value, 1480);
  for (const lang of languages) {
    for (const text of ['1480', '1,480', '1.480', '1 480', '1\u202f480', "1'480"]) {
      const { state, read } = markOf(problem, cell, text, { lang });
      assert.deepEqual([state, read], ['right', 1480], `${lang}: ${text}`);
    }
  }
  const readAs = (text, lang) => markOf(problem, cell, text, { lang }).read;
  assert.deepEqual([readAs('1,000', 'en'), readAs('1,000', 'de')], [1000, 1]);
  assert.deepEqual([readAs('1.000', 'en'), readAs('1.000', 'de')], [1, 1000]);
});

test('counts and numbers of rows have no band', () => {
  const cost = problemOf('cost', { seed: 1 });
  for (const text of ['1480.5', '1479.5', '1480,4'])
    assert.notEqual(markOf(cost, 'layer[0]', text).state, 'right', text);
  const shuffle = problemOf('shuffle', { seed: 1 });
  for (const cell of shuffle.asked) {
    const { value } = shuffle.solution[cell];
    assert.notEqual(markOf(shuffle, cell, '0.5').state, 'right', cell);
    assert.equal(markOf(shuffle, cell, `${value}.0`).state, 'right', cell);
  }
});

test('what programs and people write for −∞ is −∞ in a masked step, and only there', () => {
  const problem = problemOf('causal-attention', { seed: 1 });
  for (const text of ['-1e9', '−1e9', '-inf', '−∞', '-Infinity', '-65504', '-1e4', '-3.4e38'])
    assert.equal(markOf(problem, 'scores.masked[0,1]', text).state, 'right', text);
  assert.notEqual(markOf(problem, 'scores.masked[0,1]', '-9').state, 'right');
  assert.equal(markOf(problem, 'scores[0,0]', '-1e9').read, -1e9);
});

test('every sign that stands for a minus is one', () => {
  const problem = problemOf('causal-attention', { seed: 1 });
  assert.equal(problem.solution['scores[0,0]'].value, -3);
  for (const sign of '-‐‑‒–—―−﹣－')
    assert.equal(markOf(problem, 'scores[0,0]', `${sign}3`).state, 'right', escape(sign));
});
