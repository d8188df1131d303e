// The characters that SentencePiece replaces before it cuts a text: a double-array trie (Darts) of UTF-8, then the
// replacements, each ended by a zero.

import { takeRoom } from './tokenizer-room.js';

/** Where a character surely begins another cluster: engines take long for the clusters of long texts, so these are cut first. */
const CLUSTER_START =
  /(?<=[ -~])(?=[ -~\p{Lu}\p{Ll}]|(?![\u0e33\u0eb3])\p{Lo})|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?=[\p{sc=Han}ぁ-んァ-ヴ])/u;

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Base64 in whole groups of four, without white space. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The units of the trie, and the replacements behind them; null where there are none.
 * @param {string} base64
 * @returns {{ units: Uint32Array, texts: Uint8Array } | null} */
export function charsmapParts(base64) {
  const bytes = BASE64.test(base64) ? bytesOf(base64) : new Uint8Array();
  if (bytes.length < 4) return null;
  const view = new DataView(bytes.buffer);
  const size = view.getUint32(0, true);
  if (size % 4 || size > bytes.length - 4) return null;
  const units = Uint32Array.from({ length: size / 4 }, (_, i) => view.getUint32(4 + 4 * i, true));
  return { units, texts: bytes.subarray(4 + size) };
}

/** @param {string} base64
 * @returns {(text: string) => string} */
export function charsmap(base64) {
  const parts = charsmapParts(base64);
  if (!parts) return (text) => text;
  const { units, texts } = parts;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /** The replacement of the shortest beginning that has one.
   * @param {Uint8Array} key */
  const replacementOf = (key) => {
    const offset = (/** @type {number} */ unit) => (unit >>> 10) << ((unit & 512) >>> 6);
    let index = offset(units[0]);
    for (const byte of key) {
      if (!byte) return null;
      index ^= byte;
      const unit = units[index];
      if (unit === undefined || (unit & 0x800000ff) >>> 0 !== byte) return null;
      index ^= offset(unit);
      if (unit & 256) {
        const from = units[index] & 0x7fffffff;
        const end = texts.indexOf(0, from);
        return decoder.decode(texts.subarray(from, end < 0 ? texts.length : end));
      }
    }
    return null;
  };
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  /** @param {string} text */
  const changed = (text) => {
    const made = replacementOf(encoder.encode(text));
    takeRoom(made?.length ?? 0);
    return made;
  };
  /** @param {string} cluster */
  const replaced = (cluster) => {
    const whole = encoder.encode(cluster).length < 6 ? changed(cluster) : null;
    return whole ?? Array.from(cluster, (character) => changed(character) ?? character).join('');
  };
  return (text) =>
    text
      .split(CLUSTER_START)
      .map((part) =>
        part.length < 2
          ? replaced(part)
          : Array.from(graphemes.segment(part), ({ segment }) => replaced(segment)).join(''),
      )
      .join('');
}
