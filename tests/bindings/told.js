// What an explanation comes to in float32, where it must be the cell's bits; and the cell and what is said of
// it against the op's definition in float64, over the numbers of its operands.
import assert from 'node:assert/strict';
import { explain } from '../../bindings/index.js';
import { defined } from '../reference/ops64.js';

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

/** The value that an explanation arrives at, to the bit; those of elementary functions end before. */
const conclusions = {
  linear: ({ terms, bias }) => (bias ? f32(terms.at(-1).sum + bias.value) : terms.at(-1).sum),
  matmul: ({ terms }) => terms.at(-1).sum,
  mul: ({ terms }) => terms[0].product,
  scale: ({ x, factor }) => f32(factor * x.value),
  add: ({ a, b }) => f32(a.value + b.value),
  sub: ({ a, b }) => f32(a.value - b.value),
  div: ({ a, b }) => f32(a.value / b.value),
  sqrt: ({ x }) => f32(Math.sqrt(x.value)),
  sum: ({ total }) => total,
  mean: ({ total, count }) => f32(total / count),
  amax: copied,
  reshape: copied,
  slice: copied,
  mask: ({ x, keep, added }) => (keep ? f32(x.value + (added ?? 0)) : Number.NEGATIVE_INFINITY),
  softmax: ({ total, numerator }) => (total === 0 ? 0 : f32(numerator / total)),
  log_softmax: ({ shifted, log }) => f32(shifted - log),
  layer_norm: scaled,
  rms_norm: scaled,
  relu: ({ x }) => Math.max(x.value, 0),
  gelu: ({ x, share }) => f32(x.value * share),
  silu: ({ x, share }) => f32(x.value * share),
  swiglu: ({ a, b, share }) => f32(f32(a.value * share) * b.value),
  softcap: ({ cap, inner }) => f32(cap * inner),
  dropout: ({ x, keep, rest }) => (keep ? f32(x.value / rest) : 0),
  rope: ({ turned, sign, from }) =>
    from ? from.value : f32(turned[0].product + sign * turned[1].product),
  alibi: ({ x, slope, distance }) => f32(x.value - f32(slope * distance)),
  cross_entropy: ({ losses, count }) => {
    const total = sum(losses.map((loss) => loss?.loss ?? 0));
    return f32(total / count);
  },
  embed: ({ row }) => row.value,
  heads: copied,
  gather: copied,
  concat: copied,
  cache: copied,
  top_k: ({ from }, { ids }) => (ids ? from.index.at(-1) : from.value),
};

/** Ops that explain leaves untold: the one is many steps in a trace, and no model has the other. */
export const UNTOLD = ['transpose', 'attention'];

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

/** A number in float32, made of such as are up to `size`. */
const isNear = (value, due, size) =>
  value === due ||
  (Number.isNaN(value) && Number.isNaN(due)) ||
  (Number.isFinite(due) && Math.abs(value - due) <= 2e-6 * Math.max(Math.abs(due), size, 1e-30));

/** What is said is due, be there more of it or not. */
function checkSaid(said, due, inputs, where) {
  if (typeof due !== 'object' || due === null) {
    assert.equal(said ?? null, due, where);
  } else if ('operand' in due) {
    assert.deepEqual([said?.node, said?.index], [inputs[due.operand], due.index], where);
  } else {
    if (Array.isArray(due)) assert.equal(said.length, due.length, where);
    for (const [key, part] of Object.entries(due)) {
      checkSaid(said[key], part, inputs, `${where}: ${key}`);
    }
  }
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
  const operands = inputs.map((input) => (input === null ? null : trace.step(input)));
  const due = defined[op]({ name, shape, index, operands, attributes });
  if (!due) {
    assert.equal(told.from, undefined, where);
    return;
  }
  const conclude = conclusions[op];
  if (conclude) same(conclude(told, attributes), value, where);
  for (const { a, b, product } of [...(told.terms ?? []), ...(told.turned ?? [])]) {
    same(product, f32(a.value * b.value), where);
  }
  checkSaid(told, due.says, inputs, where);
  for (const [key, number] of Object.entries(due.nearly ?? {})) {
    const said = told[key];
    assert.ok(isNear(said, number, 1), `${where}: ${key} is ${said}, by definition ${number}`);
  }
  const near = isNear(value, due.value, due.size ?? 0);
  assert.ok(near, `${where}: ${op} gives ${value}, by definition ${due.value}`);
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
