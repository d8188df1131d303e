// How much a tokenizer.json may make of a text: a few replacements within each other would make of one letter more than
// any memory holds.

import { refusing } from './tokenizer-texts.js';

/** @type {import('./tokenizer-texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('tokenizer.json');

/** Real files make a few characters of each one. */
const MAX_PER_CHARACTER = 256;
const MIN_CHARACTERS = 2 ** 20;

/** Of the call at work. */
let [made, most] = [0, Number.POSITIVE_INFINITY];

/** Does work on a text, whose room depends on its length.
 * @template T
 * @param {number} length @param {() => T} work
 * @returns {T} */
export function inRoom(length, work) {
  [made, most] = [0, MIN_CHARACTERS + MAX_PER_CHARACTER * length];
  try {
    return work();
  } finally {
    most = Number.POSITIVE_INFINITY;
  }
}

/** Takes the room of what is about to be made.
 * @param {number} characters */
export function takeRoom(characters) {
  made += characters;
  if (made > most) refuse('tooMuchText', { most });
}
