// A problem, checked, with the machines that mark it: the right one, and one for each known mistake.

import { checkCore } from '../../../js/base/errors.js';
import { jsonText } from '../../../js/base/file.js';
import { agrees, isSame } from '../../../js/number/judge.js';
import { leavesOf, misfitOf, sizesOf } from '../problem/given.js';
import { IN_STEP, MISCONCEPTIONS } from '../problem/misconceptions.js';
import { isFollow, isPoints, pointsOf } from '../problem/points.js';
import { askedAt, isPolicy, LEVELS, recipeOf, Work } from '../problem/problem.js';
import { typeError } from '../problem/texts.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../machine/machine.js').Numbers} Numbers */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Cell} Cell */

/** Bands elsewhere than at the truth are computed for answers that are so many bands of the truth from a number. */
const NEARBY = 100;

/** Whether an answer may be a number with another band. @param {number} answer @param {number} value @param {number} band */
export const isNearby = (answer, value, band) => agrees(answer, value, NEARBY * band);

/** A recipe's machine with a mistake, whose numbers are rounded on their own way. */
export class Mistake extends Work {
  /** The steps of which it changes numbers. @type {Set<string>} */
  changed = new Set();

  /** @type {Map<string, number>} */
  #bands = new Map();

  /** Whether an answer is the mistake's number for a cell, with the roundings of its own way.
   * @param {Cell} cell @param {number} answer @param {number} value @param {number} band of the right number */
  makes({ name, step, offset }, answer, value, band) {
    if (agrees(answer, value, band)) return true;
    if (!isNearby(answer, value, band)) return false;
    return agrees(answer, value, this.bandFor({ name, step, offset }));
  }

  /** @param {Pick<Cell, 'name' | 'step' | 'offset'>} cell */
  bandFor({ name, step, offset }) {
    const band = this.#bands.get(name) ?? this.band(step, offset);
    this.#bands.set(name, band);
    return band;
  }
}

/** Whether a step of given numbers alone is computed by no tape, and so not in every language. @param {Work} work
 * @param {import('../machine/machine.js').Step} step */
const isUntaped = ({ recipe }, { op, of }) =>
  (op === undefined || op === 'position') && of.every((one) => !recipe.asked.includes(one));

/** Given numbers that a step reads, through no step that learners write down, if a tape computes all that is read of them.
 * @param {Work} work @param {Problem['given']} leaves @param {string} name of the step
 * @returns {string[]} */
function copiedIn(work, leaves, name) {
  const { machine, recipe, program } = work;
  const untaped = machine.steps.filter((step) => isUntaped(work, step)).flatMap(({ of }) => of);
  return machine.step(name).of.flatMap((one) => {
    if (one in leaves) return [...(program.ids ?? []), ...untaped].includes(one) ? [] : [one];
    return machine.step(one) && !recipe.asked.includes(one) ? copiedIn(work, leaves, one) : [];
  });
}

/** Whether nothing is computed in a cell: it is masked, or has no weight, or all; or what it copies has.
 * @param {Work} work @param {Cell} cell
 * @returns {boolean} */
function isFree(work, { step: name, offset }) {
  const { machine } = work;
  const { op, of } = machine.step(name);
  const x = work.of(name)[offset];
  if (op === 'mask') return x === -Infinity;
  if (op === 'softmax') return x === 0 || x === 1;
  if (op !== 'matmul' || machine.step(of[0])?.op !== 'softmax') return false;
  const width = Number(machine.shape(of[0]).at(-1));
  const row = Math.floor(offset / Number(machine.shape(name).at(-1)));
  return work
    .of(of[0])
    .subarray(row * width, (row + 1) * width)
    .every((w) => w === 0 || w === 1);
}

/** A problem with the machines that mark it. */
export class PreparedProblem {
  /** @param {string} where @param {Glassformer} gf @param {Problem} problem */
  constructor(where, gf, problem) {
    const recipe = recipeOf(where, problem.recipe);
    const misfit = misfitOf(recipe, problem.given);
    if (misfit) {
      const { name } = misfit;
      throw typeError('problem', { where: `${where}: given: ${name}`, given: problem.given[name] });
    }
    const leaves = leavesOf(recipe, problem.given);
    const drawn = { leaves, sizes: { ...sizesOf(recipe), ...problem.sizes } };
    this.gf = gf;
    this.work = new Work(gf, recipe, drawn, problem.policy);
    const { asked, shown } = askedAt(this.work, problem.level);
    this.asked = asked;
    this.shown = shown;
    /** @type {Map<string, Cell[]>} */
    this.cellsOf = new Map(
      this.work.asked.map((step) => [step, asked.filter((cell) => cell.step === step)]),
    );
    /** Points of each step that is asked. */
    this.points = pointsOf(problem, recipe, asked);
    this.follow = problem.follow ?? 'half';
    /** Cells that need no arithmetic, where others of their step do. @type {Set<string>} */
    this.free = new Set(
      [...this.cellsOf.values()].flatMap((cells) => {
        const free = cells.filter((cell) => isFree(this.work, cell));
        return free.length < cells.length ? free.map(({ name }) => name) : [];
      }),
    );
    /** What is given and may have been misread, by the step that reads it. @type {Map<string, string[]>} */
    this.copied = new Map(
      [...this.cellsOf.keys()].map((step) => [
        step,
        [...new Set(copiedIn(this.work, problem.given, step))],
      ]),
    );
    /** @type {Map<string, number>} */
    this.bands = new Map(asked.map((cell) => [cell.name, this.work.band(cell.step, cell.offset)]));
    const isWide = (/** @type {string} */ step) => Number(this.work.machine.shape(step).at(-1)) > 1;
    /** @type {Map<string, string>} */
    this.rows = new Map(
      asked.map(({ name, step, index }) => [
        name,
        isWide(step) ? `${step} ${index.slice(0, -1)}` : step,
      ]),
    );
    /** @type {Map<string, Mistake | null>} */
    this.mistakes = new Map();
    /** Mistakes by the steps that they change. @type {Map<string, string[]>} */
    this.changing = new Map();
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
    for (const [step] of this.cellsOf) {
      const right = this.work.of(step);
      const { machine } = this.work;
      const isElsewhere = () => `${mistake?.machine.step(step).of}` === `${machine.step(step).of}`;
      if (IN_STEP.includes(name) && isElsewhere()) continue;
      if (mistake?.of(step).some((x, i) => !isSame(x, right[i]))) mistake.changed.add(step);
    }
    this.mistakes.set(name, mistake);
    return mistake;
  }

  /** How far off a right answer may be. @param {Cell} cell */
  bandOf = ({ name }) => /** @type {number} */ (this.bands.get(name));

  /** What a mistake has to explain as a whole: the row of a cell; the step, where rows are single numbers.
   * @param {Cell} cell */
  rowOf = ({ name }) => /** @type {string} */ (this.rows.get(name));

  /** The mistakes that change a number of a step.
   * @param {string} step
   * @returns {string[]} */
  mistakesIn(step) {
    const cached = this.changing.get(step);
    if (cached) return cached;
    const names = Object.keys(MISCONCEPTIONS).filter((name) =>
      this.mistake(name)?.changed.has(step),
    );
    this.changing.set(step, names);
    return names;
  }

  /** Whether an answer follows from a learner's own numbers, as far as these are rounded on.
   * @param {Cell} cell @param {number} answer @param {number} expected
   * @param {import('../machine/machine.js').Change} learnerNumbers the learner's numbers */
  follows(cell, answer, expected, learnerNumbers) {
    const band = this.bandOf(cell);
    if (agrees(answer, expected, band)) return true;
    if (!isNearby(answer, expected, band)) return false;
    if (this.aside.change !== learnerNumbers) this.aside.follow(learnerNumbers);
    return agrees(answer, expected, this.aside.band(cell.step, cell.offset));
  }

  /** The right machine a second time, for a learner's numbers that change. */
  get aside() {
    const { recipe, program, policy } = this.work;
    this.learner ??= new Work(this.gf, recipe, program, policy);
    return this.learner;
  }

  dispose() {
    this.work.dispose();
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
  const { recipe, level, policy, given, sizes, points, follow } = problem;
  const key = jsonText(`${where}: problem`, [recipe, level, policy, given, sizes, points, follow]);
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

const isObject = (/** @type {unknown} */ value) => Object(value) === value;

/** Whether a value is a number, or an infinity as JSON has it. @param {unknown} value */
const isNumber = (value) =>
  typeof value === 'number' || value === 'Infinity' || value === '-Infinity';

/** @param {unknown} value */
const isWords = (value) =>
  Array.isArray(value) && Array.from(value).every((word) => typeof word === 'string');

/** @param {string} where @param {Problem} problem */
function checkProblem(where, problem) {
  const { given, policy, level, seed, points, follow } = Object(problem);
  const { tokens = [], memory = [], sizes = {} } = Object(problem);
  const fits =
    isObject(given) &&
    isPolicy(policy) &&
    (points === undefined || isPoints(points)) &&
    (follow === undefined || isFollow(follow)) &&
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
