// The trained translator for figures in other pages: weights and language, which no other figure needs.
import { beside } from './lazy-files.js';

/** @typedef {import('../reader/model.js').Trained} Trained */

let address = '';

/** @param {string} given relative to the page; beside the script if it is empty */
export function translatorAt(given) {
  address = given;
}

/**
 * @param {import('../reader/download.js').Listener} listener
 * @returns {Promise<Trained>}
 */
export async function translator({ signal }) {
  const trained = await beside('french-english.js', address);
  signal?.throwIfAborted();
  return trained;
}
