// Principal directions of rows.

/** Each sweep over all pairs squares what is left off the diagonal; no matrix needs as many. */
const MAX_SWEEPS = 50;

/**
 * The first two principal directions of rows, as arrows from the origin: the most of their squared length lies in
 * them. They are the eigenvectors of the rows' products, which Jacobi's turns of two channels at a time bring forth.
 * @param {readonly (readonly number[])[]} rows of two channels or more
 * @returns {import('./basis.js').Basis}
 */
export function principal(rows) {
  const width = rows[0].length;
  const channels = Array.from({ length: width }, (_, i) => i);
  const products = channels.map((i) =>
    channels.map((j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)),
  );
  /* In its rows the directions, as far as they are turned. */
  const turned = channels.map((i) => channels.map((j) => Number(i === j)));
  const whole = channels.reduce((sum, i) => sum + products[i][i] ** 2, 0);
  for (let turn = 0; turn < MAX_SWEEPS; turn++) {
    let rest = 0;
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        rest += products[p][q] ** 2;
        rotate(products, turned, p, q);
      }
    }
    if (rest <= 1e-30 * whole) break;
  }
  const [first, second] = channels
    .sort((i, j) => products[j][j] - products[i][i])
    .map((i) => pointUp(turned[i]));
  return [first, second];
}

/**
 * Turns two channels until their product is 0.
 * @param {number[][]} products @param {number[][]} turned
 * @param {number} p @param {number} q
 */
function rotate(products, turned, p, q) {
  if (products[p][q] === 0) return;
  const slope = (products[q][q] - products[p][p]) / (2 * products[p][q]);
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  const mix = (/** @type {number[]} */ of, /** @type {number[]} */ other) => {
    for (const i of of.keys()) {
      const [a, b] = [of[i], other[i]];
      of[i] = cosine * a - sine * b;
      other[i] = sine * a + cosine * b;
    }
  };
  for (const row of products) {
    const [a, b] = [row[p], row[q]];
    row[p] = cosine * a - sine * b;
    row[q] = sine * a + cosine * b;
  }
  mix(products[p], products[q]);
  mix(turned[p], turned[q]);
  products[p][q] = 0;
  products[q][p] = 0;
}

/** Of the two ways along a direction, the one with its larger part upwards. @param {number[]} along */
function pointUp(along) {
  const most = along.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  return most < 0 ? along.map((x) => -x) : along;
}
