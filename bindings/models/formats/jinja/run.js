// Fills in a template: Jinja as transformers sets it up for chats.

import { BODY, Evaluator, Scope } from './evaluate.js';
import { GLOBALS } from './globals.js';
import { text } from './methods.js';
import { joined } from './operators.js';
import { parse } from './parser.js';
import {
  Callable,
  Dict,
  fail,
  isTrue,
  iterate,
  Loop,
  Missing,
  Namespace,
  Safe,
  TemplateError,
  Tuple,
  textOf,
  valueFrom,
} from './values.js';

/** @typedef {import('./expressions.js').Node} Node */
/** @typedef {import('./values.js').Value} Value */
/** What a statement says of the loop around it. @typedef {'break' | 'continue' | undefined} Jump */

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

class Runner extends Evaluator {
  #globals = new Scope(null);

  /** @param {Record<string, unknown>} items */
  constructor(items) {
    super();
    for (const [name, call] of Object.entries(GLOBALS)) {
      const made = new Callable(name, (args, named) => call(args, named, this.budget));
      this.#globals.set(name, made);
    }
    for (const [name, item] of Object.entries(items)) this.#globals.set(name, valueFrom(item));
  }

  /** @param {Node[]} nodes */
  template(nodes) {
    return this.captured(nodes, new Scope(this.#globals));
  }

  /** @param {Node[]} nodes @param {Scope} scope
   * @returns {string} */
  captured(nodes, scope) {
    /** @type {string[]} */
    const out = [];
    this.body(nodes, scope, out);
    const made = out.join('');
    this.budget.room(made.length);
    return made;
  }

  /** @param {Node[]} nodes @param {Scope} scope @param {string[]} out
   * @returns {Jump} */
  body(nodes, scope, out) {
    return this.deeper(() => {
      for (const node of nodes) {
        this.line = node.line;
        this.budget.work();
        const jump = STATEMENTS[node.kind](this, node, scope, out);
        if (jump) return jump;
      }
      return undefined;
    });
  }

  /** @param {Node} node @param {Value} list @param {Scope} scope @param {string[]} out @param {number} depth */
  loop(node, list, scope, out, depth) {
    const { target, test, body, otherwise, isRecursive } = node;
    let items = iterate(list, this.budget);
    if (test) {
      items = items.filter((item) => {
        const inner = new Scope(scope);
        this.assign(target, item, inner);
        return isTrue(this.value(test, inner));
      });
    }
    const again = isRecursive
      ? new Callable('loop', ([inner]) => {
          /** @type {string[]} */
          const parts = [];
          this.loop(node, inner, scope, parts, depth + 1);
          return joined(parts, this.budget);
        })
      : null;
    const memory = { last: undefined };
    for (const [i, item] of items.entries()) {
      const inner = new Scope(scope);
      inner.set('loop', new Loop(items, i, depth, again, memory));
      this.assign(target, item, inner);
      if (this.body(body, inner, out) === 'break') break;
    }
    if (!items.length && otherwise) this.body(otherwise, new Scope(scope), out);
  }

  /** The text of a body, through filters.
   * @param {Node | null} filters @param {Node[]} body @param {Scope} scope */
  block(filters, body, scope) {
    const made = this.captured(body, new Scope(scope));
    if (!filters) return made;
    const inner = new Scope(scope);
    inner.set(BODY, made);
    return this.value(filters, inner);
  }

  /** @param {string} name @param {Node} node @param {Scope} scope */
  macro(name, { parameters, body }, scope) {
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
      return this.captured(body, inner);
    });
  }

  /** @param {Node} target @param {Value} value @param {Scope} scope */
  assign(target, value, scope) {
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
      for (const [i, item] of items.entries()) this.assign(item, values[i], scope);
    }
  }
}

/** What each statement writes to `out`.
 * @type {Record<string, (runner: Runner, node: Node, scope: Scope, out: string[]) => Jump | void>} */
const STATEMENTS = {
  text(_, node, __, out) {
    out.push(node.text);
  },

  print(runner, node, scope, out) {
    out.push(textOf(runner.value(node.value, scope), runner.budget));
  },

  if(runner, { branches }, scope, out) {
    for (const { test, body } of branches) {
      if (!test || isTrue(runner.value(test, scope))) return runner.body(body, scope, out);
    }
    return undefined;
  },

  for(runner, node, scope, out) {
    runner.loop(node, runner.value(node.list, scope), scope, out, 1);
  },

  set(runner, node, scope) {
    const { target, value, filters, body } = node;
    runner.assign(
      target,
      value ? runner.value(value, scope) : runner.block(filters, body, scope),
      scope,
    );
  },

  filtered(runner, node, scope, out) {
    const made = runner.block(node.filters, node.body, scope);
    out.push(made instanceof Safe ? made.text : text(made, 'filter'));
  },

  with(runner, node, scope, out) {
    const inner = new Scope(scope);
    for (const { target, value } of node.values) {
      runner.assign(target, runner.value(value, scope), inner);
    }
    return runner.body(node.body, inner, out);
  },

  group(runner, node, scope, out) {
    runner.body(node.body, new Scope(scope), out);
  },

  macro(runner, node, scope) {
    scope.set(node.name, runner.macro(node.name, node, scope));
  },

  caller(runner, node, scope, out) {
    const caller = runner.macro('caller', node, scope);
    const made = runner.call(node.call, scope, caller);
    out.push(textOf(made, runner.budget));
  },

  break: () => 'break',
  continue: () => 'continue',
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
