// The colour of a cell, and whether it has none.
import { fill } from './colour.js';
import { scaleOf } from './names.js';
import { isBroken, numberAt } from './tensor.js';

/**
 * The fill of a cell, for its number, or for its gradient while gradients are shown. What a mask wrote has a hatch
 * instead, what is no number another; ids have neither.
 * @param {import('../../app/state/view.js').View} view
 * @param {import('../../app/session.js').Step} step
 * @param {number} flat its place among all of the step
 */
export function lookOf({ state, theme, slope, limitOf }, step, flat) {
  const isId = step.kind === 'ids';
  const value = numberAt(step, flat);
  const grad = state.gradient && step.grad;
  const rgb = grad
    ? fill(grad[flat], 'signed', slope, theme)
    : fill(value, scaleOf(step), limitOf(step), theme);
  const masked = value === Number.NEGATIVE_INFINITY;
  const broken = !isId && isBroken(grad ? grad[flat] : value);
  return { rgb, masked, broken, isBare: masked || broken || isId };
}
