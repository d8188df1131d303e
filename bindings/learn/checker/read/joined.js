// Decides whether the text directly before or behind a side of an equation may belong to its computation, though it is not
// read as part of it.

/** @typedef {import('./tokens.js').Token} Token */

/** Operators between two numbers: words, and commands of LaTeX. */
const OPERATORS = [
  ...['times', 'plus', 'minus', 'divided', 'multiplied', 'mod', 'modulo', 'choose', 'over'],
  ...['mal', 'geteilt', 'hoch', 'durch', 'fois', 'moins', 'divisé', 'multiplié'],
  ...['por', 'más', 'menos', 'entre', 'dividido', 'multiplicado'],
  ...['pm', 'mp', 'bmod', 'pmod', 'circ', 'star', 'bullet', 'cdots', 'ldots'],
];

/** Units that change the value of the number before them. */
const UNITS = [
  ...['dozen', 'hundred', 'thousand', 'million', 'billion', 'percent', 'per'],
  ...['hundert', 'tausend', 'millionen', 'milliarde', 'milliarden', 'prozent'],
  ...['cent', 'mille', 'millions', 'milliard', 'milliards', 'pour'],
  ...['mil', 'millón', 'millones', 'ciento', 'docena'],
];

/** Prepositions before an operand. */
const PREPOSITIONS = ['of', 'by', 'per', 'from', 'von', 'pro', 'de', 'par', 'sur'];

/** Functions of what follows. */
const FUNCTIONS = [
  ...['twice', 'double', 'triple', 'half', 'root', 'square', 'mean', 'average', 'sum', 'product'],
  ...['max', 'min', 'round', 'floor', 'ceil', 'tan', 'sinh', 'cosh', 'wurzel', 'racine'],
  ...['raíz', 'suma', 'media', 'promedio', 'mitad', 'doble'],
];

/** Names of a result, which all that follows computes: a total of 3 + 4. */
const RESULTS = [
  ...['total', 'score', 'result', 'weight', 'wert', 'ergebnis', 'résultat', 'poids'],
  ...['resultado', 'peso', 'puntuación'],
];

/** Conjunctions between two numbers, or two sentences. */
const JOINTS = ['and', 'or', 'to', 'und', 'oder', 'zu', 'et', 'ou', 'à'];

/** Words, and no variable. */
const WORD = /^(?:\p{L}\p{Ll}+|\p{L}{4,}|\p{Lo}+|[aAéèà])$/u;

/** Commands of LaTeX that set what follows, and compute nothing. */
const LAYOUT =
  /\\(?:item|\w+style|implies|Rightarrow|therefore|noindent|(?:begin|end|label|tag|\w*section|\w*space)\*?\{[^{}]*)$/;

/** The end of a paragraph, a column or a cell, or the beginning of a comment. */
const APART = /\n\s*\n|[^\S\n]{2}|#|\$\$|<\/?(?:p|div|li|ul|ol|t[rdh]|br|h\d|pre|section)\b/i;

const SIGN = /^(?![|\u2190-\u21ff])[\p{Sm}%‰—:!]$/u;
const RELATION = /^[<>≤≥≠∈]$/;

/** What is an operator behind a number alone, and when. A colon divides where it is spaced on both sides or on none, a dash
 * subtracts, an exclamation mark is a factorial.
 * @type {Readonly<Record<string, (number: Token, sign: Token, next?: Token) => boolean>>} */
const BEHIND_NUMBER = {
  ':': (_, sign, next) => next?.kind === 'number' && sign.space === next.space,
  '—': (_number, _sign, next) => next?.kind === 'number',
  '!': ({ text }, sign) => !sign.space && /^\d+$/.test(text),
};

/** Tokens of a list or bracket that is an operand. */
const MAX_TOKENS = 40;

/** Finds what may belong to the sides of an equation. */
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
   * @param {number} index the first token of the side
   * @param {number} ended where the equation before it ends in the text */
  before(index, ended) {
    const [last, first] = [this.#tokens[index - 1], this.#tokens[index]];
    if (!last || this.#isApart(index) || this.#text[first.start - 1] === '$') return false;
    if (last.kind === 'name') return this.#isRange(index) || this.#isPart(index - 1, ended, first);
    if (first.line) return false;
    if (last.kind === 'number') return true;
    /* Numbers without a space between them. */
    if (last.kind === 'break' && /^\d/.test(last.text)) return true;
    if (last.kind === 'open') return this.#isCall(index - 1);
    if (last.kind === 'close') return isSpaced(this.#tokens, index) || this.#isComputed(index - 1);
    if (last.kind === 'comma') return last.start > ended && this.#isListed(index - 1);
    return this.#isOperator(index - 1);
  }

  /** Whether what stands behind a right side may belong to it.
   * @param {number} index the token behind it */
  behind(index) {
    const token = this.#tokens[index];
    if (!token || token.line || this.#isApart(index)) return false;
    const { kind, text, match } = token;
    if (kind === 'number') return true;
    if (kind === 'name') return has(OPERATORS, text) || has(UNITS, text);
    if (kind === 'open') return text === '(' && match !== undefined && this.#isComputed(match);
    return this.#isOperator(index);
  }

  /** Whether a bracket opens the arguments of a function. @param {number} index */
  #isCall(index) {
    const { text, space } = this.#tokens[index];
    const isClose = !space && !this.#tokens[index + 1].space;
    return text === '(' && isClose && this.#tokens[index - 1]?.kind === 'name';
  }

  /** Whether both sides of an equation go on as lists: e^1, e^0 = 2.72, 1.00
   * @param {number} first the first token of the left side @param {number} next the token behind the right one */
  areLists(first, next) {
    const [operand, comma] = this.#tokens.slice(Math.max(0, first - 2), first);
    const [mark, number, behind] = this.#tokens.slice(next, next + 3);
    return (
      comma?.kind === 'comma' &&
      !this.#tokens[first].line &&
      ['number', 'close'].includes(operand.kind) &&
      mark?.kind === 'comma' &&
      number?.kind === 'number' &&
      !['equals', 'op'].includes(behind?.kind)
    );
  }

  /** Whether two numbers behind a word are the ends of a range: tokens 1-3. @param {number} index */
  #isRange(index) {
    const [first, sign, last] = this.#tokens.slice(index, index + 3);
    return (
      !first.line &&
      [first, last].every((token) => token?.kind === 'number' && /^\d+$/.test(token.text)) &&
      sign.text === '-' &&
      !sign.space &&
      !last.space
    );
  }

  /** As the text has a token. @param {number} index */
  #written(index) {
    return this.#text.slice(this.#tokens[index].start, this.#tokens[index].end);
  }

  /** @param {number} index the token behind the gap */
  #isApart(index) {
    const from = this.#tokens[index - 1]?.end ?? 0;
    const between = this.#text.slice(from, this.#tokens[index].start);
    return APART.test(between) || /\s`$/.test(between);
  }

  /** @param {number} index */
  #isSign(index) {
    const { kind, text } = this.#tokens[index] ?? {};
    if (kind === 'cell') return !this.#hasRows;
    if (kind === 'op' || text === '‖') return true;
    return kind === 'break' && SIGN.test(this.#written(index));
  }

  /** Whether an operator that is not read stands behind an operand: 7 // 2, 1 ± 0.1.
   * @param {number} index */
  #isOperator(index) {
    let first = index;
    while (index - first < 3 && this.#isSign(first - 1) && !this.#tokens[first].line) first--;
    const [operand, token, next] = [first - 1, first, index + 1].map((i) => this.#tokens[i]);
    if (!operand || token.line || !this.#isSign(index)) return false;
    const sign = this.#written(first);
    const isOperator = BEHIND_NUMBER[sign];
    if (isOperator) return operand.kind === 'number' && isOperator(operand, token, next);
    if (RELATION.test(sign) && first === index) return this.#isSign(index + 1);
    return ['number', 'name', 'close'].includes(operand.kind);
  }

  /** Whether a word or a command computes with what follows.
   * @param {number} index @param {number} ended @param {Token} first */
  #isPart(index, ended, { line }) {
    const other = this.#tokens[index - 1];
    const written = this.#written(index);
    const isText = written.endsWith('}');
    if (written.startsWith('\\') && !isText) return !line && !LAYOUT.test(written);
    const word = this.#tokens[index].text.split(/\s+/).at(-1) ?? '';
    if (has(OPERATORS, word)) return true;
    if (has(PREPOSITIONS, word)) return !(other?.kind === 'name' && has(RESULTS, other.text));
    if (line) return false;
    if (has(JOINTS, word)) return other?.kind === 'number' && other.end > ended;
    return (
      has(FUNCTIONS, word) || !(isText || WORD.test(word)) || isSpaced(this.#tokens, index + 1)
    );
  }

  /** Whether a bracket is closed that computes: it has numbers or signs, and no words; or it is a function's.
   * @param {number} index */
  #isComputed(index) {
    const { match, start: end } = this.#tokens[index];
    if (match === undefined || LAYOUT.test(this.#text.slice(Math.max(0, end - MAX_TOKENS), end)))
      return false;
    if (this.#tokens[match - 1]?.kind === 'name' && !this.#tokens[match].space) return true;
    const inside = this.#tokens.slice(match + 1, Math.min(index, match + MAX_TOKENS));
    const hasWords = inside.some(({ kind, text }) => kind === 'name' && WORD.test(text));
    return (
      !hasWords && inside.some(({ kind }, i) => kind === 'number' || this.#isSign(match + 1 + i))
    );
  }

  /** Whether a comma stands in a list that is computed with: mean of 1, 3.
   * @param {number} index */
  #isListed(index) {
    let from = index;
    while (index - from < MAX_TOKENS && ['comma', 'number'].includes(this.#tokens[from - 1]?.kind))
      from--;
    const name = this.#tokens[from - 1];
    return name?.kind === 'name' && (has(PREPOSITIONS, name.text) || has(FUNCTIONS, name.text));
  }
}

/** @param {string[]} words @param {string} word */
const has = (words, word) => words.includes(word.toLowerCase());

/** Whether a plus or a minus has space on both sides, as between two operands.
 * @param {Token[]} tokens @param {number} index */
const isSpaced = (tokens, index) =>
  (tokens[index].text === '-' || tokens[index].text === '+') &&
  tokens[index].space &&
  Boolean(tokens[index + 1]?.space);
