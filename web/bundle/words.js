// English is always there, but not all of it at once: what a chapter alone says comes with that chapter.
// `en/page.json?chapters/training` is that part of the file, in its place, and `en/page.json` what is left.

const ENGLISH = /\/words\/en\/page\.json(?:\?(.+))?$/;

/** What comes later, but for the words that lead there. */
const LATER =
  /^(chapters\/(?!\w+\/title$)\w+\/\w+|claims\/(?!test(Of)?$)\w+|export\/(?!refused$)\w+|course|directions|lessons|models)$/;

/** What comes later than its chapter, with what says it. */
const APART = /^chapters\/training\/(batch|adam)$/;

/** A copy of the tree without some branches. @param {any} words @param {(path: string) => boolean} stays @param {string} [at] @returns {any} */
function pruned(words, stays, at = '') {
  if (typeof words !== 'object' || Array.isArray(words)) return words;
  const kept = Object.entries(words).flatMap(([key, value]) => {
    const path = at ? `${at}/${key}` : key;
    return stays(path) ? [[key, pruned(value, stays, path)]] : [];
  });
  return Object.fromEntries(kept);
}

/** @param {string} part */
const within = (part) => (/** @type {string} */ path) =>
  (path.startsWith(`${part}/`) && !APART.test(path)) || `${part}/`.startsWith(`${path}/`);

/** @returns {import('vite').Plugin} */
export const words = () => ({
  name: 'words',
  enforce: 'pre',
  transform(code, id) {
    const [file, part] = ENGLISH.exec(id) ?? [];
    if (!file) return null;
    const stays = part ? within(part) : (/** @type {string} */ path) => !LATER.test(path);
    const said = pruned(JSON.parse(code), stays);
    return { code: `export default ${JSON.stringify(said)}`, moduleType: 'js' };
  },
});
