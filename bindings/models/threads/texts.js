// Why there is one thread only, where more were asked for, or none to go on with.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  notIsolated:
    'this page is not cross-origin isolated: serve it with Cross-Origin-Opener-Policy: same-origin and ' +
    'Cross-Origin-Embedder-Policy: require-corp',
  noSharing: 'WebAssembly cannot share memory between threads here',
  noThread: 'a thread could not be started ({reason})',
  lost: 'a thread ended in the middle of a run, whose numbers are lost: load the core again',
  ended: 'the other threads have ended',
});

export const { failure } = /* @__PURE__ */ sentences(TEXTS);
