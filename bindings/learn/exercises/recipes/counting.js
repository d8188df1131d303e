// Recipes that count parameters and operations, and that search for words.

import { best } from './best.js';

/** @typedef {import('./index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').By} By */
/** @typedef {import('../../../js/model/summary.js').Summary} Summary */

/** Summaries by their sizes: a problem asks for the same again and again.
 * @type {Map<string, Summary>} */
const cache = new Map();
const MAX_CACHED = 64;

/** A decoder of one layer, as the leaves describe it.
 * @param {import('../../../js/glassformer.js').Glassformer} gf
 * @param {readonly ArrayLike<number>[]} leaves d_model, heads, d_ff, vocab, bias, tokens
 * @returns {Summary} */
function decoder(gf, leaves) {
  const [dModel, heads, dFF, vocab, bias, target = 4] = leaves.map((leaf) => leaf[0]);
  const key = [dModel, heads, dFF, vocab, bias, target].join();
  const cached = cache.get(key);
  if (cached) return cached;
  const layer = /** @type {const} */ ({ kind: 'gpt', layers: 1, positions: 'sinusoidal' });
  const sizes = { maxLength: Math.max(16, target), dModel, heads, dFF, vocab, bias: bias !== 0 };
  const summary = gf.summary({ ...layer, ...sizes }, { target });
  if (cache.size === MAX_CACHED) cache.clear();
  cache.set(key, summary);
  return summary;
}

/** @param {Summary} summary @param {(row: Summary['rows'][number]) => boolean} is */
const parameters = ({ rows }, is) => rows.filter(is).reduce((sum, row) => sum + row.parameters, 0);

/** @param {Summary} summary @param {(row: Summary['rows'][number]) => boolean} is */
const multiplyAdds = ({ rows }, is) =>
  rows.filter(is).reduce((sum, row) => sum + row.multiplyAdds, 0);

/** @param {Summary['rows'][number]} row */
const ofAttention = ({ part }) => part === 'self_attn';
/** @param {Summary['rows'][number]} row */
const ofFeedForward = ({ part }) => part === 'feed_forward';
/** @param {Summary['rows'][number]} row */
const ofLayerNorms = ({ role, layer }) => role === 'norm' && layer !== null;

/** @type {By} */
const add = (operands) => [operands.reduce((sum, [x]) => sum + x, 0)];

/** @type {Record<string, By>} */
const search = {
  greedy: ([first, second]) => {
    const word = best(Array.from(first));
    const width = first.length;
    return [word, best(Array.from(second).slice(word * width, (word + 1) * width))];
  },
  beam: ([first, second]) => {
    const width = first.length;
    const pair = best(Array.from(second, (p, i) => first[Math.floor(i / width)] * p));
    return [Math.floor(pair / width), pair % width];
  },
};

/** A step whose numbers count, or number something.
 * @param {import('../machine/machine.js').Step} step */
const whole = (step) => ({ ...step, whole: true });

/** The probability of the words that a search chose. @param {string} words
 * @returns {import('../machine/machine.js').Step} */
const jointOf = (words) => ({
  name: `${words}.p`,
  by: ([first, second, [word, next]]) => [first[word] * second[word * first.length + next]],
  of: ['first', 'second', words],
  shape: [1],
  does: 'joint',
});

/** The sizes of a layer.
 * @param {import('./draw.js').Draw} draw */
function layerOf(draw) {
  const heads = draw.pick([2, 4]);
  return {
    d_model: [heads * draw.integer(2, 4)],
    heads: [heads],
    d_ff: [8 * draw.integer(3, 6)],
    vocab: [draw.integer(20, 50)],
  };
}

const OF_LAYER = /** @type {const} */ ({ d_model: [1], heads: [1], d_ff: [1], vocab: [1] });
const withBias = () => ({ bias: [1] });

/** @type {Record<string, Recipe>} */
export const counting = {
  'parameter-count': {
    asked: ['attention', 'feed_forward', 'norms', 'layer'],
    points: { attention: 2, feed_forward: 2 },
    end: ['layer'],
    digits: 0,
    shapes: OF_LAYER,
    draw: (draw) => ({ leaves: layerOf(draw) }),
    inner: withBias,
    steps: () => [
      count('attention', (model) =>
        parameters(model, (row) => ofAttention(row) && !ofLayerNorms(row)),
      ),
      count('feed_forward', (model) => parameters(model, ofFeedForward)),
      count('norms', (model) => parameters(model, ofLayerNorms)),
      whole({ name: 'layer', by: add, of: ['attention', 'feed_forward', 'norms'], shape: [1] }),
    ],
  },

  cost: {
    asked: ['projections', 'scores', 'mix', 'feed_forward', 'layer'],
    points: { scores: 2, mix: 2 },
    end: ['layer'],
    digits: 0,
    shapes: { ...OF_LAYER, tokens: [1] },
    draw: (draw) => ({ leaves: { ...layerOf(draw), tokens: [draw.integer(3, 8)] } }),
    inner: withBias,
    steps: () => [
      count(
        'projections',
        (model) => multiplyAdds(model, (row) => ofAttention(row) && row.op === 'linear'),
        ['tokens'],
      ),
      count('scores', (model) => multiplyAdds(model, ({ role }) => role === 'score'), ['tokens']),
      count('mix', (model) => multiplyAdds(model, ({ role }) => role === 'mix'), ['tokens']),
      count('feed_forward', (model) => multiplyAdds(model, ofFeedForward), ['tokens']),
      whole({
        name: 'layer',
        by: add,
        of: ['projections', 'scores', 'mix', 'feed_forward'],
        shape: [1],
      }),
    ],
  },

  'greedy-and-beam': {
    asked: ['greedy', 'greedy.p', 'beam', 'beam.p'],
    points: { beam: 2 },
    end: ['greedy.p', 'beam.p'],
    shapes: { first: ['n'], second: ['n', 'n'] },
    draw: (draw) => ({
      leaves: { first: draw.shares(3), second: [draw.shares(3), draw.shares(3), draw.shares(3)] },
    }),
    steps: () => [
      whole({
        name: 'greedy',
        by: search.greedy,
        of: ['first', 'second'],
        shape: [2],
        does: 'greedy',
      }),
      jointOf('greedy'),
      whole({ name: 'beam', by: search.beam, of: ['first', 'second'], shape: [2], does: 'beam' }),
      jointOf('beam'),
    ],
  },

  shuffle: {
    asked: ['same', 'same.placed'],
    points: {},
    digits: 0,
    shapes: { x: ['n', 'd'], order: ['n'] },
    ids: ['order'],
    draw: (draw) => ({
      tokens: ['the', 'cat', 'sat'],
      leaves: {
        x: draw.integers([3, 2], -1, 1),
        order: draw.permutation(3),
      },
    }),
    inner: () => ({ none: [0], positions: [1] }),
    steps: ({ order }) => [
      whole({
        name: 'same',
        by: sameRows,
        of: ['x', 'order', 'none'],
        shape: [order.length],
        does: 'shuffle',
      }),
      whole({
        name: 'same.placed',
        by: sameRows,
        of: ['x', 'order', 'positions'],
        shape: [order.length],
        does: 'shuffle',
      }),
    ],
  },
};

/** Sums in another order round otherwise; other numbers are further apart. */
const [SAME, APART] = [1e-5, 1e-2];

/** Which output of the tokens in their first order each output is after they were shuffled, counted from 1; 0 for
 * none of them. Each attends to all, with itself as query, key and value.
 * @type {By} */
const sameRows = ([x, order, [positions]], gf) => {
  const width = x.length / order.length;
  const rows = Array.from(order, (_, i) => Array.from(x).slice(i * width, (i + 1) * width));
  /** @param {number[][]} tokens @returns {number[][]} */
  const outputs = (tokens) => {
    const codes = gf.position(
      Array.from(order, (_, i) => i),
      width,
    );
    const q = positions ? gf.add(tokens, /** @type {any} */ (codes)) : tokens;
    return gf.attention({ q, k: q, v: q }).output;
  };
  const before = outputs(rows);
  const after = outputs(Array.from(order, (i) => rows[i]));
  return after.map((row) => {
    const apart = before.map((one) => Math.max(...one.map((x, j) => Math.abs(x - row[j]))));
    const equal = apart.map((distance) => distance < SAME);
    /* Outputs that are nearly equal, or equal to two others, have no clear answer. */
    const unclear = apart.some((distance) => distance >= SAME && distance < APART);
    return unclear || equal.lastIndexOf(true) !== equal.indexOf(true)
      ? NaN
      : 1 + equal.indexOf(true);
  });
};

/** @param {string} name @param {(model: Summary) => number} of @param {string[]} [more] leaves
 * @returns {import('../machine/machine.js').Step} */
function count(name, of, more = []) {
  return whole({
    name,
    by: (leaves, gf) => [of(decoder(gf, leaves))],
    of: ['d_model', 'heads', 'd_ff', 'vocab', 'bias', ...more],
    shape: [1],
    does: 'count',
  });
}
