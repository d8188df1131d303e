// Traces a problem that is worked out step by step, rightly or with a known mistake: a page plays it.

import { checkOptions, checkText, near } from '../../js/base/errors.js';
import { cellIndex, sizeOf } from '../../js/base/values.js';
import { isSame } from '../../js/number/judge.js';
import { stepOf, wholeOf } from '../../js/trace/steps.js';
import { hasTokenColumns, OF_CHANNELS, symbolOf } from './formats/page.js';
import { Machine } from './machine/machine.js';
import { readyFor } from './marking/states.js';
import { MISCONCEPTIONS } from './problem/misconceptions.js';
import { failure, rangeError } from './problem/texts.js';
import { attention } from './recipes/attention.js';
import { NUMBERED } from './recipes/learning.js';
import { languageOf } from './speech/language.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./problem/problem.js').Problem} Problem */
/** @typedef {import('../../js/base/speech.js').Language} Language */

/** A step of the trace of an exercise, as Step describes it, with what an exercise knows of it.
 * @typedef {import('../../js/trace/steps.js').Step & ProblemFacts} ProblemStep */

/**
 * @typedef {object} ProblemFacts
 * @property {string} word the usual step that it is, or is like
 * @property {string | null} title what it is called, where its symbol does not say it
 * @property {string | null} symbol how formulas write it, or null
 * @property {boolean} aside whether only the mistake takes it
 */

/**
 * @typedef {object} TraceProblemOptions
 * @property {string} [misconception] whose machine is run; by default the right one
 * @property {Language} [lang] of the titles: English by default
 */

/** What a leaf or a step of attention is; previous: what an induction head searches. @type {Readonly<Record<string, import('../../js/tape/description.js').Role>>} */
const ROLES = {
  ...{ x: 'input', memory: 'memory', mask: 'mask', mix: 'mix', concat: 'concat', output: 'output' },
  ...{
    q: 'query',
    w_q: 'query',
    k: 'key',
    w_k: 'key',
    previous: 'key',
    v: 'value',
    w_v: 'value',
    w_o: 'output',
  },
  ...{ 'q.heads': 'query', 'k.heads': 'key', 'v.heads': 'value' },
  ...{ scores: 'score', 'scores.scaled': 'score', 'scores.masked': 'score', weights: 'weight' },
};

/** What the rows and the columns of a matrix stand for: tokens, where there are as many and it is no weight matrix; columns of
 * logits, and of what is made of them, for the classes of their labels.
 * @param {Problem} problem @param {string} name @param {readonly number[]} shape
 * @returns {Pick<ProblemStep, 'axes' | 'sequences'>} */
function axesOf(problem, name, shape) {
  const { tokens = [], memory, given } = problem;
  const classes = /** @type {number[][] | undefined} */ (given.logits)?.[0].length;
  /** @param {number} n @returns {ProblemStep['sequences'][number] | undefined} undefined: it is not of tokens */
  const tokensOf = (n) => {
    if (n === tokens.length) return memory ? 'target' : null;
    return n === memory?.length ? 'source' : undefined;
  };
  const first = shape.length - 2;
  const sequences = shape.map((n, axis) => {
    const isColumn = axis === shape.length - 1 && hasTokenColumns(problem, name);
    const isRow = axis === first && !OF_CHANNELS.includes(name);
    return isColumn || isRow ? tokensOf(n) : undefined;
  });
  /** @param {number} n @param {number} axis */
  const axisOf = (n, axis) => {
    if (sequences[axis] !== undefined) return 'token';
    if (axis < first) return 'head';
    if (axis > 0 && n === classes) return 'vocabulary';
    return n > 1 ? 'channel' : null;
  };
  return { axes: shape.map(axisOf), sequences: sequences.map((of) => of ?? null) };
}

/** Every number of a machine, and what each node is.
 * @param {Machine} machine @param {Problem} problem @param {ReturnType<typeof languageOf>} speech
 * @param {ReadonlySet<string>} usual the nodes that the right machine has
 * @returns {ProblemStep[]} */
function stepsOf(machine, problem, speech, usual) {
  const isAttention = Object.hasOwn(attention, problem.recipe) || problem.recipe === 'induction';
  const byName = new Map(machine.steps.map((step) => [step.name, step]));
  const names = [...byName.keys()];
  /* A step that only the mistake takes is like its operand if it transposes it, like the usual step with the same purpose,
   * or like the next usual one. */
  /** @param {string} name @returns {string} */
  const likeOf = (name) => {
    const step = byName.get(name);
    if (usual.has(name) || !step) return name;
    if (step.with?.order) return likeOf(step.of[0]);
    const later = names.slice(names.indexOf(name)).filter((one) => usual.has(one));
    const same = step.does && later.find((one) => byName.get(one)?.does === step.does);
    return same || later[0] || name;
  };
  return [...machine.nodes].map(([name, tensor]) => {
    const step = byName.get(name);
    const facts = stepOf(tensor, wholeOf(tensor));
    const like = likeOf(name);
    const title = speech.called(problem.recipe, like);
    return {
      ...facts,
      /* What the tape has no op for is a leaf of it. */
      ...(step?.by && { kind: /** @type {const} */ ('op'), op: '', formula: '', inputs: step.of }),
      ...axesOf(problem, like, facts.shape),
      role: (isAttention && ROLES[like]) || null,
      word: NUMBERED.get(like)?.of ?? like,
      title: title ? title.charAt(0).toLocaleUpperCase(speech.lang) + title.slice(1) : null,
      symbol: symbolOf(problem.recipe, like) ?? null,
      aside: !usual.has(name),
    };
  });
}

/** A problem worked out: plain data; there is nothing to dispose of. */
export class ProblemTrace {
  #places;

  /** @param {ProblemStep[]} steps @param {string[]} stages @param {{ node: string, index: number[] }[]} differing */
  constructor(steps, stages, differing) {
    this.steps = steps;
    /** The steps to be shown one after the other, by name. */
    this.stages = stages;
    /** The cells whose numbers are others than the right machine's, in the order of working. */
    this.differing = differing;
    this.#places = new Map(steps.map(({ name }, place) => [name, place]));
  }

  /** The step of that name; GF_ENAME where there is none.
   * @param {string} name
   * @returns {ProblemStep} */
  step(name) {
    const place = this.#places.get(name);
    if (place !== undefined) return this.steps[place];
    const hint = near(String(name), this.#places.keys());
    throw failure('GF_ENAME', 'noStep', { value: name, hint, node: String(name) });
  }
}

/** Works a problem out step by step, from what it gives: rightly, or as somebody does who makes a known mistake.
 * Nothing is rounded on the way.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {TraceProblemOptions} [options]
 * @returns {ProblemTrace}
 * @example
 * import { exercise, traceProblem } from 'glassformer/exercises';
 *
 * const problem = exercise(gf, 'weights', { seed: 1 });
 * const { differing } = traceProblem(gf, problem, { misconception: 'no-scaling' });
 * differing[0].node; // = 'scores.scaled' */
export function traceProblem(gf, problem, options = {}) {
  checkOptions('traceProblem', options, ['misconception', 'lang']);
  const { misconception, lang } = options;
  const speech = languageOf('traceProblem', lang === undefined ? {} : { lang });
  const prepared = readyFor('traceProblem', gf, problem);
  const { program } = prepared.work;
  const usual = new Set([...Object.keys(program.leaves), ...program.steps.map(({ name }) => name)]);
  /** @param {import('./machine/machine.js').Program} one */
  const workedOut = (one) => {
    const machine = new Machine(gf, one, true);
    try {
      machine.run();
      return stepsOf(machine, problem, speech, usual);
    } finally {
      machine.dispose();
    }
  };
  const right = workedOut(program);
  if (misconception === undefined) return new ProblemTrace(right, stagesOf(program), []);
  checkText('traceProblem: misconception', misconception);
  const applicable = Object.keys(MISCONCEPTIONS).filter((name) => prepared.mistake(name));
  const mistake = applicable.includes(misconception) ? prepared.mistake(misconception) : null;
  if (!mistake) {
    const hint = near(misconception, applicable);
    throw rangeError('noMistake', { where: 'traceProblem', value: misconception, hint });
  }
  const steps = workedOut(mistake.program);
  const stages = stagesOf(mistake.program);
  const byName = new Map(right.map((step) => [step.name, step]));
  const differing = stages.flatMap((name) => {
    const [step, usualStep] = [steps.find((one) => one.name === name), byName.get(name)];
    if (!step || !usualStep || sizeOf(step.shape) !== sizeOf(usualStep.shape)) return [];
    const { data, shape } = step;
    return [...data.keys()]
      .filter((i) => !isSame(data[i], usualStep.data[i]))
      .map((i) => ({ node: name, index: cellIndex(shape, i) }));
  });
  return new ProblemTrace(steps, stages, differing);
}

/** @param {import('./machine/machine.js').Program} program
 * @returns {string[]} */
const stagesOf = ({ steps }) =>
  steps.filter(({ hidden, played }) => !hidden || played).map(({ name }) => name);
