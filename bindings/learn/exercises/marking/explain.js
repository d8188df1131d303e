// Which known mistake is behind the cells of a step that fail.

/** @typedef {import('../problem/problem.js').Cell} Cell */

/** What a mistake explains: the cells where its machine, on the learner's own numbers, makes what the learner wrote and
 * not what follows from them; those where it makes neither; all that it makes; and those of rows that it makes as a whole.
 * @typedef {{ cells: Set<string>, against: Set<string>, fits: Set<string>, whole: Set<string> }} Explanation */

/** An explanation that has no cell yet. @returns {Explanation} */
export const nothing = () => ({
  cells: new Set(),
  against: new Set(),
  fits: new Set(),
  whole: new Set(),
});

/** The mistake that explains whole rows with most of a step's failing cells; of several, the one that explains most elsewhere,
 * and then the one that fits most of what is right, too. None, where it would change more cells of the step than it explains;
 * no name, where two are as good.
 * @param {readonly (readonly [string, Explanation])[]} explains @param {readonly Cell[]} step the cells that were asked
 * @param {readonly Cell[]} here those that fail @param {readonly Cell[]} failing in every step
 * @returns {{ name: string | null } | null} */
export function bestOf(explains, step, here, failing) {
  const ranked = explains
    .map(([name, { cells, against, fits, whole }]) => ({
      name,
      against: step.filter((cell) => against.has(cell.name)).length,
      ranks: [
        here.filter((cell) => cells.has(cell.name) && whole.has(cell.name)).length,
        failing.filter((cell) => cells.has(cell.name)).length,
        fits.size,
      ],
    }))
    .filter(({ ranks: [some], against }) => some && 2 * some >= here.length && some >= against)
    .sort((a, b) => difference(b.ranks, a.ranks));
  const [first, second] = ranked;
  if (!first) return null;
  return { name: second && !difference(first.ranks, second.ranks) ? null : first.name };
}

/** @param {number[]} a @param {number[]} b the first difference between them, or 0 */
const difference = (a, b) => a.map((x, i) => x - b[i]).find((d) => d) ?? 0;
