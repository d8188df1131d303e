// Numbers that are parts of one whole.

/** @typedef {import('./scope.js').Numbers} Numbers */

/** A cell, or the sum, the mean or an extreme of some: of shares these are shares. */
const CELL = /^(?:(?:sum|mean|max|min)\()?([A-Za-z_][\w.]*)(?:\[[\w\s,.()[\]]*\])?\)?$/;

/** Whether a number is a share: a cell of a softmax, or the sum of some.
 * @param {string} source @param {import('./expression.js').Scope} scope */
export function isShare(source, scope) {
  const [, name = ''] = CELL.exec(source) ?? [];
  const step = /** @type {Numbers | undefined} */ (scope.step(name));
  return step?.op === 'softmax' && !step.bypassed;
}
