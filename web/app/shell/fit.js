// Chooses the size of type for presenting: twice the usual one, or the largest at which nothing must be scrolled and no
// small matrix shows colours instead of numbers.
import { remeasure } from '../../stage/elements/room.js';
import '../../style/present.css';

/** Sizes that type may have, of the one in front of a class; the last is the usual one. The first are the reader's to ask for. */
const SIZES = [1.4, 1.25, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** px of overflow that do not count. */
const SLACK_PX = 2;
/** Matrices of at most so many numbers must show them. */
const MAX_READ_NUMBERS = 25;
/** What is looked through. A field scrolls by itself. */
const MEASURED = '*:not(input, select, .hidden)';
/** What lies so many px beyond these lies over what comes next. */
const MAX_OVERHANG = 8;
const PART = '.lesson > .centre, .lesson > .centre > *, .panel > *';

/** What is shown. @type {HTMLElement | null} */
let main = null;
/** Which place of the page it is. */
let place = '';
/** The largest size that is tried: the reader's. */
let first = SIZES.indexOf(1);
/** The size that is tried, or was found. */
let tried = 0;
/** How much is lost at each size that was tried. @type {number[]} */
let lost = [];
let isSettled = false;
let awaited = false;

/** How much of a direction is beyond what there is room for.
 * @param {number} all @param {number} seen */
const beyond = (all, seen) => (seen > 1 && all - seen > SLACK_PX ? (all - seen) / all : 0);

/** An element and what it lies in. @param {Element | null} one @returns {Element[]} */
const aroundOf = (one) => (one ? [one, ...aroundOf(one.parentElement)] : []);

/** How much of what is shown cannot be seen, or not be read. @param {HTMLElement} shown */
function lossOf(shown) {
  let loss = 0;
  for (const one of [...aroundOf(shown), ...shown.querySelectorAll(MEASURED)]) {
    const down = beyond(one.scrollHeight, one.clientHeight);
    const across = beyond(one.scrollWidth, one.clientWidth);
    if (!down && !across) continue;
    const { overflowX, overflowY, textOverflow } = getComputedStyle(one);
    /* A word that is longer than any label shows how it begins. */
    if (textOverflow === 'ellipsis') continue;
    const over = one.scrollHeight - one.clientHeight > MAX_OVERHANG && one.matches(PART);
    if (overflowY !== 'visible' || over) loss += down;
    if (overflowX !== 'visible') loss += across;
  }
  const maps = /** @type {NodeListOf<import('../../stage/elements/heatmap.js').Heatmap>} */ (
    shown.querySelectorAll('gf-stage gf-heatmap')
  );
  for (const { layout } of maps)
    if (layout && layout.rows * layout.columns <= MAX_READ_NUMBERS) loss += 1;
  return loss;
}

/** @param {number} size */
function take(size) {
  tried = size;
  document.documentElement.style.setProperty('--fit', String(SIZES[tried]));
  remeasure();
}

function look() {
  awaited = false;
  if (!main) return;
  const loss = lossOf(main);
  if (isSettled && loss <= lost[tried]) return;
  lost[tried] = loss;
  isSettled = loss === 0 || tried === SIZES.length - 1;
  if (isSettled && loss > 0)
    take(lost.indexOf(Math.min(...lost.filter((one) => one !== undefined))));
  if (isSettled) document.documentElement.dataset.fit = 'done';
  else {
    delete document.documentElement.dataset.fit;
    take(tried + 1);
    soon();
  }
}

/** Once what is drawn by its room is drawn. */
function soon() {
  if (awaited) return;
  awaited = true;
  requestAnimationFrame(() => requestAnimationFrame(look));
}

const changes = new MutationObserver(soon);

function begin() {
  lost = [];
  isSettled = false;
  delete document.documentElement.dataset.fit;
  take(first);
  soon();
}

/** Tries a larger type than the one that is seen, or a smaller one. @param {1 | -1} by */
export function resize(by) {
  first = Math.max(0, Math.min(SIZES.length - 1, tried - by));
  begin();
}

/**
 * Fits what is shown, now and whenever it changes.
 * @param {HTMLElement | null} shown null: nothing is to be fitted any more
 * @param {string} where another place begins anew
 */
export function fit(shown, where) {
  if (shown !== main) {
    changes.disconnect();
    main = shown;
    place = '';
    removeEventListener('resize', begin);
    if (!main) {
      document.documentElement.style.removeProperty('--fit');
      return remeasure();
    }
    changes.observe(main, { childList: true, characterData: true, subtree: true });
    addEventListener('resize', begin);
  }
  if (where === place) return;
  place = where;
  begin();
}
