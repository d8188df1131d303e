// What a frame and the page around it say to each other. docs/embedding.md lists it for authors.

import { MAX_LINK } from '../../app/state/limits.js';
import { DIGITS } from '../../stage/draw/format.js';

export const VERSION = 1;

/** What may be asked, and what each question must bring. @type {Record<string, Record<string, (value: any) => boolean>>} */
export const QUESTIONS = {
  getState: {},
  setState: { state: isText },
  play: {},
  pause: {},
  seek: { at: (value) => isText(value) || (Number.isFinite(value) && value >= 0) },
  theme: { theme: (value) => ['auto', 'light', 'dark'].includes(value) },
  lang: { lang: (value) => isText(value) && /^[a-z]{2}$/.test(value) },
  round: {
    round: (value) => DIGITS.some((digits) => digits === value || String(digits) === value),
  },
};

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string' && value.length <= MAX_LINK;
}

/** A question that is one of ours, but not right. */
export class BadQuestion extends Error {}

/**
 * What was asked; null if the message is none of ours.
 * @param {unknown} data
 * @returns {{ type: string, id: string | number | undefined, [part: string]: any } | null}
 */
export function questionOf(data) {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'glassformer')) return null;
  const { glassformer, type, ...rest } = /** @type {Record<string, unknown>} */ (data);
  if (glassformer !== VERSION) throw new BadQuestion(`this is version ${VERSION} of the protocol`);
  if (typeof type !== 'string' || !Object.hasOwn(QUESTIONS, type)) {
    throw new BadQuestion(`type must be one of ${Object.keys(QUESTIONS).join(', ')}`);
  }
  for (const [part, fits] of Object.entries(QUESTIONS[type])) {
    if (!fits(rest[part])) throw new BadQuestion(`${type}: ${part} does not fit`);
  }
  return { type, id: idOf(data), ...rest };
}

/** What a reply repeats, so that the asker knows its question again. @param {any} data */
export function idOf(data) {
  const { id } = data;
  return typeof id === 'string' || Number.isFinite(id) ? id : undefined;
}
