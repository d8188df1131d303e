// Random attention models: any shape, mask and override that the core allows, drawn from a seed.
import { generator, Program } from './program.js';

/** Sizes on every tail of the vectors, and some beyond a block of a matrix product. */
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31, 33];
const LONG = 257;

/** @param {number} seed */
export function randomModel(seed) {
  const random = generator(seed);
  const chance = (p) => random() < p;
  const integer = (low, high) => low + Math.floor(random() * (high - low + 1));
  const size = () => SIZES[integer(0, SIZES.length - 1)];
  const product = (shape) => shape.reduce((a, b) => a * b, 1);
  const program = new Program();
  /** What to write into the leaves once the tape is planned. */
  const fills = [];

  const numbers = (count, spread) =>
    Float32Array.from({ length: count }, () => (chance(0.05) ? 0 : (2 * random() - 1) * spread));
  const leaf = (kind, name, shape, spread = 1) => {
    program[kind](name, shape);
    fills.push([name, numbers(product(shape), spread)]);
    return name;
  };
  const ids = (name, shape, low, high) => {
    program.ids(name, shape);
    const data = Int32Array.from({ length: product(shape) }, () => integer(low, high));
    fills.push([name, data]);
    return name;
  };

  const batch = chance(0.5) ? [integer(1, 3)] : [];
  const heads = integer(1, 4);
  const width = size();
  const cross = chance(0.4);
  const projected = chance(0.7);
  const valueWidth = cross || projected ? size() : width;
  const queries = size();
  const keys = cross ? size() : queries;
  const channels = chance(0.1) ? LONG : size();

  /** A sequence of embedded tokens with positions, or of numbers. */
  const sequence = (name, time, columns) => {
    if (!chance(0.3)) return leaf('input', name, [...batch, time, columns], chance(0.2) ? 9 : 1);
    const rows = integer(1, 20);
    leaf('parameter', `${name}.table`, [rows, columns]);
    program.embed(
      `${name}.table`,
      ids(`${name}.tokens`, [...batch, time], 0, rows - 1),
      `${name}.rows`,
    );
    program.position(ids(`${name}.at`, [time], 0, 2 ** 20), columns, `${name}.position`);
    program.add(`${name}.rows`, `${name}.position`, name);
    return name;
  };
  const query = sequence('x', queries, projected ? channels : heads * width);
  const key = cross ? sequence('y', keys, projected ? channels : heads * width) : query;
  const value = cross ? sequence('z', keys, projected ? channels : heads * valueWidth) : query;

  const spread = 2 / Math.sqrt(channels);
  const projection = (letter, rows, columns) => ({
    [`w${letter}`]: leaf('parameter', `w.${letter}`, [rows, columns], spread),
    [`b${letter}`]: chance(0.5) ? leaf('parameter', `b.${letter}`, [columns]) : null,
  });
  const columns = chance(0.5) ? size() : 0;
  const weights = {
    ...(projected && projection('Q', channels, heads * width)),
    ...(projected && projection('K', channels, heads * width)),
    ...(projected && projection('V', channels, heads * valueWidth)),
    ...(columns && projection('O', heads * valueWidth, columns)),
  };

  const scores = [...batch, ...(heads > 1 ? [heads] : []), queries, keys];
  const mask = () => {
    const shape = scores.slice(integer(0, scores.length - 1)).map((n) => (chance(0.3) ? 1 : n));
    if (chance(0.5)) return ids('mask', shape, 0, 2);
    leaf('input', 'mask', shape);
    const [, data] = fills.at(-1);
    data.forEach((_, i) => {
      if (chance(0.3)) data[i] = Number.NEGATIVE_INFINITY;
    });
    return 'mask';
  };
  const causal = chance(0.4);
  const options = {
    mask: chance(0.5) ? mask() : null,
    lengths: batch.length && chance(0.5) ? ids('lengths', batch, -1, keys + 1) : null,
    scale: chance(0.3) ? Math.fround(2 * random() - 1) || undefined : undefined,
  };
  const path = chance(0.3) ? 'encoder.layers.0.self_attn' : '';
  const step = (name) => (path ? `${path}.${name}` : name);
  program.attention({ query, key, value, ...weights, heads, causal, ...options }, path);

  // What follows it in a model: a product with itself, a scale, a softmax.
  program.matmulTransposed(step('output'), step('output'), 'gram');
  program.scale('gram', Math.fround(random()), 'gram.scaled');
  program.softmax('gram.scaled', 'last');

  program.plan();
  // One extreme number may spread to every node, as infinities and NaN.
  const strange = [Number.NaN, Number.POSITIVE_INFINITY, 1e-40, 3e38][integer(0, 3)];
  if (chance(0.15)) fills.find(([, data]) => data instanceof Float32Array)[1][0] = strange;
  for (const [name, data] of fills) program.set(name, data);
  if (chance(0.3)) program.bypass(step('scores.scaled'), 0);
  if (chance(0.3)) program.bypass(step('weights'), 0);
  program.forward();
  if (chance(0.4)) {
    const frozen = step(['scores', 'scores.scaled', 'weights'][integer(0, 2)]);
    program.freeze(frozen);
    program.set(frozen, numbers(product(scores), 1));
    program.forward(frozen);
  }
  program.backward('last', numbers(product([...batch, queries, queries]), 1));
  return program;
}
