// How the parts of the page ask for something.

/**
 * A change of the state, which the shell makes.
 * @param {EventTarget} from
 * @param {Record<string, unknown>} change
 * @param {{ passing?: boolean, moving?: boolean, undoable?: boolean }} [how]
 */
export function change(from, change, how = {}) {
  from.dispatchEvent(new CustomEvent('gf-change', { detail: { change, ...how }, bubbles: true }));
}

/**
 * What is not in the state.
 * @typedef {'play' | 'step' | 'reset' | 'cancel' | 'save' | { open: File }} Command
 */

/**
 * @param {EventTarget} from
 * @param {Command} detail
 */
export function command(from, detail) {
  from.dispatchEvent(new CustomEvent('gf-train', { detail, bubbles: true }));
}
