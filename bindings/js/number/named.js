// Several blocks of numbers in one text, each behind its name: X = 1 0; 0 1, W_Q := np.array(…), a heading above a table.

/** What a name stands before. */
const SIGN = String.raw`[ \t]*(?:[&*_$\x60]+[ \t]*)?(?::=|=(?!=)|:)`;
/** At the beginning of a line, or behind the end of another block, a name may have several words. */
const IN_WORDS = String.raw`(?:^|[\n,;])[ \t]*(?:[#*>-]+[ \t]+)?([\p{L}\\$*_\x60][^\n=:,;|[\]()]{0,40}?)${SIGN}`;
/** Elsewhere it is one word: [[1, 0]]  W_Q = [[0, 1]]. */
const IN_LINE = String.raw`(?<=[\s\])}$·*@×])((?:\\(?:mathbf|mathrm|text|bm|boldsymbol)\{)?\p{L}[\p{L}\p{N}]*\}?(?:[_^.](?:\{[^{}\n]{0,20}\}|[\p{L}\p{N}]+))*)[ \t]*\$?[ \t]*&?[ \t]*(?::=|=(?!=))`;
/** A line of its own above the numbers. */
const ABOVE = String.raw`(?:^|\n)[ \t]*(?:[#>-]+[ \t]+)?([\p{L}\\$*_\x60][^\n=:,;|[\]()]{0,24}?)[ \t]*(?=\n\s*(?:[|[({\\]|[-−+]?\.?\d|np\.|torch\.))`;
const NAME = new RegExp(`${IN_WORDS}|${IN_LINE}|${ABOVE}`, 'gu');
/** What arrays are made with, and no name of one. */
const NO_NAME = /^(?:dtype|device|requires_grad|axis|import|from)\b/;
/** What sets a formula or a code block apart. */
const AROUND = /^[\s$*\x60]+|(?:[\s$*\x60,;.]|\\[\])]|\\(?:quad|qquad|\\)|\band|\bund|\bet|\by)+$/g;

/** @typedef {{ name: string, text: string }} Named text: what stands behind the name, up to the next one */

/** The parts of a text, in its order.
 * @param {string} text
 * @returns {Named[]} */
export function readNamed(text) {
  const names = [...text.matchAll(NAME)].filter((match) => !NO_NAME.test(nameIn(match)));
  /** @type {(Named & { sign: string | undefined, isWords: boolean })[]} */
  const parts = [];
  for (const [i, match] of names.entries()) {
    const numbers = text
      .slice(match.index + match[0].length, names[i + 1]?.index)
      .replace(AROUND, '');
    const before = parts.at(-1);
    const isInLine = match[2] !== undefined && before?.isWords;
    /* Exercise 3: let X = … names X. */
    if (isInLine && before?.sign === ':') parts.pop();
    /* Q = X W_Q = [[1, 0]] gives numbers to Q. */
    if (isInLine && before?.sign === '=') before.text = numbers;
    else parts.push({ name: nameIn(match), text: numbers, sign: match[0].at(-1), isWords: false });
    const last = /** @type {typeof parts[number]} */ (parts.at(-1));
    last.isWords = !/[\n\d∞¼-¾]|inf/.test(last.text);
  }
  return parts.map((part) => ({ name: part.name, text: part.text }));
}

/** @param {RegExpMatchArray} match */
const nameIn = (match) => (match[1] ?? match[2] ?? match[3]).replace(/[$*#\x60]/g, '').trim();

/** A name without what notations put around it: W_{Q}, w_q and WQ are one. @param {string} written */
export const bareName = (written) =>
  written
    .normalize('NFKC')
    .replace(/\\(?:mathbf|mathrm|text|bm|boldsymbol|quad|qquad)/g, '')
    .replace(/[\s_^.{}$\\&*#`"']/g, '')
    .toLowerCase();

/** Names that texts have for the numbers of attention, bare. @type {Readonly<Record<string, string>>} */
export const SYNONYMS = { queries: 'q', keys: 'k', values: 'v', s: 'scores', a: 'weights' };

/** Finds names as others write them: the queries Q.
 * @param {readonly string[]} names @param {Readonly<Record<string, string>>} [synonyms]
 * @returns {(written: string) => string | undefined} */
export function nameFinder(names, synonyms = SYNONYMS) {
  const byBare = new Map(names.map((name) => [bareName(name), name]));
  const find = (/** @type {string} */ written) => {
    const bare = bareName(written);
    return byBare.get(bare) ?? byBare.get(bareName(synonyms[bare] ?? ''));
  };
  return (written) => find(written) ?? find(written.trim().split(/\s+/).at(-1) ?? '');
}
