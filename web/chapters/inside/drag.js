// What the other text gives is dragged onto its place in this one, by mouse or touch: a ring onto its head, a word onto its
// thread. Where it may be dropped is marked while it is held.

/** How far from a place a thing may be dropped. */
const DROP_RADIUS_PX = 40;

/** Where a thing may be dropped: the ring of a head onto that head, a word into any layer at its position.
 * @param {string} dragged 1.3, or @11 @param {string} place */
export const takes = (dragged, place) =>
  dragged.startsWith('@') ? place.endsWith(dragged) : place === dragged;

/** The middle of what is drawn. @param {Element} shape */
function middleOf(shape) {
  const { left, top, width, height } = shape.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

export class Drag {
  /** @param {(place: string) => void} drop */
  constructor(drop) {
    this.drop = drop;
    /** What follows the pointer. @type {SVGGraphicsElement | null} */
    this.held = null;
  }

  /** A finger on it moves the thing, not the page: touch-action says nothing inside a drawing. */
  still = {
    handleEvent: (/** @type {TouchEvent} */ event) => event.preventDefault(),
    passive: false,
  };

  grip = (/** @type {PointerEvent} */ event) => {
    const held = /** @type {SVGGraphicsElement} */ (event.currentTarget);
    event.preventDefault();
    held.setPointerCapture(event.pointerId);
    this.held = held;
    const [x, y] = [event.clientX, event.clientY];
    const drawing = /** @type {SVGSVGElement} */ (held.ownerSVGElement);
    const scale = drawing.viewBox.baseVal.width / drawing.getBoundingClientRect().width;
    const places = [
      .../** @type {NodeListOf<Element>} */ (drawing.querySelectorAll('[data-place]')),
    ].filter((place) => takes(String(held.dataset.drag), String(place.getAttribute('data-place'))));
    for (const place of places) place.classList.add('target');
    held.classList.add('held');

    const move = (/** @type {PointerEvent} */ { clientX, clientY }) =>
      held.setAttribute(
        'transform',
        `translate(${(clientX - x) * scale} ${(clientY - y) * scale})`,
      );
    const end = (/** @type {PointerEvent} */ { type, clientX, clientY }) => {
      held.removeEventListener('pointermove', move);
      held.removeEventListener('pointerup', end);
      held.removeEventListener('pointercancel', end);
      held.classList.remove('held');
      held.removeAttribute('transform');
      for (const place of places) place.classList.remove('target');
      this.held = null;
      const [nearest] = places
        .map((place) => {
          const [px, py] = middleOf(place);
          return { place, far: Math.hypot(px - clientX, py - clientY) };
        })
        .sort((a, b) => a.far - b.far);
      const hasMoved = Math.hypot(clientX - x, clientY - y) > 4;
      if (type === 'pointerup' && hasMoved && nearest?.far <= DROP_RADIUS_PX)
        this.drop(String(nearest.place.getAttribute('data-place')));
    };
    held.addEventListener('pointermove', move);
    held.addEventListener('pointerup', end);
    held.addEventListener('pointercancel', end);
  };
}
