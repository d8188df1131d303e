// How large an element is, in whole px. On paper it stays what it was on the screen: what was fitted to the
// screen is printed.

/** @typedef {{ width: number, height: number }} Box */

const paper = matchMedia('print');

/**
 * @param {(box: Box) => void} changed
 * @returns {ResizeObserver} to be told what to observe
 */
export const roomObserver = (changed) =>
  new ResizeObserver(([{ contentRect }]) => {
    if (paper.matches) return;
    changed({ width: Math.floor(contentRect.width), height: Math.floor(contentRect.height) });
  });
