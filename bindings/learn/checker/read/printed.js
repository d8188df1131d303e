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

/** The words that a program prints, each with the expression whose value it prints behind them.
 * @param {string} text @param {import('./number.js').Notation} notation
 * @returns {{ label: string, expression: Expression }[]} */
export function printedIn(text, notation) {
  if (!text.includes('print(')) return [];
  return [IN_BRACES, BEHIND].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, label, source]) => {
      const { tokens } = tokensOf(source, notation);
      const read = new Reader(source, tokens, notation).printed(0);
      return read?.next === tokens.length ? [{ label, expression: read.expression }] : [];
    }),
  );
}
