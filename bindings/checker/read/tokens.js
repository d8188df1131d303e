// From a text to tokens, each with its place: numbers, names, operators, brackets. Markdown, LaTeX, Python and prose
// differ in how they write these, not in what they are.

import { tablesOf } from './tables.js';

/** @typedef {import('./number.js').Cell} Cell */
/** @typedef {'number' | 'name' | 'op' | 'equals' | 'open' | 'close' | 'cell' | 'row' | 'comma' | 'break' | 'table'} Kind */

/** @typedef {object} Token
 * @property {Kind} kind
 * @property {string} text the operator, bracket or name in one notation
 * @property {number} at @property {number} end
 * @property {boolean} space whether white space is before it
 * @property {boolean} line whether it begins a line
 * @property {number} [match] the index of the bracket that closes it, or that it closes
 * @property {Cell[][]} [rows] of a table */

/** Operators and relations in all notations, longest first; UTF-8 that was read as Windows-1252 too. */
const SIGNS = /** @type {[string, Kind, string][]} */ (
  /** @type {[string, Kind, string[]][]} */ ([
    [
      '·',
      'op',
      [
        ...['\\cdot', '\\times', '\\ast', '·', '×', '∙', '⋅', '∗', '•', 'Â·', 'Ã—', '@', '*'],
        ...['&times;', '&middot;'],
      ],
    ],
    ['⊙', 'op', ['\\odot', '⊙']],
    ['/', 'op', ['/', '÷', '\\div']],
    ['+', 'op', ['+']],
    ['-', 'op', ['-', '−', '–', '&minus;']],
    ['^', 'op', ['**', '^']],
    ['²', 'op', ['²']],
    [
      'ᵀ',
      'op',
      ['^\\top', '^{\\top}', '^T', '^{T}', '^\\mathsf{T}', 'ᵀ', '.T', 'áµ€', '<sup>T</sup>'],
    ],
    ['√', 'op', ['√', 'âˆš', '&radic;']],
    ['=', 'equals', ['=', '\\approx', '\\equiv', '≈', 'â‰ˆ', '&approx;', '≃']],
    [
      'break',
      'break',
      ['\\rightarrow', '\\to', '\\quad', '→', 'â†’', '⇒', '->', '=>', ':', ';', '|'],
    ],
    [',', 'comma', [',']],
    ['(', 'open', ['\\left(', '(']],
    [')', 'close', ['\\right)', ')']],
    ['[', 'open', ['\\left[', '[']],
    [']', 'close', ['\\right]', ']']],
    ['{', 'open', ['{']],
    ['}', 'close', ['}']],
    ['&', 'cell', ['&amp;', '&']],
    ['\\\\', 'row', ['\\\\']],
  ]).flatMap(([text, kind, written]) => written.map((sign) => [sign, kind, text]))
).sort(([a], [b]) => b.length - a.length);

/** @type {Map<string, [string, Kind, string][]>} */
const BY_FIRST = new Map();
for (const sign of SIGNS) BY_FIRST.set(sign[0][0], [...(BY_FIRST.get(sign[0][0]) ?? []), sign]);

const BEGIN = /\\begin\{([bpvB]?matrix|array)\}(?:\{[lcr| ]{0,40}\})?/y;
const END = /\\end\{([bpvB]?matrix|array)\}/y;
const WORDS = /\\(?:text|textit|textbf|mathrm|mathbf|mathit|operatorname)\{([^{}]{0,200})\}/y;
/** \hat{m} is called mhat. */
const HAT = /\\(?:wide)?hat(?:\{\s?\\?([A-Za-z]+)\s?\}|\s\\?([A-Za-z]+))/y;
const COMMAND = /\\([A-Za-z]+(?:_\{[^{}\n]{0,20}\}|_[\p{L}\p{N}])?)/uy;
const POWER = String.raw`(?:[eE][-+−]?\d+)?`;
const NUMBER = new RegExp(String.raw`\d+(?:\.\d+)?${POWER}`, 'y');
const NUMBER_INSIDE = new RegExp(String.raw`(?:\d+\.?\d*|\.\d+)${POWER}`, 'y');
const POWER_OF_TEN = /10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}/y;
const NUMBER_BY_COMMA = new RegExp(String.raw`\d+(?:(?:,|\{,\})\d+)?${POWER}`, 'y');
const THOUSANDS = /\d{1,3}(?:(?:,|\{,\})\d{3}){1,8}(?![\d,.])/y;
const ENDLESS =
  /∞|\\infty\b|âˆž|(?:(?:np|numpy|math|torch)\.)?(?:inf(?:inity|ty)?|nan)(?![\p{L}\p{N}_])/iuy;
const UNIT = /[%\p{L}_]/uy;
/** What follows a letter within a name: subscripts, superscripts that are no power, a method of NumPy. */
const BEHIND = String.raw`_\{\\(?:text|mathrm)\{[^{}\n]{0,20}\}\}|_\{[^{}\n]{0,20}\}|_[\p{L}\p{N}]+|\^\{(?!T\}|\\top)[\p{L}\p{N}]{1,12}\}|\^(?!T\b)\p{L}|\.(?=(?:array|tensor|exp|sqrt|softmax|log\d*|min|max)\b)[a-z]+`;
const NAME = new RegExp(
  String.raw`\p{L}[\p{L}\p{M}\p{N}\u0080-\u009f\u2080-\u209c‚ƒ]*(?:${BEHIND})*`,
  'uy',
);
const QUIET = /[$*`~#>"'’“”!?\\]|\.(?!T\b)/y;
/** Of a list, and no minus: words or an equation of its own follow. */
const BULLET = /[-*](?=[ \t]{1,8}(?:[^\d\s.[(]|[^\n=≈]{0,200}[=≈]))|•/y;
/** A letter that multiplies: 2 x 3. */
const LETTER_TIMES = /(?<=[\d)]\s{1,8})[xX](?=\s{1,8}[-−]?\.?\d)/y;
const TAG = /<\/?[a-zA-Z][^<>]{0,200}>/y;
/** What a page holds and does not show. */
const HIDDEN = /<(style|script)\b/iy;
/** What stands between decimals with a comma in a list: [0,5; 1,2], 0,5 & 1,2. */
const APART = /[;&]|,\s/;

/** What is read as a function of what stands in its brackets, by the commands of LaTeX and Python's modules. */
const spoken = (/** @type {string} */ word) => word.replace(/^(np|numpy|torch|jnp|math|F)\./, '');

/** The tokens of a text, in its order.
 * @param {string} text @param {import('./number.js').Notation} notation
 * @returns {Token[]} */
export function tokensOf(text, { comma }) {
  /** @type {Token[]} */
  const tokens = [];
  /** @type {number[]} */
  const open = [];
  /** Whether a comma stands before decimals, within each of the open brackets. @type {boolean[]} */
  const commas = [comma];
  const tables = tablesOf(text, comma);
  let at = 0;
  let space = true;
  let line = true;
  const push = (
    /** @type {Kind} */ kind,
    /** @type {string} */ said,
    /** @type {number} */ end,
  ) => {
    tokens.push({ kind, text: said, at, end, space, line });
    space = false;
    line = false;
    at = end;
  };
  const matches = (/** @type {RegExp} */ pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const skip = (/** @type {number} */ end) => {
    at = end;
    space = true;
  };
  /** Where a tag ends that closes what is open; looked for in vain once only. @type {Set<string>} */
  const endless = new Set();
  const ends = (/** @type {string} */ tag) => {
    const end = endless.has(tag) ? -1 : text.indexOf(tag, at);
    if (end < 0) endless.add(tag);
    return end;
  };
  /* A bracket that nothing closes is no bracket. */
  const close = () => {
    const from = open.pop();
    if (from === undefined) return;
    tokens[from].match = tokens.length - 1;
    tokens[tokens.length - 1].match = from;
    commas.pop();
  };
  /* In (0,65) as around it; in [1,0] only beside another separator. */
  const begin = () => {
    open.push(tokens.length - 1);
    const isList = text[at - 1] === '[' || text[at - 1] === '}';
    const inside = isList && comma ? text.slice(at, at + 400).split(/[\]]|\\end/, 1)[0] : '';
    commas.push(isList ? APART.test(inside) : commas[commas.length - 1]);
  };
  while (at < text.length) {
    const char = text[at];
    if (tables.length && tables[0].at === at) {
      const { end, rows } = /** @type {{ end: number, rows: Cell[][] }} */ (tables.shift());
      push('table', '', end);
      tokens[tokens.length - 1].rows = rows;
      line = true;
      continue;
    }
    if (/\s/.test(char)) {
      line ||= char === '\n';
      skip(at + 1);
      continue;
    }
    const isCommand = char === '\\';
    let found = isCommand ? matches(BEGIN) : null;
    if (found) {
      push('open', 'begin', at + found[0].length);
      begin();
      continue;
    }
    found = isCommand ? matches(END) : null;
    if (found) {
      push('close', 'end', at + found[0].length);
      close();
      continue;
    }
    found = isCommand ? matches(WORDS) : null;
    if (found) {
      push('name', found[1].trim(), at + found[0].length);
      continue;
    }
    found = isCommand ? matches(HAT) : null;
    if (found) {
      push('name', `${found[1] ?? found[2]}hat`, at + found[0].length);
      continue;
    }
    found = char === '<' ? matches(HIDDEN) : null;
    if (found) {
      const end = ends(`</${found[1]}`);
      skip(end < 0 ? at + 1 : end);
      continue;
    }
    found = char === '<' ? matches(TAG) : null;
    if (found && !/^<sup>T<\/sup>/.test(text.slice(at, at + 12))) {
      skip(at + found[0].length);
      continue;
    }
    found = line ? matches(BULLET) : null;
    if (found) {
      push('break', '-', at + found[0].length);
      line = true;
      continue;
    }
    const sign = BY_FIRST.get(char)?.find(([written]) => text.startsWith(written, at));
    const isMark = char === '*' && !isTimes(text, at) && !isPower(text, at);
    if (sign && !isMark && !isCommandBeyond(text, at + sign[0].length, sign[0])) {
      const [written, kind, said] = sign;
      const isComma = written === ';' && commas.length > 1 && commas[commas.length - 1];
      push(isComma ? 'comma' : kind, isComma ? ',' : said, at + written.length);
      if (kind === 'open') begin();
      if (kind === 'close') close();
      continue;
    }
    const plain = open.length ? NUMBER_INSIDE : NUMBER;
    found =
      matches(POWER_OF_TEN) ||
      (commas[commas.length - 1]
        ? matches(NUMBER_BY_COMMA)
        : (!open.length && matches(THOUSANDS)) || matches(plain));
    if (found) {
      push('number', found[0], at + found[0].length);
      const unit = matches(UNIT);
      /* 65% and 3M are read as names that nothing knows. */
      const sign = BY_FIRST.get(text[at])?.some(([written]) => text.startsWith(written, at));
      if (unit && !sign) tokens[tokens.length - 1].kind = 'name';
      continue;
    }
    found = matches(LETTER_TIMES);
    if (found) {
      push('op', '·', at + 1);
      continue;
    }
    found = matches(ENDLESS);
    if (found) {
      push('number', found[0], at + found[0].length);
      continue;
    }
    found = matches(NAME);
    if (found) {
      push('name', spoken(found[0]), at + found[0].length);
      continue;
    }
    found = isCommand ? matches(COMMAND) : null;
    if (found) {
      push('name', found[1], at + found[0].length);
      continue;
    }
    if (char === '\\' && /[[\]]/.test(text[at + 1] ?? '')) {
      at++;
      continue;
    }
    found = matches(QUIET);
    if (found && !/[.!?]/.test(char)) {
      skip(at + found[0].length);
      continue;
    }
    push('break', char, at + 1);
  }
  return tokens;
}

/** Whether an asterisk multiplies, and does not set words in bold. @param {string} text @param {number} at */
const isTimes = (text, at) =>
  text[at + 1] !== '*' && /[\d)\]]\s?$|\w\s$/.test(text.slice(Math.max(0, at - 2), at));

/** What is in bold up to here. */
const BOLD = /(?:^|[\s(])\*\*(?=\S)(?:(?!\*\*).)*$/;

/** Whether two asterisks are a power, as in Python: 2**3, 2 ** 3. @param {string} text @param {number} at */
function isPower(text, at) {
  const [before, behind] = [text.slice(Math.max(0, at - 200), at), text.slice(at, at + 5)];
  const isBetween =
    (/[\p{L}\p{N}_)\]]$/u.test(before) && /^\*\*[-−]?[\d.(]/.test(behind)) ||
    (/[\p{L}\p{N}_)\]] $/u.test(before) && /^\*\* [-−\p{L}\d.(]/u.test(behind));
  return isBetween && !BOLD.test(before);
}

/** \to is not the begin of \top. @param {string} text @param {number} at @param {string} sign */
const isCommandBeyond = (text, at, sign) =>
  /\\[A-Za-z]+$/.test(sign) && /[A-Za-z]/.test(text[at] ?? '');
