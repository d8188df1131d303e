// Products in integers: against a reference in whole numbers and fractions (tests/reference/integer.py), bit by bit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { load as loadThreads } from '../../bindings/models/threads/node/index.js';
import { load } from '../../bindings/models.js';
import { BUILDS } from '../support/builds.js';
import { generator } from '../support/program.js';
import { blocksOf } from '../support/stored.js';

const { rows, columns, x, stored } = JSON.parse(
  readFileSync(new URL('../reference/fixtures/integer.json', import.meta.url), 'utf8'),
);
const floats = (bits) => new Float32Array(Uint32Array.from(bits).buffer);
/** The bits of numbers; every NaN counts as one. */
const bitsOf = (data) =>
  Array.from(new Uint32Array(data.slice().buffer), (bits, i) =>
    Number.isNaN(data[i]) ? 0x7fc00000 : bits,
  );

/** y of some rows of x, by linear or by matmulTransposed. */
function product(gf, matrix, inputs, along, arithmetic = 'integer') {
  const tape = gf.tape();
  const input = tape.input('x', [inputs.length, columns]);
  const w = tape.parameter('w', along ? [rows, columns] : [columns, rows]);
  if (along) tape.matmulTransposed(input, w, 'y');
  else tape.linear(input, w, null, 'y');
  tape.bindStored(w, matrix, { along, arithmetic });
  tape.plan({ reuse: true });
  input.set(floats(inputs.flat()));
  tape.forward();
  const y = tape.find('y').data.slice();
  tape.dispose();
  return y;
}

for (const [build, options] of Object.entries(BUILDS)) {
  describe(`products in integers, ${build}`, async () => {
    const gf = await load(options);
    for (const [type, { bytes, y }] of Object.entries(stored)) {
      test(`${type}: the bits of the reference, for any number of rows at once`, () => {
        const matrix = gf.stored({ type, rows, columns }).put(Buffer.from(bytes, 'hex'));
        for (const many of [1, 2, 3, 4, 5, 8]) {
          for (let first = 0; first + many <= x.length; first += many) {
            const expected = y.slice(first, first + many).flat();
            for (const along of [0, 1]) {
              const inputs = x.slice(first, first + many);
              assert.deepEqual(bitsOf(product(gf, matrix, inputs, along)), expected);
            }
          }
        }
        matrix.dispose();
      });
    }

    test('more rows than are read at once, and longer ones: the bits of each by itself', () => {
      const { bytes } = stored.q4_1;
      const matrix = gf.stored({ type: 'q4_1', rows, columns }).put(Buffer.from(bytes, 'hex'));
      const many = Array.from({ length: 150 }, (_, i) => x[i % 5]);
      const all = bitsOf(product(gf, matrix, many, 0));
      assert.deepEqual(
        all,
        many.flatMap((_, i) => stored.q4_1.y[i % 5]),
      );
      matrix.dispose();
    });
  });
}

test('the integers of 16 bits are near: of an exact product they miss at most 1e-4 of its largest number', async () => {
  const gf = await load();
  for (const [type, { bytes }] of Object.entries(stored)) {
    const matrix = gf.stored({ type, rows, columns }).put(Buffer.from(bytes, 'hex'));
    const [near, exact] = ['integer', 'exact'].map((how) => product(gf, matrix, [x[0]], 0, how));
    const most = Math.max(...exact.map(Math.abs));
    assert.notDeepEqual(near, exact, `${type} is a second result`);
    for (let i = 0; i < rows; i++) {
      assert.ok(Math.abs(near[i] - exact[i]) < 1e-4 * most, `${type}: ${near[i]}, ${exact[i]}`);
    }
    matrix.dispose();
  }
});

test('two threads share a product that is large enough: the same bits', async () => {
  const sizes = { type: 'q4_1', rows: 8200, columns: 512 };
  const bytes = blocksOf(sizes.type, sizes.rows, sizes.columns);
  const random = generator(3);
  const numbers = Float32Array.from({ length: 70 * sizes.columns }, () => random() - 0.5);
  const made = async (gf) => {
    const matrix = gf.stored(sizes).put(bytes);
    const results = [1, 70].map((m) => {
      const tape = gf.tape();
      const input = tape.input('x', [m, sizes.columns]);
      const w = tape.parameter('w', [sizes.columns, sizes.rows]);
      const y = tape.linear(input, w, null, 'y');
      tape.bindStored(w, matrix, { arithmetic: 'integer' });
      tape.plan({ reuse: true });
      input.set(numbers.subarray(0, m * sizes.columns));
      tape.forward();
      return Buffer.from(y.data.slice().buffer);
    });
    return results;
  };
  const two = await loadThreads({ threads: 2 });
  const [shared, alone] = [await made(two), await made(await load())];
  assert.ok(shared.every((data, i) => data.equals(alone[i])));
});
