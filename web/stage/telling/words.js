// What the chapter calls its steps and cells.

import { list, lookup, text } from '../../app/locale/text.js';
import { axes, isCodes, isOfTokens, labelAt, positionsOf, symbol, word } from '../draw/names.js';
import { sizeOf } from '../draw/tensor.js';
import { drawingOf } from '../ops.js';
import { STEP_TEXTS } from './step-texts.js';
import { SWITCH_TEXTS } from './switch-texts.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/**
 * A text about a step, by its word; tables of codes without a text of their own share one.
 * @param {'title' | 'prose' | 'noun'} kind
 * @param {Step} step
 */
const textOf = (kind, step) =>
  lookup(STEP_TEXTS[word(step)]?.[kind]) ??
  (isCodes(step) ? lookup(STEP_TEXTS.pe[kind]) : undefined);

/** The text about steps with that word and that op. @param {'title' | 'prose'} kind @param {Step} step */
const textOfOp = (kind, step) => lookup(STEP_TEXTS[`${word(step)}.${step.op}`]?.[kind]);

/** @param {Step} step */
export const title = (step) =>
  step.title ?? textOfOp('title', step) ?? textOf('title', step) ?? step.name;

/** @param {Step} step */
export function prose(step) {
  /* The task of an exercise says it; and a mistake is not what a lesson does. */
  if (step.title !== undefined) return '';
  if (step.bypassed !== null) return text('prose/bypassed');
  if (step.removed) return text(step.frozen ? 'prose/held' : 'prose/numbered');
  const name = drawingOf(step).prose?.(step);
  return (
    textOfOp('prose', step) ||
    ((name ? lookup(STEP_TEXTS[name]?.prose) : textOf('prose', step)) ?? '')
  );
}

/**
 * What the run on the page is called beside the intact one: 'without the scaling'; nothing where there is none.
 * @param {Pick<import('../../app/state/view.js').View, 'state' | 'runs'>} view
 */
export function runName({ state, runs }) {
  if (runs) return runs.page;
  if (state.remove.length === 0) return '';
  return text('stage/without', {
    what: list(state.remove.map((name) => text(SWITCH_TEXTS[name].name))),
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
 * @param {{ example: import('../../app/session.js').Example, trace: import('../../app/session.js').Trace }} opened
 */
export function describe({ node, index }, opened) {
  const step = opened.trace.step(node);
  const noun = step.role || !step.title ? textOf('noun', step) : step.title;
  if (sizeOf(step) === 1 && noun) return noun;
  const [i, j = i] = index.slice(-2);
  const axis = axes(step);
  const names = knownOf(step, opened);
  const values = {
    noun: noun ?? plainSymbol(step),
    name: plainSymbol(step),
    row: labelAt(axis.rows, i, names),
    column: ['channel', 'one'].includes(axis.columns) ? j + 1 : labelAt(axis.columns, j, names),
  };
  const anonymous = isOfTokens(axis.rows) && opened.example.tokens.length === 0 && !names.sides;
  const cell = text(anonymous ? 'cell/numberAt' : kind(axis), values);
  if (step.axes.includes('rotation')) return text('cell/turn', { cell, position: index[0] });
  return index.length === 3 ? text('cell/head', { cell, h: index[0] + 1 }) : cell;
}

/**
 * What is known of the axes of a step.
 * @param {Step} step
 * @param {{ example: import('../../app/session.js').Example, trace: import('../../app/session.js').Trace }} opened
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
