/**
 * What a cell holds so far, and what it holds as soon as something more has landed in it.
 * @param {import('./boxes.js').Box} box
 * @param {number | null} before
 * @param {number} after
 * @param {number} landed
 */
export const sumOf = (box, before, after, landed) => [
  ...(before === null
    ? []
    : [{ key: 'before', value: before, box, size: box, opacity: 1 - landed }]),
  { key: 'after', value: after, box, size: box, opacity: landed },
];
