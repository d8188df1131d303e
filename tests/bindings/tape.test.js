import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { builders } from '../../bindings/generated/ops.js';
import { GlassformerError, load } from '../../bindings/index.js';
import * as naive from './naive.js';

const gf = await load();
const refused = (code, pattern, node) => (error) => {
  assert.ok(error instanceof GlassformerError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  if (node !== undefined) assert.equal(error.node, node);
  return true;
};

/** x, w and q = x w: not planned. */
function small() {
  const tape = gf.tape();
  const x = tape.input('x', [3, 4]);
  const w = tape.parameter('w', [4, 2]);
  return { tape, x, w, q: tape.linear(x, w, null, 'q') };
}

test('a tape is built, planned, filled and run; its tensors tell what they are', () => {
  const { tape, x, w, q } = small();
  const ids = tape.ids('t', [2]);
  const e = tape.embed(w, ids, 'e');
  const s = tape.scale(q, 0.25, 's');
  tape.plan();
  x.set(naive.numbers(3, 4));
  w.set(naive.numbers(4, 2, 2));
  ids.set([3, 0]);
  tape.forward();
  const expected = naive.matmul(naive.numbers(3, 4), naive.numbers(4, 2, 2));
  assert.ok(naive.distance(q.toArray(), expected) < 1e-6);
  assert.deepEqual(
    e.toArray(),
    [3, 0].map((i) => w.toArray()[i]),
  );
  assert.deepEqual(
    tape.nodes.map(({ name, op, kind, shape, size }) => [name, op, kind, shape, size]),
    [
      ['x', 'leaf', 'input', [3, 4], 12],
      ['w', 'leaf', 'parameter', [4, 2], 8],
      ['q', 'linear', 'op', [3, 2], 6],
      ['t', 'leaf', 'ids', [2], 2],
      ['e', 'embed', 'op', [2, 2], 4],
      ['s', 'scale', 'op', [3, 2], 6],
    ],
  );
  assert.deepEqual(q.inputs, [x, w]);
  assert.equal(s.attributes.factor, 0.25);
  assert.match(q.formula, /y = x w \+ b/);
  assert.ok(ids.data instanceof Int32Array);
  assert.equal(ids.grad, null);
  assert.equal(tape.find('q'), q);
});

test('of a formula with two forms a node has its own', () => {
  const tape = gf.tape();
  const x = tape.input('x', [4, 4]);
  const heads = tape.splitHeads(x, 2, 'apart');
  const forms = [
    [tape.matmul(x, x, 'product'), 'y = a b'],
    [tape.matmulTransposed(x, x, 'scores'), 'y = a b^T'],
    [heads, 'y[h,t,d] = x[t, h D + d]'],
    [tape.concatHeads(heads, 'joined'), 'y[t, h D + d] = x[h,t,d]'],
    [tape.gelu(x, {}, 'gelu'), 'y = x Phi(x)'],
    [
      tape.gelu(x, { approximate: 'tanh' }, 'by tanh'),
      'y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))',
    ],
  ];
  for (const [{ name, formula }, form] of forms) assert.equal(formula, form, name);
  tape.dispose();
});

test('operands that are left out are null, in their place', () => {
  const tape = gf.tape();
  const x = tape.input('x', [2, 2, 2]);
  const lengths = tape.ids('lengths', [2]);
  assert.deepEqual(tape.mask(x, { lengths }, 'm').inputs, [x, null, lengths]);
  assert.deepEqual(tape.mask(x, { causal: true }, 'c').inputs, [x]);
});

test('backward gives the gradient of a cell, of all, and refuses to guess', () => {
  const { tape, x, w, q } = small();
  tape.plan();
  x.set(naive.numbers(3, 4));
  w.set(naive.numbers(4, 2, 2));
  tape.forward();
  const seed = [
    [0, 0],
    [0, 1],
    [0, 0],
  ];
  for (let again = 0; again < 2; again++) {
    tape.backward(q, seed);
    assert.deepEqual(x.grad, new Float32Array([0, 0, 0, 0, ...column(w, 1), 0, 0, 0, 0]));
    assert.deepEqual(
      Array.from(w.grad).filter((_, i) => i % 2),
      x.toArray()[1],
    );
  }
  tape.backward('q', new Float32Array(6));
  assert.ok(x.grad.every((g) => g === 0));
  assert.throws(() => tape.backward(q), /"q" is \[3,2\]: pass its gradient/);
  assert.throws(() => tape.backward(q, [[1]]), RangeError);
  x.grad[0] = 5;
  tape.zeroGrad();
  assert.equal(x.grad[0], 0);
});

const column = (tensor, j) => tensor.toArray().map((row) => row[j]);

test('the gradient of a target of one cell is 1 by default', () => {
  const tape = gf.tape();
  const x = tape.input('x', [1, 1]);
  const y = tape.scale(x, 3, 'y');
  tape.plan();
  tape.forward();
  tape.backward(y);
  assert.deepEqual([...x.grad], [3]);
});

test('forward runs a slice', () => {
  const tape = gf.tape();
  const x = tape.input('x', [1]);
  const [a, b, c] = ['a', 'b', 'c'].reduce((all, name) => {
    all.push(tape.scale(all.at(-1) ?? x, 2, name));
    return all;
  }, []);
  tape.plan();
  const values = () => [a, b, c].map((node) => node.data[0]);
  const uncomputed = (node) =>
    refused(
      'GF_ESTATE',
      new RegExp(`^${node.name}: not computed yet: call forward\\(\\)`),
      node.name,
    );
  x.set([1]);
  tape.forward('x', a);
  assert.equal(a.data[0], 2);
  assert.throws(() => b.data, uncomputed(b));
  tape.forward('b', 'b');
  assert.deepEqual([a.data[0], b.data[0]], [2, 4]);
  assert.throws(() => c.data, uncomputed(c));
  x.set([10]);
  tape.forward(b);
  assert.deepEqual(values(), [2, 4, 8]);
  assert.throws(
    () => tape.forward(c, a),
    refused('GF_ENODE', /expected nodes of this tape, first to last/, null),
  );
});

test('bypass copies an operand, freeze keeps what is written', () => {
  const { tape, x, q } = small();
  const s = tape.scale(q, 100, 's');
  tape.plan();
  x.set(naive.numbers(3, 4));
  tape.bypass('s');
  assert.equal(s.bypassed, 0);
  tape.freeze(q);
  assert.equal(q.frozen, true);
  q.set(naive.numbers(3, 2, 5));
  tape.forward();
  assert.deepEqual(s.toArray(), q.toArray());
  tape.bypass(s, null);
  tape.freeze('q', false);
  assert.equal(s.bypassed, null);
  assert.equal(q.frozen, false);
  tape.forward();
  assert.deepEqual(q.toArray(), [
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  assert.throws(() => tape.bypass(q), refused('GF_ERANGE', /differs in size or type/, 'q'));
  assert.throws(() => tape.bypass(s, -1), /bypass: k: .* received -1/);
  assert.throws(() => tape.bypass(s, 0.5), RangeError);
});

test('attention takes named nodes and gives named steps', () => {
  const tape = gf.tape();
  const x = tape.input('x', [3, 4]);
  const [wQ, wK, wV, wO] = ['w_q', 'w_k', 'w_v', 'w_o'].map((n) => tape.parameter(n, [4, 4]));
  const bO = tape.parameter('b_o', [4]);
  const all = { query: x, key: x, value: x, wQ, wK, wV, wO, bO, heads: 2, causal: true };
  const y = tape.attention(all, 'layers.0');
  assert.equal(y.name, 'layers.0.output');
  assert.deepEqual(
    tape.nodes.slice(6).map(({ name, op }) => `${name.slice(9)} ${op}`),
    [
      ['q linear', 'k linear', 'v linear', 'q.heads heads', 'k.heads heads', 'v.heads heads'],
      ['scores matmul', 'scores.scaled scale', 'scores.masked mask', 'weights softmax'],
      ['mix matmul', 'concat heads', 'output linear'],
    ].flat(),
  );
  assert.equal(tape.find('layers.0.scores.scaled').attributes.factor, Math.fround(Math.SQRT1_2));
  assert.throws(
    () => tape.attention({ ...all, wO: null, bO }),
    /attention: received bO without wO/,
  );
  assert.throws(() => tape.attention({ ...all, scale: 0 }), /attention: scale: .* received 0/);
  assert.throws(() => tape.attention({ ...all, scale: 1e-60 }), /received 1e-60/);
  assert.throws(() => tape.attention({ ...all, head: 2 }), /"head" \(did you mean "heads"\?\)/);
  assert.throws(() => tape.attention({ ...all, key: undefined }), /attention: key: .* undefined/);
  assert.equal(tape.nodes.length, 19);
});

test('a tape has no limit of nodes that one could see', () => {
  const tape = gf.tape();
  const x = tape.input('x', [2]);
  let last = x;
  for (let i = 0; i < 1000; i++) last = tape.add(last, x, `n${i}`);
  tape.plan();
  x.set([1, -2]);
  tape.forward();
  assert.deepEqual(last.toArray(), [1001, -2002]);
  assert.equal(tape.nodes.length, 1001);
  assert.equal(tape.find('n500').inputs[0].name, 'n499');
});

test('errors of the core carry its code, the node and its sentence', () => {
  const { tape, x, w, q } = small();
  assert.throws(
    () => tape.matmul(x, x, 'bad'),
    refused('GF_ESHAPE', /^bad: matmul: shapes do not fit: \[3,4\] x \[3,4\]$/, 'bad'),
  );
  assert.throws(() => tape.softmax(x, 'q'), refused('GF_ENAME', /taken/, 'q'));
  assert.throws(() => tape.softmax(x, ''), refused('GF_ENAME', /needs a name/));
  assert.throws(() => tape.softmax(x, 'é'.repeat(48)), refused('GF_ENAME', /longer than 95/));
  assert.throws(() => tape.softmax(x, 'n'.repeat(5000)), refused('GF_ENAME', /longer than 95/));
  assert.throws(() => tape.input('i', []), refused('GF_ESHAPE', /rank/, 'i'));
  assert.throws(() => tape.input('i', [1, 1, 1, 1, 1]), refused('GF_ESHAPE', /rank/, 'i'));
  assert.throws(() => tape.input('i', [2, 0]), refused('GF_ESHAPE', /below 1/, 'i'));
  assert.throws(() => tape.input('i', [65536, 65536]), refused('GF_EMEMORY', /2\^31/, 'i'));
  assert.throws(() => tape.splitHeads(x, 3, 'h'), refused('GF_ERANGE', /out of range/, 'h'));
  assert.throws(
    () => tape.splitHeads(tape.ids('t', [2, 2]), 2, 'h'),
    refused('GF_ENODE', /x: expected float values, received ids$/),
  );
  assert.throws(
    () => tape.attention({ query: x, key: q, value: x }),
    refused('GF_ESHAPE', /^scores: matmul/, 'scores'),
  );
  assert.throws(() => tape.find('sorces'), refused('GF_ENAME', /no node "sorces"/, 'sorces'));
  assert.throws(() => tape.find('qq'), /did you mean "q"\?/);
  assert.throws(() => tape.forward(), refused('GF_ESTATE', /not planned/, null));
  assert.throws(() => x.data, refused('GF_ESTATE', /x: no values before/, 'x'));
  assert.throws(() => x.grad, refused('GF_ESTATE', /before/, 'x'));
  assert.throws(() => x.set([]), refused('GF_ESTATE', /before/, 'x'));
  tape.plan();
  assert.throws(() => tape.plan(), refused('GF_ESTATE', /planned already/));
  assert.throws(() => tape.softmax(x, 'late'), refused('GF_ESTATE', /planned/, 'late'));
  w.set(naive.numbers(4, 2));
  tape.forward();
});

test('an empty tape cannot be planned, but built afterwards', () => {
  const tape = gf.tape();
  assert.throws(() => tape.plan(), refused('GF_ESTATE', /the tape is empty/, null));
  tape.input('x', [1]);
  tape.plan();
});

test('an id that names no row is refused at the run, and nothing is computed', () => {
  const tape = gf.tape();
  const table = tape.parameter('table', [2, 1]);
  const ids = tape.ids('ids', [2]);
  const before = tape.scale(table, 2, 'before');
  tape.embed(table, ids, 'e');
  tape.plan();
  table.set([[1], [2]]);
  ids.set([0, 2]);
  const wrong = refused('GF_EID', /^e: embed: ids\[1\] is 2/, 'e');
  assert.throws(() => tape.forward(), wrong);
  assert.throws(() => before.toArray(), refused('GF_ESTATE', /not computed yet/, 'before'));
  ids.set([0, 1]);
  tape.forward();
  assert.deepEqual(before.toArray(), [[2], [4]]);
});

test('values that do not fit are refused, and nothing is written', () => {
  const tape = gf.tape();
  const x = tape.input('x', [2, 2]);
  const t = tape.ids('t', [2]);
  tape.plan();
  x.set(Float64Array.of(1, 2, 3, 4));
  t.set([7, 8]);
  for (const [tensor, values, kind, pattern] of [
    [x, [[1, 2]], RangeError, /x.set: expected an array of 2, .* received an array of 1/],
    [x, [[1, 2], [3]], RangeError, /x.set at \[1\]: expected an array of 2/],
    [x, [[1, 2], 3], TypeError, /x.set at \[1\]: .* received 3/],
    [x, [1, 2, 3, 4], RangeError, /received an array of 4/],
    [
      x,
      [
        [9, 9],
        [9, 'a'],
      ],
      TypeError,
      /x.set at \[1,1\]: expected a number, received "a"/,
    ],
    [
      x,
      [
        [9, 9],
        [9, undefined],
      ],
      TypeError,
      /received undefined/,
    ],
    [
      x,
      [
        [9, 9],
        [9, null],
      ],
      TypeError,
      /received null/,
    ],
    [
      x,
      [
        [9, 9],
        [9, [9]],
      ],
      TypeError,
      /received an array of 1/,
    ],
    [x, new Float32Array(3), RangeError, /received Float32Array of 3/],
    [x, new Float32Array(5), RangeError, /received Float32Array of 5/],
    [x, new BigInt64Array(4), TypeError, /received 0n/],
    [x, new DataView(new ArrayBuffer(16)), TypeError, /received DataView/],
    [x, { data: [9, 9, 9] }, RangeError, /received an array of 3/],
    [
      x,
      { data: [9, 9, 9, 9], shape: [4] },
      RangeError,
      /expected the shape \[2,2\], received \[4\]/,
    ],
    [x, { value: 3 }, TypeError, /received an object \{value\}/],
    [x, 5, TypeError, /received 5/],
    [x, null, TypeError, /received null/],
    [t, [1, 1.5], RangeError, /t.set at \[1\]: .* received 1.5/],
    [t, [1, Number.NaN], RangeError, /received NaN/],
    [t, [1, 2 ** 31], RangeError, /received 2147483648/],
    [t, new Float32Array([1, 0.5]), RangeError, /received 0.5/],
    [t, ['1', 1], TypeError, /received "1"/],
    [t, [true, false], TypeError, /received true/],
  ]) {
    assert.throws(
      () => tensor.set(values),
      (error) => error instanceof kind && pattern.test(error.message),
      String(pattern),
    );
  }
  assert.deepEqual(x.toArray(), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(t.toArray(), [7, 8]);
  x.set([Float32Array.of(5, 6), [7, Number.NEGATIVE_INFINITY]]);
  assert.deepEqual([...x.data], [5, 6, 7, Number.NEGATIVE_INFINITY]);
  x.set({ data: Int8Array.of(1, 2, 3, 4), shape: [2, 2] });
  assert.deepEqual([...x.data], [1, 2, 3, 4]);
});

test('tensors live on when the memory grows, old views do not', () => {
  const { tape, x } = small();
  tape.plan();
  x.set(naive.numbers(3, 4));
  const view = x.data;
  const before = x.toArray();
  const others = [gf.tape(), gf.tape()];
  for (const other of others) {
    other.input('large', [1000, 1000]);
    other.plan();
  }
  assert.equal(view.length, 0, 'the memory did not grow: the test proves nothing');
  assert.notEqual(x.data, view);
  assert.deepEqual(x.toArray(), before);
  x.set(naive.numbers(3, 4, 9));
  tape.forward();
  assert.ok(naive.distance(x.toArray(), naive.numbers(3, 4, 9)) < 1e-6);
  tape.backward('q', naive.numbers(3, 2));
  assert.equal(x.grad.length, 12);
  for (const other of others) other.dispose();
});

test('a refused growth is told, and everything stays usable', (t) => {
  const { tape, x } = small();
  tape.plan();
  const large = gf.tape();
  large.input('large', [3000, 3000]);
  const grow = t.mock.method(WebAssembly.Memory.prototype, 'grow', () => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  });
  assert.throws(() => large.plan(), refused('GF_EMEMORY', /720000\d\d bytes wanted/));
  x.set(naive.numbers(3, 4));
  tape.forward();
  assert.ok(naive.distance(x.toArray(), naive.numbers(3, 4)) < 1e-6);
  grow.mock.restore();
  large.plan();
  large.forward();
  large.dispose();
});

test('what exceeds the address space is refused by the core, and the tape can be left', () => {
  const tape = gf.tape();
  tape.input('a', [32768, 32768]);
  assert.throws(() => tape.plan(), refused('GF_EMEMORY', /address space/, null));
  assert.throws(() => tape.plan(), refused('GF_EMEMORY', /address space/, null));
  tape.dispose();
});

test('after dispose every call says so, and dispose itself does nothing more', () => {
  const { tape, x, q } = small();
  tape.plan();
  tape.zeroGrad();
  assert.equal(x.data.length + x.grad.length, 24);
  tape.dispose();
  tape.dispose();
  tape[Symbol.dispose]();
  const disposed = refused('GF_EDISPOSED', /the tape is disposed of/);
  for (const call of [
    () => tape.input('y', [1]),
    () => tape.softmax(x, 'y'),
    () => tape.attention({ query: x, key: x, value: x }),
    () => tape.plan(),
    () => tape.forward(),
    () => tape.backward(q, new Float32Array(6)),
    () => tape.zeroGrad(),
    () => tape.bypass(q),
    () => tape.freeze(q),
    () => tape.find('q'),
    () => x.data,
    () => x.grad,
    () => x.set([]),
    () => x.toArray(),
    () => x.bypassed,
    () => x.frozen,
  ]) {
    assert.throws(call, disposed, String(call));
  }
  assert.equal(x.name, 'x');
});

test('a plan that reuses memory keeps results and what it was asked for', () => {
  const plain = small();
  const reused = small();
  for (const { tape, q } of [plain, reused]) tape.relu(tape.tanh(q, 'h'), 'y');
  const { tape, x, w, q } = reused;
  for (const [options, pattern] of [
    [{ reuse: 1 }, /plan: reuse: expected true or false, received 1/],
    [{ keep: 'h' }, /plan: keep: expected an array of nodes or names, received "h"/],
    [{ keeps: [] }, /plan: .*keeps/],
  ]) {
    assert.throws(() => tape.plan(options), { name: 'TypeError', message: pattern });
  }
  assert.throws(() => tape.plan({ keep: ['hh'] }), refused('GF_ENAME', /hh/));
  plain.tape.plan();
  tape.plan({ reuse: true, keep: ['h'] });
  for (const side of [plain, reused]) {
    side.x.set(naive.numbers(3, 4));
    side.w.set(naive.numbers(4, 2, 2));
    side.tape.forward();
  }
  for (const name of ['x', 'w', 'h', 'y']) {
    assert.deepEqual(tape.find(name).data, plain.tape.find(name).data, name);
  }
  const gone = refused('GF_ESTATE', /q: the plan reuses memory: this value is not kept/, 'q');
  assert.throws(() => q.data, gone);
  assert.throws(() => q.toArray(), gone);
  assert.throws(() => tape.freeze(q), refused('GF_ESTATE', /q: freeze: the plan/, 'q'));
  assert.throws(() => tape.forward('h'), refused('GF_ESTATE', /q: forward: the plan/, 'q'));
  assert.throws(
    () => tape.backward('h', new Float32Array(6)),
    refused('GF_ESTATE', /no gradients/),
  );
  assert.deepEqual([x.grad, w.grad, q.grad], [null, null, null]);
  tape.forward('y');
});

test('disposed tapes give their memory back', async (t) => {
  const fresh = await load();
  const build = () => {
    const tape = fresh.tape();
    /* More nodes than the first block holds. */
    for (let i = 0; i < 100; i++) tape.input(`x${i}`, [10, 10]);
    tape.plan();
    return tape;
  };
  build().dispose();
  t.mock.method(WebAssembly.Memory.prototype, 'grow', () => {
    throw new RangeError('no more');
  });
  for (let i = 0; i < 500; i++) build().dispose();
});

test('tapes that nobody disposed of are given back by the garbage collector', () => {
  const bindings = new URL('../../bindings/', import.meta.url);
  const code = `
    import { load } from '${bindings}index.js';
    import { Heap } from '${bindings}js/runtime/heap.js';
    const gf = await load();
    let freed = 0;
    const free = Heap.prototype.free;
    Heap.prototype.free = function (at) {
      freed += 1;
      free.call(this, at);
    };
    const forget = () => gf.tape().input('x', [2]).tape.plan();
    for (let i = 0; i < 20; i++) forget();
    const before = freed;
    for (let turn = 0; turn < 100 && freed === before; turn++) {
      gc();
      await new Promise(setImmediate);
    }
    console.log(freed > before);`;
  const args = ['--expose-gc', '--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stdout + stderr, 'true\n');
});

test('a tensor of another tape is refused by its name', () => {
  const { tape, x } = small();
  const other = gf.tape();
  const y = other.input('y', [4, 2]);
  const foreign = /: the tensor "y" belongs to another tape/;
  assert.throws(() => tape.linear(x, y, null, 'z'), foreign);
  assert.throws(() => tape.linear(x, tape.find('w'), y, 'z'), foreign);
  assert.throws(() => tape.mask(x, { mask: y }, 'z'), foreign);
  assert.throws(() => tape.attention({ query: x, key: y, value: x }), foreign);
  assert.throws(() => tape.forward(y), foreign);
  assert.throws(() => tape.bypass(y), foreign);
});

/** Everything that a caller can see of a tape. */
const look = (tape) =>
  tape.nodes.map(({ name, op, shape, inputs, bypassed, frozen }) => ({
    name,
    op,
    shape,
    inputs: inputs.map((input) => input?.name),
    bypassed,
    frozen,
  }));

test('a rejected call changes nothing, whatever the arguments', () => {
  const stranger = gf.tape().input('stranger', [2, 2]);
  const odd = fc.constantFrom(
    ...[undefined, null, 0, -1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY, 3n],
    ...['', 'x', 'a\0b', 'n'.repeat(200), true, Symbol('s'), {}, [], [2], [[2, 2]], [0, 3]],
    ...[new Float32Array(3), () => 1, { causal: 1 }, { masks: 1 }, { query: 1 }, stranger],
  );
  const good = fc.constantFrom('x', 'w', 't', 'b').map((name) => (tape) => tape.find(name));
  const argument = fc.oneof(
    odd.map((value) => () => value),
    good,
  );
  const methods = [
    ...['input', 'parameter', 'ids', 'attention', ...Object.keys(builders)],
    ...['forward', 'backward', 'bypass', 'freeze', 'find'],
  ];
  const call = fc.tuple(fc.constantFrom(...methods), fc.array(argument, { maxLength: 5 }));
  /* Right but for the name: seldom drawn. */
  const nameless = methods.flatMap((method) =>
    [(tape) => tape.find('w'), () => 2, () => [7], () => 0].map((second) => [
      [method, [(tape) => tape.find('x'), second, () => Symbol('s')]],
    ]),
  );
  let rejected = 0;
  fc.assert(
    fc.property(call, ([method, args]) => {
      const tape = gf.tape();
      const x = tape.input('x', [2, 3]);
      const w = tape.parameter('w', [3, 2]);
      tape.ids('t', [2]);
      tape.parameter('b', [2]);
      const before = look(tape);
      let failed = false;
      try {
        tape[method](...args.map((make) => make(tape)));
      } catch (error) {
        failed = true;
        rejected += 1;
        const clear =
          error instanceof GlassformerError ||
          ((error instanceof TypeError || error instanceof RangeError) &&
            /received|belongs|unknown|expected|no zero|ids have/.test(error.message));
        assert.ok(clear, `${method}: ${error.stack}`);
      }
      if (failed) assert.deepEqual(look(tape), before);
      if (!failed && method !== 'bypass') return tape.dispose();
      const y = tape.linear(x, w, null, 'the next good call');
      tape.plan();
      x.set(naive.numbers(2, 3));
      w.set(naive.numbers(3, 2, 2));
      tape.forward();
      const expected = naive.matmul(naive.numbers(2, 3), naive.numbers(3, 2, 2));
      assert.ok(naive.distance(y.toArray(), expected) < 1e-6);
      tape.dispose();
    }),
    { numRuns: 6000, examples: nameless },
  );
  assert.ok(rejected > 1000, `${rejected} of the calls were rejected`);
});

test('names may be any text but a zero character', () => {
  const tape = gf.tape();
  const name = 'encoder.weiß.重み.🙂: "x"';
  assert.equal(tape.input(name, [1]).name, name);
  assert.equal(tape.find(name).name, name);
  assert.throws(() => tape.input('a\0b', [1]), /no zero character/);
  assert.throws(() => tape.input(7, [1]), /input: name: expected a name, received 7/);
});
