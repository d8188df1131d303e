// How far a reader has come, kept where the browser keeps anything; where it does not, nothing is lost but that.

const KEY = 'glassformer.lessons';

/** Of a lesson. scene: where the reader was last; solved: scenes whose gate was opened, from 1.
 * @typedef {{ scene: number, done: boolean, solved: number[] }} Kept */
/** By the lessons' names; what was read last stands at the end. @typedef {Record<string, Kept>} Progress */

/** @returns {Progress} */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** What is kept of a lesson. @param {string} lesson @returns {Kept} */
export function keptOf(lesson) {
  const { scene = 1, done = false, solved } = progress()[lesson] ?? {};
  return { scene, done, solved: Array.isArray(solved) ? solved : [] };
}

/** @param {Progress} all */
export function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    /* A private window, a frame without storage. */
  }
}

/** What was kept last. */
let last = '';

/** Keeps how far the reader of a lesson is. @param {import('./player.js').Player} player */
export function reached({ lesson, called, state, solved }) {
  if (!lesson || called !== state.lesson) return;
  const { scenes } = lesson;
  const now = {
    scene: Math.min(state.scene, scenes.length),
    done: state.scene > scenes.length || keptOf(called).done,
    solved: scenes.flatMap((scene, i) => (solved.has(scene) ? [i + 1] : [])),
  };
  const told = JSON.stringify([called, now]);
  if (told === last) return;
  last = told;
  const { [called]: _, ...others } = progress();
  store({ ...others, [called]: now });
}
