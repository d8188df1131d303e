// Packs links that are too long to be passed on: `#v=1&z=...` is the link, deflated.
import { MAX_LINK } from './limits.js';
import { BadHash, LongHash } from './store.js';

/** Some programs cut off longer links. */
const MAX_PLAIN_LENGTH = 2000;
const HEAD = '#v=1&z=';

/**
 * @param {string} hash
 * @returns {Promise<string>} the hash itself if it is short, or if the browser cannot pack
 */
export async function pack(hash) {
  if (hash.length <= MAX_PLAIN_LENGTH || typeof CompressionStream !== 'function') return hash;
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(hash));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return HEAD + btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

/**
 * @param {string} hash
 * @returns {Promise<string>} what was packed; any other hash as it is
 */
export async function unpack(hash) {
  if (!hash.startsWith(HEAD)) return hash;
  if (hash.length > MAX_LINK) throw new LongHash(hash.length);
  try {
    const binary = atob(hash.slice(HEAD.length).replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const whole = await through(new DecompressionStream('deflate-raw'), bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch {
    throw new BadHash(hash.slice(HEAD.indexOf('z')));
  }
}

/**
 * @param {CompressionStream | DecompressionStream} stream
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function through(stream, bytes) {
  const whole = new Uint8Array(MAX_LINK);
  let size = 0;
  const source = new Blob([bytes]).stream().pipeThrough(stream);
  const reader = source.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (size + part.value.length > MAX_LINK) {
      await reader.cancel();
      throw new RangeError(`more than ${MAX_LINK} bytes`);
    }
    whole.set(part.value, size);
    size += part.value.length;
  }
  return whole.subarray(0, size);
}
