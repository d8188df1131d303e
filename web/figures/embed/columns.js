// Texts of several languages as one tree: what is the same in all is there once, a text has a column for each language, and
// so like texts stand together. They deflate to less.

/** What holds the columns of a text. */
const COLUMNS = '|';

/** @param {Record<string, any>} texts by language; what one of them lacks is null in its column, and left out again */
export function columns(texts) {
  /** @param {any[]} values @returns {any} */
  const tree = (values) => {
    const [first] = values;
    if (new Set(values.map((value) => JSON.stringify(value))).size === 1) return first;
    if (Array.isArray(first)) return first.map((_, i) => tree(values.map((value) => value[i])));
    if (values.some((value) => Object(value) !== value)) return { [COLUMNS]: values };
    const keys = new Set(values.flatMap(Object.keys));
    return Object.fromEntries(
      [...keys].map((key) => [key, tree(values.map((value) => value[key]))]),
    );
  };
  return { languages: Object.keys(texts), tree: tree(Object.values(texts)) };
}

/** The texts by language again. @param {{ languages: string[], tree: any }} packed */
export function textsOf({ languages, tree }) {
  /** @param {any} of @param {number} i @returns {any} */
  const column = (of, i) => {
    if (Object(of) !== of) return of;
    if (Array.isArray(of)) return of.map((one) => column(one, i));
    if (of[COLUMNS]) return of[COLUMNS][i];
    const all = Object.keys(of).map((key) => [key, column(of[key], i)]);
    return Object.fromEntries(all.filter(([, value]) => value !== null));
  };
  return Object.fromEntries(languages.map((language, i) => [language, column(tree, i)]));
}
