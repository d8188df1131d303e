// The pictures that the stage does not have.
import { html, nothing } from 'lit';

/** @typedef {import('../../bindings/lessons/index.js').Scene} Scene */

/** Each is loaded with the first scene that shows it. @type {Record<string, () => Promise<unknown>>} */
export const PICTURES = {
  plane: () => import('./plane.js'),
  bars: () => import('./bars.js'),
  sentence: () => import('./translated.js'),
  keys: () => import('./keys.js'),
};

/** @param {Scene} scene @param {import('../state/view.js').View} view @param {boolean} passed its gate is open */
export function pictureOf({ picture, gate }, view, passed) {
  const moves = gate?.do === 'drag' ? (gate.what ?? '') : '';
  const hides = gate?.do === 'predict' && !passed;
  switch (picture.kind) {
    case 'plane':
      return html`<gf-plane .view=${view} .picture=${picture} .moves=${moves} .hides=${hides}></gf-plane>`;
    case 'bars':
      return html`<gf-bars .view=${view} .picture=${picture} .moves=${moves} .hides=${hides}></gf-bars>`;
    case 'sentence':
      return html`<gf-translated .view=${view} .picture=${picture} .hides=${hides}></gf-translated>`;
    case 'keys':
      return html`<gf-keys .view=${view} .picture=${picture} .hides=${hides}></gf-keys>`;
    default:
      return nothing;
  }
}
