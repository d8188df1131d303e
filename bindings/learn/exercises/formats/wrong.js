// Answers as platforms know them that compare with numbers from a file: the right ones, and those of known mistakes.

/** @typedef {import('../problem/problem.js').Problem} Problem */

/** A number as platforms read it: plain decimals. @param {number} x */
export const plain = (x) => {
  const text = x.toFixed(9).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

/** How people write an infinity. @param {number} value */
export const infinities = (value) =>
  value > 0 ? ['∞', 'inf', 'infinity', '+∞'] : ['−∞', '-∞', '-inf', '−inf', '-infinity'];

/** The numbers that known mistakes make of a cell, as far as a number tells which: where two mistakes give the same
 * one, neither is named.
 * @param {Problem} problem @param {string} cell
 * @param {{ misconceptions: Readonly<Record<string, string>> }} words
 * @returns {{ name: string, value: number, sentence: string }[]} */
export function wrongAnswers({ solution, misconceptions }, cell, words) {
  const { value, band } = solution[cell];
  const isApart = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) > 2 * band;
  const wrong = Object.entries(misconceptions)
    .filter(([, cells]) => cell in cells && Number.isFinite(cells[cell]))
    .map(([name, cells]) => ({ name, value: cells[cell], sentence: words.misconceptions[name] }))
    .filter((one) => isApart(one.value, value));
  return wrong.filter((one) =>
    wrong.every((other) => other === one || isApart(other.value, one.value)),
  );
}
