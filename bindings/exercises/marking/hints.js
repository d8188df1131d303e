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
  const terms = factorsOf(machine, step, cell.at, problem.given);
  const bias = terms.length ? biasOf(machine, step, cell.at) : undefined;
  const value = work.of(cell.step)[cell.at];
  const decimals = decimalsOf(problem.policy);
  const number = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : decimals);
  const enough =
    decimals === undefined ? undefined : decimalsFor(terms, value - (bias ?? 0), decimals);
  const factor = (/** @type {number} */ x) => speech.number(x, Number.isInteger(x) ? 0 : enough);
  const inBrackets = (/** @type {number} */ x) => (x < 0 ? `(${factor(x)})` : factor(x));
  const products = terms.map(([a, b], k) => {
    const first = k > 0 ? inBrackets(a) : factor(a);
    return b === undefined ? first : `${first} · ${inBrackets(b)}`;
  });
  if (bias !== undefined) products.push(inBrackets(bias));
  return [
    speech.say(words.hints.where, { step: `${called(cell.step)}, ${name}` }),
    speech.say(words.hints.operands, {
      operands: namesOf(machine.steps, step).map(called).join(', '),
    }),
    ...(products.length ? [`${name} = ${products.join(' + ')}`] : []),
    speech.say(words.hints.sum, { value: number(value) }),
  ];
}

/** The factors of each term of a cell, as a learner writes them: a sum or a difference has only one. Of a product on the way,
 * which no learner writes, they are its own.
 * @param {import('../machine/machine.js').Machine} machine @param {import('../machine/machine.js').Step} step
 * @param {number} at @param {Problem['given']} given
 * @returns {number[][]} */
function factorsOf(machine, step, at, given) {
  const stepOf = (/** @type {string} */ name) => machine.steps.find((one) => one.name === name);
  const [isSign, isSum] = step.of.map((name) => !(name in given) && !stepOf(name));
  const way = stepOf(step.of[0]);
  const terms = termsOf(machine, step, at);
  const first = Math.floor(at / Number(machine.shape(step.name).at(-1))) * terms.length;
  return terms.map(({ a, b, product }, k) => {
    const isUnit = (isSign && Math.abs(a) === 1) || (isSum && Math.abs(b) === 1);
    if (!isUnit) return [a, b];
    if (!way?.hidden || way.op !== 'mul' || b !== 1) return [product];
    return way.of.map((name) => machine.values(name)[first + k]);
  });
}

/** With how many decimals factors are shown, so that what is shown adds up to the number that is shown.
 * @param {readonly number[][]} terms their factors @param {number} value @param {number} least */
function decimalsFor(terms, value, least) {
  const shown = (/** @type {number} */ x, /** @type {number} */ decimals) =>
    Number(x.toFixed(decimals));
  const addsUp = (/** @type {number} */ decimals) => {
    const sum = terms.reduce(
      (all, factors) => all + factors.reduce((product, x) => product * shown(x, decimals), 1),
      0,
    );
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
