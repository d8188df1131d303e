// Marks each cell: whether it is right, follows from the learner's own numbers, or comes from a known mistake or a small
// slip.

import { agrees, TOLERANCE } from '../../../js/number/judge.js';
import { FOLLOW } from '../problem/points.js';
import { halfUnit } from '../problem/problem.js';
import { coarseHalf, earlyNumbers } from './early.js';
import { addTo, bestOf, nothing } from './explain.js';
import { misreadOf } from './misread.js';
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

/** right; right, but rounded too early, rounded down, or written in too few digits; as it follows from the learner's own numbers; a mistake or a slip that is known;
 * from a given number that was misread; as it follows from numbers that are not carried on; a stock answer; right in another variant;
 * wrong; not there; not to be read as a number
 * @typedef {'right' | 'early-rounding' | 'rounded-down' | 'few-digits' | 'carried' | `misconception:${string}` | `slip:${Slip}`
 *   | 'misread' | 'loose' | 'stock' | 'variant' | 'wrong' | 'empty' | 'unreadable'} State */

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

/** What a cell is before anything is explained: it fails, if it is none of the others. misread: the first that comes from a given
 * number which was misread; the others follow.
 * @typedef {'right' | 'follows' | 'few' | 'down' | 'early' | 'misread' | 'fails'} Kind */

/** A step as it is judged. isUnclear: whether several known mistakes explain it as well as each other; carries: whether what follows is computed from its numbers; isWrong: whether it is wrong as a whole,
 * not by a slip alone.
 * @typedef {{ step: string, failing: Cell[], mistake: string | null, isUnclear: boolean, isStock: boolean, carries: boolean,
 *   isWrong: boolean }} Judged */

/** What cells of a step earn. part: one that follows; later: one that comes from a mistake that was charged before; isAllRight: whether
 * no cell before fails; isThroughout: whether the step's mistake was made in all of it; isWorked: whether the step was computed from
 * numbers that are not carried on; isNothing: whether the sheet is one of stock answers
 * @typedef {{ part: number, later: number, isAllRight: boolean, isThroughout: boolean, isWorked: boolean,
 *   isNothing: boolean }} Worth */

/** A step before was rounded too early, or the answer itself too far: half of the points are lost. */
const EARLY = 0.5;

/** Fewer wrong cells of a step are a slip. */
const MANY = 2;

/** Mistakes that leave out a step, which the learner may have worked out and not used. */
const SKIPPING = ['no-scaling', 'scale-forgotten'];

/** Slips that a known mistake makes, too. @type {Slip[]} */
const COMMON = ['place', 'before'];

/** Kinds of cells that are not quite right. */
const OFF = ['few', 'down', 'early', 'misread', 'fails'];

/** One learner's answers to a problem, as they are marked. */
export class Marking {
  /** @type {Map<string, number>} */
  #numbers;
  /** Steps whose numbers carry nothing. @type {Set<string>} */
  #blocked = new Set();
  /** What each step comes to if those are carried on all the same. @type {import('../machine/machine.js').Numbers | null} */
  #loosely = null;
  /** Given numbers that were misread, by the first cell that shows it. @type {Map<string, import('./misread.js').Misread>} */
  #misread = new Map();
  /** Steps that are wrong as a whole. @type {Set<string>} */
  #wrong = new Set();
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

  /** @param {PreparedProblem} problem @param {Map<string, Answer>} answers @param {boolean} isListed whether the variants of others
   * are known */
  constructor(problem, answers, isListed) {
    this.problem = problem;
    this.isListed = isListed;
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
    this.follows = this.#reading([...this.#misread.values()], () =>
      machine.run((name, computed) => {
        const step = machine.step(name);
        if (step.otherwise) {
          this.#otherwise.set(
            name,
            step.otherwise((before) => machine.values(before)),
          );
        }
        return this.#carry(name, computed);
      }),
    );
  }

  /** Runs the right machine with given numbers as they were read. @template T
   * @param {readonly import('./misread.js').Misread[]} misread @param {() => T} run */
  #reading(misread, run) {
    const { machine } = this.problem.work;
    const before = misread.map(({ leaf, offset, value }) => {
      const numbers = machine.values(leaf);
      const right = numbers[offset];
      numbers[offset] = value;
      return { leaf, offset, right };
    });
    const result = run();
    for (const { leaf, offset, right } of before.reverse()) machine.values(leaf)[offset] = right;
    return result;
  }

  /** Whether a given number that was misread explains what fails in a step: then the rest follows from it.
   * @param {Judged} judged */
  #isMisread({ step, failing, mistake, isUnclear, isStock }) {
    const whole = mistake === null ? null : this.#explanationOf(mistake, step).whole;
    const isOther =
      isStock || isUnclear || failing.every((cell) => whole?.has(cell.name) || this.#isLoose(cell));
    const wrong = this.steps
      .flatMap(({ written }) => written)
      .filter((cell) => this.#kindAt(cell) === 'fails');
    /* One wrong cell may be any slip, unless steps behind it have the same misread number. */
    const behind = failing.length < MANY ? wrong.filter((cell) => cell.step !== step) : [];
    const isFew = failing.length + behind.length < MANY || !failing.length;
    if (isFew || isOther || this.#isBehind(step, this.#blocked)) return false;
    const { work, copied, bandOf } = this.problem;
    const before = [...this.#misread.values()];
    const leaves = (copied.get(step) ?? []).map((leaf) => ({
      leaf,
      numbers: work.machine.values(leaf).slice(),
    }));
    const runWith = (
      /** @type {import('./misread.js').Misread} */ one,
      /** @type {string} */ last = '',
    ) => this.#reading([...before, one], () => work.machine.run(this.#carry, last));
    const made = (/** @type {import('./misread.js').Misread} */ one) =>
      /** @type {Float32Array} */ (runWith(one, step).get(step));
    /** How many of the numbers behind come from it, too. @param {import('./misread.js').Misread} one */
    const explained = (one) => {
      if (!behind.length) return MANY;
      const numbers = runWith(one);
      return behind.filter((cell) => {
        const made = /** @type {Float32Array} */ (numbers.get(cell.step));
        return agrees(Number(this.#answerTo(cell)), made[cell.offset], bandOf(cell));
      }).length;
    };
    const written = this.#writtenIn(step).map((cell) => ({
      cell,
      answer: /** @type {number} */ (this.#answerTo(cell)),
      band: bandOf(cell),
      fails: this.#kindAt(cell) === 'fails',
    }));
    const follows = /** @type {Float32Array} */ (this.follows.get(step));
    const isNear = failing.length <= MANY || work.machine.step(step).op === 'softmax';
    const misread = misreadOf(leaves, { made, explained, follows, written, isNear });
    if (misread) this.#misread.set(failing[0].name, misread);
    /* Slips are looked for in what the learner's numbers give. */ else
      this.#reading(before, () => work.machine.run(this.#carry));
    return misread !== null;
  }

  /** @param {Cell} cell that has a number
   * @returns {Kind} */
  #kindOf(cell) {
    const { problem } = this;
    const answer = /** @type {number} */ (this.#answerTo(cell));
    if (agrees(answer, problem.work.valueAt(cell), problem.bandOf(cell))) return 'right';
    if (this.#misread.has(cell.name)) return 'misread';
    if (this.#numberBehind(cell) !== undefined) return 'follows';
    if (this.#cutNumber(cell) !== undefined) return 'few';
    return this.#isDown(cell) ? 'down' : 'fails';
  }

  /** Whether an answer is what remains where digits are cut off in place of rounding. @param {Cell} cell that has a number */
  #isDown(cell) {
    const answer = /** @type {number} */ (this.#answerTo(cell));
    const { work } = this.problem;
    return [work.valueAt(cell), this.#followingIn(cell)].some((value) => {
      const off = (value - answer) * Math.sign(value);
      const unit = 2 * halfUnit(work.policy, value);
      return off > 0 && off < TOLERANCE.truncated * unit && answer * value >= 0;
    });
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

  /** Whether a failing cell follows from the learner's numbers, which are not carried on. @param {Cell} cell */
  #isLoose(cell) {
    const numbers = this.#loosely?.get(cell.step);
    const answer = /** @type {number} */ (this.#answerTo(cell));
    return !!numbers && agrees(answer, numbers[cell.offset], this.problem.bandOf(cell));
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
    this.#wrong.clear();
    this.#loosely = null;
    if (this.#blocked.size) {
      const blocked = this.#blocked;
      this.#blocked = new Set();
      this.#run();
      this.#loosely = this.follows;
      this.#blocked = blocked;
    }
    this.#run();
    const written = this.steps.flatMap((one) => one.written);
    for (const cell of written) {
      const kind = this.#kindOf(cell);
      this.#kinds.set(cell.name, kind === 'fails' && this.#isEarly(cell) ? 'early' : kind);
    }
    /* In a row where all else is wrong, 0 and 1 are no numbers that were rounded. */
    for (const cell of written.filter((one) => this.#isChance(one)))
      this.#kinds.set(cell.name, 'fails');
    return written.filter((cell) => OFF.includes(this.#kindAt(cell)));
  }

  /** Whether an answer is called rounded too early by chance. @param {Cell} cell */
  #isChance(cell) {
    const { rowOf } = this.problem;
    const row = this.#writtenIn(cell.step).filter((one) => rowOf(one) === rowOf(cell));
    return (
      row.length > 1 &&
      isTrivial(this.#answerTo(cell) ?? 0) &&
      row.every((one) => this.#kindAt(one) === (one === cell ? 'early' : 'fails'))
    );
  }

  /** @param {Marking['steps'][number]} step @param {readonly Cell[]} off what is not quite right, in every step
   * @returns {Judged} */
  #judge({ step, written }, off) {
    const failsIn = (/** @type {readonly Cell[]} */ cells) =>
      cells.filter((cell) => this.#kindAt(cell) === 'fails');
    /* What follows from the learner's own numbers is no other mistake. */
    const here = off.filter(
      (cell) => cell.step === step && this.#kindAt(cell) !== 'misread' && !this.#isLoose(cell),
    );
    const failing = failsIn(written);
    const isLost = this.#isBehind(step, this.#blocked);
    const { best, isMade } = this.#foundIn(written, here, failsIn(here), off, isLost);
    const all = this.#judgedWith(written);
    const wrong = failsIn(all);
    const isMany = failing.length > 0 && (wrong.length >= MANY || isLost);
    const [mistake, isUnclear] = [best?.name ?? null, best?.name === null];
    const judged = { step, failing, mistake, isUnclear, isStock: false, carries: true };
    const isMost = 2 * wrong.length >= all.length;
    const isWrong = isMost || isUnclear || this.#isThroughout(judged);
    if (!isMany) return { ...judged, isWrong: judged.mistake !== null && isWrong };
    /* Numbers that nobody computed may be by chance what a mistake makes of a part of them. */
    if ((isLost || !isMade) && this.#isStock(written))
      return { ...judged, mistake: null, isStock: true, carries: false, isWrong };
    const mayCarry = best !== null || !isLost;
    const isPlausible = () => this.#isTied(step) || this.#isOneSlip(failing);
    const carries = isMade || (mayCarry && (isPlausible() || this.#mayCarry(all, best)));
    return { ...judged, carries, isWrong };
  }

  /** Whether one and the same slip makes all failing cells: then a learner's way is known. @param {readonly Cell[]} failing */
  #isOneSlip(failing) {
    const [slip, ...others] = new Set(failing.map((cell) => this.#slipOf(cell)));
    return slip !== null && !others.length && !COMMON.includes(slip);
  }

  /** The asked steps that a step is computed from. @param {string} name
   * @returns {string[]} */
  #askedBefore(name) {
    const { work, cellsOf } = this.problem;
    const { of } = work.machine.step(name) ?? { of: [] };
    return of.flatMap((one) => (cellsOf.get(one)?.length ? [one] : this.#askedBefore(one)));
  }

  /** Whether what a step is computed from is the learner's own work, which its numbers are tied to however it was done.
   * @param {string} step */
  #isTied(step) {
    const before = this.#askedBefore(step);
    return (
      before.length > 0 &&
      /* From nothing but 0 and 1 the next step needs no arithmetic. */
      this.#writtenIn(step).some((cell) => !isTrivial(this.#answerTo(cell) ?? 0)) &&
      before.every((one) => this.#writtenIn(one).length > 0 && !this.#wrong.has(one))
    );
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

  /** Whether what follows is computed from a step's numbers: at least half of those that need arithmetic are computed, by the
   * learner's own way or with a mistake; any, where two mistakes make as much.
   * @param {readonly Cell[]} cells @param {{ name: string | null } | null} best */
  #mayCarry(cells, best) {
    if (best?.name === null) return true;
    const all = this.#tellingIn(cells);
    const isMade = (/** @type {Cell} */ cell) =>
      best?.name && this.#explanationOf(best.name, cell.step).whole.has(cell.name);
    /* What a mistake makes is 0 or 1 by chance, too. */
    const isOwn = (/** @type {Cell} */ cell) =>
      !isTrivial(this.#answerTo(cell) ?? 0) && (this.#kindAt(cell) !== 'fails' || isMade(cell));
    return 2 * all.filter(isOwn).length >= all.length && this.#hasArithmetic(cells);
  }

  /** Whether a step has a number that the learner computed rightly. @param {readonly Cell[]} cells */
  #hasArithmetic(cells) {
    const isSingle = new Set(cells.map(({ step }) => step)).size > 1;
    return this.#tellingIn(cells).some((cell) => {
      const kind = this.#kindAt(cell);
      return isSingle ? kind === 'right' : kind !== 'fails';
    });
  }

  /** Whether most of what needs arithmetic in a step is wrong, and all of it one number throughout, or in each row.
   * @param {readonly Cell[]} written in a step */
  #isStock(written) {
    /** @type {Map<string, number[]>} */
    const rows = new Map();
    for (const cell of written.filter(({ name }) => !this.problem.free.has(name))) {
      const row = this.problem.rowOf(cell);
      rows.set(row, [...(rows.get(row) ?? []), /** @type {number} */ (this.#answerTo(cell))]);
    }
    const telling = this.#tellingIn(written);
    const isWrong = (/** @type {Cell} */ cell) =>
      this.#kindAt(cell) === 'fails' && !this.#isLoose(cell);
    return 2 * telling.filter(isWrong).length > telling.length && isStock([...rows.values()]);
  }

  /** The cells that need arithmetic; all, if none does. @param {readonly Cell[]} cells */
  #tellingIn(cells) {
    const telling = cells.filter((cell) => !isTrivial(this.#followingIn(cell)));
    return telling.length ? telling : cells;
  }

  /** Judges every step, from the first on again once it is known that one carries nothing, or comes from what was misread.
   * @returns {Judged[]} */
  #settled() {
    for (;;) {
      const off = this.#look();
      const judged = [];
      let isSettled = true;
      for (const step of this.steps) {
        const one = this.#judge(step, off);
        judged.push(one);
        this.#named.set(step.step, one.mistake);
        if (one.isWrong) this.#wrong.add(one.step);
        if (this.#blocked.has(one.step)) continue;
        const isMisread = this.#isMisread(one);
        if (!isMisread && !one.carries) this.#blocked.add(one.step);
        isSettled = !isMisread && one.carries;
        if (!isSettled) break;
      }
      if (isSettled) return judged;
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
    const worked = this.#worked(judged);
    /** Mistakes that were charged, and where. @type {Map<string, string>} */
    const charged = new Map();
    const marked = judged.map((one) => {
      const { step, mistake } = one;
      const first = mistake === null ? step : (charged.get(mistake) ?? this.#homeOf(mistake, step));
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
          isWorked: worked.has(one.step),
        });
        cells[cell.name] = isVoid ? { ...mark, points: 0 } : mark;
        isAllRight &&= !OFF.includes(this.#kindAt(cell));
      }
    }
    if (!isNothing) this.#tellApart(judged, cells);
    return cells;
  }

  /** The steps behind numbers that are not carried on which were computed from these all the same: most of what is wrong in them follows,
   * in several numbers that differ. Nothing is computed from stock answers, or from 0 and 1 alone. They may be a neighbour's, unless
   * one of them reads numbers of this sheet, or it is known what neighbours have.
   * @param {readonly Judged[]} judged */
  #worked(judged) {
    const isEmpty = (/** @type {Judged} */ { step, isStock }) =>
      isStock || this.#writtenIn(step).every((cell) => isTrivial(this.#answerTo(cell) ?? 0));
    const empty = new Set(judged.filter(isEmpty).map(({ step }) => step));
    const isWorked = (/** @type {string} */ step) => {
      const wrong = this.#judgedWith(this.#writtenIn(step)).filter(
        (cell) => this.#kindAt(cell) === 'fails' && !isTrivial(this.#answerTo(cell) ?? 0),
      );
      const loose = wrong.filter((cell) => this.#isLoose(cell));
      const { size } = new Set(loose.map((cell) => this.#answerTo(cell)));
      return size >= MANY && 2 * loose.length >= wrong.length && !this.#isBehind(step, empty);
    };
    const worked = this.steps.map(({ step }) => step).filter(isWorked);
    const tied = new Set(worked.filter((step) => this.isListed || this.#readsOwn(step)));
    const behind = worked.filter((step) => this.#isBehind(step, tied));
    const before = worked.filter((step) =>
      [...tied].some((one) => this.#isBehind(one, new Set([step]))),
    );
    return new Set([...tied, ...behind, ...before]);
  }

  /** Whether a step reads numbers in which another variant's sheet would differ: several that are given, not all 0 and 1, or a step
   * that is not wrong, nor behind a wrong one. @param {string} step */
  #readsOwn(step) {
    const { work, copied } = this.problem;
    const isTelling = (/** @type {string} */ leaf) => {
      const numbers = [...work.machine.values(leaf)];
      return numbers.length > 1 && !numbers.every(isTrivial);
    };
    const isOwn = (/** @type {string} */ one) =>
      this.#writtenIn(one).length > 0 && !this.#wrong.has(one) && !this.#isBehind(one, this.#wrong);
    return copied.get(step)?.some(isTelling) || this.#askedBefore(step).some(isOwn);
  }

  /** Where a mistake is charged: where it was found, or in the step in which it is made, if that was left empty.
   * @param {string} mistake @param {string} step */
  #homeOf(mistake, step) {
    const { cellsOf } = this.problem;
    const { changed } = /** @type {Mistake} */ (this.problem.mistake(mistake));
    const home = [...changed].find((one) => cellsOf.get(one)?.length);
    return home !== undefined && !this.#writtenIn(home).length ? home : step;
  }

  /** Says of right numbers behind a wrong step what the learner's own would give, where that is another number: they earn no more
   * than what follows.
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
      if (Number.isNaN(value) || this.#numberBehind(cell) !== undefined) continue;
      const { points } = cells[cell.name];
      const part = Math.min(points, FOLLOW[this.problem.follow]);
      cells[cell.name] = { ...cells[cell.name], points: part, follows: value };
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

  /** @param {Cell} cell @param {Judged} judged its step @param {Worth} worth
   * @returns {Marked} */
  #markOf(cell, judged, worth) {
    const { part, isAllRight, isNothing } = worth;
    const answer = this.answers.get(cell.name);
    if (!answer) return { state: 'empty', points: 0 };
    if ('at' in answer) return { state: 'unreadable', points: 0, ...answer };
    const read = answer.value;
    const kind = this.#kindAt(cell);
    if (kind === 'right' || (kind === 'follows' && isAllRight))
      return { state: 'right', points: 1, read };
    if (kind === 'misread') return { state: 'misread', points: 0, read };
    if (kind === 'follows') {
      return { state: 'carried', points: part, read, follows: this.#numberBehind(cell) };
    }
    if (isNothing || judged.isStock) return { state: 'stock', points: 0, read };
    return { ...this.#offMark(cell, judged, worth), read };
  }

  /** The mark of a cell that is not quite right. @param {Cell} cell @param {Judged} judged
   * @param {{ later: number, isThroughout: boolean, isWorked: boolean }} worth
   * @returns {Marked} */
  #offMark(cell, judged, { later, isThroughout, isWorked }) {
    const kind = this.#kindAt(cell);
    const { mistake } = judged;
    if (kind === 'fails' && this.#isLoose(cell)) {
      const follows = this.#loosely?.get(cell.step)?.[cell.offset];
      return { state: 'loose', points: isWorked ? FOLLOW[this.problem.follow] : 0, follows };
    }
    const isMade = mistake && this.#explanationOf(mistake, cell.step).whole.has(cell.name);
    if (isMade && (kind !== 'few' || isThroughout)) {
      return { state: `misconception:${mistake}`, points: later, misconception: mistake };
    }
    if (kind === 'few')
      return { state: 'few-digits', points: EARLY, follows: this.#cutNumber(cell) };
    if (kind === 'early') return { state: 'early-rounding', points: EARLY };
    if (kind === 'down') return { state: 'rounded-down', points: EARLY };
    const slip = this.#isGuess(judged) ? null : this.#slipOf(cell);
    return { state: slip ? `slip:${slip}` : 'wrong', points: 0 };
  }
}
