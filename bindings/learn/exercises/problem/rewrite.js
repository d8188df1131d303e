// Ways to do some of a program's steps otherwise, of which the known mistakes consist.

import { shapeOf } from '../../../js/base/values.js';

/** @typedef {import('../machine/machine.js').Program} Program */
/** @typedef {import('../machine/machine.js').Step} Step */
/** @typedef {import('../machine/machine.js').By} By */
/** @typedef {Program & { sizes?: Record<string, number> }} Sized */

/** Steps in place of one step, of which the last has its name; undefined leaves it as it is.
 * @typedef {(step: Step, program: Sized) => Step[] | Step | undefined} Rewrite */

/** The program with some of its steps done otherwise; null if it has no such step.
 * @param {Sized} program @param {Rewrite} rewrite
 * @returns {Program | null} */
export function rewritten(program, rewrite) {
  let isChanged = false;
  const steps = program.steps.flatMap((step) => {
    const other = rewrite(step, program);
    if (!other) return step;
    isChanged = true;
    return other;
  });
  return isChanged ? { ...program, steps } : null;
}

/** The program as somebody runs it who makes a mistake; null where it has no place for it.
 * @typedef {(program: Sized) => Program | null} Mistaken */

/** The steps that are for something, done otherwise.
 * @param {string} does @param {Rewrite} rewrite
 * @returns {Mistaken} */
export const where = (does, rewrite) => (program) =>
  rewritten(program, (step, all) => (step.does === does ? rewrite(step, all) : undefined));

/** The steps that are for something, by another function of their operands.
 * @param {string} does @param {By} by */
export const whereBy = (does, by) => where(does, (step) => ({ ...step, by }));

/** The step with each of its numbers changed. @param {Step} step @param {(x: number, operands: Parameters<By>[0]) => number} change
 * @returns {Step} */
export const changed = (step, change) => ({
  ...step,
  by: (operands, gf) =>
    Array.from(/** @type {By} */ (step.by)(operands, gf), (x) => change(x, operands)),
});

/** The step's first operand as it is. @param {Step} step
 * @returns {Step} */
export const copied = ({ name, of: [x] }) => ({ name, op: 'scale', of: [x], with: { factor: 1 } });

/** A leaf by another rule.
 * @param {string} name @param {(leaf: never, program: Sized) => import('../machine/machine.js').Leaf} rule
 * @returns {Mistaken} */
export const leafBy = (name, rule) => (program) => {
  const leaf = program.leaves[name];
  return leaf
    ? {
        ...program,
        leaves: { ...program.leaves, [name]: rule(/** @type {never} */ (leaf), program) },
      }
    : null;
};

/** @param {Step} step @param {number} factor
 * @returns {Step} */
export const scaledBy = (step, factor) => ({ ...step, with: { ...step.with, factor } });

/** The order of axes that exchanges rows and columns, of each head if there are heads.
 * @param {readonly number[]} shape */
export const swapped = (shape) => (shape.length === 3 ? [0, 2, 1] : [1, 0]);

/** The step on turned rows and columns. @param {Step} step @param {readonly number[]} order
 * @returns {Step[]} */
export function turned(step, order) {
  const [x] = step.of;
  return [
    { name: `${step.name}.turned`, op: 'transpose', of: [x], with: { order } },
    { ...step, name: `${step.name}.columns`, of: [`${step.name}.turned`] },
    { name: step.name, op: 'transpose', of: [`${step.name}.columns`], with: { order } },
  ];
}

/** The shape of a step or leaf, where it can be told from the program alone.
 * @param {Sized} program @param {string} name
 * @returns {readonly number[]} */
export function shapeIn(program, name) {
  if (name in program.leaves) return shapeOf(program.leaves[name]);
  const step = program.steps.find((one) => one.name === name);
  if (!step) return [];
  const of = step.of.map((operand) => shapeIn(program, operand));
  if (step.shape) return step.shape;
  if (step.op === 'linear' || step.op === 'matmul') {
    return [...of[0].slice(0, -1), Number(of[1].at(-1))];
  }
  if (step.op === 'matmulTransposed') return [...of[0].slice(0, -1), Number(of[1].at(-2))];
  if (step.op === 'splitHeads') {
    const { heads } = /** @type {{ heads: number }} */ (step.with);
    return [heads, of[0][0], of[0][1] / heads];
  }
  if (step.op === 'concatHeads') return [of[0][1], of[0][0] * of[0][2]];
  if (step.op === 'position') return [...of[0], step.with?.channels ?? 0];
  return of[0];
}

/** @param {readonly number[]} a @param {readonly number[]} b */
export const same = (a, b) => a.length === b.length && a.every((n, i) => n === b[i]);

/** @param {readonly number[]} shape */
export const square = (shape) => shape.at(-1) === shape.at(-2);

/** The rows of an operand, each as what `of` makes of it.
 * @param {number} width @param {(row: Float32Array, gf: import('../../../js/glassformer.js').Glassformer) => ArrayLike<number>} of
 * @returns {By} */
export const byRows =
  (width, of) =>
  ([x], gf) => {
    const y = [];
    for (let i = 0; i < x.length; i += width) {
      y.push(...Array.from(of(Float32Array.from(x.slice(i, i + width)), gf)));
    }
    return y;
  };

/** Other numbers than the step's operand, in its shape.
 * @param {Step} step @param {Sized} program @param {By} by
 * @returns {Step} */
export const instead = ({ name, of, does }, program, by) => ({
  name,
  of: of.slice(0, 1),
  by,
  does,
  shape: shapeIn(program, of[0]),
});

/** The program if it is as asked, to go on with.
 * @param {(program: Sized) => boolean} asked @param {Mistaken} machine
 * @returns {Mistaken} */
export const only = (asked, machine) => (program) => (asked(program) ? machine(program) : null);

/** A step reads another operand in place of one, if both have a shape.
 * @param {string} does @param {string} from @param {string} to */
export const reads = (does, from, to) =>
  where(does, (step, program) => {
    if (!step.of.includes(from) || !same(shapeIn(program, from), shapeIn(program, to)))
      return undefined;
    return { ...step, of: step.of.map((name) => (name === from ? to : name)) };
  });
