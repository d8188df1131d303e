// Marks each cell: whether it is right, follows from the learner's own numbers, or comes from a known mistake or a small
// slip.

import { agrees } from '../../../js/number/judge.js';
import { FOLLOW } from '../problem/points.js';
import { halfUnit } from '../problem/problem.js';
import { coarseHalf, earlyNumbers } from './early.js';
import { addTo, bestOf, nothing } from './explain.js';
import { slipOf } from './slips.js';
import { isNearby } from './states.js';
import { isAlike, isStock, isTrivial } from './stock.js';

/** @typedef {import('../problem/problem.js').Cell} Cell */
/** @typedef {import('../../../js/number/read.js').NumberRead} NumberRead */
/** @typedef {import('./answers.js').Answer} Answer */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./slips.js').Slip} Slip */
/** @typedef {import('./states.js').PreparedProblem} PreparedProblem */
/** @typedef {import('./states.js').Mistake} Mistake */

/** right; right, but rounded too early, or written in too few digits; as it follows from the learner's own numbers; a mistake or a slip that is known;
 * a stock answer, which nobody computed; right in another variant; wrong; not there; not to be read as a number
 * @typedef {'right' | 'early-rounding' | 'few-digits' | 'carried' | `misconception:${string}` | `slip:${Slip}`
 *   | 'stock' | 'variant' | 'wrong' | 'empty' | 'unreadable'} State */

/**
 * @typedef {object} Marked
 * @property {State} state
 * @property {number} points the part of its points that the cell earns, 0 to 1
 * @property {number} [read] the number that was read
 * @property {number} [follows] what follows from the learner's own numbers, or has more digits
 * @property {string} [misconception] its name
 * @property {number} [at] of an answer that cannot be read: the place, from 0
 * @property {'zero' | 'large' | 'none'} [why] of an answer without a value: it divides by zero, is too large, or outside what a
 *   function takes
 */

/** What a cell is before anything is explained: it fails, if it is none of the others.
 * @typedef {'right' | 'follows' | 'few' | 'early' | 'fails'} Kind */

/** A step as it is judged. carries: whether what follows is computed from its numbers; isWrong: whether it is wrong as a whole,
 * not by a slip alone.
 * @typedef {{ step: string, failing: Cell[], mistake: string | null, isStock: boolean, carries: boolean,
 *   isWrong: boolean }} Judged */

/** A step before was rounded too early, or the answer itself too far: half of the points are lost. */
const EARLY = 0.5;

/** Fewer wrong cells of a step are a slip. */
const MANY = 2;

/** Mistakes that leave out a step, which the learner may have worked out and not used. */
const SKIPPING = ['no-scaling', 'scale-forgotten'];

/** Slips that a known mistake makes, too. @type {Slip[]} */
const COMMON = ['place', 'before'];

/** Kinds of cells that are not quite right. */
const OFF = ['few', 'early', 'fails'];

/** One learner's answers to a problem, as they are marked. */
export class Marking {
  /** @type {Map<string, number>} */
  #numbers;
  /** Steps whose numbers carry nothing. @type {Set<string>} */
  #blocked = new Set();
  /** What follows by the other way that a step may be worked out. @type {Map<string, ArrayLike<number>>} */
  #otherwise = new Map();
  /** What each cell is before it is explained. @type {Map<string, Kind>} */
  #kinds = new Map();
  /** @type {Map<string, Slip | null>} */
  #slips = new Map();
  /** The mistake that was found in each step. @type {Map<string, string | null>} */
  #named = new Map();
  /** What each mistake explains in each step. @type {Map<string, Explanation>} */
  #explanations = new Map();
  /** What each mistake makes of the learner's numbers, up to some step. @type {Map<string, import('../machine/machine.js').Numbers>} */
  #mistaken = new Map();
  /** @type {ReturnType<typeof earlyNumbers> | null} */
  #early = null;
  /** The learner's numbers, as the next step reads them. @type {import('../machine/machine.js').Change} */
  #carry = () => undefined;

  /** @param {PreparedProblem} problem @param {Map<string, Answer>} answers */
  constructor(problem, answers) {
    this.problem = problem;
    this.answers = answers;
    this.#numbers = new Map(
      [...answers].flatMap(([name, answer]) =>
        answer && 'value' in answer ? [[name, answer.value]] : [],
      ),
    );
    /** The asked cells that have a number, by step. */
    this.steps = [...problem.cellsOf]
      .filter(([, cells]) => cells.length)
      .map(([step, cells]) => ({
        step,
        written: cells.filter((cell) => this.#answerTo(cell) !== null),
      }));
    /** What each step comes to, from the learner's numbers. @type {import('../machine/machine.js').Numbers} */
    this.follows = new Map();
  }

  /** What the learner wrote in a cell, if that is a number. @param {Cell} cell */
  #answerTo({ name }) {
    return this.#numbers.get(name) ?? null;
  }

  /** What follows in a cell from the learner's own numbers. @param {Cell} cell */
  #followingIn({ step, offset }) {
    return /** @type {Float32Array} */ (this.follows.get(step))[offset];
  }

  // ---- What follows from the learner's numbers ----

  /** Runs the right machine on the learner's numbers. */
  #run() {
    const { work, cellsOf } = this.problem;
    const { machine } = work;
    this.#carry = (step, computed) => {
      const cells = this.#blocked.has(step) ? [] : (cellsOf.get(step) ?? []);
      if (!cells.length) return undefined;
      const numbers = computed.slice();
      for (const cell of cells) numbers[cell.offset] = this.#answerTo(cell) ?? numbers[cell.offset];
      return numbers;
    };
    this.follows = machine.run((name, computed) => {
      const step = machine.step(name);
      if (step.otherwise) {
        this.#otherwise.set(
          name,
          step.otherwise((before) => machine.values(before)),
        );
      }
      return this.#carry(name, computed);
    });
  }

  /** @param {Cell} cell that has a number
   * @returns {Kind} */
  #kindOf(cell) {
    const { problem } = this;
    const answer = /** @type {number} */ (this.#answerTo(cell));
    if (agrees(answer, problem.work.valueAt(cell), problem.bandOf(cell))) return 'right';
    if (this.#numberBehind(cell) !== undefined) return 'follows';
    return this.#cutNumber(cell) === undefined ? 'fails' : 'few';
  }

  /** Half a unit of the last digit that was written, if these are fewer than are asked. @param {Cell} cell that has a number */
  #coarseAt({ name }) {
    const { written } = /** @type {{ written: NumberRead }} */ (this.answers.get(name));
    return coarseHalf(written, this.problem.work.policy);
  }

  /** The number that an answer is in too few digits. A 0 has as many as the rest of its row.
   * @param {Cell} cell that has a number */
  #cutNumber(cell) {
    const answer = /** @type {number} */ (this.#answerTo(cell));
    const half = answer === 0 ? this.#coarseBeside(cell) : this.#coarseAt(cell);
    if (!half) return undefined;
    const { work, bandOf } = this.problem;
    const values = [work.valueAt(cell), this.#followingIn(cell)];
    /* What is rounded before moves a number as it does that of all digits. */
    const more = (/** @type {number} */ value) => bandOf(cell) - halfUnit(work.policy, value);
    return values.find((value) => agrees(answer, value, half + more(value)));
  }

  /** Half a unit of the last digit in a cell's row, if all others that are not 0 are right in too few digits; 0 if not.
   * @param {Cell} cell */
  #coarseBeside(cell) {
    const { rowOf } = this.problem;
    const row = this.#writtenIn(cell.step).filter(
      (other) => rowOf(other) === rowOf(cell) && this.#answerTo(other),
    );
    const halves = row.map((other) =>
      this.#kindOf(other) === 'fails' ? 0 : this.#coarseAt(other),
    );
    return row.length ? Math.min(...halves) : 0;
  }

  /** @param {Cell} cell that has a number */
  #kindAt({ name }) {
    return /** @type {Kind} */ (this.#kinds.get(name));
  }

  /** The number that an answer follows from the learner's others as, in one of the ways that are taught. @param {Cell} cell */
  #numberBehind(cell) {
    const answer = /** @type {number} */ (this.#answerTo(cell));
    const { step, offset } = cell;
    return [this.#followingIn(cell), this.#otherwise.get(step)?.[offset]].find(
      (one) => one !== undefined && this.problem.follows(cell, answer, one, this.#carry),
    );
  }

  /** Whether a failing cell comes from a step that is not asked, rounded too early. @param {Cell} cell */
  #isEarly(cell) {
    const { work, cellsOf } = this.problem;
    this.#early ??= earlyNumbers(
      this.problem.aside,
      (step) => !!cellsOf.get(step)?.length,
      this.#carry,
    );
    const { written, value: answer } = /** @type {Extract<Answer, { value: number }>} */ (
      this.answers.get(cell.name)
    );
    const coarse = Number(written.significant) > 1 ? coarseHalf(written, work.policy) : 0;
    const ways = this.#early.get(cell.step) ?? [];
    return ways.some(({ numbers, within }) => {
      const value = numbers[cell.offset];
      const half = Math.max(coarse, halfUnit(work.policy, value));
      return agrees(answer, value, half + (within[cell.offset] ?? 0));
    });
  }

  // ---- What lies behind the cells that fail ----

  /** @param {Cell} cell that fails */
  #slipOf(cell) {
    const cached = this.#slips.get(cell.name);
    if (cached !== undefined) return cached;
    const { machine, policy } = this.problem.work;
    const digits = 'digits' in policy ? policy.digits : 3;
    const slip = slipOf(
      machine,
      machine.step(cell.step),
      cell.offset,
      /** @type {number} */ (this.#answerTo(cell)),
      /** @type {Float32Array} */ (this.follows.get(cell.step)),
      this.problem.bandOf(cell),
      digits,
    );
    this.#slips.set(cell.name, slip);
    return slip;
  }

  /** What a mistake explains that has a part in the problem, in a step or in all of them.
   * @param {string} name @param {string} [step]
   * @returns {Explanation} */
  #explanationOf(name, step) {
    const key = `${name} ${step ?? ''}`;
    const cached = this.#explanations.get(key);
    if (cached) return cached;
    const explanation = nothing();
    const mistake = /** @type {Mistake} */ (this.problem.mistake(name));
    for (const one of this.steps) {
      if (step === undefined) addTo(explanation, this.#explanationOf(name, one.step));
      else if (one.step === step)
        this.#compare(mistake, one.written, this.#made(mistake, name, step), explanation);
    }
    this.#explanations.set(key, explanation);
    return explanation;
  }

  /** Whether a mistake may make a whole row that has a failing cell: no number of it is far from what the mistake makes. This
   * takes no bands, and few mistakes pass.
   * @param {string} name @param {readonly Cell[]} written in the step @param {readonly Cell[]} here those that fail */
  #mayExplain(name, written, here) {
    const { problem } = this;
    const mistake = /** @type {Mistake} */ (problem.mistake(name));
    const made = this.#made(mistake, name, here[0].step);
    const rows = new Set(here.map(problem.rowOf));
    for (const cell of written) {
      const answer = /** @type {number} */ (this.#answerTo(cell));
      const ways = [made[cell.offset], mistake.valueAt(cell)];
      if (!ways.some((value) => isNearby(answer, value, problem.bandOf(cell))))
        rows.delete(problem.rowOf(cell));
    }
    return rows.size > 0;
  }

  /** What a mistake makes of a step. Steps behind it are run only if they are looked at.
   * @param {Mistake} mistake @param {string} name @param {string} step */
  #made(mistake, name, step) {
    const before = this.#mistaken.get(name)?.get(step);
    if (before) return before;
    /* A mistake is looked for in what a step does: numbers that carry nothing are the right ones for it, too. */
    const carry = (/** @type {string} */ one, /** @type {Float32Array} */ computed) =>
      this.#blocked.has(one) ? this.follows.get(one) : this.#carry(one, computed);
    const numbers = mistake.machine.run(carry, this.#mistaken.has(name) ? undefined : step);
    this.#mistaken.set(name, numbers);
    return /** @type {Float32Array} */ (numbers.get(step));
  }

  /** Whether a mistake may be made of a step without the learner's numbers before it: what it changes first, or, where it leaves
   * a step out, all behind that. @param {Mistake} mistake @param {readonly Cell[]} written in the step */
  #mayBeApart(mistake, written) {
    if (!written.length || this.#isBehind(written[0].step, this.#blocked)) return false;
    const [first] = mistake.changed;
    return (
      first === written[0].step || SKIPPING.some((name) => this.problem.mistake(name) === mistake)
    );
  }

  /** Whether an answer is what a mistake makes. @param {Mistake} mistake @param {Cell} cell @param {number} value */
  #isMadeBy(mistake, cell, value) {
    const answer = /** @type {number} */ (this.#answerTo(cell));
    return mistake.makes(cell, answer, value, this.problem.bandOf(cell));
  }

  /** @param {Mistake} mistake @param {readonly Cell[]} written
   * @param {Float32Array} made by the mistake @param {Explanation} explanation */
  #compare(mistake, written, made, { cells, against, fits, whole, apart }) {
    const { rowOf, bandOf } = this.problem;
    const isIt = (/** @type {Cell} */ cell, /** @type {number} */ value) =>
      this.#isMadeBy(mistake, cell, value);
    /** The rows that some numbers do not make. @param {readonly Cell[]} all @param {(cell: Cell) => number} numberIn */
    const missedIn = (all, numberIn) =>
      new Set(all.filter((cell) => !isIt(cell, numberIn(cell))).map(rowOf));
    const missed = missedIn(written, ({ offset }) => made[offset]);
    /* A whole row may come from the right numbers: then those before it are another slip. */
    const left = this.#mayBeApart(mistake, written)
      ? written.filter((cell) => missed.has(rowOf(cell)))
      : [];
    const broken = left.length ? missedIn(left, (cell) => mistake.valueAt(cell)) : missed;
    const isApart = left.some((cell) => !broken.has(rowOf(cell)));
    for (const cell of written) {
      const row = rowOf(cell);
      if (isApart && !isIt(cell, mistake.valueAt(cell))) apart.add(cell.name);
      const isOther = missed.has(row) && !broken.has(row);
      const value = isOther ? mistake.valueAt(cell) : made[cell.offset];
      const isMade = isOther || isIt(cell, value);
      if (isMade) fits.add(cell.name);
      if (!broken.has(row)) whole.add(cell.name);
      if (agrees(value, this.#followingIn(cell), bandOf(cell))) continue;
      (isMade ? cells : against).add(cell.name);
    }
  }

  // ---- Steps ----

  /** Looks at every cell, as far as it is known which steps carry their numbers on.
   * @returns {Cell[]} what is not quite right */
  #look() {
    this.#slips.clear();
    this.#explanations.clear();
    this.#mistaken.clear();
    this.#early = null;
    this.#run();
    const written = this.steps.flatMap((one) => one.written);
    for (const cell of written) {
      const kind = this.#kindOf(cell);
      this.#kinds.set(cell.name, kind === 'fails' && this.#isEarly(cell) ? 'early' : kind);
    }
    return written.filter((cell) => OFF.includes(this.#kindAt(cell)));
  }

  /** @param {Marking['steps'][number]} step @param {readonly Cell[]} off what is not quite right, in every step
   * @returns {Judged} */
  #judge({ step, written }, off) {
    const here = off.filter((cell) => cell.step === step);
    const failing = here.filter((cell) => this.#kindAt(cell) === 'fails');
    const isLost = this.#isBehind(step, this.#blocked);
    const { best, isMade } = this.#foundIn(written, here, failing, off, isLost);
    const all = this.#judgedWith(written);
    const wrong = all.filter((cell) => this.#kindAt(cell) === 'fails');
    const isMany = failing.length > 0 && (wrong.length >= MANY || isLost);
    const judged = { step, failing, mistake: best?.name ?? null, isStock: false, carries: true };
    /* Numbers that nobody computed may be by chance what a mistake makes of a part of them. */
    const mayBeStock = isLost || (failing.length > 1 && !isMade);
    const isStocked = isMany && mayBeStock && this.#isStock(step, written);
    const isWrong = 2 * wrong.length >= all.length || this.#isThroughout(judged);
    if (!isMany) return { ...judged, isWrong: judged.mistake !== null && isWrong };
    if (isStocked) return { ...judged, mistake: null, isStock: true, carries: false, isWrong };
    const carries = isMade || ((best !== null || !isLost) && this.#mayCarry(all, best));
    return { ...judged, carries, isWrong };
  }

  /** The mistake behind a step, and whether it makes every number. Behind stock answers trivial numbers are no mistake, nor is what
   * makes but a part.
   * @param {readonly Cell[]} written @param {readonly Cell[]} here @param {readonly Cell[]} failing @param {readonly Cell[]} off
   * @param {boolean} isLost whether it is behind stock answers */
  #foundIn(written, here, failing, off, isLost) {
    const isNothing = isLost && failing.every((cell) => isTrivial(this.#answerTo(cell) ?? 0));
    const best = isNothing ? null : this.#mistakeIn(written, here, failing, off);
    const isMade = this.#isMade(written, best?.name);
    return { best: isMade || !isLost ? best : null, isMade };
  }

  /** Whether a mistake makes every number of a step. @param {readonly Cell[]} written in it @param {string | null} [mistake] */
  #isMade(written, mistake) {
    if (!mistake) return false;
    const { whole } = this.#explanationOf(mistake, written[0].step);
    return written.every((cell) => whole.has(cell.name));
  }

  /** The cells that a step is judged by: steps of one cell are judged together. @param {readonly Cell[]} written
   * @returns {readonly Cell[]} */
  #judgedWith(written) {
    if (written.length !== 1) return written;
    return this.steps.flatMap((one) => (one.written.length === 1 ? one.written : []));
  }

  /** The mistake behind a step. One wrong cell among others is looked at as a slip first; numbers that are right but for their
   * digits come from a mistake only if that makes each to its last digit.
   * @param {readonly Cell[]} written in the step @param {readonly Cell[]} here those that are not quite right
   * @param {readonly Cell[]} failing those that are wrong @param {readonly Cell[]} off not quite right, in every step */
  #mistakeIn(written, here, failing, off) {
    if (!here.length) return null;
    const isOne = here.length === 1 && failing.length === 1 && written.length > 1;
    const slip = isOne ? this.#slipOf(here[0]) : null;
    if (slip !== null && !COMMON.includes(slip)) return null;
    /* Rounding makes a row of 0 and 1, too. */
    const isTelling =
      here.some((cell) => !isTrivial(this.#answerTo(cell) ?? 0)) ||
      new Set(here.map(this.problem.rowOf)).size > 1;
    const names = this.problem
      .mistakesIn(here[0].step)
      .filter((name) => this.#mayExplain(name, written, here))
      .filter((name) => !this.#isRefuted(name, here[0].step))
      .filter(
        (name) => failing.length || (isTelling && here.every((cell) => this.#isSharp(name, cell))),
      );
    const of = (/** @type {string} */ name, /** @type {string | undefined} */ step) =>
      this.#explanationOf(name, step);
    const best = bestOf(names, of, written, failing.length ? failing : here, off);
    return failing.length || best?.name ? best : null;
  }

  /** Whether a step before shows that a mistake was not made: it would change that, where nothing is wrong but for its digits.
   * @param {string} name @param {string} step */
  #isRefuted(name, step) {
    const mistake = /** @type {Mistake} */ (this.problem.mistake(name));
    const [, ...behind] = mistake.changed;
    const isSkipping = SKIPPING.includes(name);
    return (isSkipping ? behind : [...mistake.changed]).some((before) => {
      const all = this.#writtenIn(before);
      if (!this.#isBehind(step, new Set([before])) || this.#named.get(before) === name)
        return false;
      if (all.some((cell) => this.#kindAt(cell) === 'fails')) return false;
      const { cells, against } = this.#explanationOf(name, before);
      const isAlone = (/** @type {Cell} */ cell) =>
        this.#isMadeBy(mistake, cell, mistake.valueAt(cell));
      return cells.size + against.size > 0 || (isSkipping && !all.every(isAlone));
    });
  }

  /** Whether a mistake makes an answer to the last digit that is asked; a single number of fewer digits, if it has no more itself.
   * @param {string} name @param {Cell} cell */
  #isSharp(name, cell) {
    const isFew = this.#kindAt(cell) === 'few';
    if (isFew && Number(this.problem.cellsOf.get(cell.step)?.length) > 1) return false;
    const mistake = /** @type {Mistake} */ (this.problem.mistake(name));
    const made = this.#made(mistake, name, cell.step)[cell.offset];
    const half = isFew ? 0 : halfUnit(this.problem.work.policy, made);
    return agrees(/** @type {number} */ (this.#answerTo(cell)), made, half);
  }

  /** Whether what follows is computed from a step's numbers: at least half of those that need arithmetic are the learner's own,
   * or what a mistake makes; any, where two mistakes make as much.
   * @param {readonly Cell[]} cells @param {{ name: string | null } | null} best */
  #mayCarry(cells, best) {
    if (best?.name === null) return true;
    const telling = cells.filter((cell) => !isTrivial(this.#followingIn(cell)));
    const isOwn = (/** @type {Cell} */ cell) =>
      this.#kindAt(cell) !== 'fails' ||
      (best?.name && this.#explanationOf(best.name, cell.step).whole.has(cell.name));
    const all = telling.length ? telling : cells;
    return 2 * all.filter(isOwn).length >= all.length && this.#hasArithmetic(cells);
  }

  /** Whether a step has a number that the learner computed rightly. @param {readonly Cell[]} cells */
  #hasArithmetic(cells) {
    const telling = cells.filter((cell) => !isTrivial(this.#followingIn(cell)));
    const isSingle = new Set(cells.map(({ step }) => step)).size > 1;
    return (telling.length ? telling : cells).some((cell) => {
      const kind = this.#kindAt(cell);
      return isSingle ? kind === 'right' : kind !== 'fails';
    });
  }

  /** @param {string} step @param {readonly Cell[]} written */
  #isStock(step, written) {
    const { work, cellsOf, rowOf } = this.problem;
    /** @type {Map<string, number[]>} */
    const rows = new Map();
    for (const cell of written) {
      const row = rows.get(rowOf(cell)) ?? [];
      rows.set(rowOf(cell), [...row, /** @type {number} */ (this.#answerTo(cell))]);
    }
    const { machine, program } = work;
    const before = machine.steps.slice(0, machine.steps.indexOf(machine.step(step)));
    const names = [
      ...Object.keys(program.leaves),
      ...before.filter(({ name }) => cellsOf.get(name)?.length).map(({ name }) => name),
    ];
    const size = machine.values(step).length;
    const copied = names
      .map((name) => machine.values(name))
      .filter(({ length }) => length === size);
    return isStock(
      [...rows.values()],
      copied,
      written.map(({ offset }) => offset),
      this.#hasArithmetic(written),
    );
  }

  /** Judges every step, from the first on again once it is known that one carries nothing.
   * @returns {Judged[]} */
  #settled() {
    for (;;) {
      const off = this.#look();
      const judged = [];
      for (const step of this.steps) {
        const one = this.#judge(step, off);
        judged.push(one);
        this.#named.set(step.step, one.mistake);
        if (!one.carries && !this.#blocked.has(one.step)) break;
      }
      const { step, carries } = judged[judged.length - 1];
      if (carries || this.#blocked.has(step)) return judged;
      this.#blocked.add(step);
    }
  }

  /** The steps whose numbers come, by whatever way, from one that is wrong as a whole. @param {readonly Judged[]} judged */
  #behind(judged) {
    const wrong = new Set(
      judged
        .filter(({ isWrong, step }) => isWrong && !this.#blocked.has(step))
        .map(({ step }) => step),
    );
    return new Set(
      this.steps.map(({ step }) => step).filter((step) => this.#isBehind(step, wrong)),
    );
  }

  /** Whether a step is computed, by whatever way, from one of others. @param {string} name @param {ReadonlySet<string>} others
   * @returns {boolean} */
  #isBehind(name, others) {
    const { of } = this.problem.work.machine.step(name) ?? { of: [] };
    return (
      others.size > 0 &&
      of.some((operand) => others.has(operand) || this.#isBehind(operand, others))
    );
  }

  // ---- Marks ----

  /** @returns {Record<string, Marked>} */
  marks() {
    const judged = this.#settled();
    const behind = this.#behind(judged);
    const follow = FOLLOW[this.problem.follow];
    const isNothing = this.#isStockSheet(judged);
    /** Mistakes that were charged, and where. @type {Map<string, string>} */
    const charged = new Map();
    const marked = judged.map((one) => {
      const { step, mistake } = one;
      const first = mistake === null ? step : (charged.get(mistake) ?? step);
      if (mistake) charged.set(mistake, first);
      return { one, isLater: first !== step };
    });
    /** @type {Record<string, Marked>} */
    const cells = {};
    let isAllRight = true;
    for (const { one, isLater } of marked) {
      const isThroughout = this.#isThroughout(one);
      const isVoid = isNothing || one.isStock || (!isLater && isThroughout);
      for (const cell of this.problem.cellsOf.get(one.step) ?? []) {
        const part = behind.has(one.step) ? follow : 1;
        const mark = this.#markOf(cell, one, {
          ...{ part, later: isLater ? follow : 0, isAllRight, isThroughout, isNothing },
        });
        cells[cell.name] = isVoid ? { ...mark, points: 0 } : mark;
        isAllRight &&= !OFF.includes(this.#kindAt(cell));
      }
    }
    if (!isNothing) this.#tellApart(judged, cells);
    return cells;
  }

  /** Says of right numbers behind a wrong step what the learner's own would give, where that is another number.
   * @param {readonly Judged[]} judged @param {Record<string, Marked>} cells */
  #tellApart(judged, cells) {
    const wrong = new Set(judged.flatMap((one) => (one.isWrong ? [one.step] : [])));
    const right = this.steps
      .filter(({ step }) => this.#isBehind(step, wrong))
      .flatMap(({ written }) => written.filter((cell) => this.#kindAt(cell) === 'right'));
    if (!right.length) return;
    this.#blocked.clear();
    this.#run();
    for (const cell of right) {
      const value = this.#followingIn(cell);
      /* What cannot be computed is no number to be told. */
      if (!Number.isNaN(value) && this.#numberBehind(cell) === undefined)
        cells[cell.name].follows = value;
    }
  }

  /** Whether a mistake was made in all of a step: no cell of it shows that the learner knows better. @param {Pick<Judged, 'step' | 'mistake'>} judged */
  #isThroughout({ step, mistake }) {
    if (mistake === null) return false;
    const { against, apart } = this.#explanationOf(mistake, step);
    return this.#writtenIn(step).every(({ name }) => !against.has(name) && !apart.has(name));
  }

  /** @param {string} step */
  #writtenIn(step) {
    return this.steps.find((one) => one.step === step)?.written ?? [];
  }

  /** Whether the sheet is one number throughout, and not right; or each step of it is, and half of a step is not right: one slip
   * may make such steps, too. @param {readonly Judged[]} judged */
  #isStockSheet(judged) {
    const steps = this.steps.map(({ written }) =>
      written.map((cell) => this.#answerTo(cell) ?? 0).filter((x) => x !== -Infinity),
    );
    const isOne = (/** @type {number[]} */ step) =>
      isAlike(step) && (step.length > 1 || step.every(isTrivial));
    const parts = judged.map(({ step, failing }) => failing.length / this.#writtenIn(step).length);
    const isMany = this.#numbers.size > MANY;
    const isSheet = parts.some((part) => part > 0) && isAlike(steps.flat());
    return isMany && (isSheet || (parts.some((part) => part >= 0.5) && steps.every(isOne)));
  }

  /** Whether a slip in a step would be a guess: most of its numbers are wrong, in more than one way. @param {Judged} judged */
  #isGuess({ step, failing, mistake }) {
    const whole = mistake ? this.#explanationOf(mistake, step).whole : new Set();
    const left = failing.filter((cell) => !whole.has(cell.name));
    const isMost = left.length > MANY && 2 * left.length > this.#writtenIn(step).length;
    return isMost && new Set(left.map((cell) => this.#slipOf(cell))).size > 1;
  }

  /** @param {Cell} cell @param {Judged} judged its step
   * @param {{ part: number, later: number, isAllRight: boolean, isThroughout: boolean, isNothing: boolean }} worth part: what it earns if it follows;
   * later: if it comes from a mistake that was charged before; isAllRight: whether no cell before it fails; isThroughout: whether
   * the step's mistake was made in all of it; isNothing: whether the sheet is one of stock answers
   * @returns {Marked} */
  #markOf(cell, judged, { part, later, isAllRight, isThroughout, isNothing }) {
    const answer = this.answers.get(cell.name);
    if (!answer) return { state: 'empty', points: 0 };
    if ('at' in answer) return { state: 'unreadable', points: 0, ...answer };
    const read = answer.value;
    const kind = this.#kindAt(cell);
    if (kind === 'right' || (kind === 'follows' && isAllRight))
      return { state: 'right', points: 1, read };
    if (kind === 'follows') {
      return { state: 'carried', points: part, read, follows: this.#numberBehind(cell) };
    }
    if (isNothing || judged.isStock) return { state: 'stock', points: 0, read };
    return { ...this.#offMark(cell, judged, later, isThroughout), read };
  }

  /** The mark of a cell that is not quite right. @param {Cell} cell @param {Judged} judged @param {number} later
   * @param {boolean} isThroughout
   * @returns {Marked} */
  #offMark(cell, judged, later, isThroughout) {
    const kind = this.#kindAt(cell);
    const { mistake } = judged;
    const isMade = mistake && this.#explanationOf(mistake, cell.step).whole.has(cell.name);
    if (isMade && (kind !== 'few' || isThroughout)) {
      return { state: `misconception:${mistake}`, points: later, misconception: mistake };
    }
    if (kind === 'few')
      return { state: 'few-digits', points: EARLY, follows: this.#cutNumber(cell) };
    if (kind === 'early') return { state: 'early-rounding', points: EARLY };
    const slip = this.#isGuess(judged) ? null : this.#slipOf(cell);
    return { state: slip ? `slip:${slip}` : 'wrong', points: 0 };
  }
}
