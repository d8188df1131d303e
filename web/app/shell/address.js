// Reads and writes addresses: what stands in for one that cannot be read, and why.
import { short, text } from '../locale/text.js';
import { MAX_LINK } from '../state/limits.js';
import { BadHash, COMMON, LongHash, toHash } from '../state/store.js';

/**
 * What can be read of an address, or what stands in for it, with the reason.
 * @template T
 * @param {() => T} read
 * @param {() => T} otherwise
 * @returns {[T, string]}
 */
export function readable(read, otherwise) {
  try {
    return [read(), ''];
  } catch (error) {
    return [otherwise(), refusal(error)];
  }
}

/** The link to a chapter that was not opened yet. @param {string} name @param {Record<string, string>} [first] its
 * parts, written already @param {import('../state/store.js').Common} [common] */
export function unseen(name, first = {}, common = COMMON) {
  const parts = Object.fromEntries(Object.keys(first).map((key) => [key, AS_WRITTEN]));
  return toHash({ name, opening: {}, parts }, { ...common, ...first });
}

const AS_WRITTEN = { write: String, read: String };

/** @param {unknown} error */
export function refusal(error) {
  if (error instanceof LongHash) return text('page/longHash', { n: error.size, most: MAX_LINK });
  if (!(error instanceof BadHash)) throw error;
  return text('page/badHash', { part: short(error.message) });
}

/**
 * What is said of a part that lists more than is kept of it.
 * @param {string} part
 * @param {number} all
 * @param {number} kept
 */
export const droppedOf = (part, all, kept) => text('page/dropped', { part, n: all, kept });
