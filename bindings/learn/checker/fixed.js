// A text with its flagged numbers corrected.

import { checkArray, checkOptions, checkText, checkWord } from '../../js/base/errors.js';
import { Places } from './place.js';
import { ROUNDINGS } from './rounding.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./check.js').Flag} Flag */

/** @param {any} flag */
const isFlag = (flag) =>
  typeof Object(flag).printed === 'string' &&
  typeof flag.corrected === 'string' &&
  Number.isInteger(flag.line) &&
  Number.isInteger(flag.column);

/** The text with each wrong number as it should be, in the digits and the notation in which it was printed; all else
 * is left as it is. Numbers before which another was rounded too early stay, except with `rounding: 'strict'`.
 * @param {string} text @param {readonly Flag[]} flags as check() gives them for this text
 * @param {{ rounding?: import('./rounding.js').Rounding }} [options]
 * @returns {string}
 * @example
 * import { check, fixed } from 'glassformer/checker';
 *
 * const text = '1,5 · 2 = 4,0';
 * fixed(text, check(gf, text).flags); // = '1,5 · 2 = 3,0' */
export function fixed(text, flags, options = {}) {
  checkText('fixed: text', text);
  checkArray('fixed: flags', flags);
  if (!flags.every(isFlag)) throw typeError('flags', { where: 'fixed: flags' });
  checkOptions('fixed', options, ['rounding']);
  const { rounding = 'lenient' } = options;
  checkWord('fixed: rounding', rounding, ROUNDINGS);
  const places = new Places(text);
  let done = 0;
  const parts = flags
    .filter(({ cause }) => cause !== 'rounded' || rounding === 'strict')
    .map((flag) => ({ ...flag, start: places.at(flag) }))
    .sort((a, b) => a.start - b.start)
    .map(({ start, line, column, printed, corrected }) => {
      if (start < done || !text.startsWith(printed, start)) {
        throw rangeError('otherText', { where: 'fixed', printed, line, column });
      }
      const part = text.slice(done, start) + corrected;
      done = start + printed.length;
      return part;
    });
  return parts.join('') + text.slice(done);
}
