// Errors are made from codes, sentences and what fills them in; whoever brings names from elsewhere is told ours.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEXTS as ofCore } from '../bindings/generated/sentences.js';
import { traceExample, train } from '../bindings/index.js';
import { languages } from '../bindings/js/base/speech.js';
import { load } from '../bindings/models.js';
import { tables } from './support/texts.js';

const gf = await load();
const root = path.resolve(import.meta.dirname, '../bindings');

const sources = readdirSync(root, { recursive: true })
  .filter((name) => name.endsWith('.js') && !/generated|\btexts\.js$/.test(name))
  .map((name) => readFileSync(path.join(root, name), 'utf8'))
  .join('\n');

test('each sentence has one name, and is said somewhere', () => {
  const names = Object.values(tables).flatMap((texts) => Object.keys(texts));
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
  const around = ['received', ...Object.keys(ofCore)];
  assert.deepEqual(
    names.filter(
      (name) => !around.includes(name) && !new RegExp(`'${name}'|TEXTS\\.${name}\\b`).test(sources),
    ),
    [],
  );
});

/** The error of a call.
 * @param {() => unknown} call
 * @returns {any} */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('was taken');
}

test('an error says its code, its sentence and what fills it in', () => {
  const wrong = errorOf(() => gf.softmax('x'));
  assert.equal(wrong.constructor, TypeError);
  assert.equal(wrong.code, 'GF_ETYPE');
  assert.equal(wrong.detail, 'values');
  assert.equal(wrong.params.given, '"x"');
  const far = errorOf(() => gf.softmax([1], { axis: 3 }));
  assert.equal(far.constructor, RangeError);
  assert.equal(far.code, 'GF_ERANGE');
  assert.equal(far.detail, 'integerFrom');
  assert.deepEqual([far.params.low, far.params.high, far.params.given], [-1, 0, '3']);
  const unfit = errorOf(() => gf.matmul([[1, 2]], [[1, 2]]));
  assert.equal(unfit.name, 'GlassformerError');
  assert.equal(unfit.code, 'GF_ESHAPE');
  assert.equal(unfit.detail, 'unfit');
  /* So that it can be posted to a page, and told there in another language. */
  for (const { params } of [wrong, far, unfit]) assert.deepEqual(structuredClone(params), params);
});

/** A tape with x [2,3], ids i [2] and y, x scaled. */
function small() {
  const tape = gf.tape();
  const x = tape.input('x', [2, 3]);
  const i = tape.ids('i', [2]);
  return { tape, x, i, y: tape.scale(x, 2, 'y') };
}

/** The same, planned. @param {import('../bindings/index.js').PlanOptions} [options] */
function planned(options) {
  const made = small();
  made.tape.plan(options);
  return made;
}

/** Memory for 2 rows of 3. */
const halves = () => gf.stored({ type: 'f16', rows: 2, columns: 3 });

/** What brings each of the core's sentences about.
 * @type {Record<string, (tape: ReturnType<typeof small>) => unknown>} */
const refusals = {
  nameless: ({ tape, x }) => tape.relu(x, ''),
  nameTooLong: ({ tape, x }) => tape.relu(x, 'n'.repeat(200)),
  nameTaken: ({ tape, x }) => tape.relu(x, 'x'),
  tapeClosed: () => planned().tape.input('z', [1]),
  rankOut: ({ tape }) => tape.input('z', [1, 1, 1, 1, 1]),
  dimensionOut: ({ tape }) => tape.input('z', [2, 0]),
  sizeOut: ({ tape }) => tape.input('z', [2 ** 16, 2 ** 16]),
  idsForFloats: ({ tape, i }) => tape.relu(i, 'z'),
  floatsForIds: ({ tape, x }) => tape.embed(x, x, 'z'),
  unfit: ({ tape, x }) => tape.matmul(x, x, 'z'),
  sizeOutOf: ({ tape }) => {
    const many = tape.input('many', [2 ** 30]);
    tape.concat(many, many, 0, 'z');
  },
  attributeUnfit: ({ tape, x }) => tape.concat(x, x, 2, 'z'),
  belowLeast: ({ tape, i }) => tape.position(i, 0, {}, 'z'),
  notFromZero: ({ tape, x }) => tape.layerNorm(x, null, null, -1, 'z'),
  notAboveZero: ({ tape, x }) => tape.softcap(x, 0, 'z'),
  notBelowOne: ({ tape, x, i }) => tape.dropout(x, i, 1, 'z'),
  notToOne: ({ tape, x, i }) => tape.crossEntropy(x, i, { labelSmoothing: 2 }, 'z'),
  tapeEmpty: () => gf.tape().plan(),
  beyondMemory: ({ tape }) => {
    tape.input('big', [2 ** 30]);
    tape.plan();
  },
  notPlanned: ({ tape }) => tape.forward(),
  noSlice: () => {
    const { tape, x, y } = planned();
    tape.forward(y, x);
  },
  idOut: ({ tape, x, i }) => {
    tape.embed(x, i, 'z');
    tape.plan();
    i.set([0, 7]);
    tape.forward();
  },
  operandNotComputed: ({ tape, y }) => {
    const z = tape.relu(y, 'z');
    tape.plan();
    tape.forward(z, z);
  },
  valueNotKept: ({ tape, y }) => {
    tape.relu(y, 'z');
    tape.plan({ reuse: true });
    tape.freeze(y);
  },
  noOperand: () => {
    const { tape, y } = planned();
    tape.bypass(y, 1);
  },
  operandUnlike: ({ tape, x }) => {
    const z = tape.matmul(x, tape.input('w', [3, 1]), 'z');
    tape.plan();
    tape.bypass(z, 0);
  },
  integerNotDifferentiated: ({ tape }) => {
    const w = tape.parameter('w', [32, 2]);
    const z = tape.linear(tape.input('long', [1, 32]), w, null, 'z');
    const matrix = gf.stored({ type: 'q8_0', rows: 2, columns: 32 });
    tape.bindStored(w, matrix.put(new Uint8Array(68)), { arithmetic: 'integer' });
    tape.plan();
    tape.forward();
    tape.backward(z, [[1, 1]]);
  },
  storedForFloats: ({ tape }) => {
    const w = tape.parameter('w', [2, 3]);
    tape.relu(w, 'z');
    tape.bindStored(w, halves());
  },
  storedAcross: ({ tape, x }) => {
    const w = tape.parameter('w', [3, 2]);
    tape.linear(x, w, null, 'z');
    tape.bindStored(w, gf.stored({ type: 'f16', rows: 3, columns: 2 }), { along: 1 });
  },
  storedAlready: ({ tape }) => {
    tape.parameter('w', [2, 3]);
    tape.bindStored('w', halves());
    tape.bindStored('w', halves());
  },
  notStorable: ({ tape, x }) => tape.bindStored(x, halves()),
};

test('the core has no sentence that it never says', () => {
  const core = path.resolve(root, '../src');
  const source = readdirSync(core, { recursive: true })
    .filter((name) => /\.(c|def)$/.test(name) && name !== 'errors.def')
    .map((name) => readFileSync(path.join(core, name), 'utf8'))
    .join('\n');
  const table = readFileSync(path.join(core, 'errors.def'), 'utf8');
  const all = [...table.matchAll(/^GF_SENTENCE(?:_OF_C)?\((\w+),/gm)].map(([, name]) => name);
  assert.ok(all.length > 45);
  assert.deepEqual(
    all.filter((name) => !new RegExp(`\\b(SAYS_)?${name}\\b`).test(source)),
    [],
  );
});

test('each sentence of the core comes with its code and parameters, in every language', () => {
  assert.deepEqual(Object.keys(refusals).sort(), Object.keys(ofCore).sort());
  const translations = languages.slice(1).map((language) => {
    const file = path.resolve(root, `words/${language}/page.json`);
    return JSON.parse(readFileSync(file, 'utf8')).errors;
  });
  for (const [name, call] of Object.entries(refusals)) {
    const error = errorOf(() => call(small()));
    assert.equal(error.detail, name);
    assert.match(error.code, /^GF_E[A-Z]+$/, name);
    const holes = [...ofCore[name].matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole).sort();
    for (const hole of holes) assert.notEqual(error.params[hole], undefined, `${name}: ${hole}`);
    for (const errors of translations) {
      const theirs = [...(errors[name] ?? '').matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole);
      assert.ok(errors[name] && errors[name] !== ofCore[name], name);
      assert.deepEqual(theirs.sort(), holes, name);
    }
  }
});

test('a node, a method and what it was given stand in the core’s refusals as their callers know them', () => {
  const told = (/** @type {() => unknown} */ call) => errorOf(call).message;
  const { tape, x } = small();
  assert.equal(
    told(() => tape.concatHeads(x, 'z')),
    'z: concatHeads: shapes do not fit: [2,3]',
  );
  const attention = errorOf(() => tape.attention({ query: x, key: x, value: x, heads: 2 }, 'a'));
  assert.equal(attention.node, 'a.q.heads');
  assert.match(attention.message, /^a\.q\.heads: heads: heads 2 is out of range for \[2,3\]/);
  assert.match(
    told(() => gf.gemm([[1]], [[1]], null, { alpha: Number.NaN })),
    /^gemm: /,
  );
  const unfit = errorOf(() => gf.linear([[1, 2]], [[1]]));
  assert.equal(unfit.message, 'linear: shapes do not fit: [1,2] x [1,1]');
  assert.equal(unfit.node, null);
  assert.deepEqual(unfit.params, { shapes: '[1,2] x [1,1]', where: 'linear', node: undefined });
  tape.dispose();
});

const tiny = { kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 8 };
const x = [[1, 0]];

for (const [call, name] of /** @type {[() => unknown, string][]} */ ([
  [() => gf.attention({ q: x, k: x, v: x, numHeads: 1 }), '"heads"'],
  [() => gf.attention({ q: x, k: x, v: x, num_heads: 1 }), '"heads"'],
  [() => gf.attention({ q: x, k: x, v: x, is_causal: true }), '"causal"'],
  [() => gf.attention({ q: x, k: x, v: x, attn_mask: x }), '"mask"'],
  [() => gf.attention({ query: x, key: x, value: x }), '"q"'],
  [() => gf.softmax(x, { dim: 0 }), '"axis"'],
  [() => gf.layerNorm(x, null, null, { eps: 0 }), '"epsilon"'],
  [() => gf.model({ ...tiny, hidden_size: 8 }), '"dModel"'],
  [() => gf.model({ ...tiny, d_model: 8 }), '"dModel"'],
  [() => gf.model({ ...tiny, n_head: 2 }), '"heads"'],
  [() => gf.model({ ...tiny, n_layer: 2 }), '"layers"'],
  [() => gf.model({ ...tiny, vocab_size: 2 }), '"vocab"'],
  [() => gf.model({ ...tiny, dim_feedforward: 2 }), '"dFF"'],
  [() => gf.model(tiny).forward({ input_ids: [1] }), '"target"'],
  [() => gf.model(tiny).forward({ target: [1], attention_mask: [[1]] }), '"targetMask"'],
  [() => train(gf.model(tiny), [], { lr: 1 }), '"rate"'],
  [() => train(gf.model(tiny), [], { learning_rate: 1 }), '"rate"'],
  [() => train(gf.model(tiny), [], { learningRate: 1 }), '"rate"'],
  [() => train(gf.model(tiny), [], { weight_decay: 1 }), '"weightDecay"'],
  [() => gf.adam({ value: [1], grad: [1], m: [0], v: [0] }, { lr: 1 }), '"learningRate"'],
  [() => gf.model(tiny).generate([1], { max_new_tokens: 1 }), '"maxNewTokens"'],
  [() => gf.model(tiny).generate([1], { eos_token_id: 1 }), '"stopTokens"'],
  [() => gf.model(tiny).generate([1], { num_beams: 1 }), '"beams"'],
])) {
  test(`ours for a name from elsewhere: ${call.toString().slice(6)}`, () => {
    const error = errorOf(call);
    assert.equal(error.detail, 'unknownOption');
    const hints = [`(here it is called ${name})`, `(did you mean ${name}?)`];
    assert.ok(
      hints.some((hint) => error.message.endsWith(hint)),
      error.message,
    );
  });
}

test('only a name that is near is suggested', () => {
  const far = errorOf(() => gf.softmax(x, { temperature: 2 }));
  assert.match(far.message, /unknown option "temperature" \(known: axis\)$/);
  assert.match(errorOf(() => gf.softmax(x, { axes: 2 })).message, /did you mean "axis"\?\)$/);
});

test('a forgotten await is noticed', async () => {
  const pending = load();
  const trace = errorOf(() => traceExample(/** @type {any} */ (pending), 'three-tokens'));
  assert.match(trace.message, /received a Promise \(is an await missing\?\)$/);
  await pending;
  const model = gf.model(tiny);
  for (const [generator, where] of /** @type {[any, string][]} */ ([
    [train(model, []), 'train'],
    [model.generate([1]), 'generate'],
  ])) {
    const loop = errorOf(() => [...generator]);
    assert.match(loop.message, new RegExp(`${where}: read it with for await`));
    const value = errorOf(() => gf.relu(generator));
    assert.match(value.message, /received an async iterator \(read it with for await, or await\)$/);
  }
  model.dispose();
});

test('a loss without labels is asked for by name', () => {
  const model = gf.model(tiny);
  const run = model.forward({ target: [1, 2] });
  const error = errorOf(() => run.loss);
  assert.equal(error.code, 'GF_ENAME');
  assert.match(error.message, /no loss without labels: give them to forward/);
  run.dispose();
  model.dispose();
});

test('attention names k and v if their lengths differ', () => {
  const error = errorOf(() =>
    gf.attention({
      q: x,
      k: [
        [1, 0],
        [0, 1],
      ],
      v: x,
    }),
  );
  assert.equal(error.code, 'GF_ESHAPE');
  assert.match(error.message, /as many keys as values, received k \[2,2\] and v \[1,2\]/);
});

test('what is passed in place of another thing: the error says what to pass', async () => {
  const { embed, generateText, generateTokens } = await import('../bindings/models/text/index.js');
  const { open } = await import('../bindings/index.js');
  const { ablate } = await import('../bindings/lab/inside/index.js');
  const model = gf.model(tiny);
  const letters = { encode: () => [1], decode: () => '' };
  const run = model.forward({ target: [1, 2] });
  const opened = /** @type {any} */ ({ model, family: null });
  const bert = readFileSync(path.join(root, '../tests/reference/fixtures/bert/model.safetensors'));
  for (const [call, words] of /** @type {[() => any, RegExp][]} */ ([
    [
      () => generateTokens(opened, [1]),
      /expected a model, .*\{model, family\} \(pass its field model\)/,
    ],
    [
      () => model.forward(/** @type {any} */ ([1])),
      /received an array of 1 \(known: source, target, /,
    ],
    [() => gf.open(/** @type {any} */ (bert)), /received Buffer of \d+$/],
    [
      () => gf.open(/** @type {any} */ ('x.gguf')),
      /use open\(\) of glassformer, received "x\.gguf"/,
    ],
    [
      () => generateText(model, letters, /** @type {any} */ (['a', 'b'])),
      /generateTexts takes several/,
    ],
    [
      () => generateText(model, letters, /** @type {any} */ ([{ role: 'user', content: 'a' }])),
      /session\(\) of glassformer\/chat takes messages/,
    ],
    [() => run.tensor('weights'), /did you mean "decoder\.layers\.0\.self_attn\.weights"\?/],
    [() => open(bert), /config\.json: is missing.*Open the folder/],
    [() => open('owner/a-model'), /not looked up by name: pass a path/],
  ])) {
    await assert.rejects(async () => await call(), words);
  }
  run.dispose();
  /* Null is an option that is left out. */
  const none = { signal: null, onProgress: null };
  const each = /** @type {const} */ ({ each: 'head' });
  const inputs = { target: [1, 2] };
  const { grid } = await ablate(model, inputs, /** @type {any} */ ({ ...each, ...none, at: null }));
  assert.deepEqual(grid, (await ablate(model, inputs, each)).grid);
  const text = { ...none, hooks: null, schema: null, maxNewTokens: null, stop: null };
  assert.ok((await generateText(model, letters, [1], /** @type {any} */ (text))).tokens.length);
  assert.equal((await embed(model, letters, ['a'], /** @type {any} */ (none))).length, 1);
  model.dispose();
});
