// Fills in a template: Jinja as transformers sets it up for chats, in a sandbox where nothing changes what it was given.

import { FILTERS, ordered } from './filters.js';
import { GLOBALS, LOOP } from './globals.js';
import { element, methodOf, text } from './methods.js';
import { binary, COMPARISONS, joined, signed } from './operators.js';
import { parse } from './parser.js';
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
  Safe,
  TemplateError,
  Tuple,
  textOf,
  typeOf,
  valueFrom,
} from './values.js';

/** @typedef {import('./parser.js').Node} Node */
/** @typedef {import('./parser.js').Arguments} Arguments */
/** @typedef {import('./values.js').Value} Value */
/** What a statement says of the loop around it. @typedef {'break' | 'continue' | undefined} Jump */

/** What stands within each other: calls, statements and expressions. */
const MAX_DEPTH = 1000;

class Scope {
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

/** Whether a name stands anywhere in a tree.
 * @param {unknown} tree @param {string} name
 * @returns {boolean} */
function mentions(tree, name) {
  if (Array.isArray(tree)) return tree.some((one) => mentions(one, name));
  if (typeof tree !== 'object' || tree === null) return false;
  const { kind, name: nodeName } = /** @type {Node} */ (tree);
  if (kind === 'name' && nodeName === name) return true;
  return Object.values(tree).some((one) => mentions(one, name));
}

class Runner {
  budget = new Budget();
  line = 1;
  #depth = 0;
  #globals = new Scope(null);

  /** @param {Record<string, unknown>} items */
  constructor(items) {
    for (const [name, call] of Object.entries(GLOBALS)) {
      const made = new Callable(name, (args, named) => call(args, named, this.budget));
      this.#globals.set(name, made);
    }
    for (const [name, item] of Object.entries(items)) this.#globals.set(name, valueFrom(item));
  }

  /** @param {Node[]} nodes */
  template(nodes) {
    return this.#captured(nodes, new Scope(this.#globals));
  }

  // ---- Statements ----

  /** @param {Node[]} nodes @param {Scope} scope
   * @returns {string} */
  #captured(nodes, scope) {
    /** @type {string[]} */
    const out = [];
    this.#body(nodes, scope, out);
    const made = out.join('');
    this.budget.room(made.length);
    return made;
  }

  /** @param {Node[]} nodes @param {Scope} scope @param {string[]} out
   * @returns {Jump} */
  #body(nodes, scope, out) {
    return this.#deeper(() => {
      for (const node of nodes) {
        this.line = node.line;
        this.budget.work();
        const jump = STATEMENTS[node.kind](this, node, scope, out);
        if (jump) return jump;
      }
      return undefined;
    });
  }

  static text(
    /** @type {Runner} */ _,
    /** @type {Node} */ node,
    /** @type {Scope} */ __,
    /** @type {string[]} */ out,
  ) {
    out.push(node.text);
  }

  static print(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    out.push(textOf(runner.value(node.value, scope), runner.budget));
  }

  /** @returns {Jump} */
  static if(
    /** @type {Runner} */ runner,
    /** @type {Node} */ { branches },
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    for (const { test, body } of branches) {
      if (!test || isTrue(runner.value(test, scope))) return runner.#body(body, scope, out);
    }
    return undefined;
  }

  static for(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    runner.#loop(node, runner.value(node.list, scope), scope, out, 1);
  }

  /** @param {Node} node @param {Value} list @param {Scope} scope @param {string[]} out @param {number} depth */
  #loop(node, list, scope, out, depth) {
    const { target, test, body, otherwise, isRecursive } = node;
    let items = iterate(list, this.budget);
    if (test) {
      items = items.filter((item) => {
        const inner = new Scope(scope);
        this.#assign(target, item, inner);
        return isTrue(this.value(test, inner));
      });
    }
    const again = isRecursive
      ? new Callable('loop', ([inner]) => {
          /** @type {string[]} */
          const parts = [];
          this.#loop(node, inner, scope, parts, depth + 1);
          return joined(parts, this.budget);
        })
      : null;
    const memory = { last: undefined };
    for (const [i, item] of items.entries()) {
      const inner = new Scope(scope);
      inner.set('loop', new Loop(items, i, depth, again, memory));
      this.#assign(target, item, inner);
      if (this.#body(body, inner, out) === 'break') break;
    }
    if (!items.length && otherwise) this.#body(otherwise, new Scope(scope), out);
  }

  static set(/** @type {Runner} */ runner, /** @type {Node} */ node, /** @type {Scope} */ scope) {
    const { target, value, filters, body } = node;
    runner.#assign(
      target,
      value ? runner.value(value, scope) : runner.#block(filters, body, scope),
      scope,
    );
  }

  /** The text of a body, through filters.
   * @param {Node | null} filters @param {Node[]} body @param {Scope} scope */
  #block(filters, body, scope) {
    const made = this.#captured(body, new Scope(scope));
    if (!filters) return made;
    const inner = new Scope(scope);
    inner.set(BODY, made);
    return this.value(filters, inner);
  }

  static filtered(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    const made = runner.#block(node.filters, node.body, scope);
    out.push(made instanceof Safe ? made.text : text(made, 'filter'));
  }

  static with(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    const inner = new Scope(scope);
    for (const { target, value } of node.values) {
      runner.#assign(target, runner.value(value, scope), inner);
    }
    return runner.#body(node.body, inner, out);
  }

  static group(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    runner.#body(node.body, new Scope(scope), out);
  }

  static macro(/** @type {Runner} */ runner, /** @type {Node} */ node, /** @type {Scope} */ scope) {
    scope.set(node.name, runner.#macro(node.name, node, scope));
  }

  static caller(
    /** @type {Runner} */ runner,
    /** @type {Node} */ node,
    /** @type {Scope} */ scope,
    /** @type {string[]} */ out,
  ) {
    const caller = runner.#macro('caller', node, scope);
    const made = runner.#call(node.call, scope, caller);
    out.push(textOf(made, runner.budget));
  }

  /** @param {string} name @param {Node} node @param {Scope} scope */
  #macro(name, { parameters, body }, scope) {
    const [takesMore, takesNamed, takesCaller] = ['varargs', 'kwargs', 'caller'].map((word) =>
      mentions(body, word),
    );
    return new Callable(name, (args, named) => {
      const inner = new Scope(scope);
      const rest = new Map(named);
      if (takesCaller) inner.set('caller', rest.get('caller') ?? new Missing('caller'));
      rest.delete('caller');
      for (const [i, { name: parameter, value }] of parameters.entries()) {
        const isNamed = rest.has(parameter);
        if (isNamed && i < args.length) fail(`${name} got two values for ${parameter}`);
        const argument = isNamed ? rest.get(parameter) : args[i];
        rest.delete(parameter);
        const missing = () =>
          value
            ? this.value(value, inner)
            : new Missing(`parameter '${parameter}' was not provided`);
        inner.set(parameter, argument ?? (argument === null ? null : missing()));
      }
      const more = args.slice(parameters.length);
      if (takesMore) inner.set('varargs', new Tuple(more));
      else if (more.length) fail(`${name} takes at most ${parameters.length} arguments`);
      if (takesNamed) inner.set('kwargs', new Dict(rest));
      else if (rest.size) fail(`${name} takes no argument ${[...rest.keys()][0]}`);
      return this.#captured(body, inner);
    });
  }

  /** @template T @param {() => T} work @returns {T} */
  #deeper(work) {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) fail(`it goes more than ${MAX_DEPTH} steps deep`);
    const made = work();
    this.#depth -= 1;
    return made;
  }

  /** @param {Node} target @param {Value} value @param {Scope} scope */
  #assign(target, value, scope) {
    if (target.kind === 'name') {
      scope.set(target.name, value);
    } else if (target.kind === 'member') {
      const all = scope.get(target.name);
      if (!(all instanceof Namespace))
        fail(`${target.name} is no namespace: its attributes cannot be set`);
      /** @type {Namespace} */ (all).members.set(target.key, value);
    } else {
      const values = iterate(value, this.budget);
      const { items } = target;
      if (values.length !== items.length) {
        fail(`expected ${items.length} values to unpack, received ${values.length}`);
      }
      for (const [i, item] of items.entries()) this.#assign(item, values[i], scope);
    }
  }

  // ---- Expressions ----

  /** @param {Node} node @param {Scope} scope
   * @returns {Value} */
  value(node, scope) {
    this.budget.work();
    return this.#deeper(() => EXPRESSIONS[node.kind](this, node, scope));
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

  /** @param {Arguments} given @param {Scope} scope
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
  #call(node, scope, caller) {
    const callee = this.value(node.callee, scope);
    const [args, named] = this.arguments(/** @type {any} */ (node), scope);
    if (caller !== undefined) named.set('caller', caller);
    if (callee instanceof Missing) fail(`'${callee.name}' is undefined`);
    const called = callee instanceof Loop ? callee.again : callee;
    if (called instanceof Callable) return called.call(args, named);
    return fail(`'${typeOf(callee)}' object is not callable`);
  }

  /** @param {Node} node @param {Scope} scope */
  call(node, scope) {
    return this.#call(node, scope);
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

/** The text of a block on its way through filters: no name that a template could write. */
const BODY = ' body';

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

/** @type {Record<string, (runner: Runner, node: Node, scope: Scope, out: string[]) => Jump | void>} */
const STATEMENTS = {
  text: Runner.text,
  print: Runner.print,
  if: Runner.if,
  for: Runner.for,
  set: Runner.set,
  filtered: Runner.filtered,
  with: Runner.with,
  group: Runner.group,
  macro: Runner.macro,
  caller: Runner.caller,
  break: () => 'break',
  continue: () => 'continue',
};

/** @type {Record<string, (runner: Runner, node: Node, scope: Scope) => Value>} */
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

/** Fills in a template, or throws a TemplateError. Work and memory are counted, so it ends soon, whatever it says.
 * @param {string} source @param {Record<string, unknown>} items what it may name: plain values
 * @returns {string} */
export function render(source, items) {
  const nodes = parse(source);
  const runner = new Runner(items);
  try {
    return runner.template(nodes);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return fail(`line ${runner.line}: ${error.message}`);
  }
}
