// The loss of a gpt with learned positions and layer norms before the sublayers, in TensorFlow.js.

import { tf } from '../players/tfjs.js';

/** @typedef {import('@tensorflow/tfjs-core').Tensor} Tensor */
/** @typedef {(a: Tensor, b: Tensor, transposed?: boolean) => Tensor} Matmul a b, or a bᵀ */

/** As everyone writes it.
 * @type {Matmul} */
export const plain = (a, b, transposed = false) => tf.matMul(a, b, false, transposed);

/** The backend has a fast kernel for two matrices that it need not transpose itself; all else goes
 * through plain loops: batches, and the gradients of every product. This transposes first.
 * @type {Matmul} */
export function transposedFirst(a, b, transposed = false) {
  if (a.rank > 2) return tf.matMul(a, b, false, transposed);
  const product = tf.customGrad((a, b, save) => {
    save([a, b]);
    return {
      value: tf.matMul(a, b),
      gradFunc: (dy, [a, b]) => [tf.matMul(dy, tf.transpose(b)), tf.matMul(tf.transpose(a), dy)],
    };
  });
  return product(a, transposed ? tf.transpose(b) : b);
}

const GELU = Math.sqrt(2 / Math.PI);

/** x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) @param {Tensor} x */
function gelu(x) {
  const cubic = tf.mul(x, tf.add(tf.mul(tf.square(x), 0.044715 * GELU), GELU));
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(cubic), 1));
}

/** @param {any} config of the model @param {Record<string, any>} p its parameters
 * @param {{ size: number, length: number, tokens: Tensor, labels: Tensor, mask: Tensor }} batch one-hot
 *   [B T,V]; the mask is added to the scores
 * @param {Matmul} matmul */
export function loss({ dModel, heads, layers, epsilon }, p, batch, matmul) {
  const { size, length, tokens, labels, mask } = batch;
  const width = dModel / heads;
  const linear = (x, name) => tf.add(matmul(x, p[`${name}.weight`]), p[`${name}.bias`]);
  const norm = (x, name) => {
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const scale = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), epsilon));
    return tf.add(tf.mul(tf.mul(centred, scale), p[`${name}.weight`]), p[`${name}.bias`]);
  };
  const split = (x) => tf.transpose(tf.reshape(x, [size, length, heads, width]), [0, 2, 1, 3]);
  const attention = (x, name) => {
    const [q, k, v] = ['q', 'k', 'v'].map((which) => split(linear(x, `${name}.${which}_proj`)));
    const scores = tf.add(tf.mul(matmul(q, k, true), 1 / Math.sqrt(width)), mask);
    const mix = tf.transpose(matmul(tf.softmax(scores), v), [0, 2, 1, 3]);
    return linear(tf.reshape(mix, [size * length, dModel]), `${name}.out_proj`);
  };
  /* The backend has no gradient of a look-up: a product with rows that are 0 but for a single 1. */
  const table = p['embedding.weight'];
  const embedded = tf.reshape(matmul(tokens, table), [size, length, dModel]);
  const placed = tf.add(embedded, p['decoder.position_embedding.weight']);
  let x = tf.reshape(placed, [size * length, dModel]);
  for (let i = 0; i < layers; i++) {
    const name = `decoder.layers.${i}`;
    x = tf.add(x, attention(norm(x, `${name}.norm1`), `${name}.self_attn`));
    const wide = gelu(linear(norm(x, `${name}.norm2`), `${name}.linear1`));
    x = tf.add(x, linear(wide, `${name}.linear2`));
  }
  return tf.losses.softmaxCrossEntropy(labels, matmul(norm(x, 'decoder.norm'), table, true));
}
