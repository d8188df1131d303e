// Worked texts as people lay them out, made from float64 arithmetic of this file. A text is a list of parts: words, and numbers
// that it computes, each with how it is printed.

/** @typedef {{ text: string, claims: { start: number, printed: string }[] }} Made */

/** Random numbers from a seed. @param {number} seed */
export function randomOf(seed) {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const times = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const flipped = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const softened = (rows) =>
  rows.map((row) => {
    const powers = row.map(Math.exp);
    const total = powers.reduce((sum, x) => sum + x, 0);
    return powers.map((x) => x / total);
  });

/** Numbers of one problem. @param {number} seed */
export function problemOf(seed) {
  const random = randomOf(seed);
  const whole = (n, m) =>
    Array.from({ length: n }, () => Array.from({ length: m }, () => Math.floor(random() * 4)));
  const n = 2 + Math.floor(random() * 2);
  const d = 2 + Math.floor(random() * 2);
  const X = whole(n, d);
  const [Wq, Wk, Wv] = [whole(d, 2), whole(d, 2), whole(d, 2)];
  const [Q, K, V] = [times(X, Wq), times(X, Wk), times(X, Wv)];
  const S = times(Q, flipped(K));
  const scaled = S.map((row) => row.map((x) => x / Math.sqrt(2)));
  const A = softened(scaled);
  return { random, X, Wq, Wk, Wv, Q, K, V, S, scaled, A, O: times(A, V) };
}

/** Collects words and numbers. */
class Writer {
  text = '';
  claims = [];
  /** @param {(x: number, digits: number) => string} print */
  constructor(print) {
    this.print = print;
  }

  /** Words as they are. @param {string} words */
  put(words) {
    this.text += words;
    return this;
  }

  /** A number; one that the text computes is a claim. @param {number} x @param {number} digits @param {boolean} isClaim */
  number(x, digits, isClaim, width = 0) {
    const printed = this.print(x, digits);
    this.text += ' '.repeat(Math.max(0, width - printed.length));
    if (isClaim) this.claims.push({ start: this.text.length, printed });
    this.text += printed;
    return this;
  }

  /** Rows between signs. */
  rows(rows, digits, isClaim, { open, close, row, cell, begin = '', end = '', width = 0 }) {
    this.put(open);
    rows.forEach((one, i) => {
      if (i) this.put(row);
      this.put(typeof begin === 'function' ? begin(i) : begin);
      one.forEach((x, j) => {
        if (j) this.put(cell);
        this.number(x, digits, isClaim, width);
      });
      this.put(typeof end === 'function' ? end(i) : end);
    });
    return this.put(close);
  }
}

const point = (x, digits) => (Object.is(x, -0) ? 0 : x).toFixed(digits);
const comma = (x, digits) => point(x, digits).replace('.', ',');
const braced = (x, digits) => point(x, digits).replace('.', '{,}');

const TOKENS = ['the', 'cat', 'sat'];
const LISTS = { open: '[', close: ']', row: ',\n     ', cell: ', ', begin: '[', end: ']' };
const NUMPY = { open: '[', close: ']', row: '\n ', cell: ' ', begin: '[', end: ']' };
const BMATRIX = { open: '\\begin{bmatrix} ', close: ' \\end{bmatrix}', row: ' \\\\ ', cell: ' & ' };
const ARRAY = {
  open: '\\left[\\begin{array}{cc} ',
  close: ' \\end{array}\\right]',
  row: ' \\\\ ',
  cell: ' & ',
};

/** Steps in the order of a text: a name in several notations, the numbers, the digits, and whether it is computed. */
const stepsOf = (p) => [
  { key: 'X', rows: p.X, digits: 0 },
  { key: 'W_Q', rows: p.Wq, digits: 0 },
  { key: 'W_K', rows: p.Wk, digits: 0 },
  { key: 'W_V', rows: p.Wv, digits: 0 },
  { key: 'Q', rows: p.Q, digits: 0, tex: 'X W_Q', plain: 'X W_Q', word: 'Queries' },
  { key: 'K', rows: p.K, digits: 0, tex: 'X W_K', plain: 'X W_K', word: 'Keys' },
  { key: 'V', rows: p.V, digits: 0, tex: 'X W_V', plain: 'X W_V', word: 'Values' },
  { key: 'S', rows: p.S, digits: 0, tex: 'Q K^T', plain: 'Q K^T', word: 'Scores' },
  {
    key: 'scaled',
    rows: p.scaled,
    digits: 3,
    tex: '\\frac{S}{\\sqrt{2}}',
    plain: 'S / √2',
    word: 'Scaled scores',
  },
  {
    key: 'A',
    rows: p.A,
    digits: 3,
    tex: '\\text{softmax}(scaled)',
    plain: 'softmax(scaled)',
    word: 'Attention weights',
  },
  { key: 'O', rows: p.O, digits: 3, tex: 'A V', plain: 'A V', word: 'Output' },
];

const table = (writer, { rows, digits, tex }, heads) => {
  writer.put(
    `| ${heads.slice(0, rows[0].length).join(' | ')} |\n|${'---|'.repeat(rows[0].length)}\n`,
  );
  return writer.rows(rows, digits, Boolean(tex), {
    open: '',
    close: '\n\n',
    row: '\n',
    cell: ' | ',
    begin: '| ',
    end: ' |',
  });
};

/** @type {Record<string, (p: ReturnType<typeof problemOf>) => Made>} */
export const LAYOUTS = {
  'tables with captions'(p) {
    const w = new Writer(point);
    for (const step of stepsOf(p)) {
      w.put(step.tex ? `${step.word} ${step.key} = ${step.plain}:\n\n` : `${step.key}:\n\n`);
      table(w, step, ['a', 'b', 'c']);
    }
    return w;
  },
  'tables with names'(p) {
    const w = new Writer(point);
    for (const step of stepsOf(p))
      table(w.put(`### ${step.word ?? step.key}\n\n`), step, ['a', 'b', 'c']);
    return w;
  },
  'products of LaTeX'(p) {
    const w = new Writer(point);
    for (const [name, a, b, c] of [
      ['Q', p.X, p.Wq, p.Q],
      ['K', p.X, p.Wk, p.K],
      ['V', p.X, p.Wv, p.V],
    ]) {
      w.put(`\\[\n\\mathbf{${name}} = `).rows(a, 0, false, BMATRIX);
      w.rows(b, 0, false, BMATRIX).put(' = ').rows(c, 0, true, BMATRIX).put('\n\\]\n');
    }
    w.put('$$\\mathbf{S} = \\mathbf{Q}\\mathbf{K}^{\\mathsf{T}} = ')
      .rows(p.S, 0, true, ARRAY)
      .put('$$\n');
    w.put('$$\\frac{\\mathbf{S}}{\\sqrt{2}} = ').rows(p.scaled, 3, true, ARRAY).put('$$\n');
    w.put('$$A = \\operatorname{softmax}\\left(\\frac{S}{\\sqrt{2}}\\right) = ').rows(
      p.A,
      3,
      true,
      BMATRIX,
    );
    return w.put('$$\n$$O = AV = ').rows(p.O, 3, true, BMATRIX).put('$$\n');
  },
  'German LaTeX'(p) {
    const w = new Writer(braced);
    for (const { key, rows, digits, tex } of stepsOf(p)) {
      w.put(`\\[ ${key} = ${tex ? `${tex} = ` : ''}`)
        .rows(rows, digits, Boolean(tex), BMATRIX)
        .put(' \\]\n');
    }
    return w;
  },
  'German text'(p) {
    const w = new Writer(comma);
    for (const { key, rows, digits, plain } of stepsOf(p)) {
      w.put(`${key} = ${plain ? `${plain} = ` : ''}`);
      w.rows(rows, digits, Boolean(plain), { ...LISTS, row: ';\n ', cell: '; ' }).put('\n');
    }
    return w;
  },
  'rows with tokens'(p) {
    const w = new Writer(point);
    for (const { key, rows, digits, plain } of stepsOf(p)) {
      if (!plain) w.put(`${key} = `).rows(rows, digits, false, LISTS).put('\n\n');
      else {
        w.put(`${key} = ${plain}:\n\n`);
        const begin = (i) => `${TOKENS[i].padEnd(5)} [ `;
        const end = (i) => (i ? ' ]' : ' ]   ← the first');
        w.rows(rows, digits, true, {
          open: '',
          close: '\n\n',
          row: '\n',
          cell: '  ',
          begin,
          end,
          width: 7,
        });
      }
    }
    return w;
  },
  'columns with headings'(p) {
    const w = new Writer(point);
    for (const { key, rows, digits, plain } of stepsOf(p)) {
      if (!plain) w.put(`${key} = `).rows(rows, digits, false, LISTS).put('\n\n');
      else {
        const heads = rows[0].map((_, j) => `c${j}`.padStart(8)).join('');
        w.put(`${key} = ${plain}:\n\n     ${heads}\n`);
        const begin = (i) => `${i}    `;
        w.rows(rows, digits, true, {
          open: '',
          close: '\n\n',
          row: '\n',
          cell: '',
          begin,
          width: 8,
        });
      }
    }
    return w;
  },
  'what programs print'(p) {
    const w = new Writer(point);
    w.put('```python\nimport numpy as np\n');
    for (const [key, rows] of [
      ['X', p.X],
      ['W_Q', p.Wq],
      ['W_K', p.Wk],
      ['W_V', p.Wv],
    ]) {
      w.put(`${key} = np.array(`).rows(rows, 0, false, LISTS).put(')\n');
    }
    w.put('Q = X @ W_Q\nK = X @ W_K\nV = X @ W_V\nS = Q @ K.T\nscaled = S / np.sqrt(2)\n');
    w.put('A = np.exp(scaled) / np.exp(scaled).sum(axis=-1, keepdims=True)\nO = A @ V\n');
    w.put("print('Scores:', S)\nprint('Weights:', A)\nprint('Output:', O)\n```\n\nScores:\n");
    w.rows(p.S, 0, true, NUMPY).put('\nWeights:\n').rows(p.A, 4, true, NUMPY).put('\nOutput:\n');
    return w.rows(p.O, 4, true, NUMPY).put('\n');
  },
  'HTML tables'(p) {
    const w = new Writer(point);
    for (const { key, rows, digits, plain, word } of stepsOf(p)) {
      w.put(`<p>${word ?? key}${plain ? '' : ''}</p>\n<table>`);
      const marks = { open: '', close: '</table>\n', row: '\n', cell: '</td><td>' };
      w.rows(rows, digits, Boolean(plain), { ...marks, begin: '<tr><td>', end: '</td></tr>' });
    }
    return w;
  },
  'brackets side by side'(p) {
    const w = new Writer(point);
    for (const [name, a, b, c] of [
      ['Q', p.X, p.Wq, p.Q],
      ['K', p.X, p.Wk, p.K],
    ]) {
      const height = Math.max(a.length, b.length);
      if (a.length !== b.length) {
        w.put(`${name} = `).rows(a, 0, false, LISTS).put(' · ').rows(b, 0, false, LISTS);
        w.put(' = ').rows(c, 0, true, LISTS).put('\n');
        continue;
      }
      for (let i = 0; i < height; i++) {
        w.put(i ? '    ' : `${name} = `);
        w.rows([a[i]], 0, false, { ...NUMPY, open: '', close: '' }).put(i ? '   ' : ' × ');
        w.rows([b[i]], 0, false, { ...NUMPY, open: '', close: '' }).put(i ? '   ' : ' = ');
        w.rows([c[i]], 0, true, { ...NUMPY, open: '', close: '' }).put('\n');
      }
      w.put('\n');
    }
    return w;
  },
  'chains in prose'(p) {
    const w = new Writer(point);
    const [q, k] = [p.Q[0], p.K[1]];
    w.put('- score = ').number(q[0], 0, false).put(' × ').number(k[0], 0, false).put(' + ');
    w.number(q[1], 0, false).put(' × ').number(k[1], 0, false).put(' = ');
    w.number(q[0] * k[0], 0, true)
      .put(' + ')
      .number(q[1] * k[1], 0, true)
      .put(' = ');
    w.number(p.S[0][1], 0, true).put('\n- scaled = ').number(p.S[0][1], 0, false).put(' / √2 = ');
    w.number(p.scaled[0][1], 3, true).put('\n- softmax([');
    const row = [0, 1, 2].map((x) => Math.floor(p.random() * 3) + x / 2);
    row.forEach((x, i) => {
      w.put(i ? ', ' : '').number(x, 1, false);
    });
    w.put(']) → [');
    softened([row])[0].forEach((x, i) => {
      w.put(i ? ', ' : '').number(x, 3, true);
    });
    w.put(']\n- $e^{-1} = ').number(Math.exp(-1), 4, true).put('$ and $\\ln 2 = \\boxed{');
    return w.number(Math.log(2), 4, true).put('}$\n');
  },
};

/** A notebook with a text in its cells. @param {Made} made
 * @returns {Made} */
export function asNotebook({ text, claims }) {
  const lines = text.split('\n').map((line, i, all) => (i < all.length - 1 ? `${line}\n` : line));
  let file =
    '{\n "cells": [\n  {\n   "cell_type": "markdown",\n   "metadata": {"n": 0.5},\n   "source": [\n';
  const starts = [];
  lines.forEach((line, n) => {
    file += n ? ',\n    "' : '    "';
    for (const character of line) {
      for (let i = 0; i < character.length; i++) starts.push(file.length);
      file += JSON.stringify(character).slice(1, -1);
    }
    file += '"';
  });
  file += '\n   ]\n  }\n ],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';
  const moved = claims.map(({ start, printed }) => ({ start: starts[start], printed }));
  return { text: file, claims: moved };
}

/** The text with one of its numbers wrong: a digit is another.
 * @param {Made} made @param {() => number} random
 * @returns {{ text: string, start: number, wrong: string, right: string }} */
export function spoiled({ text, claims }, random) {
  const { start, printed } = claims[Math.floor(random() * claims.length)];
  const places = [...printed.matchAll(/\d/g)].map(({ index }) => index);
  const place = places[Math.floor(random() * places.length)];
  /* At least two units, so that no rounding explains it. */
  const digit = (Number(printed[place]) + 2 + Math.floor(random() * 7)) % 10;
  const wrong = printed.slice(0, place) + digit + printed.slice(place + 1);
  const whole = text.slice(0, start) + wrong + text.slice(start + printed.length);
  return { text: whole, start, wrong, right: printed };
}
