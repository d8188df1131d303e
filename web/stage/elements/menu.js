// What closes a list that a <details> opens: a choice in it, Escape, and whatever is done elsewhere.

/** @param {Event} event @returns {HTMLDetailsElement} */
const listOf = ({ currentTarget }) => /** @type {HTMLDetailsElement} */ (currentTarget);

/** Something in the list was chosen. @param {Event} event */
export function choose(event) {
  if (/** @type {Element} */ (event.target).closest('a, button')) listOf(event).open = false;
}

/** The focus leaves the list. @param {FocusEvent} event */
export function leave(event) {
  const { relatedTarget } = event;
  const list = listOf(event);
  if (relatedTarget && !list.contains(/** @type {Node} */ (relatedTarget))) list.open = false;
}

/** @param {KeyboardEvent} event */
export function dismiss(event) {
  const list = listOf(event);
  if (event.key !== 'Escape' || !list.open) return;
  event.stopPropagation();
  list.open = false;
  list.querySelector('summary')?.focus();
}

/** Something beside the open list is pressed. @param {Event} event of its opening */
export function watch(event) {
  const list = listOf(event);
  if (!list.open) return;
  const press = (/** @type {PointerEvent} */ pressed) => {
    if (pressed.composedPath().includes(list)) return;
    list.open = false;
    removeEventListener('pointerdown', press);
  };
  addEventListener('pointerdown', press);
}
