// Where the page scrolls, the number that is asked for is brought between the words and the foot of the scene.

/** @param {HTMLElement} inside the lesson */
export function bring(inside) {
  const find = (/** @type {string} */ what) =>
    /** @type {HTMLElement | undefined} */ ([...inside.querySelectorAll(what)].at(-1));
  const [cell, words, foot] = [
    find('gf-stage .figure-grid :is(.cell, .frame).focus'),
    find('.scene > .words'),
    find('.scene > footer'),
  ];
  if (!cell || !words || !foot) return;
  cell.style.scrollMargin = `${words.offsetHeight + 8}px 1rem ${foot.offsetHeight + 8}px`;
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  cell.style.scrollMargin = '';
}
