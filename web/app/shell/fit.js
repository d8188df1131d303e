// Chooses the size of type for presenting: twice the usual one, or the largest at which nothing must be scrolled and no
// small matrix shows colours instead of numbers.
import { remeasure } from '../../stage/elements/room.js';
import '../../style/bands.css';
import '../../style/present.css';

/** Sizes that type may have, of the one in front of a class; the last is the usual one. The first are the reader's to ask for. */
const SIZES = [1.4, 1.25, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** px of overflow that do not count. */
const SLACK_PX = 2;
/** Matrices of at most so many numbers must show them. */
const MAX_READ_NUMBERS = 49;
/** What is looked through. A field scrolls by itself, and a plot is drawn as large as its room, a moment later. */
const MEASURED = '*:not(input, select, .hidden, gf-plot .canvas, gf-plot .canvas *)';
/** What lies so many px beyond these lies over what comes next. */
const MAX_OVERHANG = 8;
const PART = '.lesson > .centre, .lesson > .centre > *, .panel > *';

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

/** Whether something had to be waited for, and is there: it may need less room than what told of it.
 * @param {MutationRecord} record */
const hasEnded = ({ removedNodes }) =>
  [...removedNodes].some(
    (one) => one instanceof Element && (one.matches('progress') || one.querySelector('progress')),
  );

/** The size of type in front of a class, while it is one. */
export class TypeSize {
  /** What is shown. @type {HTMLElement | null} */
  #main = null;
  /** Which place of the page it is. */
  #place = '';
  /** The largest size that is tried: the reader's. */
  #first = SIZES.indexOf(1);
  /** The size that is tried, or was found. */
  #tried = 0;
  /** How much is lost at each size that was tried. @type {number[]} */
  #lost = [];
  #isSettled = false;
  #isAwaited = false;
  #changes = new MutationObserver((all) => (all.some(hasEnded) ? this.#begin() : this.#soon()));

  /** @param {number} size */
  #take(size) {
    this.#tried = size;
    document.documentElement.style.setProperty('--fit', String(SIZES[size]));
    remeasure();
  }

  #look = () => {
    this.#isAwaited = false;
    if (!this.#main) return;
    const loss = lossOf(this.#main);
    const lost = this.#lost;
    if (this.#isSettled && loss <= lost[this.#tried]) return;
    lost[this.#tried] = loss;
    this.#isSettled = loss === 0 || this.#tried === SIZES.length - 1;
    if (this.#isSettled && loss > 0)
      this.#take(lost.indexOf(Math.min(...lost.filter((one) => one !== undefined))));
    if (this.#isSettled) document.documentElement.dataset.fit = 'done';
    else {
      delete document.documentElement.dataset.fit;
      this.#take(this.#tried + 1);
      this.#soon();
    }
  };

  /** Once what is drawn by its room is drawn. */
  #soon() {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    requestAnimationFrame(() => requestAnimationFrame(this.#look));
  }

  #begin = () => {
    this.#lost = [];
    this.#isSettled = false;
    delete document.documentElement.dataset.fit;
    this.#take(this.#first);
    this.#soon();
  };

  /** Tries a larger type than the one that is seen, or a smaller one. @param {1 | -1} by */
  change(by) {
    this.#first = Math.max(0, Math.min(SIZES.length - 1, this.#tried - by));
    this.#begin();
  }

  /**
   * Fits what is shown, now and whenever it changes.
   * @param {HTMLElement | null} shown null: nothing is to be fitted any more
   * @param {string} where another place begins anew
   */
  fit(shown, where) {
    if (shown !== this.#main) {
      this.#changes.disconnect();
      this.#main = shown;
      this.#place = '';
      removeEventListener('resize', this.#begin);
      if (!shown) {
        document.documentElement.style.removeProperty('--fit');
        return remeasure();
      }
      this.#changes.observe(shown, { childList: true, characterData: true, subtree: true });
      addEventListener('resize', this.#begin);
    }
    if (where === this.#place) return;
    this.#place = where;
    this.#begin();
  }
}
