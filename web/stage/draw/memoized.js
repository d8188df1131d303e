/**
 * A function of an object that computes its result once for each object.
 * @template {object} K
 * @template V
 * @param {(key: K) => V} compute
 * @returns {(key: K) => V}
 */
export function memoized(compute) {
  /** @type {WeakMap<K, { result: V }>} */
  const results = new WeakMap();
  return (key) => {
    const cached = results.get(key) ?? { result: compute(key) };
    results.set(key, cached);
    return cached.result;
  };
}
