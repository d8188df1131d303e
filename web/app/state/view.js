// What is on the page: a pure function of trace, time and selection. Every element draws this.
import { memoized } from '../../stage/draw/memoized.js';
import { scaleOf } from '../../stage/draw/names.js';
import { cellKey, matrices } from '../../stage/draw/tensor.js';
import { motionOf, openingOf } from '../../stage/ops.js';
import { changesOf } from './changes.js';
import { editable, refused } from './locks.js';
import { cellOf, computedCount, flightAt, termsOf } from './timeline.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/** @typedef {import('../session.js').Explanation} Explanation */

/** still: the same object in all views that differ in nothing but how much of a moment is over.
 * @typedef {ReturnType<typeof makeView> & { still: object }} View */
/**
 * @typedef {{ entropy: number | null, slope: number | null }} Readout
 * @typedef {{ intact: Readout, removed: Readout, change: number | null }} Readouts
 */

/**
 * @param {{
 *   state: import('./walk.js').State,
 *   opened: import('../session.js').Opened,
 *   line: import('./timeline.js').Timeline,
 *   session: import('../session.js').Session,
 *   changes?: ReturnType<typeof changesOf>, limit: number, slope: number, readouts: Readouts | null,
 *   target: Cell | null, hover: Cell | null, preview: Cell | null, about: Cell | null,
 *   over: boolean, playing: boolean, moving: boolean, pace: number, theme: 'light' | 'dark', locks: ReadonlySet<string>,
 *   lit?: ReadonlySet<string>,
 * }} seen
 */
export function makeView(seen) {
  const { state, opened, line, session, about } = seen;
  const { trace, intact, example, runs = null, differing = [] } = opened;
  const { changes = changesOf(trace, null), lit = NONE } = seen;
  const flight = flightAt(line, state.t, seen.pace);
  const [begun, moment] = [flight.first, flight.last].map((i) => line.moments[i]);
  const stage = line.stages[moment.stage];
  const pinned = state.path.at(-1) ?? null;
  const last = cellOf(line, moment);
  const many = begun.cell < moment.cell;
  /* Of rows too long to be seen whole, what the chapter is about is seen. */
  const current = many && about?.node === stage.name ? about : last;
  const now = many ? null : last;
  const find = (/** @type {string} */ name) => trace.step(name);
  const focus = focusOf(seen, now);
  const explained = focus && session.explain(trace, focus);
  const terms = focus ? termsOf(trace.step(focus.node), find) : 1;
  const telling = focus !== null && focus === now;
  const flying = !Number.isInteger(state.t);
  return {
    state,
    example,
    trace,
    intact,
    /** What the page's run and the intact one are called, where nothing was removed. */
    runs,
    /** The cells that are not the same in both. */
    differing: new Set(differing.map(cellKey)),
    session,
    line,
    moment,
    stage,
    now,
    /** The cell at which the stage is, also where several are told at once. */
    current,
    /** The rows of a matrix that are told at once, from the first to the last. */
    rows: many ? rowsOf(stage, begun.cell, moment.cell) : null,
    pinned,
    focus,
    hover: seen.hover,
    explained,
    /** Whether the row of the number is told: what is given is no computation. */
    tellsRow: isGiven(explained, pinned, find),
    terms,
    /** The head that is shown where a stage has several. */
    head: headOf(focus?.node === stage.name ? focus : current),
    /** The last term that is told. */
    term: telling ? moment.term : terms - 1,
    /** Whether terms of the number that is told are still to be added. */
    adding: telling && (moment.term < terms - 1 || flying),
    /** Whether things move. */
    moving: seen.moving,
    /** What moves while numbers of the stage are told, and how much of that is over; 1 once they are told. */
    motion: seen.moving && flight.watched ? motionIn(stage, many, current, find) : null,
    progress: flight.progress,
    /** The first moment of those that are told at once. */
    begun,
    /** How long that takes, ms. */
    duration: flight.duration,
    playing: seen.playing,
    theme: seen.theme,
    /** Fills of a signed tensor span [-limit, limit]: one domain for all in sight, or its own. */
    limitOf: (/** @type {Step} */ step) => (state.scale === 'own' ? ownLimit(step) : seen.limit),
    /** The same for slopes, while they are shown: those of the target in each cell. */
    slope: seen.slope,
    target: seen.target,
    readouts: seen.readouts,
    known: (/** @type {Step} */ step) => computedCount(line, moment, step, flying ? begun : null),
    operands: operandsOf(explained),
    /** Whether an example, a sentence, a removal or a reset is not the reader's to choose. */
    locked: (/** @type {'example' | 'sentence' | 'remove' | 'reset'} */ what) =>
      refused(seen.locks, /** @type {any} */ ({ do: what }), trace),
    editable: (/** @type {Step} */ step) => !trace.fixed && editable(seen.locks, step),
    /** The cells to look at, by their keys. */
    lit,
    /** What the edits changed. */
    changes,
    /** The number that a cell had before the edits; null if it is the same. */
    old: (/** @type {Cell} */ cell) => changes.old(trace.step(cell.node), cell),
    edited: new Set(state.edits.map(cellKey)),
    /** Whether something is other than the example has it. */
    isChanged: isChangedBy(state),
    mismatches: new Map(trace.mismatches.map((wrong) => [cellKey(wrong), wrong])),
  };
}

/** The number that is explained: the one that is pointed at or pinned; else, once all is computed, what the chapter is
 * about; else the present one.
 * @param {Parameters<typeof makeView>[0]} seen @param {Cell | null} now */
function focusOf({ state, preview, about, over, playing }, now) {
  return preview ?? state.path.at(-1) ?? (over && !playing ? about : null) ?? now;
}

/** Whether a number is one of the input, and computed from nothing.
 * @param {Explanation | null} explained @param {Cell | null} pinned @param {(name: string) => Step} find */
const isGiven = (explained, pinned, find) =>
  !pinned && explained?.op === 'leaf' && find(explained.node).role === 'input';

/** How the numbers of a stage move: several rows at once, one cell, or the stage's introduction.
 * @param {Step} stage @param {boolean} many @param {Cell | null} cell @param {(name: string) => Step} find
 * @returns {import('../../stage/motion/index.js').Name | null} */
function motionIn(stage, many, cell, find) {
  if (many) return 'rows';
  return cell ? motionOf(stage) : openingOf(stage, find);
}

/** Whether a state asks for other numbers than the example has.
 * @param {import('./walk.js').State} state */
const isChangedBy = ({ edits, remove, divide = 'root' }) =>
  edits.length > 0 || remove.length > 0 || divide !== 'root';

/** @type {ReadonlySet<string>} */
const NONE = new Set();

/**
 * The rows that cells lie in, within their matrix.
 * @param {Step} step
 * @param {number} from @param {number} to
 */
function rowsOf({ shape }, from, to) {
  const { rows, columns } = matrices(shape);
  const rowOf = (/** @type {number} */ cell) => Math.floor(cell / columns) % rows;
  return { from: rowOf(from), to: rowOf(to) };
}

/** @param {Cell | null} cell */
const headOf = (cell) => (cell?.index.length === 3 ? cell.index[0] : 0);

/** Of a larger tensor every so manieth number is looked at; of one whose numbers are made for it, fewer. */
const MAX_SAMPLES = 2 ** 20;
const MAX_STORED_SAMPLES = 2 ** 11;

/**
 * The largest finite size among numbers.
 * @param {ArrayLike<number>} data
 */
function largest(data) {
  const step = Math.ceil(data.length / MAX_SAMPLES);
  let limit = 0;
  for (let i = 0; i < data.length; i += step) {
    const size = Math.abs(data[i]);
    if (size > limit && size < Number.POSITIVE_INFINITY) limit = size;
  }
  return limit;
}

/** The same of a step. @param {Step} step */
function largestOf(step) {
  const { stored } = step;
  if (!stored) return largest(step.data);
  const every = Math.ceil(stored.size / MAX_STORED_SAMPLES);
  const count = Math.ceil(stored.size / every);
  return largest(Float32Array.from({ length: count }, (_, i) => stored.at(i * every)));
}

/** How far the colours of a step reach that has a scale of its own. */
export const ownLimit = memoized((/** @type {Step} */ step) => largestOf(step) || 1);

/**
 * The largest finite size among all signed tensors that something is computed from, or into.
 * @param {Step[]} steps
 */
export function domain(steps) {
  const used = new Set(steps.flatMap(({ inputs }) => inputs));
  const signed = steps.filter(
    (step) =>
      step.kind !== 'ids' &&
      scaleOf(step) !== 'probability' &&
      (step.kind === 'op' || used.has(step.name)),
  );
  return Math.max(0, ...signed.map(largestOf)) || 1;
}

/**
 * The largest slope, after gradient(); not that of a loss, which is 1, and all others were nothing beside it.
 * @param {Step[]} steps
 */
export const steepest = (steps) =>
  Math.max(0, ...steps.map(({ role, grad }) => (grad && role !== 'loss' ? largest(grad) : 0))) || 1;

/** Of a longer row not every cell has a key. */
const LONG_ROW = 1024;

/** The cells of a long row of a matrix. It holds the keys of both ends, and knows the others. */
export class Row extends Set {
  /** @param {Cell[]} cells */
  constructor(cells) {
    super([cells[0], cells[cells.length - 1]].map(cellKey));
    const [first] = cells;
    this.before = cellKey(first).slice(0, -String(first.index.at(-1)).length);
  }

  /** @override @param {string} key */
  has(key) {
    return key.startsWith(this.before);
  }

  /** The first and the last of those in some columns, which the row has.
   * @param {number} from @param {number} count */
  within(from, count) {
    return [from, from + count - 1].map((column) => this.before + column);
  }
}

/**
 * The cells that a number arose from, in the order of its terms; of a long row all at once.
 * @param {Explanation | null} explanation
 * @returns {Set<string>[]} one set per term
 */
export function operandsOf(explanation) {
  if (!explanation) return [];
  const keys = (/** @type {any[]} */ ...cells) => new Set(cells.filter(Boolean).map(cellKey));
  if (explanation.terms) {
    const sets = explanation.terms.map((/** @type {any} */ { a, b }) => keys(a, b));
    return explanation.bias ? [...sets, keys(explanation.bias)] : sets;
  }
  if (explanation.turned) {
    const [first, second] = explanation.turned;
    return [keys(first.a, first.b, second.a, second.b)];
  }
  if (explanation.max !== undefined && explanation.row.length > LONG_ROW)
    return [new Row(explanation.row)];
  if (explanation.max !== undefined) {
    const row = explanation.row.map((/** @type {any} */ cell) => keys(cell));
    return [keys(...explanation.row), ...row, keys(...explanation.row), keys(...explanation.row)];
  }
  if (explanation.row && !Array.isArray(explanation.row)) return [keys(explanation.row)];
  return [
    keys(
      explanation.x,
      explanation.a,
      explanation.b,
      explanation.gain,
      explanation.bias,
      explanation.from,
    ),
  ];
}
