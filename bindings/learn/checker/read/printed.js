// What a program prints, and the words before it: print("Sum:", weights.sum()), print(f"Weights: {weights}").

import { Reader } from './expression.js';
import { tokensOf } from './tokens.js';

/** @typedef {import('./expression.js').Expression} Expression */

const WORDS = String.raw`(["'])((?:(?!\1)[^\n{]){1,80}?)[\s:=]*(?:\\n)?\s*`;
const IN_BRACES = new RegExp(
  String.raw`print\(\s*f${WORDS}\{((?:(?!\1)[^{}\n:]){1,80})(?::[^{}"'\n]{0,20})?\}[^{}"'\n]{0,80}\1`,
  'g',
);
const BEHIND = new RegExp(
  String.raw`print\(\s*f?${WORDS}\1\s*,\s*([^"'\n#]{1,80})\)[ \t]*(?:#.*)?$`,
  'gm',
);

/** Words as a program prints them, without signs and pictures. @param {string} text */
export const wordsOf = (text) =>
  text
    .replaceAll('\\n', ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}_√²]+/gu)
    ?.join(' ') ?? '';

/** @typedef {object} Print the words that a program prints, and the expression whose value it prints behind them
 * @property {string} label @property {string} words the same without signs
 * @property {Expression | null} expression null if it is not understood
 * @property {number} start where the text has it */

/** What a program prints, in the order of the text.
 * @param {string} text @param {import('./number.js').Notation} notation
 * @returns {Print[]} */
export function printedIn(text, notation) {
  if (!text.includes('print(')) return [];
  const matches = [IN_BRACES, BEHIND].flatMap((pattern) => [...text.matchAll(pattern)]);
  matches.sort((a, b) => a.index - b.index);
  return matches.map(({ 2: label, 3: source, index: start }) => {
    const { tokens } = tokensOf(source, notation);
    const read = new Reader(source, tokens, notation).printed(0);
    const expression = read?.next === tokens.length ? read.expression : null;
    return { label, words: wordsOf(label), expression, start };
  });
}
