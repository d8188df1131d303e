// The size of an element in whole px, and the scale of what is drawn in it. Printing keeps the sizes of the screen.

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
 * What stands for :root here: that of the page, or of the figure in somebody else's page.
 * @param {Element} element
 */
function rootOf(element) {
  const tree = element.getRootNode();
  const root = tree instanceof ShadowRoot ? tree.querySelector('.root') : null;
  return /** @type {HTMLElement} */ (root ?? document.documentElement);
}

/** Whether a class is looking: keys are those of a clicker.
 * @param {Element} element */
export const isPresented = (element) => rootOf(element).matches('[data-mode=present]');

/** @param {Element} element */
export const rootStyle = (element) => getComputedStyle(rootOf(element));

/** @type {WeakMap<Element, number>} */
let units = new WeakMap();

/** Type is another size than before: the window's, or that of a projector. */
export const remeasure = () => {
  units = new WeakMap();
};

addEventListener('resize', remeasure);

/**
 * How many px one px of the design is here: type grows with the window, and is smaller on paper. To ask the
 * browser makes it compute all styles at once, so it is asked once for each size of the window.
 * @param {Element} element
 */
export function unitOf(element) {
  const root = rootOf(element);
  const cached = paper.matches ? undefined : units.get(root);
  if (cached !== undefined) return cached;
  const unit = Number.parseFloat(getComputedStyle(root).fontSize) / 16;
  if (!paper.matches) units.set(root, unit);
  return unit;
}

/** Where the page may scroll, px of the design that a figure's matrices like to have. */
const FREE_HEIGHT = 560;

/** px that matrices may take where the page may scroll: less in a figure that fits the box of its page.
 * @param {Element} element */
export const freeHeight = (element) =>
  Number(rootOf(element).dataset.free ?? FREE_HEIGHT * unitOf(element));

/** Whether all has to fit on one screen; a figure in somebody else's page is as high as it likes to be.
 * @param {Element} element */
export const oneScreen = (element) =>
  wide.matches && !(element.getRootNode() instanceof ShadowRoot);
