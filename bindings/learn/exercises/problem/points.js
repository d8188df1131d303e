// What each step is worth. A recipe says it, and a teacher may say otherwise.

/** @typedef {import('../recipes/index.js').Recipe} Recipe */

/** What a cell earns that only follows from a wrong step before it: all of its points, half of them, or none.
 * @typedef {'full' | 'half' | 'none'} Follow */

/** The part of its points that such a cell keeps. @type {Readonly<Record<Follow, number>>} */
export const FOLLOW = { full: 1, half: 0.5, none: 0 };

/** Points of a step, at most. */
export const MAX_POINTS = 1000;

/** Points of the last step, where a recipe says nothing: what leads to it is worth 1 each. */
const LAST = 2;

/** @param {unknown} value @returns {value is Follow} */
export const isFollow = (value) => typeof value === 'string' && Object.hasOwn(FOLLOW, value);

/** Whether a value, of a file perhaps, has points of steps.
 * @param {unknown} value
 * @returns {value is Record<string, number>} */
export const isPoints = (value) =>
  Object(value) === value &&
  Object.values(Object(value)).every(
    (points) => typeof points === 'number' && points >= 0 && points <= MAX_POINTS,
  );

/** The points of a recipe's steps. @param {Recipe} recipe
 * @returns {Record<string, number>} */
function usualPoints({ asked, points }) {
  const worth = (/** @type {string} */ step, /** @type {number} */ i) =>
    points ? (points[step] ?? 1) : i > 0 && i === asked.length - 1 ? LAST : 1;
  return Object.fromEntries(asked.map((step, i) => [step, worth(step, i)]));
}

/** The points of each step that a problem asks for, in the order of working. A step that is asked alone has one for each cell.
 * @param {{ points?: Record<string, number> }} problem @param {Recipe} recipe
 * @param {readonly { step: string }[]} cells those that are asked
 * @returns {Record<string, number>} */
export function pointsOf({ points = {} }, recipe, cells) {
  const steps = [...new Set(cells.map(({ step }) => step))];
  const alone = steps.length === 1 ? { [steps[0]]: cells.length } : {};
  const all = { ...usualPoints(recipe), ...alone, ...points };
  return Object.fromEntries(steps.map((step) => [step, all[step]]));
}
