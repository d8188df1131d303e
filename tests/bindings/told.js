// What an explanation comes to: in float32, where it must be the cell's bits, and from its operand cells
// alone in float64, by the op's definition.
import assert from 'node:assert/strict';
import { explain } from '../../bindings/index.js';

const f32 = Math.fround;
const sum = (list) => list.reduce((total, x) => total + x, 0);

export const same = (actual, expected, where) =>
  assert.ok(Object.is(actual, expected), `${where}: ${actual} instead of ${expected}`);

export const flat = (shape, index) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

export function indexOf(shape, at) {
  const index = [];
  let rest = at;
  for (const d of [...shape].reverse()) {
    index.unshift(rest % d);
    rest = (rest - (rest % d)) / d;
  }
  return index;
}

const scaled = ({ normalised, gain, bias }) => {
  const product = gain ? f32(normalised * gain.value) : normalised;
  return bias ? f32(product + bias.value) : product;
};
const copied = ({ from }) => from.value;

/** The value that an explanation arrives at, to the bit. */
const conclusions = {
  linear: ({ terms, bias }) => (bias ? f32(terms.at(-1).sum + bias.value) : terms.at(-1).sum),
  matmul: ({ terms }) => terms.at(-1).sum,
  scale: ({ x, factor }) => f32(factor * x.value),
  add: ({ a, b }) => f32(a.value + b.value),
  mask: ({ x, keep, added }) => (keep ? f32(x.value + (added ?? 0)) : Number.NEGATIVE_INFINITY),
  softmax: ({ total, numerator }) => (total === 0 ? 0 : f32(numerator / total)),
  log_softmax: ({ shifted, log }) => f32(shifted - log),
  layer_norm: scaled,
  rms_norm: scaled,
  relu: ({ x }) => Math.max(x.value, 0),
  gelu: ({ x, share, inner }) =>
    share === undefined ? f32(f32(0.5 * x.value) * f32(1 + inner)) : f32(x.value * share),
  silu: ({ x, share }) => f32(x.value * share),
  swiglu: ({ a, b, share }) => f32(f32(a.value * share) * b.value),
  softcap: ({ cap, inner }) => f32(cap * inner),
  dropout: ({ x, keep, rest }) => (keep ? f32(x.value / rest) : 0),
  rope: ({ turned, sign, from }) =>
    from ? from.value : f32(turned[0].product + sign * turned[1].product),
  alibi: ({ x, slope, distance }) => f32(x.value - f32(slope * distance)),
  cross_entropy: ({ losses, count }) => {
    const total = sum(losses.map((loss) => loss?.loss ?? 0));
    return f32(count ? total / count : 0);
  },
  embed: ({ row }) => row.value,
  heads: copied,
  gather: copied,
  concat: copied,
  cache: copied,
  top_k: copied,
};

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** The error function, by its series below 3 and its continued fraction above. */
function erf(x) {
  if (Math.abs(x) > 3) {
    let fraction = 0;
    for (let k = 60; k > 0; k--) fraction = k / 2 / (Math.abs(x) + fraction);
    const rest = Math.exp(-x * x) / (Math.abs(x) + fraction) / Math.sqrt(Math.PI);
    return Math.sign(x) * (1 - rest);
  }
  let term = x;
  let total = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}

/** log softmax of a place in a row. */
const logShare = (row, at) => {
  const max = Math.max(...row);
  return row[at] - max - Math.log(sum(row.map((x) => Math.exp(x - max))));
};

/** By definition, in float64, from the operand cells, the rows and the attributes of the step. */
const definitions = {
  ...conclusions,
  linear: ({ terms, bias }) => sum(terms.map(({ a, b }) => a.value * b.value)) + (bias?.value ?? 0),
  matmul: ({ terms }) => sum(terms.map(({ a, b }) => a.value * b.value)),
  softmax: (_, { row, at }) => (Math.max(...row) === -Infinity ? 0 : Math.exp(logShare(row, at))),
  log_softmax: (_, { row, at }) => logShare(row, at),
  layer_norm: ({ gain, bias }, { row, at, epsilon }) => {
    const mean = sum(row) / row.length;
    const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length;
    return (
      ((row[at] - mean) / Math.sqrt(variance + epsilon)) * (gain?.value ?? 1) + (bias?.value ?? 0)
    );
  },
  rms_norm: ({ gain }, { row, at, epsilon }) =>
    (row[at] / Math.sqrt(sum(row.map((x) => x * x)) / row.length + epsilon)) * (gain?.value ?? 1),
  gelu: ({ x: { value: x } }, { tanh_form: bent }) =>
    bent
      ? (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))
      : (x / 2) * (1 + erf(x / Math.SQRT2)),
  silu: ({ x: { value: x }, factor }) => x * sigmoid(factor * x),
  swiglu: ({ a, b, factor }) => a.value * sigmoid(factor * a.value) * b.value,
  sigmoid: ({ x }) => sigmoid(x.value),
  tanh: ({ x }) => Math.tanh(x.value),
  erf: ({ x }) => erf(x.value),
  exp: ({ x }) => Math.exp(x.value),
  softcap: ({ x, cap }) => cap * Math.tanh(x.value / cap),
  position: ({ angle, fn }) => Math[fn](angle),
  rotation: ({ angle, fn }) => Math[fn](angle),
  rope: ({ turned, sign, from }) =>
    from
      ? from.value
      : turned[0].a.value * turned[0].b.value + sign * turned[1].a.value * turned[1].b.value,
  cross_entropy: ({ losses, count }) =>
    count
      ? sum(
          losses.flatMap((loss) => {
            const row = loss?.classes.map(({ value }) => value) ?? [];
            return row.map((_, at) => -loss.classes[at].wanted * logShare(row, at));
          }),
        ) / count
      : 0,
};

/** Ops that explain leaves untold: the one is many steps in a trace, and no model has the other. */
export const UNTOLD = ['transpose', 'attention'];

/** What is told as a sum of products is that sum. */
const concludes = (op, told) => conclusions[op] ?? (told.terms && conclusions.linear);
const defines = (op, told) => definitions[op] ?? (told.terms && definitions.linear);

/** Every cell that is spoken of has the value that its step has there. */
function checkCells(trace, told, where) {
  if (typeof told !== 'object' || told === null) return;
  if (told.node !== undefined) {
    const { shape, data } = trace.step(told.node);
    assert.equal(told.index.length, shape.length, where);
    same(told.value, data[flat(shape, told.index)], where);
  }
  for (const part of Object.values(told)) checkCells(trace, part, where);
}

/** Explains one cell, and holds what is told against the cell: float32 to the bit, float64 nearly. */
export function checkCell(gf, trace, name, index) {
  const { op, shape, data, bypassed, frozen, inputs, attributes } = trace.step(name);
  const value = data[flat(shape, index)];
  const where = `${name}[${index}]`;
  const told = explain(trace, name, index, gf);
  checkCells(trace, told, where);
  assert.deepEqual([told.node, told.op, told.bypassed], [name, op, bypassed]);
  if (frozen || op === 'leaf') return;
  if (bypassed !== null) {
    same(told.from.value, value, where);
    return;
  }
  const conclude = concludes(op, told);
  if (conclude) same(conclude(told), value, where);
  for (const { a, b, product } of [...(told.terms ?? []), ...(told.turned ?? [])]) {
    same(product, f32(a.value * b.value), where);
  }
  const x = trace.step(inputs[0]);
  const width = x.shape.at(-1);
  const at = flat(shape, index);
  const row = Array.from(x.data.slice(at - (at % width), at - (at % width) + width));
  const due = defines(op, told)(told, { ...attributes, row, at: at % width });
  if (!Number.isFinite(due)) {
    assert.equal(value, due, where);
    return;
  }
  /* A sum is as exact as its largest terms are, and so is what is taken off 1. */
  const size = Math.max(
    Math.abs(due),
    ...(told.terms ?? told.turned ?? []).map(({ product }) => Math.abs(product)),
    ...['x', 'a', 'b'].map((operand) => Math.abs(told[operand]?.value ?? 0)),
    ...(/norm$|softmax$|entropy$/.test(op) ? [1] : []),
    1e-30,
  );
  const off = Math.abs(value - due) / size;
  assert.ok(off < 1e-5, `${where}: ${op} gives ${value}, by definition ${due}`);
}

/** Every cell of a step; returns how many. */
export function checkStep(gf, trace, name) {
  const { shape, data } = trace.step(name);
  for (let at = 0; at < data.length; at++) checkCell(gf, trace, name, indexOf(shape, at));
  return data.length;
}

/** Every cell of the steps; returns how many. */
export const check = (gf, trace, steps) =>
  steps.reduce((cells, { name }) => cells + checkStep(gf, trace, name), 0);
