// Vectors, classes and masks, against transformers (tests/reference/embeddings.py) and float64.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { importModel } from '../../../bindings/index.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { weightsOf } from '../../../bindings/js/model/model.js';
import {
  classify,
  classifyTokens,
  embed,
  fillMask,
  nearest,
  pad,
  trainClassifier,
  unpad,
} from '../../../bindings/models/text/index.js';
import { load as loadModels, openCheckpoint } from '../../../bindings/models.js';
import { bits, families, gf, model, refused } from '../model/small.js';

const fixtures = new URL('../../reference/fixtures/', import.meta.url);
const cases = JSON.parse(readFileSync(new URL('embeddings.json', fixtures), 'utf8'));
const opened = (family) => {
  const file = (name) => readFileSync(new URL(`${family}/${name}`, fixtures));
  const config = JSON.parse(file('config.json'));
  return gf.open(importModel({ config, bytes: file('model.safetensors') }));
};

/** A letter for each id. */
const tokenizer = {
  encode: (text) => Array.from(text, (letter) => letter.charCodeAt(0) - 97),
  decode: (ids) => String.fromCharCode(...Array.from(ids, (id) => 97 + id)),
};

function near(actual, expected, most, what) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    const off = Math.abs(actual[i] - value) / (1 + Math.abs(value));
    assert.ok(off < most, `${what} [${i}]: ${actual[i]} instead of ${value}`);
  }
}

test('vectors are those of transformers, for texts of all lengths at once', async () => {
  for (const family of new Set(cases.map((one) => one.family))) {
    const made = opened(family);
    for (const pooling of new Set(cases.map((one) => one.pooling))) {
      const own = cases.filter((one) => one.family === family && one.pooling === pooling);
      const ids = own.map((one) => one.ids);
      const raw = await embed(made, tokenizer, ids, { pooling, normalize: false });
      const vectors = await embed(made, tokenizer, ids, { pooling });
      for (const [i, one] of own.entries()) {
        near(raw[i], one.raw, 1e-5, `${family} ${pooling}`);
        near(vectors[i], one.normalized, 1e-5, `${family} ${pooling}`);
      }
    }
    made.dispose();
  }
});

test('texts that are no list, too long, or pooled by a name of others are refused with what helps', async () => {
  const made = model({ ...families.bert, maxLength: 4 });
  for (const [texts, options, kind, pattern] of [
    ['abc', {}, TypeError, /texts: expected an array of texts or their ids, such as \[text\]/],
    [['abcde'], {}, RangeError, /has 5 tokens, and the model takes 4: .*the option truncate/],
    [['a'], { pooling: 'cls' }, RangeError, /received "cls" \(here it is called "first"\)/],
  ]) {
    await assert.rejects(embed(made, tokenizer, texts, options), refused(kind, pattern));
  }
  made.dispose();
});

test('nothing behind the last layer is computed, and no gradient has memory', async () => {
  for (const options of [families.bert, families.gpt, families.transformer]) {
    const made = model(options);
    const weights = weightsOf('test', made);
    const { tape } = weights;
    const nodes = [];
    weights.tape = (...given) => {
      const one = tape.apply(weights, given);
      nodes.push(...one.nodes.map(({ role, part }) => ({ role, part })));
      return one;
    };
    await embed(made, tokenizer, ['abc', 'd']);
    assert.ok(nodes.length > 20);
    const roles = new Set(nodes.map(({ role }) => role));
    for (const role of ['logit', 'pooled']) assert.ok(!roles.has(role), `${options.kind} ${role}`);
    const parts = new Set(nodes.map(({ part }) => part));
    for (const part of ['prediction', 'pooler', 'cross_attn']) assert.ok(!parts.has(part), part);
    assert.equal(weights.blocks.has('gradients'), false);
    made.dispose();
  }
});

test('a text among others has the bits that it has alone, with every pooling', async () => {
  const made = model(families.gpt);
  const texts = ['abcdefg', 'h', 'gfe', 'abcabcabc', 'i'];
  for (const pooling of ['mean', 'first', 'last']) {
    const all = await embed(made, tokenizer, texts, { pooling, normalize: false });
    for (const [i, text] of texts.entries()) {
      const run = made.forward({ target: tokenizer.encode(text), gradients: false });
      const rows = run.tensor('decoder.norm').toArray()[0];
      run.dispose();
      const columns = rows[0].map((_, c) => {
        if (pooling === 'first') return rows[0][c];
        if (pooling === 'last') return rows.at(-1)[c];
        return rows.reduce((sum, row) => sum + row[c], 0) / rows.length;
      });
      assert.equal(bits(all[i]), bits(columns), `${pooling} ${text}`);
    }
  }
  assert.deepEqual(await embed(made, tokenizer, []), []);
  made.dispose();
});

test('a model so large that a batch takes several slices gives the same', async () => {
  const large = {
    kind: 'bert',
    vocab: 26,
    dModel: 256,
    heads: 4,
    layers: 6,
    maxLength: 64,
    seed: 2,
  };
  const made = gf.model(large);
  const texts = ['abc'.repeat(9), 'xyz'.repeat(10), 'm'];
  const vectors = await embed(made, tokenizer, texts, { pooling: 'first', normalize: false });
  for (const [i, text] of texts.entries()) {
    const run = made.forward({ target: tokenizer.encode(text), gradients: false });
    const rows = run.tensor('encoder.layers.5.norm2').data;
    assert.equal(bits(vectors[i]), bits(rows.slice(0, 256)), text);
    run.dispose();
  }
  made.dispose();
});

test('long texts are refused, or lose what is before their last token', async () => {
  const made = model(families.bert);
  const long = 'abcdefg'.repeat(6);
  await assert.rejects(
    embed(made, tokenizer, ['a', long]),
    refused(RangeError, /embed: texts\[1\]: the text has 42 tokens, and the model takes 40/),
  );
  const cut = long.slice(0, 39) + long.at(-1);
  const [one] = await embed(made, tokenizer, [long], { truncate: true });
  const [two] = await embed(made, tokenizer, [cut]);
  assert.equal(bits(one), bits(two));
  made.dispose();
});

test('a signal ends it, and progress tells how far it is', async () => {
  const made = model(families.bert);
  const texts = Array.from({ length: 30 }, (_, i) => 'ab'.repeat(1 + (i % 5)));
  const parts = [];
  await embed(made, tokenizer, texts, { onProgress: (part) => parts.push(part) });
  assert.equal(parts.at(-1), 1);
  const reason = new Error('enough');
  await assert.rejects(
    embed(made, tokenizer, texts, { signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  );
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => controller.abort() };
  await assert.rejects(embed(made, tokenizer, texts, options), { name: 'AbortError' });
  made.dispose();
});

test('nearest: by the cosine, the earlier one of equals first', () => {
  const vectors = [
    [1, 0],
    [0, 3],
    [2, 2],
    [-1, 0],
    [0, 0],
    [5, 5],
  ];
  const found = nearest([1, 1], vectors, 3);
  assert.deepEqual(
    found.map(({ index }) => index),
    [2, 5, 0],
  );
  near(
    found.map(({ score }) => score),
    [1, 1, Math.SQRT1_2],
    1e-15,
    'cosine',
  );
  assert.throws(
    () => nearest([1, 1], [[1]], 1),
    refused(RangeError, /nearest: vectors\[0\]: expected a vector of 2/),
  );
  assert.throws(() => nearest([], [], 1), refused(TypeError, /expected vectors of numbers/));
});

test('nearest: the cosine of vectors as long or as short as float64 has them', () => {
  for (const size of [1e-320, 1e-300, 1, 1e200, Number.MAX_VALUE / 2]) {
    const vectors = [
      [0, size],
      [size, 0],
      [-size, size],
      [size, size],
    ];
    const found = nearest([size, size], vectors, 4);
    assert.deepEqual(
      found.map(({ index }) => index),
      [3, 0, 1, 2],
    );
    near(
      found.map(({ score }) => score),
      [1, Math.SQRT1_2, Math.SQRT1_2, 0],
      1e-15,
      `${size}`,
    );
  }
  assert.deepEqual(nearest([1, 2], [new Float32Array(2)], 1), [{ index: 0, score: 0 }]);
});

test('nearest refuses what is no vector of finite numbers', () => {
  for (const [vector, vectors, Kind, pattern] of [
    [
      [NaN, 1],
      [[1, 1]],
      RangeError,
      /^nearest: vector\[0\]: expected a finite number, received NaN$/,
    ],
    [
      [1, 1],
      [
        [1, 0],
        [Infinity, 1],
      ],
      RangeError,
      /^nearest: vectors\[1\]\[0\]: .*received Infinity$/,
    ],
    [['1', 1], [[1, 1]], TypeError, /^nearest: vector\[0\]: expected a number, received "1"$/],
    ['ab', [[1, 1]], TypeError, /^nearest: vector: expected vectors of numbers, received "ab"$/],
    [
      [1, 1],
      ['ab'],
      TypeError,
      /^nearest: vectors\[0\]: expected vectors of numbers, received "ab"$/,
    ],
    [
      [1, 1],
      [{ length: 2 }],
      TypeError,
      /^nearest: vectors\[0\]: .*received an object \{length\}$/,
    ],
    [[1, 1], [new BigInt64Array(2)], TypeError, /^nearest: vectors\[0\]\[0\]: .*received 0n$/],
  ])
    assert.throws(() => nearest(vector, vectors, 1), refused(Kind, pattern));
});

test('a mask is filled with the tokens that the logits say', async () => {
  const made = model(families.bert);
  const ids = [3, 9, 4, 9, 1];
  const run = made.forward({ target: ids, gradients: false });
  const logits = run.logits.toArray()[0];
  run.dispose();
  const found = await fillMask(made, tokenizer, ids, { mask: 9, best: 4 });
  assert.equal(found.length, 2);
  for (const [i, place] of [1, 3].entries()) {
    const powers = logits[place].map(Math.exp);
    const sum = powers.reduce((a, b) => a + b, 0);
    const order = [...powers.keys()].sort((a, b) => powers[b] - powers[a]).slice(0, 4);
    assert.deepEqual(
      found[i].map(({ token }) => token),
      order,
    );
    assert.deepEqual(
      found[i].map(({ text }) => text),
      order.map((id) => tokenizer.decode([id])),
    );
    near(
      found[i].map(({ probability }) => probability),
      order.map((id) => powers[id] / sum),
      1e-5,
      'probability',
    );
  }
  const named = {
    ...tokenizer,
    tokens: (all) => Array.from(all, (id) => (id === 9 ? '[MASK]' : 'x')),
  };
  assert.deepEqual(await fillMask(made, named, ids, { best: 4 }), found);
  await assert.rejects(
    fillMask(made, named, [1, 2]),
    refused(RangeError, /fillMask: text: the text has no mask/),
  );
  made.dispose();
  const other = model(families.gpt);
  await assert.rejects(fillMask(other, tokenizer, 'a'), refused(TypeError, /cannot fill masks/));
  other.dispose();
});

// ---- Classes ----

/** AdamW on softmax regression by its formulas, in float64: the layer and its losses after each step. */
function regression(vectors, ids, classes, { steps, rate, decay }) {
  const width = vectors[0].length;
  const make = () => Array.from({ length: width + 1 }, () => Array(classes).fill(0));
  const [value, m, v] = [make(), make(), make()];
  const losses = [];
  for (let step = 1; step <= steps; step++) {
    const grad = make();
    let loss = 0;
    for (const [n, vector] of vectors.entries()) {
      const inputs = [...vector, 1];
      const logits = Array.from({ length: classes }, (_, k) =>
        inputs.reduce((sum, x, i) => sum + x * value[i][k], 0),
      );
      const all = logits.reduce((sum, x) => sum + Math.exp(x), 0);
      loss -= (logits[ids[n]] - Math.log(all)) / vectors.length;
      for (let k = 0; k < classes; k++) {
        const off = (Math.exp(logits[k]) / all - Number(k === ids[n])) / vectors.length;
        for (const [i, x] of inputs.entries()) grad[i][k] += off * x;
      }
    }
    losses.push(loss);
    for (let i = 0; i <= width; i++) {
      for (let k = 0; k < classes; k++) {
        m[i][k] = 0.9 * m[i][k] + 0.1 * grad[i][k];
        v[i][k] = 0.999 * v[i][k] + 0.001 * grad[i][k] ** 2;
        const mHat = m[i][k] / (1 - 0.9 ** step);
        const vHat = v[i][k] / (1 - 0.999 ** step);
        if (i < width) value[i][k] -= rate * decay * value[i][k];
        value[i][k] -= (rate * mHat) / (Math.sqrt(vHat) + 1e-8);
      }
    }
  }
  return { value, losses };
}

/** Texts of the first half of the letters, and of the second. */
const examples = Array.from({ length: 24 }, (_, i) => ({
  text: Array.from({ length: 2 + (i % 3) }, (_, j) =>
    tokenizer.decode([(i % 2) * 5 + ((i * 7 + j * 3) % 5)]),
  ).join(''),
  label: i % 2 ? 'late' : 'early',
}));

test('a classifier is trained as AdamW says, on a model that stays as it is', async () => {
  const made = model(families.bert, 0.3);
  const before = bits(made.parameters.get('embedding.weight').data);
  const steps = [];
  const options = { steps: 25, rate: 0.05, onProgress: (step) => steps.push(step) };
  const classifier = await trainClassifier(made, tokenizer, examples, options);
  assert.deepEqual(classifier.labels, ['early', 'late']);
  const vectors = await embed(
    made,
    tokenizer,
    examples.map(({ text }) => text),
  );
  const ids = examples.map(({ label }) => classifier.labels.indexOf(label));
  const { value, losses } = regression(vectors, ids, 2, { steps: 25, rate: 0.05, decay: 0.01 });
  near(classifier.weight, value.slice(0, -1).flat(), 1e-4, 'weight');
  near(classifier.bias, value.at(-1), 1e-4, 'bias');
  const told = steps.filter(({ step }) => step > 0);
  near(
    told.map(({ loss }) => loss),
    losses,
    1e-4,
    'loss',
  );
  assert.equal(told.at(-1).part, 1);
  assert.equal(bits(made.parameters.get('embedding.weight').data), before);
  assert.equal(weightsOf('test', made).blocks.has('gradients'), false);
  assert.equal(made.step, 0);

  const texts = ['abca', 'gfhi', 'b', 'jjj'];
  const classes = await classify(made, tokenizer, texts, classifier);
  for (const [i, vector] of (await embed(made, tokenizer, texts)).entries()) {
    const [a, b] = [0, 1].map((k) =>
      [...vector, 1].reduce((sum, x, j) => sum + x * value[j][k], 0),
    );
    const early = 1 / (1 + Math.exp(b - a));
    const { label, probability, probabilities } = classes[i];
    assert.equal(label, early > 0.5 ? 'early' : 'late');
    near([probabilities.early, probabilities.late], [early, 1 - early], 1e-4, 'probability');
    assert.equal(probability, probabilities[label]);
  }
  made.dispose();
});

test('of the steps the one with the least validation loss is kept', async () => {
  const made = model(families.bert, 0.3);
  /* Labelled the other way round: each step makes it worse. */
  const validation = examples
    .slice(0, 6)
    .map(({ text, label }) => ({ text, label: label === 'late' ? 'early' : 'late' }));
  const steps = [];
  const options = { steps: 9, rate: 0.05, onProgress: (step) => steps.push(step) };
  const kept = await trainClassifier(made, tokenizer, examples, { ...options, validation });
  const told = steps.filter(({ step }) => step > 0);
  const least = told.reduce((a, b) => (b.validationLoss < a.validationLoss ? b : a));
  assert.equal(least.step, 1);
  const once = await trainClassifier(made, tokenizer, examples, { steps: 1, rate: 0.05 });
  assert.equal(bits(kept.weight), bits(once.weight));
  assert.ok(told.at(-1).accuracy < 0.5);
  made.dispose();
});

test('what is no example, no label and no classifier is refused', async () => {
  const made = model(families.bert);
  const train = (given, options) => trainClassifier(made, tokenizer, given, options);
  await assert.rejects(train('x'), refused(TypeError, /examples: expected an array of \{ text/));
  await assert.rejects(
    train([{ text: 'a' }]),
    refused(TypeError, /examples\[0\]: label: expected/),
  );
  await assert.rejects(
    train([{ text: 'a', label: 'x' }]),
    refused(RangeError, /examples of two labels or more, received 1/),
  );
  await assert.rejects(
    train(examples, { validation: [{ text: 'a', label: 'x' }] }),
    refused(RangeError, /no example to train on has the label "x"/),
  );
  await assert.rejects(
    classify(made, tokenizer, ['a'], {}),
    refused(TypeError, /classify: classifier: expected a classifier/),
  );
  const classifier = await train(examples, { steps: 1 });
  const wide = model({ ...families.bert, dModel: 16 });
  await assert.rejects(
    classify(wide, tokenizer, ['a'], classifier),
    refused(RangeError, /reads vectors of 8, the model gives 16/),
  );
  assert.deepEqual(await classify(made, tokenizer, [], classifier), []);
  made.dispose();
  wide.dispose();
});

test('pad and unpad: ragged ids, and ids with an attention mask', () => {
  const ragged = [[5, 6, 7], [8], [9, 10]];
  const right = pad(ragged, { value: 1 });
  assert.deepEqual(right.ids, [
    [5, 6, 7],
    [8, 1, 1],
    [9, 10, 1],
  ]);
  assert.deepEqual(right.mask, [
    [1, 1, 1],
    [1, 0, 0],
    [1, 1, 0],
  ]);
  const left = pad(ragged, { side: 'left' });
  assert.deepEqual(left.ids, [
    [5, 6, 7],
    [0, 0, 8],
    [0, 9, 10],
  ]);
  for (const { ids, mask } of [right, left]) assert.deepEqual(unpad(ids, mask), ragged);
  assert.deepEqual(pad([]), { ids: [], mask: [] });
  assert.throws(
    () => unpad([[1, 2, 3]], [[1, 0, 1]]),
    refused(RangeError, /unpad: mask\[0\]: expected a 1 for each token.*received 1,0,1/),
  );
  assert.throws(
    () => unpad([[1, 2]], [[11, 0]]),
    refused(RangeError, /unpad: mask\[0\]: expected a 1 for each token.*received 11,0/),
  );
  assert.throws(() => unpad([[1]], []), refused(RangeError, /mask: expected 1 sequences/));
  assert.throws(() => unpad([[1]], [[1, 1]]), refused(RangeError, /mask\[0\]: expected 1 tokens/));
  assert.throws(() => pad([3]), refused(TypeError, /pad: ids\[0\]: expected ids, received 3/));
});

/** A checkpoint with a head for classes, and what transformers makes of its inputs. */
async function withHead(name, more = {}) {
  const file = (part) => readFileSync(new URL(`${name}/${part}`, fixtures));
  const config = { ...JSON.parse(file('config.json')), ...more };
  const checkpoint = await openCheckpoint(file('model.safetensors'), { config });
  const { tensors } = readSafetensors(file('expected.safetensors'));
  const [ids, lengths, logits] = ['input_ids', 'lengths', 'logits'].map((key) => tensors.get(key));
  const [, width] = ids.shape;
  const texts = Array.from(lengths.data, (n, i) =>
    Array.from(ids.data.slice(i * width, i * width + n)),
  );
  const made = await (await loadModels()).openModel(checkpoint);
  return { checkpoint, config, file, logits, made, texts };
}

/** The softmax of one row. @returns {number[]} */
function softmaxOf(logits) {
  const powers = Array.from(logits, (x) => Math.exp(x - Math.max(...logits)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** The sigmoid of each. @returns {number[]} */
const sigmoidOf = (logits) => Array.from(logits, (x) => 1 / (1 + Math.exp(-x)));

function isClassified({ label, probability, probabilities }, labels, logits, what, by = softmaxOf) {
  const expected = by(logits);
  near(
    labels.map((one) => probabilities[one]),
    expected,
    1e-5,
    what,
  );
  assert.equal(label, labels[expected.indexOf(Math.max(...expected))]);
  assert.equal(probability, probabilities[label]);
}

const ENCODERS = ['bert', 'roberta', 'distilbert', 'albert'];
const DECODERS = ['gpt2', 'neo', 'neox', 'llama', 'qwen2', 'qwen3'];
for (const family of [...ENCODERS, ...DECODERS]) {
  test(`${family}: a file's own classes of texts and of tokens are those of transformers`, async () => {
    const ofTexts = await withHead(`${family}-classes-odd-0`);
    const { labels } = ofTexts.checkpoint;
    const found = await classify(ofTexts.made, tokenizer, ofTexts.texts, labels);
    assert.equal(found.length, 2);
    for (const [i, one] of found.entries()) {
      const row = ofTexts.logits.data.slice(i * labels.length, (i + 1) * labels.length);
      isClassified(one, labels, row, `text ${i}`);
    }

    const ofTokens = await withHead(`${family}-tokens-odd-0`);
    const own = ofTokens.checkpoint.labels;
    const [, width] = ofTokens.logits.shape;
    const tokens = await classifyTokens(ofTokens.made, tokenizer, ofTokens.texts, own);
    for (const [i, text] of ofTokens.texts.entries()) {
      assert.deepEqual(
        tokens[i].map(({ token }) => token),
        text,
      );
      for (const [at, one] of tokens[i].entries()) {
        const from = (i * width + at) * own.length;
        isClassified(one, own, ofTokens.logits.data.slice(from, from + own.length), `${i} ${at}`);
      }
    }

    for (const { made, texts } of [ofTexts, ofTokens]) {
      const run = made.forward({ target: texts });
      const { inputs } = run.tensor('classes');
      const vectors = await embed(made, tokenizer, texts, { pooling: 'last', normalize: false });
      assert.deepEqual(
        vectors.map(({ length }) => length),
        [made.config.dModel, made.config.dModel],
      );
      /* Of tokens, the head reads what leaves the last layer. */
      if (made !== ofTokens.made) continue;
      const [, many, wide] = inputs[0].shape;
      for (const [i, { length }] of texts.entries()) {
        const from = (i * many + length - 1) * wide;
        assert.equal(bits(vectors[i]), bits(inputs[0].data.slice(from, from + wide)));
      }
    }
    ofTexts.made.dispose();
    ofTokens.made.dispose();
  });
}

test('labels that do not exclude each other have a probability each, as transformers has it', async () => {
  for (const [name, ask] of [
    ['bert-classes-odd-0', classify],
    ['bert-tokens-odd-0', classifyTokens],
  ]) {
    const problem_type = 'multi_label_classification';
    const { checkpoint, made, texts, logits } = await withHead(name, { problem_type });
    const { labels, multiLabel } = checkpoint;
    assert.equal(multiLabel, true);
    const found = (await ask(made, tokenizer, texts, labels, { multiLabel })).flat();
    assert.ok(found.length >= texts.length);
    /* Of each text, or of the tokens of the first. */
    const many = ask === classify ? texts.length : texts[0].length;
    for (let i = 0; i < many; i++) {
      const row = logits.data.slice(i * labels.length, (i + 1) * labels.length);
      isClassified(found[i], labels, row, `${name} ${i}`, sigmoidOf);
    }
    made.dispose();
  }
  const { checkpoint, made } = await withHead('bert-classes-odd-0');
  assert.equal(checkpoint.multiLabel, false);
  await assert.rejects(
    classify(made, tokenizer, ['a'], checkpoint.labels, { multiLabel: 1 }),
    refused(TypeError, /multiLabel: expected true or false, received 1/),
  );
  made.dispose();
});

test('labels that are not those of the head are refused, as is a model without one', async () => {
  const { made, checkpoint } = await withHead('bert-classes-odd-0');
  const { labels } = checkpoint;
  const plain = model(families.bert);
  for (const [work, kind, message] of [
    [() => classify(made, tokenizer, ['a'], labels.slice(1)), RangeError, /labels: expected the 5/],
    [
      () => classify(made, tokenizer, ['a'], ['x', 'x', 'y', 'z', 'w']),
      RangeError,
      /the 5 different labels of the checkpoint, received 4$/,
    ],
    [() => classifyTokens(made, tokenizer, ['a'], labels), TypeError, /call classify$/],
    [() => classify(plain, tokenizer, ['a'], ['x', 'y']), TypeError, /make a classifier by/],
  ]) {
    await assert.rejects(work, (error) => error instanceof kind && message.test(error.message));
  }
  made.dispose();
  plain.dispose();
});
