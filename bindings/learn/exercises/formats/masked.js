// Hides the problems of a package from a look at its source. Whoever reads programs can read them: the page must.

import { hash } from '../../../js/base/random.js';

/** @param {Uint8Array} bytes */
const exchanged = (bytes) => bytes.map((byte, i) => byte ^ (hash(bytes.length, i) & 255));

/** @param {string} text @returns {string} in base64 */
export function masked(text) {
  const bytes = exchanged(new TextEncoder().encode(text));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** @param {string} text of masked() */
export const unmasked = (text) =>
  new TextDecoder().decode(
    exchanged(Uint8Array.from(atob(text), (sign) => Number(sign.codePointAt(0)))),
  );
