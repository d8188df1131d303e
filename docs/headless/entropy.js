// Why scores are divided by the square root of d: without it, the wider the heads, the more a row of
// weights settles on one key. Random queries and keys, and the entropy of their weights in bits.
//
//   node docs/headless/entropy.js > entropy.csv
//
// Out: CSV; for d = 1 to 1024 the mean over 64 queries with 64 keys each, without and with the scaling.
// Weights that are all alike have log2(64) = 6 bits, a single one has 0.

import { load } from 'glassformer';

const TOKENS = 64;
const MAX_D = 1024;

const gf = await load();

/** Mean over the rows of -sum p log2 p, where 0 log2 0 is 0. */
const entropy = (rows) =>
  -rows.flat().reduce((sum, p) => sum + (p && p * Math.log2(p)), 0) / rows.length;

console.log('d,unscaled,scaled');
for (let d = 1; d <= MAX_D; d *= 2) {
  /* Numbers of one seed and stream are the same everywhere; streams are independent of each other. */
  const [q, k] = [0, 1].map((stream) => gf.normal([TOKENS, d], { seed: 1, stream }));
  const scores = gf.matmulTransposed(q, k);
  const bits = [1, 1 / Math.sqrt(d)].map((factor) => {
    const { data } = gf.softmax(gf.scale(scores, factor));
    const rows = Array.from({ length: TOKENS }, (_, i) => [
      ...data.subarray(i * TOKENS, (i + 1) * TOKENS),
    ]);
    return entropy(rows);
  });
  console.log([d, ...bits].join());
}
