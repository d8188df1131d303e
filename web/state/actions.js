// What each action makes of the state: pure, so that links, keys and clicks all mean the same.
import { sameCell } from '../draw/tensor.js';
import { MOST } from './limits.js';
import { doneAt, momentOf, stepTime, timeAt } from './timeline.js';
import { OPENING } from './walk.js';

/** @typedef {import('./walk.js').State} State */
/** @typedef {import('../elements/base.js').Action} Action */
/** @typedef {import('./view.js').View} View */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

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
 * @param {State} state
 * @param {Action} action
 * @param {View} view
 * @param {Record<string, any>} opening the chapter's opening state
 * @returns {Partial<State> | null} what changes; null if the action changes no state of a walkthrough
 */
export function reduce(state, action, view, opening) {
  const { line } = view;
  switch (action.do) {
    case 'pick':
      return pick(state, action.cell, action.stage, view);
    case 'cell':
      return enter([action.cell], view);
    case 'open':
      return { path: pathTo(state, action.cell), open: action.cell };
    case 'back':
      return enter(state.path.slice(0, action.depth), view);
    case 'goto':
      return { t: action.t, path: [] };
    case 'scrub':
      return { t: timeAt(line, action.clock), path: [] };
    case 'step':
      return { t: stepTime(line, state.t, action.by, state.level), path: [] };
    case 'speed':
      return { speed: action.speed };
    case 'level':
      return { level: action.level };
    case 'gradient':
      return { gradient: !state.gradient };
    case 'remove':
      return {
        remove: state.remove.includes(action.name)
          ? state.remove.filter((name) => name !== action.name)
          : [...state.remove, action.name],
        open: null,
      };
    case 'set':
      return action.change;
    case 'reset':
      return { edits: [], remove: [] };
    case 'example':
      return { ...anew(state, opening), example: action.name, sentence: null };
    case 'sentence':
      return { ...anew(state, opening), sentence: action.sentence };
    default:
      return null;
  }
}

/**
 * A walk from its beginning; what the chapter adds to a walk stays.
 * @param {State} state
 * @param {Record<string, any>} opening
 */
const anew = ({ level, scale, arrows }, opening) => ({
  ...OPENING,
  t: opening.t,
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
  return index < 0 ? [...path, cell].slice(-MOST.path) : path.slice(0, index + 1);
}
