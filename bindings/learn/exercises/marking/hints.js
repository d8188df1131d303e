// Hints in four strengths: where to look, which operands, their products, the number itself.

import { near } from '../../../js/base/errors.js';
import { decimalsOf, short } from '../problem/problem.js';
import { rangeError } from '../problem/texts.js';
import { languageOf } from '../speech/language.js';
import { readyFor } from './states.js';
import { workingOf } from './working.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
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
  const { work, asked } = readyFor('hints', gf, problem);
  const names = asked.map((one) => one.name);
  const cell = asked.find((one) => one.name === name);
  if (!cell)
    throw rangeError('notAsked', { where: 'hints', value: name, hint: near(String(name), names) });
  const { words } = speech;
  const { machine } = work;
  machine.run();
  const step = machine.step(cell.step);
  const called = (/** @type {string} */ of) => speech.called(problem.recipe, of) ?? of;
  const value = work.valueAt(cell);
  const decimals = Number.isInteger(value) ? 0 : decimalsOf(problem.policy);
  const { working } = workingOf(gf, problem, machine, cell, speech);
  const { dK } = step.with ?? {};
  const { operands, scaling, softmax } = words.hints;
  return [
    speech.say(words.hints.where, { step: `${called(cell.step)}, ${name}` }),
    speech.say(dK ? scaling : step.op === 'softmax' ? softmax : operands, {
      operands: namesOf(machine.steps, step).map(called).join(', '),
      dK: String(dK),
    }),
    ...(working ? [working] : []),
    speech.say(words.hints.sum, { value: speech.number(short(value), decimals) }),
  ];
}

/** The operands that a learner has seen: hidden steps are replaced by their own operands.
 * @param {readonly import('../machine/machine.js').Step[]} steps @param {import('../machine/machine.js').Step} step
 * @returns {string[]} */
function namesOf(steps, { of }) {
  const names = of.flatMap((name) => {
    const operand = steps.find((one) => one.name === name);
    return operand?.hidden ? namesOf(steps, operand) : [name];
  });
  return [...new Set(names)];
}
