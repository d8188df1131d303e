// The trained models that are shipped: what they reach, and that PyTorch reads the same in them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, readModel } from '../bindings/index.js';
import { answer, evaluate, tasks } from '../bindings/lab/tasks/index.js';

const gf = await load();
const bytesOf = (name) =>
  readFileSync(new URL(`../bindings/data/models/${name}.safetensors`, import.meta.url));

for (const [name, shares] of [
  ['french-english', { sources: 0.99, structures: 0.95, lengths: 0.95 }],
  ['dates', { sources: 0.99 }],
  ['reverse', { sources: 1 }],
]) {
  const bytes = bytesOf(name);

  test(`${name}: the file has at most 1.5 MB`, () => {
    assert.ok(bytes.length < 1.5e6, `the file has ${bytes.length} bytes`);
    assert.deepEqual(Object.keys(shares), [...tasks[name].splits]);
  });

  for (const [split, share] of Object.entries(shares)) {
    test(`${name}: at least ${100 * share} % of the held-out ${split} are answered exactly`, async () => {
      const model = gf.open(readModel(bytes));
      /* Another seed than the training's; what is held out does not depend on it. */
      const pairs = tasks[name].heldOut(300, 2, split);
      const { right, total, wrong } = await evaluate(model, tasks[name], pairs);
      const told = JSON.stringify(wrong.slice(0, 5));
      assert.ok(right >= share * total, `${right} of ${total}: ${told}`);
      model.dispose();
    });
  }
}

test('sentences of every kind are translated as by hand', async () => {
  const model = gf.open(readModel(bytesOf('french-english')));
  for (const [source, target] of [
    ['le petit chat noir dort dans la maison', 'the little black cat sleeps in the house'],
    ['la petite fille mange une pomme rouge', 'the little girl eats a red apple'],
    ['la grande maison est rouge', 'the big house is red'],
    ["la femme regarde l'homme", 'the woman looks at the man'],
    ["l'homme regarde la femme", 'the man looks at the woman'],
    ['le garçon mange une pomme rouge', 'the boy eats a red apple'],
    ['elle a un petit chat noir', 'she has a little black cat'],
    ["j'ai deux chevaux blancs", 'I have two white horses'],
    ['je suis étudiant', 'I am a student'],
    ['nous ne jouons pas dans le jardin', 'we do not play in the garden'],
    ["ma sœur n'a pas faim", 'my sister is not hungry'],
    ["il y a un bel arbre devant l'école", 'there is a beautiful tree in front of the school'],
  ]) {
    assert.equal(await answer(model, tasks['french-english'], source), target, source);
  }
  model.dispose();
});

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
