// The page's door to the files of the ops: what each says of itself.
import { drawings } from '../bindings/generated/ops.js';

export { captions, derivations } from '../bindings/generated/ops.js';

/** How a step is drawn: by its op, or plainly where it is only a copy.
 * @param {{ op: string, bypassed: number | null }} step
 * @returns {import('../bindings/ops/kit/page.js').Drawing} */
export const drawingOf = ({ op, bypassed }) => (bypassed === null && drawings[op]) || {};

/** The name of what moves while a step is told; null for nothing.
 * @param {{ op: string, bypassed: number | null }} step */
export const motionOf = (step) => drawingOf(step).motion ?? null;
