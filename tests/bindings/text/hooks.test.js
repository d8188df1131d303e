// Hooks between a model's steps while it writes: what they change has the bits of the same change of a whole run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ablate } from '../../../bindings/lab/inside/index.js';
import {
  generateText,
  generateTexts,
  generateTokens,
} from '../../../bindings/models/text/index.js';
import { bits, collect, families, gf, model, refused, refusedAs } from '../model/small.js';

const { gpt } = families;
const PROMPT = [3, 1, 4, 1, 5, 9];

/** The log-probabilities of all tokens behind a text, of a run whose node is replaced. */
function expectedOf(made, ids, name, change) {
  const run = made.forward({ target: ids });
  const { tape } = run;
  const node = tape.find(name);
  const changed = node.data.slice();
  change(changed, node.shape.slice(1));
  tape.freeze(node);
  node.set(changed);
  run.forward();
  const { vocab } = made.config;
  const last = run.logits.data.slice(-vocab);
  run.dispose();
  return gf.logSoftmax(last);
}

/** Checks all tokens of a text against runs of the whole text. */
async function check(made, name, hook, change) {
  const options = { maxNewTokens: 5, best: made.config.vocab };
  const stream = generateTokens(made, PROMPT, { ...options, hooks: { [name]: hook } });
  const { tokens } = await stream.whole();
  const ids = [...PROMPT];
  for (const { token, best } of tokens) {
    const expected = expectedOf(made, ids, name, change);
    const actual = new Float32Array(expected.length);
    for (const { token: id, logProb } of best) actual[id] = logProb;
    assert.equal(bits(actual), bits(expected), `${name} behind ${ids}`);
    ids.push(token);
  }
  const plain = await generateTokens(made, PROMPT, options).whole();
  assert.notDeepEqual(plain.tokens, tokens, `${name}: the change changes something`);
}

for (const [kind, config] of Object.entries({
  learned: { ...gpt, positions: 'learned', kvHeads: 2 },
  rotary: gpt,
  alibi: { ...gpt, positions: 'alibi' },
})) {
  test(`${kind}: a step that is set to zero, or shifted, is so in the prompt and in each token`, async () => {
    const made = model({ ...config, seed: 4 });
    const zero = (values) => void values.fill(0);
    for (const name of ['decoder.layers.0.linear2', 'decoder.layers.1.self_attn.output']) {
      await check(made, name, zero, zero);
    }
    const shift = (values) => {
      for (let i = 0; i < values.length; i++) values[i] += (i % gpt.dModel) / 4;
    };
    await check(made, 'decoder.layers.0.residual2', shift, shift);
    made.dispose();
  });
}

test('a head that is set to zero gives what ablate gives', async () => {
  const made = model({ ...gpt, seed: 4 });
  for (const head of [0, 1]) {
    let logits;
    const hooks = {
      'decoder.layers.1.self_attn.mix': (values, { shape: [heads] }) => {
        const size = values.length / heads;
        values.fill(0, head * size, (head + 1) * size);
      },
    };
    const process = (all) => {
      logits = all.slice();
    };
    await generateTokens(made, PROMPT, { maxNewTokens: 1, hooks, process }).whole();
    const at = [{ layer: 1, head }];
    const { metric, after, before } = await ablate(made, { target: PROMPT }, { at });
    assert.equal(logits[metric.token], after);
    assert.notEqual(after, before);
  }
  made.dispose();
});

test('a hook sees each token once, in order, and steps within an attention, too', async () => {
  const made = model({ ...gpt, seed: 4 });
  const places = [];
  const shapes = [];
  const hooks = {
    'decoder.layers.0.self_attn.weights': (_, { position, tokens, shape }) => {
      places.push(...Array.from({ length: tokens }, (_, i) => position + i));
      shapes.push(shape.slice(0, 2));
    },
  };
  const { tokens } = await generateTokens(made, PROMPT, { maxNewTokens: 4, hooks }).whole();
  const plain = await generateTokens(made, PROMPT, { maxNewTokens: 4 }).whole();
  assert.deepEqual(tokens, plain.tokens, 'reading changes nothing');
  assert.deepEqual(places, [...Array(PROMPT.length + 3).keys()]);
  assert.deepEqual(shapes[0], [gpt.heads, PROMPT.length - 1]);
  assert.deepEqual(shapes.at(-1), [gpt.heads, 1]);
  made.dispose();
});

test('what a hook changed is kept for no other text', async () => {
  /* Of parameters that were shown nothing is kept. */
  const [made, fresh] = [gf.model(gpt), gf.model(gpt)];
  const hooks = { 'decoder.layers.0.residual1': (values) => void values.fill(1) };
  await generateTokens(made, PROMPT, { maxNewTokens: 3 }).whole();
  const steered = await generateTokens(made, PROMPT, { maxNewTokens: 3, hooks }).whole();
  assert.deepEqual(
    steered,
    await generateTokens(fresh, PROMPT, { maxNewTokens: 3, hooks }).whole(),
  );
  const after = await generateTokens(made, PROMPT, { maxNewTokens: 3 }).whole();
  assert.equal(after.kept, PROMPT.length - 1, 'of the first text');
  assert.deepEqual(
    after.tokens,
    (await generateTokens(fresh, PROMPT, { maxNewTokens: 3 }).whole()).tokens,
  );
  for (const one of [made, fresh]) one.dispose();
});

test('model.generate takes the same hooks, removals and seeds as generateTokens; at once there are none', async () => {
  const made = model({ ...gpt, seed: 4 });
  const hooks = {
    'decoder.layers.0.residual2': (values) => void values.set(values.map((x) => x + 1)),
    'decoder.layers.1.self_attn.weights': (values) => void values.set(values.map((x) => x / 2)),
  };
  const texts = [];
  for (const options of [{ hooks }, { remove: ['scale'] }, { hooks, remove: ['scale'] }, {}]) {
    const all = { ...options, maxNewTokens: 12, temperature: 1, seed: 6 };
    const tokens = await collect(made.generate(PROMPT, all));
    const { tokens: same } = await generateTokens(made, PROMPT, all).whole();
    assert.deepEqual(
      tokens,
      same.map(({ token }) => token),
    );
    texts.push(String(tokens));
  }
  assert.equal(new Set(texts).size, texts.length, 'each changes the text');
  const sum = { 'decoder.norm': (values) => values };
  assert.throws(() => made.generateSync(PROMPT, { hooks: sum }), /unknown option "hooks"/);
  assert.throws(() => made.searchSync(PROMPT, { hooks: sum }), /unknown option "hooks"/);
  assert.throws(() => made.generate(PROMPT, { hooks: sum, beams: 2 }), /beam search has no/);
  await assert.rejects(
    collect(made.generate(PROMPT, { hooks: { x: 1 } })),
    /hooks: x: expected a f/,
  );
  made.dispose();
});

test('a hook is called with the position in the text, also behind a window that slid', async () => {
  const made = model({ ...gpt, seed: 4 });
  const places = [];
  const hooks = {
    'decoder.norm': (_, { position, tokens }) => {
      for (let i = 0; i < tokens; i++) places.push(position + i);
    },
  };
  const { maxLength } = made.config;
  const options = { hooks, maxNewTokens: maxLength, whenFull: 'slide' };
  await generateTokens(made, PROMPT, options).whole();
  assert.equal(places.at(-1), PROMPT.length + maxLength - 2);
  assert.ok(places.indexOf(maxLength / 2, maxLength) > 0, 'the newer half is read again');
  for (const [i, place] of places.slice(-4).entries()) assert.equal(place - places.at(-4), i);
  made.dispose();
});

test('hooks of steps that are not there, that return values, or of several texts are refused', async () => {
  const made = model({ ...gpt, seed: 4 });
  const write = (hooks) => generateTokens(made, PROMPT, { maxNewTokens: 1, hooks }).whole();
  const noop = () => {};
  await assert.rejects(
    write({ 'decoder.layers.0.lineer2': noop }),
    refusedAs('GF_ENAME', /hooks: no node "decoder.layers.0.lineer2" \(did you mean/),
  );
  for (const [name, hint] of [
    ['decoder.layers.9.linear2', /\(the layers are 0 to \d\)/],
    ['model.layers.0.mlp', /\(did you mean "decoder\.layers\.0\.linear2"\?\)/],
    ['transformer.h.0.attn.weights', /\(did you mean "decoder\.layers\.0\.self_attn\.weights"\?\)/],
    ['layers.1.residul2', /\(did you mean "decoder\.layers\.1\.residual2"\?\)/],
  ]) {
    await assert.rejects(write({ [name]: noop }), refusedAs('GF_ENAME', hint));
  }
  assert.throws(() => write([noop]), /hooks: expected functions by .*, received an array of 1$/);
  await assert.rejects(
    write({ 'decoder.norm': async () => {} }),
    refused(TypeError, /decoder.norm: your function changes the values in place .* Promise/),
  );
  assert.throws(() => write({ 'decoder.norm': 3 }), /hooks: decoder.norm: expected a function/);
  const letters = { encode: () => [1], decode: () => '' };
  await assert.rejects(
    generateTexts(made, letters, ['a'], { hooks: { 'decoder.norm': noop } }),
    /unknown option "hooks"/,
  );
  const error = new RangeError('of the hook');
  const thrown = generateText(made, letters, 'a', {
    hooks: {
      'decoder.norm': () => {
        throw error;
      },
    },
  });
  await assert.rejects(thrown.whole(), (reason) => reason === error);
  made.dispose();
});
