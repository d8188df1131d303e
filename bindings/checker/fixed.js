// A text with its flagged numbers corrected.

import { checkArray, checkText } from '../base/errors.js';
import { roundedLike } from './relate/right.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./check.js').Flag} Flag */

/** The text with each flagged number as it should be, in as many decimals as it was printed with; all else is left
 * as it is.
 * @param {string} text @param {readonly Flag[]} flags as check() gives them for this text
 * @returns {string}
 * @example
 * import { fixed } from 'glassformer/checker';
 *
 * const flag = { line: 1, column: 9, printed: '5', computed: 4, cause: 'slip' };
 * fixed('2 + 2 = 5', [flag]); // = '2 + 2 = 4' */
export function fixed(text, flags) {
  checkText('fixed: text', text);
  checkArray('fixed: flags', flags);
  const lines = text.split('\n');
  const isFlag = (/** @type {any} */ flag) =>
    typeof Object(flag).printed === 'string' &&
    Number.isInteger(flag.line) &&
    Number.isInteger(flag.column) &&
    typeof flag.computed === 'number';
  if (!flags.every(isFlag)) throw typeError('flags', { where: 'fixed: flags' });
  const inOrder = [...flags].sort((a, b) => b.line - a.line || b.column - a.column);
  for (const { line, column, printed, computed } of inOrder) {
    const old = lines[line - 1] ?? '';
    if (!old.startsWith(printed, column - 1)) {
      throw rangeError('otherText', { where: 'fixed', printed, line, column });
    }
    lines[line - 1] =
      old.slice(0, column - 1) +
      roundedLike(printed, computed) +
      old.slice(column - 1 + printed.length);
  }
  return lines.join('\n');
}
