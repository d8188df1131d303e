// The trained translator for figures in other pages: weights and language, which no other figure needs.
import { loadFile, weightsOf } from './lazy-files.js';

/** @typedef {import('../../workers/reader/model.js').Trained} Trained */

let address = '';

/** @param {string} place relative to the page; '' for beside the script */
export function translatorAt(place) {
  address = place;
}

/**
 * @param {import('../../workers/reader/download.js').Listener} listener
 * @returns {Promise<Trained>}
 */
export async function translator({ signal }) {
  const [trained, weights] = await Promise.all([
    loadFile('french-english.js', address),
    weightsOf('french-english', address),
  ]);
  signal?.throwIfAborted();
  return { ...trained, weights };
}
