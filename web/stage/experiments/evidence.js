// What was measured of a claim so far, and what its numbers say.
import { claims } from './claims.js';
import { mean } from './measuring.js';

/** @typedef {import('./measuring.js').Lab} Lab */
/** @typedef {import('./measuring.js').Measures} Measures */
/** What was measured so far, intact and with the step removed: a list for each place, in which each seed has its
 * measures.
 * @typedef {{
 *   name: string, seeds: number[], places: number[], all: number, done: number,
 *   intact: Measures[][], removed: Measures[][], instead: Measures[][],
 * }} Evidence
 * instead: with something else in its place, where the claim has that.
 * places: which are complete; all: how many measurements there will be, of which some are done.
 */
/** What the seeds say of one quantity.
 * @typedef {{ says: 'everywhere' | 'from' | 'some' | 'nowhere', counts: number[], from: number }} Shown
 * counts: for each place, how many seeds show what the claim says; from: the place from which on all do, an index.
 */
/** @typedef {{ says: 'holds' | 'partly' | 'fails', shown: Record<string, Shown> }} Verdict */

/** So many seeds, one after the other: the numbers of a single one may be chance. */
const SEEDS = 8;

/** Measures a claim place by place and seed by seed, each in a few milliseconds: between two of them the page can
 * breathe, or stop.
 * @param {Lab} lab @param {string} name of a claim
 * @returns {Generator<Evidence, Evidence>} what is known so far */
export function* evidence(lab, name) {
  const { places, measure, instead } = claims[name];
  const runs = /** @type {const} */ (['intact', 'removed', 'instead']).slice(0, instead ? 3 : 2);
  const seeds = Array.from({ length: SEEDS }, (_, i) => (lab.seed + i) % 2 ** 32);
  const all = runs.length * places.length * SEEDS;
  /** @type {Evidence} */
  let soFar = { name, seeds, places: [], all, done: 0, intact: [], removed: [], instead: [] };
  for (const [i, place] of places.entries()) {
    for (const seed of seeds) {
      for (const run of runs) {
        const removed = run === 'removed' ? [name] : [];
        const other = run === 'instead' ? instead?.(place) : undefined;
        const measures = measure({ ...lab, seed }, place, removed, other);
        const ofPlace = [...(soFar[run][i] ?? []), measures];
        const done = soFar.done + 1;
        const complete = places.slice(0, Math.floor(done / (runs.length * SEEDS)));
        soFar = { ...soFar, done, places: complete, [run]: soFar[run].toSpliced(i, 1, ofPlace) };
        yield soFar;
      }
    }
  }
  return soFar;
}

/** The mean of what the seeds gave, and from where to where it reaches; null where nothing is known.
 * @param {Measures[]} [measures] @param {string} [plot] */
export function spread(measures = [], plot = '') {
  if (measures.length === 0) return null;
  const values = measures.map((each) => each[plot]);
  return { mean: mean(values), low: Math.min(...values), high: Math.max(...values) };
}

/** What complete evidence says of the claim: it holds where all seeds show each of its quantities from some place
 * on, the last one included.
 * @param {Evidence} evidence
 * @returns {Verdict} */
export function verdict({ name, intact, removed, places, seeds }) {
  const shown = Object.fromEntries(
    Object.entries(claims[name].plots).map(([plot, { shows }]) => {
      const counts = places.map(
        (place, p) =>
          seeds.filter((_, i) => shows(intact[p][i][plot], removed[p][i][plot], place)).length,
      );
      return [plot, shownBy(counts, seeds.length)];
    }),
  );
  const all = Object.values(shown);
  const full = all.filter(({ says }) => says === 'everywhere' || says === 'from');
  const none = all.every(({ counts }) => counts.at(-1) === 0);
  return { says: full.length === all.length ? 'holds' : none ? 'fails' : 'partly', shown };
}

/** @param {number[]} counts for each place @param {number} all seeds
 * @returns {Shown} */
function shownBy(counts, all) {
  const from = counts.findLastIndex((count) => count < all) + 1;
  if (from === 0) return { says: 'everywhere', counts, from };
  if (from < counts.length) return { says: 'from', counts, from };
  return { says: counts.some((count) => count > 0) ? 'some' : 'nowhere', counts, from };
}
