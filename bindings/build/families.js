// The tables of the families of checkpoints in Python: written once, in bindings/checkpoints, as expressions. A module of
// theirs has constants and functions whose bodies are `const`, `if` with `return`, and `return`; each becomes one
// expression of Python, over the functions of bindings/python/glassformer/_js.py, which compute as JavaScript does.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';
import { FIELDS } from '../model/config/config.js';

/** @typedef {any} Node of ESTree */

/** What is Python's own: of modules that are no tables. */
const OWN = { refusing: 'refusing', isObject: 'is_object', FIELDS: JSON.stringify(FIELDS) };
/** A member of a family that is held against numbers. */
const LEFT_OUT = ['flaws'];
const GLOBALS = ['Array', 'Boolean', 'Math', 'Number', 'Object', 'String'];
/** Operators that mean in Python what they mean here, for numbers. */
const SAME = ['+', '-', '*', '**', '<', '<=', '>', '>='];
/** Those that need a function: of the second, where it may not be computed, a function of it. */
const CALLED = {
  ...{ '===': 'same', '!==': 'differ', '/': 'divided', '%': 'rest' },
  ...{ '&&': 'both', '||': 'either', '??': 'given' },
};

/** @typedef {{ file: string, names: Map<string, string> }} Scope what names are in Python */

/** Makes Python of what some names of modules stand for.
 * @param {Record<string, string[]>} wanted names by module
 * @param {URL} folder
 * @returns {string} */
export function familiesInPython(wanted, folder) {
  /** @type {Map<string, Map<string, () => string>>} the declarations of each module */
  const modules = new Map();
  /** @type {Map<string, string>} by their names in Python, in the order in which they can stand */
  const written = new Map();

  /** @param {string} file */
  function moduleOf(file) {
    const known = modules.get(file);
    if (known) return known;
    /** @type {Map<string, () => string>} */
    const declared = new Map();
    modules.set(file, declared);
    /** @type {Map<string, string>} */
    const names = new Map();
    const scope = { file, names };
    for (const statement of parseAst(readFileSync(new URL(file, folder), 'utf8')).body) {
      const node = /** @type {Node} */ (statement);
      if (node.type === 'ImportDeclaration') {
        for (const { local } of node.specifiers) {
          const from = path.posix.join(path.dirname(file), node.source.value);
          declared.set(local.name, () =>
            Object.hasOwn(OWN, local.name)
              ? OWN[/** @type {keyof typeof OWN} */ (local.name)]
              : reference(from, local.name),
          );
        }
        continue;
      }
      const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      if (inner.type === 'FunctionDeclaration') {
        declared.set(inner.id.name, () => define(scope, inner.id.name, functionOf(inner, scope)));
      } else if (inner.type === 'VariableDeclaration') {
        for (const { id, init } of inner.declarations) {
          for (const [name, made] of bound(id, () => expression(init, scope), scope)) {
            declared.set(name, () => define(scope, name, made()));
          }
        }
      }
    }
    return declared;
  }

  /** @param {Scope} scope @param {string} name @param {string} made */
  function define({ file }, name, made) {
    written.set(nameOf(file, name), made);
    return nameOf(file, name);
  }

  /** What a name of a module is in Python, which is written before.
   * @param {string} file @param {string} name */
  function reference(file, name) {
    if (written.has(nameOf(file, name))) return nameOf(file, name);
    const declared = moduleOf(file).get(name);
    if (!declared) throw new Error(`${file}: ${name} is not known`);
    return declared();
  }

  /** The names that a pattern binds, and what each of them is of the value.
   * @param {Node} pattern @param {() => string} value @param {Scope} scope
   * @returns {[string, () => string][]} */
  function bound(pattern, value, scope) {
    if (pattern.type === 'Identifier') return [[pattern.name, value]];
    if (pattern.type === 'AssignmentPattern') {
      return bound(
        pattern.left,
        () => `given(${value()}, lambda: ${expression(pattern.right, scope)})`,
        scope,
      );
    }
    if (pattern.type === 'ArrayPattern') {
      return pattern.elements.flatMap((/** @type {Node} */ element, /** @type {number} */ i) =>
        element ? bound(element, () => `get(${value()}, ${i})`, scope) : [],
      );
    }
    const keys = pattern.properties.flatMap((/** @type {Node} */ one) =>
      one.type === 'Property' ? [JSON.stringify(one.key.name)] : [],
    );
    return pattern.properties.flatMap((/** @type {Node} */ one) =>
      one.type === 'RestElement'
        ? bound(one.argument, () => `without(${value()}, ${keys.join(', ')})`, scope)
        : bound(one.value, () => `get(${value()}, ${JSON.stringify(one.key.name)})`, scope),
    );
  }

  /** @param {Node} node @param {Scope} scope */
  function functionOf({ params, body }, scope) {
    const names = new Map(scope.names);
    const own = { ...scope, names };
    const list = params.map((/** @type {Node} */ param, /** @type {number} */ i) => {
      const name = param.type === 'Identifier' ? `${param.name}_` : `p${names.size}_${i}`;
      for (const [word, made] of bound(param, () => name, own)) names.set(word, made());
      return `${name}=None`;
    });
    const made = body.type === 'BlockStatement' ? block(body.body, own) : expression(body, own);
    return `(lambda ${[...list, '*_'].join(', ')}: ${made})`;
  }

  /** The value that statements return.
   * @param {Node[]} statements @param {Scope} scope
   * @returns {string} */
  function block([first, ...others], scope) {
    if (!first) return 'None';
    if (first.type === 'ReturnStatement') return expression(first.argument, scope);
    if (first.type === 'IfStatement') {
      const { test, consequent } = first;
      const then = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
      return `(${block(then, scope)} if truthy(${expression(test, scope)}) else ${block(others, scope)})`;
    }
    if (first.type !== 'VariableDeclaration') throw unknown(first, scope);
    const [{ id, init }] = first.declarations;
    const name = `c${scope.names.size}`;
    const names = new Map(scope.names);
    for (const [word, made] of bound(id, () => name, scope)) names.set(word, made());
    return `(lambda ${name}: ${block(others, { ...scope, names })})(${expression(init, scope)})`;
  }

  /** @param {Node} node @param {Scope} scope
   * @returns {string} */
  function expression(node, scope) {
    const of = (/** @type {Node} */ one) => expression(one, scope);
    const all = (/** @type {Node[]} */ list) =>
      list
        .map((one) => (one.type === 'SpreadElement' ? `*${of(one.argument)}` : of(one)))
        .join(', ');
    switch (node.type) {
      case 'Literal':
        if (node.regex) return `re.compile(${JSON.stringify(node.regex.pattern)})`;
        return (
          { true: 'True', false: 'False', null: 'None' }[String(node.raw)] ??
          JSON.stringify(node.value)
        );
      case 'Identifier':
        if (node.name === 'undefined') return 'None';
        if (GLOBALS.includes(node.name)) return node.name;
        return scope.names.get(node.name) ?? reference(scope.file, node.name);
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return of(node.expression);
      case 'ArrayExpression':
        return `[${all(node.elements)}]`;
      case 'ObjectExpression':
        return `{${node.properties.flatMap((/** @type {Node} */ one) => member(one, scope)).join(', ')}}`;
      case 'ArrowFunctionExpression':
        return functionOf(node, scope);
      case 'TemplateLiteral':
        return `"".join([${node.quasis
          .flatMap((/** @type {Node} */ quasi, /** @type {number} */ i) => [
            JSON.stringify(quasi.value.cooked),
            ...(node.expressions[i] ? [`String(${of(node.expressions[i])})`] : []),
          ])
          .join(', ')}])`;
      case 'ConditionalExpression':
        return `(${of(node.consequent)} if truthy(${of(node.test)}) else ${of(node.alternate)})`;
      case 'UnaryExpression':
        if (node.operator === '!') return `(not truthy(${of(node.argument)}))`;
        if (node.operator === '-') return `(-${of(node.argument)})`;
        throw unknown(node, scope);
      case 'LogicalExpression':
        return `${CALLED[/** @type {'&&'} */ (node.operator)]}(${of(node.left)}, lambda: ${of(node.right)})`;
      case 'BinaryExpression':
        if (SAME.includes(node.operator))
          return `(${of(node.left)} ${node.operator} ${of(node.right)})`;
        if (!Object.hasOwn(CALLED, node.operator)) throw unknown(node, scope);
        return `${CALLED[/** @type {'==='} */ (node.operator)]}(${of(node.left)}, ${of(node.right)})`;
      case 'MemberExpression':
        return `get(${of(node.object)}, ${node.computed ? of(node.property) : JSON.stringify(node.property.name)})`;
      case 'CallExpression': {
        const { callee } = node;
        if (callee.type !== 'MemberExpression') return `${of(callee)}(${all(node.arguments)})`;
        const name = JSON.stringify(callee.property.name);
        return `call(${[of(callee.object), name, ...node.arguments.map(of)].join(', ')})`;
      }
      default:
        throw unknown(node, scope);
    }
  }

  /** A member of an object.
   * @param {Node} node @param {Scope} scope
   * @returns {string[]} */
  function member(node, scope) {
    if (node.type === 'SpreadElement') return [`**spread(${expression(node.argument, scope)})`];
    const value = () => expression(node.value, scope);
    if (node.computed) return [`${expression(node.key, scope)}: ${value()}`];
    const key = node.key.name ?? node.key.value;
    return LEFT_OUT.includes(key) ? [] : [`${JSON.stringify(key)}: ${value()}`];
  }

  const found = Object.entries(wanted).flatMap(([file, names]) =>
    names.map((name) => `${name} = ${reference(file, name)}`),
  );
  const lines = [...written].map(([name, made]) => `${name} = ${made}`);
  return [...lines, ...found].join('\n');
}

/** What something of a module is called, as all are in one module of Python.
 * @param {string} file @param {string} name */
const nameOf = (file, name) => `${file.replace(/\.js$/, '').replace(/\W/g, '_')}_${name}`;

/** @param {Node} node @param {Scope} scope */
const unknown = ({ type, operator = '' }, { file }) =>
  new Error(`${file}: ${type} ${operator} has no form in Python`);
