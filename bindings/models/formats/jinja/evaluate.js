// Evaluates the expressions of a template, in a sandbox where nothing changes what it was given.

import { FILTERS, ordered } from './filters.js';
import { LOOP } from './globals.js';
import { element, methodOf, text } from './methods.js';
import { binary, COMPARISONS, joined, signed } from './operators.js';
import { TESTS } from './tests.js';
import {
  areEqual,
  Budget,
  Callable,
  Dict,
  fail,
  integer,
  intOf,
  isTrue,
  iterate,
  Loop,
  lengthOf,
  Missing,
  Namespace,
  Range,
  refuseSafe,
  Tuple,
  typeOf,
} from './values.js';

/** @typedef {import('./expressions.js').Node} Node */
/** @typedef {import('./expressions.js').Arguments} Arguments */
/** @typedef {import('./values.js').Value} Value */

/** What stands within each other: calls, statements and expressions. */
const MAX_DEPTH = 1000;
/** The text of a block on its way through filters: no name that a template could write. */
export const BODY = ' body';

export class Scope {
  /** @type {Map<string, Value>} */
  #values = new Map();
  #parent;

  /** @param {Scope | null} parent */
  constructor(parent) {
    this.#parent = parent;
  }

  /** @param {string} name @returns {Value | undefined} */
  get(name) {
    return this.#values.has(name) ? this.#values.get(name) : this.#parent?.get(name);
  }

  /** @param {string} name @param {Value} value */
  set(name, value) {
    this.#values.set(name, value);
  }
}

export class Evaluator {
  budget = new Budget();
  line = 1;
  #depth = 0;

  /** @template T @param {() => T} work @returns {T} */
  deeper(work) {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail(`it goes more than ${MAX_DEPTH} steps deep`);
    const made = work();
    this.#depth -= 1;
    return made;
  }

  /** @param {Node} node @param {Scope} scope
   * @returns {Value} */
  value(node, scope) {
    this.budget.work();
    return this.deeper(() => EXPRESSIONS[node.kind](this, node, scope));
  }

  /** @param {Node[]} nodes @param {Scope} scope */
  values(nodes, scope) {
    this.budget.elements(nodes.length);
    return nodes.map((node) => this.value(node, scope));
  }

  /** @param {Node} node @param {Scope} scope */
  binary({ operator, left, right }, scope) {
    const first = this.value(left, scope);
    if (operator === 'and') return isTrue(first) ? this.value(right, scope) : first;
    if (operator === 'or') return isTrue(first) ? first : this.value(right, scope);
    return binary(operator, first, this.value(right, scope), this.budget);
  }

  /** @param {Node} node @param {Scope} scope */
  compare({ first, others }, scope) {
    let left = this.value(first, scope);
    for (const { operator, value } of others) {
      const right = this.value(value, scope);
      const undefinedOne = [left, right].find((one) => one instanceof Missing);
      if (undefinedOne && /^[<>]/.test(operator)) {
        fail(`'${/** @type {Missing} */ (undefinedOne).name}' is undefined`);
      }
      if (!COMPARISONS[operator](left, right, this.budget)) return false;
      left = right;
    }
    return true;
  }

  /** @param {Arguments} call @param {Scope} scope
   * @returns {[args: Value[], named: Map<string, Value>]} */
  arguments({ args, named, list, dict }, scope) {
    const all = this.values(args, scope);
    /** @type {Map<string, Value>} */
    const names = new Map(named.map(([name, node]) => [name, this.value(node, scope)]));
    if (list) all.push(...iterate(this.value(list, scope), this.budget));
    if (dict) {
      const more = this.value(dict, scope);
      if (!(more instanceof Dict)) return fail('expected a dict behind **');
      for (const [name, value] of more.pairs) names.set(text(name, '**'), value);
    }
    return [all, names];
  }

  /** @param {Node} node @param {Scope} scope @param {Value} [caller] */
  call(node, scope, caller) {
    const callee = this.value(node.callee, scope);
    const [args, named] = this.arguments(/** @type {any} */ (node), scope);
    if (caller !== undefined) named.set('caller', caller);
    if (callee instanceof Missing) fail(`'${callee.name}' is undefined`);
    const called = callee instanceof Loop ? callee.again : callee;
    if (called instanceof Callable) return called.call(args, named);
    return fail(`'${typeOf(callee)}' object is not callable`);
  }

  // ---- Attributes and items ----

  /** What `value.name` is: an attribute, or else an item.
   * @param {Value} value @param {string} name
   * @returns {Value} */
  attribute(value, name) {
    if (value instanceof Missing) return fail(`'${value.name}' is undefined`);
    if (value instanceof Loop) return this.#ofLoop(value, name);
    if (value instanceof Namespace)
      return value.members.get(name) ?? this.#missing(name, value.members.has(name));
    const method = methodOf(value, name, this.budget);
    if (method) return method;
    const item = value instanceof Dict ? value.get(name) : undefined;
    if (item !== undefined) return item;
    if (name.startsWith('__')) return fail(`access to attribute '${name}' is unsafe`);
    refuseSafe(value);
    return new Missing(name);
  }

  /** @param {string} name @param {boolean} isNone */
  #missing(name, isNone) {
    return isNone ? null : new Missing(name);
  }

  /** @param {Loop} loop @param {string} name */
  #ofLoop(loop, name) {
    if (Object.hasOwn(LOOP, name)) return LOOP[name](loop);
    if (name !== 'changed') return new Missing(name);
    return new Callable(name, (args) => {
      const { last } = loop.memory;
      const now = new Tuple(args);
      loop.memory.last = now;
      return last === undefined || !areEqual(last, now, this.budget);
    });
  }

  /** What `value[index]` is: an item, or else an attribute.
   * @param {Value} value @param {Value} index
   * @returns {Value} */
  item(value, index) {
    if (value instanceof Missing) return fail(`'${value.name}' is undefined`);
    if (value instanceof Dict) {
      const isKey = !(index instanceof Missing || index instanceof Dict || Array.isArray(index));
      const item = isKey ? value.get(index) : undefined;
      if (item !== undefined) return item;
    } else if (intOf(index) !== null) return this.#element(value, index);
    return typeof index === 'string' ? this.attribute(value, index) : new Missing('the item');
  }

  /** @param {Value} value @param {Value} index
   * @returns {Value} */
  #element(value, index) {
    const missing = new Missing('the item');
    if (typeof value === 'string') {
      this.budget.work(1 + value.length / 16);
      const isPlain = lengthOf(value) === value.length;
      return element(isPlain ? value : Array.from(value), index) ?? missing;
    }
    const items = value instanceof Tuple || value instanceof Range ? value.items : value;
    if (!Array.isArray(items)) return missing;
    const item = element(items, index);
    return item === undefined ? missing : item;
  }

  /** @param {Value} value @param {Node} slice @param {Scope} scope
   * @returns {Value} */
  slice(value, { start, stop, step }, scope) {
    const points = typeof value === 'string' ? iterate(value, this.budget) : null;
    const items =
      points ?? (value instanceof Tuple || value instanceof Range ? value.items : value);
    if (value instanceof Missing) return fail(`'${value.name}' is undefined`);
    if (!Array.isArray(items)) return fail(`a slice of a ${typeOf(value)}`);
    const [from, to, by] = [start, stop, step].map((node) => {
      const point = node ? this.value(node, scope) : null;
      return point === null ? null : Number(integer(point, 'slice'));
    });
    const made = sliced(items, from, to, by ?? 1);
    this.budget.elements(made.length);
    if (points) return made.join('');
    if (value instanceof Range) return fail('a slice of a range');
    return value instanceof Tuple ? new Tuple(made) : made;
  }

  // ---- Filters and tests ----

  /** @param {string} name @param {Value} value @param {Value[]} args @param {Map<string, Value>} named
   * @returns {Value} */
  filter(name, value, args, named) {
    if (!Object.hasOwn(FILTERS, name)) fail(`the filter '${name}' is not supported`);
    const [names, filter] = FILTERS[name];
    return filter(value, ordered(name, names, args, named), this.#context, named);
  }

  /** @param {string} name @param {Value} value @param {Value[]} args */
  test(name, value, args) {
    if (!Object.hasOwn(TESTS, name)) fail(`the test '${name}' is not supported`);
    return TESTS[name](value, args, this.#context);
  }

  get #context() {
    const { budget } = this;
    return {
      budget,
      item: (/** @type {Value} */ value, /** @type {Value} */ key) => this.item(value, key),
      filter: this.filter.bind(this),
      test: this.test.bind(this),
    };
  }
}

/** Python's slices.
 * @param {Value[]} items @param {number | null} start @param {number | null} stop @param {number} step */
function sliced(items, start, stop, step) {
  if (!step) fail('a slice with the step 0');
  const { length } = items;
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  /** @param {number | null} position @param {number} otherwise */
  const bound = (position, otherwise) =>
    position === null
      ? otherwise
      : Math.min(high, Math.max(low, position < 0 ? position + length : position));
  const [from, to] = [bound(start, step > 0 ? low : high), bound(stop, step > 0 ? high : low)];
  /** @type {Value[]} */
  const made = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) made.push(items[index]);
  return made;
}

/** @type {Record<string, (runner: Evaluator, node: Node, scope: Scope) => Value>} */
const EXPRESSIONS = {
  constant: (_, { value }) => value,
  body: (_, __, scope) => /** @type {Value} */ (scope.get(BODY)),
  name: (_, { name }, scope) => {
    const value = scope.get(name);
    return value === undefined ? new Missing(name) : value;
  },
  tuple: (runner, { items }, scope) => new Tuple(runner.values(items, scope)),
  list: (runner, { items }, scope) => runner.values(items, scope),
  dict: (runner, { pairs }, scope) => {
    runner.budget.elements(2 * pairs.length);
    /** @param {Node} node */
    const of = (node) => runner.value(node, scope);
    return new Dict(pairs.map((/** @type {[Node, Node]} */ [key, value]) => [of(key), of(value)]));
  },
  choice: (runner, { test, value, otherwise }, scope) => {
    if (isTrue(runner.value(test, scope))) return runner.value(value, scope);
    return otherwise ? runner.value(otherwise, scope) : new Missing('the inline if without else');
  },
  not: (runner, { value }, scope) => !isTrue(runner.value(value, scope)),
  sign: (runner, { sign, value }, scope) => signed(sign, runner.value(value, scope)),
  join: (runner, { items }, scope) => joined(runner.values(items, scope), runner.budget),
  binary: (runner, node, scope) => runner.binary(node, scope),
  compare: (runner, node, scope) => runner.compare(node, scope),
  attribute: (runner, { value, key }, scope) => runner.attribute(runner.value(value, scope), key),
  item: (runner, { value, index }, scope) => {
    const target = runner.value(value, scope);
    if (index.kind === 'slice') return runner.slice(target, index, scope);
    return runner.item(target, runner.value(index, scope));
  },
  call: (runner, node, scope) => runner.call(node, scope),
  filter: (runner, node, scope) => {
    const value = runner.value(node.value, scope);
    return runner.filter(node.name, value, ...runner.arguments(/** @type {any} */ (node), scope));
  },
  test: (runner, node, scope) => {
    const value = runner.value(node.value, scope);
    const [args, named] = runner.arguments(/** @type {any} */ (node), scope);
    return named.size
      ? fail('a test takes no named arguments')
      : runner.test(node.name, value, args);
  },
};
