import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, sentence, traceExample } from '../../bindings/index.js';

const gf = await load();

test('words and marks are tokens, white space is not', () => {
  for (const [text, tokens] of [
    ['Hello, world!', ['Hello', ',', 'world', '!']],
    ['  a\t b\nc ', ['a', 'b', 'c']],
    ["don't well-known", ["don't", 'well-known']],
    ['(x)', ['(', 'x', ')']],
    ['déjà 日本 🙂👩‍💻', ['déjà', '日本', '🙂', '👩‍💻']],
    ['...', ['.', '.', '.']],
  ]) {
    assert.deepEqual(sentence(text).tokens, tokens);
  }
});

test('a word has one row of the table, and the same numbers in every sentence', () => {
  const example = sentence('the cat the dog');
  assert.deepEqual(example.inputs.tokens, [0, 1, 0, 2]);
  assert.deepEqual(example.inputs['embedding.weight'].rows, ['the', 'cat', 'dog']);
  const row = (text, i) => [
    ...traceExample(gf, sentence(text))
      .step('embedding')
      .data.slice(8 * i, 8 * i + 8),
  ];
  assert.deepEqual(row('a dog', 1), row('dog here', 0));
  assert.notDeepEqual(row('a dog', 0), row('a dog', 1));
});

test('options set the shapes', () => {
  const options = { dModel: 6, dK: 4, heads: 2, seed: 9, positions: false, causal: true };
  const trace = traceExample(gf, sentence('one two three', options));
  const shapes = Object.fromEntries(trace.steps.map(({ name, shape }) => [name, shape]));
  assert.deepEqual(shapes.x, [3, 6]);
  assert.deepEqual(shapes.q, [3, 4]);
  assert.deepEqual(shapes['q.heads'], [2, 3, 2]);
  assert.deepEqual(shapes['scores.masked'], [2, 3, 3]);
  assert.deepEqual(shapes.output, [3, 6]);
  assert.equal(shapes.position, undefined);
  const other = traceExample(gf, sentence('one two three', { ...options, seed: 10 }));
  assert.notDeepEqual(other.step('x').data, trace.step('x').data);
});

test('1 to 24 tokens, and known options, or an error that says what came', () => {
  assert.equal(sentence('a '.repeat(24)).tokens.length, 24);
  assert.equal(sentence('a').tokens.length, 1);
  for (const [args, kind, pattern] of [
    [['  '], RangeError, /1 to 24 words and marks, received 0/],
    [['a '.repeat(25)], RangeError, /received 25/],
    [[7], TypeError, /sentence: expected a string, received 7/],
    [['a', { heads: 3 }], RangeError, /heads: expected a divisor of 8, received 3/],
    [['a', { heads: 0 }], RangeError, /received 0/],
    [['a', { dModel: 2.5 }], RangeError, /dModel: .* received 2.5/],
    [['a', { dModel: 5000 }], RangeError, /received 5000/],
    [['a', { seed: -1 }], RangeError, /received -1/],
    [['a', { seed: '1' }], TypeError, /received "1"/],
    [['a', { casual: true }], TypeError, /did you mean "causal"/],
    [['a', { causal: 1 }], TypeError, /received 1/],
    [['a', { positions: 'rotery' }], RangeError, /received "rotery" \(did you mean "rotary"\?\)/],
    [['a', { positions: 1 }], RangeError, /positions: .* received 1/],
  ]) {
    assert.throws(
      () => sentence(...args),
      (e) => e instanceof kind && pattern.test(e.message),
    );
  }
});

test('a word knows its place in one of five ways', () => {
  const options = { dModel: 8, dK: 8, heads: 2, seed: 3 };
  const run = (positions) => traceExample(gf, sentence('one two three', { ...options, positions }));
  const names = (positions) => run(positions).steps.map(({ name }) => name);
  const data = (positions, name) => [...run(positions).step(name).data];
  assert.ok(!names('none').some((name) => /^pos/.test(name)));
  assert.deepEqual(data('sinusoidal', 'position'), [...gf.position([0, 1, 2], 8)].flat());
  assert.deepEqual(data('learned', 'position'), data('learned', 'position.weight'));
  assert.deepEqual(run('learned').step('position.weight').shape, [3, 8]);
  assert.deepEqual(data('rotary', 'x'), data('none', 'x'));
  assert.deepEqual(data('alibi', 'x'), data('none', 'x'));
  const turned = gf.rope(run('rotary').step('q.heads'), gf.rotation([0, 1, 2], 4), {
    interleaved: true,
  });
  assert.deepEqual(data('rotary', 'q.rotated'), [...turned.data]);
  assert.deepEqual(data('alibi', 'scores.biased'), [
    ...gf.alibi(run('alibi').step('scores.scaled')).data,
  ]);
});

test('of each way but none, the positions can be removed', () => {
  const options = { dModel: 8, heads: 2, seed: 3 };
  const output = (positions, remove) =>
    traceExample(gf, sentence('one two three', { ...options, positions }), { remove }).step(
      'output',
    ).data;
  for (const positions of ['sinusoidal', 'learned', 'rotary', 'alibi']) {
    assert.notDeepEqual(output(positions, []), output('none', []), positions);
    assert.deepEqual(output(positions, ['positions']), output('none', []), positions);
  }
  assert.throws(() => output('none', ['positions']), /x is given without positions/);
});

test('positions that a head cannot have are refused', () => {
  const trace = (options) => traceExample(gf, sentence('one two', options));
  assert.throws(() => trace({ positions: 'alibi' }), /at least two heads/);
  assert.throws(() => trace({ dK: 2, heads: 2, positions: 'rotary' }), /a head has 1/);
  assert.equal(trace({ dK: 3, positions: 'rotary' }).step('rotation').shape[1], 1);
  const own = sentence('one two', { positions: 'rotary' });
  const { pos, ...inputs } = own.inputs;
  assert.deepEqual(pos, [0, 1]);
  assert.throws(() => traceExample(gf, { ...own, inputs }), /rotary positions need pos/);
  assert.throws(
    () => traceExample(gf, { ...own, attention: { positions: 'spiral' } }),
    /expected one of "rotary", "alibi", received "spiral"/,
  );
});

test('a word is one word, whether its accents are characters of their own or not', () => {
  for (const text of ['café noir', 'Ångström über naïve', '한국어']) {
    assert.deepEqual(sentence(text.normalize('NFD')), sentence(text.normalize('NFC')));
  }
});

test('without an output projection the mixed values are the output, and no step stands between', () => {
  const options = { dModel: 6, dK: 4, seed: 9 };
  const [projected, plain] = [true, false].map((wO) =>
    traceExample(gf, sentence('a b', { ...options, wO })),
  );
  const names = plain.steps.map(({ name }) => name);
  assert.ok(!names.includes('w_o') && !names.includes('mix'));
  assert.deepEqual(plain.step('output').shape, [2, 4]);
  assert.deepEqual(plain.step('output').data, projected.step('mix').data);
});
