// In front of a class type is twice as large as usual, or as large as lets everything be seen: what would have to be
// scrolled is lost to a hall, and so are numbers that became colours.
import { remeasure } from '../elements/room.js';

/** Sizes that type may have, of the one in front of a class; the last is the usual one. */
const SIZES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** px that do not count. */
const SLACK = 2;
/** A matrix of at most so many numbers is to be read. */
const READ = 64;
/** Cut off beside a number in a cell, there is always the full one. */
const ALL = '*:not(input, select, .hidden, .cell)';

/** What is shown. @type {HTMLElement | null} */
let main = null;
/** Which place of the page it is. */
let place = '';
/** The size that is tried, or was found. */
let at = 0;
/** How much is lost at each size that was tried. @type {number[]} */
let lost = [];
let found = false;
let awaited = false;

/** How much of a direction has to be scrolled; 0 if all is seen.
 * @param {number} all @param {number} seen @param {string} overflow */
const hidden = (all, seen, overflow) =>
  seen > 1 && all - seen > SLACK && overflow !== 'visible' ? (all - seen) / all : 0;

/** How much of what is shown cannot be seen, or not be read. @param {HTMLElement} shown */
function lossOf(shown) {
  const { scrollWidth, scrollHeight } = document.documentElement;
  let loss = hidden(scrollWidth, innerWidth, '') + hidden(scrollHeight, innerHeight, '');
  for (const one of shown.querySelectorAll(ALL)) {
    const { scrollWidth: wide, clientWidth, scrollHeight: high, clientHeight } = one;
    if (wide - clientWidth <= SLACK && high - clientHeight <= SLACK) continue;
    const { overflowX, overflowY } = getComputedStyle(one);
    loss += hidden(wide, clientWidth, overflowX) + hidden(high, clientHeight, overflowY);
  }
  const maps = /** @type {NodeListOf<import('../elements/heatmap.js').Heatmap>} */ (
    shown.querySelectorAll('gf-stage gf-heatmap')
  );
  for (const { layout } of maps) if (layout && layout.rows * layout.columns <= READ) loss += 1;
  return loss;
}

/** @param {number} size */
function take(size) {
  at = size;
  document.documentElement.style.setProperty('--fit', String(SIZES[at]));
  remeasure();
}

function look() {
  awaited = false;
  if (!main) return;
  const loss = lossOf(main);
  if (found && loss <= lost[at]) return;
  lost[at] = loss;
  found = loss === 0 || at === SIZES.length - 1;
  if (found && loss > 0) take(lost.indexOf(Math.min(...lost.filter((one) => one !== undefined))));
  if (found) document.documentElement.dataset.fit = 'done';
  else {
    take(at + 1);
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
  found = false;
  delete document.documentElement.dataset.fit;
  take(0);
  soon();
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
