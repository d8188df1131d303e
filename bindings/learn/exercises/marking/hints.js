// Hints in four strengths: where to look, which operands, their products, the number itself. The products have only numbers
// that are given and those that the learner has filled in.

import { checkText, near } from '../../../js/base/errors.js';
import { meantBy } from '../../../js/number/judge.js';
import { readNumber } from '../../../js/number/read.js';
import { decimalsOf, roundedBy, short } from '../problem/problem.js';
import { rangeError } from '../problem/texts.js';
import { languageOf } from '../speech/language.js';
import { textsOf } from './answers.js';
import { readyFor } from './states.js';
import { UNKNOWN, workingOf } from './working.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../js/base/speech.js').Language} Language */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./answers.js').Answers} Answers */

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
 * @param {{ lang?: Language, answers?: Answers }} [options] lang is English by default; answers: what the learner has
 *   filled in so far, by default nothing. The third hint has a ? for each number that is missing
 * @returns {string[]}
 * @example
 * import { exercise, hints } from 'glassformer/exercises';
 *
 * hints(gf, exercise(gf, 'scores', { seed: 1 }), 'scores[0,0]').length; // = 4 */
export function hints(gf, problem, cell, options) {
  const speech = languageOf('hints', options, ['answers']);
  return hintsAt(gf, problem, cell, speech, options?.answers ?? { cells: {} });
}

/** The numbers that a learner may read in the steps: those that the sheet shows, and what the learner has filled in; NaN
 * elsewhere.
 * @param {ReturnType<typeof readyFor>} problem @param {Answers} answers */
function readableIn({ work, asked, shown }, answers) {
  const texts = textsOf('hints', answers, asked);
  const numbers = work.runByRule();
  /** @type {Map<string, number>} */
  const readable = new Map();
  for (const cell of shown) {
    readable.set(cell.name, roundedBy(work.policy, Number(numbers.get(cell.step)?.[cell.offset])));
  }
  for (const cell of asked) {
    const written = readNumber(String(texts.get(cell.name)));
    if (written && 'value' in written)
      readable.set(cell.name, meantBy(written, work.valueAt(cell)));
  }
  return readable;
}

/** @param {Glassformer} gf @param {Problem} problem @param {string} name of a cell
 * @param {ReturnType<typeof languageOf>} speech @param {Answers} answers */
export function hintsAt(gf, problem, name, speech, answers) {
  const prepared = readyFor('hints', gf, problem);
  const { work, asked } = prepared;
  checkText('hints: cell', name);
  const names = asked.map((one) => one.name);
  const cell = asked.find((one) => one.name === name);
  if (!cell) throw rangeError('notAsked', { where: 'hints', value: name, hint: near(name, names) });
  const { words } = speech;
  const { machine, recipe } = work;
  const step = machine.step(cell.step);
  const readable = readableIn(prepared, answers);
  const valueIn = (/** @type {import('../machine/machine.js').Numbers} */ numbers) =>
    Number(numbers.get(cell.step)?.[cell.offset]);
  const value = roundedBy(work.policy, valueIn(work.runByRule()));
  const follows = machine.run((of) =>
    recipe.asked.includes(of)
      ? Float32Array.from(work.cells([of]), (one) => readable.get(one.name) ?? Number.NaN)
      : undefined,
  );
  const called = (/** @type {string} */ of) => speech.called(problem.recipe, of) ?? of;
  const decimals = Number.isInteger(value) ? 0 : decimalsOf(problem.policy);
  const { working } = workingOf(gf, problem, machine, cell, valueIn(follows), speech);
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
    ...(working
      ? [working.includes(UNKNOWN) ? `${working}. ${words.hints.missing}` : working]
      : []),
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
