// The natural logarithm from the four operations alone, so that every engine gives the same bits: those of Math.log
// may differ in the last place from engine to engine.

/** @param {number} x above 0
 * @returns {number} */
export function ln(x) {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  let [m, power] = [x, 0];
  while (m > Math.SQRT2) [m, power] = [m / 2, power + 1];
  while (m < Math.SQRT1_2) [m, power] = [m * 2, power - 1];
  /* ln m = 2 artanh((m - 1) / (m + 1)), whose series has ended before z^25 for z below 0.172. */
  const z = (m - 1) / (m + 1);
  let sum = 0;
  for (let k = 25; k >= 1; k -= 2) sum = sum * z * z + 1 / k;
  return 2 * z * sum + power * Math.LN2;
}
