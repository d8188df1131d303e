// A training step of a small gpt: forward, backward, Adam. The result is the losses of the first steps,
// which agree only if the gradients do.

import { train } from '../../../bindings/index.js';
import { load } from '../../../bindings/models/threads/node/index.js';
import { native } from '../players/native.js';
import { hash, player } from '../players/player.js';
import { python, torch } from '../players/pytorch.js';
import { tf } from '../players/tfjs.js';
import { gpt, words } from './models.js';
import { rowsOf, tokens } from './numbers.js';
import { loss, plain, transposedFirst } from './tfjs-gpt.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('../players/player.js').Player} Player */

const B = 16;
const T = 64;
const C = 128;
const F = 512;
const V = 65;
const LAYERS = 2;
const THREADS = 2;
const OPTIONS = gpt({ vocab: V, dModel: C, heads: 4, dFF: F, layers: LAYERS, maxLength: T });
const RATE = 1e-3;

const FORWARD = 2 * B * T * (LAYERS * (4 * C * C + 2 * C * F) + C * V) + 4 * B * T * T * C * LAYERS;

/** How many losses are compared; native.c has the same number. */
const COMPARED = 3;

/** A player that takes steps, each of which gives its loss.
 * @param {() => Promise<number> | number} step @param {() => unknown} dispose
 * @returns {Player} */
function steps(step, dispose) {
  /** @type {number[]} */
  const losses = [];
  const run = async () => {
    losses.push(await step());
  };
  return player(run, {
    dispose,
    async result() {
      while (losses.length < COMPARED) await run();
      return Float32Array.from(losses.slice(0, COMPARED));
    },
  });
}

/** @template X @param {X} x */
function* forever(x) {
  for (;;) yield x;
}

/** The training step of the core's model, and what it is trained on.
 * @param {import('../players/ours.js').Glassformer} gf */
function given(gf) {
  const [target, labels] = [0, 1].map((stream) => tokens(gf, B * T, V, stream));
  return { target, labels, batch: { target: rowsOf(target, T), labels: rowsOf(labels, T) } };
}

/** @param {import('../players/ours.js').Glassformer} gf @param {() => unknown} [dispose] */
function trainer(gf, dispose = () => {}) {
  const run = train(gf.model(OPTIONS), forever(given(gf).batch), { rate: RATE });
  return steps(
    async () => (await run.next()).value.loss,
    async () => {
      await run.return();
      dispose();
    },
  );
}

const WHAT = /** @type {const} */ ({ work: 3 * FORWARD, unit: 'FLOP', tolerance: 1e-4 });
const NAME = `training step of a gpt, ${B} x ${T} tokens`;

/** The same on two threads.
 * @type {Workload} */
export const trainingOnThreads = {
  ...WHAT,
  name: `${THREADS} threads: ${NAME}`,
  bars: { 'one thread': 1.7 },
  players: (gf) => ({
    ours: async () => {
      const threaded = await load({ threads: THREADS });
      return trainer(threaded, threaded.dispose);
    },
    'one thread': async () => {
      const { result, ...player } = trainer(gf);
      const losses = await /** @type {NonNullable<typeof result>} */ (result)();
      return { ...player, bits: hash(losses) };
    },
    ...(python && {
      pytorch: () =>
        torch(python, gf.model(OPTIONS), given(gf).batch, {
          ...{ rate: RATE, compared: COMPARED, threads: THREADS },
        }),
    }),
  }),
};

/** @type {Workload} */
export const training = {
  ...WHAT,
  name: NAME,
  bars: { native: 0.85, 'tfjs-wasm': 8 },

  players(gf) {
    const { target, labels, batch } = given(gf);
    const { config } = gf.model(OPTIONS);

    /** @param {import('./tfjs-gpt.js').Matmul} matmul */
    const theirs = (matmul) => {
      const parameters = Object.fromEntries(
        [...gf.model(OPTIONS).parameters].map(([name, { data, shape }]) => [
          name,
          tf.variable(tf.tensor(data.slice(), [...shape])),
        ]),
      );
      const hot = (/** @type {number[]} */ ids) =>
        tf.cast(tf.oneHot(tf.tensor1d(ids, 'int32'), V), 'float32');
      const future = Float32Array.from({ length: T * T }, (_, i) => (i % T > i / T ? -1e9 : 0));
      const fed = {
        size: B,
        length: T,
        tokens: hot(target),
        labels: hot(labels),
        mask: tf.tensor(future, [T, T]),
      };
      const adam = tf.train.adam(RATE, 0.9, 0.999, 1e-8);
      const step = () =>
        tf.tidy(() => {
          const { value, grads } = tf.variableGrads(() => loss(config, parameters, fed, matmul));
          adam.applyGradients(grads);
          return value.dataSync()[0];
        });
      return steps(step, tf.disposeVariables);
    };

    return {
      ours: () => trainer(gf),
      native: () =>
        native(
          'train',
          ...words(config, { size: B, target: T, training: true, loss: true, fused: true }),
        ),
      'tfjs-wasm': () => theirs(plain),
      'tfjs-wasm, transposed first': () => theirs(transposedFirst),
      ...(python && {
        pytorch: () =>
          torch(python, gf.model(OPTIONS), batch, { rate: RATE, compared: COMPARED, threads: 1 }),
      }),
    };
  },
};
