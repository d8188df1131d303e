// Which modules share a file, besides the page's own: those that the same of a few large parts need. Each file costs the
// browser a millisecond or two, and divided by the needs of everything that loads by itself, a lesson had a hundred.
import { fileURLToPath } from 'node:url';

/** What is loaded together, each by the files that it begins with. */
const PARTS = {
  lessons: ['player/chapter.js'],
  walk: ['stage/elements/walkthrough.js', 'stage/elements/sheets.js'],
  home: ['player/welcome.js'],
  exercises: ['chapters/exercises/chapter.js'],
  training: ['chapters/training/chapter.js', 'chapters/inside/chapter.js'],
};
/** Those whose files are made here; what only the others need is left to the bundler. */
const MADE = ['lessons', 'walk'];

/** @typedef {{ getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }} Context */

/** @param {readonly string[]} ids @param {Context} context @returns {Set<string>} these modules and all that they need */
function neededBy(ids, context) {
  const all = new Set(ids);
  /* A set's loop also visits what is added on the way. */
  for (const id of all)
    for (const one of context.getModuleInfo(id)?.importedIds ?? []) all.add(one);
  return all;
}

/** The name of a module's file, or null where it is left to the bundler. */
export function layers() {
  /** @type {[name: string, Set<string>][] | undefined} */
  let needed;
  return (/** @type {string} */ id, /** @type {Context} */ context) => {
    needed ??= Object.entries(PARTS).map(([name, files]) => [
      name,
      neededBy(
        files.map((file) => fileURLToPath(new URL(`../${file}`, import.meta.url))),
        context,
      ),
    ]);
    const names = needed.flatMap(([name, modules]) => (modules.has(id) ? [name] : []));
    return names.some((name) => MADE.includes(name)) ? names.join('-') : null;
  };
}
