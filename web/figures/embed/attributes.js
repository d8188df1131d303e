// What an author writes in a figure's attributes: parts of its state, and what is shown of that.

import { LANGUAGES, text } from '../../app/locale/text.js';
import { LOCKS } from '../../app/state/locks.js';
import { OPENING_SENTENCE } from '../../app/state/walk.js';
import { DIGITS } from '../../stage/draw/format.js';
import { PARTS, USUAL, wordsIn } from '../../stage/export/embed-code.js';

/** @typedef {import('../../app/shell/shell.js').Body & { locks?: ReadonlySet<string> }} Body */

const THEMES = ['auto', 'light', 'dark'];
const ROUNDS = DIGITS.map(String);

/** Throws for a language that the page does not have. @param {string} lang */
export const checkLanguage = (lang) => wordsIn(lang, Object.keys(LANGUAGES));

/** The digits that `round` asks for; undefined for none. @param {string} round */
export const digitsOf = (round) => DIGITS[ROUNDS.indexOf(String(round))];

/** The playground that links lead to. @param {string} address relative to the page around the figure */
function pageAt(address) {
  const base = document.baseURI;
  const url = URL.canParse(address, base) && new URL(address, base);
  if (!url || !/^(https?|file):$/.test(url.protocol)) throw new RangeError(text('page/unreadable'));
  url.hash = '';
  return url.href;
}

/** Takes each attribute that is no part of the state; throws for a value that cannot be, and leaves the usual one.
 * @type {Record<string, (value: string, body: Body) => unknown>} */
export const SETTINGS = {
  show(value, body) {
    body.shows = wordsIn(USUAL, PARTS);
    if (value) body.shows = wordsIn(value, PARTS);
  },
  lock(value, body) {
    body.locks = wordsIn(value, LOCKS);
  },
  theme: (value) => wordsIn(value, THEMES),
  round: (value) => wordsIn(value, ROUNDS),
  lang: checkLanguage,
  page(value, body) {
    body.page = '';
    if (value) body.page = pageAt(value);
  },
};

/**
 * Changes a state by the attributes that are parts of it.
 * @param {import('./figure-element.js').Exhibit} figure
 * @param {import('../../app/shell/shell.js').Whole} whole
 * @param {import('../../app/shell/shell.js').Chapter} chapter
 */
export function addParts(figure, whole, { parts }) {
  const read = (
    /** @type {string} */ name,
    /** @type {string} */ key,
    /** @type {string} */ value,
  ) =>
    figure.try(name, value, () => {
      if (!parts[key]) throw new RangeError(text('page/unreadable'));
      whole[key] = parts[key].read(value);
    });
  const { written, properties } = figure.kind;
  for (const [property, part] of Object.entries(written)) {
    const value = /** @type {any} */ (figure)[property];
    /* What an author calls a property. */
    const { attribute = property } = /** @type {any} */ (properties)[property];
    if (value) read(attribute, part, String(value));
  }
  if (figure.gradient) whole.gradient = true;
  if (figure.sentence && parts.text) read('sentence', 'text', figure.sentence);
  else if (figure.sentence) whole.sentence = { ...OPENING_SENTENCE, text: figure.sentence };
}
