// What a program prints, and the words before it: print("Sum:", weights.sum()), print(f"Weights: {weights}").

import { Reader } from './expression.js';
import { tokensOf } from './tokens.js';

/** @typedef {import('./expression.js').Expression} Expression */

const WORDS = String.raw`["']([^"'\n{]{1,80}?)[\s:=]*(?:\\n)?\s*`;
const IN_BRACES = new RegExp(
  String.raw`print\(\s*f${WORDS}\{([^{}"'\n:]{1,80})(?::[^{}"'\n]{0,20})?\}["']`,
  'g',
);
const BEHIND = new RegExp(
  String.raw`print\(\s*f?${WORDS}["']\s*,\s*([^"'\n#]{1,80})\)[ \t]*(?:#.*)?$`,
  'gm',
);

/** @typedef {object} Print the words that a program prints, and the expression whose value it prints behind them
 * @property {string} label @property {Expression} expression
 * @property {number} start where the text has it */

/** What a program prints, in the order of the text.
 * @param {string} text @param {import('./number.js').Notation} notation
 * @returns {Print[]} */
export function printedIn(text, notation) {
  if (!text.includes('print(')) return [];
  const matches = [IN_BRACES, BEHIND].flatMap((pattern) => [...text.matchAll(pattern)]);
  matches.sort((a, b) => a.index - b.index);
  return matches.flatMap(({ 1: label, 2: source, index: start }) => {
    const { tokens } = tokensOf(source, notation);
    const read = new Reader(source, tokens, notation).printed(0);
    return read?.next === tokens.length ? [{ label, expression: read.expression, start }] : [];
  });
}
