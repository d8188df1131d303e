// How far two tensors are apart.

/** @typedef {{ atol: number, rtol: number }} Tolerance */
/** @typedef {{ data: ArrayLike<number | string>, shape: readonly number[] }} Tensor */

/** What holds where neither the case nor the op says anything else. */
const USUAL = { atol: 1e-5, rtol: 1e-5 };

/** A number, a nested array or a tensor as a tensor; '-Infinity' and its like are numbers.
 * @param {any} value
 * @returns {Tensor} */
export function tensorOf(value) {
  if (value?.data) return value;
  const shape = [];
  for (let v = value; Array.isArray(v); v = v[0]) shape.push(v.length);
  return { data: shape.length ? value.flat(shape.length) : [value], shape };
}

/** @param {import('./folder.js').Pair} pair @param {Tolerance} [tolerance] of the case
 * @returns {{ error: number, problem: string | null }} */
export function difference({ what, actual, expected, tolerance: own }, tolerance) {
  const [a, e] = [tensorOf(actual), tensorOf(expected)];
  if (a.shape.join() !== e.shape.join()) {
    return { error: 0, problem: `${what}: the shape is [${a.shape}] instead of [${e.shape}]` };
  }
  if (a.data.length !== e.data.length) {
    const problem = `${what}: ${e.data.length} numbers do not fill the shape [${e.shape}]`;
    return { error: 0, problem };
  }
  const { atol, rtol } = tolerance ?? own ?? USUAL;
  let [error, problem] = [0, null];
  for (let i = 0; i < e.data.length; i++) {
    const [x, y] = [Number(a.data[i]), Number(e.data[i])];
    if (Object.is(x, y) || x === y) continue;
    const off = Math.abs(x - y);
    if (Number.isFinite(off)) error = Math.max(error, off);
    if (!(off <= atol + rtol * Math.abs(y))) problem ??= `${what}[${i}] is ${x} instead of ${y}`;
  }
  return { error, problem };
}
