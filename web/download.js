// A file by its address, with its progress.

/**
 * @typedef {object} Listener
 * @property {AbortSignal} [signal]
 * @property {(loaded: number, total: number | null) => void} [onProgress] bytes; total: if the host tells
 */

/**
 * @param {string | URL} address
 * @param {Listener} [listener]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(address, { signal, onProgress } = {}) {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  /* The length of a compressed answer is not that of its bytes. */
  const packed = response.headers.has('content-encoding');
  const total = (!packed && Number(response.headers.get('content-length'))) || null;
  let bytes = new Uint8Array(total ?? 2 ** 16);
  let loaded = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
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
