// A Jupyter notebook as the text that it shows, character by character that of the file, each cell's source before what it came to.

/** A string of JSON, and what stands between strings. */
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/gs;
/** Escaped signs; backslashes that follow each other stay together. */
const ESCAPE = /((?:\\\\)+)|\\(?:u([0-9a-fA-F]{4})|(.))/gs;
/** Keys whose strings a reader sees: cells, and what programs print. */
const SHOWN = ['source', 'text', 'text/plain', 'text/html'];

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, ' ');

/** The place of an escape's second backslash before a command of LaTeX. */
const SPARE = '\0';
/** What stands directly before a command and belongs to it: d_{, \\frac{QK^ */
const BEFORE_COMMAND = /((?:[A-Za-z_^{}()\\]|(?<=_\{?)\d)+)(\0+)/g;
/** Commands within commands. */
const MAX_NESTED = 16;

/** A string with all commands of LaTeX as they are: what is spare stands before the formula, and not within it.
 * @param {string} inside of a string */
function shown(inside) {
  let [text, before] = [unescaped(inside), ''];
  for (let depth = 0; depth < MAX_NESTED && text !== before; depth++)
    [text, before] = [text.replace(BEFORE_COMMAND, '$2$1'), text];
  return text.replaceAll(SPARE, ' ');
}

/** @param {string} inside of a string */
const unescaped = (inside) =>
  inside.replace(ESCAPE, (all, backslashes, code, sign, offset) => {
    if (sign === '"') return '" ';
    if (/^\\\\[A-Za-z]/.test(inside.slice(offset, offset + 3))) return `${SPARE}\\`;
    if (backslashes) return '\\'.repeat(all.length / 2).padStart(all.length);
    const character = code ? String.fromCharCode(Number.parseInt(code, 16)) : sign;
    const plain = code || !/[nrtbf]/.test(sign) ? character : sign === 'n' ? '\n' : ' ';
    return plain.padStart(all.length);
  });

/** What stands before a cell, and before what it came to: In [2]: */
const PROMPT = /^[ \t]*(?:In|Out) ?\[\d{1,4}\]:/gm;

/** What stands around a text within a program: md(r"""…""") */
const QUOTED = /\b\w{1,20}\(\s*[rfbu]{0,2}(?:"""|''')|(?:"""|''')\s*\)/g;

/** A call with a space. */
const SPACED = /\bprint (?=\()/g;

/** A part of a file. @typedef {{ from: number, to: number }} Part */

/** A text as a reader sees it, and the parts of the file in that order.
 * @typedef {{ plain: string, parts: readonly Part[] }} Shown */

/** Where the cells of a notebook have what they came to, and their source.
 * @typedef {Part & { key: string, owner: number }} Section owner: the number of the cell, in the order of the file */

/** Finds the sections of a notebook from its keys, one after the other. */
class Sections {
  /** @type {Section[]} */ all = [];
  /** The numbers of the objects and lists that are open. @type {number[]} */ #open = [0];
  #count = 0;
  /** @type {(Section & { depth: number }) | null} */ #section = null;

  /** What stands between strings. @param {string} gap */
  passes(gap) {
    for (const [bracket] of gap.matchAll(/[[\]{}]/g)) {
      if (bracket === '[' || bracket === '{') this.#open.push(++this.#count);
      else this.#open.pop();
    }
  }

  /** @param {string} key @param {number} offset where it begins */
  meets(key, offset) {
    const depth = this.#open.length;
    if (this.#section && depth <= this.#section.depth) this.ends(offset);
    if (key === 'outputs' || key === 'source')
      this.#section = { key, from: offset, to: offset, owner: this.#open.at(-1) ?? 0, depth };
  }

  /** @param {number} offset */
  ends(offset) {
    if (this.#section) this.all.push({ ...this.#section, to: offset });
    this.#section = null;
  }
}

/** The parts of a notebook in the order in which it is read: what a cell came to behind its source.
 * @param {readonly Section[]} sections @param {number} length
 * @returns {Part[]} */
function inOrder(sections, length) {
  /** @type {Part[]} */
  const parts = [];
  let done = 0;
  sections.forEach((outputs, i) => {
    const source = sections[i + 1];
    if (outputs.key !== 'outputs' || source?.owner !== outputs.owner) return;
    parts.push(
      { from: done, to: outputs.from },
      source,
      { from: outputs.to, to: source.from },
      outputs,
    );
    done = source.to;
  });
  return [...parts, { from: done, to: length }];
}

/** The text of a notebook; any other text as it is, without the prompts of one.
 * @param {string} text
 * @returns {Shown} */
export function shownIn(text) {
  if (!/^\uFEFF?\s*\{/.test(text) || !/"cells"\s*:\s*\[/.test(text))
    return {
      plain: text.replace(PROMPT, blank).replace(QUOTED, blank).replace(SPACED, ' print'),
      parts: [{ from: 0, to: text.length }],
    };
  const sections = new Sections();
  let [plain, done, key] = ['', 0, ''];
  for (const match of text.matchAll(STRING)) {
    const [all, inside, colon] = match;
    const gap = text.slice(done, match.index);
    plain += blank(gap);
    sections.passes(gap);
    done = match.index + all.length;
    if (colon) {
      key = inside;
      sections.meets(key, match.index);
    }
    const isShown = !colon && SHOWN.includes(key);
    /* A line of a cell ends where the line of the file does, if it does there. */
    const isLine = /^\s*[,\]]?[^\S\n]*\n/.test(text.slice(done, done + 200));
    const words = shown(inside);
    plain += isShown
      ? ` ${isLine ? words.replace(/\n$/, ' ') : words}${blank(all.slice(inside.length + 1))}`
      : blank(all);
  }
  plain += blank(text.slice(done));
  sections.ends(text.length);
  const parts = inOrder(sections.all, text.length);
  const ordered = parts.map(({ from, to }) => plain.slice(from, to)).join('');
  return { plain: ordered.replace(SPACED, ' print'), parts };
}

/** Where a place of what is shown stands in the file. @param {readonly Part[]} parts
 * @returns {(offset: number) => number} */
export function placeIn(parts) {
  const starts = parts.map(({ from }, i) => ({
    from,
    begin: parts.slice(0, i).reduce((all, part) => all + part.to - part.from, 0),
  }));
  return (offset) => {
    const { from, begin } = starts.findLast((one) => one.begin <= offset) ?? starts[0];
    return from + offset - begin;
  };
}
