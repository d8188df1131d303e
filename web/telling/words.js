// What the chapter calls its steps and cells.
import { axes, isCodes, isOfTokens, labelAt, positionsOf, symbol, word } from '../draw/names.js';
import { sizeOf } from '../draw/tensor.js';
import { list, lookup, text } from '../locale/text.js';
import { drawingOf } from '../ops.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/**
 * What is said of a step, by its word; of tables of codes that have none of their own, what is said of all.
 * @param {'titles' | 'prose' | 'nouns'} list
 * @param {Step} step
 */
const said = (list, step) =>
  lookup(`${list}/${word(step)}`) ?? (isCodes(step) ? lookup(`${list}/pe`) : undefined);

/** @param {Step} step */
export const title = (step) =>
  step.title ?? lookup(`titles/${word(step)}.${step.op}`) ?? said('titles', step) ?? step.name;

/** @param {Step} step */
export function prose(step) {
  /* Of an exercise the task says it; and a mistake is not what a lesson does. */
  if (step.title !== undefined) return '';
  if (step.bypassed !== null) return text('prose/bypassed');
  if (step.removed) return text(step.frozen ? 'prose/held' : 'prose/numbered');
  const special = lookup(`prose/${word(step)}.${step.op}`);
  if (special) return special;
  const drawn = drawingOf(step).prose?.(step);
  return (drawn ? lookup(`prose/${drawn}`) : said('prose', step)) ?? '';
}

/**
 * What the run on the page is called beside the intact one: 'without the scaling'; nothing where there is none.
 * @param {Pick<import('../state/view.js').View, 'state' | 'runs'>} view
 */
export function branch({ state, runs }) {
  if (runs) return runs.page;
  if (state.remove.length === 0) return '';
  return text('stage/without', {
    what: list(state.remove.map((name) => text(`switches/${name}`))),
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
  const noun = step.role || !step.title ? said('nouns', step) : step.title;
  if (sizeOf(step) === 1 && noun) return noun;
  const [i, j] = index.slice(-2);
  const axis = axes(step);
  const known = knownOf(step, opened);
  const column = j ?? i;
  /* The words of exercises are words of sentences, too: the, cat, sat. */
  const quoted = (step.title !== undefined && isOfTokens(axis.rows)) || undefined;
  const values = {
    noun: noun ?? plainSymbol(step),
    name: plainSymbol(step),
    row: spoken(labelAt(axis.rows, i, known), quoted),
    column:
      axis.columns === 'channel' || axis.columns === 'one'
        ? column + 1
        : axis.columns === 'word'
          ? labelAt(axis.columns, column, known)
          : spoken(labelAt(axis.columns, column, known), quoted),
  };
  const anonymous = isOfTokens(axis.rows) && opened.example.tokens.length === 0 && !known.sides;
  const cell = text(`cell/${anonymous ? 'numberAt' : kind(axis)}`, values);
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
  if (columns === 'turn') return 'pair';
  if (isOfTokens(rows) && columns === 'word') return 'tokenWord';
  if (columns === 'position') return 'positionPosition';
  if (columns === 'one') return 'id';
  if (columns === 'step') return 'atStep';
  if (rows === 'one') return 'bias';
  if (rows === 'channel') return 'weight';
  if (rows === 'word') return 'word';
  if (rows === 'position') return 'positionChannel';
  return isOfTokens(columns) ? 'tokenToken' : 'tokenChannel';
}
