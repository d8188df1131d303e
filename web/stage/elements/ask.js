/**
 * Asks the shell for a change of the state.
 * @param {EventTarget} from
 * @param {Record<string, unknown>} change
 * @param {{ passing?: boolean, moving?: boolean, undoable?: boolean }} [how]
 */
export function change(from, change, how = {}) {
  from.dispatchEvent(new CustomEvent('gf-change', { detail: { change, ...how }, bubbles: true }));
}
