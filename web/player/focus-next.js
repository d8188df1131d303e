// A reader who answers by the keyboard is led to what is to be done next: a question, or the next scene.

/** @param {import('./player.js').Player} player */
export async function focusNext({ inside, form, passed }) {
  await form?.updateComplete;
  const question = '.words :is(.options button, .numbers input):enabled';
  /** @type {HTMLElement | null} */
  const asked = passed ? null : inside.querySelector(question);
  /** @type {HTMLElement | null} */
  const next = inside.querySelector('.scene > footer .next');
  (asked ?? next)?.focus({ preventScroll: !asked });
}
