// The bytes of a text: UTF-8, or the UTF-16 that Windows writes.

import { Failure, sourceOf } from './usage.js';

/** @typedef {'utf-8' | 'utf-16le' | 'utf-16be'} Encoding */

/** Bytes of a text that tell its encoding. */
const BEGINNING = 256;

/** The encoding of a text by its byte order mark; without one by the zeros that every second byte of UTF-16 is where a
 * text is mostly ASCII.
 * @param {Uint8Array} bytes how it begins
 * @returns {Encoding} */
export function encodingOf(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const begin = bytes.subarray(0, BEGINNING);
  begin.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] += 1;
  });
  const [low, high] = zeros.map((count) => count > begin.length / 8);
  if (high && zeros[0] === 0) return 'utf-16le';
  return low && zeros[1] === 0 ? 'utf-16be' : 'utf-8';
}

/** Refuses UTF-32, which few programs write: by its byte order mark, or by its zeros, which are three of four bytes.
 * @param {string} file @param {Uint8Array} bytes how it begins */
export function refuseUtf32(file, bytes) {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const begin = bytes.subarray(0, BEGINNING);
  const zeros = begin.reduce((n, byte) => n + Number(byte === 0), 0);
  if (mark === 'fffe0000' || mark === '0000feff' || (begin.length > 3 && zeros > begin.length / 2))
    throw new Failure(`${sourceOf(file)}: is UTF-32. Save the file as UTF-8`);
}

/** Where a text stops being UTF-8; -1 where it does not.
 * @param {Uint8Array} bytes */
export function strayByte(bytes) {
  const again = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  return again.equals(bytes) ? -1 : bytes.findIndex((byte, i) => byte !== again[i]);
}

/** The text of a file, or a refusal that says where it is none.
 * @param {string} file @param {Uint8Array} bytes */
export function textOf(file, bytes) {
  refuseUtf32(file, bytes);
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') {
    const stray = strayByte(bytes);
    if (stray < 0) return new TextDecoder().decode(bytes);
    const line = bytes.subarray(0, stray).reduce((n, byte) => n + Number(byte === 10), 1);
    const hex = bytes[stray].toString(16).padStart(2, '0');
    throw new Failure(
      `${sourceOf(file)}: byte ${stray + 1}, in line ${line}, is 0x${hex}, which is not UTF-8. ` +
        'Save the file as UTF-8',
    );
  }
  return decoding(file, encoding)(bytes);
}

/** What makes text of bytes that come in parts, and refuses what is not in the encoding.
 * @param {string} file @param {Encoding} encoding */
function decoding(file, encoding) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (/** @type {Uint8Array} */ bytes, stream = false) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      const name = encoding.toUpperCase();
      throw new Failure(
        `${sourceOf(file)}: begins as ${name}, but not all of it is. Save the file as UTF-8`,
      );
    }
  };
}

/** A stream of bytes in UTF-8, whatever it comes in.
 * @param {string} file @param {AsyncIterable<Uint8Array>} stream
 * @returns {AsyncGenerator<Uint8Array, void>} */
export async function* asUtf8(file, stream) {
  /** @type {((bytes: Uint8Array) => Uint8Array) | undefined} */
  let convert;
  let finish = () => new Uint8Array();
  let begin = new Uint8Array();
  for await (const chunk of stream) {
    if (convert) {
      yield convert(chunk);
      continue;
    }
    begin = Buffer.concat([begin, chunk]);
    /* As long as a byte order mark. */
    if (begin.length < 2) continue;
    refuseUtf32(file, begin);
    const encoding = encodingOf(begin);
    if (encoding === 'utf-8') convert = (bytes) => bytes;
    else {
      const decode = decoding(file, encoding);
      convert = (bytes) => Buffer.from(decode(bytes, true));
      finish = () => Buffer.from(decode(new Uint8Array()));
    }
    yield convert(begin);
  }
  yield convert ? finish() : begin;
}
