// A reader who answers by the keyboard is led to what is to be done next: a question, or the next scene.

/** @param {import('./player.js').Player} player */
export async function focusNext({ inside, passed }) {
  const find = (/** @type {string} */ what) =>
    /** @type {HTMLElement | null} */ (inside.querySelector(what));
  const form = /** @type {import('./gate-form.js').GateForm | null} */ (find('gf-gate'));
  await form?.updateComplete;
  const next = find('.scene > footer .next');
  const asked = passed ? null : find('.words :is(.options button, .numbers input):enabled');
  (asked ?? next)?.focus();
}
