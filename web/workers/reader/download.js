// Bytes by an address or from a stream, with their progress.

/**
 * @typedef {object} Listener
 * @property {AbortSignal} [signal]
 * @property {(loaded: number, total: number | null) => void} [onProgress] bytes; total: if it is known
 * @property {number} [most] bytes of the longest file that is taken
 */

/** Bytes that are set aside before any came: what a host says of a file's length may be anything. */
const MAX_PREALLOCATED = 2 ** 28;

/** A file that is longer than whoever asks for it can use. */
class TooLong extends Error {
  code = 'TOO_LONG';
}

/** A file that did not come: its host refused it, or could not be asked. */
export class Missing extends Error {
  /**
   * @param {string | URL} address
   * @param {number | null} status null: there was no answer
   */
  constructor(address, status) {
    super(`${address}: ${status ?? 'no answer'}`);
    if (status === null) {
      this.detail = 'noAnswer';
      this.params = { address: String(address) };
    }
    this.file = new URL(address).pathname.split('/').at(-1) ?? '';
    this.status = status;
  }
}

/**
 * @param {string | URL} address
 * @param {Listener} [listener]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(address, { signal, onProgress, most } = {}) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(address, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Missing(address, null);
  }
  if (!response.ok) throw new Missing(address, response.status);
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  /* The length of a compressed answer is not that of its bytes. */
  const packed = response.headers.has('content-encoding');
  const total = (!packed && Number(response.headers.get('content-length'))) || null;
  return collect(response.body, total, { onProgress, most });
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number | null} total
 * @param {Listener} [listener]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function collect(stream, total, { onProgress, most = Infinity } = {}) {
  let bytes = new Uint8Array(Math.min(total ?? 2 ** 16, MAX_PREALLOCATED));
  let loaded = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (loaded + value.length > most) {
      reader.cancel().catch(() => {});
      throw new TooLong(`more than ${most} bytes`);
    }
    if (loaded + value.length > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, loaded + value.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(value, loaded);
    loaded += value.length;
    onProgress?.(loaded, total);
  }
  return bytes.subarray(0, loaded);
}
