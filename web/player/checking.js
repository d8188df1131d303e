// Numbers as a reader types them: whether they can be read, and whether they are those that a gate asks for.

import { list, text } from '../app/locale/text.js';
import { numberOf } from './core.js';
import { firstTooEarly, isNear, isShare, neededFor, readNumber } from './reading.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Gate} Gate */
/** @typedef {import('./gate-form.js').Verdict} Verdict */
/** @typedef {import('./telling.js').Scope} Scope */

/** A whole number from here on is right to a tenth. */
const WHOLE = 5;
/** What float32 makes of a whole number. */
const EXACT = 1e-5;

/** A probability may be written as a part of one, or in percent: 0.09, 9 % and 9 are the same.
 * @param {{ text: string, value: number }} one */
const asPart = ({ text: typed, value }) =>
  value > 1 ? { text: String(value / 100), value: value / 100 } : { text: typed, value };

/** To how many decimals a number is compared: what comes out whole needs no rounding, so 6.5 is not 7.
 * @param {number} due @param {number} digits that are asked for */
export const precisionOf = (due, digits) =>
  Math.abs(due - Math.round(due)) < EXACT ? Math.max(digits, 1) : digits;

/**
 * What is said of some numbers, and which of them are right.
 * @param {readonly string[]} written
 * @param {Gate} gate
 * @param {Scope} scope
 * @returns {{ verdict: Verdict, rights: (boolean | null)[] }}
 */
export function checked(written, { numbers = [], digits = 2, mistakes = [], ...gate }, scope) {
  const read = written.map((one) => readNumber(one));
  const isRead = read.map((one) => (one && !('at' in one) ? null : false));
  if (isRead.includes(false)) {
    const key = read.includes(null) ? 'lessons/empty' : 'lessons/unreadable';
    return { rights: isRead, verdict: { right: false, key } };
  }
  const meant = read.map((one, i) => {
    const { value } = /** @type {{ value: number }} */ (one);
    const typed = { text: written[i], value };
    return isShare(numbers[i], scope) ? asPart(typed) : typed;
  });
  const values = meant.map(({ value }) => value);
  const rights = values.map((value, i) => {
    const due = numberOf(numbers[i], scope);
    return isNear(value, due, precisionOf(due, digits));
  });
  const wrong = rights.indexOf(false);
  if (wrong < 0) return { rights, verdict: { right: true, say: gate.right } };
  const isRough = (/** @type {number} */ value, /** @type {number} */ i) => {
    const { decimals } = /** @type {{ decimals: number | null }} */ (read[i]);
    const due = numberOf(numbers[i], scope);
    /* A whole number says too little of a small one. */
    if (decimals === null || decimals >= digits || (!decimals && Math.abs(due) < WHOLE))
      return false;
    return isNear(value, due, decimals);
  };
  if (values.every((value, i) => rights[i] || isRough(value, i))) {
    return { rights, verdict: { right: false, message: text('lessons/rough', { digits }) } };
  }
  const mistake = mistakes.find(({ is }) => {
    const made = numberOf(is, scope);
    return isNear(values[wrong], made, precisionOf(made, digits));
  });
  const say = mistake?.say ?? gate.wrong;
  const texts = meant.map(({ text }) => text);
  return { rights, verdict: { right: false, say, written: texts, known: mistake !== undefined } };
}

/**
 * What is said of steps in an order: each comes after those that it is computed from.
 * @param {readonly number[]} order places in the steps
 * @param {Gate} gate
 * @param {Scope} scope
 * @param {readonly string[]} titles of the steps
 * @returns {Verdict & { kept: readonly number[] }} kept: what may stay
 */
export function ordered(order, { steps = [], right, wrong }, scope, titles) {
  const names = order.map((i) => steps[i]);
  const early = firstTooEarly(names, steps, scope);
  if (early < 0) return { right: true, kept: order, say: right };
  const missing = neededFor(names[early], steps, scope).filter(
    (name) => !names.slice(0, early).includes(name),
  );
  const needed = list(missing.map((name) => titles[steps.indexOf(name)]));
  const more = text('lessons/tooEarly', { step: titles[order[early]], needed });
  return { right: false, kept: order.slice(0, early), say: wrong, more };
}
