// Tensors that the data describes in words.

/** Each rule with the number of a place. */
const RULES = [
  {
    /* arange(64).reshape(1,8,8)/100 */
    words: /^arange\((\d+)\)\.reshape\(([\d,\s]+)\)\s*\/\s*(\d+)$/,
    make: ([, , shape, divisor]) => ({
      shape: shape.split(',').map(Number),
      at: (i) => i / divisor,
    }),
  },
  {
    /* x[s][d] = (s*64+d)/100, s=0..5, d=0..63 */
    words: /^x\[s\]\[d\] = \(s\*(\d+)\+d\)\/(\d+), s=0\.\.(\d+), d=0\.\.(\d+)/,
    make: ([, step, divisor, rows, columns]) => ({
      shape: [Number(rows) + 1, Number(columns) + 1],
      at: (i, width) => (Math.floor(i / width) * step + (i % width)) / divisor,
    }),
  },
];

/** @param {string} rule */
export function byRule(rule) {
  for (const { words, make } of RULES) {
    const match = words.exec(rule);
    if (!match) continue;
    const { shape, at } = make(match);
    const size = shape.reduce((product, d) => product * d, 1);
    return { data: Float32Array.from({ length: size }, (_, i) => at(i, shape.at(-1))), shape };
  }
  throw new Error(`unknown rule "${rule}"`);
}

/** The inputs of each step: step i=1..50: x = ones(2,6)*i*0.1
 * @param {string} rule */
export function stepsByRule(rule) {
  const match = /^step i=1\.\.(\d+): x = ones\(([\d,\s]+)\)\*i\*([\d.]+)$/.exec(rule);
  if (!match) throw new Error(`unknown rule "${rule}"`);
  const shape = match[2].split(',').map(Number);
  const size = shape.reduce((product, d) => product * d, 1);
  return Array.from({ length: Number(match[1]) }, (_, i) => ({
    data: new Float32Array(size).fill((i + 1) * Number(match[3])),
    shape,
  }));
}
