// Edits of a model's parameters, which belong to the model and not to a run of it.

import { checkCell } from '../../app/state/check.js';
import { cellKey, offset } from '../../stage/draw/tensor.js';

/** @typedef {import('../../app/state/walk.js').Edit} Edit */

/**
 * Writes edits into the parameters of a model: all, or, if one is of no cell, none.
 * @param {any} model
 * @param {Edit[]} edits
 * @returns {{ model: any, edits: Edit[], own: Edit[], rest: Edit[], over: Map<string, number>, restore: () => void }} own: those
 *   of parameters; rest: the others, which a trace takes; over: the numbers that are written over, by their cells; restore puts
 *   these back
 */
export function overwrite(model, edits) {
  const isParameter = (/** @type {Edit} */ { node }) => model.parameters.has(node);
  const ofParameters = edits.filter(isParameter);
  for (const edit of ofParameters) checkCell(edit, model.parameters.get(edit.node));
  const before = ofParameters.map(({ node, index, value }) => {
    const { data, shape } = model.parameters.get(node);
    const place = offset(shape, index);
    const was = data[place];
    data[place] = value;
    return { node, index, place, was };
  });
  const over = new Map(before.toReversed().map((one) => [cellKey(one), one.was]));
  const restore = () => {
    /* The memory may have grown meanwhile, so the numbers are elsewhere. */
    for (const { node, place, was } of before.reverse())
      model.parameters.get(node).data[place] = was;
  };
  const rest = edits.filter((edit) => !isParameter(edit));
  return { model, edits, own: ofParameters, rest, over, restore };
}
