// The numbers of a walkthrough under the pointer: it points at them, and picks them.
import { parseCell } from '../draw/tensor.js';

/** @typedef {import('../draw/tensor.js').Cell} Cell */

/**
 * @param {HTMLElement} walkthrough
 * @param {(action: import('./base.js').Action) => void} act
 */
export function pointing(walkthrough, act) {
  const before = { clientX: -1, clientY: -1 };
  walkthrough.addEventListener('pointerover', (event) => {
    // A page that changes under a resting pointer is not pointed at.
    const { clientX, clientY } = event;
    const rests = before.clientX === clientX && before.clientY === clientY;
    if (event.pointerType === 'touch' || rests) return;
    Object.assign(before, { clientX, clientY });
    const hit = cellUnder(event);
    if (hit !== undefined) act({ do: 'point', ...hit });
  });
  walkthrough.addEventListener('pointerleave', () =>
    act({ do: 'point', cell: null, stage: false }),
  );
  walkthrough.addEventListener('click', (event) => {
    const hit = cellUnder(event);
    if (hit?.cell) act({ do: 'pick', cell: hit.cell, stage: hit.stage });
  });
}

/**
 * The number under the pointer; undefined if the pointer is over a canvas, which tells by itself.
 * @param {Event} event
 * @returns {{ cell: Cell | null, stage: boolean } | undefined}
 */
function cellUnder(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('.matrix.colours, input')) return undefined;
  const shown = target.closest('[data-node], [data-link]');
  if (!shown) return { cell: null, stage: false };
  const key =
    shown.getAttribute('data-link') ??
    `${shown.getAttribute('data-node')}:${shown.getAttribute('data-index')}`;
  return { cell: parseCell(key), stage: shown.closest('.matrix') !== null };
}
