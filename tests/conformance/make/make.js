// Writes ../cases/*.json: node tests/conformance/make/make.js. The inputs follow from the cases' names,
// the outputs are reference.js's, in float64.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cases } from './cases.js';
import { reference } from './reference.js';
import { sizeOf } from './tensor.js';

const folder = new URL('../cases/', import.meta.url);

/** A generator of numbers in [0, 1): mulberry32. */
function randomOf(text) {
  let state = 0;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What an input's description says: f32(shape), int(shape, low, high), bool(shape), or the data. */
function fill({ dtype, shape, low, high, data }, random) {
  const one = () => {
    const u = low + (high - low) * random();
    return dtype === 'float32' ? Number(u.toFixed(3)) : Math.floor(u);
  };
  const list = data ?? Array.from({ length: sizeOf(shape) }, one);
  /* What a float32 holds, so that the reference computes with the same numbers. */
  return { dtype, shape, data: dtype === 'float32' ? list.map(Math.fround) : list };
}

const shown = (x) => (Number.isFinite(x) ? Number(x.toPrecision(9)) : String(x));

mkdirSync(folder, { recursive: true });
for (const [op, list] of Object.entries(cases)) {
  const made = list.map(({ name, attrs = {}, inputs, outputs = 1 }) => {
    const random = randomOf(`${op} ${name}`);
    const tensors = inputs.map((input) => input && fill(input, random));
    const results = reference[op](attrs, tensors);
    const write = (tensor) => tensor && { ...tensor, data: tensor.data.map(shown) };
    return {
      name,
      op,
      attrs,
      inputs: tensors.map(write),
      outputs: results.slice(0, outputs).map((one) => ({ ...write(one), dtype: 'float32' })),
    };
  });
  const lines = made.map((one) => JSON.stringify(one)).join(',\n');
  const head = '"source":"tests/conformance/make/reference.js, float64"';
  writeFileSync(new URL(`${op}.json`, folder), `{${head},"op":"${op}","cases":[\n${lines}\n]}\n`);
}
