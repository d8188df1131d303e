// The steps in NumPy, in float32 as the core computes them.
import { shortest } from '../draw/format.js';
import { groupOf, widthOf } from './snippet.js';

/** @typedef {import('./snippet.js').Line} Line */
/** @typedef {import('../session.js').Step} Step */

/** A number that is float32 here too.
 * @param {number} value */
const float = (value) => `np.float32(${shortest(value)})`;

/** @param {Line} line */
function right(line) {
  const group = groupOf(line);
  return group > 1 ? `np.repeat(${line.inputs[1]}, ${group}, axis=-3)` : line.inputs[1];
}

/** @param {Line} line */
function keep({ step, inputs: [, mask, lengths], operands }) {
  const [queries, keys] = step.shape.slice(-2);
  const { causal, offset } = step.attributes;
  const ones = '1, '.repeat(step.shape.length - 1);
  return [
    ...(causal ? [`np.tril(np.ones((${queries}, ${keys}), bool), ${offset})`] : []),
    ...(lengths ? [`(np.arange(${keys}) < ${lengths}.reshape(-1, ${ones.slice(0, -2)}))`] : []),
    ...(mask && operands[1]?.kind === 'ids' ? [`(${mask} != 0)`] : []),
  ].join(' & ');
}

/** @type {Record<string, (line: Line) => string>} */
const ops = {
  embed: ({ inputs: [table, ids] }) => `${table}[${ids}]`,
  position: ({ step, inputs: [positions] }) =>
    `sinusoids(${positions}, ${widthOf(step)}, halves=${step.attributes.halves ? 'True' : 'False'})`,
  add: ({ inputs: [a, b] }) => `${a} + ${b}`,
  scale: ({ step, inputs: [x] }) => `${x} * ${float(step.attributes.factor)}`,
  linear: ({ inputs: [x, w, b] }) => `${x} @ ${w}${b ? ` + ${b}` : ''}`,
  matmul: (line) =>
    line.step.attributes.transposed
      ? `${line.inputs[0]} @ ${right(line)}.swapaxes(-1, -2)`
      : `${line.inputs[0]} @ ${right(line)}`,
  mask: (line) => {
    const [x, mask] = line.inputs;
    const given = mask && line.operands[1]?.kind !== 'ids' ? `${x} + ${mask}` : x;
    const kept = keep(line);
    return kept ? `np.where(${kept}, ${given}, np.float32(-np.inf))` : given;
  },
  softmax: ({ inputs: [x] }) => `softmax(${x})`,
  log_softmax: ({ inputs: [x] }) => `log_softmax(${x})`,
  heads: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `split_heads(${x}, ${step.attributes.heads})`
      : `concat_heads(${x})`,
  layer_norm: ({ step, inputs: [x, gain, bias] }) =>
    `layer_norm(${x}, ${gain || 'None'}, ${bias || 'None'}, ${float(step.attributes.epsilon)})`,
  rms_norm: ({ step, inputs: [x, gain] }) =>
    `rms_norm(${x}, ${gain || 'None'}, ${float(step.attributes.epsilon)})`,
  relu: ({ inputs: [x] }) => `np.maximum(${x}, 0)`,
  gelu: ({ step, inputs: [x] }) => (step.attributes.tanh_form ? `gelu_tanh(${x})` : `gelu(${x})`),
  silu: ({ step, inputs: [x] }) => `${x} * sigmoid(${float(step.attributes.factor)} * ${x})`,
  swiglu: ({ step, inputs: [gate, up] }) =>
    `${gate} * sigmoid(${float(step.attributes.factor)} * ${gate}) * ${up}`,
  tanh: ({ inputs: [x] }) => `np.tanh(${x})`,
  softcap: ({ step, inputs: [x] }) =>
    `${float(step.attributes.cap)} * np.tanh(${x} / ${float(step.attributes.cap)})`,
  gather: ({ step, inputs: [x, ids] }) => `np.take(${x}, ${ids}, axis=${step.attributes.axis})`,
  rotation: ({ step, inputs: [positions] }) =>
    `turns_of(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  rope: ({ step, inputs: [x, turns] }) =>
    `turned(${x}, ${turns}, interleaved=${step.attributes.interleaved ? 'True' : 'False'})`,
  alibi: ({ inputs: [x, at] }) => `by_distance(${x}, ${at ? `${at}[0]` : 0})`,
  cross_entropy: ({ step, inputs: [x, targets, weights] }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const how = ['mean', 'sum', 'none'][reduction];
    return `cross_entropy(${x}, ${targets}, ${weights || 'None'}, "${how}", ${ignore_index}, ${shortest(smoothing)})`;
  },
};

const helpers = {
  sinusoids: `def sinusoids(positions, channels, halves):
    columns = np.arange(channels)
    sines = (channels + 1) // 2
    pair = columns % sines if halves else columns // 2
    cosine = columns >= sines if halves else columns % 2 == 1
    angle = positions[..., None] / 10000.0 ** (2 * pair / channels)
    return np.where(cosine, np.cos(angle), np.sin(angle)).astype(np.float32)`,
  softmax: `def softmax(x):
    top = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), np.float32(0), top))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, np.float32(1), total)`,
  log_softmax: `def log_softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))`,
  split_heads: `def split_heads(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-3, -2)`,
  concat_heads: `def concat_heads(x):
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)`,
  layer_norm: `def layer_norm(x, gain, bias, epsilon):
    z = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)
    z = z if gain is None else z * gain
    return z if bias is None else z + bias`,
  rms_norm: `def rms_norm(x, gain, epsilon):
    z = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)
    return z if gain is None else z * gain`,
  sigmoid: `def sigmoid(x):
    return 1 / (1 + np.exp(-x))`,
  gelu: `def gelu(x):
    return (x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2).astype(np.float32)`,
  gelu_tanh: `def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(np.float32(math.sqrt(2 / math.pi)) * (x + np.float32(0.044715) * x**3)))`,
  turns_of: `def turns_of(positions, dimensions, base):
    angle = positions[..., None] * base ** (-np.arange(0, dimensions, 2) / dimensions)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1).astype(np.float32)`,
  turned: `def turned(x, turns, interleaved):
    if turns.ndim == 4:
        turns = turns[:, None]
    cos, sin = turns[..., 0], turns[..., 1]
    pairs = turns.shape[-2]
    u = slice(0, 2 * pairs, 2) if interleaved else slice(0, pairs)
    v = slice(1, 2 * pairs, 2) if interleaved else slice(pairs, 2 * pairs)
    y = x.copy()
    y[..., u] = x[..., u] * cos - x[..., v] * sin
    y[..., v] = x[..., v] * cos + x[..., u] * sin
    return y`,
  by_distance: `def by_distance(x, at):
    heads, queries, keys = x.shape[-3:]
    power = 2 ** int(math.log2(heads))
    first = [(h + 1) / power for h in range(power)]
    more = [(2 * h + 1) / (2 * power) for h in range(heads - power)]
    slopes = 2.0 ** (-8 * np.array(first + more))
    distance = np.abs(np.arange(queries)[:, None] + at - np.arange(keys))
    return x - (slopes[:, None, None] * distance).astype(np.float32)`,
  cross_entropy: `def cross_entropy(x, targets, weights, reduction, ignored, smoothing):
    classes = x.shape[-1]
    top = x.max(axis=-1, keepdims=True)
    log_p = x - top - np.log(np.exp(x - top).sum(axis=-1, keepdims=True))
    weights = np.ones(classes, np.float32) if weights is None else weights
    count = np.ones(x.shape[:-1], np.float32)
    if targets.dtype == np.int32:
        count = np.where(targets == ignored, 0, weights[np.where(targets == ignored, 0, targets)])
        targets = np.eye(classes, dtype=np.float32)[np.where(targets == ignored, 0, targets)]
    q = weights * ((1 - smoothing) * targets + smoothing / classes)
    loss = np.where(count == 0, 0, -np.where(q == 0, 0, q * log_p).sum(axis=-1))
    if reduction == "none":
        return loss.astype(np.float32)
    total = loss.sum() / (max(count.sum(), 1e-30) if reduction == "mean" else 1)
    return np.array([total], dtype=np.float32)`,
};

/** @type {import('./snippet.js').Language} */
export const numpy = {
  comment: '#',
  imports: { math: 'import math', np: 'import numpy as np' },
  assign: (name, expression) => `${name} = ${expression}`,
  literal: (step, list) =>
    `np.array(${list}, dtype=np.${step.kind === 'ids' ? 'int32' : 'float32'})`,
  special: (value) => {
    if (Number.isNaN(value)) return 'np.nan';
    return value < 0 ? '-np.inf' : 'np.inf';
  },
  ops,
  helpers,
  show: (label, name) => `print(${JSON.stringify(label)}, ${name}, sep="\\n")`,
};
