// The steps in PyTorch, in float32 as the core computes them.
import { shortest } from '../draw/format.js';
import { groupOf, widthOf } from './snippet.js';

/** @typedef {import('./snippet.js').Line} Line */

/** @param {Line} line */
function right(line) {
  const group = groupOf(line);
  return group > 1 ? `${line.inputs[1]}.repeat_interleave(${group}, dim=-3)` : line.inputs[1];
}

/** @param {Line} line */
function keep({ step, inputs: [, mask, lengths], operands }) {
  const [queries, keys] = step.shape.slice(-2);
  const { causal, offset } = step.attributes;
  const ones = ', 1'.repeat(step.shape.length - 1);
  return [
    ...(causal ? [`torch.ones(${queries}, ${keys}, dtype=torch.bool).tril(${offset})`] : []),
    ...(lengths ? [`(torch.arange(${keys}) < ${lengths}.view(-1${ones}))`] : []),
    ...(mask && operands[1]?.kind === 'ids' ? [`(${mask} != 0)`] : []),
  ].join(' & ');
}

/** A row that sees nothing is 0 in the core, and no number in PyTorch.
 * @param {Line} line */
function softmax({ step, inputs: [x], operands: [scores] }) {
  const width = widthOf(step);
  const blind = scores?.data.some(
    (_, at) =>
      at % width === 0 &&
      scores.data.slice(at, at + width).every((score) => score === Number.NEGATIVE_INFINITY),
  );
  return `F.softmax(${x}, dim=-1)${blind ? '.nan_to_num(0)' : ''}`;
}

/** @type {Record<string, (line: Line) => string>} */
const ops = {
  embed: ({ inputs: [table, ids] }) => `F.embedding(${ids}, ${table})`,
  position: ({ step, inputs: [positions] }) =>
    `sinusoids(${positions}, ${widthOf(step)}, halves=${step.attributes.halves ? 'True' : 'False'})`,
  add: ({ inputs: [a, b] }) => `${a} + ${b}`,
  scale: ({ step, inputs: [x] }) => `${x} * ${shortest(step.attributes.factor)}`,
  linear: ({ inputs: [x, w, b] }) => `${x} @ ${w}${b ? ` + ${b}` : ''}`,
  matmul: (line) =>
    `${line.inputs[0]} @ ${right(line)}${line.step.attributes.transposed ? '.transpose(-1, -2)' : ''}`,
  mask: (line) => {
    const [x, mask] = line.inputs;
    const given = mask && line.operands[1]?.kind !== 'ids' ? `(${x} + ${mask})` : x;
    const kept = keep(line);
    return kept ? `${given}.masked_fill(~(${kept}), -math.inf)` : given;
  },
  softmax,
  log_softmax: ({ inputs: [x] }) => `F.log_softmax(${x}, dim=-1)`,
  heads: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `${x}.unflatten(-1, (${step.attributes.heads}, -1)).transpose(-3, -2)`
      : `${x}.transpose(-3, -2).flatten(-2)`,
  layer_norm: ({ step, inputs: [x, gain, bias] }) =>
    `F.layer_norm(${x}, (${widthOf(step)},), ${gain || 'None'}, ${bias || 'None'}, ${shortest(step.attributes.epsilon)})`,
  rms_norm: ({ step, inputs: [x, gain] }) =>
    `${gain ? `${gain} * ` : ''}${x} / (${x}.square().mean(-1, keepdim=True) + ${shortest(step.attributes.epsilon)}).sqrt()`,
  relu: ({ inputs: [x] }) => `F.relu(${x})`,
  gelu: ({ step, inputs: [x] }) =>
    `F.gelu(${x}${step.attributes.tanh_form ? ', approximate="tanh"' : ''})`,
  silu: ({ step, inputs: [x] }) =>
    `${x} * torch.sigmoid(${shortest(step.attributes.factor)} * ${x})`,
  swiglu: ({ step, inputs: [gate, up] }) =>
    `${gate} * torch.sigmoid(${shortest(step.attributes.factor)} * ${gate}) * ${up}`,
  tanh: ({ inputs: [x] }) => `torch.tanh(${x})`,
  softcap: ({ step, inputs: [x] }) =>
    `${shortest(step.attributes.cap)} * torch.tanh(${x} / ${shortest(step.attributes.cap)})`,
  gather: ({ step, inputs: [x, ids] }) =>
    `${x}.index_select(${step.attributes.axis}, ${ids}.flatten())`,
  rotation: ({ step, inputs: [positions] }) =>
    `turns_of(${positions}, ${step.attributes.dimensions}, ${shortest(step.attributes.base)})`,
  rope: ({ step, inputs: [x, turns] }) =>
    `turned(${x}, ${turns}, interleaved=${step.attributes.interleaved ? 'True' : 'False'})`,
  alibi: ({ inputs: [x, at] }) => `by_distance(${x}, ${at ? `${at}[0]` : 0})`,
  cross_entropy: ({ step, inputs: [x, targets, weights], operands }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const logits = /** @type {import('../session.js').Step} */ (operands[0]);
    const given = operands[1]?.kind !== 'ids';
    const one = [
      `${x}.reshape(-1, ${widthOf(logits)})`,
      `${targets}.reshape(-1${given ? `, ${widthOf(logits)}` : ''})`,
      ...(weights ? [`weight=${weights}`] : []),
      ...(given ? [] : [`ignore_index=${ignore_index}`]),
      `reduction="${['mean', 'sum', 'none'][reduction]}"`,
      `label_smoothing=${shortest(smoothing)}`,
    ].join(', ');
    return `F.cross_entropy(${one}).reshape(${step.shape.join(', ')})`;
  },
};

const helpers = {
  sinusoids: `def sinusoids(positions, channels, halves):
    columns = torch.arange(channels)
    sines = (channels + 1) // 2
    pair = columns % sines if halves else columns // 2
    cosine = columns >= sines if halves else columns % 2 == 1
    angle = positions[..., None].double() / 10000.0 ** (2 * pair.double() / channels)
    return torch.where(cosine, angle.cos(), angle.sin()).float()`,
  turns_of: `def turns_of(positions, dimensions, base):
    angle = positions[..., None].double() * base ** (-torch.arange(0, dimensions, 2).double() / dimensions)
    return torch.stack([angle.cos(), angle.sin()], dim=-1).float()`,
  turned: `def turned(x, turns, interleaved):
    if turns.dim() == 4:
        turns = turns[:, None]
    cos, sin = turns[..., 0], turns[..., 1]
    pairs = turns.shape[-2]
    u = slice(0, 2 * pairs, 2) if interleaved else slice(0, pairs)
    v = slice(1, 2 * pairs, 2) if interleaved else slice(pairs, 2 * pairs)
    y = x.clone()
    y[..., u] = x[..., u] * cos - x[..., v] * sin
    y[..., v] = x[..., v] * cos + x[..., u] * sin
    return y`,
  by_distance: `def by_distance(x, at):
    heads, queries, keys = x.shape[-3:]
    power = 2 ** int(math.log2(heads))
    first = [(h + 1) / power for h in range(power)]
    more = [(2 * h + 1) / (2 * power) for h in range(heads - power)]
    slopes = 2.0 ** (-8 * torch.tensor(first + more, dtype=torch.float64))
    distance = (torch.arange(queries)[:, None] + at - torch.arange(keys)).abs()
    return x - (slopes[:, None, None] * distance).float()`,
};

/** @type {import('./snippet.js').Language} */
export const pytorch = {
  comment: '#',
  imports: {
    math: 'import math',
    torch: 'import torch',
    F: 'import torch.nn.functional as F',
  },
  assign: (name, expression) => `${name} = ${expression}`,
  literal: (step, list) =>
    `torch.tensor(${list}, dtype=torch.${step.kind === 'ids' ? 'int64' : 'float32'})`,
  special: (value) => {
    if (Number.isNaN(value)) return 'math.nan';
    return value < 0 ? '-math.inf' : 'math.inf';
  },
  ops,
  helpers,
  show: (label, name) => `print(${JSON.stringify(label)}, ${name}, sep="\\n")`,
};
