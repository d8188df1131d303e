// The texts of other languages than English, which figures carry packed: `#pages` in web/package.json.
import { merge } from '../../app/locale/merge.js';
import { textsOf } from './columns.js';

/* words: by language, at first without what is packed. */
const { words, unpack } = import.meta.env.PARTS;
/** @type {Promise<void> | undefined} */
let unpacked;

/** @param {string} code */
async function wordsOf(code) {
  unpacked ??= unpack().then((/** @type {any} */ packed) => merge(words, textsOf(packed)));
  await unpacked;
  return [{ default: words[code] }, { default: {} }];
}

export const PAGES = Object.fromEntries(
  Object.keys(words).map((code) => [code, () => wordsOf(code)]),
);
