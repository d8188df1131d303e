// The page's door to the files of the ops: what each says of itself.
import { drawings } from '../../bindings/generated/ops.js';

export { captions, derivations } from '../../bindings/generated/ops.js';

/** How a step is drawn: by its op, or plainly where it is only a copy.
 * @param {{ op: string, bypassed: number | null }} step
 * @returns {import('../../bindings/js/ops/kit/page.js').Drawing} */
export const drawingOf = ({ op, bypassed }) => (bypassed === null && drawings[op]) || {};

/** @typedef {import('../app/session.js').Step} Step */

/** The name of what moves while the cells of a step are told; null for nothing.
 * @param {Step} step */
export const motionOf = (step) => (step.frozen ? null : (drawingOf(step).motion ?? 'join'));

/** Whether a step has a geometric view: rows that meet in products of two numbers or more, or are blended.
 * @param {Step} step
 * @param {(name: string) => Step} find */
export function isGeometric(step, find) {
  const { role, inputs, shape } = step;
  if (!drawingOf(step).crosses || shape.length > 3) return false;
  const [left, above] = inputs.slice(0, 2).map((name) => find(String(name)));
  return (role === 'score' || left.role === 'weight') && Number(above.shape.at(-1)) > 1;
}

/** The name of what moves while a step is introduced; null for nothing.
 * @param {Step} step
 * @param {(name: string) => Step} find */
export function openingOf(step, find) {
  if (step.frozen) return null;
  const operands = step.inputs.map((name) => /** @type {Step} */ (name && find(name)));
  return drawingOf(step).opening?.(operands, step) ?? null;
}
