import { axes, labels } from '../../stage/draw/names.js';
import { knownOf } from '../../stage/telling/words.js';

/** What the rows and columns of a step are.
 * @param {import('../../app/session.js').Step} step @param {import('../../app/state/view.js').View} view */
export function labelsOf(step, view) {
  const { rows, columns } = axes(step);
  const words = knownOf(step, view);
  const [height, width] = step.shape.slice(-2);
  return { rows: labels(rows, height, words), columns: labels(columns, width, words) };
}
