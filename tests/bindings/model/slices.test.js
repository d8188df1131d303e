// A run in slices: every node once, in order, and between two pauses no more work than is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weightsOf } from '../../../bindings/js/model/model.js';
import { forwardInSlices } from '../../../bindings/js/model/slices.js';
import { bits, gf } from './small.js';

/** What a slice may take. */
const MOST = 2 ** 25;

/** Multiply-adds of a matrix product, by its operands' shapes. */
function products({ op, inputs: [a, b], attributes }) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  const columns = attributes.transposed ? b.shape.at(-2) : b.shape.at(-1);
  return a.size * columns;
}

/** A tape of 128 tokens, written. */
function tapeOf(made, keep) {
  const tape = weightsOf('test', made).tape({ target: 128, fused: true }, { keep });
  tape.find('target').set([Array.from({ length: 128 }, (_, i) => (7 * i) % 3000)]);
  return tape;
}

/** Calls of the core's runs from now on, and the nodes of each. */
function listen({ block: { engine } }) {
  const { core } = engine;
  const calls = [];
  const heard =
    (name) =>
    (at, first, ...rest) => {
      const parted = name.endsWith('_part');
      calls.push({ name, first, last: parted ? first : rest[0], part: parted ? rest[0] : 0, rest });
      return core[name](at, first, ...rest);
    };
  const names = ['gf_forward', 'gf_backward', 'gf_forward_part', 'gf_backward_part'];
  const known = names.filter((name) => core[name]);
  engine.core = { ...core, ...Object.fromEntries(known.map((name) => [name, heard(name)])) };
  return {
    calls,
    stop: () => {
      engine.core = core;
    },
  };
}

/** Multiply-adds of a call: of a part, those of the columns that fall to it, 64 together. */
function workOf(nodes, { name, first, last, rest: [part, parts] }) {
  const all = nodes.slice(first, last + 1).reduce((sum, node) => sum + products(node), 0);
  if (!name.endsWith('_part')) return all;
  const columns = nodes[last].shape.at(-1);
  const units = Math.ceil(columns / 64);
  const end = (k) => Math.min(columns, 64 * Math.floor((units * k) / parts));
  return (all * (end(part + 1) - end(part))) / columns;
}

for (const keep of [undefined, () => []]) {
  const memory = keep ? 'memory that is reused' : 'memory for each value';
  test(`a run in slices has the bits of a whole one, and pauses by the work: ${memory}`, () => {
    const config = { kind: 'gpt', vocab: 3000, dModel: 256, heads: 4, layers: 3, seed: 1 };
    const made = gf.model(config);
    const whole = tapeOf(made);
    whole.forward();
    const expected = bits(whole.find('logits').data);
    whole.dispose();
    const tape = tapeOf(made, keep);
    const { nodes } = tape;
    const { calls, stop } = listen(tape);
    const parts = [...forwardInSlices(tape)];
    stop();
    assert.equal(bits(tape.find('logits').data), expected);
    const split = calls.filter((call) => call.name === 'gf_forward_part');
    assert.equal(split.length, 3, 'logits: 98 million');
    let next = 0;
    for (const call of calls) {
      assert.equal(call.first, call.part ? next - 1 : next);
      const work = workOf(nodes, call);
      assert.ok(work <= MOST, `${work} multiply-adds`);
      next = call.last + 1;
    }
    assert.equal(next, nodes.length);
    /* 3 layers of 12 · 256² weights on 128 tokens, and the logits: 400 million in all. */
    assert.ok(parts.length >= 8, `${parts.length} pauses`);
    assert.deepEqual(
      parts,
      [...parts].sort((a, b) => a - b),
    );
    assert.ok(parts[0] > 0 && parts.at(-1) < 1);
    tape.dispose();
    made.dispose();
  });
}
