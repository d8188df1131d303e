// What the parts of the page ask the chapter for, besides changes of the state.

/**
 * @typedef {'play' | 'step' | 'reset' | 'cancel' | 'save' | 'unfold' | { open: File }} Command
 */

/**
 * @param {EventTarget} from
 * @param {Command} detail
 */
export function command(from, detail) {
  from.dispatchEvent(new CustomEvent('gf-train', { detail, bubbles: true }));
}
