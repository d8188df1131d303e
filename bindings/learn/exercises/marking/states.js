// Marks each cell: whether it is right, follows from the learner's own numbers, or comes from a known mistake or a small
// slip.

import { checkCore, near } from '../../../js/base/errors.js';
import { shapeOf } from '../../../js/base/values.js';
import { agrees, meantBy, TOLERANCE } from '../../../js/number/judge.js';
import { readNumber } from '../../../js/number/read.js';
import { MISCONCEPTIONS } from '../problem/misconceptions.js';
import { askedAt, isPolicy, LEVELS, recipeOf, Work } from '../problem/problem.js';
import { rangeError, typeError } from '../problem/texts.js';
import { drawing } from '../recipes/draw.js';
import { slipOf } from './slips.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../machine/machine.js').Numbers} Numbers */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Policy} Policy */
/** @typedef {import('../../../js/number/read.js').NumberRead} NumberRead */

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

/** @typedef {import('../problem/problem.js').Cell} Cell */

/** Bands elsewhere than at the truth are computed for answers that are so many bands of the truth from a number. */
const NEARBY = 100;

/** A recipe's machine with a mistake, whose numbers are rounded on their own way. */
class Mistake extends Work {
  /** @type {Map<string, number>} */
  #bands = new Map();

  /** Whether an answer is the mistake's number for a cell, with the roundings of its own way.
   * @param {Cell} cell @param {number} answer @param {number} value @param {number} band of the right number */
  makes({ name, step, offset }, answer, value, band) {
    if (agrees(answer, value, band)) return true;
    if (!agrees(answer, value, NEARBY * band)) return false;
    const mistakeBand = this.#bands.get(name) ?? this.band(step, offset);
    this.#bands.set(name, mistakeBand);
    return agrees(answer, value, mistakeBand);
  }
}

/** A problem with the machines that mark it. */
class PreparedProblem {
  /** @param {string} where @param {Glassformer} gf @param {Problem} problem */
  constructor(where, gf, problem) {
    const recipe = recipeOf(where, problem.recipe);
    const drawn = recipe.draw(drawing(problem.seed, 0));
    const { inner = [] } = drawn;
    for (const [name, numbers] of Object.entries(drawn.leaves)) {
      if (inner.includes(name)) continue;
      const leaf = problem.given?.[name];
      const [shape, usual] = [shapeOf(leaf ?? 0), shapeOf(numbers)];
      const fits = recipe.anySize ? shape.length === usual.length : shape.join() === usual.join();
      if (!fits) throw typeError('problem', { where: `${where}: given: ${name}`, given: leaf });
      drawn.leaves[name] = leaf;
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
    this.bands = new Map(asked.map((cell) => [cell.name, this.work.band(cell.step, cell.offset)]));
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
    const cached = this.mistakes.get(name);
    if (cached !== undefined) return cached;
    const { recipe, program, policy } = this.work;
    const otherwise = MISCONCEPTIONS[name](program);
    const mistake = otherwise && new Mistake(this.gf, recipe, program, policy, otherwise);
    this.mistakes.set(name, mistake);
    return mistake;
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
    return this.rough ? this.rough.band(cell.step, cell.offset) : 0;
  }

  /** Whether an answer follows from a learner's own numbers, as far as these are rounded on.
   * @param {Cell} cell @param {number} answer @param {number} expected
   * @param {import('../machine/machine.js').Change} learnerNumbers the learner's numbers */
  follows(cell, answer, expected, learnerNumbers) {
    const band = this.bandOf(cell);
    if (agrees(answer, expected, band)) return true;
    if (!agrees(answer, expected, NEARBY * band)) return false;
    this.learner ??= this.#again(this.work.policy);
    if (this.learner.change !== learnerNumbers) this.learner.follow(learnerNumbers);
    return agrees(answer, expected, this.learner.band(cell.step, cell.offset));
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
    for (const mistake of this.mistakes.values()) mistake?.dispose();
  }
}

/** The last problems that were marked: a class's answers come one after the other.
 * @type {WeakMap<Glassformer, Map<string, PreparedProblem>>} */
const caches = new WeakMap();
/** Problems that are kept prepared. */
const MAX_CACHED = 8;

/** A problem that is checked, ready to be marked.
 * @param {string} where @param {Glassformer} gf @param {Problem} problem */
export function readyFor(where, gf, problem) {
  checkCore(where, gf);
  checkProblem(where, problem);
  const { recipe, level, policy, given } = problem;
  const key = JSON.stringify([recipe, level, policy, given]);
  /** @type {Map<string, PreparedProblem>} */
  const cache = caches.get(gf) ?? new Map();
  caches.set(gf, cache);
  const prepared = cache.get(key) ?? new PreparedProblem(where, gf, problem);
  cache.delete(key);
  cache.set(key, prepared);
  if (cache.size > MAX_CACHED) {
    const [[oldest, unused]] = cache;
    cache.delete(oldest);
    unused.dispose();
  }
  return prepared;
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
  const texts = Object(answers).cells;
  const isRecord = isObject(answers) && isObject(texts) && !Array.isArray(texts);
  if (!isRecord || typeof answers === 'function' || typeof texts === 'function') {
    throw typeError('answers', { where: 'mark: answers', given: answers });
  }
  const names = cells.map(({ name }) => name);
  for (const name of Object.keys(texts)) {
    if (names.includes(name)) continue;
    throw rangeError('notAsked', { where: 'mark: answers', value: name, hint: near(name, names) });
  }
  return new Map(
    names.map((name) => {
      const answer = Object.hasOwn(texts, name) ? texts[name] : '';
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

/** Whether an answer is a number in fewer digits than are asked.
 * @param {NumberRead} written @param {number} expected @param {Policy} policy */
function isCut({ value, decimals, significant }, expected, policy) {
  if (!value || !decimals || !significant) return false;
  const isFewer =
    'digits' in policy
      ? decimals < policy.digits
      : 'significant' in policy && significant < policy.significant;
  return isFewer && agrees(value, expected, TOLERANCE.rounded / 10 ** decimals);
}

/** What a mistake explains: the cells where its machine, on the learner's own numbers, makes what the learner wrote and
 * not what follows from them; those where it makes neither; and all cells that it makes.
 * @typedef {{ cells: Set<string>, against: Set<string>, fits: Set<string> }} Explanation */

/** One learner's answers to a problem, as they are marked. */
class Marking {
  /** @type {Record<string, Marked>} */
  #cells = {};
  /** Steps whose numbers carry nothing: stock answers, and what is wrong after them. One slip is neither.
   * @type {Set<string>} */
  #stock = new Set();
  /** Whether the learner's own numbers have gone through all steps. */
  #isSettled = false;
  /** @type {Map<string, import('./slips.js').Slip | null>} */
  #slips = new Map();
  /** What follows by the other way that a step may be worked out. @type {Map<string, ArrayLike<number>>} */
  #otherwise = new Map();

  /** @param {PreparedProblem} problem @param {Answers} answers */
  constructor(problem, answers) {
    this.problem = problem;
    this.written = read(answers, problem.asked);
    this.follows = this.#run();
    this.#isSettled = true;
  }

  /** What the learner wrote in a cell, if that is a number. @param {Cell} cell */
  #answerTo(cell) {
    const written = this.written.get(cell.name);
    return written && 'value' in written ? meantBy(written, this.problem.work.valueAt(cell)) : null;
  }

  /** The learner's numbers where there are any, and what follows from them elsewhere.
   * @param {string} step @param {Float32Array} computed */
  #carry = (step, computed) => {
    const cells = this.problem.cellsOf.get(step);
    if (!cells?.length) return undefined;
    const numbers = computed.slice();
    let wrong = 0;
    for (const cell of cells) {
      const answer = this.#answerTo(cell);
      if (answer === null) continue;
      numbers[cell.offset] = answer;
      wrong += Number(!agrees(answer, computed[cell.offset], this.problem.bandOf(cell)));
    }
    if (wrong < 2 && !this.#stock.size) return numbers;
    if ((!this.#isSettled && this.#stock.size) || isStock(numbers)) this.#stock.add(step);
    return this.#stock.has(step) ? undefined : numbers;
  };

  /** Runs the right machine on the learner's numbers, and looks for slips on the way. */
  #run() {
    const { machine, policy } = this.problem.work;
    const digits = 'digits' in policy ? policy.digits : 3;
    return machine.run((name, computed) => {
      const step = /** @type {import('../machine/machine.js').Step} */ (machine.step(name));
      if (step.otherwise) {
        const numbers = step.otherwise((before) => machine.values(before));
        this.#otherwise.set(name, numbers);
      }
      for (const cell of this.problem.cellsOf.get(name) ?? []) {
        const { offset } = cell;
        const answer = this.#answerTo(cell);
        const band = this.problem.bandOf(cell);
        if (answer === null || agrees(answer, computed[offset], band)) continue;
        const slip = slipOf(machine, step, offset, answer, computed, band, digits);
        this.#slips.set(cell.name, slip);
      }
      return this.#carry(name, computed);
    });
  }

  /** @returns {Marks} */
  marks() {
    const { asked } = this.problem;
    /** @type {Cell[]} */
    const failing = [];
    for (const cell of asked) {
      const marked = this.#markOf(cell, !failing.length);
      if (marked) this.#cells[cell.name] = marked;
      else failing.push(cell);
    }
    this.#diagnose(failing);
    const inOrder = asked.map(({ name }) => [name, this.#cells[name]]);
    const points = asked.reduce((sum, { name }) => sum + this.#cells[name].points, 0);
    return { points, max: asked.length, cells: Object.fromEntries(inOrder) };
  }

  /** The mark of a cell that is right or follows, or cannot be read; null if it fails.
   * @param {Cell} cell @param {boolean} isAllRight whether no cell before it fails
   * @returns {Marked | null} */
  #markOf(cell, isAllRight) {
    const written = this.written.get(cell.name);
    if (!written) return { state: 'empty', points: 0 };
    if ('at' in written) return { state: 'unreadable', points: 0, at: written.at };
    const answer = /** @type {number} */ (this.#answerTo(cell));
    const { problem } = this;
    /** @type {Marked} */
    const right = { state: 'right', points: 1 };
    if (agrees(answer, problem.work.valueAt(cell), problem.bandOf(cell))) return right;
    const follows = [this.#followingIn(cell), this.#otherwise.get(cell.step)?.[cell.offset]].find(
      (one) => one !== undefined && problem.follows(cell, answer, one, this.#carry),
    );
    if (follows === undefined) return null;
    return isAllRight ? right : { state: 'carried', points: 1, follows };
  }

  /** What follows in a cell from the learner's own numbers. @param {Cell} cell */
  #followingIn({ step, offset }) {
    return /** @type {Float32Array} */ (this.follows.get(step))[offset];
  }

  /** Names what lies behind the cells that are neither right nor follow. @param {readonly Cell[]} failing */
  #diagnose(failing) {
    if (!failing.length) return;
    const explanations = this.#explanations();
    /** Mistakes that were charged, and where. @type {Map<string, string>} */
    const charged = new Map();
    for (const step of new Set(failing.map((cell) => cell.step))) {
      const here = failing.filter((cell) => cell.step === step);
      const name = bestOf(explanations, this.problem.cellsOf.get(step) ?? here, here, failing);
      for (const cell of here) {
        if (name && explanations.get(name)?.fits.has(cell.name)) {
          const first = charged.get(name) ?? step;
          charged.set(name, first);
          this.#cells[cell.name] = misconceived(name, first === step ? 0 : 1);
        } else this.#cells[cell.name] = this.#failureOf(cell, explanations);
      }
    }
  }

  /** A failing cell by itself: too few digits, rounded too early, a slip, or wrong.
   * @param {Cell} cell @param {Map<string, Explanation>} explanations
   * @returns {Marked} */
  #failureOf(cell, explanations) {
    const { work } = this.problem;
    const written = /** @type {NumberRead} */ (this.written.get(cell.name));
    const answer = /** @type {number} */ (this.#answerTo(cell));
    const values = [work.valueAt(cell), this.#followingIn(cell)];
    const follows = values.find((value) => isCut(written, value, work.policy));
    if (follows !== undefined) return { state: 'few-digits', points: EARLY, follows };
    const band = this.problem.roughBand(cell);
    if (values.some((value) => agrees(answer, value, band))) {
      return { state: 'early-rounding', points: EARLY };
    }
    const slip = this.#slips.get(cell.name);
    const alone = slip === 'place' ? onlyOf(explanations, cell) : null;
    if (alone) return misconceived(alone, 0);
    return { state: slip ? `slip:${slip}` : 'wrong', points: 0 };
  }

  /** @returns {Map<string, Explanation>} */
  #explanations() {
    const explanations = new Map();
    for (const name of Object.keys(MISCONCEPTIONS)) {
      const mistake = this.problem.mistake(name);
      if (!mistake) continue;
      const numbers = mistake.machine.run(this.#carry);
      /** @type {Explanation} */
      const explanation = { cells: new Set(), against: new Set(), fits: new Set() };
      for (const cell of this.problem.asked) {
        const answer = this.#answerTo(cell);
        if (answer === null) continue;
        const value = /** @type {Float32Array} */ (numbers.get(cell.step))[cell.offset];
        const band = this.problem.bandOf(cell);
        const fits = mistake.makes(cell, answer, value, band);
        if (fits) explanation.fits.add(cell.name);
        if (!agrees(value, this.#followingIn(cell), band)) {
          explanation[fits ? 'cells' : 'against'].add(cell.name);
        }
      }
      explanations.set(name, explanation);
    }
    return explanations;
  }
}

/** @param {string} name @param {number} points
 * @returns {Marked} */
const misconceived = (name, points) => ({
  state: `misconception:${name}`,
  points,
  misconception: name,
});

/** Marks what a learner wrote.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {Answers} answers by cell, as they were written
 * @returns {Marks} */
export const marks = (gf, problem, answers) =>
  new Marking(readyFor('mark', gf, problem), answers).marks();

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
