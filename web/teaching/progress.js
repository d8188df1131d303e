// How far a reader has come, kept where the browser keeps anything; where it does not, nothing is lost but that.

const KEY = 'glassformer.lessons';

/** @typedef {Record<string, { scene: number, done: boolean }>} Progress */

/** @returns {Progress} */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/**
 * @param {string} lesson
 * @param {number} scene
 * @param {boolean} done
 */
export function keep(lesson, scene, done) {
  try {
    const all = progress();
    all[lesson] = { scene, done: done || all[lesson]?.done === true };
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    /* A private window, a frame without storage. */
  }
}
