// The pictures that the stage does not have.
import { nothing } from 'lit';
import { html, literal } from 'lit/static-html.js';

/** @typedef {import('../../bindings/lessons/index.js').Scene} Scene */

/** Each is loaded with the first scene that shows it. @type {Record<string, () => Promise<unknown>>} */
export const PICTURES = {
  plane: () => import('./plane.js'),
  bars: () => import('./bars.js'),
  sentence: () => import('./translated.js'),
  tokens: () => import('./tokens.js'),
  keys: () => import('./keys.js'),
};

/** The elements that they define. */
const ELEMENTS = {
  plane: literal`gf-plane`,
  bars: literal`gf-bars`,
  sentence: literal`gf-translated`,
  tokens: literal`gf-tokens`,
  keys: literal`gf-keys`,
};

/** @param {Scene} scene @param {import('../state/view.js').View} view @param {boolean} passed its gate is open */
export function pictureOf({ picture, gate }, view, passed) {
  if (picture.kind === 'stage') return nothing;
  const moves = gate?.do === 'drag' ? (gate.what ?? '') : '';
  const hides = gate?.do === 'predict' && !passed;
  const element = ELEMENTS[picture.kind];
  return html`<${element} .view=${view} .picture=${picture} .moves=${moves} .hides=${hides}></${element}>`;
}
