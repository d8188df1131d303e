// Patterns of tokenizer.json, which are Oniguruma's, as those of JavaScript. The translation is that of
// @huggingface/tokenizers; what it would change in silence is refused here.

import { Tokenizer } from '@huggingface/tokenizers';
import { takeRoom } from './tokenizer-room.js';

/** What begins a group and keeps its meaning in JavaScript. */
const GROUP = /^\(\?(?:[:=!]|<[=!]|i:)/;

/** Letters that JavaScript's ASCII folding forgets: ſ is an s, and the Kelvin sign a k. */
const FOLDED = /** @type {Record<string, string>} */ ({ s: 'ſ', k: '\u212a' });

/** What a group that reads any case may have: letters, apostrophes, classes of letters and alternatives. Other folds make
 * several characters of one. */
const SIMPLE = /^(?:\[[A-Za-z']+\]|[A-Za-z'|])*\)/;
const SEVERAL = /ss|f[fil]|st|ʼn/i;

/** @param {string} reason
 * @returns {never} */
const unlike = (reason) => {
  throw new SyntaxError(reason);
};

/** The body of a group that reads any case, with the letters that belong to s and k.
 * @param {string} rest after "(?i:" */
function folded(rest) {
  const body = SIMPLE.exec(rest)?.[0] ?? unlike('(?i:…) may have letters, [classes] and | alone');
  if (SEVERAL.test(body)) unlike(`(?i:…) folds ${SEVERAL.exec(body)?.[0]} to one letter, too`);
  let inside = false;
  const text = Array.from(body, (character) => {
    if (character === '[' || character === ']') inside = character === '[';
    const more = FOLDED[character.toLowerCase()];
    if (!more) return character;
    return inside ? character + more : `[${character}${more}]`;
  }).join('');
  return { length: body.length, text };
}

/** A class in brackets, as it stands.
 * @param {string} source @param {number} from */
function classAt(source, from) {
  let depth = 0;
  for (let index = from; index < source.length; index++) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === '[') depth += 1;
    /* A bracket that closes right after the one that opens stands for itself. */ else if (
      source[index] === ']' &&
      !/\[\^?$/.test(source.slice(0, index))
    )
      depth -= 1;
    if (!depth) return source.slice(from, index + 1);
  }
  return source.slice(from);
}

/** A pattern of Oniguruma that is read the same here.
 * @param {string} source */
function checked(source) {
  let out = '';
  let groups = 0;
  /* Where the last character or class begins: it may be possessive. */
  let atom = -1;
  for (let index = 0; index < source.length; ) {
    const rest = source.slice(index);
    if (/^\\[1-9GKRXkgyYON]/.test(rest)) unlike(`JavaScript has no ${rest.slice(0, 2)}`);
    if (/^\([?*]/.test(rest) && !GROUP.test(rest)) unlike(`JavaScript has no ${rest.slice(0, 3)}`);
    const possessive = /^[*+?]\+/.exec(rest)?.[0];
    if (possessive) {
      if (atom < 0 || source.includes('(?<')) unlike(`${possessive} behind a group, or with (?<`);
      groups += 1;
      /* What a lookahead has found is not tried again. */
      out = `${out.slice(0, atom)}(?=(${out.slice(atom)}${possessive[0]}))(?:\\${groups})`;
      index += 2;
      atom = -1;
      continue;
    }
    const { length, text } = partAt(source, index);
    if (source[index] === '(' && source[index + 1] !== '?') groups += 1;
    atom = /^[()|*+?{}^$]/.test(rest) ? -1 : out.length;
    out += text;
    index += length;
  }
  return out;
}

/** A character, class or beginning of a group, and what it is here.
 * @param {string} source @param {number} index */
function partAt(source, index) {
  const rest = source.slice(index);
  if (rest.startsWith('(?i:')) {
    const { length, text } = folded(rest.slice(4));
    return { length: 4 + length, text: `(?i:${text}` };
  }
  const text =
    /^\\[pP]\{[^}]*\}|^\\x\{[^}]*\}|^\\x[\dA-Fa-f]{2}|^\\u[\dA-Fa-f]{4}|^\\./su.exec(rest)?.[0] ??
    (source[index] === '['
      ? classAt(source, index)
      : String.fromCodePoint(Number(rest.codePointAt(0))));
  return { length: text.length, text };
}

/** The least tokenizer that the package makes. */
const EMPTY = {
  model: { type: 'WordPiece', vocab: {}, unk_token: '', continuing_subword_prefix: '' },
  normalizer: null,
  post_processor: null,
  decoder: null,
  added_tokens: [],
};

/** Compiles a pattern: a text, or a regular expression of Oniguruma.
 * @param {{ String?: string, Regex?: string }} pattern
 * @returns {RegExp} */
export function compiled({ String: text, Regex }) {
  if (text !== undefined) return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'gu');
  const pattern = { Regex: checked(String(Regex)) };
  const { pre_tokenizer: made } = new Tokenizer(
    { ...EMPTY, pre_tokenizer: { type: 'Split', pattern } },
    {},
  );
  return /** @type {any} */ (made).pattern;
}

/** A part of a text: what a pattern matches, or what lies between.
 * @typedef {{ text: string, isMatch: boolean }} Part */

/** Whether a place lies between the halves of a character.
 * @param {string} text @param {number} index */
const isWithin = (text, index) => index > 0 && Number(text.codePointAt(index - 1)) > 0xffff;

/** Cuts a text at the matches of a pattern; no match of nothing follows another at once. V8 finds "not before a character"
 * within characters of two halves, too.
 * @param {string} text @param {RegExp} pattern
 * @returns {Part[]} */
export function partsBy(text, pattern) {
  /** @type {Part[]} */
  const parts = [];
  let from = 0;
  let end = -1;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (!match && (index === end || isWithin(text, index))) continue;
    if (from < index) parts.push({ text: text.slice(from, index), isMatch: false });
    parts.push({ text: match, isMatch: true });
    from = index + match.length;
    end = from;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}

/** Writes a text in place of each match.
 * @param {string} text @param {RegExp} pattern @param {string} content */
export function replaced(text, pattern, content) {
  const parts = partsBy(text, pattern).map((part) => (part.isMatch ? content : part.text));
  takeRoom(parts.reduce((sum, { length }) => sum + length, 0));
  return parts.join('');
}
