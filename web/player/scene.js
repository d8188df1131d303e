// Where a scene begins and its gate ends, and whether what the reader did opens that.
import { doneAt, momentOf } from '../app/state/timeline.js';
import { cellsOf, holds, NONE, numberOf, rowOf } from './core.js';
import { cellsIn, scopeIn } from './telling.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */
/** @typedef {NonNullable<Scene['gate']>} Gate */
/** @typedef {import('../app/state/view.js').View} View */
/** What a chapter shows; steps: how many a training takes. @typedef {View & { steps?: number }} Seen */
/** What was done in a scene: what was removed so far, and whether its walk was played.
 * @typedef {{ removed: Set<string>, played: boolean }} Done */

/** The number that a choice about a row is about: its largest. None where the scene has no such choice.
 * @param {Scene} scene @param {Pick<View, 'trace' | 'example'>} view */
function decisiveOf({ at, gate }, view) {
  const scope = scopeIn(view);
  if (!at || !gate?.choice || at === 'start' || at === 'end') return undefined;
  const cells = cellsOf(at, scope);
  if (cells.length < 2) return undefined;
  const row = rowOf(at, scope);
  return cells[row.indexOf(Math.max(...row))];
}

/** Where a scene begins: before a number that is asked for, at one that is not.
 * @param {Scene} scene @param {View} view
 * @returns {Partial<import('../app/state/store.js').Whole> | null} */
export function startOf(scene, { line, trace, example }) {
  const { at, gate } = scene;
  if (!at) return null;
  if (at === 'start') return { t: 0 };
  if (at === 'end') return { t: line.moments.length - 1 };
  const cells = cellsOf(at, scopeIn({ trace, example }));
  const decisive = decisiveOf(scene, { trace, example });
  const cell = decisive ?? cells[0];
  const waits = cells.length > 1 || gate?.numbers?.some((path) => path.split('[')[0] === cell.node);
  if (!waits) return { t: doneAt(line, cells[cells.length - 1]) };
  const t = Math.max(0, momentOf(line, cell) - 1);
  return { t, path: decisive || cells.length === 1 ? [cell] : [] };
}

/** The path that is to be picked among some. @param {Gate} gate @param {import('./telling.js').Scope} scope */
export function pickedIn({ among = [], by, take }, scope) {
  const measures = among.map((path) => numberOf(`${by}(${path})`, scope));
  const best = take === 'least' ? Math.min(...measures) : Math.max(...measures);
  return among[measures.indexOf(best)];
}

/** The moment to which a gate plays. @param {Gate} gate @param {View} view */
export function endOf({ to }, { line, trace, example }) {
  if (!to) return line.moments.length - 1;
  return doneAt(line, /** @type {any} */ (cellsOf(to, scopeIn({ trace, example })).at(-1)));
}

/** When all is computed that a scene of the stage asks for, or plays; for an expression, when its step is. −1 if the scene
 * asks for nothing. @param {Scene} scene @param {Seen} view */
export function dueOf(scene, view) {
  const { gate, picture } = scene;
  if (!gate || picture.kind !== 'stage') return -1;
  const isPlayed = gate.do === 'play' && !view.steps && view.line;
  if (isPlayed || (gate.do === 'predict' && gate.to)) return endOf(gate, view);
  const cell = askedIn(scene, view);
  return cell ? doneAt(view.line, cell) : -1;
}

/** The last number that a scene asks for. @param {Scene} scene @param {Seen} view */
function askedIn(scene, view) {
  const { gate, at = '' } = scene;
  const asked = gate?.numbers?.at(-1) ?? gate?.largest ?? gate?.order;
  const scope = scopeIn(view);
  if (!asked) return decisiveOf(scene, view);
  return [...cellsIn(at, scope), ...cellsIn(asked, scope)].at(-1);
}

/** A right answer fills the rest of its matrix, or of its row where another scene asks for another row; the number that was
 * asked for stays in focus. Null if nothing is to be filled.
 * @param {Scene} scene @param {Seen} view @param {readonly Scene[]} others of the lesson
 * @returns {{ t: number, path: import('../stage/draw/tensor.js').Cell[] } | null} */
export function restOf(scene, view, others) {
  if (scene.picture.kind !== 'stage' || scene.gate?.do !== 'predict' || scene.gate.to) return null;
  const cell = askedIn(scene, view);
  if (!cell) return null;
  const row = cell.index.slice(0, -1);
  const asked = others.flatMap((one) => (one === scene ? [] : (one.gate?.numbers ?? [])));
  const beside = asked.filter((path) => path.split('[')[0] === cell.node);
  const isOfRow = (/** @type {string} */ path) => {
    const [, written = ''] = /\[(.*)\]$/.exec(path) ?? [];
    const index = written.split(',').map(Number);
    return row.every((place, i) => Number.isNaN(index[i]) || index[i] === place);
  };
  if (beside.some(isOfRow)) return null;
  const step = view.trace.steps.find(({ name }) => name === cell.node);
  const all = step?.shape.slice(-cell.index.length).map((size) => size - 1) ?? cell.index;
  /* Where another scene asks for another row, no more than the row. */
  const last = beside.length ? [...row, ...all.slice(-1)] : all;
  return { t: doneAt(view.line, { ...cell, index: last }), path: [cell] };
}

/** Where a scene that is opened stands: where it begins, or if it is solved, at what it asks for.
 * @param {Scene} scene @param {Seen} view @param {boolean} isSolved @param {readonly Scene[]} others of the lesson
 * @returns {Partial<import('../app/state/store.js').Whole> | null} */
export function momentIn(scene, view, isSolved, others) {
  const due = isSolved ? dueOf(scene, view) : -1;
  return due < 0 ? startOf(scene, view) : (restOf(scene, view, others) ?? { t: due });
}

/** Where a state has its text: that of a translation, or of a story.
 * @param {Record<string, any>} state */
export const textIn = ({ text }) => (text === undefined ? 'story' : 'text');

/** Whether what opened a gate still holds: the reader may drag on, or take a removal back.
 * @param {Gate} gate @param {Seen} view */
export function stillHolds({ until, names }, view) {
  if (until) return holds(until, scopeIn(view));
  return !names || names.some((name) => view.state.remove.includes(name));
}

/** Pictures that say themselves when their film has ended. */
export const FILMS = ['lens', 'learning', 'machine'];

/** Whether a gate of something to do, not to answer, is open.
 * @param {Scene & { gate: Gate }} scene @param {Seen} view @param {Done} done */
export function isDone({ gate, picture }, view, { removed, played }) {
  switch (gate.do) {
    case 'play':
      if (FILMS.includes(picture.kind)) return false;
      if (view.steps) return 'step' in view.state && view.state.step === view.steps;
      return played && view.state.t >= endOf(gate, view);
    case 'remove':
      for (const name of view.state.remove) removed.add(name);
      return (gate.names ?? []).filter((name) => removed.has(name)).length >= (gate.count ?? 1);
    case 'drag':
    case 'try':
    case 'edit':
      if (gate.texts) return gate.texts.includes(view.state[textIn(view.state)]);
      return gate.until !== undefined && holds(gate.until, scopeIn(view));
    default:
      return false;
  }
}

/** More numbers at once are a wall: only those that are looked at are written, the others are colours. */
const WALL = 48;

/** Whether the picture of a scene has so many numbers. @param {Scene} scene @param {Seen | null} view */
function isWall(scene, view) {
  const { picture, lit, gate } = scene;
  if (picture.kind !== 'stage' || !(lit ?? gate?.choice) || !view) return false;
  const [cell] = cellsIn(scene.at ?? '', scopeIn(view));
  const { steps } = view.trace;
  const step = steps.find(({ name }) => name === cell?.node);
  const sizes = steps.map((one) => {
    const isShown = one === step || step?.inputs.includes(one.name);
    return isShown ? one.shape.slice(-2).reduce((all, size) => all * size, 1) : 0;
  });
  return sizes.reduce((all, size) => all + size, 0) > WALL;
}

/** Whether a path is that of cells, and no expression of several. @param {string} path */
export const isCell = (path) => /^[\w.]+\[[^()\]]*\]$/.test(path);

/** Whether the map is seen: not before there is one, nor while its order is asked for. @param {Scene} scene @param {boolean} passed */
export const hasMap = ({ map, gate }, passed) => map !== NONE && (passed || !gate?.steps);

/** What a gate asks for, by name. @param {Partial<Gate>} [gate] */
const namesIn = ({ until = '', numbers = [], choice = [] } = {}) =>
  [until, ...numbers, ...choice.map(({ when }) => when)].join(' ').match(/\b[a-z]\w*/g) ?? [];

/** What styles a scene: its picture, whether it still asks, and whether no place is marked but those it points out, as it asks
 * for none.
 * @param {Scene} scene @param {Seen | null} view @param {boolean} passed */
export function sceneClasses(scene, view, passed) {
  const { picture, gate, lit } = scene;
  const isAtPlace = gate?.numbers?.some(isCell) || gate?.do === 'play';
  const asks = lit || gate?.numbers || gate?.steps || gate?.do === 'remove';
  return [
    `scene with-${picture.kind}`,
    gate?.do === 'predict' && !passed && 'asks',
    (gate?.among || (asks && !isAtPlace)) && 'unmarked',
    isWall(scene, view) && 'wall',
    /* What a picture has for other scenes can stay out of this one. */
    ...namesIn(gate).map((name) => `of-${name}`),
  ]
    .filter(Boolean)
    .join(' ');
}
