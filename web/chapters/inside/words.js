// Numbers and failures in the chapter's sentences.

import { message, text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';

/** @type {Readonly<Record<string, string>>} */
export const LEVEL_TEXTS = {
  embedding: 'chapters/inside/levels/embedding',
  self_attn: 'chapters/inside/levels/self_attn',
  feed_forward: 'chapters/inside/levels/feed_forward',
  final: 'chapters/inside/levels/final',
};

/** @type {Readonly<Record<string, string>>} */
const UNFIT_TEXTS = {
  empty: 'chapters/inside/unfit/empty',
  long: 'chapters/inside/unfit/long',
  beyond: 'chapters/inside/unfit/beyond',
  noTokenizer: 'chapters/inside/unfit/noTokenizer',
  noToken: 'chapters/inside/unfit/noToken',
  kind: 'chapters/inside/unfit/kind',
  layers: 'chapters/inside/unfit/layers',
};

/** What the page calls layers and heads: it counts from 1, in all chapters. Links, files and programs count from 0.
 * @param {{ layer?: number | null, head?: number | null }} place */
export const numbered = ({ layer, head }) => ({
  layer: Number(layer) + 1,
  head: Number(head) + 1,
});

/** A number with its sign. @param {number} value @param {import('../../stage/draw/format.js').As} [as] */
export const signed = (value, as) => `${value < 0 ? '−' : '+'}${display(Math.abs(value), as)}`;

/** A change that may not be known yet. @param {number | null} change */
export const changeOf = (change) => (change === null ? '…' : signed(change));

/** What to tell of a failure: of a text or a model that does not fit, by the name of what is wrong.
 * @param {unknown} error */
export function reasonOf(error) {
  const { params } = /** @type {{ params?: Record<string, string | number> }} */ (error);
  return params?.says ? text(UNFIT_TEXTS[params.says], params) : message(error);
}
