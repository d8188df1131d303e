// Numbers that become one: copies of what it is computed from come from their matrices and join. A residual runs around
// the block that it skips.
import { around, between, during } from './boxes.js';
import { sumOf } from './sum.js';

/** @type {import('./index.js').Motion} */
export function join({ told: explanation, step, progress, place, cells }) {
  const target = place(explanation);
  const parts = partsOf(explanation);
  const sources = parts.flatMap((cell, operand) => place(cell, operand) ?? place(cell) ?? []);
  if (!target || sources.length === 0 || sources.length < parts.length) return [];
  const gone = during(progress, 0, 0.75);
  const detour = step.role === 'residual' && parts.length > 1 ? detourOf(cells, sources[0]) : null;
  const copies = parts.map((of, i) => ({
    key: `copy ${i}`,
    of,
    value: of.value,
    box: alongDetour(between(sources[i], target, gone), i === 0 ? detour : null, gone),
    size: target,
    opacity: gone < 1 ? 1 : 0,
  }));
  return [...copies, ...sumOf(target, null, explanation.value, during(progress, 0.7, 1))];
}

/** The cells that a number was computed from, but for those of a whole row.
 * @param {any} told @returns {import('../../app/session.js').Valued[]} */
function partsOf({ a, b, x, from, row, terms, turned }) {
  if (turned) return [turned[0].a, turned[1].a];
  if (terms) return [terms[0].a, terms[0].b];
  const alone = row && !Array.isArray(row) ? row : null;
  return [a, b, x, from, alone].filter(Boolean);
}

/**
 * How far aside one must go to pass by the matrix between the first operand and the result: px to the right, and down.
 * @param {import('./index.js').Scene['cells']} cells
 * @param {import('./boxes.js').Box} start where one begins
 */
function detourOf(cells, start) {
  const [from, block] = [0, 1].map((operand) => around(cells(operand).map(({ box }) => box)));
  const isBeside = Math.abs(block.left - from.left) > Math.abs(block.top - from.top);
  return isBeside
    ? { right: 0, down: block.top - start.top - 1.5 * start.height }
    : { right: block.left - start.left - 1.5 * start.width, down: 0 };
}

/**
 * A box on a way that leads around.
 * @param {import('./boxes.js').Box} box
 * @param {{ right: number, down: number } | null} detour
 * @param {number} part of the way that is over
 */
function alongDetour(box, detour, part) {
  if (!detour) return box;
  const out = Math.sin(Math.PI * part);
  return { ...box, left: box.left + detour.right * out, top: box.top + detour.down * out };
}
