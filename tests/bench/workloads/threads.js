// Products, and vectors of sentences, on two threads, against the same on one.

import { embed } from '../../../bindings/models/text/embed.js';
import { load } from '../../../bindings/models/threads/node/index.js';
import { tape } from '../players/ours.js';
import { hash, player } from '../players/player.js';
import { uniform } from './numbers.js';
import { trainingOnThreads } from './training.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const THREADS = 2;

/** @param {number} n
 * @returns {Workload} */
const workload = (n) => ({
  name: `${THREADS} threads: matmul ${n}x${n}x${n}`,
  work: 2 * n ** 3,
  unit: 'FLOP',
  bars: { 'one thread': 1.8 },

  async players(gf) {
    const x = uniform(gf, [n, n], 0);
    const w = uniform(gf, [n, n], 1);
    const threaded = await load({ threads: THREADS });
    const product = (/** @type {typeof gf} */ core) =>
      tape(core, { x, w }, (t) =>
        t.linear(t.input('x', x.shape), t.parameter('w', w.shape), null, 'y'),
      );
    return {
      ours: () => {
        const { dispose, ...player } = product(threaded);
        return {
          ...player,
          dispose() {
            dispose?.();
            threaded.dispose();
          },
        };
      },
      'one thread': async () => {
        const { result, ...player } = product(gf);
        const data = await /** @type {NonNullable<typeof result>} */ (result)();
        return { ...player, bits: hash(data) };
      },
    };
  },
});

/** As all-MiniLM-L6-v2 has it, but for its vocabulary. */
const MINILM = {
  kind: /** @type {const} */ ('bert'),
  ...{ vocab: 3000, dModel: 384, heads: 12, dFF: 1536, layers: 6, maxLength: 128, seed: 1 },
};
/** Tokens of sentences: 8 to 37. @param {number} count */
const lengthsOf = (count) => Array.from({ length: count }, (_, i) => 8 + ((7 * i) % 30));
/** Multiply-adds of the products with weights, by two. @param {number} count of sentences */
const embeddingWork = (count) =>
  2 * 12 * MINILM.layers * MINILM.dModel ** 2 * lengthsOf(count).reduce((sum, n) => sum + n);

/** @param {import('../players/ours.js').Glassformer} gf @param {number} count @param {() => unknown} [done] */
function embedder(gf, count, done = () => {}) {
  const model = gf.model(MINILM);
  const texts = lengthsOf(count).map((length, i) =>
    Array.from({ length }, (_, t) => (i * 131 + t * 17) % MINILM.vocab),
  );
  const tokenizer = { encode: () => [], decode: () => '' };
  const run = () => embed(model, tokenizer, texts);
  return player(run, {
    async result() {
      const vectors = /** @type {Float32Array[]} */ (await run());
      return Float32Array.from(vectors.flatMap((vector) => Array.from(vector)));
    },
    dispose() {
      model.dispose();
      done();
    },
  });
}

/** @param {number} count
 * @returns {Workload} */
const embedding = (count) => ({
  name: `${THREADS} threads: embed of ${count} sentences, MiniLM`,
  work: embeddingWork(count),
  unit: 'FLOP',
  bars: { 'one thread': 1.7 },
  players: (gf) => ({
    ours: async () => {
      const threaded = await load({ threads: THREADS });
      return embedder(threaded, count, threaded.dispose);
    },
    'one thread': async () => {
      const { result, ...player } = embedder(gf, count);
      const vectors = await /** @type {NonNullable<typeof result>} */ (result)();
      return { ...player, bits: hash(vectors) };
    },
  }),
});

export const threads = [
  ...[512, 1024].map(workload),
  trainingOnThreads,
  ...[40, 1000].map(embedding),
];
