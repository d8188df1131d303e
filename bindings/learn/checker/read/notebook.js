// A Jupyter notebook as the text that it shows, in which every character stands at the place that it has in the file.

/** A string of JSON, and what stands between strings. */
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/gs;
/** Escaped signs; backslashes that follow each other stay together. */
const ESCAPE = /((?:\\\\)+)|\\(?:u([0-9a-fA-F]{4})|(.))/gs;
/** Keys whose strings a reader sees: cells, and what programs print. */
const SHOWN = ['source', 'text', 'text/plain'];

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, ' ');

/** @param {string} inside of a string */
const shown = (inside) =>
  inside.replace(ESCAPE, (all, backslashes, code, sign) => {
    if (backslashes) return '\\'.repeat(all.length / 2).padStart(all.length);
    const character = code ? String.fromCharCode(Number.parseInt(code, 16)) : sign;
    const plain = code || !/[nrtbf]/.test(sign) ? character : sign === 'n' ? '\n' : ' ';
    return plain.padStart(all.length);
  });

/** What stands before a cell, and before what it came to: In [2]: */
const PROMPT = /^[ \t]*(?:In|Out) ?\[\d{1,4}\]:/gm;

/** The text of a notebook; any other text as it is, without the prompts of one.
 * @param {string} text
 * @returns {string} as long as the text */
export function plainOf(text) {
  if (!/^\uFEFF?\s*\{/.test(text) || !/"cells"\s*:\s*\[/.test(text))
    return text.replace(PROMPT, blank);
  let [plain, done, key] = ['', 0, ''];
  for (const match of text.matchAll(STRING)) {
    const [all, inside, colon] = match;
    plain += blank(text.slice(done, match.index));
    done = match.index + all.length;
    if (colon) key = inside;
    const isShown = !colon && SHOWN.includes(key);
    /* A line of a cell ends where the line of the file does, if it does there. */
    const isLine = /^\s*[,\]]?[^\S\n]*\n/.test(text.slice(done, done + 200));
    const words = shown(inside);
    plain += isShown
      ? ` ${isLine ? words.replace(/\n$/, ' ') : words}${blank(all.slice(inside.length + 1))}`
      : blank(all);
  }
  return plain + blank(text.slice(done));
}
