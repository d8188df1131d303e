// Runs a program of steps on a tape, also from a learner's numbers, and differentiates it. Recipes and known mistakes are
// such programs.

import { shapeOf } from '../../../js/base/values.js';
import { gradientOf, valuesOf } from '../../../js/tape/tensor.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../../js/tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../../../js/base/values.js').Data} Data */

/** What the tape has no op for, on the operands' numbers.
 * @typedef {(operands: Data[], gf: Glassformer) => ArrayLike<number>} By */

/** One node: an op of the tape by its method, or a function of its operands with the shape of its result.
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} of its operands
 * @property {keyof typeof OPS} [op]
 * @property {Options} [with] what the op takes besides operands
 * @property {By} [by] in place of op
 * @property {boolean} [whole] its numbers count things or rows: nothing near one is right
 * @property {boolean} [hidden] an intermediate step that is not asked for
 * @property {boolean} [played] hidden, but shown where the working is played
 * @property {Within} [within] how far each number may be off by what is rounded within the step
 * @property {(read: (step: string) => Data) => ArrayLike<number>} [otherwise] its numbers by the other way that is
 *   taught: from numbers before it that are wrong, another one may follow
 * @property {string} [does] what it is for: the mistakes that are known say where they happen by it
 * @property {readonly number[]} [shape] of what `by` gives */

/** How far each number of a step may be off; half is half a unit of a number's last digit. The marker in Python knows it by
 * the name `as`.
 * @typedef {((operands: ArrayLike<number>[], values: Float32Array, half: (x: number) => number,
 *   before: Before) => ArrayLike<number>) & { as?: string }} Within */

/** A step before: its numbers, and how far each may be off when it is written down.
 * @typedef {(step: string) => { numbers: ArrayLike<number>, rounding: ArrayLike<number> }} Before */

/** Numbers in nested arrays. @typedef {number[] | number[][]} Leaf */
/** @typedef {Readonly<Record<string, Leaf>>} Leaves */
/** What an op takes besides its operands, and what the mistakes that are known take instead.
 * @typedef {Readonly<{ factor?: number, channels?: number, heads?: number, order?: readonly number[],
 *   dK?: number, dModel?: number, width?: number, first?: number }>} Options */

/** Numbers in nested arrays; ids where `ids` says so.
 * @typedef {{ leaves: Leaves, ids?: readonly string[], steps: readonly Step[] }} Program */

/** The numbers of each step, flat. @typedef {Map<string, Float32Array>} Numbers */

/** What becomes of a step's numbers before the next step reads them; undefined leaves them.
 * @typedef {(name: string, numbers: Float32Array) => Float32Array | undefined} Change */

/** @type {Record<string, (tape: Tape, of: Tensor[], options: Options, name: string) => Tensor>} */
export const OPS = {
  add: (tape, [a, b], _, name) => tape.add(a, b, name),
  concatHeads: (tape, [x], _, name) => tape.concatHeads(x, name),
  exp: (tape, [x], _, name) => tape.exp(x, name),
  linear: (tape, [x, w, b], _, name) => tape.linear(x, w, b ?? null, name),
  mask: (tape, [x, mask], _, name) => tape.mask(x, { mask }, name),
  matmul: (tape, [a, b], _, name) => tape.matmul(a, b, name),
  matmulTransposed: (tape, [a, b], _, name) => tape.matmulTransposed(a, b, name),
  mul: (tape, [a, b], _, name) => tape.mul(a, b, name),
  position: (tape, [positions], { channels = 2 }, name) =>
    tape.position(positions, channels, {}, name),
  relu: (tape, [x], _, name) => tape.relu(x, name),
  scale: (tape, [x], { factor = 1 }, name) => tape.scale(x, factor, name),
  softmax: (tape, [x], _, name) => tape.softmax(x, name),
  splitHeads: (tape, [x], { heads = 1 }, name) => tape.splitHeads(x, heads, name),
  transpose: (tape, [x], { order = [1, 0] }, name) => tape.transpose(x, [...order], name),
};

/** Step of the central differences that differentiate a function in float64: far from its roundings and its kinks. */
const STEP = 2 ** -12;

/** A leaf that is one row of numbers. @param {Leaves} leaves @param {string} name */
export const rowOf = (leaves, name) => /** @type {number[] | undefined} */ (leaves[name]);

/** A leaf that is a matrix. @param {Leaves} leaves @param {string} name */
export const rowsOf = (leaves, name) => /** @type {number[][] | undefined} */ (leaves[name]);

/** How many columns a leaf has. @param {Leaves} leaves @param {string} name */
export const widthOf = (leaves, name) => Number(rowsOf(leaves, name)?.[0].length);

/** A tape with the nodes of a program by their names, and what it is laid out for. reads: what the steps behind each read, which
 * of an op is a leaf of its own: a learner's numbers stand there, and the op keeps what it came to.
 * @typedef {{ key: string, tape: Tape, nodes: Map<string, Tensor>, reads: Map<string, Tensor> }} Layout */

/** Tapes that are out of use, the last one last. To lay one out takes many times as long as to run it, and a problem is
 * drawn many times over: the programs of an attempt differ from the last one's in their numbers alone.
 * @type {WeakMap<Glassformer, Layout[]>} */
const idle = new WeakMap();
/** Tapes that are kept. */
const MAX_IDLE = 64;

/** A tape for a program, for one machine alone.
 * @param {Glassformer} gf @param {Program} program @param {boolean} isWhole
 * @returns {Layout} */
function layoutOf(gf, { leaves, ids = [], steps }, isWhole) {
  const shapes = Object.entries(leaves).map(([name, numbers]) => ({ name, is: shapeOf(numbers) }));
  /* Functions do not count: a step that is one is a leaf of the tape. */
  const key = JSON.stringify([shapes, ids, steps, isWhole]);
  const kept = idle.get(gf) ?? [];
  const index = kept.findLastIndex((one) => one.key === key);
  if (index >= 0) return kept.splice(index, 1)[0];
  const tape = gf.tape();
  /** @type {Layout['nodes']} */
  const nodes = new Map();
  /** @type {Layout['reads']} */
  const reads = new Map();
  try {
    for (const { name, is } of shapes) {
      const leaf = tape[ids.includes(name) ? 'ids' : 'input'](name, is);
      nodes.set(name, leaf);
      reads.set(name, leaf);
    }
    for (const { name, op, of, with: options = {}, shape = [] } of steps) {
      const operands = of.map((operand) => /** @type {Tensor} */ (reads.get(operand)));
      const node = op ? OPS[op](tape, operands, options, name) : tape.input(name, [...shape]);
      nodes.set(name, node);
      const isApart = op && !isWhole;
      reads.set(name, isApart ? tape.input(`${name} as it is read`, [...node.shape]) : node);
    }
    tape.plan();
  } catch (error) {
    tape.dispose();
    throw error;
  }
  return { key, tape, nodes, reads };
}

/** Keeps a tape for the next program of its layout. @param {Glassformer} gf @param {Layout} layout */
function keep(gf, layout) {
  const kept = idle.get(gf) ?? [];
  idle.set(gf, kept);
  kept.push(layout);
  if (kept.length > MAX_IDLE) kept.shift()?.tape.dispose();
}

export class Machine {
  #gf;
  #layout;

  /** @param {Glassformer} gf @param {Program} program
   * @param {boolean} [isWhole] whether its nodes are one graph, and tell what they are in it: then it has no gradients */
  constructor(gf, program, isWhole = false) {
    this.#gf = gf;
    this.steps = program.steps;
    this.#layout = layoutOf(gf, program, isWhole);
    try {
      for (const [name, numbers] of Object.entries(program.leaves)) this.#node(name).set(numbers);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** @param {string} name */
  #node(name) {
    return /** @type {Tensor} */ (this.#layout.nodes.get(name));
  }

  /** What the steps behind a step or leaf read. @param {string} name */
  #read(name) {
    return /** @type {Tensor} */ (this.#layout.reads.get(name));
  }

  /** @param {string} name @returns {Step} */
  step(name) {
    return /** @type {Step} */ (this.steps.find((one) => one.name === name));
  }

  /** Leaves and steps by name, with the numbers of the last run.
   * @returns {ReadonlyMap<string, Tensor>} */
  get nodes() {
    return this.#layout.nodes;
  }

  /** @param {string} name
   * @returns {readonly number[]} */
  shape(name) {
    return this.#node(name).shape;
  }

  /** Runs every step, or those up to the last, from the numbers that `change` makes of those before. Gives what each
   * step came to, before its change.
   * @param {Change} [change] @param {string} [last]
   * @returns {Numbers} */
  run(change, last) {
    const { tape } = this.#layout;
    const numbers = new Map();
    for (const step of this.steps) {
      const node = this.#node(step.name);
      if (step.by) this.#compute(step);
      else tape.forward(node, node);
      const computed = /** @type {Float32Array} */ (valuesOf(node)).slice();
      numbers.set(step.name, computed);
      const read = change?.(step.name, computed) ?? computed;
      this.values(step.name).set(read);
      if (step.name === last) break;
    }
    return numbers;
  }

  /** @param {Step} step */
  #compute({ name, of, by }) {
    const operands = of.map((operand) => this.values(operand).slice());
    const numbers = /** @type {By} */ (by)(operands, this.#gf);
    /* The view is taken after the call, which may have moved the core's memory. */
    this.values(name).set(numbers);
  }

  /** The gradients of one cell with respect to every step, at the numbers of the last run: from the last step on, each carries
   * what reaches it over to what it reads.
   * @param {string} name @param {number} offset the cell's place in the step's numbers
   * @returns {Numbers} */
  gradients(name, offset) {
    const seed = new Float32Array(this.#node(name).size);
    seed[offset] = 1;
    /** @type {Numbers} */
    const sums = new Map([[name, seed]]);
    const last = this.steps.indexOf(this.step(name));
    for (const step of this.steps.slice(0, last + 1).reverse()) {
      const gradient = sums.get(step.name);
      if (!gradient?.some((x) => x !== 0)) continue;
      for (const [operand, part] of this.#carried(step, gradient)) {
        const sum = sums.get(operand);
        sums.set(operand, sum ? sum.map((x, i) => x + part[i]) : part);
      }
    }
    return sums;
  }

  /** What a gradient of a step is at each step that it reads: by the tape, or by slopes of its function.
   * @param {Step} step @param {Float32Array} gradient
   * @returns {[string, Float32Array][]} */
  #carried({ name, of, by }, gradient) {
    const operands = [...new Set(of)].filter((operand) => this.step(operand));
    if (by) return operands.map((operand) => [operand, this.#slopes(of, by, operand, gradient)]);
    this.#layout.tape.backward(this.#node(name), gradient);
    return operands.flatMap((operand) => {
      const part = gradientOf(this.#read(operand));
      return part ? [[operand, part.slice()]] : [];
    });
  }

  /** @param {readonly string[]} of the function's operands @param {By} by @param {string} operand which of them
   * @param {Float32Array} gradient of what it comes to */
  #slopes(of, by, operand, gradient) {
    const numbers = of.map((one) => Float64Array.from(this.values(one)));
    return Float32Array.from(numbers[of.indexOf(operand)], (_, i) => {
      const [low, high] = [-1, 1].map((side) => {
        const moved = numbers.map((one, k) =>
          of[k] === operand ? one.with(i, one[i] + side * STEP) : one.slice(),
        );
        return by(/** @type {any} */ (moved), this.#gf);
      });
      return gradient.reduce((sum, g, j) => sum + (g * (high[j] - low[j])) / (2 * STEP), 0);
    });
  }

  /** The numbers of a step or leaf as they are now. @param {string} name */
  values(name) {
    return valuesOf(this.#read(name));
  }

  /** Gives the tape back. The machine is of no use afterwards. */
  dispose() {
    keep(this.#gf, this.#layout);
  }
}
