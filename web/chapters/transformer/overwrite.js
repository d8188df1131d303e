// Edits of a model's parameters, which belong to the model and not to a run of it.
import { cellKey, offset } from '../../draw/tensor.js';
import { checkCell } from '../../state/check.js';

/** @typedef {import('../../state/walk.js').Edit} Edit */

/**
 * Writes edits into the parameters of a model: all, or, if one is of no cell, none.
 * @param {any} model
 * @param {Edit[]} edits
 * @returns {{ model: any, edits: Edit[], own: Edit[], rest: Edit[], over: Map<string, number>, restore: () => void }} own: those
 *   of parameters; rest: the others, which a trace takes; over: the numbers that are written over, by their cells; restore puts
 *   these back
 */
export function overwrite(model, edits) {
  const isOwn = (/** @type {Edit} */ { node }) => model.parameters.has(node);
  const own = edits.filter(isOwn);
  for (const edit of own) checkCell(edit, model.parameters.get(edit.node));
  const before = own.map(({ node, index, value }) => {
    const { data, shape } = model.parameters.get(node);
    const at = offset(shape, index);
    const was = data[at];
    data[at] = value;
    return { node, index, at, was };
  });
  const over = new Map(before.toReversed().map((one) => [cellKey(one), one.was]));
  const restore = () => {
    for (const { node, at, was } of before.reverse()) model.parameters.get(node).data[at] = was;
  };
  return { model, edits, own, rest: edits.filter((edit) => !isOwn(edit)), over, restore };
}
