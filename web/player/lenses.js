// What the lenses of an attention with two channels make of each token, and how a lens is turned.
import { text } from '../app/locale/text.js';
import { offset } from '../stage/draw/tensor.js';

/** @typedef {import('../app/state/view.js').View} View */
/** @typedef {import('../stage/draw/tensor.js').Cell} Cell */
/** @typedef {[number, number]} Point */
/** A row of a step, by its token. @typedef {{ token: string, tip: Point, cells: Cell[] }} Arrow */
/** A word of the vocabulary that an output can point at: where, and how likely it is to come next.
 * @typedef {{ word: string, id: number, tip: Point, probability: number }} Corner */
/** The matrices that can be turned. @typedef {'w_q' | 'w_k' | 'w_v'} Lens */

/** A lens turns by whole steps of so many degrees. */
export const GRAIN = 5;
/** Probabilities that differ by less are the same. */
const ALIKE = 0.001;
/** Beyond what is drawn, the plane has room for names. */
export const ROOM = 1.35;

/**
 * The rows of a step as arrows.
 * @param {View} view @param {string} name
 * @returns {Arrow[]}
 */
function arrowsOf({ trace, example }, name) {
  const { data } = trace.step(name);
  return example.tokens.map((token, i) => ({
    token,
    tip: [data[2 * i], data[2 * i + 1]],
    cells: [0, 1].map((j) => ({ node: name, index: [i, j] })),
  }));
}

/**
 * The words that the output can point at.
 * @param {View} view @param {number} row
 * @returns {Corner[]}
 */
function cornersOf({ trace, example }, row) {
  const [weights, likely] = ['w_u', 'probabilities'].map((name) => trace.step(name));
  return (example.vocabulary ?? [])
    .map((word, id) => ({
      word,
      id,
      tip: /** @type {Point} */ ([0, 1].map((i) => weights.data[offset(weights.shape, [i, id])])),
      probability: likely.data[offset(likely.shape, [row, id])],
    }))
    .filter(({ tip }) => tip.some(Boolean));
}

/** How likely the words are together that the output cannot point at. @param {View} view @param {number} row
 * @param {readonly Corner[]} corners */
function restOf({ trace, example }, row, corners) {
  const { shape, data } = trace.step('probabilities');
  const rest = (example.vocabulary ?? []).map((_, id) =>
    corners.some((corner) => corner.id === id) ? 0 : data[offset(shape, [row, id])],
  );
  return rest.reduce((sum, share) => sum + share, 0);
}

/**
 * All that the picture draws of one asking token.
 * @param {View} view @param {number} row of that token
 */
export function lensesOf(view, row) {
  const { trace, example } = view;
  const [queries, keys, values, outputs] = ['q', 'k', 'v', 'output'].map((name) =>
    arrowsOf(view, name),
  );
  const { length } = example.tokens;
  const rowOf = (/** @type {string} */ name) =>
    Array.from(trace.step(name).data.slice(row * length, (row + 1) * length));
  const corners = cornersOf(view, row);
  const most = Math.max(...corners.map(({ probability }) => probability));
  return {
    ...{ keys, values, corners },
    /* The words that no output can point at share the rest. */
    others: {
      count: (example.vocabulary ?? []).length - corners.length,
      probability: restOf(view, row, corners),
    },
    /* Whether one word, or two alike, are likelier than not. */
    isSure: most > 0.5,
    /* Two may be as likely. */
    likeliest: corners.filter(({ probability }) => most - probability < ALIKE),
    query: queries[row],
    output: outputs[row],
    scores: rowOf('scores'),
    weights: rowOf('weights'),
    /* A lens that turns makes no arrow longer. */
    reach: {
      keys: ROOM * farthest([...queries, ...keys]),
      /* Without softmax an output lies beyond all values. */
      values: ROOM * farthest([...values, ...corners, outputs[row]]),
    },
  };
}

/** Where an arrow points, as a key. @param {Arrow} arrow */
export const tipOf = ({ tip }) => tip.join();

/** @param {{ tip: Point }[]} points */
export const farthest = (points) => Math.max(...points.map(({ tip: [x, y] }) => Math.hypot(x, y)));

/** The matrix of a lens as its example has it. @param {View} view @param {Lens} lens @returns {number[][]} */
const straight = ({ example }, lens) => example.inputs?.[lens] ?? [];

/**
 * By how many degrees a lens is turned against that of its example.
 * @param {View} view @param {Lens} lens
 */
export function turnOf(view, lens) {
  const { data } = view.trace.step(lens);
  let [along, across] = [0, 0];
  for (const [i, [a, b]] of straight(view, lens).entries()) {
    const [x, y] = [data[2 * i], data[2 * i + 1]];
    along += a * x + b * y;
    across += a * y - b * x;
  }
  return Math.round((Math.atan2(across, along) * 180) / Math.PI);
}

/** What points left, right, down and up in the plane of Pocket's keys, as long as W_K makes them as it was set.
 * @param {View} view @returns {import('../stage/elements/arrow-names.js').Ends | undefined} */
export const keyEndsOf = (view) =>
  view.state.example === 'pocket' && turnOf(view, 'w_k') === 0 ? pocketEnds() : undefined;

/** The same as its weights are set. @returns {import('../stage/elements/arrow-names.js').Ends} */
export const pocketEnds = () => [
  text('lessons/lens/pronoun'),
  text('lessons/lens/name'),
  text('lessons/lens/he'),
  text('lessons/lens/she'),
];

/**
 * The numbers of a lens that is turned by so many degrees.
 * @param {View} view @param {Lens} lens @param {number} degrees
 * @returns {(Cell & { value: number })[]}
 */
export function turned(view, lens, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return straight(view, lens).flatMap(([a, b], i) =>
    a || b
      ? [a * cosine - b * sine, a * sine + b * cosine].map((value, j) => ({
          node: lens,
          index: [i, j],
          value: Math.fround(Number(value.toFixed(4))),
        }))
      : [],
  );
}

/** The angle nearest to one that a lens can have, from −180 to 180. @param {number} degrees */
export const inSteps = (degrees) => {
  const step = GRAIN * Math.round(degrees / GRAIN);
  return step - 360 * Math.round(step / 360);
};
