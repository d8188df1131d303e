// Parameters stored in few bits, through the binding: the bits of the same tape in float32, in both builds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STORED } from '../../bindings/models/formats/stored.js';
import { load } from '../../bindings/models.js';
import { BUILDS } from '../support/builds.js';
import { blocksOf, TYPES } from '../support/stored.js';

const ROWS = 21;
const COLUMNS = 512;
const M = 5;

/** What a file has of a matrix, and the numbers that it stands for.
 * @param {string} type */
function matrixOf(type) {
  const bytes = blocksOf(type, ROWS, COLUMNS);
  const numbers = new Float32Array(ROWS * COLUMNS);
  STORED[type.toUpperCase()].expand(bytes, numbers);
  return { bytes, numbers };
}

/** A tape that reads a matrix in each way, before its plan. */
function build(gf) {
  const tape = gf.tape();
  const x = tape.input('x', [M, COLUMNS]);
  const table = tape.parameter('table', [ROWS, COLUMNS]);
  tape.linear(x, tape.parameter('w', [COLUMNS, ROWS]), null, 'y');
  const rows = tape.embed(table, tape.ids('ids', [M]), 'rows');
  tape.matmulTransposed(tape.add(x, rows, 'sum'), table, 'logits');
  return tape;
}

/** The bits of what it computes, by the nodes' names. */
function run(tape) {
  tape.find('x').set(Float32Array.from({ length: M * COLUMNS }, (_, i) => Math.sin(i)));
  tape.find('ids').set([0, 20, 3, 3, 7]);
  tape.forward();
  const gradient = Float32Array.from({ length: M * ROWS }, (_, i) => Math.cos(i));
  const hex = (data) => Buffer.from(data.slice().buffer).toString('hex');
  const values = ['y', 'rows', 'logits'].map((name) => [name, hex(tape.find(name).data)]);
  const grads = ['y', 'logits'].map((name) => {
    tape.backward(name, gradient);
    return [`gradient of ${name}`, hex(tape.find('x').grad)];
  });
  return Object.fromEntries([...values, ...grads]);
}

for (const [name, options] of Object.entries(BUILDS)) {
  describe(name, async () => {
    const gf = await load(options);
    for (const type of TYPES) {
      test(`${type}: every result and gradient has the bits of the float32 matrix`, () => {
        const { bytes, numbers } = matrixOf(type);
        const matrix = gf.stored({ type, rows: ROWS, columns: COLUMNS });
        assert.ok(matrix.bytes < (bytes.length * 24) / ROWS + 1);
        const row = bytes.length / ROWS;
        for (let at = 0; at < bytes.length; at += 4 * row)
          matrix.put(bytes.subarray(at, at + 4 * row));
        const tape = build(gf);
        tape.bindStored('w', matrix);
        tape.bindStored('table', matrix);
        tape.plan();
        const plain = build(gf);
        plain.plan();
        plain.find('table').set(numbers);
        plain
          .find('w')
          .set(numbers.map((_, i) => numbers[(i % ROWS) * COLUMNS + Math.floor(i / ROWS)]));
        assert.deepEqual(run(tape), run(plain));
        for (const index of [
          [0, 0],
          [20, 511],
          [13, 300],
        ]) {
          const { value, d, scale, q, m, offset } = tape.weight('table', index);
          assert.equal(value, numbers[index[0] * COLUMNS + index[1]]);
          assert.equal(value, Math.fround(d * scale * q + m * offset));
          assert.equal(tape.weight('w', index.toReversed()).value, value);
        }
      });
    }
  });
}

const gf = await load();
const table = (rows, columns) => {
  const tape = gf.tape();
  tape.embed(tape.parameter('table', [rows, columns]), tape.ids('ids', [2]), 'y');
  return tape;
};
/** @param {() => unknown} call @param {string} code @param {RegExp} text */
const refuses = (call, code, text) => assert.throws(call, { code, message: text });

test('what cannot be stored is refused, and changes nothing', () => {
  refuses(
    () => gf.stored({ type: 'q3_k', rows: 1, columns: 32 }),
    'GF_ERANGE',
    /did you mean "q4_k"/,
  );
  refuses(
    () => gf.stored({ type: 'q4_k', rows: 1, columns: 96 }),
    'GF_ERANGE',
    /^stored: columns: q4_k stores 256 numbers together, received 96 columns$/,
  );
  refuses(
    () => gf.stored({ type: 'f16', rows: 2 ** 30, columns: 2 ** 30 }),
    'GF_EMEMORY',
    /exceed/,
  );
  const matrix = gf.stored({ type: 'q8_0', rows: 3, columns: 32 });
  refuses(() => matrix.put('text'), 'GF_ETYPE', /^put: bytes: expected an ArrayBuffer or a view/);
  refuses(
    () => matrix.put(new Uint8Array(33)),
    'GF_ERANGE',
    /whole rows of 34 bytes, received 33 bytes/,
  );
  refuses(
    () => matrix.put(new Uint8Array(102), 1),
    'GF_ERANGE',
    /rows up to 3, received 3 from row 1 on/,
  );
  const tape = table(3, 32);
  refuses(() => tape.bindStored('table', {}), 'GF_ETYPE', /expected what stored\(\) gives/);
  refuses(
    () => tape.bindStored('ids', matrix),
    'GF_ERANGE',
    /expected a matrix of \[3,32\], received one of \[2\]/,
  );
  refuses(
    () => tape.bindStored('table', matrix, { along: 0 }),
    'GF_ERANGE',
    /expected a matrix of \[32,3\], received one of \[3,32\]/,
  );
  refuses(() => tape.weight('table', [0, 0]), 'GF_ERANGE', /"table" is not stored/);
  const w = tape.parameter('w', [32, 3]);
  tape.relu(w, 'z');
  refuses(
    () => tape.bindStored(w, matrix),
    'GF_ENODE',
    /^z: relu: x: expected float values, received q8_0$/,
  );
  tape.bindStored('table', matrix);
  refuses(
    () => tape.bindStored('table', matrix),
    'GF_ESTATE',
    /^table: bindStored: it is stored as q8_0 already$/,
  );
  tape.plan();
  tape.forward();
});

test('a matrix of which nothing is left is refused, and its memory comes back', () => {
  const tape = table(2, 1024);
  const matrix = gf.stored({ type: 'f16', rows: 2, columns: 1024 });
  matrix.put(new Uint16Array(2048).fill(0x3c00));
  tape.bindStored('table', matrix);
  tape.plan();
  tape.forward();
  assert.equal(tape.find('y').data[1023], 1);
  matrix.dispose();
  matrix.dispose();
  refuses(() => tape.forward(), 'GF_EDISPOSED', /the stored matrix is disposed of/);
  refuses(() => matrix.put(new Uint8Array(0)), 'GF_EDISPOSED', /disposed/);
  tape.dispose();
});
