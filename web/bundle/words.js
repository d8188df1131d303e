// Divides the English texts: those that only one chapter uses are loaded with that chapter. `en/page.json?chapters/training`
// is that part of the file, in its place, and `en/page.json` the rest.

const ENGLISH = /\/words\/en\/page\.json(?:\?(.+))?$/;

/** Texts that are loaded later. */
const LATER =
  /^(chapters\/\w+\/(?!(title|invitation)$)\w+|claims\/(?!test(Of)?$)\w+|export\/(?!refused$)\w+|course|directions|lessons|models|sources)(\/|$)/;

/** Texts that are loaded later than their chapter, or than lessons, with the part that uses them. */
const APART =
  /^(chapters\/(training\/(batch|adam)|transformer\/recurrence)|lessons\/(learning|machine|sheet|welcome))\//;

/**
 * A copy of a tree with some of its texts.
 * @param {any} words
 * @param {(path: string) => boolean} keeps whether a text is kept, by its path
 * @param {string} [path]
 * @returns {any} undefined if none is kept
 */
export function pruned(words, keeps, path = '') {
  if (typeof words === 'string' || Array.isArray(words)) return keeps(path) ? words : undefined;
  const kept = Object.entries(words)
    .map(([key, value]) => [key, pruned(value, keeps, path ? `${path}/${key}` : key)])
    .filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** @param {string} part */
const within = (part) => (/** @type {string} */ path) =>
  path.startsWith(`${part}/`) && (!APART.test(path) || APART.test(`${part}/`));

/** @returns {import('vite').Plugin} */
export const words = () => ({
  name: 'words',
  enforce: 'pre',
  transform(code, id) {
    const [file, part] = ENGLISH.exec(id) ?? [];
    if (!file) return null;
    const keeps = part ? within(part) : (/** @type {string} */ path) => !LATER.test(path);
    const kept = pruned(JSON.parse(code), keeps) ?? {};
    return { code: `export default ${JSON.stringify(kept)}`, moduleType: 'js' };
  },
});
