import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decoder } from '../../../bindings/js/model/decode/decoder.js';
import { weightsOf } from '../../../bindings/js/model/model.js';
import { heaps } from '../../support/heap.js';
import { waits } from '../../support/sample.js';
import { bits, collect, families, gf, model, POSITIONS, refused } from './small.js';

const source = [3, 1, 4, 1, 5];
const prompt = [9, 2, 6];
const inputOf = ({ kind }) => (kind === 'transformer' ? source : prompt);
const beginning = ({ kind }) => (kind === 'transformer' ? [1] : prompt);

/** The logits behind a target, computed all at once. */
function uncached(made, target, remove = []) {
  const two = made.config.kind === 'transformer';
  const run = made.forward({ ...(two && { source }), target, remove, gradients: false });
  const [, time, vocab] = run.logits.shape;
  const logits = run.logits.data.slice((time - 1) * vocab);
  run.dispose();
  return logits;
}

const argmax = (row) => row.indexOf(Math.max(...row));

/** Greedy decoding without any cache: tokens, and the logits of each step. */
function greedy(made, steps, remove = []) {
  const target = [...beginning(made.config)];
  const logits = [];
  for (let i = 0; i < steps; i++) {
    logits.push(uncached(made, target, remove));
    target.push(argmax(logits.at(-1)));
  }
  return { tokens: target.slice(beginning(made.config).length), logits };
}

const writers = Object.entries(families).filter(([kind]) => kind !== 'bert');

for (const [kind, options] of writers) {
  for (const positions of POSITIONS) {
    for (const preNorm of [false, true]) {
      test(`${kind}, ${positions}, pre-norm ${preNorm}: with a cache, greedy has the bits that it has without`, async () => {
        const made = model({ ...options, positions, preNorm });
        /* Beyond two doublings of the cache. */
        const steps = 37 - beginning(options).length;
        const expected = greedy(made, steps);
        const logits = [];
        const settings = {
          maxNewTokens: steps,
          stopTokens: [],
          onStep: (s) => logits.push(s.logits),
        };
        const tokens = await collect(made.generate(inputOf(options), settings));
        assert.deepEqual(tokens, expected.tokens);
        assert.deepEqual(logits.map(bits), expected.logits.map(bits));
        made.dispose();
      });
    }
  }
}

for (const [kind, options] of writers) {
  test(`${kind}: with steps left out, the mask too, it writes what whole runs without them say`, async () => {
    for (const remove of [['positions'], ['mask'], ['scale', 'mask'], ['norm'], ['residual']]) {
      const made = model(options);
      const expected = greedy(made, 6, remove);
      const logits = [];
      const settings = {
        maxNewTokens: 6,
        stopTokens: [],
        remove,
        onStep: (s) => logits.push(s.logits),
      };
      const tokens = made.generateSync(inputOf(options), settings);
      assert.deepEqual(tokens, expected.tokens, remove.join());
      assert.deepEqual(logits.map(bits), expected.logits.map(bits), remove.join());
      const without = model({ ...options, remove });
      assert.deepEqual(
        without.generateSync(inputOf(options), { maxNewTokens: 6, stopTokens: [] }),
        tokens,
        'a model that does without them',
      );
      made.dispose();
      without.dispose();
    }
    const made = model(options, 0.4);
    const settings = { beams: 3, maxNewTokens: 5, stopTokens: [2], remove: ['mask'] };
    const [best] = made.searchSync(inputOf(options), settings);
    const { logProb, tokens } = best;
    const start = beginning(options);
    const due = tokens.reduce((sum, token, i) => {
      const row = uncached(made, [...start, ...tokens.slice(0, i)], ['mask']);
      return sum + gf.logSoftmax(Array.from(row))[token];
    }, 0);
    assert.ok(Math.abs(due - logProb) < 1e-5, `${logProb} instead of ${due}`);
    made.dispose();
  });
}

test('at once or in turns: the same tokens', async () => {
  const made = model(families.transformer);
  for (const settings of [
    { maxNewTokens: 9, stopTokens: [] },
    { maxNewTokens: 9, temperature: 1, topK: 4, seed: 3 },
    { maxNewTokens: 9, beams: 3 },
  ]) {
    const tokens = await collect(made.generate(source, settings));
    assert.deepEqual(made.generateSync(source, settings), tokens);
  }
  assert.deepEqual(made.searchSync(source, { beams: 2 }), await made.search(source, { beams: 2 }));
  assert.throws(
    () => made.generateSync(source, { remove: ['masks'] }),
    refused(RangeError, /generateSync: remove\[0\]: .*received "masks"/),
  );
  made.dispose();
});

/** Beam search by its definition: no cache, all sequences, everything sorted. */
function beamSearch(made, { beams, most, alpha, stops }) {
  const penalty = (n) => ((5 + n) / 6) ** alpha;
  const start = beginning(made.config);
  let live = [{ tokens: [], logProb: 0 }];
  const found = [];
  for (let length = 1; live.length && length <= most; length++) {
    const all = live.flatMap(({ tokens, logProb }) => {
      const tape = gf.tape();
      const logits = uncached(made, [...start, ...tokens]);
      const x = tape.input('x', [1, logits.length]);
      const y = tape.logSoftmax(x, 'y');
      tape.plan();
      x.set(logits);
      tape.forward();
      const next = Array.from(y.data, (p, token) => ({
        tokens: [...tokens, token],
        logProb: logProb + p,
      }));
      tape.dispose();
      return next;
    });
    const sorted = all
      .map((c, i) => [c, i])
      .sort(([a, i], [b, j]) => b.logProb - a.logProb || i - j);
    const isDone = ({ tokens }) => stops.includes(tokens.at(-1));
    const best = sorted.map(([c]) => c);
    found.push(...best.slice(0, beams).filter(isDone));
    live = best.filter((c) => !isDone(c)).slice(0, beams);
    if (length === most) found.push(...live);
  }
  return found
    .map((c) => ({ ...c, score: c.logProb / penalty(c.tokens.length) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, beams);
}

for (const [kind, options] of writers) {
  for (const positions of POSITIONS) {
    test(`${kind}, ${positions}: beam search finds, with a cache, what its definition finds without`, async () => {
      const made = model({ ...options, positions, maxLength: 24 }, 0.4);
      for (const alpha of [0, 0.6]) {
        const due = beamSearch(made, { beams: 3, most: 7, alpha, stops: [2, 5] });
        const settings = { beams: 3, maxNewTokens: 7, lengthPenalty: alpha, stopTokens: [2, 5] };
        const found = await made.search(inputOf(options), settings);
        assert.deepEqual(
          found.map(({ tokens, logProb, score }) => ({ tokens, logProb, score })),
          due.map(({ tokens, logProb, score }) => ({ tokens, logProb, score })),
        );
        const tokens = await collect(made.generate(inputOf(options), settings));
        assert.deepEqual(
          tokens,
          due[0].tokens.filter((token) => token !== 2 && token !== 5),
        );
      }
      made.dispose();
    });
  }
}

test('a beam of one is greedy; more beams find what is at least as likely', async () => {
  const made = model(families.transformer, 0.4);
  const settings = { maxNewTokens: 8, stopTokens: [], lengthPenalty: 0 };
  const tokens = await collect(made.generate(source, settings));
  const [one] = await made.search(source, { ...settings, beams: 1 });
  assert.deepEqual(one.tokens, tokens);
  assert.equal(one.finished, false);
  const [four] = await made.search(source, { ...settings, beams: 4 });
  assert.ok(four.logProb >= one.logProb);
  made.dispose();
});

test('a stop token ends the sequence, and is not given out', async () => {
  const made = model(families.gpt);
  const all = await collect(made.generate(prompt, { maxNewTokens: 12 }));
  const stop = all[5];
  const until = all.slice(0, all.indexOf(stop));
  assert.deepEqual(await collect(made.generate(prompt, { stopTokens: [stop] })), until);
  made.dispose();
});

test('lengths end at maxNewTokens, and where maxLength leaves no room', async () => {
  const made = model({ ...families.gpt, maxLength: 6 });
  const count = async (options) => (await collect(made.generate(prompt, options))).length;
  assert.equal(await count({ maxNewTokens: 0 }), 0);
  assert.equal(await count({ maxNewTokens: 2 }), 2);
  /* The 6th token is read, and asks for one more. */
  assert.equal(await count({}), 4);
  assert.equal(await count({ maxNewTokens: 100 }), 4);
  assert.equal((await made.search(prompt, { beams: 2 }))[0].tokens.length, 4);
  made.dispose();
});

test('a decoder may begin with several tokens', async () => {
  const made = model(families.transformer);
  const settings = { stopTokens: [], maxNewTokens: 8 };
  const all = await collect(made.generate(source, settings));
  const start = [1, ...all.slice(0, 3)];
  assert.deepEqual(await collect(made.generate(source, { ...settings, start })), [
    ...all.slice(3),
    ...(await collect(made.generate(source, { ...settings, maxNewTokens: 11 }))).slice(8),
  ]);
  made.dispose();
});

// ---- Chance ----

test('a seed gives one text, another seed another', async () => {
  const made = model(families.gpt, 0.4);
  const text = async (seed) =>
    (await collect(made.generate(prompt, { temperature: 1.2, seed, maxNewTokens: 30 }))).join();
  assert.equal(await text(1), await text(1));
  assert.notEqual(await text(1), await text(2));
  made.dispose();
});

test('without a seed each text has its own, which the stream tells', async () => {
  const made = model(families.gpt, 0.1);
  const options = { temperature: 1, maxNewTokens: 20 };
  const streams = [made.generate(prompt, options), made.generate(prompt, options)];
  const texts = [await collect(streams[0]), await collect(streams[1])];
  assert.notDeepEqual(texts[0], texts[1]);
  for (const [i, { seed }] of streams.entries()) {
    assert.deepEqual(made.generateSync(prompt, { ...options, seed }), texts[i]);
  }
  assert.equal(made.generate(prompt).seed, null);
  made.dispose();
});

test('the best token alone, a topP of 0 and a cold temperature are greedy', async () => {
  const made = model(families.transformer);
  const text = (options) =>
    collect(made.generate(source, { maxNewTokens: 20, stopTokens: [], seed: 3, ...options }));
  const greedy = await text({});
  assert.deepEqual(await text({ topK: 1 }), greedy);
  assert.deepEqual(await text({ topK: 1, temperature: 5 }), greedy);
  assert.deepEqual(await text({ topP: 0 }), greedy);
  assert.deepEqual(await text({ temperature: 1e-6 }), greedy);
  made.dispose();
});

test('draws have the distribution that temperature, topK and topP say: chi-square', async (t) => {
  if (waits(t)) return;
  /* No layers and no positions: the prompt's last token alone makes the logits. */
  const made = gf.model({
    kind: 'gpt',
    vocab: 8,
    dModel: 8,
    heads: 1,
    layers: 0,
    positions: 'none',
    finalNorm: false,
    tied: false,
    maxLength: 1,
  });
  const identity = Array.from({ length: 64 }, (_, i) => Number(i % 9 === 0));
  made.parameters.get('embedding.weight').data.set(identity);
  const scores = [0.5, 1.5, -1, 0, 2, 1, -0.5, 0.2];
  made.parameters.get('logits.weight').data.set(scores);
  const draws = 4000;
  /* The 99.9th percentile of chi-square for so many degrees of freedom; the seeds are fixed. */
  const limit = [0, 10.8, 13.8, 16.3, 18.5, 20.5, 22.5, 24.3];
  for (const { temperature = 1, topK = 8, topP = 1, left } of [
    { left: 8 },
    { temperature: 0.5, left: 8 },
    { temperature: 2, left: 8 },
    { topK: 3, left: 3 },
    { topP: 0.7, left: 3 },
    { topK: 5, topP: 0.9, temperature: 1.5, left: 5 },
  ]) {
    const order = scores.map((_, id) => id).sort((a, b) => scores[b] - scores[a]);
    let kept = order.slice(0, topK);
    const shares = scores.map((x) => Math.exp(x / temperature));
    const sum = (ids) => ids.reduce((total, id) => total + shares[id], 0);
    const all = sum(kept);
    let count = 1;
    while (sum(kept.slice(0, count)) < topP * all - 1e-9) count++;
    kept = kept.slice(0, count);
    assert.equal(kept.length, left);
    const seen = scores.map(() => 0);
    for (let seed = 0; seed < draws; seed++) {
      const options = { temperature, topP, seed, ...(topK < 8 && { topK }) };
      for await (const token of made.generate([0], options)) seen[token]++;
    }
    let chi = 0;
    for (const [id, n] of seen.entries()) {
      if (!kept.includes(id)) assert.equal(n, 0);
      else {
        const due = (draws * shares[id]) / sum(kept);
        chi += (n - due) ** 2 / due;
      }
    }
    assert.ok(chi < limit[left - 1], `${chi} for ${left - 1}`);
  }
  made.dispose();
});

// ---- Turns and signals ----

test('a signal ends the loop, before the first token or after some', async () => {
  const made = model(families.gpt);
  const count = async (signal, options) => {
    let n = 0;
    for await (const _ of made.generate(prompt, { signal, ...options })) {
      n++;
      if (n === 3) stop.abort();
    }
    return n;
  };
  const stop = new AbortController();
  assert.equal(await count(stop.signal), 3);
  assert.equal(await count(stop.signal), 0);
  assert.equal(await count(stop.signal, { beams: 2 }), 0);
  const { signal } = stop;
  await assert.rejects(made.search(prompt, { signal }), { name: 'AbortError' });
  assert.deepEqual(await made.generate(prompt, { signal }), [], 'a stream ends');
  const options = { maxNewTokens: 4, stopTokens: [] };
  const all = made.generate(prompt, options);
  assert.deepEqual(await all, made.generateSync(prompt, options), 'await gives all tokens');
  assert.equal(await all, await all);
  made.dispose();
});

test('leaving the loop gives the memory back', async () => {
  const made = model({ ...families.transformer, maxLength: 40 });
  const once = async () => {
    for await (const _ of made.generate(source, { stopTokens: [] })) break;
    await made.search(source, { stopTokens: [] });
  };
  await once();
  const { used } = heaps;
  for (let i = 0; i < 20; i++) await once();
  assert.equal(heaps.used, used);
  made.dispose();
});

test('the scores of each token are written into the same arrays', () => {
  const made = model(families.gpt, 0.4);
  const decoder = new Decoder(weightsOf('test', made), made.config);
  const { logits, logProbs, probabilities } = decoder.feed([9]);
  const first = logits.slice();
  const next = decoder.feed([2]);
  assert.deepEqual(Array.from(next.logits), Array.from(uncached(made, [9, 2])));
  assert.notDeepEqual(next.logits, first);
  assert.ok(next.logits === logits && next.logProbs === logProbs);
  assert.ok(next.probabilities === probabilities);
  decoder.dispose();
  made.dispose();
});

test('onStep tells the probability of each token', async () => {
  const made = model(families.transformer, 0.4);
  const told = [];
  const options = { maxNewTokens: 5, stopTokens: [], temperature: 2, onStep: (s) => told.push(s) };
  const tokens = await collect(made.generate(source, options));
  assert.deepEqual(
    told.map(({ token }) => token),
    tokens,
  );
  for (const { token, logProb, logits } of told) {
    const total = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
    assert.ok(Math.abs(logits[token] - total - logProb) < 1e-5);
  }
  made.dispose();
});

test('wrong options and inputs are refused at the call', () => {
  const transformer = model(families.transformer);
  const gpt = model(families.gpt);
  const bert = model(families.bert);
  for (const [made, input, options, Kind, pattern] of [
    [bert, prompt, {}, TypeError, /generate: this model cannot generate/],
    [gpt, prompt, { topk: 3 }, TypeError, /unknown option "topk" \(did you mean "topK"\?\)/],
    [gpt, [], {}, TypeError, /prompt: expected ids, received an array of 0/],
    [gpt, [1, 11], {}, RangeError, /prompt\[1\]: .*received 11/],
    [gpt, [[1], [2]], {}, RangeError, /prompt: expected one sequence, received 2/],
    [
      gpt,
      Array(41).fill(1),
      {},
      RangeError,
      /expected at most 40 tokens \(maxLength\), received 41/,
    ],
    [gpt, prompt, { start: 1 }, TypeError, /start: a gpt begins with the prompt/],
    [gpt, prompt, { temperature: -1 }, RangeError, /temperature: .*received -1/],
    [gpt, prompt, { topP: 1.5 }, RangeError, /topP: .*received 1.5/],
    [gpt, prompt, { topK: 0.5 }, RangeError, /topK: .*received 0.5/],
    [gpt, prompt, { seed: -1 }, RangeError, /seed: .*received -1/],
    [gpt, prompt, { beams: 0 }, RangeError, /beams: .*received 0/],
    [gpt, prompt, { beams: 2, topK: 3 }, TypeError, /a beam search has no temperature/],
    [gpt, prompt, { stopTokens: 2 }, TypeError, /stopTokens: expected ids, received 2/],
    [gpt, prompt, { stopTokens: [11] }, RangeError, /stopTokens\[0\]: .*received 11/],
    [gpt, prompt, { maxNewTokens: -1 }, RangeError, /maxNewTokens: .*received -1/],
    [gpt, prompt, { signal: 1 }, TypeError, /signal: expected an AbortSignal, received 1/],
    [gpt, prompt, { onStep: 1 }, TypeError, /onStep: expected a function, received 1/],
    [transformer, [12], {}, RangeError, /source\[0\]: .*received 12/],
    [transformer, source, { start: 12 }, RangeError, /start\[0\]: .*received 12/],
  ]) {
    assert.throws(() => made.generate(input, options), refused(Kind, pattern));
  }
  for (const made of [transformer, gpt, bert]) made.dispose();
});
