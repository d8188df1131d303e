// Sentences of a lesson: words, new terms, and numbers that are filled in from the trace.

import { LANGUAGES } from '../../generated/languages.js';
import { numberFormat } from '../../js/base/speech.js';
import { isMeant } from '../../js/number/judge.js';
import { expression, rowIn } from './expression.js';
import { failure } from './texts.js';

/** @typedef {import('./expression.js').Scope} Scope */
/** @typedef {import('../../js/base/speech.js').Language} Language */
/** What a sentence consists of: plain words; a term that is new; a token that was filled in; or a number, and the cell that
 * it is.
 * @typedef {{ text: string, term?: true, token?: true, value?: number, cell?: { node: string, index: number[] } }} Piece */

const PIECES = /\{([^{}]+)\}|\*([^*]+)\*/g;
/** Digits behind the point by default. */
const DIGITS = 2;

/** The expressions within the braces of a text. @param {string} text */
export const filled = (text) =>
  [...text.matchAll(PIECES)].flatMap(([, inside]) => (inside ? [split(inside).source] : []));

/** The words of a text with nothing filled in. @param {string} text */
export const bare = (text) =>
  text.replace(PIECES, (_, inside, term) => term ?? (inside ? '…' : ''));

/** @param {string} inside of the braces */
function split(inside) {
  const [, source, form] = /^(.*?)(?::(percent1?|\d))?$/s.exec(inside) ?? [];
  return { source, form };
}

/** A smaller share is shown as less than this, one nearer to all as more than the rest. */
const MIN_SHARE = 0.001;

/** What is shown of a share that is nearly nothing or nearly all: a sign, and what it is less or more than. A sum of shares may
 * be off 1 by the roundings of float32.
 * @param {number} share @returns {[string, number]} */
function boundOf(share) {
  if (share > 0 && share < MIN_SHARE) return ['<\u202f', MIN_SHARE];
  if (share < 1 && share > 1 - MIN_SHARE && !isMeant(1, share)) return ['>\u202f', 1 - MIN_SHARE];
  return ['', share];
}

/** Digits of a percentage: one behind the point where 0 % or 100 % would not be true, if that says more.
 * @param {number} share @param {string} [form] */
const percentDigits = (share, form) =>
  form === 'percent1' || Math.abs(share - 0.5) >= 0.495 ? 1 : 0;

/** A number as a sentence shows it: rounded, with the sign and the comma of the language.
 * @param {number} value @param {Language} lang @param {string} [form] percent, percent1 with a digit behind the point, or how many digits */
export function numberText(value, lang, form) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞';
  const percent = form?.startsWith('percent');
  const [sign, bound] = percent ? boundOf(value) : ['', value];
  const digits = percent ? percentDigits(value, form) : Number(form ?? DIGITS);
  /* Zeros at the end show that a number is rounded; roundings of float32 do not count. */
  const isExact = isMeant(Number(value.toFixed(digits)), value);
  const shown = numberFormat(lang, {
    style: percent ? 'percent' : 'decimal',
    signDisplay: 'negative',
    maximumFractionDigits: digits,
    minimumFractionDigits: isExact || percent ? 0 : Math.min(digits, DIGITS),
  })(bound);
  return sign + shown.replace('-', '−');
}

/** A text, filled in from a trace; with gaps while there is none.
 * @param {string} text @param {Scope | null} scope @param {Language} lang
 * @returns {Piece[]} */
export function piecesOf(text, scope, lang) {
  /** @type {Piece[]} */
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const [, inside, term] = match;
    if (term) pieces.push({ text: term, term: true });
    else pieces.push(scope ? pieceOf(inside, scope, lang) : { text: '…' });
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return lang === 'fr' ? pieces.map(elided) : pieces;
}

/** French “de” before a token that begins with a vowel: d’Anna.
 * @param {Piece} piece @param {number} i @param {Piece[]} pieces */
const elided = (piece, i, pieces) =>
  pieces[i + 1]?.token && /^[aeiouyàâéèêëîïôû]/i.test(pieces[i + 1].text)
    ? { ...piece, text: piece.text.replace(/\b(d)e $/i, '$1’') }
    : piece;

/** @param {string} inside @param {Scope} scope @param {Language} lang
 * @returns {Piece} */
function pieceOf(inside, scope, lang) {
  const { source, form } = split(inside);
  const result = expression(source).of(scope);
  if (typeof result === 'string') return { text: result, token: true };
  if (typeof result === 'boolean') throw failure('GF_ERANGE', 'notOneNumber', { source });
  const row = rowIn(result, source);
  const shown = row.map((x) => numberText(x, lang, form));
  /* A row stays on its line. */
  if (row.length !== 1) {
    return { text: `(${shown.join(`${LANGUAGES[lang].separator}\u00a0`)})` };
  }
  const cell =
    typeof result === 'object' ? { node: result.node, index: [...result.index] } : undefined;
  return { text: shown[0], value: row[0], cell };
}
