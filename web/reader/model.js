// The trained translator, from where the page comes from.
import { download } from './download.js';

const file = new URL('../../bindings/models/french-english.safetensors', import.meta.url);

/** @param {import('./download.js').Listener} listener */
export const translatorBytes = (listener) => download(file, listener);
