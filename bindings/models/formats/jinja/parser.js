// From a template's tokens to its tree, by Jinja's grammar: https://jinja.palletsprojects.com/en/stable/templates/

import { CONSTANTS, ExpressionParser } from './expressions.js';
import { tokensOf } from './lexer.js';
import { fail, TemplateError } from './values.js';

/** @typedef {import('./expressions.js').Node} Node */
/** @typedef {import('./expressions.js').Arguments} Arguments */

const MAX_CHARACTERS = 2 ** 20;

class Parser extends ExpressionParser {
  /** What stands up to one of the ends; the name of that end is passed.
   * @param {string[]} ends
   * @returns {Node[]} */
  body(ends) {
    return this.deeper(() => {
      /** @type {Node[]} */
      const nodes = [];
      for (;;) {
        const { type, value, line } = this.next();
        if (type === 'eof') {
          if (!ends.length) return nodes;
          fail(`expected ${ends.map((end) => `{% ${end} %}`).join(' or ')}, received the end`);
        }
        if (type === 'data') nodes.push(this.node('text', { text: value }, line));
        else if (value === '{{') {
          nodes.push(this.node('print', { value: this.tuple() }, line));
          this.end();
        } else {
          if (this.token.type === 'name' && ends.includes(this.token.value)) return nodes;
          nodes.push(this.statement(line));
        }
      }
    });
  }

  /** @param {number} line */
  statement(line) {
    const word = this.name();
    const parse = Object.hasOwn(STATEMENTS, word) ? STATEMENTS[word] : null;
    if (!parse) fail(`the statement '${word}' is not supported`);
    return /** @type {Node} */ ({ line, .../** @type {any} */ (parse)(this) });
  }

  /** The body of a block, with both of its ends. @param {string} end */
  block(end) {
    this.end();
    const body = this.body([end]);
    this.need(end);
    this.end();
    return body;
  }

  /** What a value is given to: a name, several of them, or an attribute.
   * @param {string[]} ends @param {boolean} [attributes]
   * @returns {Node} */
  target(ends, attributes = false) {
    const line = this.line;
    /** @type {Node[]} */
    const items = [];
    let isTuple = false;
    for (;;) {
      const isOpen = this.take('(');
      if (isOpen) items.push(this.target([')']));
      else items.push(this.one(attributes));
      if (isOpen) this.need(')');
      if (!this.take(',')) break;
      isTuple = true;
      if (ends.some((end) => this.is(end))) break;
    }
    return isTuple ? this.node('targets', { items }, line) : items[0];
  }

  /** @param {boolean} attributes */
  one(attributes) {
    const line = this.line;
    const name = this.name();
    if (CONSTANTS.has(name)) fail(`'${name}' cannot be set`);
    if (attributes && this.take('.')) return this.node('member', { name, key: this.name() }, line);
    return this.node('name', { name }, line);
  }

  /** Of a macro: names, and what they are where a call says nothing. */
  parameters() {
    /** @type {{ name: string, value: Node | null }[]} */
    const parameters = [];
    this.need('(');
    while (!this.take(')')) {
      if (parameters.length) this.need(',');
      const name = this.name();
      const value = this.take('=') ? this.expression() : null;
      if (!value && parameters.at(-1)?.value) fail(`the parameter ${name} has no default`);
      parameters.push({ name, value });
    }
    return parameters;
  }
}

/** What each statement is made of, behind its name.
 * @type {Record<string, (parser: Parser) => object>} */
const STATEMENTS = {
  if(parser) {
    /** @type {{ test: Node | null, body: Node[] }[]} */
    const branches = [];
    for (let test = /** @type {Node | null} */ (parser.tuple(false)); ; ) {
      parser.end();
      branches.push({ test, body: parser.body(test ? ['elif', 'else', 'endif'] : ['endif']) });
      const word = parser.name();
      if (word === 'endif') break;
      test = word === 'elif' ? parser.tuple(false) : null;
    }
    parser.end();
    return { kind: 'if', branches };
  },

  for(parser) {
    const target = parser.target(['in']);
    parser.need('in');
    const list = parser.tuple(false, ['recursive']);
    const test = parser.take('if') ? parser.expression() : null;
    const isRecursive = parser.take('recursive');
    parser.end();
    const body = parser.body(['endfor', 'else']);
    let otherwise = null;
    if (parser.name() === 'else') {
      parser.end();
      otherwise = parser.body(['endfor']);
      parser.need('endfor');
    }
    parser.end();
    return { kind: 'for', target, list, test, isRecursive, body, otherwise };
  },

  set(parser) {
    const target = parser.target(['='], true);
    if (parser.take('=')) {
      const value = parser.tuple();
      parser.end();
      return { kind: 'set', target, value };
    }
    const filters = parser.is('|') ? parser.filters({ kind: 'body', line: parser.line }) : null;
    return { kind: 'set', target, filters, body: parser.block('endset') };
  },

  macro(parser) {
    const name = parser.name();
    const parameters = parser.parameters();
    return { kind: 'macro', name, parameters, body: parser.block('endmacro') };
  },

  call(parser) {
    const parameters = parser.is('(') ? parser.parameters() : [];
    const call = parser.expression();
    if (call.kind !== 'call') fail('expected a call');
    return { kind: 'caller', call, parameters, body: parser.block('endcall') };
  },

  filter(parser) {
    const filters = parser.filter({ kind: 'body', line: parser.line });
    return { kind: 'filtered', filters, body: parser.block('endfilter') };
  },

  with(parser) {
    /** @type {{ target: Node, value: Node }[]} */
    const values = [];
    while (parser.token.type !== 'end') {
      if (values.length) parser.need(',');
      const target = parser.target(['=']);
      parser.need('=');
      values.push({ target, value: parser.expression() });
    }
    return { kind: 'with', values, body: parser.block('endwith') };
  },

  generation(parser) {
    return { kind: 'group', body: parser.block('endgeneration') };
  },

  break(parser) {
    parser.end();
    return { kind: 'break' };
  },

  continue(parser) {
    parser.end();
    return { kind: 'continue' };
  },
};

/** @param {string} source of a template
 * @returns {Node[]} */
export function parse(source) {
  if (source.length > MAX_CHARACTERS) fail(`it is longer than ${MAX_CHARACTERS} characters`);
  const parser = new Parser(tokensOf(source));
  try {
    return parser.body([]);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return fail(`line ${parser.line ?? 1}: ${error.message}`);
  }
}
