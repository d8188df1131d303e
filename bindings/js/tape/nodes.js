// The nodes of a tape: how the core is asked for one, and what happens if it refuses.

import { MAX_RANK, NONE } from '../../generated/layout.js';
import {
  checkBoolean,
  checkFinite,
  checkInt32,
  checkWord,
  codeOf,
  failure,
  rangeError,
  refusal,
  typeError,
} from '../base/errors.js';
import { nearNode } from '../base/near-node.js';
import { isGiven } from '../base/values.js';
import { Block } from './block.js';
import { camel, problemOf } from './problem.js';
import { Tensor } from './tensor.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./tape.js').Tape} Tape */

/** How many nodes one call makes at most: gf_attention's 21. */
const MAX_MADE = 24;
/** What the core calls a node without a name. */
const NAMELESS = '(no name)';
/** Codes that speak of the numbers given, not of the nodes. */
const ABOUT_NUMBERS = ['GF_ESHAPE', 'GF_ERANGE', 'GF_EMEMORY'];

/** An attribute as the core takes it, checked for its type; the core checks its range.
 * @param {string} where @param {import('../runtime/ops.js').Attribute} attribute @param {any} value
 * @returns {number[]} */
function numbersOf(where, { kind, words }, value) {
  if (kind === 'integer') return [checkInt32(where, value)];
  if (kind === 'real') return [checkFinite(where, value)];
  if (kind === 'word') return [checkWord(where, value, words)];
  if (kind === 'axes') return Array.from({ length: MAX_RANK }, (_, axis) => value[axis] ?? 0);
  checkBoolean(where, value);
  return [Number(value)];
}

/** The attributes that an op may be refused for: those out of range, or else all that have a range.
 * @param {import('../runtime/ops.js').Attribute[]} attributes @param {number[][]} numbers */
function wrongOf(attributes, numbers) {
  const ranged = numbers
    .map(([number], i) => ({ number, ...attributes[i], all: numbers[i] }))
    .filter(({ kind }) => kind !== 'flag' && kind !== 'word');
  const wrong = ranged.filter(({ number, low, high }) => number < low || number > high);
  return (wrong.length ? wrong : ranged).map(({ all }) => all).join(', ');
}

/** The node that could not be made: of a name that is too long the core keeps the first part alone.
 * @param {string} wanted @param {string} reported */
function nodeIn(wanted, reported) {
  if (wanted.startsWith(reported)) return wanted;
  return reported === NAMELESS ? undefined : reported;
}

/** Only a tape is made of nodes.
 * @param {unknown} nodes */
const asTape = (nodes) => /** @type {Tape} */ (nodes);

export class Nodes {
  /** @type {Tensor[]} */
  #nodes = [];

  /** @param {Engine} engine @param {import('./block.js').Lender} [lender] whose memory leaves are bound to */
  constructor(engine, lender) {
    /** @protected */
    this.block = new Block(engine, lender);
  }

  /** All nodes, in the order of construction.
   * @returns {readonly Tensor[]} */
  get nodes() {
    return [...this.#nodes];
  }

  /** The node of that name.
   * @param {string} name */
  find(name) {
    const { engine, address } = this.block;
    const id = engine.core.gf_find(address, engine.name('find', name));
    if (id >= 0) return this.#nodes[id];
    const names = this.#nodes.map((node) => node.name);
    throw failure('GF_ENAME', 'noNode', { name, hint: nearNode(name, names), node: name });
  }

  /** Calls a builder of the core and takes up the nodes that it made. A failed build is undone.
   * @param {string} what @param {string} name @param {(at: number, name: number) => number} build
   * @param {{ room?: number, given?: (code: string) => import('../base/message.js').Param | undefined }} [about] how many nodes it makes at
   *   most; the argument besides nodes that it may be refused for */
  build(what, name, build, { room = MAX_MADE, given } = {}) {
    const { block } = this;
    const { core } = block.engine;
    const before = this.#nodes.length;
    if (!block.planned) block.reserve(before + room);
    const made = build(block.address, block.engine.name(`${what}: name`, name));
    if (made < 0) this.refuse(codeOf(made), { what, name, argument: given?.(codeOf(made)) });
    const count = core.gf_tape_count(block.address);
    for (let id = before; id < count; id++) {
      this.#nodes.push(new Tensor(asTape(this), block, id, this.#nodes));
    }
    return this.#nodes[made];
  }

  /** Makes a node of an op, checked by the op's row in the table.
   * @param {string} op @param {Record<string, Tensor | null | undefined>} operands
   * @param {Record<string, unknown>} attributes @param {string} name
   * @param {string} [method] what the caller called */
  push(op, operands, attributes, name, method = camel(op)) {
    const { engine } = this.block;
    const row = /** @type {import('../runtime/ops.js').Op} */ (engine.ops.get(op));
    const ids = row.operands.map(({ name: key, optional }) =>
      this[optional ? 'optional' : 'operand'](
        `${method}: ${key}`,
        /** @type {Tensor} */ (operands[key]),
      ),
    );
    const numbers = row.attributes.map((attribute) =>
      numbersOf(`${method}: ${camel(attribute.name)}`, attribute, attributes[attribute.name]),
    );
    return this.build(
      method,
      name,
      (address, text) => {
        const [floats, integers] = engine.numbers(numbers.flat(), ids);
        return engine.core.gf_push(address, row.id, integers, floats, text);
      },
      { given: (code) => (code === 'GF_ESHAPE' ? undefined : wrongOf(row.attributes, numbers)) },
    );
  }

  /** Makes a node of an op of two, the second of which may be a number: a leaf of one cell, which plan() fills.
   * @param {string} op @param {Tensor} a @param {Tensor | number} b @param {string} name */
  pair(op, a, b, name) {
    if (typeof b !== 'number') return this.push(op, { a, b }, {}, name);
    this.operand(`${op}: a`, a);
    checkFinite(`${op}: b`, b);
    this.block.engine.name(`${op}: name`, name);
    const before = this.#nodes.length;
    const leaf = asTape(this).input(`${name}.b`, [1]);
    try {
      const made = this.push(op, { a, b: leaf }, {}, name);
      this.block.numbers.set(leaf.id, b);
      return made;
    } catch (error) {
      this.block.engine.core.gf_tape_rewind(this.block.address, before);
      this.#nodes.length = before;
      throw error;
    }
  }

  /** Refuses what the core refused.
   * @protected
   * @param {number} error 0 or a negative gf_error @param {Parameters<Nodes['refuse']>[1]} [about] */
  check(error, about) {
    if (error) this.refuse(codeOf(error), about);
  }

  /** Tells the core's error, and puts the tape back to where it was.
   * @protected
   * @param {import('../base/errors.js').Code} code
   * @param {{ what?: string, name?: string, argument?: import('../base/message.js').Param }} [about] what the
   *   caller called, the node that was to be built, and what it may be refused for
   * @returns {never} */
  refuse(code, { what, name, argument } = {}) {
    const {
      detail,
      params,
      node: reported,
      where,
    } = problemOf(this.block.engine, this.block.address);
    this.block.engine.core.gf_tape_rewind(this.block.address, this.#nodes.length);
    const node = name === undefined ? this.#known(reported) : nodeIn(name, reported);
    const method = (node ?? name) === name && what ? what : camel(where);
    /* Some sentences have the number already. */
    const isTold = params.number !== undefined;
    if (argument !== undefined && !isTold && ABOUT_NUMBERS.includes(code)) params.given = argument;
    const place = node === undefined ? method : `${node}: ${method}`;
    throw refusal(code, { detail, params: { ...params, where: place, node } });
  }

  /** The name if a node has it: some errors of the core are about the whole tape.
   * @param {string} name */
  #known(name) {
    return this.#nodes.find((node) => node.name === name)?.name;
  }

  /** The id of a node of this tape.
   * @protected
   * @param {string} where @param {unknown} node */
  operand(where, node) {
    if (!(node instanceof Tensor)) {
      throw typeError('tensor', { where, given: node });
    }
    if (/** @type {unknown} */ (node.tape) !== this) {
      throw rangeError('otherTape', { where, name: node.name });
    }
    return node.id;
  }

  /** The same for one that may be left out.
   * @protected
   * @param {string} where @param {Tensor | null | undefined} node */
  optional(where, node) {
    return isGiven(node) ? this.operand(where, node) : NONE;
  }

  /** @protected
   * @param {string} where @param {Tensor | string} node */
  pick(where, node) {
    return typeof node === 'string' ? this.find(node) : this.#nodes[this.operand(where, node)];
  }
}
