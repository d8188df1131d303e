// The trained models that are shipped: what they reach, and that PyTorch reads the same in them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, readModel } from '../bindings/index.js';
import { answer, evaluate, tasks } from '../bindings/tasks/index.js';

const gf = await load();
const bytesOf = (name) =>
  readFileSync(new URL(`../bindings/models/${name}.safetensors`, import.meta.url));

for (const [name, share] of [
  ['french-english', 0.98],
  ['dates', 0.99],
  ['reverse', 1],
]) {
  test(`${name}: at least ${100 * share} % of the held-out pairs are answered exactly`, async () => {
    const bytes = bytesOf(name);
    assert.ok(bytes.length < 1e6, `the file has ${bytes.length} bytes`);
    const model = gf.open(readModel(bytes));
    /* Another seed than the training's; what is held out does not depend on it. */
    const { right, total, wrong } = await evaluate(model, tasks[name], tasks[name].heldOut(300, 2));
    assert.ok(right >= share * total, `${right} of ${total}: ${JSON.stringify(wrong.slice(0, 5))}`);
    model.dispose();
  });
}

test('adjective and noun change places on their way to English, and attention shows it', async () => {
  const task = tasks['french-english'];
  const model = gf.open(readModel(bytesOf('french-english')));
  assert.equal(await answer(model, task, 'le chat noir dort'), 'the black cat sleeps');
  const { vocabulary } = task;
  const source = vocabulary.encode(['le', 'chat', 'noir', 'dort']);
  const target = vocabulary.encode(['<start>', 'the', 'black', 'cat']);
  const run = model.forward({ source: [source], target: [target] });
  /* In the last layer, averaged over the heads: what the word after "the" looks at most. */
  const { shape, data } = run.tensor('decoder.layers.1.cross_attn.weights');
  const [, heads, queries, keys] = shape;
  const seen = Array.from({ length: keys }, (_, key) =>
    Array.from({ length: heads }, (_, h) => data[(h * queries + 1) * keys + key]).reduce(
      (a, b) => a + b,
    ),
  );
  assert.equal(seen.indexOf(Math.max(...seen)), 2, `it looks at ${seen}`);
  model.dispose();
});

test('torch.nn.Transformer, reading the exported file, gives the same logits', () => {
  const fixture = JSON.parse(
    readFileSync(new URL('reference/fixtures/french-english-logits.json', import.meta.url)),
  );
  const model = gf.open(readModel(bytesOf('french-english')));
  const { source, target, logits } = fixture;
  const ours = model.forward({ source, target }).logits;
  const theirs = logits.flat(2);
  assert.equal(ours.data.length, theirs.length);
  theirs.forEach((x, i) => {
    const off = Math.abs(ours.data[i] - x);
    assert.ok(off <= 1e-5 + 1e-5 * Math.abs(x), `logit ${i}: ${ours.data[i]}, PyTorch has ${x}`);
  });
  model.dispose();
});
