// How large an element is, in whole px, and how large things are to be drawn in it. On paper it stays what it
// was on the screen: what was fitted to the screen is printed.

/** @typedef {{ width: number, height: number }} Box */

const paper = matchMedia('print');
const wide = matchMedia('(min-width: 68rem)');

/**
 * @param {(box: Box) => void} changed
 * @returns {ResizeObserver} to be told what to observe
 */
export const roomObserver = (changed) =>
  new ResizeObserver(([{ contentRect }]) => {
    if (paper.matches) return;
    changed({ width: Math.floor(contentRect.width), height: Math.floor(contentRect.height) });
  });

/**
 * The styles of what stands for :root here: the page, or the figure in somebody else's page.
 * @param {Element} element
 */
export function rootStyle(element) {
  const tree = element.getRootNode();
  const root = tree instanceof ShadowRoot ? tree.querySelector('.root') : null;
  return getComputedStyle(root ?? document.documentElement);
}

/** How many px one px of the design is here. @param {Element} element */
export const unitOf = (element) => Number.parseFloat(rootStyle(element).fontSize) / 16;

/** Whether all has to fit on one screen; a figure in somebody else's page is as high as it likes to be.
 * @param {Element} element */
export const oneScreen = (element) =>
  wide.matches && !(element.getRootNode() instanceof ShadowRoot);
