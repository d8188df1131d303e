// Whether a reader who comes without a link wants the whole machine at once; kept where the browser keeps anything.

const KEY = 'glassformer.begins';
const EXPLORE = 'explore';

/** @returns {boolean} */
export function beginsExploring() {
  try {
    return localStorage.getItem(KEY) === EXPLORE;
  } catch {
    return false;
  }
}

/** Remembers that it is so. */
export function explore() {
  try {
    localStorage.setItem(KEY, EXPLORE);
  } catch {
    /* A private window, a frame without storage. */
  }
}
