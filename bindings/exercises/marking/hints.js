// Hints in four strengths: where to look, which operands, their products, the number itself.

import { near } from '../../base/errors.js';
import { decimalsOf } from '../problem/problem.js';
import { rangeError } from '../problem/texts.js';
import { languageOf } from '../speech/language.js';
import { biasOf, termsOf } from './slips.js';
import { readyFor } from './states.js';

/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../speech/language.js').Language} Language */
/** @typedef {import('../problem/problem.js').Problem} Problem */

/** The hints for a cell, each stronger than the one before; the last is the number.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {string} cell one of problem.asked
 * @param {{ lang?: Language }} [options] English by default
 * @returns {string[]}
 * @example
 * import { exercise, hints } from 'glassformer/exercises';
 *
 * hints(gf, exercise(gf, 'scores', { seed: 1 }), 'scores[0,0]').length; // = 4 */
export function hints(gf, problem, cell, options) {
  return hintsAt(gf, problem, cell, languageOf('hints', options));
}

/** @param {Glassformer} gf @param {Problem} problem @param {string} name of a cell
 * @param {ReturnType<typeof languageOf>} speech */
export function hintsAt(gf, problem, name, speech) {
  const { work, asked } = readyFor(gf, problem);
  const names = asked.map((one) => one.name);
  const cell = asked.find((one) => one.name === name);
  if (!cell)
    throw rangeError('notAsked', { where: 'hints', value: name, hint: near(String(name), names) });
  const { words } = speech;
  const { machine } = work;
  machine.run();
  const step = /** @type {import('../machine/machine.js').Step} */ (
    machine.steps.find((one) => one.name === cell.step)
  );
  const called = (/** @type {string} */ of) => speech.called(problem.recipe, of) ?? of;
  const terms = termsOf(machine, step, cell.at);
  const bias = terms.length ? biasOf(machine, step, cell.at) : undefined;
  const value = work.of(cell.step)[cell.at];
  const decimals = decimalsOf(problem.policy);
  const number = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : decimals);
  const enough =
    decimals === undefined ? undefined : decimalsFor(terms, value - (bias ?? 0), decimals);
  const factor = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : enough);
  const products = terms.map(
    ({ a, b }) => `${factor(a)} · ${b < 0 ? `(${factor(b)})` : factor(b)}`,
  );
  if (bias !== undefined) products.push(bias < 0 ? `(${factor(bias)})` : factor(bias));
  return [
    speech.say(words.hints.where, { step: `${called(cell.step)}, ${name}` }),
    speech.say(words.hints.operands, {
      operands: namesOf(machine.steps, step).map(called).join(', '),
    }),
    ...(products.length ? [`${name} = ${products.join(' + ')}`] : []),
    speech.say(words.hints.sum, { value: number(value) }),
  ];
}

/** With how many decimals factors are shown, so that what is shown adds up to the number that is shown.
 * @param {readonly { a: number, b: number }[]} terms @param {number} value @param {number} least */
function decimalsFor(terms, value, least) {
  const shown = (/** @type {number} */ x, /** @type {number} */ decimals) =>
    Number(x.toFixed(decimals));
  const addsUp = (/** @type {number} */ decimals) => {
    const sum = terms.reduce((all, { a, b }) => all + shown(a, decimals) * shown(b, decimals), 0);
    return Math.abs(sum - shown(value, least)) <= 0.5 * 10 ** -least + 1e-9;
  };
  const MORE = 4;
  let decimals = least;
  while (decimals < least + MORE && !addsUp(decimals)) decimals++;
  return decimals;
}

/** The operands that a learner knows: in place of those that are only on the way, theirs.
 * @param {readonly import('../machine/machine.js').Step[]} steps @param {import('../machine/machine.js').Step} step
 * @returns {string[]} */
function namesOf(steps, { of }) {
  const names = of.flatMap((name) => {
    const operand = steps.find((one) => one.name === name);
    return operand?.hidden ? namesOf(steps, operand) : [name];
  });
  return [...new Set(names)];
}
