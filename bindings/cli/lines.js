// Lines of a stream, one at a time, in memory that neither the stream nor its longest line can grow.

import { checkInteger } from '../js/base/errors.js';
import { isIterable } from '../js/base/values.js';
import { typeError } from '../js/formats/texts.js';
import { strayByte } from './encoding.js';

const NEWLINE = 10;

/** A line of a stream.
 * @typedef {object} Line
 * @property {number} line its number, from 1
 * @property {string | null} text without its end; null if it is longer than the limit
 * @property {number} bytes its length
 * @property {number} [stray] the first byte that is not UTF-8, from 0; absent where all are */

/** The lines of a stream of bytes as they come: \n or \r\n ends one, the last may lack its end. Keeps no more than
 * one line of at most `limit` bytes; of a longer one it tells the length alone.
 * @param {AsyncIterable<Uint8Array>} input
 * @param {{ limit?: number }} [options] limit in bytes, 1 MiB by default
 * @returns {AsyncGenerator<Line, void, undefined>}
 * @example
 * import { linesOf } from 'glassformer/cli';
 *
 * const chunks = (async function* () {
 *   yield new TextEncoder().encode('one\ntw');
 *   yield new TextEncoder().encode('o\n');
 * })();
 * const texts = [];
 * for await (const { text } of linesOf(chunks)) texts.push(text);
 * texts; // = ['one', 'two'] */
export async function* linesOf(input, { limit = 2 ** 20 } = {}) {
  checkInteger('linesOf: limit', limit, 1, Number.MAX_SAFE_INTEGER);
  if (!isIterable(input)) throw typeError('bytes', { where: 'linesOf: input', given: input });
  /** @type {Uint8Array[]} */
  let parts = [];
  let bytes = 0;
  let line = 0;
  const take = (/** @type {Uint8Array} */ part) => {
    bytes += part.length;
    if (bytes > limit) parts = [];
    else if (part.length) parts.push(part);
  };
  const finish = () => {
    line += 1;
    const isLong = bytes > limit;
    const whole = isLong ? null : Buffer.concat(parts);
    const stray = whole ? strayByte(whole) : -1;
    const text = whole && new TextDecoder().decode(whole).replace(/\r$/, '');
    const read = { line, text, bytes, ...(stray >= 0 && { stray }) };
    parts = [];
    bytes = 0;
    return read;
  };
  for await (const chunk of input) {
    if (!(chunk instanceof Uint8Array))
      throw typeError('bytes', { where: 'linesOf', given: chunk });
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      yield finish();
    }
    /* A copy: the stream may write over its chunk. */
    take(chunk.slice(from));
  }
  if (bytes) yield finish();
}
