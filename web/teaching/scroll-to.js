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
  const all = (/** @type {string} */ what) =>
    /** @type {HTMLElement[]} */ ([...inside.querySelectorAll(what)]);
  const [words] = all('.scene > .words');
  const [foot] = all('.scene > footer');
  if (!words || !foot) return;
  const own = getComputedStyle(words).position === 'sticky' ? words.offsetHeight : 0;
  /* Where two results are compared, both if there is room: the last one has the last word. */
  for (const asked of ASKED.map(all).find((some) => some.length > 0) ?? []) {
    /* Above it stand the names of its columns. */
    asked.style.scrollMargin = `${own + 32}px 1rem ${foot.offsetHeight + 8}px`;
    asked.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    asked.style.scrollMargin = '';
  }
}
