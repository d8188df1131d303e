// Goes to a place in what a figure shows, as the page around asks for it.
import { text } from '../locale/text.js';

/**
 * Throws if there is no such place.
 * @param {import('../elements/walkthrough.js').Walkthrough | import('../teaching/player.js').Player} body
 * @param {string} at of a lesson the number of a scene
 */
export function visit(body, at) {
  if (!('lesson' in body)) return body.visit(at);
  const most = body.lesson?.scenes.length ?? 0;
  const scene = Number(at);
  if (!Number.isInteger(scene) || scene < 1 || scene > most + 1) {
    throw new RangeError(text('lessons/noScene', { at, most }));
  }
  body.ask({ scene });
}
