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

/** What is to be looked at, and then done, by the op of a step; of others there is only what they are computed from.
 * @type {Readonly<Record<string, 'rows' | 'columns' | 'softmax'>>} */
const KINDS = {
  matmulTransposed: 'rows',
  matmul: 'columns',
  linear: 'columns',
  softmax: 'softmax',
};

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
  const kind = dK ? 'scaling' : (KINDS[String(step.op)] ?? 'other');
  const operands = namesOf(machine.steps, step).map(called);
  const [row, column] = [-2, -1].map((axis) => cell.index.at(axis) ?? 0);
  const { tokens = [], memory = tokens } = problem;
  const filled = {
    ...{ operands: operands.join(', '), a: operands[0], b: operands[1] ?? '', dK: String(dK) },
    row: tokens[row] ?? String(row + 1),
    column: (kind === 'rows' && memory[column]) || String(column + 1),
  };
  return [
    speech.say(words.hints.look[kind], filled),
    speech.say(words.hints.does[kind], filled),
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
