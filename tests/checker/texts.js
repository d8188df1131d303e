// Worked texts for the tests: attention in float64 on small drawn numbers, written in several notations, and mutated.

import { dice } from '../../bindings/base/random.js';

/** @typedef {number[][]} Matrix */

export const matmul = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
export const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
export const map = (a, of) => a.map((row) => row.map(of));
export const softmax = (a) =>
  a.map((row) => {
    const e = row.map((x) => Math.exp(x - Math.max(...row)));
    const sum = e.reduce((x, y) => x + y, 0);
    return e.map((x) => x / sum);
  });

/** The steps of attention, drawn from a seed. @param {number} seed */
export function stepsOf(seed) {
  const roll = dice(seed, 7);
  const [tokens, width, size] = [2 + roll(2), 2 + roll(3), 2 + roll(2)];
  const drawn = (rows, columns) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => (roll(9) - 3) / 2));
  const X = drawn(tokens, width);
  const [W_Q, W_K, W_V] = [drawn(width, size), drawn(width, size), drawn(width, size)];
  return stepsFrom({ X, W_Q, W_K, W_V });
}

/** @param {{ X: Matrix, W_Q: Matrix, W_K: Matrix, W_V: Matrix }} given @param {string} [mistake] */
export function stepsFrom({ X, W_Q, W_K, W_V }, mistake) {
  const [Q, K, V] = [W_Q, W_K, W_V].map((w) => matmul(X, w));
  const S = matmul(Q, turned(K));
  const size = W_Q[0].length;
  const factor = { 'no-scaling': 1, 'scale-by-dk': 1 / size }[mistake] ?? 1 / Math.sqrt(size);
  const scaled = map(S, (x) => x * factor);
  const weights =
    mistake === 'softmax-over-columns' ? turned(softmax(turned(scaled))) : softmax(scaled);
  const output = matmul(mistake === 'weights-transposed' ? turned(weights) : weights, V);
  return { X, W_Q, W_K, W_V, Q, K, V, S, scaled, weights, output };
}

/** Cells as a text prints them: what is given and exact in full, the rest in so many decimals. */
export const printedOf = (steps, decimals) =>
  Object.fromEntries(
    Object.entries(steps).map(([name, rows]) => {
      const exact = ['X', 'W_Q', 'W_K', 'W_V', 'Q', 'K', 'V', 'S'].includes(name);
      return [name, map(rows, (x) => (exact ? String(x + 0) : fixed(x, decimals)))];
    }),
  );

const fixed = (x, decimals) => x.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1');

const TITLES = {
  S: 'Scores',
  scaled: 'Scaled scores',
  weights: 'Attention weights',
  output: 'Output',
};
const titleOf = (name) => TITLES[name] ?? name;
const WRITTEN = {
  Q: 'X W_Q',
  K: 'X W_K',
  V: 'X W_V',
  S: 'Q K^T',
  output: '\\text{weights} V',
};

/** @type {Record<string, (printed: Record<string, string[][]>) => string>} */
export const NOTATIONS = {
  markdown: (printed) =>
    `# Attention by hand\n\n${Object.entries(printed)
      .map(([name, rows]) => {
        const head = rows[0].map((_, j) => ` c${j} |`).join('');
        const rule = rows[0].map(() => '---|').join('');
        const body = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
        return `### ${titleOf(name)}\n\n|${head}\n|${rule}\n${body}\n`;
      })
      .join('\n')}`,
  latex: (printed) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        const body = rows.map((row) => row.join(' & ')).join(' \\\\\n');
        const left = TITLES[name] ? `\\text{${TITLES[name]}}` : name;
        const middle = WRITTEN[name] ? ` = ${WRITTEN[name]}` : '';
        return `We get\n$$\n${left}${middle} = \\begin{bmatrix}\n${body}\n\\end{bmatrix}\n$$\n`;
      })
      .join('\n'),
  numpy: (printed) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        const body = rows.map((row) => `[${row.join(', ')}]`).join(',\n              ');
        return `${titleOf(name).toLowerCase().replace(' ', '_')} = np.array([${body}])\n`;
      })
      .join(''),
  prose: (printed) =>
    Object.entries(printed)
      .map(
        ([name, rows]) =>
          `${titleOf(name)}:\n[${rows.map((r) => `[${r.join(', ')}]`).join(',\n ')}]\n`,
      )
      .join('\n'),
  html: (printed) =>
    Object.entries(printed)
      .map(([name, rows]) => {
        const body = rows
          .map((row) => `<tr>${row.map((x) => `<td>${x}</td>`).join('')}</tr>`)
          .join('\n');
        return `<h3>${titleOf(name)}</h3>\n<table>\n${body}\n</table>\n`;
      })
      .join(''),
};

/** What a mutation may touch: steps, not what is given. */
export const STEPS = ['Q', 'K', 'V', 'S', 'scaled', 'weights', 'output'];

/** Whether a printed number is wrong by its own last digit. @param {string} text @param {number} value */
export function isWrong(text, value) {
  const unit = 10 ** -(text.split('.')[1] ?? '').length;
  return Math.abs(Number(text) - value) >= unit * (1 - 1e-4);
}

/** A text with mistakes, and which of its numbers are wrong. @param {number} seed */
export function mutated(seed) {
  const roll = dice(seed, 99);
  const right = stepsOf(seed);
  const kind = ['digit', 'rows', 'misconception'][roll(3)];
  const decimals = 2 + roll(3);
  const mistake =
    kind === 'misconception'
      ? ['no-scaling', 'scale-by-dk', 'softmax-over-columns', 'weights-transposed'][roll(4)]
      : undefined;
  const printed = printedOf(stepsFrom(right, mistake), decimals);
  const name = STEPS[roll(STEPS.length)];
  if (kind === 'digit') {
    for (let n = 1 + roll(2); n > 0; n--) {
      const row = printed[name][roll(printed[name].length)];
      const j = roll(row.length);
      const places = [...row[j]].flatMap((c, at) => (/\d/.test(c) ? [at] : []));
      const at = places[roll(places.length)];
      const digit = (Number(row[j][at]) + 1 + roll(8)) % 10;
      row[j] = row[j].slice(0, at) + digit + row[j].slice(at + 1);
    }
  }
  if (kind === 'rows')
    printed[name] = [printed[name][1], printed[name][0], ...printed[name].slice(2)];
  const notation = Object.keys(NOTATIONS)[roll(Object.keys(NOTATIONS).length)];
  const cells = Object.entries(printed).flatMap(([step, rows]) =>
    rows.flatMap((row, i) => row.map((text, j) => ({ step, text, value: right[step][i][j] }))),
  );
  return {
    text: NOTATIONS[notation](printed),
    notation,
    kind,
    mistake,
    wrong: cells.map(({ text, value }) => isWrong(text, value)),
    cells,
  };
}
