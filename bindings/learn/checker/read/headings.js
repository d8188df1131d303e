// Headings of columns that say how these are computed: x - 4, Rate $10000^{-2i/d}$.

/** @typedef {import('./tables.js').Part} Part */
/** @typedef {import('./tables.js').Piece} Piece */

/** Words, and behind them a formula in dollars or in the brackets of LaTeX. */
const BEHIND_WORDS =
  /^([\s*]*\p{L}[\p{L}\s-]*?)[\s*]*(\$|\\\()\s*([^$\s_](?:[^$]*[^$\s])?)\s*(?:\$|\\\))\s*$/u;
/** An index of its own behind a name: PE(3)$_i$ */
const INDEX = /(?:\$|\\\()\s*_[^$]*(?:\$|\\\))\s*$/;
/** What computes something. */
const COMPUTES =
  /[-−–+·×*/^²√]|\\(?:d?frac|times|cdot|div|sqrt|sum)|\p{L}\(|\b(?:sin|cos|tanh|exp|ln|log)\b/u;
/** A letter, or a Greek one, perhaps with an index. */
const SYMBOL = /^\\?\p{L}+(?:_(?:\p{L}|\d|\{\w{1,8}\}))?$/u;
/** Names in a formula: in words, or as symbols. */
const NAMES = /\\(?:text|mathrm)\{\s?(\p{L}+)\s?\}|\\?\p{L}+(?:_(?:[\p{L}\d]|\{\w{1,8}\}))?/gu;
/** Letters of a word that stand for it. */
const SHORTEST = 3;

/** @param {string} text without marks around formulas */
const bare = (text) => text.replace(/[$`*]|\\[()]/g, '').trim();

/** What a heading calls its column: its words, and the letter behind these. @param {string} text
 * @returns {string[]} */
function namesIn(text) {
  const plain = bare(text).replace(/=.*$/, '').trim();
  const [, words = ''] = BEHIND_WORDS.exec(text) ?? [];
  const [, letter = ''] = /^\p{L}+\s+(\\?\p{L}(?:_\w)?)$/u.exec(plain) ?? [];
  return [plain, bare(words), letter].filter((name) => SYMBOL.test(name));
}

/** What a heading computes: the part in dollars, or all of it. @param {string} text */
const formulaIn = (text) => BEHIND_WORDS.exec(text)?.[3] ?? bare(text);

/** The column that a name in a formula means, if it is none of its own: exp for Exponent. @param {string} name
 * @param {Part[]} titles
 * @returns {Part | undefined} */
function columnOf(name, titles) {
  const fits = titles.filter(({ text }) => {
    const [first = ''] = namesIn(text);
    const isShort = name.length >= SHORTEST && first.length > name.length;
    return isShort && first.toLowerCase().startsWith(name.toLowerCase());
  });
  return fits.length === 1 ? fits[0] : undefined;
}

/** The columns from which a heading computes its own. @param {Part} title @param {Part[]} titles
 * @returns {Part[]} */
export function columnsOf(title, titles) {
  const formula = formulaIn(title.text);
  if (!COMPUTES.test(formula)) return [];
  const others = titles.filter((one) => one !== title);
  return [...formula.matchAll(NAMES)].flatMap(({ 0: name, 1: word = name }) => {
    const isNamed = (/** @type {Part} */ { text }) => namesIn(text).includes(word);
    return others.find(isNamed) ?? columnOf(word, others) ?? [];
  });
}

/** A heading as text to be read: a name, and behind it the formula, with other columns by their names.
 * @param {Part} title @param {Part[]} titles
 * @returns {Piece[]} */
export function headingOf(title, titles) {
  const { text, start } = title;
  const [all, words, , formula] = BEHIND_WORDS.exec(text) ?? [];
  const whole = { start, end: start + text.replace(INDEX, '').length, apart: true };
  if (!all || !COMPUTES.test(formula) || formula.includes('=')) return [whole];
  let from = start + text.lastIndexOf(formula);
  const end = from + formula.length;
  const pieces = [...formula.matchAll(NAMES)].flatMap(({ 0: name, 1: word = name, index }) => {
    const column = columnOf(word, titles);
    if (!column) return [];
    const place = end - formula.length + index;
    const before = { start: from, end: place };
    from = place + name.length;
    const [other] = namesIn(column.text);
    const there = column.start + column.text.indexOf(other);
    return [before, { start: there, end: there + other.length }];
  });
  const [first, ...others] = [...pieces, { start: from, end }];
  return [{ start, end: start + words.length, apart: true }, { ...first, equals: true }, ...others];
}
