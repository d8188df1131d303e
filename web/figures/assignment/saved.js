// A learner's work as platforms keep it: one line of text that names the problem, with what was typed and checked. It
// has no percent sign, because Open edX decodes what it keeps as if it were an address.
import { checksOf, LIMITS, parts, withoutEmpty } from '../../chapters/exercises/state.js';

/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {Pick<import('../../chapters/exercises/state.js').State, 'answers' | 'checked'>} Typed */
/** @typedef {{ problem: Problem, typed: Typed }} Work */

/** SCORM 1.2 keeps 4,096 characters, and some platforms lose all of a longer text. */
export const MAX_CHARACTERS = 4000;
const VERSION = '1';
/** The answers come last, because they may have this sign, too. */
const SEPARATOR = ';';

/** @param {Problem} problem @param {Typed} typed */
const written = ({ recipe, seed }, { answers, checked }) =>
  [VERSION, recipe, seed, checked, parts.answers.write(answers)].join(SEPARATOR);

/** The text of somebody's work. @param {Work} work */
export const textOf = ({ problem, typed }) => written(problem, typed);

/** @param {Work | null} work */
export const isBlank = (work) => !work?.typed.answers.some(Boolean);

/** Whether every cell was answered and checked. @param {Work} work */
export const isDone = ({ problem, typed }) =>
  problem.asked.every((_, place) => typed.answers[place] && typed.checked[place] === '1');

/**
 * The work of two windows, cell by cell: where one of them changed an answer, this one, and the first one's where both
 * did. Nothing that was typed becomes empty: a text that a platform cut looks like one.
 * @param {Work} first @param {Work} second of the same problem
 * @param {Work | null} base the common earlier state of both
 * @returns {Work}
 */
export function merged(first, second, base) {
  const { problem } = first;
  const earlier = base?.problem === problem ? base.typed.answers : [];
  const answers = problem.asked.map((_, place) => {
    const [one, other, old] = [first.typed.answers, second.typed.answers, earlier].map(
      (all) => all[place] ?? '',
    );
    return other === '' || (one !== '' && one !== old) ? one : other;
  });
  const checks = answers.map((answer, place) =>
    [first, second].some(
      ({ typed }) => (typed.answers[place] ?? '') === answer && typed.checked[place] === '1',
    ),
  );
  return { problem, typed: { answers: withoutEmpty(answers), checked: checksOf(checks) } };
}

/**
 * How long each answer may be, so that all of them fit even if each of their signs is written as two.
 * @param {Problem} problem
 */
export function longestOf(problem) {
  const { length } = problem.asked;
  const empty = written(problem, {
    answers: Array(length).fill(''),
    checked: '1'.repeat(length),
  });
  return Math.min(LIMITS.characters, Math.floor((MAX_CHARACTERS - empty.length) / length / 2));
}

/**
 * The work that a platform kept, if this is what it is.
 * @param {unknown} kept a text, or what JSON made of one
 * @param {readonly Problem[]} problems
 * @returns {Work | null}
 */
export function workOf(kept, problems) {
  if (typeof kept !== 'string' || kept.length > 2 * MAX_CHARACTERS) return null;
  try {
    const plain = kept.startsWith('"') ? JSON.parse(kept) : kept;
    if (plain.length > MAX_CHARACTERS) return null;
    const [version, recipe, seed, checked, ...rest] = plain.split(SEPARATOR);
    const problem = problems.find((one) => one.recipe === recipe && String(one.seed) === seed);
    if (version !== VERSION || !problem) return null;
    const { length } = problem.asked;
    const answers = parts.answers.read(rest.join(SEPARATOR)).slice(0, length);
    const longest = longestOf(problem);
    const cut = answers.map((/** @type {string} */ answer) => answer.slice(0, longest));
    const marks = checked === '' ? '' : parts.checked.read(checked).slice(0, length);
    return {
      problem,
      typed: { answers: withoutEmpty(cut), checked: marks.replace(/0+$/, '') },
    };
  } catch {
    return null;
  }
}
