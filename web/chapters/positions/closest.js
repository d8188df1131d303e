// Whether the codes of a table are unique: the two that are most alike, and how far they are apart. Of sinusoids, equal shifts are
// equally far: the first such pair counts.

/** Codes that are nearer to each other than this differ by rounding. */
const ROUNDING = 1e-5;

/**
 * @param {{ data: ArrayLike<number>, shape: readonly number[] }} codes a row per position
 * @returns {{ a: number, b: number, distance: number, unique: boolean }}
 */
export function closest({ data, shape: [count, channels] }) {
  const best = { a: 0, b: 0, distance: Number.POSITIVE_INFINITY };
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      let square = 0;
      for (let c = 0; c < channels; c++) {
        square += (data[a * channels + c] - data[b * channels + c]) ** 2;
      }
      const distance = Math.sqrt(square);
      if (distance < best.distance - ROUNDING) {
        Object.assign(best, { a, b, distance });
      }
    }
  }
  return { ...best, unique: best.distance > ROUNDING };
}
