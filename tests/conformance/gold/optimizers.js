// Adam and AdamW over several steps.
import { stepsByRule } from './rules.js';

/** Takes steps with a gradient each; gives the value after each of them.
 * @param {any} gf @param {any} value @param {any[]} gradients @param {boolean} amsgrad
 * @param {(step: number) => any} options */
function descend(gf, value, gradients, amsgrad, options) {
  const zeros = { data: new Float32Array(value.data.length), shape: value.shape };
  let state = { value, m: zeros, v: zeros, ...(amsgrad && { vMax: zeros }) };
  return gradients.map((grad, i) => {
    state = gf.adam({ ...state, grad }, { ...options(i + 1), step: i + 1 });
    return state.value;
  });
}

/** y = x W^T + b, and the sum of y is made smaller.
 * @param {any} gf @param {any} given @param {boolean} decoupled */
function linearLayer(gf, given, decoupled) {
  const { W, b, lr, beta1, beta2, eps, weight_decay: weightDecay, amsgrad = false } = given;
  const inputs = given.xs ?? stepsByRule(given.xs_rule);
  const gradients = inputs.map((x) => {
    const tape = gf.tape();
    const leaf = tape.input('x', x.shape);
    const w = tape.parameter('w', [W.shape[1], W.shape[0]]);
    const bias = tape.parameter('b', [b.length]);
    const y = tape.linear(leaf, w, bias, 'y');
    tape.plan();
    leaf.set(x);
    tape.forward();
    tape.backward(y, new Float32Array(y.size).fill(1));
    const grads = [w, bias].map(({ grad, shape }) => ({ data: grad.slice(), shape: [...shape] }));
    tape.dispose();
    return { w: gf.transpose(grads[0]), b: grads[1] };
  });
  const options = () => ({ learningRate: lr, beta1, beta2, epsilon: eps, weightDecay, decoupled });
  const ws = descend(
    gf,
    W,
    gradients.map(({ w }) => w),
    amsgrad,
    options,
  );
  const bs = descend(
    gf,
    { data: b, shape: [b.length] },
    gradients.map(({ b }) => b),
    amsgrad,
    options,
  );
  return [
    { what: 'W', actual: ws.at(-1), expected: given.expected_W },
    { what: 'b', actual: bs.at(-1), expected: given.expected_b },
  ];
}

/** Keras adds epsilon to the uncorrected root, so that ours, added to the corrected one, is larger.
 * @param {any} gf @param {any} given @param {boolean} decoupled */
function sequence(gf, given, decoupled) {
  const { x, first_grad: first, grad, expected, lr = 1e-3, beta_1 = 0.9, beta_2 = 0.999 } = given;
  const { epsilon = 1e-7, weight_decay: weightDecay = 0, amsgrad = false } = given;
  const tensor = (/** @type {number[]} */ data) => ({ data, shape: [data.length] });
  const gradients = expected.map((_, i) => tensor(i ? grad : first));
  const values = descend(gf, tensor(x), gradients, amsgrad, (step) => ({
    learningRate: lr,
    beta1: beta_1,
    beta2: beta_2,
    epsilon: epsilon / Math.sqrt(1 - beta_2 ** step),
    weightDecay,
    decoupled,
  }));
  return values.map((actual, i) => ({
    what: `x after step ${i + 1}`,
    actual,
    expected: tensor(expected[i]),
  }));
}

/** @param {boolean} decoupled
 * @returns {import('./index.js').Adapter} */
const adam = (decoupled) => (gf, given) =>
  given.W ? linearLayer(gf, given, decoupled) : sequence(gf, given, decoupled);

/** @type {Record<string, import('./index.js').Adapter>} */
export const optimizers = { adam: adam(false), adamw: adam(true) };
