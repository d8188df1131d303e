// Marking: each cell against the truth, against the learner's own numbers, against the machine of every mistake that
// is known, and against small slips.

import { checkCore, near } from '../../base/errors.js';
import { shapeOf } from '../../base/values.js';
import { agrees, meantBy } from '../../number/judge.js';
import { readNumber } from '../../number/read.js';
import { MISCONCEPTIONS } from '../problem/misconceptions.js';
import { askedAt, isPolicy, LEVELS, recipeOf, Work } from '../problem/problem.js';
import { rangeError, typeError } from '../problem/texts.js';
import { drawing } from '../recipes/draw.js';
import { slipOf } from './slips.js';

/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../machine/machine.js').Numbers} Numbers */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Policy} Policy */
/** @typedef {import('../../number/read.js').NumberRead} NumberRead */

/** right; right, but rounded too early, or written in too few digits; as it follows from the learner's own numbers; a mistake or a slip that is known;
 * wrong; not there; not to be read as a number
 * @typedef {'right' | 'early-rounding' | 'few-digits' | 'carried' | `misconception:${string}` | `slip:${import('./slips.js').Slip}`
 *   | 'wrong' | 'empty' | 'unreadable'} State */

/**
 * @typedef {object} Marked
 * @property {State} state
 * @property {number} points 0 to 1
 * @property {number} [follows] what follows from the learner's own numbers, or has more digits
 * @property {string} [misconception] its name
 * @property {number} [at] of an answer that cannot be read: the place, from 0
 */

/** @typedef {{ points: number, max: number, cells: Record<string, Marked> }} Marks */

/** @typedef {{ cells: Record<string, string | number> }} Answers */

/** A step before was rounded too early, or the answer itself too far: half a point is lost. */
const EARLY = 0.5;

/** @typedef {{ name: string, step: string, at: number, index: readonly number[] }} Cell */

/** Bands elsewhere than at the truth are computed for answers that are so many bands of the truth from a number. */
const NEARBY = 100;

/** A recipe's machine with a mistake, whose numbers are rounded on their own way. */
class Mistake extends Work {
  /** @type {Map<string, number>} */
  #bands = new Map();

  /** Whether an answer is what the mistake makes of a cell, as somebody rounds who makes it.
   * @param {Cell} cell @param {number} answer @param {number} value @param {number} band of the right number */
  makes({ name, step, at }, answer, value, band) {
    if (agrees(answer, value, band)) return true;
    if (!agrees(answer, value, NEARBY * band)) return false;
    const own = this.#bands.get(name) ?? this.band(step, at);
    this.#bands.set(name, own);
    return agrees(answer, value, own);
  }
}

/** A problem made ready to be marked. */
class Ready {
  /** @param {string} where @param {Glassformer} gf @param {Problem} problem */
  constructor(where, gf, problem) {
    const recipe = recipeOf(where, problem.recipe);
    const drawn = recipe.draw(drawing(problem.seed, 0));
    const { inner = [] } = drawn;
    for (const [name, numbers] of Object.entries(drawn.leaves)) {
      if (inner.includes(name)) continue;
      const given = problem.given?.[name];
      const [shape, usual] = [shapeOf(given ?? 0), shapeOf(numbers)];
      const fits = recipe.anySize ? shape.length === usual.length : shape.join() === usual.join();
      if (!fits) {
        throw typeError('problem', { where: `${where}: given: ${name}`, given });
      }
      drawn.leaves[name] = given;
    }
    this.gf = gf;
    this.work = new Work(gf, recipe, drawn, problem.policy);
    const { asked, shown } = askedAt(this.work, problem.level);
    this.asked = asked;
    this.shown = shown;
    /** @type {Map<string, Cell[]>} */
    this.cellsOf = new Map(
      recipe.asked.map((step) => [step, asked.filter((cell) => cell.step === step)]),
    );
    /** @type {Map<string, number>} */
    this.bands = new Map(asked.map((cell) => [cell.name, this.work.band(cell.step, cell.at)]));
    /** @type {Map<string, Mistake | null>} */
    this.mistakes = new Map();
    /** @type {Work | null | undefined} */
    this.rough = undefined;
    /** @type {Work | undefined} */
    this.learner = undefined;
  }

  /** A mistake at work; null where the problem has no place for it.
   * @param {string} name */
  mistake(name) {
    const known = this.mistakes.get(name);
    if (known !== undefined) return known;
    const { recipe, program, policy } = this.work;
    const otherwise = MISCONCEPTIONS[name](program);
    const made = otherwise && new Mistake(this.gf, recipe, program, policy, otherwise);
    this.mistakes.set(name, made);
    return made;
  }

  /** How far off a right answer may be. @param {Cell} cell */
  bandOf({ name }) {
    return /** @type {number} */ (this.bands.get(name));
  }

  /** How far off a number may be whose steps before were rounded to one digit less.
   * @param {Cell} cell */
  roughBand(cell) {
    if (this.rough === undefined) {
      const { policy } = this.work;
      const digits =
        'digits' in policy ? policy.digits : 'significant' in policy ? policy.significant : 0;
      const less = 'digits' in policy ? { digits: digits - 1 } : { significant: digits - 1 };
      this.rough = digits > 1 ? this.#again(less) : null;
    }
    return this.rough ? this.rough.band(cell.step, cell.at) : 0;
  }

  /** Whether an answer follows from a learner's own numbers, as far as these are rounded on.
   * @param {Cell} cell @param {number} answer @param {number} due
   * @param {import('../machine/machine.js').Change} own the learner's numbers */
  follows(cell, answer, due, own) {
    const band = this.bandOf(cell);
    if (agrees(answer, due, band)) return true;
    if (!agrees(answer, due, NEARBY * band)) return false;
    this.learner ??= this.#again(this.work.policy);
    if (this.learner.change !== own) this.learner.follow(own);
    return agrees(answer, due, this.learner.band(cell.step, cell.at));
  }

  /** @param {Policy} policy */
  #again(policy) {
    const { recipe, program } = this.work;
    return new Work(this.gf, recipe, program, policy);
  }

  dispose() {
    this.work.dispose();
    this.rough?.dispose();
    this.learner?.dispose();
    for (const made of this.mistakes.values()) made?.dispose();
  }
}

/** The last problems that were marked: a class's answers come one after the other.
 * @type {WeakMap<Glassformer, Map<string, Ready>>} */
const ready = new WeakMap();
const KEPT = 8;

/** A problem that is checked, ready to be marked.
 * @param {string} where @param {Glassformer} gf @param {Problem} problem */
export function readyFor(where, gf, problem) {
  checkCore(where, gf);
  checkProblem(where, problem);
  const { recipe, level, policy, given } = problem;
  const key = JSON.stringify([recipe, level, policy, given]);
  /** @type {Map<string, Ready>} */
  const known = ready.get(gf) ?? new Map();
  ready.set(gf, known);
  const found = known.get(key) ?? new Ready(where, gf, problem);
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) {
    const [[oldest, old]] = known;
    known.delete(oldest);
    old.dispose();
  }
  return found;
}

/** Whether numbers make what follows from them trivial: all equal, or nothing but 0 and 1, beside what is masked.
 * @param {Float32Array} numbers */
function isStock(numbers) {
  const shown = numbers.filter((x) => x !== -Infinity);
  const equal = shown.every((x) => x === shown[0]);
  return numbers.length > 1 && (equal || shown.every((x) => x === 0 || x === 1));
}

/** @param {unknown} answers
 * @param {readonly Cell[]} cells
 * @returns {Map<string, ReturnType<typeof readNumber>>} */
function read(answers, cells) {
  if (
    typeof answers !== 'object' ||
    answers === null ||
    typeof Object(answers).cells !== 'object' ||
    !Object(answers).cells ||
    Array.isArray(Object(answers).cells)
  ) {
    throw typeError('answers', { where: 'mark: answers', given: answers });
  }
  const given = /** @type {Answers} */ (answers).cells;
  const names = cells.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw rangeError('notAsked', { where: 'mark: answers', value: name, hint: near(name, names) });
  }
  return new Map(
    names.map((name) => {
      const answer = Object.hasOwn(given, name) ? given[name] : '';
      if (typeof answer === 'number')
        return [name, { value: answer, decimals: null, significant: null }];
      if (typeof answer === 'string') return [name, readNumber(answer)];
      throw typeError('answerText', { where: `mark: answers: ${name}`, given: answer });
    }),
  );
}

const isObject = (/** @type {unknown} */ value) => Object(value) === value;

/** Whether a value is a number, or an infinity as JSON has it. @param {unknown} value */
const isNumber = (value) =>
  typeof value === 'number' || value === 'Infinity' || value === '-Infinity';

/** @param {unknown} value */
const isWords = (value) =>
  Array.isArray(value) && Array.from(value).every((word) => typeof word === 'string');

/** @param {string} where @param {Problem} problem */
function checkProblem(where, problem) {
  const { given, policy, level, seed, tokens = [], memory = [], sizes = {} } = Object(problem);
  const fits =
    isObject(given) &&
    isPolicy(policy) &&
    LEVELS.includes(level) &&
    Number.isInteger(seed) &&
    isWords(tokens) &&
    isWords(memory) &&
    isObject(sizes) &&
    Object.values(sizes).every((size) => typeof size === 'number');
  if (!fits) throw typeError('problem', { where, given: problem });
}

/** Checks a problem whose answers are read, too.
 * @param {string} where @param {Glassformer} gf @param {Problem} problem */
export function checkSolved(where, gf, problem) {
  readyFor(where, gf, problem);
  const { asked, shown, solution, misconceptions } = Object(problem);
  const isSolved = (/** @type {string} */ cell) =>
    ['value', 'band'].every((key) => isNumber(Object(solution[cell])[key]));
  const fits =
    isWords(asked) &&
    isObject(shown) &&
    isObject(solution) &&
    asked.every(isSolved) &&
    isObject(misconceptions) &&
    Object.values(misconceptions).every(isObject);
  if (!fits) throw typeError('problem', { where, given: problem });
}

/** Marks what a learner wrote.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {Answers} answers by cell, as they were written
 * @returns {Marks} */
export function marks(gf, problem, answers) {
  const on = readyFor('mark', gf, problem);
  const { work, asked } = on;
  const written = read(answers, asked);
  /** What the learner wrote in a cell, if that is a number. @param {Cell} cell */
  const answerOf = ({ name, step, at }) => {
    const read = written.get(name);
    return read && 'value' in read ? meantBy(read, work.of(step)[at]) : null;
  };
  const { machine } = work;

  /** Steps whose numbers carry nothing: stock answers, and what is wrong after them. One slip is neither.
   * @type {Set<string>} */
  const stock = new Set();
  let settled = false;
  /** The learner's numbers where there are any, and what follows from them elsewhere.
   * @param {string} step @param {Float32Array} computed */
  const own = (step, computed) => {
    const cells = on.cellsOf.get(step);
    if (!cells?.length) return undefined;
    const numbers = computed.slice();
    let wrong = 0;
    for (const cell of cells) {
      const answer = answerOf(cell);
      if (answer === null) continue;
      numbers[cell.at] = answer;
      wrong += Number(!agrees(answer, computed[cell.at], on.bandOf(cell)));
    }
    if (wrong < 2 && !stock.size) return numbers;
    if ((!settled && stock.size) || isStock(numbers)) stock.add(step);
    return stock.has(step) ? undefined : numbers;
  };
  /** @type {Map<string, import('./slips.js').Slip | null>} */
  const slips = new Map();
  /** What follows by the other way that a step may be worked out. @type {Map<string, ArrayLike<number>>} */
  const others = new Map();
  const { policy } = work;
  const digits = 'digits' in policy ? policy.digits : 3;
  const follows = machine.run((name, computed) => {
    const step = machine.steps.find((one) => one.name === name);
    if (step?.otherwise)
      others.set(
        name,
        step.otherwise((before) => machine.values(before)),
      );
    for (const cell of on.cellsOf.get(name) ?? []) {
      const answer = answerOf(cell);
      const band = on.bandOf(cell);
      if (answer === null || !step || agrees(answer, computed[cell.at], band)) continue;
      slips.set(cell.name, slipOf(machine, step, cell.at, answer, computed, band, digits));
    }
    return own(name, computed);
  });
  settled = true;

  /** @type {Record<string, Marked>} */
  const cells = {};
  /** @type {Cell[]} */
  const failing = [];
  let allRight = true;
  for (const cell of asked) {
    const found = written.get(cell.name);
    const ways = [/** @type {Float32Array} */ (follows.get(cell.step)), others.get(cell.step)];
    const due = ways.flatMap((numbers) => numbers?.[cell.at] ?? []);
    if (!found || 'at' in found) {
      cells[cell.name] = found
        ? { state: 'unreadable', points: 0, at: found.at }
        : { state: 'empty', points: 0 };
      continue;
    }
    const value = /** @type {number} */ (answerOf(cell));
    const isRight = agrees(value, work.of(cell.step)[cell.at], on.bandOf(cell));
    const followed = isRight ? value : due.find((one) => on.follows(cell, value, one, own));
    if (followed === undefined) {
      failing.push(cell);
      allRight = false;
    } else if (isRight || allRight) cells[cell.name] = { state: 'right', points: 1 };
    else cells[cell.name] = { state: 'carried', points: 1, follows: followed };
  }
  diagnose(on, failing, written, answerOf, own, follows, cells, slips);
  const points = asked.reduce((sum, { name }) => sum + cells[name].points, 0);
  const inOrder = asked.map(({ name }) => [name, cells[name]]);
  return { points, max: asked.length, cells: Object.fromEntries(inOrder) };
}

/** Whether an answer is a number in fewer digits than are asked.
 * @param {NumberRead} written @param {number} due @param {Policy} policy */
function isCut({ value, decimals, significant }, due, policy) {
  if (!value || !decimals || !significant) return false;
  const isFewer =
    'digits' in policy
      ? decimals < policy.digits
      : 'significant' in policy && significant < policy.significant;
  return isFewer && agrees(value, due, 0.5 / 10 ** decimals);
}

/** Names what lies behind the cells that are neither right nor follow.
 * @param {Ready} on @param {readonly Cell[]} failing @param {ReturnType<typeof read>} written
 * @param {(cell: Cell) => number | null} answerOf
 * @param {import('../machine/machine.js').Change} own @param {Numbers} follows
 * @param {Record<string, Marked>} cells @param {Map<string, import('./slips.js').Slip | null>} slips */
function diagnose(on, failing, written, answerOf, own, follows, cells, slips) {
  if (!failing.length) return;
  const explains = explanations(on, answerOf, own, follows);
  /** Mistakes that were charged, and where. @type {Map<string, string>} */
  const charged = new Map();
  for (const step of new Set(failing.map((cell) => cell.step))) {
    const here = failing.filter((cell) => cell.step === step);
    const name = bestOf(explains, on.cellsOf.get(step) ?? here, here, failing);
    for (const cell of here) {
      const answer = /** @type {number} */ (answerOf(cell));
      const due = /** @type {Float32Array} */ (follows.get(step))[cell.at];
      const slip = slips.get(cell.name);
      const cut = [on.work.of(step)[cell.at], due].find((value) =>
        isCut(/** @type {NumberRead} */ (written.get(cell.name)), value, on.work.policy),
      );
      const alone = slip === 'place' ? onlyOf(explains, cell) : null;
      if (name && explains.get(name)?.fits.has(cell.name)) {
        const first = charged.get(name) ?? step;
        charged.set(name, first);
        cells[cell.name] = {
          state: `misconception:${name}`,
          points: first === step ? 0 : 1,
          misconception: name,
        };
      } else if (cut !== undefined) {
        cells[cell.name] = { state: 'few-digits', points: EARLY, follows: cut };
      } else if (
        agrees(answer, on.work.of(step)[cell.at], on.roughBand(cell)) ||
        agrees(answer, due, on.roughBand(cell))
      ) {
        cells[cell.name] = { state: 'early-rounding', points: EARLY };
      } else if (alone) {
        cells[cell.name] = { state: `misconception:${alone}`, points: 0, misconception: alone };
      } else {
        cells[cell.name] = { state: slip ? `slip:${slip}` : 'wrong', points: 0 };
      }
    }
  }
}

/** What a mistake explains: the cells where its machine, on the learner's own numbers, makes what the learner wrote and
 * not what follows from them; those where it makes neither; and all cells that it makes.
 * @typedef {{ cells: Set<string>, against: Set<string>, fits: Set<string> }} Explanation */

/** @param {Ready} on @param {(cell: Cell) => number | null} answerOf @param {import('../machine/machine.js').Change} own
 * @param {Numbers} follows
 * @returns {Map<string, Explanation>} */
function explanations(on, answerOf, own, follows) {
  const explains = new Map();
  for (const name of Object.keys(MISCONCEPTIONS)) {
    const mistake = on.mistake(name);
    if (!mistake) continue;
    const made = mistake.machine.run(own);
    /** @type {Explanation} */
    const explanation = { cells: new Set(), against: new Set(), fits: new Set() };
    for (const cell of on.asked) {
      const answer = answerOf(cell);
      const [value, due] = [made, follows].map(
        (numbers) => /** @type {Float32Array} */ (numbers.get(cell.step))[cell.at],
      );
      if (answer === null) continue;
      const band = on.bandOf(cell);
      const fits = mistake.makes(cell, answer, value, band);
      if (fits) explanation.fits.add(cell.name);
      if (!agrees(value, due, band)) explanation[fits ? 'cells' : 'against'].add(cell.name);
    }
    explains.set(name, explanation);
  }
  return explains;
}

/** The mistake that explains most of a step's cells; of several, the one that explains most elsewhere, and then the
 * one that fits most of what is right, too. None, where two are as good, or where it would change more cells of the
 * step than it explains.
 * @param {Map<string, Explanation>} explains @param {readonly Cell[]} step the cells that were asked
 * @param {readonly Cell[]} here those that fail @param {readonly Cell[]} failing in every step */
function bestOf(explains, step, here, failing) {
  const ranked = [...explains]
    .map(([name, { cells, against, fits }]) => ({
      name,
      against: step.filter((cell) => against.has(cell.name)).length,
      ranks: [
        here.filter((cell) => cells.has(cell.name)).length,
        failing.filter((cell) => cells.has(cell.name)).length,
        fits.size,
      ],
    }))
    .filter(({ ranks: [some], against }) => some && 2 * some >= here.length && some >= against)
    .sort((a, b) => difference(b.ranks, a.ranks));
  const [first, second] = ranked;
  return first && !(second && !difference(first.ranks, second.ranks)) ? first.name : null;
}

/** The only mistake that explains a cell by itself, if there is one.
 * @param {Map<string, Explanation>} explains @param {Cell} cell */
function onlyOf(explains, { name }) {
  const all = [...explains].filter(([, { cells }]) => cells.has(name));
  return all.length === 1 ? all[0][0] : null;
}

/** @param {number[]} a @param {number[]} b the first difference between them, or 0 */
const difference = (a, b) => a.map((x, i) => x - b[i]).find((d) => d) ?? 0;
