// Why there is one thread only, where more were asked for.

export const TEXTS = /** @type {const} */ ({
  notIsolated:
    'this page is not cross-origin isolated: serve it with Cross-Origin-Opener-Policy: same-origin and ' +
    'Cross-Origin-Embedder-Policy: require-corp',
  noSharing: 'WebAssembly cannot share memory between threads here',
  noThread: 'a thread could not be started ({reason})',
  ended: 'the other threads have ended',
});
