// Whether the page opens the first chapter rather than the lessons where no link names one; kept in localStorage.

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
