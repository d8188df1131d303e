// What stands directly before or behind a side of an equation and may belong to its computation, though it is not read.

/** @typedef {import('./tokens.js').Token} Token */

/** What computes with the number before it and the one behind it: words, commands of LaTeX. */
const OPERATORS = [
  ...['times', 'plus', 'minus', 'divided', 'multiplied', 'mod', 'modulo', 'choose', 'over'],
  ...['mal', 'geteilt', 'hoch', 'durch', 'fois', 'moins', 'divisé', 'multiplié'],
  ...['pm', 'mp', 'bmod', 'pmod', 'circ', 'star', 'bullet', 'cdots', 'ldots'],
];

/** What makes another number of the one before it. */
const UNITS = [
  ...['dozen', 'hundred', 'thousand', 'million', 'billion', 'percent', 'per'],
  ...['hundert', 'tausend', 'millionen', 'milliarde', 'milliarden', 'prozent'],
  ...['cent', 'mille', 'millions', 'milliard', 'milliards', 'pour'],
];

/** What leads to what is computed with. */
const PREPOSITIONS = ['of', 'by', 'per', 'from', 'von', 'pro', 'de', 'par', 'sur'];

/** What computes with what follows. */
const FUNCTIONS = [
  ...['twice', 'double', 'triple', 'half', 'root', 'square', 'mean', 'average', 'sum', 'product'],
  ...['max', 'min', 'round', 'floor', 'ceil', 'tan', 'sinh', 'cosh', 'wurzel', 'racine'],
];

/** What is called so is all that follows: a total of 3 + 4. */
const RESULTS = ['total', 'score', 'result', 'weight', 'wert', 'ergebnis', 'résultat', 'poids'];

/** What joins two numbers, or two sentences. */
const JOINTS = ['and', 'or', 'to', 'und', 'oder', 'zu', 'et', 'ou', 'à'];

/** Words, and no variable. */
const WORD = /^(?:\p{L}\p{Ll}+|\p{L}{4,}|[aA])$/u;

/** Commands of LaTeX that set what follows, and compute nothing. */
const LAYOUT =
  /\\(?:item|\w+style|implies|Rightarrow|therefore|noindent|(?:begin|end|label|tag|\w*section|\w*space)\*?\{[^{}]*)$/;

/** What ends a paragraph or a cell, or begins a comment. */
const APART = /\n\s*\n|#|\$\$|<\/?(?:p|div|li|ul|ol|t[rdh]|br|h\d|pre|section)\b/i;

const SIGN = /^(?![|\u2190-\u21ff])[\p{Sm}%‰—:!]$/u;
const RELATION = /^[<>≤≥≠∈]$/;

/** Longer lists and brackets are no operands. */
const MOST = 40;

/** What may belong to the sides that are read of a text. */
export class Joints {
  #text;
  #tokens;
  /** Whether & stands between the cells of LaTeX. */ #hasRows;

  /** @param {string} text @param {Token[]} tokens that it consists of */
  constructor(text, tokens) {
    this.#text = text;
    this.#tokens = tokens;
    this.#hasRows = tokens.some(({ kind }) => kind === 'row') || /\\begin\b/.test(text);
  }

  /** Whether what stands before a left side may belong to it.
   * @param {number} at the first token of the side
   * @param {number} ended where the equation before it ends in the text */
  before(at, ended) {
    const [last, first] = [this.#tokens[at - 1], this.#tokens[at]];
    if (!last || this.#isApart(at)) return false;
    if (last.kind === 'name') return this.#isPart(at - 1, ended, first);
    if (first.line) return false;
    if (last.kind === 'number') return true;
    if (last.kind === 'close') return isSpaced(this.#tokens, at) || this.#isComputed(at - 1);
    if (last.kind === 'comma') return last.at > ended && this.#isListed(at - 1);
    return this.#isOperator(at - 1);
  }

  /** Whether what stands behind a right side may belong to it.
   * @param {number} at the token behind it */
  behind(at) {
    const token = this.#tokens[at];
    if (!token || token.line || this.#isApart(at)) return false;
    const { kind, text, match } = token;
    if (kind === 'number') return true;
    if (kind === 'name') return has(OPERATORS, text) || has(UNITS, text);
    if (kind === 'open') return text === '(' && match !== undefined && this.#isComputed(match);
    return this.#isOperator(at);
  }

  /** As the text has a token. @param {number} at */
  #written(at) {
    return this.#text.slice(this.#tokens[at].at, this.#tokens[at].end);
  }

  /** @param {number} at the token behind the gap */
  #isApart(at) {
    const from = this.#tokens[at - 1]?.end ?? 0;
    return APART.test(this.#text.slice(from, this.#tokens[at].at));
  }

  /** @param {number} at */
  #isSign(at) {
    const { kind } = this.#tokens[at] ?? {};
    if (kind === 'cell') return !this.#hasRows;
    return kind === 'op' || (kind === 'break' && SIGN.test(this.#written(at)));
  }

  /** Whether an operator that is not read stands behind an operand: 7 // 2, 1 ± 0.1. Between numbers a colon divides
   * where it is spaced on both sides or on none, a dash subtracts, an exclamation mark is a factorial.
   * @param {number} at */
  #isOperator(at) {
    let first = at;
    while (at - first < 3 && this.#isSign(first - 1) && !this.#tokens[first].line) first--;
    const [operand, token, next] = [first - 1, first, at + 1].map((i) => this.#tokens[i]);
    if (!operand || token.line || !this.#isSign(at)) return false;
    const isNumber = operand.kind === 'number';
    const sign = this.#written(first);
    if (sign === ':') return isNumber && next?.kind === 'number' && token.space === next.space;
    if (sign === '—') return isNumber && next?.kind === 'number';
    if (sign === '!') return isNumber && !token.space && /^\d+$/.test(operand.text);
    if (RELATION.test(sign) && first === at) return this.#isSign(at + 1);
    return ['number', 'name', 'close'].includes(operand.kind);
  }

  /** Whether a word or a command computes with what follows.
   * @param {number} at @param {number} ended @param {Token} first */
  #isPart(at, ended, { line }) {
    const other = this.#tokens[at - 1];
    const written = this.#written(at);
    const isText = written.endsWith('}');
    if (written.startsWith('\\') && !isText) return !line && !LAYOUT.test(written);
    const word = this.#tokens[at].text.split(/\s+/).at(-1) ?? '';
    if (has(OPERATORS, word)) return true;
    if (has(PREPOSITIONS, word)) return !(other?.kind === 'name' && has(RESULTS, other.text));
    if (line) return false;
    if (has(JOINTS, word)) return other?.kind === 'number' && other.end > ended;
    return has(FUNCTIONS, word) || !(isText || WORD.test(word)) || isSpaced(this.#tokens, at + 1);
  }

  /** Whether a bracket is closed that computes: it has numbers or signs, and no words; or it is a function's.
   * @param {number} at */
  #isComputed(at) {
    const { match, at: end } = this.#tokens[at];
    if (match === undefined || LAYOUT.test(this.#text.slice(Math.max(0, end - MOST), end)))
      return false;
    if (this.#tokens[match - 1]?.kind === 'name' && !this.#tokens[match].space) return true;
    const inside = this.#tokens.slice(match + 1, Math.min(at, match + MOST));
    const hasWords = inside.some(({ kind, text }) => kind === 'name' && WORD.test(text));
    return (
      !hasWords && inside.some(({ kind }, i) => kind === 'number' || this.#isSign(match + 1 + i))
    );
  }

  /** Whether a comma stands in a list that is computed with: mean of 1, 3.
   * @param {number} at */
  #isListed(at) {
    let from = at;
    while (at - from < MOST && ['comma', 'number'].includes(this.#tokens[from - 1]?.kind)) from--;
    const name = this.#tokens[from - 1];
    return name?.kind === 'name' && (has(PREPOSITIONS, name.text) || has(FUNCTIONS, name.text));
  }
}

/** @param {string[]} words @param {string} word */
const has = (words, word) => words.includes(word.toLowerCase());

/** Whether a plus or a minus has space on both sides, as between two operands.
 * @param {Token[]} tokens @param {number} at */
const isSpaced = (tokens, at) =>
  (tokens[at].text === '-' || tokens[at].text === '+') &&
  tokens[at].space &&
  Boolean(tokens[at + 1]?.space);
