import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load, sentence, traceExample } from '../../bindings/index.js';
import { Tape } from '../../bindings/js/tape/tape.js';
import * as naive from './naive.js';

const gf = await load();
const rows = (step) =>
  Array.from({ length: step.shape[0] }, (_, i) =>
    Array.from(step.data.slice(i * step.shape[1], (i + 1) * step.shape[1])),
  );
const close = (step, expected, tolerance = 1e-6) => {
  const distance = naive.distance(rows(step), expected);
  assert.ok(distance <= tolerance, `${step.name} is off by ${distance}`);
};

/** Of every step, those of the first number of the output. */
const gradientsOf = (trace) => {
  trace.gradient('output', [0, 0]);
  return trace.steps.map(({ grad }) => grad);
};

/** x of two words with two channels, projections of any width. */
const tiny = (more = {}) => ({
  name: 'tiny',
  title: 'Tiny',
  source: 'here',
  about: '',
  tokens: ['a', 'b'],
  attention: { heads: 1, causal: false },
  inputs: {
    x: naive.numbers(2, 4),
    w_q: naive.numbers(4, 4, 2),
    w_k: naive.numbers(4, 4, 3),
    w_v: naive.numbers(4, 4, 4),
    w_o: naive.numbers(4, 4, 5),
  },
  printed: {},
  asides: [],
  ...more,
});

test('the examples are listed in the order that they are taught in', () => {
  assert.deepEqual(Object.keys(examples), [
    ...[
      'i-love-robotics',
      'pocket',
      'sub-words',
      'three-tokens',
      'hi-how',
      'the-cat-sat',
      'look-up',
    ],
    ...['the-cat-sat-projected', 'masked', 'what-did-the-cat-do', 'wide-values', 'digit'],
    ...['positions', 'two-heads', 'ten-tokens', 'eight-heads', 'layer-norm', 'schedule'],
    'label-smoothing',
  ]);
});

test('steps are snapshots in the order of computation', () => {
  const trace = traceExample(gf, 'i-love-robotics');
  assert.deepEqual(
    trace.steps.map(({ name }) => name),
    [
      ...['x', 'w_q', 'w_k', 'w_v', 'q', 'k', 'v'],
      ...['scores', 'scores.scaled', 'weights', 'output'],
    ],
  );
  const { formula, ...q } = trace.step('q');
  assert.equal(formula, 'y = x w + b');
  assert.deepEqual(q, {
    name: 'q',
    op: 'linear',
    kind: 'op',
    shape: [3, 3],
    from: 0,
    inputs: ['x', 'w_q'],
    attributes: {},
    role: 'query',
    parameter: null,
    axes: ['token', 'channel'],
    sequences: [null, null],
    stack: null,
    layer: null,
    part: null,
    heads: 1,
    removal: { name: 'projections', operand: 0 },
    bypassed: null,
    frozen: false,
    removed: false,
    data: Float32Array.of(2, 0, 1, 1, 1, 1, 1, 1, 0),
    grad: null,
  });
  trace.dispose();
  assert.equal(trace.step('q').data[0], 2, 'snapshots outlive the tape');
  assert.throws(() => trace.edit('x', [0, 0], 1), { code: 'GF_EDISPOSED' });
});

test('an example of one’s own is computed as the formulas say', () => {
  const { x, w_q, w_k, w_v, w_o } = tiny().inputs;
  const [q, k, v] = [w_q, w_k, w_v].map((w) => naive.matmul(x, w));
  const trace = traceExample(gf, tiny());
  const { scores, weights, output } = naive.attention(q, k, v);
  close(trace.step('scores'), scores);
  close(trace.step('weights'), weights);
  close(trace.step('output'), naive.matmul(output, w_o));
});

test('embedding and position make x, biases are added', () => {
  const { w_q, w_k, w_v } = tiny().inputs;
  const inputs = {
    w_q,
    w_k,
    w_v,
    b_q: [1, 2, 3, 4],
    embedding: naive.numbers(2, 4, 7),
    position: naive.numbers(2, 4, 8),
  };
  const trace = traceExample(gf, tiny({ inputs }));
  const x = inputs.embedding.map((row, i) => row.map((e, j) => e + inputs.position[i][j]));
  close(trace.step('x'), x);
  close(
    trace.step('q'),
    naive.matmul(x, w_q).map((row) => row.map((value, j) => value + j + 1)),
  );
});

test('scores are divided by what an example says: 1, √d_k or d_k', () => {
  const { attention, inputs, tokens } = examples['i-love-robotics'];
  const product = (a, b) =>
    a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
  const [q, k, v] = ['w_q', 'w_k', 'w_v'].map((name) => product(inputs.x, inputs[name]));
  const scores = product(
    q,
    k[0].map((_, j) => k.map((row) => row[j])),
  );
  for (const divisor of [1, 2, 3]) {
    const example = { tokens, inputs, attention: { ...attention, scale: 1 / divisor } };
    const trace = traceExample(gf, example);
    const weights = scores.map((row) => {
      const powers = row.map((score) => Math.exp(score / divisor));
      const sum = powers.reduce((a, b) => a + b);
      return powers.map((power) => power / sum);
    });
    close(trace.step('weights'), weights);
    close(trace.step('output'), product(weights, v));
    trace.dispose();
  }
  assert.throws(() => traceExample(gf, { inputs, attention: { scale: 'one' } }), /scale/);
});

test('removing: a copy takes the place of the step', () => {
  const { x, w_q, w_k, w_v } = tiny().inputs;
  const [q, k, v] = [w_q, w_k, w_v].map((w) => naive.matmul(x, w));
  const scores = naive.matmul(q, naive.transpose(k));
  const without = (...remove) =>
    traceExample(gf, tiny({ attention: { causal: true } }), { remove });

  assert.deepEqual(without('scale').step('scores.scaled').data, without().step('scores').data);
  assert.equal(without('scale').step('scores.scaled').bypassed, 0);
  close(without('scale', 'mask').step('weights'), scores.map(naive.softmaxRow));
  close(without('scale', 'mask', 'softmax').step('weights'), scores);
  const mix = naive.attention(q, k, v, (i, j) => j <= i).output;
  close(without('w_o').step('output'), mix);
  close(without('projections').step('q'), x);
  close(without('projections').step('scores'), naive.matmul(x, naive.transpose(x)));
});

test('removing the projections works for every d_k', () => {
  const { x, w_v } = tiny().inputs;
  const inputs = { x, w_q: naive.numbers(4, 3), w_k: naive.numbers(4, 3), w_v, b_q: [1, 2, 3] };
  const trace = traceExample(gf, tiny({ inputs }), { remove: ['projections'] });
  close(trace.step('output'), naive.attention(x, x, x).output);
});

test('removing positions: x is the embedding', () => {
  const trace = traceExample(gf, sentence('a b c'), { remove: ['positions'] });
  assert.deepEqual(trace.step('x').data, trace.step('embedding').data);
});

test('removing embeddings: a word is its number', () => {
  const trace = traceExample(gf, sentence('a b a', { dModel: 2 }), { remove: ['embedding'] });
  assert.deepEqual([...trace.step('embedding').data], [0, 0, 1, 1, 0, 0]);
  assert.deepEqual([trace.step('embedding').removed, trace.step('x').removed], [true, false]);
});

test('removing the dot product: no score, all weights alike, no gradient of a query', () => {
  for (const example of [tiny(), tiny({ attention: { heads: 2 } })]) {
    const trace = traceExample(gf, example, { remove: ['scores'] });
    const { frozen, removed, data } = trace.step('scores');
    assert.deepEqual([frozen, removed, new Set(data)], [true, true, new Set([0])]);
    assert.ok(trace.step('weights').data.every((share) => share === 0.5));
    trace.gradient('output', [0, 0]);
    assert.ok(trace.step('q').grad.every((slope) => slope === 0));
    assert.ok(trace.step('v').grad.some((slope) => slope !== 0));
  }
});

test('removing the weighted sum: each token keeps its own value', () => {
  for (const [attention, value] of [
    [{}, 'v'],
    [{ heads: 2 }, 'v.heads'],
  ]) {
    const trace = traceExample(gf, tiny({ attention }), { remove: ['mix'] });
    assert.deepEqual(trace.step('mix').data, trace.step(value).data);
    assert.deepEqual([trace.step('mix').bypassed, trace.step('mix').removed], [1, true]);
  }
  const { x, w_q, w_k, w_v } = tiny().inputs;
  const trace = traceExample(gf, tiny({ inputs: { x, w_q, w_k, w_v } }), { remove: ['mix'] });
  assert.deepEqual(trace.step('output').data, trace.step('v').data);
});

test('what cannot be removed says why', () => {
  const reasons = (example) =>
    Object.fromEntries(
      traceExample(gf, example).removable.map(({ name, reason }) => [name, reason]),
    );
  assert.deepEqual(reasons(tiny()), {
    embedding: 'x is given as vectors',
    positions: 'x is given without positions',
    projections: null,
    scores: null,
    scale: null,
    mask: 'there is no mask in this example',
    softmax: null,
    mix: null,
    w_o: null,
  });
  const { x: words, w_q, w_k, w_v } = tiny().inputs;
  const longer = { x: words, w_q, k: naive.numbers(3, 4), v: naive.numbers(3, 4) };
  assert.equal(reasons(tiny({ inputs: longer })).mix, 'there are 2 queries, but 3 values');
  assert.equal(reasons(tiny({ inputs: { ...tiny().inputs, w_k, w_v } })).mix, null);
  assert.equal(reasons('the-cat-sat-projected').projections, 'k, v: given without weights');
  assert.equal(reasons('hi-how').w_o, 'there is no w_o in this example');
  assert.match(reasons('positions').softmax, /no attention/);
  assert.match(reasons(sentence('a', { dK: 4 })).w_o, /w_o is not square: \[4,8\]/);
  assert.match(
    reasons(sentence('a', { dK: 4 })).projections,
    /as many rows in w_o as x has channels, 8, received 4/,
  );
  const { x } = tiny().inputs;
  const odd = { x, w_q: naive.numbers(4, 6), w_k: naive.numbers(4, 6), w_v: naive.numbers(4, 6) };
  assert.match(
    reasons(tiny({ attention: { heads: 3 }, inputs: odd })).projections,
    /x has 4 channels, which 3 heads do not divide/,
  );
  for (const name of Object.keys(reasons(tiny()))) {
    for (const example of [...Object.values(examples), sentence('a b', { dK: 2, causal: true })]) {
      const { possible, reason } = traceExample(gf, example).removable.find(
        (entry) => entry.name === name,
      );
      assert.equal(possible, reason === null);
      const remove = () => traceExample(gf, example, { remove: [name] }).dispose();
      if (possible) remove();
      else assert.throws(remove, new RegExp(`"${name}" cannot be removed`));
    }
  }
  assert.throws(() => traceExample(gf, tiny(), { remove: ['scal'] }), /unknown "scal" .*"scale"/);
  assert.throws(() => traceExample(gf, tiny(), { remove: 'scale' }), /remove: .* received "scale"/);
});

test('an edited leaf is computed through, an edited step keeps the rest of its values', () => {
  const plain = traceExample(gf, tiny());
  const value = 3;
  const leaf = traceExample(gf, tiny(), { edits: [{ node: 'x', index: [1, 0], value }] });
  const { x, w_q } = tiny().inputs;
  close(leaf.step('q'), naive.matmul([x[0], [value, ...x[1].slice(1)]], w_q));
  assert.equal(leaf.step('x').frozen, false);

  const step = traceExample(gf, tiny());
  step.edit('weights', [0, 1], 1);
  const { weights, output } = Object.fromEntries(step.steps.map((s) => [s.name, s]));
  assert.equal(weights.frozen, true);
  const expected = Array.from(plain.step('weights').data);
  expected[1] = 1;
  assert.deepEqual(Array.from(weights.data), expected);
  assert.notDeepEqual(output.data, plain.step('output').data);
  assert.deepEqual(step.step('scores').data, plain.step('scores').data);

  step.edit('x', [0, 0], 50);
  assert.deepEqual(Array.from(step.step('weights').data), expected, 'frozen');
  assert.notDeepEqual(step.step('scores').data, plain.step('scores').data);
});

test('edits come one after the other, and the list gives what the calls give', () => {
  const edits = [
    { node: 'x', index: [0, 0], value: 2 },
    { node: 'scores', index: [0, 1], value: -1 },
    { node: 'x', index: [0, 1], value: 4 },
    { node: 'scores', index: [1, 1], value: 6 },
  ];
  const listed = traceExample(gf, tiny(), { edits });
  const called = traceExample(gf, tiny());
  for (const { node, index, value } of edits) called.edit(node, index, value);
  assert.deepEqual(listed.steps, called.steps);
});

/** Does something, and tells how many nodes it computed. */
function counted(work) {
  const { forward } = Tape.prototype;
  let count = 0;
  Tape.prototype.forward = function (...given) {
    count++;
    return forward.apply(this, given);
  };
  try {
    return [work(), count];
  } finally {
    Tape.prototype.forward = forward;
  }
}

test('a list of any length is computed once, not once for each edit', () => {
  const edits = Array.from({ length: 5000 }, (_, i) => ({
    node: i % 2 ? 'x' : 'scores',
    index: [i % 2, 0],
    value: i,
  }));
  const [, plain] = counted(() => traceExample(gf, tiny(), { remove: ['scale'] }));
  const [trace, all] = counted(() => traceExample(gf, tiny(), { edits, remove: ['scale'] }));
  assert.equal(trace.step('x').data[4], 4999);
  assert.equal(trace.step('scores').data[0], 4998);
  assert.ok(all <= 2 * plain, `${all} nodes for ${edits.length} edits, ${plain} for none`);
});

test('of a list with a wrong edit nothing is done', () => {
  const trace = traceExample(gf, sentence('a b'));
  const before = structuredClone(trace.steps);
  const well = [
    { node: 'scores', index: [0, 1], value: 9 },
    { node: 'tokens', index: [1], value: 0 },
  ];
  for (const wrong of [
    { node: 'scores', index: [0, 2], value: 1 },
    { node: 'tokens', index: [0], value: 2 },
  ]) {
    assert.throws(() => trace.edits([...well, wrong]), /not a cell|valid ids are 0 to 1/);
    assert.deepEqual(trace.steps, before);
    trace.gradient('output', [0, 0]);
    assert.deepEqual(
      trace.steps.map(({ grad }) => grad),
      gradientsOf(traceExample(gf, sentence('a b'))),
    );
    for (const step of trace.steps) step.grad = null;
  }
});

test('after a list that failed, the next edit goes on from what was before', () => {
  const [trace, untouched] = [traceExample(gf, tiny()), traceExample(gf, tiny())];
  const failing = [
    { node: 'x', index: [0, 0], value: 5 },
    { node: 'x', index: [0, 0], value: 7 },
    { node: 'scores', index: [0, 0], value: 9 },
    { node: 'scores', index: [0, 9], value: 9 },
  ];
  assert.throws(() => trace.edits(failing), /not a cell/);
  for (const one of [trace, untouched]) {
    one.edit('w_k', [0, 0], 3);
    one.edit('w_v', [0, 0], 2);
  }
  assert.deepEqual(trace.steps, untouched.steps);
});

test('a wrong edit is refused and changes nothing', () => {
  const trace = traceExample(gf, sentence('a b'));
  const before = structuredClone(trace.steps);
  for (const [args, pattern] of [
    [['sores', [0, 0], 1], /no step "sores" \(did you mean "scores"/],
    [['scores', [0, 2], 1], /\[0,2\] is not a cell of \[2,2\]/],
    [['scores', [0], 1], /expected an index into \[2,2\], received \[0\]/],
    [['scores', [0, 0], '1'], /edit: scores at \[0,0\]: expected a number, received "1"/],
    [['scores', [0, 0]], /received undefined/],
    [['tokens', [0], 0.5], /received 0.5/],
    [['tokens', [0], 2], /ids\[0\] is 2; valid ids are 0 to 1/],
  ]) {
    assert.throws(() => trace.edit(...args), pattern);
  }
  assert.deepEqual(trace.steps, before);
  trace.edit('tokens', [1], 0);
  assert.deepEqual(rows(trace.step('embedding'))[0], rows(trace.step('embedding'))[1]);
  assert.throws(() => traceExample(gf, tiny(), { edits: {} }), /edits: expected an array/);
  assert.throws(
    () => traceExample(gf, tiny(), { edits: [{ node: 'x', at: [0, 0], value: 1 }] }),
    /trace: edits: unknown option "at"/,
  );
});

test('gradients of a cell agree with central differences', () => {
  const { w_q, w_k, w_v, w_o } = tiny().inputs;
  const forward = (x) => {
    const [q, k, v] = [w_q, w_k, w_v].map((w) => naive.matmul(x, w));
    return naive.matmul(naive.attention(q, k, v).output, w_o)[1][2];
  };
  const trace = traceExample(gf, tiny());
  assert.equal(trace.step('x').grad, null);
  trace.gradient('output', [1, 2]);
  assert.deepEqual([...trace.step('output').grad], [0, 0, 0, 0, 0, 0, 1, 0]);
  const { x } = tiny().inputs;
  x.forEach((row, i) => {
    row.forEach((value, j) => {
      const moved = (by) => x.map((r, a) => r.map((e, b) => (a === i && b === j ? value + by : e)));
      const slope = (forward(moved(1e-5)) - forward(moved(-1e-5))) / 2e-5;
      assert.ok(Math.abs(trace.step('x').grad[i * 4 + j] - slope) < 1e-5, `x[${i},${j}]`);
    });
  });
  assert.throws(() => trace.gradient('output', [2, 0]), /\[2,0\] is not a cell/);
  const words = traceExample(gf, sentence('a b'));
  words.gradient('weights', [0, 0]);
  assert.equal(words.step('tokens').grad, null);
  assert.throws(() => words.gradient('tokens', [0]), /ids have no gradient/);
});

test('a printed number is right if it is rounded at its last digit; one that is cut off is truncated', () => {
  const printed = (text, value) => {
    const example = tiny({
      inputs: { q: [[1]], k: [[1]], v: [[value]] },
      attention: {},
      printed: { v: [[text]] },
    });
    const trace = traceExample(gf, example);
    const [verdict] = trace.printed.v.verdict;
    assert.equal(trace.mismatches.length, verdict === 'wrong' ? 1 : 0);
    return verdict;
  };
  for (const [text, value, verdict] of [
    ['0.67', 2 / 3, 'rounded'],
    ['0.66', 2 / 3, 'truncated'],
    ['0.68', 2 / 3, 'wrong'],
    ['0.65', 2 / 3, 'wrong'],
    ['0.8', 0.7, 'wrong'],
    ['0.6', 0.7, 'wrong'],
    ['0.7', 0.7, 'rounded'],
    ['0.70', 0.7, 'rounded'],
    ['1', 1.9, 'truncated'],
    ['1', 2, 'wrong'],
    ['-0.5', -0.55, 'rounded'],
    ['1.000', 0.99995, 'rounded'],
  ]) {
    assert.equal(printed(text, value), verdict, `${text} for ${value}`);
  }
  assert.throws(() => printed('abc', 1), /printed.v\[0\]\[0\]: .* received "abc"/);
  assert.throws(() => printed(0.7, 1), /received 0.7/);
});

test('a wrong number has a cause: its own step, a rounding carried on, a wrong number before', () => {
  /* q = 1.96, k = 3, scores = 5.88: a text that prints q as 2.0 gets 6.00, one with k = 4 gets 7.84. */
  const of = (printed) => {
    const inputs = { x: [[1]], w_q: [[1.96]], w_k: [[3]], w_v: [[1]] };
    return traceExample(gf, tiny({ tokens: ['a'], inputs, printed })).mismatches.map(
      ({ node, printed: p, cause, from }) => [node, p, cause, from],
    );
  };
  assert.deepEqual(of({ scores: [['5.88']] }), []);
  assert.deepEqual(of({ scores: [['6.00']] }), [['scores', 6, 'step', undefined]]);
  assert.deepEqual(of({ q: [['2.0']], scores: [['6.00']] }), [['scores', 6, 'carried', 'rounded']]);
  assert.deepEqual(of({ k: [['4']], scores: [['7.84']] }), [
    ['k', 4, 'step', undefined],
    ['scores', 7.84, 'carried', 'wrong'],
  ]);
  assert.deepEqual(of({ k: [['4']], scores: [['8.84']] }).at(-1), [
    'scores',
    8.84,
    'step',
    undefined,
  ]);
});

test('a changed example is not the text’s any more: nothing is held against it', () => {
  const edits = [{ node: 'x', index: [0, 0], value: 1 }];
  for (const options of [{ remove: ['scale'] }, { edits }]) {
    const trace = traceExample(gf, 'three-tokens', options);
    assert.deepEqual([trace.printed, trace.mismatches, trace.asides], [{}, [], []]);
  }
  const { printed } = traceExample(gf, 'i-love-robotics');
  assert.deepEqual(printed.weights, {
    shape: [3, 3],
    data: [null, null, null, 0.333, 0.333, 0.333, null, null, null],
    text: [null, null, null, '0.333', '0.333', '0.333', null, null, null],
    verdict: [null, null, null, 'rounded', 'rounded', 'rounded', null, null, null],
  });
});

test('asides are held against the same rule', () => {
  const { asides } = traceExample(gf, 'hi-how');
  assert.deepEqual(
    asides.map(({ text, printed, right, verdict }) => [text, printed, right, verdict]),
    [
      ['sqrt(2)', 1.41, true, 'rounded'],
      ['exp(scores.scaled[0,0])', 2.36, true, 'working'],
      ['exp(scores.scaled[0,1])', 1.27, true, 'rounded'],
      ['exp(scores.scaled[1,0])', 1.27, true, 'rounded'],
      ['exp(scores.scaled[1,1])', 2.86, true, 'working'],
    ],
  );
  /* 1.05 is printed for 1.04652: exp of the first is 2.8577, of the second 2.8477. */
  for (const [printed, verdict] of [
    ['2.85', 'rounded'],
    ['2.86', 'working'],
    ['2.84', 'truncated'],
    ['2.87', 'wrong'],
    ['2.83', 'wrong'],
  ]) {
    const example = structuredClone(examples['hi-how']);
    example.asides[4].printed = printed;
    const aside = traceExample(gf, example).asides[4];
    assert.deepEqual([aside.verdict, aside.right], [verdict, verdict !== 'wrong'], printed);
  }
  const sum = traceExample(gf, 'the-cat-sat-projected').asides.find(({ text }) => /sum/.test(text));
  assert.equal(sum.text, 'the sum of exp(scores.scaled[0])');
  assert.ok(Math.abs(sum.computed - 3.530093) < 1e-6);
});

test('toJSON is plain data that JSON can write', () => {
  const json = JSON.parse(JSON.stringify(traceExample(gf, 'masked')));
  assert.deepEqual(Object.keys(json), [
    'name',
    'title',
    'source',
    'example',
    'nodes',
    'printed',
    'mismatches',
  ]);
  assert.deepEqual(json.nodes['scores.masked'], {
    shape: [3, 3],
    data: [1, '-Infinity', '-Infinity', 0, 4, '-Infinity', 1, 2, 2],
  });
  assert.deepEqual(Object.keys(json.printed.weights), ['shape', 'data', 'verdict']);
});

test('examples that do not hold together are refused', () => {
  const { x, w_q } = tiny().inputs;
  for (const [example, pattern] of [
    [
      'three-tokns',
      /traceExample: example: expected one of .*"hi-how", .*, received "three-tokns" \(did you mean "three-tokens"\?\)/,
    ],
    ['toString', /expected one of .*, received "toString"/],
    [7, /received 7/],
    [tiny({ input: {} }), /unknown option "input" \(did you mean "inputs"\?\)/],
    [tiny({ attention: { head: 2 } }), /unknown option "head"/],
    [tiny({ inputs: { x, w_qq: w_q } }), /inputs: unknown option "w_qq" \(did you mean "w_q"\?\)/],
    [tiny({ inputs: null }), /example.inputs: .* received null/],
    [tiny({ inputs: { x: 5 } }), /example.inputs.x: .* received 5/],
    [tiny({ inputs: { x: { sape: [1] } } }), /inputs.x: unknown option "sape" .*"shape"/],
    [tiny({ inputs: { x, w_q } }), /k is missing: give k, or x and w_k/],
    [
      tiny({ inputs: { x, w_q: [[1, 2, 3]], w_k: w_q, w_v: w_q } }),
      /inputs: expected as many rows in w_q as x has channels, 4, received 1/,
    ],
    [
      tiny({ inputs: { q: x, k: [[1, 2, 3]], v: [[1]] } }),
      /expected as many channels in k as in q, 4, received 3/,
    ],
    [
      tiny({ inputs: { q: x, k: [...x, ...x, ...x], v: x } }),
      /expected as many rows in v as in k, \d, received \d/,
    ],
    [
      tiny({ inputs: { x, w_q, w_k: w_q, w_v: w_q, w_o: [[1], [1], [1]] } }),
      /expected as many rows in w_o as v has channels, \d, received 3/,
    ],
    [
      tiny({ inputs: { q: [[1, 2], [3]], k: [[1, 2]], v: [[1]] } }),
      /inputs.q at \[1\]: expected an array of 2/,
    ],
    [tiny({ printed: { scors: [] } }), /no step "scors" \(did you mean "scores"\?\)/],
    [
      tiny({ printed: { scores: [['1']] } }),
      /printed.scores: expected numbers of the shape \[2,2\] here, received an array of 1/,
    ],
    [tiny({ asides: [{ fn: 'cos', printed: '1' }] }), /asides: unknown fn "cos"/],
  ]) {
    assert.throws(() => traceExample(gf, example), pattern);
  }
  assert.throws(() => traceExample(gf, tiny(), { edit: [] }), /unknown option "edit" .*"edits"/);
});

test('a thousand traces, right and wrong, need the memory of one', async (t) => {
  const fresh = await load();
  traceExample(fresh, tiny()).dispose();
  t.mock.method(WebAssembly.Memory.prototype, 'grow', () => {
    throw new RangeError('no more');
  });
  for (let i = 0; i < 1000; i++) {
    const trace = traceExample(fresh, tiny());
    trace.dispose();
    trace.dispose();
    assert.throws(() => traceExample(fresh, tiny({ printed: { scors: [] } })));
  }
});

test('sinusoids: dot products of all, and the linear map that moves every code on', () => {
  const codes = (channels, more) => ({
    name: 'codes',
    title: '',
    source: '',
    about: '',
    positions: [{ node: 'codes', positions: [0, 1, 2, 3, 4], channels, ...more }],
  });
  const trace = traceExample(gf, codes(6, { dots: true, shift: 7 }));
  const rows = gf.position([0, 1, 2, 3, 4], 6);
  const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a}, ${b}`);
  const dots = trace.step('codes.dots').data;
  for (const [i, products] of naive.matmul(rows, naive.transpose(rows)).entries()) {
    for (const [j, product] of products.entries()) close(dots[5 * i + j], product);
  }
  const { shape, kind, data: map } = trace.step('codes.shift');
  assert.deepEqual([shape, kind], [[6, 6], 'parameter']);
  close(map[0], Math.cos(7));
  close(map[1], -Math.sin(7));
  close(map[6], Math.sin(7));
  close(map[14], Math.cos(7 / 10000 ** (2 / 6)));
  assert.equal(map[2], 0);
  const ahead = trace.step('codes.ahead').data;
  assert.deepEqual([...ahead], gf.position([7, 8, 9, 10, 11], 6).flat());
  for (const [i, value] of trace.step('codes.shifted').data.entries()) close(value, ahead[i]);
  const back = traceExample(gf, codes(4, { shift: -2 }));
  assert.deepEqual([...back.step('codes.ahead.positions').data], [-2, -1, 0, 1, 2]);
  assert.throws(() => traceExample(gf, codes(5, { shift: 1 })), /pairs of channels, there are 5/);
});
