// The shipped model of the stories: what it reaches on what training never had, that one command makes it again, and what
// one of its heads does.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportModel, importModel, load, traceExample } from '../../bindings/index.js';
import { readSafetensors } from '../../bindings/js/formats/safetensors.js';
import { ablate, logitAttribution, patch } from '../../bindings/lab/inside/index.js';
import { KINDS } from '../../bindings/lab/stories/draw.js';
import * as stories from '../../bindings/lab/stories/index.js';
import { COLOURS, NOUNS } from '../../bindings/lab/stories/lexicon.js';
import { SPLITS } from '../../bindings/lab/stories/story.js';
import { succeeds } from '../bindings/cli/call.js';
import { reference } from '../inside/reference.js';
import { full, sample } from '../support/sample.js';
import { onlyInFull } from '../support/skips.js';

const gf = await load();
const file = new URL('../../bindings/data/models/stories.safetensors', import.meta.url);
const bytes = readFileSync(file);
const model = stories.trained(gf, bytes);

test('the file has at most 1 MB', () => {
  assert.ok(bytes.length <= 1e6, `${bytes.length} bytes`);
});

for (const split of SPLITS) {
  test(`at least 95 % of each kind of decided words in held-out ${split} are the likeliest`, async () => {
    /* Another seed than the training's. */
    const told = stories.heldOutStories(full ? 500 : 100, 2, split);
    const results = await stories.evaluate(model, told);
    for (const kind of KINDS) {
      const { right, total, wrong } = results[kind];
      assert.ok(total > 50, `${kind}: ${total}`);
      assert.ok(
        right >= 0.95 * total,
        `${kind}: ${right} of ${total}: ${JSON.stringify(wrong.slice(0, 3))}`,
      );
    }
  });
}

test('the command trains the file again, byte by byte', { skip: onlyInFull }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassformer-stories-'));
  try {
    const out = join(folder, 'stories.safetensors');
    await succeeds('train', 'stories', '--out', out, '--type', 'f16', '--quiet');
    assert.ok(readFileSync(out).equals(bytes));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the names of GPT-2 lead to the same bits', () => {
  const inputs = stories.storyInputs('Anna and Ben are in the park. Anna has a red ball.');
  const { config, bytes: exported } = exportModel(model, 'gpt2');
  assert.ok(readSafetensors(exported).tensors.has('transformer.h.2.attn.c_attn.weight'));
  const other = gf.open(importModel({ config, bytes: exported }));
  const [own, others] = [model, other].map((one) => one.forward(inputs));
  assert.deepEqual(others.logits.data, own.logits.data);
  for (const one of [own, others, other]) one.dispose();
});

test('a layer as an example has the bits of the model’s own attention, on any text', () => {
  const text = 'Anna and Ben are in the park. Zoe has a red ball.';
  const run = model.forward(stories.storyInputs(text));
  for (const layer of [0, 1, 2]) {
    const example = stories.layerExample(model, text, layer);
    assert.equal(example.tokens[9], '<unknown>');
    const trace = traceExample(gf, example);
    for (const [step, role] of Object.entries({ weights: 'weight', output: 'output' })) {
      const own = run.tape.nodes.find(
        (node) =>
          node.layer === layer &&
          node.part === 'self_attn' &&
          node.role === role &&
          node.kind === 'op',
      );
      assert.deepEqual(trace.step(step).data, own.data, `${layer} ${step}`);
    }
    trace.dispose();
  }
  run.dispose();
  assert.throws(() => stories.layerExample(model, text, 3), /layer: expected .* received 3/);
});

test('the likeliest word behind each token is the largest of its logits, in float64', () => {
  const tokens = [
    '<start>',
    ...stories.tokenize('Anna and Ben are in the park. Anna has a red ball. Then'),
  ];
  const { logits } = reference(model).run(stories.vocabulary.encode(tokens));
  const words = logits.map((row) => stories.vocabulary.tokens[row.indexOf(Math.max(...row))]);
  assert.deepEqual(stories.likeliest(model, tokens), words);
  assert.equal(words.at(-1), 'she');
});

test('one head carries the colour: its sum is checked, without it nothing prefers the right one, and patching turns the answer', async () => {
  const text = (colour) =>
    `Anna and Ben are in the park. Anna has a ${colour} ball. Ben says: "The ball is`;
  const inputs = stories.storyInputs(text('red'));
  const [red, blue] = stories.vocabulary.encode(['red', 'blue']);
  const { token, sum, total, bound } = await logitAttribution(model, inputs);
  assert.equal(token, red);
  assert.ok(Math.abs(sum - total) <= bound, `${sum}, ${total}, ${bound}`);

  const jobs = stories.headJobs(model, stories.heldOutStories(20, 2));
  const metric = { kind: 'difference', token: red, against: blue };
  const { before, grid, check } = await ablate(model, inputs, { each: 'head', metric });
  const [layer, head] = [0, 0];
  assert.ok(jobs.objects.grid.values[layer][head] > 5 * jobs.objects.even);
  assert.ok(before > 5 && check.nothing);
  assert.ok(grid.values[layer][head] < 0.2 * before, JSON.stringify(grid.values));
  const patched = await patch(model, inputs, {
    each: 'head',
    metric,
    from: stories.storyInputs(text('blue')),
  });
  assert.ok(patched.check.nothing && patched.check.everything);
  assert.ok(patched.grid.values[layer][head] < -5, JSON.stringify(patched.grid.values));
});

test('the head that attends most to a thing is not the one that its colour hangs on', async () => {
  const { grid } = stories.headJobs(model, stories.heldOutStories(20, 2)).objects;
  assert.equal(Math.max(...grid.values.flat()), grid.values[1][1]);
  const texts = COLOURS.flatMap((colour) => NOUNS.map((noun) => [colour, noun]));
  const right = { before: 0, attending: 0, carrying: 0 };
  const tried = sample(texts, 12);
  for (const [colour, noun] of tried) {
    const text = `Anna and Ben are in the park. Anna has a ${colour} ${noun}. Ben says: "The ${noun} is`;
    const [token] = stories.vocabulary.encode([colour]);
    const { before, grid: without } = await ablate(model, stories.storyInputs(text), {
      each: 'head',
      metric: { kind: 'probability', token },
    });
    right.before += Number(before > 0.5);
    right.attending += Number(without.values[1][1] > 0.5);
    right.carrying += Number(without.values[0][0] > 0.5);
  }
  assert.deepEqual([right.before, right.attending], [tried.length, tried.length]);
  /* 5 of all 48. */
  assert.ok(right.carrying <= 5, `${right.carrying} of ${tried.length}`);
});
