// Tensors in float64, cell by cell: no code shared with the project, nothing optimised.

/** @typedef {{ shape: number[], data: number[] }} Tensor */

export const sizeOf = (shape) => shape.reduce((product, d) => product * d, 1);

/** Every index of a shape, the last axis first. */
export function* indices(shape) {
  for (let i = 0; i < sizeOf(shape); i++) {
    const index = [];
    let rest = i;
    for (const d of [...shape].reverse()) {
      index.unshift(rest % d);
      rest = Math.floor(rest / d);
    }
    yield index;
  }
}

/** A tensor whose cell at an index is f(index). */
export const tensor = (shape, f) => ({ shape, data: [...indices(shape)].map(f) });

/** The number at an index; a dimension of 1 or one that is not there stands for all. */
export function at({ shape, data }, index) {
  const own = index.slice(index.length - shape.length);
  return data[own.reduce((sum, i, axis) => sum * shape[axis] + (shape[axis] === 1 ? 0 : i), 0)];
}

export const map = ({ shape, data }, f) => ({ shape, data: data.map(f) });

/** The index with another number at one axis. */
export const put = (index, axis, i) => index.with(axis, i);

/** The numbers along an axis through an index. */
export const line = (x, index, axis) =>
  Array.from({ length: x.shape[axis] }, (_, i) => at(x, put(index, axis, i)));

export const sum = (list) => list.reduce((total, x) => total + x, 0);

/** The axis counted from the front. */
export const front = (axis, rank) => (axis < 0 ? axis + rank : axis);

export const softmax = (row) => {
  const most = Math.max(...row);
  if (most === Number.NEGATIVE_INFINITY) return row.map(() => 0);
  const terms = row.map((x) => Math.exp(x - most));
  return terms.map((term) => term / sum(terms));
};

/** log of the sum of e^x. */
export const logSumExp = (row) => {
  const most = Math.max(...row);
  return Number.isFinite(most) ? most + Math.log(sum(row.map((x) => Math.exp(x - most)))) : most;
};

/** The error function, by Simpson's rule: its derivative is smooth. */
export function erf(x) {
  const n = 4000;
  const f = (t) => Math.exp(-t * t);
  let total = f(0) + f(x);
  for (let i = 1; i < n; i++) total += (i % 2 ? 4 : 2) * f((x * i) / n);
  return ((2 / Math.sqrt(Math.PI)) * total * x) / n / 3;
}

export const sigmoid = (x) => 1 / (1 + Math.exp(-x));
