// Which relations may hold between the values of a text, by what it calls them and by their shapes.

import { unitOf } from './right.js';
import { each, layerNorm, masked, product, sameShape, softmax, turned } from './value.js';

/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./known.js').Known} Known */
/** @typedef {import('./known.js').Entry} Entry */
/** @typedef {import('./names.js').Meaning} Meaning */
/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */

/** @typedef {'product' | 'product with transpose' | 'scaled' | 'masked' | 'softmax' | 'layer norm' | 'as written'} RelationName */

/** A way in which a value may have come about.
 * @typedef {object} Candidate
 * @property {RelationName} relation
 * @property {Entry[]} of
 * @property {boolean} expected whether the names say so
 * @property {number} [inner]
 * @property {number} [band] how far the rounding of what it comes from may carry it
 * @property {(values: Value[]) => Value | null} run
 * @property {Readonly<Record<string, (values: Value[]) => Value | null>>} mistakes the same by known misconceptions */

/** Half of one in the last digit of a value's numbers. @param {Entry} entry */
const halfUnitOf = ({ cells }) =>
  Math.max(0, ...(cells ?? []).flat().map(({ text }) => unitOf(text) % 1)) / 2;

/** The most that a column of numbers comes to, signs aside. @param {Value} value */
const widest = (value) =>
  Math.max(...turned(value).rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));

/** @param {Glassformer} gf @param {Entry} a @param {Entry} b @param {boolean} expected
 * @returns {Candidate} */
const productOf = (gf, a, b, expected) => ({
  relation: 'product',
  of: [a, b],
  expected,
  band: a.given ? 0 : halfUnitOf(a) * widest(b.printed),
  run: ([x, y]) => product(gf, x, y),
  mistakes: {
    ...(a.meaning === 'weights'
      ? { 'weights-transposed': ([x, y]) => product(gf, turned(x), y) }
      : {}),
    ...(b.meaning === 'input' ? { 'w-transposed': ([x, y]) => product(gf, x, turned(y)) } : {}),
  },
});

/** @param {Glassformer} gf @param {Entry} a @param {Entry} b @param {boolean} expected
 * @returns {Candidate} */
const scoresOf = (gf, a, b, expected) => ({
  relation: 'product with transpose',
  of: [a, b],
  expected,
  inner: a.printed.rows[0].length,
  run: ([q, k]) => product(gf, q, turned(k)),
  mistakes: {
    'scores-transposed': ([q, k]) => product(gf, k, turned(q)),
    'k-not-transposed': ([q, k]) => product(gf, q, k),
  },
});

/** @param {Entry} a @param {number} size @param {boolean} expected
 * @returns {Candidate} */
const scaledOf = (a, size, expected) => ({
  relation: 'scaled',
  of: [a],
  expected,
  run: ([x]) => each(x, (s) => s / Math.sqrt(size)),
  mistakes: {
    'no-scaling': ([x]) => x,
    'scale-by-dk': ([x]) => each(x, (s) => s / size),
  },
});

/** @param {Glassformer} gf @param {Entry} a @param {boolean} expected
 * @returns {Candidate} */
const softmaxOf = (gf, a, expected) => ({
  relation: 'softmax',
  of: [a],
  expected,
  band: a.given ? 0 : halfUnitOf(a) / 2,
  run: ([x]) => softmax(gf, x),
  mistakes: {
    'softmax-over-columns': ([x]) => {
      const columns = softmax(gf, turned(x));
      return columns && turned(columns);
    },
    'no-exp': ([x]) => ({
      rank: x.rank,
      rows: x.rows.map((row) => row.map((s) => s / row.reduce((a, b) => a + b, 0))),
    }),
    'base-2': ([x]) =>
      softmax(
        gf,
        each(x, (s) => s * Math.LN2),
      ),
  },
});

/** @param {Entry} a @param {boolean} expected
 * @returns {Candidate} */
const maskedOf = (a, expected) => ({
  relation: 'masked',
  of: [a],
  expected,
  run: ([x]) => (x.rank === 2 && x.rows.length === x.rows[0].length ? masked(x) : null),
  mistakes: {
    'mask-zero': ([x]) => each(masked(x), (s) => (s === -Infinity ? 0 : s)),
    'mask-flipped': ([x]) => turned(masked(turned(x))),
  },
});

/** @param {Glassformer} gf @param {Entry} a @param {boolean} expected
 * @returns {Candidate} */
const normOf = (gf, a, expected) => ({
  relation: 'layer norm',
  of: [a],
  expected,
  run: ([x]) => layerNorm(gf, x),
  mistakes: {},
});

/** The last value that means one of these, the first of them first.
 * @param {Entry[]} entries latest first @param {Meaning[]} meanings */
const last = (entries, meanings) =>
  meanings
    .flatMap((meaning) => entries.find((entry) => entry.meaning === meaning) ?? [])
    .slice(0, 1);

const LETTER = /** @type {const} */ ({ query: 'q', key: 'k', value: 'v' });

/** What a value may have come from, the likeliest first.
 * @param {Glassformer} gf @param {Known} known @param {Meaning} meaning @param {Value} value
 * @returns {Candidate[]} */
export function candidatesFor(gf, known, meaning, value) {
  const entries = known.entries.slice(-24).reverse();
  const alike = entries.filter(({ printed }) => sameShape(printed, value));
  const isParameter = (/** @type {Entry} */ { form }) => /^w/i.test(form);
  switch (meaning) {
    case 'input':
      return [];
    case 'query':
    case 'key':
    case 'value': {
      const letter = LETTER[meaning];
      const byLetter = new RegExp(`^w.*${letter}|\\b${meaning}\\b`, 'i');
      const inputs = entries.filter((entry) => entry.meaning === 'input' && !isParameter(entry));
      const weights = entries.filter(
        (entry) => byLetter.test(entry.form) && entry.meaning === 'input',
      );
      return inputs
        .slice(0, 3)
        .flatMap((x) => weights.slice(0, 2).map((w) => productOf(gf, x, w, true)));
    }
    case 'scores': {
      const queries = last(entries, ['query', 'input']);
      const keys = last(entries, ['key', 'input']);
      return queries.flatMap((q) =>
        keys.map((k) => scoresOf(gf, q, k, q.meaning === 'query' && k.meaning === 'key')),
      );
    }
    case 'scaled': {
      const scores = last(alike, ['scores']);
      const width = last(entries, ['key', 'query'])[0]?.printed.rows[0].length;
      return scores.flatMap((s) => {
        const size = s.inner ?? width;
        return size ? [scaledOf(s, size, true)] : [];
      });
    }
    case 'masked':
      return last(alike, ['scaled', 'scores']).map((s) => maskedOf(s, true));
    case 'weights':
      return last(alike, ['masked', 'scaled', 'scores'])
        .map((s) => softmaxOf(gf, s, true))
        .concat(alike.slice(0, 1).map((s) => softmaxOf(gf, s, false)));
    case 'output':
      return last(entries, ['weights']).flatMap((a) =>
        last(entries, ['value']).map((v) => productOf(gf, a, v, true)),
      );
    case 'norm':
      return alike.slice(0, 2).map((x) => normOf(gf, x, false));
    default:
      /* Whole numbers are no weights: a softmax would be found by chance. */
      if (value.rows.every((row) => row.every(Number.isInteger))) return [];
      return alike.slice(0, 3).map((s) => softmaxOf(gf, s, false));
  }
}
