// Errors are made from codes, sentences and what fills them in; whoever brings names from elsewhere is told ours.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEXTS as base } from '../bindings/base/texts.js';
import { TEXTS as checkpoints } from '../bindings/checkpoints/texts.js';
import { TEXTS as formats } from '../bindings/formats/texts.js';
import { TEXTS as tokenizer } from '../bindings/formats/tokenizer-texts.js';
import { load, traceExample } from '../bindings/index.js';
import { TEXTS as selfTest } from '../bindings/self-test/texts.js';
import { TEXTS as ofTasks } from '../bindings/tasks/texts.js';
import { TEXTS as trace } from '../bindings/trace/texts.js';

const tables = { base, checkpoints, formats, tokenizer, selfTest, ofTasks, trace };
const gf = await load();
const root = path.resolve(import.meta.dirname, '../bindings');

const sources = readdirSync(root, { recursive: true })
  .filter((name) => name.endsWith('.js') && !/generated|texts\.js$/.test(name))
  .map((name) => readFileSync(path.join(root, name), 'utf8'))
  .join('\n');

test('each sentence has one name, and is said somewhere', () => {
  const names = Object.values(tables).flatMap((texts) => Object.keys(texts));
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
  const around = ['received'];
  assert.deepEqual(
    names.filter((name) => !around.includes(name) && !new RegExp(`'${name}'`).test(sources)),
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
  [() => gf.model(tiny).forward({ input_ids: [1] }), '"source" / "target"'],
  [
    () => gf.model(tiny).forward({ target: [1], attention_mask: [[1]] }),
    '"sourceMask" / "targetMask"',
  ],
  [() => gf.model(tiny).train([], { lr: 1 }), '"rate"'],
  [() => gf.model(tiny).train([], { learning_rate: 1 }), '"rate"'],
  [() => gf.model(tiny).train([], { learningRate: 1 }), '"rate"'],
  [() => gf.model(tiny).train([], { weight_decay: 1 }), '"weightDecay"'],
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
  assert.match(far.message, /unknown option "temperature"$/);
  assert.match(errorOf(() => gf.softmax(x, { axes: 2 })).message, /did you mean "axis"\?\)$/);
});

test('a forgotten await is noticed', async () => {
  const pending = load();
  const trace = errorOf(() => traceExample(/** @type {any} */ (pending), 'three-tokens'));
  assert.match(trace.message, /received a Promise \(is an await missing\?\)$/);
  await pending;
  const model = gf.model(tiny);
  for (const [generator, where] of /** @type {[any, string][]} */ ([
    [model.train([]), 'train'],
    [model.generate([1]), 'generate'],
  ])) {
    const loop = errorOf(() => [...generator]);
    assert.match(loop.message, new RegExp(`${where}: read it with for await`));
    const value = errorOf(() => gf.relu(generator));
    assert.match(value.message, /received an async iterator \(read it with for await\)$/);
  }
  model.dispose();
});

test('a loss without labels is asked for by name', () => {
  const model = gf.model(tiny);
  const run = model.forward({ target: [1, 2] });
  const error = errorOf(() => run.loss);
  assert.equal(error.code, 'GF_ENAME');
  assert.match(error.message, /no loss without labels: give forward the labels/);
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
