// What the chapter calls its steps and cells.
import { axes, labels, positionsOf, symbol } from '../draw/names.js';
import { lookup, text } from '../locale/text.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** @param {string} node */
const family = (node) => (/^pe\.[^.]+$/.test(node) ? 'pe' : node);

/** @param {Step} step */
export function title(step) {
  const key = step.name === 'x' && step.op === 'add' ? 'x.add' : family(step.name);
  return lookup(`titles/${key}`) ?? step.name;
}

/** @param {Step} step */
export function prose(step) {
  if (step.bypassed !== null) return text('prose/bypassed');
  const special = lookup(`prose/${step.name}.${step.op}`);
  if (special) return special;
  const split = step.op === 'heads' && step.attributes.heads > 0;
  return lookup(`prose/${split ? 'heads' : family(step.name)}`) ?? '';
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
export function describe({ node, index }, { example, trace }) {
  const { tokens } = example;
  const [i, j] = index.slice(-2);
  const axis = axes(node);
  const placed = axis.rows === 'position' && node !== 'position.weight';
  const positions = placed ? trace.step(positionsOf(node)).data : undefined;
  const row = labels(axis.rows, i + 1, { tokens, positions })[i];
  const values = {
    noun: lookup(`nouns/${family(node)}`) ?? node,
    name: plainSymbol(node),
    row,
    column: columnOf(axis.columns, j ?? i, { tokens, positions }),
  };
  const cell = text(`cell/${kind(axis)}`, values);
  if (node === 'rotation') return text('cell/turn', { cell, position: index[0] });
  return index.length === 3 ? text('cell/head', { cell, h: index[0] + 1 }) : cell;
}

/**
 * @param {import('../draw/names.js').Axis} axis
 * @param {number} j
 * @param {{ tokens: string[], positions?: ArrayLike<number> }} known
 */
const columnOf = (axis, j, known) =>
  axis === 'channel' || axis === 'one' ? j + 1 : labels(axis, j + 1, known)[j];

/** @param {ReturnType<typeof axes>} axis */
function kind({ rows, columns }) {
  if (columns === 'turn') return 'pair';
  if (columns === 'position') return 'positionPosition';
  if (columns === 'one') return 'id';
  if (rows === 'one') return 'bias';
  if (rows === 'channel') return 'weight';
  if (rows === 'word') return 'word';
  if (rows === 'position') return 'positionChannel';
  return columns === 'token' ? 'tokenToken' : 'tokenChannel';
}
