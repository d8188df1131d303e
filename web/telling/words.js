// What the chapter calls its steps and cells.
import { axes, isOfTokens, labelAt, positionsOf, stem, symbol } from '../draw/names.js';
import { lookup, text } from '../locale/text.js';
import { drawingOf } from '../ops.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** @param {string} node */
function family(node) {
  const name = stem(node);
  return /^pe\.[^.]+$/.test(name) ? 'pe' : name;
}

/** @param {Step} step */
export function title(step) {
  const name = family(step.name);
  return lookup(`titles/${name}.${step.op}`) ?? lookup(`titles/${name}`) ?? step.name;
}

/** @param {Step} step */
export function prose(step) {
  if (step.bypassed !== null) return text('prose/bypassed');
  if (step.removed) return text(step.frozen ? 'prose/held' : 'prose/numbered');
  const name = family(step.name);
  const special = lookup(`prose/${name}.${step.op}`);
  if (special) return special;
  return lookup(`prose/${drawingOf(step).prose?.(step) ?? name}`) ?? '';
}

/** @param {string} node */
export function plainSymbol(node) {
  const { letter, below } = symbol(node);
  return below ? `${letter}_${below}` : letter;
}

/**
 * 'score of love for I', 'query of love, channel 2'.
 * @param {Cell} cell
 * @param {{ example: import('../session.js').Example, trace: import('../session.js').Trace }} opened
 */
export function describe({ node, index }, opened) {
  const alone = opened.trace.step(node).data.length === 1 && lookup(`nouns/${node}`);
  if (alone) return alone;
  const [i, j] = index.slice(-2);
  const axis = axes(node);
  const known = knownOf(node, opened);
  const column = j ?? i;
  const values = {
    noun: lookup(`nouns/${family(node)}`) ?? node,
    name: plainSymbol(node),
    row: spoken(labelAt(axis.rows, i, known)),
    column:
      axis.columns === 'channel' || axis.columns === 'one'
        ? column + 1
        : axis.columns === 'word'
          ? labelAt(axis.columns, column, known)
          : spoken(labelAt(axis.columns, column, known)),
  };
  const anonymous = isOfTokens(axis.rows) && opened.example.tokens.length === 0 && !known.sides;
  const cell = text(`cell/${anonymous ? 'numberAt' : kind(axis)}`, values);
  if (node === 'rotation') return text('cell/turn', { cell, position: index[0] });
  return index.length === 3 ? text('cell/head', { cell, h: index[0] + 1 }) : cell;
}

/** A mark such as a comma is told in quotes where words have none. @param {string} label */
const spoken = (label) => (/[\p{L}\p{N}]/u.test(label) ? label : text('cell/sign', { label }));

/**
 * What is known of the axes of a node.
 * @param {string} node
 * @param {{ example: import('../session.js').Example, trace: import('../session.js').Trace }} opened
 * @returns {import('../draw/names.js').Known}
 */
export function knownOf(node, { example, trace }) {
  const placed = axes(node).rows === 'position' && stem(node) !== 'position.weight';
  return { ...example, positions: placed ? trace.step(positionsOf(node)).data : undefined };
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
