// Where the page scrolls, what is asked for is brought between the words and the foot of the scene.

/** What a picture's words and answers are about: a number of the stage, or else all of the step; in another picture what
 * stands last. */
const ASKED = [
  'gf-stage .figure-grid :is(.cell, .frame).focus',
  'gf-stage .figure-grid .matrix',
  '.plane .rows > :last-child',
  '.bars > :last-child',
  '.compared tr:last-child',
];

/** @param {HTMLElement} inside the lesson */
export function bring(inside) {
  const find = (/** @type {string} */ what) =>
    /** @type {HTMLElement | undefined} */ ([...inside.querySelectorAll(what)].at(-1));
  const asked = ASKED.map(find).find((one) => one);
  const [words, foot] = ['.scene > .words', '.scene > footer'].map(find);
  if (!asked || !words || !foot) return;
  const own = getComputedStyle(words).position === 'sticky' ? words.offsetHeight : 0;
  /* Above it stand the names of its columns. */
  asked.style.scrollMargin = `${own + 32}px 1rem ${foot.offsetHeight + 8}px`;
  asked.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  asked.style.scrollMargin = '';
}
