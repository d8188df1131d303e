// Places of a walk as authors write them: 'scores', its row 'scores/1', its cell 'scores/1,2'; 'softmax' is
// the step that is computed so. Indices count from 0, as everywhere.

import { short, text } from '../locale/text.js';

/** @typedef {import('../session.js').Step} Step */
/**
 * @typedef {{ step: Step, index: number[], whole: boolean }} Place
 * index: of the cell, or of the last one of the row or step that is meant; whole: of one of these.
 */

/**
 * @param {string} place
 * @param {Step[]} steps
 * @returns {Place}
 */
export function placeOf(place, steps) {
  const [, name, numbers] = /^([^/]*)(?:\/(\d+(?:,\d+)*))?$/.exec(place.trim()) ?? [];
  if (!name) throw new RangeError(text('page/noPlace', { at: short(place, 40) }));
  const step = steps.find((one) => one.name === name) ?? steps.find(({ op }) => op === name);
  if (!step) {
    throw new RangeError(text('page/noStep', { name: short(name, 40), names: listed(steps) }));
  }
  const indices = numbers ? numbers.split(',').map(Number) : [];
  const { shape } = step;
  if (indices.length > shape.length || indices.some((i, axis) => i >= shape[axis])) {
    const cell = `${name}[${indices.join(', ')}]`;
    throw new RangeError(text('page/noCell', { cell, shape: shape.join(' × ') }));
  }
  const index = shape.map((size, axis) => indices[axis] ?? size - 1);
  return { step, index, whole: indices.length < shape.length };
}

/** @param {Step[]} steps */
function listed(steps) {
  const names = steps.filter(({ kind }) => kind === 'op').map(({ name }) => name);
  return names.length > 12 ? `${names.slice(0, 12).join(', ')}, …` : names.join(', ');
}
