// Stories: what is decided in them, against a reader of their language; what training never has; what a model makes of
// them, and what its heads do, against float64.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { KINDS } from '../../bindings/lab/stories/draw.js';
import * as stories from '../../bindings/lab/stories/index.js';
import { LONGEST, SPLITS } from '../../bindings/lab/stories/story.js';
import { reference } from '../inside/reference.js';
import { waits } from '../support/sample.js';
import { known } from './read.js';

const { detokenize, heldOutStories, story, tokenize, trainingStories, vocabulary } = stories;
const gf = await load();
const SOME = Array.from({ length: 1000 }, (_, i) => story(i, 7));
const take = (stream, count) => Array.from({ length: count }, () => stream.next().value);

test('what a story has decided is what a careful reader knows beforehand, no more and no less', () => {
  for (const { text, tokens, decided } of SOME) {
    const told = decided.map(({ position, kind, token }) => [position, kind, token]);
    assert.deepEqual(told, known(tokens.slice(1)), text);
  }
  const kinds = new Set(SOME.flatMap(({ decided }) => decided.map(({ kind }) => kind)));
  assert.deepEqual([...kinds].toSorted(), [...KINDS].toSorted());
});

test('the reader refuses what a story would not say', () => {
  const begin = 'Anna and Ben are in the park . Anna has a red ball .';
  for (const wrong of [
    'Anna gives the hat to Ben .',
    'Ben gives the ball to Anna .',
    'Ben says : " I have the red ball . "',
    'Anna gives the ball to Anna .',
    'Who has the ball ? Ben has it .',
    'Then he sleeps .',
    'Anna says : " The ball is blue . "',
    'Anna sings : " do re mi . " Ben sings it too : " do mi re . "',
  ]) {
    assert.throws(() => known(`${begin} ${wrong}`.split(' ')), `accepted: ${wrong}`);
  }
});

test('what tells a decided word stands before it', () => {
  const pronouns = { she: 'f', her: 'f', he: 'm', him: 'm' };
  const genders = { Anna: 'f', Clara: 'f', Emma: 'f', Julia: 'f', Mia: 'f', Nora: 'f' };
  for (const { tokens, decided, text } of SOME) {
    for (const { position, kind, token, from } of decided) {
      assert.ok(from.length > 0 && from.every((place) => place <= position), text);
      const words = new Set(from.map((place) => tokens[place]));
      assert.equal(words.size, 1, text);
      const [word] = words;
      if (kind === 'pronouns') assert.equal(genders[word] ?? 'm', pronouns[token]);
      else assert.equal(word, token);
      /* Phrases have one copy, and what stands before it stands before the word too, but for the first. */
      if (kind === 'phrases') assert.equal(from.length, 1);
    }
  }
});

test('texts are what their tokens say, and the other way round', () => {
  for (const { text, tokens } of SOME) {
    assert.deepEqual(tokenize(text), tokens.slice(1));
    assert.ok(tokens.length <= LONGEST, `${tokens.length} tokens`);
    assert.ok(vocabulary.encode(tokens).every((id, i) => vocabulary.tokens[id] === tokens[i]));
  }
  const text = 'Ben says: "Hello, Mia." Who has the red ball? Mia has it.';
  assert.equal(detokenize(tokenize(text)), text);
  assert.deepEqual(tokenize('“Hello”'), ['"', 'Hello', '"']);
});

test('training never has the people, or the thing, of what is held out', () => {
  const pairs = ({ tokens }) => ({
    casts: [[tokens[1], tokens[3]].toSorted().join()],
    things: tokens.flatMap((token, i) =>
      token === 'a' ? [`${tokens[i + 1]} ${tokens[i + 2]}`] : [],
    ),
  });
  const seen = { casts: new Set(), things: new Set() };
  for (const one of take(trainingStories(1), 5000)) {
    for (const split of SPLITS) for (const pair of pairs(one)[split]) seen[split].add(pair);
  }
  assert.ok(seen.casts.size > 50 && seen.things.size > 36, 'the rest is seen');
  for (const split of SPLITS) {
    for (const one of heldOutStories(200, 2, split)) {
      assert.ok(
        pairs(one)[split].some((pair) => !seen[split].has(pair)),
        one.text,
      );
    }
  }
});

test('evaluate counts by kind what the logits hold for likeliest', async (t) => {
  if (waits(t)) return;
  const model = stories.untrained(gf, 3);
  const told = heldOutStories(4, 5);
  const results = await stories.evaluate(model, told);
  const double = reference(model);
  const expected = Object.fromEntries(KINDS.map((kind) => [kind, [0, 0]]));
  for (const { tokens, decided } of told) {
    const logits = double.run(vocabulary.encode(tokens)).logits;
    for (const { position, kind, token } of decided) {
      const row = logits[position];
      const right = vocabulary.tokens[row.indexOf(Math.max(...row))] === token;
      expected[kind][0] += Number(right);
      expected[kind][1] += 1;
    }
  }
  for (const kind of KINDS) {
    const { right, total, wrong } = results[kind];
    assert.deepEqual([right, total, wrong.length], [...expected[kind], total - right], kind);
  }
  model.dispose();
});

test('the job of a head is its attention to what decides, against float64', () => {
  const model = stories.untrained(gf, 3);
  const [one] = heldOutStories(1, 5);
  const told = stories.headJobs(model, [one]);
  const run = reference(model).run(vocabulary.encode(one.tokens));
  for (const kind of KINDS) {
    const own = one.decided.filter((decided) => decided.kind === kind);
    for (const [layer, heads] of told[kind].grid.values.entries()) {
      for (const [head, value] of heads.entries()) {
        const rows = run.step('weights', layer)[head];
        const sums = own.map(({ position, from }) =>
          from.reduce((sum, key) => sum + rows[position][key], 0),
        );
        const mean = sums.reduce((a, b) => a + b, 0) / own.length;
        assert.ok(Math.abs(value - mean) < 1e-6, `${kind} ${layer} ${head}: ${value}, not ${mean}`);
      }
    }
  }
  assert.throws(() => stories.headJobs(model, []), {
    name: 'RangeError',
    code: 'GF_ERANGE',
    message: /^headJobs: stories: expected one story or more, received an array of 0$/,
  });
  model.dispose();
});

test('a model of something else is refused', () => {
  const save = (options) => {
    const model = gf.model({ kind: 'gpt', layers: 1, dModel: 8, heads: 1, dFF: 8, ...options });
    const bytes = model.save();
    model.dispose();
    return bytes;
  };
  const vocab = vocabulary.size;
  for (const [options, sentence] of [
    [{ kind: 'bert', vocab, maxLength: 100 }, /it holds a bert, and stories needs a gpt/],
    [{ vocab: 9, maxLength: 100 }, /its vocabulary has 9 tokens, that of stories 81/],
    [{ vocab, maxLength: 9 }, /it reads 9 tokens, and stories has 96/],
  ]) {
    assert.throws(() => stories.trained(gf, save(options)), sentence);
  }
});
