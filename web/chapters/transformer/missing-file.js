// Which file of a model did not come.
import { text } from '../../app/locale/text.js';

/** @type {Readonly<Record<string, string>>} */
const CHECKPOINT_TEXTS = {
  cancelled: 'chapters/transformer/checkpoint/cancelled',
  unreachable: 'chapters/transformer/checkpoint/unreachable',
  missing: 'chapters/transformer/checkpoint/missing',
};

/** What to tell of it; null if a failure has another cause. @param {unknown} error
 * @returns {string | null} */
export function lackOf(error) {
  const { file, status } = /** @type {{ file?: string, status?: number | null }} */ (error);
  if (file === undefined) return null;
  const why = status === null ? 'unreachable' : 'missing';
  return text(CHECKPOINT_TEXTS[why], { file, status: status ?? '' });
}
