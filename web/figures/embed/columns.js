// Texts of several languages as one tree, whose leaves have a column for each: its keys are there once, and like texts
// stand together, so that they deflate to less.

/** @typedef {{ [key: string]: Tree | unknown[] }} Tree */

/** @param {Record<string, any>} texts by language; what one of them lacks is null in its column */
export function columns(texts) {
  /** @param {any[]} values @returns {any} */
  const tree = (values) => {
    if (!values.some((value) => Object(value) === value && !Array.isArray(value))) return values;
    const keys = new Set(values.flatMap((value) => Object.keys(value ?? {})));
    return Object.fromEntries(
      [...keys].map((key) => [key, tree(values.map((value) => value?.[key]))]),
    );
  };
  return { names: Object.keys(texts), tree: tree(Object.values(texts)) };
}

/** The texts by language again. @param {{ names: string[], tree: Tree }} packed */
export function textsOf({ names, tree }) {
  /** @param {any} of @param {number} i @returns {any} */
  const column = (of, i) =>
    Array.isArray(of)
      ? of[i]
      : Object.fromEntries(Object.keys(of).map((key) => [key, column(of[key], i)]));
  return Object.fromEntries(names.map((name, i) => [name, column(tree, i)]));
}
