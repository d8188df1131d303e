// The angle between two rows.

/** Its cosine, in float64; NaN where a row is 0.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function cosineOf(a, b) {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    squareA += a[i] * a[i];
    squareB += b[i] * b[i];
  }
  return product / Math.sqrt(squareA * squareB);
}
