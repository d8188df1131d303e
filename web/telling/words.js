// What the chapter calls its steps and cells.
import { axes, isCodes, isOfTokens, labelAt, positionsOf, symbol, word } from '../draw/names.js';
import { sizeOf } from '../draw/tensor.js';
import { list, lookup, text } from '../locale/text.js';
import { drawingOf } from '../ops.js';
import { NOUNS, PROSE, TITLES } from './step-texts.js';
import { SWITCH_TEXTS } from './switch-texts.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/**
 * What is said of a step, by its word; of tables of codes that have none of their own, what is said of all.
 * @param {Readonly<Record<string, string>>} keys
 * @param {Step} step
 */
const said = (keys, step) =>
  lookup(keys[word(step)]) ?? (isCodes(step) ? lookup(keys.pe) : undefined);

/** @param {Step} step */
export const title = (step) =>
  step.title ?? lookup(TITLES[`${word(step)}.${step.op}`]) ?? said(TITLES, step) ?? step.name;

/** @param {Step} step */
export function prose(step) {
  /* Of an exercise the task says it; and a mistake is not what a lesson does. */
  if (step.title !== undefined) return '';
  if (step.bypassed !== null) return text('prose/bypassed');
  if (step.removed) return text(step.frozen ? 'prose/held' : 'prose/numbered');
  const special = lookup(PROSE[`${word(step)}.${step.op}`]);
  if (special) return special;
  const drawn = drawingOf(step).prose?.(step);
  return (drawn ? lookup(PROSE[drawn]) : said(PROSE, step)) ?? '';
}

/**
 * What the run on the page is called beside the intact one: 'without the scaling'; nothing where there is none.
 * @param {Pick<import('../state/view.js').View, 'state' | 'runs'>} view
 */
export function branch({ state, runs }) {
  if (runs) return runs.page;
  if (state.remove.length === 0) return '';
  return text('stage/without', {
    what: list(state.remove.map((name) => text(SWITCH_TEXTS[name]))),
  });
}

/** @param {Step} step */
export function plainSymbol(step) {
  const { letter, below } = symbol(step);
  return below ? `${letter}_${below}` : letter;
}

/**
 * 'score of love for I', 'query of love, channel 2'.
 * @param {Cell} cell
 * @param {{ example: import('../session.js').Example, trace: import('../session.js').Trace }} opened
 */
export function describe({ node, index }, opened) {
  const step = opened.trace.step(node);
  const noun = step.role || !step.title ? said(NOUNS, step) : step.title;
  if (sizeOf(step) === 1 && noun) return noun;
  const [i, j] = index.slice(-2);
  const axis = axes(step);
  const names = knownOf(step, opened);
  const column = j ?? i;
  /* The words of exercises are words of sentences, too: the, cat, sat. */
  const quoted = (step.title !== undefined && isOfTokens(axis.rows)) || undefined;
  const values = {
    noun: noun ?? plainSymbol(step),
    name: plainSymbol(step),
    row: spoken(labelAt(axis.rows, i, names), quoted),
    column:
      axis.columns === 'channel' || axis.columns === 'one'
        ? column + 1
        : axis.columns === 'word'
          ? labelAt(axis.columns, column, names)
          : spoken(labelAt(axis.columns, column, names), quoted),
  };
  const anonymous = isOfTokens(axis.rows) && opened.example.tokens.length === 0 && !names.sides;
  const cell = text(anonymous ? 'cell/numberAt' : kind(axis), values);
  if (step.axes.includes('rotation')) return text('cell/turn', { cell, position: index[0] });
  return index.length === 3 ? text('cell/head', { cell, h: index[0] + 1 }) : cell;
}

/** A mark such as a comma is told in quotes where words have none.
 * @param {string} label @param {boolean} [quoted] */
const spoken = (label, quoted = !/[\p{L}\p{N}]/u.test(label)) =>
  quoted ? text('cell/sign', { label }) : label;

/**
 * What is known of the axes of a step.
 * @param {Step} step
 * @param {{ example: import('../session.js').Example, trace: import('../session.js').Trace }} opened
 * @returns {import('../draw/names.js').Known}
 */
export function knownOf(step, { example, trace }) {
  const placed = axes(step).rows === 'position' && step.parameter !== 'table';
  return { ...example, positions: placed ? positionsOf(step, trace).data : undefined };
}

/** @param {ReturnType<typeof axes>} axis */
function kind({ rows, columns }) {
  if (columns === 'turn') return 'cell/pair';
  if (isOfTokens(rows) && columns === 'word') return 'cell/tokenWord';
  if (columns === 'position') return 'cell/positionPosition';
  if (columns === 'one') return 'cell/id';
  if (columns === 'step') return 'cell/atStep';
  if (rows === 'one') return 'cell/bias';
  if (rows === 'channel') return 'cell/weight';
  if (rows === 'word') return 'cell/word';
  if (rows === 'position') return 'cell/positionChannel';
  return isOfTokens(columns) ? 'cell/tokenToken' : 'cell/tokenChannel';
}
