// A trace as a list of moments, and the state of the stage at any of them. Nothing is accumulated:
// what a moment shows follows from the moment alone, so scrubbing back is exact.
// Time counts moments: at t = 12 moment 12 is complete, between 11 and 12 it is in progress.
import { memoized } from '../../stage/draw/memoized.js';
import { indexAt, offset, sizeOf } from '../../stage/draw/tensor.js';
import { drawingOf, openingOf } from '../../stage/ops.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */

/** From the coarsest to the finest; a row is one head's row where there are heads. */
export const LEVELS = /** @type {const} */ (['stage', 'row', 'cell', 'term']);
/** @typedef {typeof LEVELS[number]} Level */

/**
 * @typedef {{
 *   stage: number, cell: number, from: number, term: number, terms: number, level: number,
 *   start: number, duration: number,
 * }} Moment
 * cell -1: the stage is introduced, nothing is computed yet.
 * from, term: the first and the last of the cell's terms that it tells.
 * level: the coarsest level at which something begins here, an index into LEVELS.
 */
/** @typedef {{ stages: Step[], moments: Moment[], first: number[], duration: number, level: Level }} Timeline */
/** Moments that are told in one go, since each of them alone is too short to be watched, or since that is asked for.
 * first, last: their places in the line. @typedef {{ first: number, last: number, start: number, duration: number }} Flight */

/** Milliseconds. "One, two, many": the first cell by terms, the second as one, the rest as a sweep. */
const PACE_MS = {
  intro: 1400,
  opening: 3000,
  term: 600,
  firstCell: 6000,
  cell: 600,
  sweep: 1200,
  input: 500,
};
/** The same for a cell where no cell is told by its terms: all alike.
 * @type {Record<Exclude<Level, 'term'>, (cells: number, width: number) => number>} */
const EACH = {
  stage: (cells) => 1200 / cells,
  row: (cells, width) => Math.min(600 / width, 9000 / cells),
  cell: (cells) => Math.min(300, 9000 / cells),
};
/** Milliseconds: in less time nothing can be seen to move. */
const MIN_FLIGHT_MS = 200;

/**
 * How many terms the cell of a step arises from.
 * @param {Step} step
 * @param {(name: string) => Step} find
 */
export function termsOf(step, find) {
  if (step.bypassed !== null || step.frozen) return 1;
  const { moments } = drawingOf(step);
  if (!moments) return 1;
  return moments(
    step.inputs.map((name) => /** @type {Step} */ (name && find(name))),
    step,
  );
}

/** The moment at which a stage has all its numbers.
 * @param {Timeline} line @param {number} stage */
export const endOf = ({ first, moments }, stage) => (first[stage + 1] ?? moments.length) - 1;

/**
 * The steps that are stages of the page: the tokens' vectors, then everything that is computed.
 * @param {Step[]} steps
 */
export const stagesOf = (steps) =>
  steps.filter((step) => step.kind === 'op' || (step.role === 'input' && step.kind === 'input'));

/** Of a larger step not every cell has a moment of its own. */
const MAX_CELLS = 4096;

/**
 * The cells that a moment each is about: the first and the last of each row, and some between.
 * @param {number} count
 * @param {number} width of a row
 * @param {number} opened a cell that must be among them, or -1
 */
function* cellsOf(count, width, opened) {
  const step = Math.ceil(count / MAX_CELLS);
  for (let cell = 0; cell < count; ) {
    yield cell;
    const next = cell + (Math.min(step, width - 1 - (cell % width)) || 1);
    if (cell < opened && opened < next) yield opened;
    cell = next;
  }
}

/** Adds a moment. There are tens of thousands: each is made in one go.
 * @typedef {(stage: number, level: number, duration: number, cell: number, from?: number, term?: number,
 *   terms?: number) => void} Push */

/**
 * @param {Step[]} steps
 * @param {Cell | null} [open] a cell that is also told term by term
 * @param {Step[]} [stages] those of the steps that are walked through
 * @param {Level} [level] what is told at leisure; the moments are the same, their durations are not
 * @returns {Timeline}
 */
export function timeline(steps, open = null, stages = stagesOf(steps), level = 'term') {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const find = (/** @type {string} */ name) => /** @type {Step} */ (byName.get(name));
  /** @type {Moment[]} */
  const moments = [];
  /** @type {number[]} */
  const first = [];
  let start = 0;
  /** @type {Push} */
  const push = (stage, level, duration, cell, from = 0, term = 0, terms = 1) => {
    moments.push({ stage, cell, from, term, terms, level, start, duration });
    start += duration;
  };
  for (const [stage, step] of stages.entries()) {
    first.push(moments.length);
    /* At t = 0 the first stage is introduced already. */
    const intro = openingOf(step, find) ? PACE_MS.opening : PACE_MS.intro;
    push(stage, 0, stage === 0 ? 0 : intro, -1);
    const opened = open?.node === step.name ? offset(step.shape, open.index) : -1;
    if (step.kind !== 'op') pushRows(push, step, stage);
    else pushCells(push, step, stage, { opened, level, terms: termsOf(step, find) });
  }
  return { stages, moments, first, duration: start, level };
}

/** An input comes in by rows. @param {Push} push @param {Step} step @param {number} stage */
function pushRows(push, step, stage) {
  const width = last(step.shape);
  for (let cell = width - 1; cell < sizeOf(step); cell += width)
    push(stage, 1, PACE_MS.input, cell);
}

/**
 * The moments of the cells that a step computes.
 * @param {Push} push
 * @param {Step} step
 * @param {number} stage
 * @param {{ opened: number, level: Level, terms: number }} how opened: a cell that is told term by term, or -1
 */
function pushCells(push, step, stage, { opened, level, terms }) {
  const width = last(step.shape);
  const many = Math.min(sizeOf(step), MAX_CELLS);
  const even = level === 'term' ? null : EACH[level](many, width);
  const sweep = even ?? Math.min(PACE_MS.cell, PACE_MS.sweep / Math.max(1, many - 2));
  const inTerms = Math.min(PACE_MS.term, PACE_MS.firstCell / terms);
  for (const cell of cellsOf(sizeOf(step), width, opened)) {
    const depth = cell % width === 0 ? 1 : 2;
    if (cell !== 0 && cell !== opened) {
      const duration = cell === 1 ? (even ?? PACE_MS.cell) : sweep;
      push(stage, depth, duration, cell, 0, terms - 1, terms);
      continue;
    }
    const duration = cell === opened || even === null ? inTerms : even / terms;
    for (let term = 0; term < terms; term++) {
      push(stage, term === 0 ? depth : 3, duration, cell, term, term, terms);
    }
  }
}

/** Which moment is told at time t, or is being told. @param {Timeline} line @param {number} t */
const placeAt = ({ moments }, t) => clamp(Math.ceil(t), 0, moments.length - 1);

/**
 * The moments that are told in one go, in order: at the level of stages a matrix, at that of rows a row, else a cell or a
 * term; where these are too short to be watched, some terms, or some rows.
 * @param {Timeline} line
 * @param {number} pace how many ms of the line pass in one
 * @returns {Flight[]}
 */
export function flightsOf({ stages, moments, level }, pace) {
  const least = MIN_FLIGHT_MS * pace;
  const byCells = level === 'cell' || level === 'term';
  const byTerms = (/** @type {Moment} */ { from, term, terms }) => terms > 1 && from === term;
  const isAlone = (/** @type {Moment} */ moment) =>
    moment.cell < 0 || (byCells && (byTerms(moment) || moment.duration >= least));
  /** Whether a moment ends a row, or at the level of stages a matrix. @param {Moment} moment */
  const endsRow = ({ stage, cell }) => {
    const { shape } = stages[stage];
    const size = last(shape) * (level === 'stage' ? (shape.at(-2) ?? 1) : 1);
    return (cell + 1) % size === 0;
  };
  /** Whether a flight of so many ms may end with a moment.
   * @param {Moment} moment @param {number} duration @param {boolean} isCut whether it began within a row */
  const ends = (moment, duration, isCut) => {
    const { data, kind } = stages[moment.stage];
    const isComplete = moment.term === moment.terms - 1;
    if (kind !== 'op' || moment.cell < 0) return true;
    if (isComplete && moment.cell + 1 === data.length) return true;
    if (byCells && byTerms(moment)) return isComplete || (level === 'term' && duration >= least);
    if (byCells && moment.duration >= least) return true;
    return isComplete && endsRow(moment) && (duration >= least || (isCut && byCells));
  };
  /** @type {Flight[]} */
  const flights = [];
  let flight = null;
  for (const [i, moment] of moments.entries()) {
    flight ??= { first: i, last: i, start: moment.start, duration: 0 };
    flight.last = i;
    flight.duration += moment.duration;
    const { stage, cell } = moments[flight.first];
    const isCut = cell % last(stages[stage].shape) !== 0;
    const next = moments[i + 1];
    if (!next || isAlone(next) !== isAlone(moment) || ends(moment, flight.duration, isCut)) {
      flights.push(flight);
      flight = null;
    }
  }
  return flights;
}

/** The flights of a line that were asked for last. @type {WeakMap<Timeline, { pace: number, flights: Flight[] }>} */
const flown = new WeakMap();

/** @param {Timeline} line @param {number} pace */
function keptFlights(line, pace) {
  const cached = flown.get(line);
  if (cached?.pace === pace) return cached.flights;
  const flights = flightsOf(line, pace);
  flown.set(line, { pace, flights });
  return flights;
}

/**
 * What is being told at time t, and how much of it: 0 to 1. At a whole t a moment is complete: its progress is 1, and nothing else is told.
 * @param {Timeline} line
 * @param {number} t
 * @param {number} pace
 * @returns {Flight & { progress: number, watched: boolean }} watched: whether that takes long enough to be seen to move
 */
export function flightAt(line, t, pace) {
  const index = placeAt(line, t);
  const { start, duration } = line.moments[index];
  if (Number.isInteger(t))
    return { first: index, last: index, start, duration, progress: 1, watched: false };
  const flights = keptFlights(line, pace);
  const flight = flights[atOrBefore(flights, ({ first }) => first <= index)];
  const progress = (clockAt(line, t) - flight.start) / flight.duration;
  return { ...flight, progress, watched: flight.duration >= MIN_FLIGHT_MS * pace };
}

/**
 * The time that is `ms` later; it stops at the last moment.
 * @param {Timeline} line
 * @param {number} t
 * @param {number} ms
 */
export function advance(line, t, ms) {
  return timeAt(line, clockAt(line, t) + ms);
}

/**
 * @param {Timeline} line
 * @param {number} t
 * @returns {number} milliseconds since the beginning, at speed 1
 */
export function clockAt(line, t) {
  const index = placeAt(line, t);
  const { start, duration } = line.moments[index];
  return start + clamp(t - index + 1, 0, 1) * duration;
}

/**
 * @param {Timeline} line
 * @param {number} clock
 */
export function timeAt(line, clock) {
  const { moments } = line;
  const index = atOrBefore(moments, ({ start }) => start <= clock);
  if (index === 0) return 0;
  return index - 1 + clamp((clock - moments[index].start) / moments[index].duration, 0, 1);
}

/**
 * The last place of a list whose parts have begun; those before it have, too.
 * @template T
 * @param {T[]} list
 * @param {(one: T) => boolean} begun
 */
function atOrBefore(list, begun) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (begun(list[middle])) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The time at which a line tells what another one tells at t; t itself, if it lacks that step. A step whose numbers are
 * given has fewer moments than one that is computed.
 * @param {Timeline} line
 * @param {Timeline} other
 * @param {number} t
 */
export function sameTime({ stages, moments, first }, other, t) {
  const index = placeAt(other, t);
  const { stage, cell, term } = other.moments[index];
  const place = stages.findIndex(({ name }) => name === other.stages[stage].name);
  if (place < 0) return t;
  const begun = moments.slice(first[place], first[place + 1]);
  const passed = atOrBefore(
    begun,
    (one) => one.cell < cell || (one.cell === cell && one.term <= term),
  );
  return Math.max(0, first[place] + passed - Math.max(0, index - t));
}

/**
 * The next moment (or the one before) at which something of that level or a coarser one begins.
 * @param {Timeline} line
 * @param {number} t
 * @param {1 | -1} direction
 * @param {Level} level
 */
export function stepTime(line, t, direction, level) {
  const depth = LEVELS.indexOf(level);
  const end = line.moments.length - 1;
  let index = clamp(direction > 0 ? Math.floor(t) : Math.ceil(t), 0, end) + direction;
  while (index > 0 && index < end && line.moments[index].level > depth) index += direction;
  return clamp(index, 0, end);
}

/** Whether a class stops at a moment: a step is introduced, its first number is there, or a row is complete.
 * @param {Timeline} line @param {Moment} moment */
const isStop = ({ stages }, { stage, cell, term, terms }) =>
  cell < 0 || (term === terms - 1 && (cell === 0 || (cell + 1) % last(stages[stage].shape) === 0));

/**
 * The next moment (or the one before) at which a class stops. The last one of each step has its whole matrix.
 * @param {Timeline} line
 * @param {number} t
 * @param {1 | -1} direction
 */
export function turnTime(line, t, direction) {
  const end = line.moments.length - 1;
  let index = clamp(direction > 0 ? Math.floor(t) : Math.ceil(t), 0, end) + direction;
  while (index > 0 && index < end && !isStop(line, line.moments[index])) index += direction;
  return clamp(index, 0, end);
}

/** Where a class stops. */
const stopsOf = memoized((/** @type {Timeline} */ line) =>
  line.moments.flatMap((moment, i) =>
    i === 0 || i === line.moments.length - 1 || isStop(line, moment) ? [i] : [],
  ),
);

/** Which slide of a walk stands at a time, counted from 1, and how many there are.
 * @param {Timeline} line @param {number} t */
export function slideAt(line, t) {
  const stops = stopsOf(line);
  return { at: stops.filter((stop) => stop <= t).length, all: stops.length };
}

/**
 * The first moment at which a cell is begun; -1 if no stage computes that node.
 * @param {Timeline} line
 * @param {Cell} cell
 */
export function momentOf(line, { node, index }) {
  const stage = line.stages.findIndex((step) => step.name === node);
  if (stage < 0) return -1;
  const flat = offset(line.stages[stage].shape, index);
  for (let i = line.first[stage]; i < line.moments.length; i++) {
    if (line.moments[i].stage === stage && line.moments[i].cell >= flat) return i;
  }
  return -1;
}

/**
 * The first moment at which a cell is known; -1 if no stage computes that node.
 * @param {Timeline} line
 * @param {Cell} cell
 */
export function doneAt(line, cell) {
  let i = momentOf(line, cell);
  while (i >= 0 && line.moments[i].term < line.moments[i].terms - 1) i++;
  return i;
}

/**
 * The cell that a moment is about, null while the stage is introduced.
 * @param {Timeline} line
 * @param {Moment} moment
 * @returns {Cell | null}
 */
export function cellOf(line, moment) {
  if (moment.cell < 0) return null;
  const step = line.stages[moment.stage];
  return { node: step.name, index: indexAt(step.shape, moment.cell) };
}

/**
 * How many cells of a node are computed at a moment; leaves always are.
 * @param {Timeline} line
 * @param {Moment} moment
 * @param {Step} step
 * @param {Moment | null} [begun] the first one of those that are still being told
 */
export function computedCount(line, moment, step, begun = null) {
  const stage = line.stages.findIndex(({ name }) => name === step.name);
  if (step.kind !== 'op' || stage < moment.stage) return sizeOf(step);
  if (stage > moment.stage) return 0;
  const isDone = moment.term === moment.terms - 1;
  const cells = begun ? begun.cell : moment.cell + (isDone ? 1 : 0);
  /* Of another run with rows of another length. */
  const [stageWidth, width] = [last(line.stages[stage].shape), last(step.shape)];
  return Math.floor(cells / stageWidth) * width + Math.min(cells % stageWidth, width);
}

/** @param {readonly number[]} shape */
function last(shape) {
  return shape[shape.length - 1];
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
