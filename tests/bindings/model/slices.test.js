// A run in slices: every node once, in order, and between two pauses no more work than is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weightsOf } from '../../../bindings/model/model.js';
import { crossing, forwardInSlices } from '../../../bindings/model/slices.js';
import { bits, gf } from './small.js';

/** What a slice may take. */
const MOST = 2 ** 24;

/** Multiply-adds of a matrix product, by its operands' shapes. */
function products({ op, inputs: [a, b], attributes }) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  const columns = attributes.transposed ? b.shape.at(-2) : b.shape.at(-1);
  return a.size * columns;
}

/** A tape of 64 tokens, written. */
function tapeOf(made, keep) {
  const tape = weightsOf('test', made).tape({ target: 64, fused: true }, { keep });
  tape.find('target').set([Array.from({ length: 64 }, (_, i) => (7 * i) % 3000)]);
  return tape;
}

for (const keep of [undefined, crossing]) {
  const memory = keep ? 'memory that is reused' : 'memory for each value';
  test(`a run in slices has the bits of a whole one, and pauses by the work: ${memory}`, () => {
    const made = gf.model({ kind: 'gpt', vocab: 3000, dModel: 256, heads: 4, layers: 3, seed: 1 });
    const whole = tapeOf(made);
    whole.forward();
    const expected = bits(whole.find('logits').data);
    whole.dispose();
    const tape = tapeOf(made, keep);
    const { nodes } = tape;
    let next = 0;
    const forward = tape.forward.bind(tape);
    tape.forward = (from, to) => {
      assert.equal(from.id, next, 'where the last one ended');
      const slice = nodes.slice(from.id, to.id + 1);
      const work = slice.reduce((sum, node) => sum + products(node), 0);
      assert.ok(slice.length === 1 || work <= MOST, `${work} multiply-adds`);
      next = to.id + 1;
      forward(from, to);
    };
    const parts = [...forwardInSlices(tape)];
    assert.equal(next, nodes.length);
    assert.equal(bits(tape.find('logits').data), expected);
    /* 3 layers of 12 · 256² weights on 64 tokens, and the logits: 200 million in all. */
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
