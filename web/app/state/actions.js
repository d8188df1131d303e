// How each action changes the state: a pure function, so that links, keys and clicks all mean the same.
import { sameCell } from '../../stage/draw/tensor.js';
import { MAX } from './limits.js';
import { doneAt, momentOf, stepTime, timeAt } from './timeline.js';
import { OPENING } from './walk.js';

/** @typedef {import('./walk.js').State} State */
/** @typedef {import('../../stage/elements/base.js').Action} Action */
/** @typedef {import('./view.js').View} View */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */

/** The events by which a chapter asks the shell around it. */
export const SHELL_EVENTS = [
  'gf-act',
  'gf-change',
  'gf-notice',
  'gf-refuse',
  'gf-failed',
  'gf-opened',
];

/**
 * What changes by each action, where it changes the state of a walkthrough.
 * @type {{ [K in Action['do']]?: (state: State, action: Extract<Action, { do: K }>, view: View,
 *   opening: Record<string, any>) => Partial<State> | null }}
 */
const CHANGES = {
  pick: (state, { cell, stage }, view) => pick(state, cell, stage, view),
  cell: (_, { cell }, view) => enter([cell], view),
  open: (state, { cell }) => ({ path: pathTo(state, cell), open: cell }),
  back: ({ path }, { depth }, view) => enter(path.slice(0, depth), view),
  goto: (_, { t }) => ({ t, path: [] }),
  scrub: (_, { clock }, { line }) => ({ t: timeAt(line, clock), path: [] }),
  step: ({ t, level }, { by }, { line }) => ({ t: stepTime(line, t, by, level), path: [] }),
  speed: (_, { speed }) => ({ speed }),
  level: (_, { level }) => ({ level }),
  gradient: (state) => ({ gradient: !state.gradient }),
  remove: ({ remove }, { name }) => ({
    remove: remove.includes(name) ? remove.filter((other) => other !== name) : [...remove, name],
    open: null,
  }),
  set: (_, { change }) => change,
  reset: (_, __, ___, { divide }) => ({ edits: [], remove: [], ...(divide && { divide }) }),
  example: (state, { name }, _, opening) => ({
    ...anew(state, opening),
    example: name,
  }),
  sentence: (state, { sentence }, _, opening) => ({ ...anew(state, opening), sentence }),
  matrices: (state, { matrices }, _, opening) => ({ ...anew(state, opening), matrices }),
};

/**
 * @param {State} state
 * @param {Action} action
 * @param {View} view
 * @param {Record<string, any>} opening the chapter's opening state
 * @returns {Partial<State> | null} what changes; null if the action changes no state of a walkthrough
 */
export const reduce = (state, action, view, opening) =>
  CHANGES[action.do]?.(state, /** @type {never} */ (action), view, opening) ?? null;

/**
 * A walk from its beginning; what the chapter adds to a walk stays.
 * @param {State} state
 * @param {Record<string, any>} opening
 */
const anew = ({ level, scale, arrows }, { t, matrices, divide }) => ({
  ...OPENING,
  ...(matrices === '' && { matrices }),
  ...(divide && { divide }),
  t,
  level,
  scale,
  arrows,
});

/**
 * A first click pins, a second one enters; in a text, where a number is an operand, one enters.
 * @param {State} state
 * @param {Cell} cell
 * @param {boolean} stage whether it was picked on the stage
 * @param {View} view
 */
function pick(state, cell, stage, view) {
  const { line, pinned } = view;
  if (stage && !sameCell(cell, pinned)) return { path: [cell] };
  const computed = momentOf(line, cell) >= 0;
  if (stage) return computed ? { path: state.path, open: cell } : null;
  return enter(pathTo(state, cell), view);
}

/**
 * Pins the last cell of a path, and shows the stage at which it became known.
 * @param {Cell[]} path
 * @param {View} view
 */
function enter(path, { line }) {
  const cell = path.at(-1);
  const t = cell ? doneAt(line, cell) : -1;
  return t < 0 ? { path } : { path, t };
}

/**
 * @param {State} state
 * @param {Cell} cell
 */
function pathTo({ path }, cell) {
  const index = path.findIndex((other) => sameCell(other, cell));
  return index < 0 ? [...path, cell].slice(-MAX.path) : path.slice(0, index + 1);
}
