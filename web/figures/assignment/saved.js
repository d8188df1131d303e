// A learner's work as platforms keep it: one line of text that names the problem, with what was typed and checked, how
// often it was handed in and the best score. It has no percent sign, because Open edX decodes what it keeps as if it were an
// address.
import { checksOf, LIMITS, parts, withoutEmpty } from '../../chapters/exercises/state.js';

/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {Pick<import('../../chapters/exercises/state.js').State, 'answers' | 'checked'>} Typed */
/** How often it was handed in, as in an exam, and the best score, 0 to 1; null before one was reported.
 * @typedef {{ used: number, best: number | null }} Result */
/** @typedef {{ problem: Problem, typed: Typed } & Result} Work */

/** @type {Result} */
export const NO_RESULT = { used: 0, best: null };

/** SCORM 1.2 keeps 4,096 characters, and some platforms lose all of a longer text. */
export const MAX_CHARACTERS = 4000;
const VERSION = '1';
/** An exam is handed in so often at most. */
const MAX_USED = 99;
/** What a sum of points may be off by. */
const EXACT = 1e-9;
/** The answers come last, because they may have this sign, too. */
const SEPARATOR = ';';

/** The text of somebody's work. @param {Work} work */
export function textOf({ problem, typed, used, best }) {
  const { recipe, seed } = problem;
  const marks = best === null ? typed.checked : [typed.checked, used, best].join();
  return [VERSION, recipe, seed, marks, parts.answers.write(typed.answers)].join(SEPARATOR);
}

/** @param {Work | null} work */
export const isBlank = (work) => !work?.typed.answers.some(Boolean) && !work?.used;

/** Whether there is no more to do: of an exercise, every cell was answered and checked; an exam is handed in for the last
 * time, or all right. @param {Work} work @param {number | undefined} attempts of an exam */
export const isDone = ({ problem, typed, used, best }, attempts) =>
  attempts
    ? used >= attempts || (best !== null && best > 1 - EXACT)
    : problem.asked.every((_, place) => typed.answers[place] && typed.checked[place] === '1');

/**
 * The work of two windows, cell by cell: where one of them changed an answer, this one, and the first one's where both
 * did. Nothing that was typed becomes empty: a text that a platform cut looks like one. What was handed in once more
 * stands as it was, and the better score counts.
 * @param {Work} first @param {Work} second of the same problem
 * @param {Work | null} base the common earlier state of both
 * @returns {Work}
 */
export function merged(first, second, base) {
  const { problem } = first;
  const best = bestOf(first.best, second.best);
  if (first.used !== second.used) {
    return { ...(first.used > second.used ? first : second), best };
  }
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
  const typed = { answers: withoutEmpty(answers), checked: checksOf(checks) };
  return { problem, typed, used: first.used, best };
}

/** The better of two scores. @param {number | null} a @param {number | null} b */
const bestOf = (a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b));

/**
 * How long each answer may be, so that all of them fit even if each of their signs is written as two.
 * @param {Problem} problem
 */
export function longestOf(problem) {
  const { length } = problem.asked;
  const typed = { answers: Array(length).fill(''), checked: '1'.repeat(length) };
  const empty = textOf({ problem, typed, used: MAX_USED, best: 1 / 3 });
  return Math.min(LIMITS.characters, Math.floor((MAX_CHARACTERS - empty.length) / length / 2));
}

/** @param {string[]} written how often, and the best score; none for work that was never marked
 * @returns {Result} */
function resultOf(written) {
  if (!written.length) return NO_RESULT;
  const [used, best] = written.map(Number);
  const isResult =
    Number.isInteger(used) && used >= 0 && used <= MAX_USED && best >= 0 && best <= 1;
  if (!isResult || written.length > 2) throw new RangeError('no result');
  return { used, best };
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
    const [version, recipe, seed, checks, ...rest] = plain.split(SEPARATOR);
    const [checked, ...result] = checks.split(',');
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
      ...resultOf(result),
    };
  } catch {
    return null;
  }
}
