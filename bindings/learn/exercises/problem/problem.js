// Makes a problem: a recipe draws numbers from a seed until every known mistake gives another answer. Each asked cell has
// a band: how far off a right answer may be.

import {
  checkCore,
  checkInteger,
  checkOptions,
  checkUint32,
  checkWord,
  near,
} from '../../../js/base/errors.js';
import { sumOf } from '../../../js/base/sum.js';
import { cellIndex, sizeOf } from '../../../js/base/values.js';
import { TOLERANCE } from '../../../js/number/judge.js';
import { Machine } from '../machine/machine.js';
import { drawing } from '../recipes/draw.js';
import { RECIPES } from '../recipes/index.js';
import { leastDigits } from '../recipes/telling.js';
import { APART, distinctMistakes, isAnswer, isApart, isDistinct, mistakes } from './distinct.js';
import { readGiven, sizesOf } from './given.js';
import { FOLLOW, isPoints, pointsOf } from './points.js';
import { failure, rangeError, typeError } from './texts.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../machine/machine.js').Numbers} Numbers */
/** @typedef {import('../machine/machine.js').Step} Step */
/** @typedef {import('../recipes/index.js').Recipe} Recipe */
/** @typedef {import('../machine/machine.js').Program & { sizes?: Record<string, number> }} Program */
/** @typedef {import('../recipes/index.js').Drawn} Drawn */
/** @typedef {import('./given.js').Given} Given */

/** How a learner rounds: to so many decimals, or significant digits, in each step; or not at all.
 * @typedef {{ digits: number } | { significant: number } | { exact: true }} Policy */

/** @typedef {import('./points.js').Follow} Follow */

/** @typedef {'steps' | 'faded' | 'end'} Level steps asks every step, faded every other cell, end the end alone */

/**
 * @typedef {object} ExerciseOptions
 * @property {number} [seed] 1 by default
 * @property {Level} [level] steps by default
 * @property {number} [digits] decimals in each step, 2 by default; adam-step has 3 at least
 * @property {number} [significant] significant digits in each step, in place of digits
 * @property {boolean} [exact] no rounding at all, in place of digits
 * @property {Given | string} [given] a teacher's numbers in place of drawn ones, by name, or as a text: X = 1 0; 0 1. Sizes
 *   alone, such as scale = 1/3, leave the matrices to the seed
 * @property {Record<string, number>} [points] of steps, in place of the recipe's own
 * @property {Follow} [follow] what a cell earns that only follows from a wrong step: half of its points by default
 */

/**
 * @typedef {object} Problem
 * @property {string} recipe the name of its recipe
 * @property {number} seed
 * @property {Level} level
 * @property {Policy} policy
 * @property {Record<string, import('../machine/machine.js').Leaf>} given nested numbers, by name
 * @property {Record<string, string>} [written] given cells that are written as more than a decimal, such as "1/3"
 * @property {readonly string[]} [tokens] the words of the rows
 * @property {readonly string[]} [memory] those that are attended to, where they are others
 * @property {Record<string, number>} [sizes] numbers that belong to no matrix, such as the scale, by name
 * @property {string[]} asked cells, such as "scores[0,1]", in the order of working
 * @property {Record<string, number>} [points] of each step that is asked: the recipe's own by default
 * @property {Follow} [follow] what a cell earns that only follows from a wrong step, where that is not half of its points
 * @property {Record<string, number>} shown cells that are given, where every other one is
 * @property {Record<string, { value: number, band: number }>} solution of each asked cell
 * @property {Record<string, Record<string, number>>} misconceptions what each makes of the cells that it changes
 * @property {string[]} [indistinct] of a teacher's numbers: known mistakes that give the right answers or those of another mistake
 */

export const LEVELS = /** @type {const} */ (['steps', 'faded', 'end']);
/** Smaller numbers are not asked for: some hosts of exercises show them as 0. */
const MIN_ASKED = 1e-3;
/** Draws of numbers before a seed is given up. */
const MAX_ATTEMPTS = 400;

/** A float32 in the fewest digits that give it again.
 * @param {number} x */
export function short(x) {
  if (!Number.isFinite(x)) return x;
  for (let digits = 6; digits < 9; digits++) {
    const brief = Number(x.toPrecision(digits));
    if (Math.fround(brief) === Math.fround(x)) return brief;
  }
  return Number(x.toPrecision(9));
}

/** Half a unit of the last digit that the policy keeps of a number.
 * @param {Policy} policy @param {number} value */
export function halfUnit(policy, value) {
  if (!Number.isFinite(value)) return 0;
  if ('exact' in policy) return TOLERANCE.float32 * Math.max(1, Math.abs(value));
  if ('digits' in policy) return TOLERANCE.rounded / 10 ** policy.digits;
  if (!value) return 0;
  /* Of the digit that many behind the first. */
  let unit = TOLERANCE.rounded;
  const size = Math.abs(value) * (1 + TOLERANCE.float32);
  for (let x = size; x >= 10; x /= 10) unit *= 10;
  for (let x = size; x < 1; x *= 10) unit /= 10;
  return (unit * 10) / 10 ** policy.significant;
}

/** Whether the policy keeps a number as it is.
 * @param {Policy} policy @param {number} value */
function isKept(policy, value) {
  const unit = 2 * halfUnit(policy, value);
  return (
    Math.abs(value / unit - Math.round(value / unit)) * unit <
    TOLERANCE.float32 * Math.max(1, Math.abs(value))
  );
}

/** A number as the policy writes it, halves away from zero; what float32 computes a hair below a half is one.
 * @param {Policy} policy @param {number} value */
export function roundedBy(policy, value) {
  const unit = 2 * halfUnit(policy, value);
  if ('exact' in policy || !Number.isFinite(value) || !unit) return value;
  const size = Math.abs(value);
  const units = Math.floor((size + TOLERANCE.float32 * Math.max(1, size)) / unit + 0.5);
  return Math.sign(value) * units * unit || 0;
}

/** The lowest and the highest number, as the policy writes them, that lie within a band.
 * @param {Policy} policy @param {number} value @param {number} band
 * @returns {[number, number]} */
export function acceptedIn(policy, value, band) {
  const unit = 2 * halfUnit(policy, value);
  if ('exact' in policy || !Number.isFinite(value) || !unit) return [value, value];
  const slack = TOLERANCE.float32 * Math.max(1, Math.abs(value));
  const low = Math.ceil((value - band - slack) / unit) * unit;
  return [low || 0, Math.floor((value + band + slack) / unit) * unit || 0];
}

/** Decimals that a policy shows. @param {Policy} policy */
export const decimalsOf = (policy) => ('digits' in policy ? policy.digits : undefined);

/** A number of a step: its name, such as "scores[0,1]", its index, and its place in the step's flat numbers.
 * @typedef {{ name: string, step: string, offset: number, index: readonly number[] }} Cell */

/** A recipe's machine at work: its numbers, and how far off right ones may be. */
export class Work {
  /** @param {Glassformer} gf @param {Recipe} recipe @param {Drawn} drawn @param {Policy} policy
   * @param {Program} [otherwise] in place of the recipe's own program */
  constructor(gf, recipe, drawn, policy, otherwise) {
    const { sizes = {} } = drawn;
    const leaves = { ...drawn.leaves, ...recipe.inner?.(drawn.leaves) };
    this.gf = gf;
    this.recipe = recipe;
    this.policy = policy;
    /** @type {Program} */
    this.program = otherwise ?? {
      leaves,
      ids: recipe.ids,
      sizes,
      steps: recipe.steps(leaves, sizes),
    };
    this.machine = new Machine(gf, this.program);
    /** @type {Numbers} */
    this.numbers = this.machine.run();
    /** @type {import('../machine/machine.js').Change | undefined} */
    this.change = undefined;
  }

  /** Works on from the numbers that `change` makes of a step's: bands are those there.
   * @param {import('../machine/machine.js').Change} change */
  follow(change) {
    this.change = change;
    this.numbers = this.machine.run(change);
    this.#withins.clear();
    this.#roundings.clear();
  }

  /** The numbers of a step or leaf, as the next step reads them. @param {string} name
   * @returns {ArrayLike<number>} */
  #read(name) {
    const computed = this.numbers.get(name);
    if (!computed) return [this.program.leaves[name]].flat(3);
    return this.change?.(name, computed) ?? computed;
  }

  /** Those of the recipe's asked steps that there are. */
  get asked() {
    return this.recipe.asked.filter((step) => this.numbers.has(step));
  }

  /** The numbers of a step. @param {string} name */
  of(name) {
    return /** @type {Float32Array} */ (this.numbers.get(name));
  }

  /** @param {Pick<Cell, 'step' | 'offset'>} cell */
  valueAt({ step, offset }) {
    return this.of(step)[offset];
  }

  /** Runs the steps as a sheet asks for them: each is rounded before the next one reads it.
   * @returns {Numbers} what each step comes to, not yet rounded itself */
  runByRule() {
    const { machine, recipe, policy } = this;
    return machine.run((step, numbers) =>
      recipe.asked.includes(step) ? numbers.map((x) => roundedBy(policy, x)) : undefined,
    );
  }

  /** Every cell of the steps that there are.
   * @param {readonly string[]} steps
   * @returns {Cell[]} */
  cells(steps) {
    const some = steps.filter((step) => this.numbers.has(step));
    return some.flatMap((step) => {
      const shape = this.machine.shape(step);
      return Array.from({ length: sizeOf(shape) }, (_, offset) => {
        const index = cellIndex(shape, offset);
        return { name: `${step}[${index}]`, step, offset, index };
      });
    });
  }

  /** @type {Map<string, ArrayLike<number>>} */
  #withins = new Map();

  /** How much a step's cells may be off by what is rounded within the step, each.
   * @param {Step} step
   * @returns {ArrayLike<number>} */
  #within(step) {
    const amounts = this.#withins.get(step.name) ?? this.#roundedWithin(step);
    this.#withins.set(step.name, amounts);
    return amounts;
  }

  /** @param {Step} step
   * @returns {ArrayLike<number>} */
  #roundedWithin(step) {
    const values = this.of(step.name);
    const half = (/** @type {number} */ x) => halfUnit(this.policy, x);
    const operands = step.of.map((name) => this.#read(name));
    if (step.within) {
      return step.within(operands, values, half, (name) => ({
        numbers: this.#read(name),
        rounding: this.#rounding(this.machine.step(name)),
      }));
    }
    if (step.op !== 'softmax') return [];
    const width = Number(this.machine.shape(step.name).at(-1));
    return softmaxWithin(operands[0], values, width, this.policy, (row) => this.gf.exp(row));
  }

  /** By how much rounding each number by the policy can move each cell of a step, besides its own rounding.
   * @type {Map<string, Float64Array>} */
  #roundings = new Map();

  /** @param {Step} step
   * @returns {Float64Array} how far each of its numbers may be off when it is written down */
  #rounding(step) {
    const cached = this.#roundings.get(step.name);
    if (cached) return cached;
    const values = this.of(step.name);
    const within = this.#within(step);
    const amounts = Float64Array.from(values, (value, i) => {
      const kept = !Number.isFinite(value) || isKept(this.policy, value);
      return (within[i] ?? 0) + (kept ? 0 : halfUnit(this.policy, value));
    });
    this.#roundings.set(step.name, amounts);
    return amounts;
  }

  /** How far a right answer in a cell may be from its number: every step before it rounded by the policy, carried by
   * the gradients, or further where the way is bent; and its own rounding.
   * @param {string} name @param {number} offset */
  band(name, offset) {
    const { machine, policy } = this;
    const value = this.of(name)[offset];
    if (!Number.isFinite(value)) return 0;
    if (machine.step(name).whole && !('significant' in policy)) return 0;
    const ownHalf = halfUnit(policy, value);
    machine.run(this.change, name);
    const gradients = machine.gradients(name, offset);
    /** @type {Map<string, Float64Array>} */
    const moves = new Map();
    let straight = 0;
    for (const step of machine.steps) {
      const gradient = gradients.get(step.name);
      if (!gradient || step.name === name) continue;
      const rounding = this.#rounding(step);
      const move = rounding.map((amount, i) => (gradient[i] ? Math.sign(gradient[i]) * amount : 0));
      if (!move.some(Boolean)) continue;
      moves.set(step.name, move);
      straight += move.reduce((sum, amount, i) => sum + Math.abs(amount * gradient[i]), 0);
    }
    const within = this.#within(this.machine.step(name))[offset] ?? 0;
    if (!straight) return ownHalf + within;
    const ends = [1, -1].map((side) => {
      const ran = machine.run((other, numbers) => {
        const move = moves.get(other);
        const read = this.change?.(other, numbers) ?? numbers;
        return move ? read.map((x, i) => x + side * move[i]) : read;
      }, name);
      return Math.abs(/** @type {Float32Array} */ (ran.get(name))[offset] - value);
    });
    return ownHalf + within + Math.max(straight, ...ends.filter(Number.isFinite));
  }

  dispose() {
    this.machine.dispose();
  }
}

/** Powers of e, and their sum, rounded before they are divided; with the largest score taken off, or not.
 * @param {ArrayLike<number>} scores @param {Float32Array} weights @param {number} width
 * @param {Policy} policy @param {(row: number[]) => number[]} exp as the core has it */
function softmaxWithin(scores, weights, width, policy, exp) {
  const half = (/** @type {number} */ x) => halfUnit(policy, x);
  const errors = new Float32Array(weights.length);
  for (let first = 0; first < weights.length; first += width) {
    const row = Array.from({ length: width }, (_, j) => scores[first + j]);
    if (row.filter((x) => x !== -Infinity).length < 2) continue;
    const most = Math.max(...row);
    /* Nobody divides by powers that their digits cannot hold. */
    for (const off of [most, Math.min(0, most + 4)]) {
      const powers = exp(row.map((x) => x - off));
      const shown = powers.filter((_, j) => row[j] !== -Infinity);
      const sum = sumOf(shown);
      const all = sumOf(shown.map(half));
      /* A sum of decimals has no more of them. */
      const ofSum = 'significant' in policy ? half(sum) : 0;
      powers.forEach((power, j) => {
        const w = weights[first + j];
        const powerHalf = half(power);
        const error = w ? (powerHalf * (1 - w) + w * (all - powerHalf + ofSum)) / sum : 0;
        errors[first + j] = Math.max(errors[first + j], error);
      });
    }
  }
  return errors;
}

/** Which cells are asked, and which are given beside them.
 * @param {Work} work @param {Level} level */
export function askedAt(work, level) {
  const { asked, end = asked } = work.recipe;
  const cells = work.cells(level === 'end' ? end : asked);
  if (level !== 'faded') return { asked: cells, shown: [] };
  /* Every other cell, by rows and columns alike; the last step whole. */
  const isAsked = (/** @type {typeof cells[number]} */ { step, index }) =>
    end.includes(step) || sumOf(index) % 2 === 0;
  return { asked: cells.filter(isAsked), shown: cells.filter((cell) => !isAsked(cell)) };
}

/** @param {string} where @param {string} name
 * @returns {Recipe} */
export function recipeOf(where, name) {
  checkWord(`${where}: recipe`, name, Object.keys(RECIPES));
  return RECIPES[name];
}

/** Whether a value, of a file perhaps, is a policy.
 * @param {unknown} value
 * @returns {value is Policy} */
export function isPolicy(value) {
  const { digits, significant, exact } = Object(value);
  const isUpTo = (/** @type {unknown} */ n, /** @type {number} */ least) =>
    Number.isInteger(n) && Number(n) >= least && Number(n) <= 6;
  const fits = isUpTo(digits, 0) || isUpTo(significant, 1) || exact === true;
  return fits && Object.keys(Object(value)).length === 1;
}

/** @param {ExerciseOptions} options @param {Recipe} recipe
 * @returns {Policy} */
function policyOf({ digits, significant, exact }, recipe) {
  if (exact) return { exact };
  if (significant !== undefined) {
    return { significant: checkInteger('exercise: significant', significant, 1, 6) };
  }
  if (recipe.digits !== undefined && digits === undefined) return { digits: recipe.digits };
  const { least = 0 } = recipe;
  return { digits: Math.max(least, checkInteger('exercise: digits', digits ?? 2, 0, 6)) };
}

const OPTIONS = [
  ...['seed', 'level', 'digits', 'significant', 'exact', 'given'],
  ...['points', 'follow'],
];

/** @param {ExerciseOptions['points']} points @param {Recipe} recipe */
function checkPoints(points, { asked }) {
  if (points === undefined) return;
  if (!isPoints(points) || !Object.values(points).some(Boolean)) {
    throw typeError('stepPoints', { where: 'exercise: points', given: points });
  }
  for (const step of Object.keys(points)) {
    if (asked.includes(step)) continue;
    throw rangeError('notAStep', {
      where: 'exercise: points',
      value: step,
      hint: near(step, asked),
    });
  }
}

/** Refuses decimals with which no seed tells the known mistakes apart, before one is looked for.
 * @param {Policy} policy @param {string} recipe @param {Level} level */
function checkDigits(policy, recipe, level) {
  const least = leastDigits(recipe, level);
  if (!('digits' in policy) || policy.digits >= least) return;
  throw rangeError('fewDigits', { where: 'exercise: digits', value: policy.digits, recipe, least });
}

/** A problem of a recipe: the same for the same options, in every engine, byte for byte.
 * @param {Glassformer} gf what load() gave
 * @param {string} recipe one of recipes
 * @param {ExerciseOptions} [options]
 * @returns {Problem}
 * @example
 * import { exercise } from 'glassformer/exercises';
 *
 * const problem = exercise(gf, 'scores', { seed: 1 });
 * problem.asked.length; // = 9
 * problem.solution['scores[0,0]'].band; // = 0.005 */
export function exercise(gf, recipe, options = {}) {
  checkCore('exercise', gf);
  const definition = recipeOf('exercise', recipe);
  checkOptions('exercise', options, OPTIONS);
  const { seed = 1, level = 'steps', points, follow = 'half' } = options;
  checkUint32('exercise: seed', seed);
  checkWord('exercise: level', level, LEVELS);
  checkWord('exercise: follow', follow, Object.keys(FOLLOW));
  checkPoints(points, definition);
  const policy = policyOf(options, definition);
  const { drawn, sizes } = readGiven('exercise: given', recipe, options.given ?? {});
  const head = { recipe, seed, level, policy };
  if (drawn) return givenProblem(gf, head, definition, drawn, options);
  checkDigits(policy, recipe, level);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const draw = definition.draw(drawing(seed, attempt), sizes);
    const all = { ...sizesOf(definition), ...draw.sizes, ...sizes };
    const work = new Work(gf, definition, { ...draw, sizes: all }, policy);
    try {
      const solved = problemOf(gf, work, level);
      if (!solved) continue;
      return {
        ...head,
        ...factsOf({ ...draw, sizes: all }),
        ...solved,
        ...worthOf(work, options, level),
      };
    } finally {
      work.dispose();
    }
  }
  throw failure('GF_ERANGE', 'noProblem', { where: `exercise: ${recipe}: seed ${seed}` });
}

/** What a problem says of its numbers. @param {Drawn} drawn */
const factsOf = ({ leaves, written, tokens, memory, sizes = {} }) => ({
  given: leaves,
  ...(written && { written }),
  ...(tokens && { tokens }),
  ...(memory && { memory }),
  ...(Object.keys(sizes).length > 0 && { sizes }),
});

/** What its steps are worth. @param {Work} work @param {ExerciseOptions} options @param {Level} level */
const worthOf = (work, { points, follow = 'half' }, level) => ({
  points: pointsOf({ points }, work.recipe, askedAt(work, level).asked),
  ...(follow !== 'half' && { follow }),
});

/** A cell and its number, before its band is known. @param {Work} work @param {Cell} cell
 * @returns {import('./distinct.js').Solved} */
function solvable(work, cell) {
  const value = work.valueAt(cell);
  return { ...cell, value, band: 0, spread: halfUnit(work.policy, value) };
}

/** Measures the bands of cells. @param {Work} work @param {readonly import('./distinct.js').Solved[]} cells */
function measure(work, cells) {
  for (const cell of cells) {
    cell.band = work.band(cell.step, cell.offset);
    cell.spread = Math.max(cell.spread, cell.band);
  }
}

/** Answers of a problem, at most. */
const MAX_ASKED = 200;

/** A problem of a teacher's numbers. Known mistakes that these do not tell apart are listed.
 * @param {Glassformer} gf @param {Pick<Problem, 'recipe' | 'seed' | 'level' | 'policy'>} head @param {Recipe} recipe @param {Drawn} drawn
 * @param {ExerciseOptions} options
 * @returns {Problem} */
function givenProblem(gf, head, recipe, drawn, options) {
  const where = 'exercise: given';
  const work = new Work(gf, recipe, drawn, head.policy);
  try {
    const { asked, shown } = askedAt(work, head.level);
    const n = asked.length;
    if (n > MAX_ASKED) throw rangeError('tooManyAsked', { where, n, most: MAX_ASKED });
    const cells = asked.map((cell) => solvable(work, cell));
    const odd = cells.find((cell) => !isAnswer(cell.value, cell, cells));
    if (odd) throw rangeError('unanswerable', { where, cell: odd.name });
    measure(work, cells);
    const rows = new Map(mistakes(gf, work, cells));
    const distinct = [...rows].filter(([name, row]) => {
      const others = [...rows].flatMap(([other, numbers]) => (other === name ? [] : [numbers]));
      return row.every((x, i) => isAnswer(x, cells[i], cells)) && isDistinct(row, others, cells);
    });
    const names = distinct.map(([name]) => name);
    return {
      ...head,
      ...factsOf(drawn),
      ...solvedOf(work, cells, shown, new Map(distinct)),
      ...worthOf(work, options, head.level),
      indistinct: [...rows.keys()].filter((name) => !names.includes(name)),
    };
  } finally {
    work.dispose();
  }
}

/** @param {Glassformer} gf @param {Work} work @param {Level} level
 * @returns {Pick<Problem, 'asked' | 'shown' | 'solution' | 'misconceptions'> | null} */
function problemOf(gf, work, level) {
  const { asked, shown } = askedAt(work, level);
  const isFit = asked.every((cell) => {
    const x = work.valueAt(cell);
    return x === 0 || x === -Infinity || (Number.isFinite(x) && Math.abs(x) >= MIN_ASKED);
  });
  if (!isFit) return null;
  /* Far too near to the truth is soon seen, before the bands are known. */
  const cells = asked.map((cell) => solvable(work, cell));
  const rows = distinctMistakes(gf, work, cells);
  if (!rows) return null;
  measure(work, cells);
  const all = [...rows.values()];
  if (!all.every((row, i) => isDistinct(row, all.slice(0, i), cells))) return null;
  return solvedOf(work, cells, shown, rows);
}

/** @param {Work} work @param {readonly import('./distinct.js').Solved[]} cells @param {readonly Cell[]} shown
 * @param {ReadonlyMap<string, number[]>} rows what each known mistake makes of the cells
 * @returns {Pick<Problem, 'asked' | 'shown' | 'solution' | 'misconceptions'>} */
function solvedOf(work, cells, shown, rows) {
  /** The cells that a mistake changes. @param {number[]} row */
  const changed = (row) =>
    cells.flatMap(({ name, value, spread }, i) =>
      isApart(row[i], value, spread / APART) ? [[name, short(row[i])]] : [],
    );
  return {
    asked: cells.map(({ name }) => name),
    shown: Object.fromEntries(shown.map((cell) => [cell.name, short(work.valueAt(cell))])),
    solution: Object.fromEntries(
      cells.map(({ name, value, band }) => [name, { value: short(value), band: short(band) }]),
    ),
    misconceptions: Object.fromEntries(
      [...rows].map(([name, row]) => [name, Object.fromEntries(changed(row))]),
    ),
  };
}
