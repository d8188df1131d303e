// A figure keeps nothing: how far its reader has come stands in its state, and is told to the page around it.

export const store = () => {};
export const progress = () => ({});
export const keptOf = () => ({ solved: [] });

/** What was told last. @type {WeakMap<EventTarget, string>} */
const reports = new WeakMap();

/** Tells how far the reader of a lesson is. @param {import('../teaching/player.js').Player} player */
export function reached(player) {
  const { lesson, called, state, placed, failure } = player;
  if (!lesson || called !== state.lesson || failure) return;
  const scenes = lesson.scenes.length;
  const done = state.scene > scenes;
  if (!done && placed !== lesson.scenes[state.scene - 1]) return;
  const scene = Math.min(state.scene, scenes);
  const detail = { lesson: called, scene, scenes, passed: done || player.passed, done };
  const report = JSON.stringify(detail);
  if (report === reports.get(player)) return;
  reports.set(player, report);
  player.dispatchEvent(new CustomEvent('gf-progress', { detail, bubbles: true, composed: true }));
}
