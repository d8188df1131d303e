// Which known mistake is behind the cells of a step that fail.

/** @typedef {import('../problem/problem.js').Cell} Cell */

/** What a mistake explains: the cells where its machine, on the learner's own numbers, makes what the learner wrote and
 * not what follows from them; those where it makes neither; all that it makes; those of rows that it makes as a whole; and those
 * of rows that show it was not made there, where it was made apart in others.
 * @typedef {{ cells: Set<string>, against: Set<string>, fits: Set<string>, whole: Set<string>, apart: Set<string> }} Explanation */

/** An explanation that has no cell yet. @returns {Explanation} */
export const nothing = () => ({
  cells: new Set(),
  against: new Set(),
  fits: new Set(),
  whole: new Set(),
  apart: new Set(),
});

/** Adds what is explained in a step. @param {Explanation} all @param {Explanation} one */
export function addTo(all, one) {
  for (const key of /** @type {const} */ (['cells', 'against', 'fits', 'whole', 'apart'])) {
    for (const name of one[key]) all[key].add(name);
  }
}

/** The mistake that explains whole rows with most of a step's failing cells; of several, the one that explains most elsewhere,
 * and then the one that fits most of what is right, too. None, where it would change more cells of the step than it explains;
 * no name, where two are as good.
 * @param {readonly string[]} names of mistakes
 * @param {(name: string, step?: string) => Explanation} explanationOf what one explains in a step, or in all of them
 * @param {readonly Cell[]} step the cells that were asked
 * @param {readonly Cell[]} here those that fail @param {readonly Cell[]} failing in every step
 * @returns {{ name: string | null } | null} */
export function bestOf(names, explanationOf, step, here, failing) {
  const likely = names
    .map((name) => {
      const { cells, against, whole } = explanationOf(name, step[0].step);
      return {
        name,
        some: here.filter((cell) => cells.has(cell.name) && whole.has(cell.name)).length,
        against: step.filter((cell) => against.has(cell.name)).length,
      };
    })
    .filter(({ some, against }) => some && 2 * some >= here.length && some >= against);
  const most = Math.max(...likely.map(({ some }) => some));
  const best = likely.filter(({ some }) => some === most).map(({ name }) => name);
  if (best.length < 2) return best.length ? { name: best[0] } : null;
  /* Other steps are looked at only where this one does not decide. */
  const [first, second] = best
    .map((name) => {
      const { cells, fits } = explanationOf(name);
      return { name, ranks: [failing.filter((cell) => cells.has(cell.name)).length, fits.size] };
    })
    .sort((a, b) => difference(b.ranks, a.ranks));
  return { name: difference(first.ranks, second.ranks) ? first.name : null };
}

/** @param {number[]} a @param {number[]} b the first difference between them, or 0 */
const difference = (a, b) => a.map((x, i) => x - b[i]).find((d) => d) ?? 0;
