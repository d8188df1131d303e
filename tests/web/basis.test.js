// The plane that arrows of more than two channels are seen in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { movedTo, ofChannels, placeIn } from '../../web/stage/draw/basis.js';
import { principal } from '../../web/stage/draw/principal.js';
import { gram, largestTwo } from '../support/eigen.js';

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const close = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a}, ${b}`);

/** The eigenvalues of a symmetric 3 × 3 matrix in closed form, the largest first (O. K. Smith, 1961). */
function eigenvalues(m) {
  const mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
  const off = m[0][1] ** 2 + m[0][2] ** 2 + m[1][2] ** 2;
  const p = Math.sqrt(m.reduce((sum, row, i) => sum + (row[i] - mean) ** 2, 2 * off) / 6);
  if (p === 0) return [mean, mean, mean];
  const [[a, b, c], [, d, e], [, , f]] = m.map((row, i) =>
    row.map((x, j) => (x - (i === j ? mean : 0)) / p),
  );
  const det = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
  const phi = Math.acos(Math.max(-1, Math.min(1, det / 2))) / 3;
  const first = mean + 2 * p * Math.cos(phi);
  const last = mean + 2 * p * Math.cos(phi + (2 * Math.PI) / 3);
  return [first, 3 * mean - first - last, last];
}

const row = fc
  .tuple(...Array(3).fill(fc.integer({ min: -30, max: 30 })))
  .map((all) => all.map((x) => x / 10));
const place = fc.integer({ min: -9, max: 9 });
const rows = fc.array(row, { minLength: 1, maxLength: 6 });

test('the principal directions hold as much of the rows as two directions can', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const [a, b] = principal(all);
      close(dot(a, a), 1);
      close(dot(b, b), 1);
      close(dot(a, b), 0);
      const [first, second] = eigenvalues(gram(all));
      const held = all.reduce((sum, r) => sum + dot(r, a) ** 2 + dot(r, b) ** 2, 0);
      close(held, first + second, 1e-6 * Math.max(1, first));
    }),
    { seed: 7 },
  );
});

test('of sixteen channels, too, they are the eigenvectors of the largest eigenvalues', () => {
  const random = (n) => ((Math.sin(n * 12.9898) * 43758.5453) % 1) * 2;
  const all = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 16 }, (_, j) => random(16 * i + j + 1)),
  );
  const wanted = largestTwo(gram(all));
  for (const [k, along] of principal(all).entries()) {
    close(Math.abs(dot(along, wanted[k])), 1, 1e-9);
    assert.ok(
      along.some((x) => x === Math.max(...along.map(Math.abs))),
      'its largest part is up',
    );
  }
});

test('a row that is moved lies where it was moved to, and what is not seen of it stays', () => {
  fc.assert(
    fc.property(row, fc.tuple(place, place), (from, to) => {
      for (const basis of [ofChannels(3, [0, 2]), principal([from, [1, 2, 3], [0, 1, -1]])]) {
        const moved = movedTo(basis, from, to);
        for (const [i, x] of placeIn(basis, moved).entries()) close(x, to[i]);
        const [a, b] = basis;
        const across = [0, 1, 2].map(
          (i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3],
        );
        close(dot(moved, across), dot(from, across));
      }
    }),
    { seed: 7 },
  );
  assert.deepEqual(placeIn(ofChannels(4, [1, 2]), [5, 6, 7, 8]), [6, 7]);
});

/** Rows with known principal directions: orthogonal ones, each with its own size.
 * @param {number} width @param {() => number} random */
function known(width, random) {
  /** @type {number[][]} */
  const basis = [];
  while (basis.length < width) {
    let next = Array.from({ length: width }, () => random() - 0.5);
    for (let turn = 0; turn < 2; turn++) {
      for (const other of basis) {
        const part = dot(next, other);
        next = next.map((x, i) => x - part * other[i]);
      }
    }
    const length = Math.sqrt(dot(next, next));
    basis.push(next.map((x) => x / length));
  }
  return basis;
}

test('in any number of channels they are the directions that rows were made of', () => {
  let seed = 11;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let width = 2; width <= 24; width++) {
    const basis = known(width, random);
    const rows = basis.map((direction, k) => direction.map((x) => x * (width - k)));
    for (const [k, direction] of principal(rows).entries()) {
      close(Math.abs(dot(direction, basis[k])), 1, 1e-9);
      assert.ok(Math.max(...direction) >= -Math.min(...direction), 'the larger part upwards');
    }
  }
});

test('whatever lies at right angles to it, a single row is seen in full', () => {
  for (const row of [
    [1, -2, 0],
    [0, 0, 3],
    [0, -1, 1.5],
    [1, 1, -4.5],
  ]) {
    const [x, y] = placeIn(principal([row]), row);
    close(Math.abs(x), Math.sqrt(dot(row, row)));
    close(y, 0);
  }
});
