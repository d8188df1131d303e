// Scrolls to what a scene asks for, so that it stands between the words and the foot of the scene.

/** What the words and answers are about: on the stage the number in focus, or else the step's matrices; in another picture
 * what stands last. */
const ASKED = [
  'gf-stage .figure-grid :is(.cell, .frame).focus',
  'gf-stage .figure-grid .matrix',
  '.plane .rows > :last-child',
  '.bars > :last-child',
  '.rows .lenses table',
  '.clocks .sum',
];

/** @param {HTMLElement} inside the lesson */
export function scrollToAsked(inside) {
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...inside.querySelectorAll(selector)]);
  const [words] = all('.scene > .words');
  const [foot] = all('.scene > footer');
  if (!words || !foot) return;
  const covered = getComputedStyle(words).position === 'sticky' ? words.offsetHeight : 0;
  /* Of two results that are compared both are shown if there is room, and else the last one. */
  for (const asked of ASKED.map(all).find((some) => some.length > 0) ?? []) {
    /* Above it stand the names of its columns. */
    asked.style.scrollMargin = `${covered + 32}px 1rem ${foot.offsetHeight + 8}px`;
    asked.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    asked.style.scrollMargin = '';
  }
}
