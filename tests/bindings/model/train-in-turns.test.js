// A training step in turns: the bits of one at once, pauses by the work, and what may happen in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { train } from '../../../bindings/index.js';
import { weightsOf } from '../../../bindings/js/model/model.js';
import { Training } from '../../../bindings/js/model/train.js';
import { load } from '../../../bindings/models.js';
import { bits, gf } from './small.js';

/** What a slice may take: multiply-adds forward; backward a product takes twice as many. */
const MOST = 2 ** 25;
const ids = Array.from({ length: 128 }, (_, i) => (7 * i) % 3000);
const batch = { target: [ids], labels: [ids.toReversed()] };
const made = (core = gf) =>
  core.model({ kind: 'gpt', vocab: 3000, dModel: 256, heads: 4, layers: 2, dropout: 0, seed: 1 });
const gradients = (model) => [...model.parameters.values()].map(({ grad }) => bits(grad)).join();

/** Multiply-adds of a matrix product, by its operands' shapes. */
function products({ op, inputs: [a, b], attributes }) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  return a.size * (attributes.transposed ? b.shape.at(-2) : b.shape.at(-1));
}

/** The step's work, and each run of nodes of the core that it makes: what, from where, to where. */
function working(model, runs) {
  const training = new Training('test', model);
  const options = training.check({});
  const weights = weightsOf('test', model);
  let tape;
  const work = training.differentiate([training.read(batch)], options, (shape) => {
    tape = training.tape(options, { ...shape, fused: true });
    const { core } = weights.engine;
    weights.engine.core = { ...core };
    for (const what of ['gf_forward', 'gf_backward']) {
      weights.engine.core[what] = (at, first, last) => {
        runs.push({ what, nodes: tape.nodes.slice(first, last + 1) });
        return core[what](at, first, last);
      };
      const inPart = `${what}_part`;
      if (!core[inPart]) continue;
      weights.engine.core[inPart] = (at, node, part, parts) => {
        runs.push({ what: inPart, nodes: [tape.nodes[node]], parts });
        return core[inPart](at, node, part, parts);
      };
    }
    return tape;
  });
  return { work, end: () => tape.dispose() };
}

test('a step has the bits of one at once; between two pauses lies no more work than a slice, or one node', () => {
  const whole = made();
  const run = whole.forward(batch);
  run.backward();
  const expected = gradients(whole);
  run.dispose();
  whole.dispose();
  const model = made();
  const runs = [];
  const { work, end } = working(model, runs);
  let before = 0;
  let pauses = 0;
  for (let next = work.next(); !next.done; next = work.next()) {
    const done = runs.slice(before);
    before = runs.length;
    pauses += 1;
    assert.ok(done.length <= 2, `${done.length} runs`);
    for (const { what, nodes } of done) {
      const sum = nodes.reduce((all, node) => all + products(node), 0);
      const one = nodes.filter((node) => products(node)).length === 1;
      assert.ok(one || sum <= MOST, `${sum} multiply-adds in ${nodes.length} nodes of ${what}`);
    }
  }
  /* 2 layers of 12 · 256² weights on 128 tokens, and the logits: 300 million forward. */
  assert.ok(pauses > 12, `${pauses} pauses`);
  weightsOf('test', model).settleGradients();
  assert.equal(gradients(model), expected);
  end();
  model.dispose();
});

test('where the core knows parts, a large product pauses between them, both ways: the bits of the small core', async () => {
  const small = made();
  const run = small.forward(batch);
  run.backward();
  const expected = gradients(small);
  run.dispose();
  small.dispose();
  const model = made(await load());
  const runs = [];
  const { work, end } = working(model, runs);
  let before = 0;
  for (let next = work.next(); !next.done; next = work.next()) {
    const split = runs.slice(before).filter(({ what }) => what.endsWith('_part'));
    assert.ok(split.length <= 2, 'the last of one, the first of the next');
    before = runs.length;
  }
  weightsOf('test', model).settleGradients();
  assert.equal(gradients(model), expected);
  for (const way of ['gf_forward_part', 'gf_backward_part']) {
    const logits = runs.filter(({ what, nodes }) => what === way && nodes[0].name === 'logits');
    assert.deepEqual(
      logits.map(({ parts }) => parts),
      [3, 3, 3],
      '128 x 256 x 3000 multiply-adds, 2^25 at a time',
    );
  }
  end();
  model.dispose();
});

test('gradients that others compute in a pause do not get into a step', () => {
  const model = made();
  const other = model.forward({ target: [[1, 2]], labels: [[2, 3]] });
  const runs = [];
  const { work, end } = working(model, runs);
  let disturbed = false;
  let next = work.next();
  for (; !next.done; next = work.next()) {
    if (disturbed || runs.at(-1)?.what !== 'gf_backward') continue;
    disturbed = true;
    other.backward();
  }
  assert.ok(disturbed);
  const found = gradients(model);
  const run = model.forward(batch);
  run.backward();
  assert.equal(found, gradients(model));
  for (const one of [run, other]) one.dispose();
  end();
  model.dispose();
});

test('a signal within a step ends the training before it changes anything; so does disposal, with an error', async () => {
  const model = made();
  const { engine } = weightsOf('test', model);
  const { core } = engine;
  const before = bits(model.parameters.get('embedding.weight').data);
  const steps = async (act) => {
    const controller = new AbortController();
    engine.core = {
      ...core,
      gf_backward(...given) {
        act(controller);
        return core.gf_backward(...given);
      },
    };
    const taken = [];
    const { signal } = controller;
    for await (const { step } of train(model, [batch, batch], { signal })) taken.push(step);
    return taken;
  };
  assert.deepEqual(await steps((controller) => controller.abort()), []);
  assert.equal(model.step, 0);
  assert.equal(bits(model.parameters.get('embedding.weight').data), before);
  const { training } = weightsOf('test', model);
  assert.equal(training, undefined);
  let count = 0;
  const disposing = steps(() => {
    if (++count === 2) queueMicrotask(() => model.dispose());
  });
  await assert.rejects(disposing, { code: 'GF_EDISPOSED' });
});
