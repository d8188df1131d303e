/** Attention weights, averaged over their heads: the shares of each row.
 * @param {{ shape: readonly number[], data: ArrayLike<number> }} weights @returns {number[][]} */
export function meanOfHeads({ shape, data }) {
  const [heads, rows, columns] = shape;
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      let sum = 0;
      for (let h = 0; h < heads; h++) sum += data[(h * rows + i) * columns + j];
      return sum / heads;
    }),
  );
}
