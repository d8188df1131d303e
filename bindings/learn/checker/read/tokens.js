// From a text to tokens, each with its place: numbers, names, operators, brackets. Markdown, LaTeX, Python and prose
// differ in how they write these, not in what they are.

import { BY_FIRST } from './signs.js';
import { isPercentageOf } from './slips.js';
import { tablesOf } from './tables.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {'number' | 'name' | 'op' | 'equals' | 'open' | 'close' | 'cell' | 'row' | 'comma' | 'break' | 'table'} Kind */

/** @typedef {object} Token
 * @property {Kind} kind
 * @property {string} text the operator, bracket or name in one notation
 * @property {number} start @property {number} end
 * @property {boolean} space whether white space is before it
 * @property {boolean} line whether it begins a line
 * @property {number} [match] the index of the bracket that closes it, or that it closes
 * @property {Cell[][]} [rows] of a table */

const BEGIN =
  /\\begin\{((?:[bpvBV]|small)?matrix\*?|array|tabular)\}(?:\[[^\]\n]{0,8}\])?(?:[{[](?:[lcr|@! ]|\{[^{}\n]{0,20}\}){0,40}[\]}])?/y;
const END = /\\end\{((?:[bpvBV]|small)?matrix\*?|array|tabular)\}/y;
const WORDS =
  /\\(?:text\w{0,4}|math\w{2,4}|bm|boldsymbol|vec|operatorname\*?|tilde|bar)\{\s?\\?([^{}\\]{0,200}(?:_\{[^{}\\]{0,20}\})?)\}((?:_\{\\(?:text|mathrm)\{[^{}\n]{0,20}\}\}|_\\(?:text|mathrm)\{[^{}\n]{0,20}\}|_\{[^{}\n]{0,20}\}|_[\p{L}\p{N}]|\^\{\([^{}()\n]{1,8}\)\}){0,2})/uy;
/** Commands that only set the numbers behind them: \boxed{0.05}, \mathbf{0.05}. */
const DRESSING =
  /\\(?:(?:boxed|fbox|underline|underbrace|overbrace|ensuremath)|(?:(?:text|math)\w{2,4}|text|bm|boldsymbol|(?:text)?color\s?\{\w{1,20}\}|colorbox\{\w{1,20}\})(?=\s?\{\s?(?:[-−+\d.[($]|\\(?:begin|left|frac|math|boxed))))(?=\s?\{)/y;
/** Space and size in LaTeX, and what numbers a formula. */
const SPACING =
  /\\(?:[,;:!> ()]|(?:displaystyle|textstyle|hline|toprule|midrule|bottomrule|nonumber|notag|limits|big[lr]?|Big[lr]?|bigg[lr]?|Bigg[lr]?)(?![A-Za-z])|(?:phantom|[hv]space|tag|label)\{[^{}]{0,40}\})/y;
/** Where a formula begins or ends, and other surroundings. */
const SURROUNDINGS = /\\(?:begin|end)\{[A-Za-z]{1,20}\*?\}/y;
/** A comment within a matrix of LaTeX. */
const COMMENT_IN_MATRIX = /%[^\n]*/y;
/** A comment behind code, and the arrow before what the code prints. */
const COMMENT = /(?<=[^\s#][ \t]{1,200})#+[ \t]*(?:=+>|-+>|→)?(?=(.?))/y;
/** The same on the line below it. */
const COMMENT_BELOW = /#+[ \t]*(?:=+>|-+>|→)?/y;
const PRINTED = /[ \t]*(?:\(|（)?(?:(?:np\.)?array|(?:torch\.)?tensor)?\(?\[/y;
/** A comment behind a printed value, above the comment that shows it. */
const ABOVE_PRINTED =
  /#[^\n]{0,200}(?=\n[ \t]*#[ \t]*(?:(?:np\.)?array|(?:torch\.)?tensor)?\(?\[)/y;
/** A word behind an equals sign that says nothing more: = approx. [0.5, 1.5] */
const ABOUT =
  /\s{0,4}(?:approx(?:imately|\.)?|aprox(?:imadamente|\.)?|env(?:iron|\.)|etwa|circa|ca\.|rund|about|около|примерно)\s{1,4}(?=[-−\d.[(\\])/iuy;
/** The height of a row's gap. */
const ROW_GAP = /\s?\[-?\d{0,4}\.?\d{1,4}\s?(?:pt|em|ex|mm|cm)\]/y;
/** A displayed formula. Brackets with nothing but numbers are escaped brackets of Markdown. */
const DISPLAY = /\\\[([\s\S]{0,4000}?)\\\]/y;
const ONLY_NUMBERS = /^[\s\d.,;eE+\-−[\]\\]*$/;
/** A remark behind a row: a comment of Python, an arrow. */
const REMARK = /(?:#|←|⟵|<-{1,2}(?=\s)|\/\/|\\(?:left|longleft)arrow)[^\n]*/y;
/** Before each line of a comment. */
const MARK = /\/\/+|\*(?=\s)/y;
const FRAME = /pd\.DataFrame\(([A-Za-z_]\w*)\b[^\n]{0,300}/dy;
/** A fraction of two digits without braces: \frac13. */
const SHORT_FRACTION = /\\[dt]?frac\s?(\d)\s?(\d)/dy;
/** A part of a derivative, with the brackets that are its own: \partial L, \partial \mathcal{L} */
const PARTIAL =
  /\\partial\s?(?:(?:\\math\w{1,5})?\{\s?\\?([A-Za-z]{1,20})\s?\}|\\?([A-Za-z]{1,20}))/y;
/** \hat{m} is called mhat. */
const HAT = /\\(?:wide)?hat(?:\{\s?\\?([A-Za-z]+)\s?\}|\s\\?([A-Za-z]+))/y;
const COMMAND = /\\([A-Za-z]+(?:_\{(?:[^{}\n]|\{[^{}\n]{0,20}\}){0,20}\}|_[\p{L}\p{N}])?)/uy;
const POWER = String.raw`(?:[eE][-+−]?\d+)?`;
const NUMBER = new RegExp(String.raw`\d+(?:\.\d+)?${POWER}`, 'y');
const NUMBER_INSIDE = new RegExp(String.raw`(?:\d+\.?\d*|\.\d+)${POWER}`, 'y');
/** 0.7500.25 is two numbers without a space; 1.048.576 has groups of thousands. */
const GLUED = /(?!\d{1,3}(?:\.\d{3})+(?!\d|\.\d))\d+\.\d+(?:\.\d+)+/y;
const POWER_OF_TEN = /10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}/y;
/** Decimals behind a comma in braces. */
const BRACED = /\d+\{,\}\d+/y;
const NUMBER_BY_COMMA = new RegExp(
  String.raw`(?:\d{1,3}(?:\.\d{3}){1,8}(?!\d|\.\d)(?:(?:,|\{,\})\d+)?|\d+\.\d+|\d+(?:(?:,|\{,\})\d+)?)${POWER}`,
  'y',
);
/** What ends a sentence may stand behind it. */
const THOUSANDS = /\d{1,3}(?:(?:,|\{,\})\d{3}){1,8}(?:\.\d+)?(?!\d|[,.]\d)/y;
/** By a space that does not break a line, or by an apostrophe. */
const THOUSANDS_BY_SPACE = /\d{1,3}(?:(?:\\,|[’'\u00a0\u2009\u202f])\d{3}){1,8}(?!\d)(?:[.,]\d+)?/y;
/** In LaTeX a percent sign alone begins a comment. A spaced one between two operands is a modulo. */
const PERCENT = /(?:\\,|[\u00a0\u2009\u202f])?\\?%(?![\p{L}\d])| \\%| %(?!\s*[\p{L}\d(])/uy;
const PERCENT_IN_LATEX = /(?:\\,|[ \u00a0])?\\%/y;
const IS_LATEX = /\\(?:documentclass|begin\{(?:document|align|equation|tabular)|section\b)/;
/** A number again as a percentage, behind it: 0.659 (65.9 %), 0.659 → 65.9 %. */
const AS_PERCENTAGE =
  /(?:\\text\{ ?)?(?:(\()|→|->|⇒)\s?[~≈]?\s?(\d{1,3}(?:[.,]\d{1,6})?)\s?\\?%\)?\}?/y;
/** An exponent in raised digits. */
const RAISED = /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[·⋅][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})?/y;
/** Euler's number before its exponent. */
const EULER = /(?:\\(?:mathrm|text|rm)\{e\}|e)(?=\^|[⁻⁰¹²³⁴-⁹]|\*\*|<sup>)/uy;
/** A method of an array, with its brackets. */
const METHOD =
  /\.(unsqueeze|sum|mean|exp|sqrt|softmax|log|round|numpy|detach|tolist|item|cpu)(?=\()/y;
/** A function of a Python module. */
const OF_MODULE =
  /(?:(?:np|numpy|torch|jnp|jax|math|F|nn|functional|scipy|special|tf)\.){1,3}[a-zA-Z]\w*/y;
const RAISED_TAG = /<sup>(?=\s?[-−]?(?:\d{1,2}(?:[.,]\d{1,4})?|\p{L}{1,2}[^<]{0,20})\s?<\/sup>)/uy;
const ENDLESS =
  /∞|\\infty\b|âˆž|(?:(?:np|numpy|math|torch)\.)?(?:inf(?:inity|ty)?|nan)(?![\p{L}\p{N}_])/iuy;
const UNIT = /[%\p{L}_]/uy;
const OR_MORE = /\+(?=\s*(?:[\])|,;]|$)|\s[^\s\p{L}\d([.\\$√−-])/uy;
/** What follows a letter within a name: subscripts, superscripts that are no power, a method of NumPy. */
const BEHIND = String.raw`_\{\\(?:text|mathrm)\{[^{}\n]{0,20}\}\}|_\\(?:text|mathrm)\{[^{}\n]{0,20}\}|\^\{\([^{}()\n]{1,8}\)\}|\^\(\d\)|_\{[^{}\n]{0,20}\}|_[\p{L}\p{N}]+|<sub>[\p{L}\p{N}]{1,12}<\/sub>|\^\{(?!T\}|\\top)[\p{L}\p{N}]{1,12}\}|\^\{\\(?:text|mathrm)\{[\p{L}\p{N}]{2,20}\}\}|\^(?!T\b)\p{L}`;
const NAME = new RegExp(
  String.raw`\p{L}(?:(?!ᵀ)[\p{L}\p{M}\p{N}\u0080-\u009f\u2080-\u209c‚ƒ])*(?:${BEHIND})*`,
  'uy',
);
/** How many rows or columns an array has: Q.shape[1], Q.size(-1). */
const SIZE = /[A-Za-z_]\w*\.(?:shape\[-?\d\]|size\(-?\d\))/y;
const QUIET = /[$*`~#>"'’“”!?\\]|\.(?!T\b)/y;
/** Of a list, and no minus: words or an equation of its own follow. */
const BULLET = /[-*](?=[ \t]{1,8}(?:[^\d\s.[(]|[^\n=≈]{0,200}[=≈]))|•/y;
/** How many rows and columns a value has, behind its name. */
const SHAPE = /\(\s?\d{1,4}\s?[×x]\s?\d{1,4}\s?\)(?=\s?[:=≈]|[ \t]*\n)/y;
/** What shapes come to: (5, 8) × (8, 4) = (5, 4). */
const OF_SHAPES =
  /\(\s?(\d{1,6}),\s?(\d{1,6})\s?\)\s{0,3}[×@·]\s{0,3}\(\s?\2,\s?(\d{1,6})\s?\)\s{0,3}=\s{0,3}\(\s?\1,\s?\3\s?\)/y;
/** A letter that multiplies: 2 x 3. */
const LETTER_TIMES = /(?<=[\d)\]]\s{1,8})[xX](?=\s{1,8}(?:[-−]?[.[\d]|$))/y;
/** A text that multiplies numbers so. */
const MULTIPLIES_BY_LETTER = /\d\s{1,8}x\s{1,8}\(?[-−]?\.?\d[^\n]{0,60}[=≈]/;
/** The same between names, too: q x z. */
const NAME_TIMES = /(?<=[\p{L}\d)\]]\s{1,8})x(?=\s{1,8}[-−]?[\p{L}([.\d])/uy;
/** An arrow that says what is done: \xrightarrow{\text{softmax}} */
const ARROW =
  /\\x(?:right|Right)arrow\s?(?:\[[^\]{}]{0,40}\])?\{\s?(?:\\\w{1,12}\{\s?)?(softmax)?[^{}]{0,40}\}{1,2}/y;
/** Where equations are aligned in LaTeX. */
const ALIGNED = /&\s{0,3}(?:[=≈]|\\(?:approx|equiv|simeq)\b)/y;
const TAG = /<\/?[a-zA-Z][^<>]{0,200}>/y;
/** What a page holds and does not show. */
const HIDDEN = /<(style|script)\b/iy;
/** Separators of a list whose decimals have a comma: [0,5; 1,2], 0,5 & 1,2. */
const APART = /[;&]|,\s/;

/** Behind a sum: is 6.09. */
const IS =
  /(?<=\b(?:sum|somme|summe|suma|soma|total) )(?:is|ist|est|es|é)(?=[\s$*`]{0,4}(?:\\\()?\s?\d)|(?<=和|合|합)(?:为|은)(?=[\s$*`]{0,4}(?:\\\()?\s?\d)/uy;

/** The operator before what it adds up, which is no value that is called sum. */
const SUM_OF = /\\sum(?=\s{0,8}\\?[A-Za-z])/y;
/** A sum before its verb, without a space. */
const SUM = /[和合](?=[为은])|합(?=은)/uy;

/** The name of a function without its Python module: np.exp is exp. */
const spoken = (/** @type {string} */ word) => word.replace(/^.*\./, '');

/** Reads one token after the other. */
class Scanner {
  /** @type {Token[]} */
  tokens = [];
  #at = 0;
  /** Whether white space, or the begin of a line, is before the next token. */
  #space = true;
  #line = true;
  /** Behind the last empty line. */
  #paragraph = 0;
  /** Indices of the brackets that are open. @type {number[]} */
  #open = [];
  /** Whether a comma stands before decimals, outside and within each of the open brackets. @type {boolean[]} */
  #commas;
  /** Closing tags that the rest of the text does not have, so that each is searched for once only.
   * @type {Set<string>} */
  #missing = new Set();
  /** Where the displayed formula ends that the next token belongs to. */
  #displayEnd = -1;
  /** The bracket of a raised tag that is open, or -1. */
  #raisedOpen = -1;

  /** @param {string} text @param {boolean} comma whether a comma stands before decimals */
  constructor(text, comma) {
    this.text = text;
    this.comma = comma;
    this.isLatex = IS_LATEX.test(text);
    /* Where decimals are written 0{,}5, (2,0) is a row. */
    this.isBraced = comma && /\d\{,\}\d/.test(text);
    this.times = MULTIPLIES_BY_LETTER.test(text) ? NAME_TIMES : LETTER_TIMES;
    this.tables = tablesOf(text, comma);
    /** Tables that are not read. @type {import('../relate/claim.js').Unread[]} */
    this.unread = [];
    this.#commas = [comma];
  }

  /** All tokens. What no rule reads ends an expression. */
  scan() {
    while (this.#at < this.text.length) {
      if (!this.#read()) this.#push('break', this.#char, this.#at + 1);
    }
    return this.tokens;
  }

  /** Goes past what comes next by the first rule that reads it. */
  #read() {
    const isMarkup =
      this.#table() ||
      this.#remark() ||
      this.#comment() ||
      this.#whiteSpace() ||
      this.#percentage() ||
      this.#construct() ||
      this.#tag();
    return (
      isMarkup ||
      this.#shape() ||
      this.#bullet() ||
      this.#take('op', RAISED, () => '²') ||
      this.#take('op', METHOD) ||
      this.#readSign() ||
      this.#number() ||
      this.#name() ||
      this.#markup()
    );
  }

  get #char() {
    return this.text[this.#at];
  }

  get #hasDecimalComma() {
    return this.#commas[this.#commas.length - 1];
  }

  /** @param {Kind} kind @param {string} text @param {number} end */
  #push(kind, text, end) {
    this.tokens.push({ kind, text, start: this.#at, end, space: this.#space, line: this.#line });
    this.#space = false;
    this.#line = false;
    this.#at = end;
    return true;
  }

  /** @param {RegExp} pattern sticky */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text);
  }

  /** Reads a token of a kind where a pattern matches.
   * @param {Kind} kind @param {RegExp} pattern
   * @param {(match: RegExpExecArray) => string} [textOf] what the token says: the match by default */
  #take(kind, pattern, textOf = ([all]) => all) {
    const match = this.#match(pattern);
    return !!match && this.#push(kind, textOf(match), this.#at + match[0].length);
  }

  /** @param {number} end */
  #skip(end) {
    this.#at = end;
    this.#space = true;
    return true;
  }

  /** Where a closing tag is, or -1. @param {string} tag */
  #find(tag) {
    const end = this.#missing.has(tag) ? -1 : this.text.indexOf(tag, this.#at);
    if (end < 0) this.#missing.add(tag);
    return end;
  }

  /** The last token opened a bracket. In (0,65) a comma is what it is around it; in [1,0] it stands before
   * decimals only beside another separator. */
  #begin() {
    this.#open.push(this.tokens.length - 1);
    const bracket = this.text[this.#at - 1];
    const isList = bracket === '[' || bracket === '}' || (bracket === '(' && this.isBraced);
    const inside =
      isList && this.comma
        ? this.text.slice(this.#at, this.#at + 400).split(bracket === '(' ? ')' : /\]|\\end/, 1)[0]
        : '';
    this.#commas.push(isList ? APART.test(inside) : this.#hasDecimalComma);
    return true;
  }

  /** The last token closed a bracket. One that nothing closes is no bracket. */
  #close() {
    const from = this.#open.pop();
    if (from === undefined) return true;
    this.tokens[from].match = this.tokens.length - 1;
    this.tokens[this.tokens.length - 1].match = from;
    this.#commas.pop();
    return true;
  }

  #table() {
    if (this.tables[0]?.start !== this.#at) return false;
    const table = /** @type {import('./tables.js').Table} */ (this.tables.shift());
    const { start, end, pieces, read = pieces.length ? end : start } = table;
    if (read < end) this.unread.push({ start: read, end, why: 'table' });
    for (const piece of pieces) {
      this.#at = piece.start;
      this.#line = piece === pieces[0];
      if (piece.apart) this.#push('break', 'break', this.#at);
      if (piece.equals) this.#push('equals', '=', this.#at);
      if (piece.rows) this.#numbers(piece.rows, piece.end);
      else this.#within(piece.end);
    }
    this.#at = end;
    this.#line = true;
    this.#space = true;
    return true;
  }

  /** A table's numbers. Where words stand directly before them, these are its name. @param {Cell[][]} rows @param {number} end */
  #numbers(rows, end) {
    if (this.#at === end) this.#push('equals', '=', this.#at);
    this.#push('table', '', end);
    this.tokens[this.tokens.length - 1].rows = rows;
    this.#space = true;
    this.#line = true;
  }

  /** Reads a part of the text as any other. @param {number} end */
  #within(end) {
    const { text, tables } = this;
    this.text = text.slice(0, end);
    this.tables = [];
    this.scan();
    this.text = text;
    this.tables = tables;
  }

  #whiteSpace() {
    if (!/\s/.test(this.#char)) return false;
    if (this.#char === '\n' && this.#line) this.#paragraph = this.#at;
    this.#line ||= this.#char === '\n';
    return this.#skip(this.#at + 1);
  }

  /** Whether the last bracket that is open is that of a matrix of LaTeX. */
  get #isInMatrix() {
    return this.tokens[this.#open.at(-1) ?? -1]?.text === 'begin';
  }

  /** Whether the last bracket that is open may yet be closed: it is in this paragraph. */
  get #isInside() {
    const open = this.tokens[this.#open.at(-1) ?? -1];
    return Boolean(open) && open.start >= this.#paragraph;
  }

  /** Remarks behind the rows of a list, and comments of LaTeX. */
  #remark() {
    const comment = this.#isInMatrix ? this.#match(COMMENT_IN_MATRIX) : null;
    if (comment) return this.#skip(this.#at + comment[0].length);
    /* A comment of several lines. */
    const mark = this.#line && this.#open.length ? this.#match(MARK) : null;
    if (mark) return this.#skip(this.#at + mark[0].length);
    if (!this.#open.length || this.#line || this.tokens[this.#open.at(-1) ?? 0].text !== '[')
      return false;
    const remark = this.#match(REMARK);
    return !!remark && this.#skip(this.#at + remark[0].length);
  }

  /** A comment behind code ends its expression; what a program prints may stand there, or on the line below. */
  #comment() {
    if (this.#open.length || this.#char !== '#') return false;
    const isBelow = this.#line;
    const { match = 0 } = this.tokens.at(-1) ?? {};
    const isPrint = this.tokens[match - 1]?.text === 'print';
    const above = isPrint && !isBelow ? this.#match(ABOVE_PRINTED) : null;
    if (above) return this.#skip(this.#at + above[0].length);
    const comment = isBelow && !isPrint ? null : this.#match(isBelow ? COMMENT_BELOW : COMMENT);
    if (!comment) return false;
    const end = this.#at + comment[0].length;
    PRINTED.lastIndex = end;
    const isPrinted = PRINTED.test(this.text);
    if (isBelow && !isPrinted) return false;
    return this.#push(isPrinted ? 'equals' : 'break', '=', end);
  }

  /** A displayed formula begins and ends without a bracket. */
  #display() {
    if (this.#displayEnd === this.#at) return this.#push('break', 'break', this.#at + 2);
    const display = this.#match(DISPLAY);
    if (!display || ONLY_NUMBERS.test(display[1])) return false;
    this.#displayEnd = this.#at + display[0].length - 2;
    return this.#push('break', 'break', this.#at + 2);
  }

  /** A table of pandas is its values: pd.DataFrame(S, index=words).round(3) */
  #frame() {
    const match = this.#char === 'p' ? this.#match(FRAME) : null;
    const [, place] = match?.indices ?? [];
    if (!match || !place) return false;
    this.#at = place[0];
    this.#push('name', match[1], place[1]);
    return this.#skip(match.index + match[0].length);
  }

  /** Commands of LaTeX that are more than a name; a table of pandas. */
  #construct() {
    if (this.#char !== '\\') return this.#frame();
    const quiet = this.#match(SPACING) ?? this.#match(DRESSING);
    if (quiet) return this.#skip(this.#at + quiet[0].length);
    if (this.#display()) return true;
    if (this.#arrow() || this.#shortFraction() || this.#take('name', EULER, () => 'e')) return true;
    if (this.#take('open', BEGIN, () => 'begin')) return this.#begin();
    if (this.#take('close', END, () => 'end')) return this.#close();
    if (this.#take('break', SURROUNDINGS, () => 'break')) return true;
    return (
      this.#words() ||
      this.#take('name', PARTIAL, ([, inBraces, plain]) => `d${inBraces ?? plain}`) ||
      this.#take('name', HAT, ([, inBraces, plain]) => `${inBraces ?? plain}hat`)
    );
  }

  /** What stands above an arrow names what comes behind it. */
  #arrow() {
    const match = this.#match(ARROW);
    if (!match) return false;
    const end = this.#at + match[0].length;
    this.#push('break', '→', match[1] ? this.#at : end);
    return !match[1] || this.#push('name', match[1], end);
  }

  /** The quotient of two digits, in brackets. */
  #shortFraction() {
    const match = this.#match(SHORT_FRACTION);
    if (!match?.indices) return false;
    const [, [first, behind], [second, end]] = /** @type {[number, number][]} */ (match.indices);
    this.#push('open', '(', first);
    this.#begin();
    this.#push('number', match[1], behind);
    this.#push('op', '/', second);
    this.#push('number', match[2], end);
    return this.#push('close', ')', end) && this.#close();
  }

  /** Words in a formula. A colon ends what they name. */
  #words() {
    const match = this.#match(WORDS);
    if (!match) return false;
    const [all, words, index = ''] = match;
    const isTitle = /[:：]\s*$/.test(words) && !index;
    return this.#push(isTitle ? 'break' : 'name', words.trim() + index, this.#at + all.length);
  }

  /** Tags of HTML, and what the page does not show. */
  #tag() {
    if (this.#char !== '<') return false;
    const hidden = this.#match(HIDDEN);
    if (hidden) {
      const end = this.#find(`</${hidden[1]}`);
      return this.#skip(end < 0 ? this.#at + 1 : end);
    }
    const isTranspose = /^<sup>[T⊤]<\/sup>/.test(this.text.slice(this.#at, this.#at + 13));
    if (!isTranspose && this.#raised()) return true;
    const tag = this.#match(TAG);
    return !!tag && !isTranspose && this.#skip(this.#at + tag[0].length);
  }

  /** A power in HTML is one of LaTeX. */
  #raised() {
    const tag = this.#match(RAISED_TAG);
    if (tag && this.tokens.length && !this.#space) {
      this.#push('op', '^', this.#at);
      this.#push('open', '(', this.#at + tag[0].length);
      this.#raisedOpen = this.tokens.length - 1;
      return this.#begin();
    }
    if (this.#raisedOpen < 0 || !this.text.startsWith('</sup>', this.#at)) return false;
    this.#raisedOpen = -1;
    this.#push('close', ')', this.#at + 6);
    return this.#close();
  }

  /** A number that is said again as a percentage goes on with its equation. */
  #percentage() {
    const last = this.tokens[this.tokens.length - 1];
    const isAlone = last?.kind === 'number' && !this.#line && !this.#open.length;
    const again = isAlone ? this.#match(AS_PERCENTAGE) : null;
    if (!again) return false;
    const [all, bracket, digits] = again;
    if (!isPercentageOf(last.text, digits)) return false;
    if (Boolean(bracket) !== all.includes(')')) return false;
    const end = this.#at + all.length;
    this.#push('equals', '=', this.#at + all.indexOf(digits));
    const written = all.slice(all.indexOf(digits), all.indexOf('%') + 1);
    return this.#push('number', written, this.#at + written.length) && this.#skip(end);
  }

  /** Q (3×2): says how large Q is. */
  #shape() {
    if (this.#take('break', OF_SHAPES)) return true;
    const last = this.tokens.at(-1);
    const isNamed = last?.kind === 'name' || last?.text === 'ᵀ';
    const shape = isNamed && !this.#line ? this.#match(SHAPE) : null;
    return !!shape && this.#skip(this.#at + shape[0].length);
  }

  #bullet() {
    if (!this.#line || !this.#take('break', BULLET, () => '-')) return false;
    this.#line = true;
    return true;
  }

  get #sign() {
    return BY_FIRST.get(this.#char)?.find(([written]) => this.text.startsWith(written, this.#at));
  }

  #readSign() {
    if (this.#match(ALIGNED)) return this.#skip(this.#at + 1);
    const sign = this.#sign;
    const isBold =
      this.#char === '*' && !isTimes(this.text, this.#at) && !isPower(this.text, this.#at);
    if (!sign || isBold) return false;
    const [written, kind, text] = sign;
    if (isCommandBeyond(this.text, this.#at + written.length, written)) return false;
    const isComma = written === ';' && this.#commas.length > 1 && this.#hasDecimalComma;
    this.#push(isComma ? 'comma' : kind, isComma ? ',' : text, this.#at + written.length);
    if (kind === 'open') return this.#begin();
    const behind = { row: ROW_GAP, equals: ABOUT }[String(kind)];
    const gap = behind ? this.#match(behind) : null;
    if (gap) this.#skip(this.#at + gap[0].length);
    return kind === 'close' ? this.#close() : true;
  }

  /** A number with decimals, perhaps, by what stands before them here. */
  #decimal() {
    if (this.isBraced && this.#take('number', BRACED)) return true;
    if (this.#hasDecimalComma) return this.#take('number', NUMBER_BY_COMMA);
    const isInside = this.#isInside;
    return (
      ((!isInside || this.tokens.at(-1)?.kind === 'equals') && this.#take('number', THOUSANDS)) ||
      this.#take('number', isInside ? NUMBER_INSIDE : NUMBER)
    );
  }

  #number() {
    if (this.#take('break', GLUED)) return true;
    const isNumber =
      this.#take('number', POWER_OF_TEN) ||
      this.#take('number', THOUSANDS_BY_SPACE) ||
      this.#decimal();
    if (!isNumber) return false;
    const percent = this.#match(this.isLatex || this.#isInMatrix ? PERCENT_IN_LATEX : PERCENT);
    if (percent) {
      const token = this.tokens[this.tokens.length - 1];
      this.#at += percent[0].length;
      token.end = this.#at;
      token.text = this.text.slice(token.start, token.end);
      return true;
    }
    /* 3M and 3,000+ become unknown names. */
    if ((this.#match(UNIT) && !this.#sign) || this.#match(OR_MORE))
      this.tokens[this.tokens.length - 1].kind = 'name';
    return true;
  }

  #name() {
    return (
      this.#take('equals', IS, () => '=') ||
      this.#take('name', SUM) ||
      this.#take('op', this.times, () => '·') ||
      this.#take('number', ENDLESS) ||
      this.#take('name', EULER, () => 'e') ||
      this.#take('name', OF_MODULE, ([name]) => spoken(name).replace(/^log$/, 'ln')) ||
      this.#take('name', SIZE) ||
      this.#take('name', NAME) ||
      this.#take('name', SUM_OF, () => 'sumof') ||
      (this.#char === '\\' && this.#take('name', COMMAND, ([, name]) => name))
    );
  }

  /** The slope of a function is another one: σ'(1). */
  #prime() {
    const last = this.tokens.at(-1);
    const isPrime = /['’′]/.test(this.#char) && this.text[this.#at + 1] === '(';
    if (!isPrime || last?.kind !== 'name' || this.#space) return false;
    last.text += 'prime';
    this.#at++;
    return true;
  }

  /** What only sets the text: marks of Markdown, quotes, \[ and \]. */
  #markup() {
    if (this.#prime()) return true;
    if (this.#char === '\\' && /[[\]]/.test(this.text[this.#at + 1] ?? '')) {
      this.#at++;
      return true;
    }
    const quiet = this.#match(QUIET);
    return !!quiet && !/[.!?]/.test(this.#char) && this.#skip(this.#at + quiet[0].length);
  }
}

/** The tokens of a text, in its order, and the tables that are not read.
 * @param {string} text @param {import('./number.js').Notation} notation */
export function tokensOf(text, { comma }) {
  const scanner = new Scanner(text, comma);
  return { tokens: scanner.scan(), unread: scanner.unread };
}

/** Whether an asterisk multiplies, and does not set words in bold. @param {string} text @param {number} offset */
const isTimes = (text, offset) =>
  text[offset + 1] !== '*' && /[\d)\]]\s?$|\w\s$/.test(text.slice(Math.max(0, offset - 2), offset));

/** What is in bold up to here. */
const BOLD = /(?:^|[\s(])\*\*(?=\S)(?:(?!\*\*).)*$/;

/** Whether two asterisks are a power, as in Python: 2**3, 2 ** 3. @param {string} text @param {number} offset */
function isPower(text, offset) {
  const [before, behind] = [
    text.slice(Math.max(0, offset - 200), offset),
    text.slice(offset, offset + 5),
  ];
  const isBetween =
    (/[\p{L}\p{N}_)\]]$/u.test(before) && /^\*\*[-−]?[\d.(]/.test(behind)) ||
    (/[\p{L}\p{N}_)\]] $/u.test(before) && /^\*\* [-−\p{L}\d.(]/u.test(behind));
  return isBetween && !BOLD.test(before);
}

/** \to is not the begin of \top. @param {string} text @param {number} offset @param {string} sign */
const isCommandBeyond = (text, offset, sign) =>
  /\\[A-Za-z]+$/.test(sign) && /[A-Za-z]/.test(text[offset] ?? '');
