// The pictures that the stage does not have.
import { nothing } from 'lit';
import { html, literal } from 'lit/static-html.js';
import { FILMS } from './scene.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */

/** The element of each kind, loaded with the first scene that shows it. */
const PICTURES = {
  plane: { tag: literal`gf-plane`, load: () => import('./plane.js') },
  bars: { tag: literal`gf-bars`, load: () => import('./bars.js') },
  sentence: { tag: literal`gf-translated`, load: () => import('./translated.js') },
  tokens: { tag: literal`gf-tokens`, load: () => import('./tokens.js') },
  lens: { tag: literal`gf-lens`, load: () => import('./lens.js') },
  spread: { tag: literal`gf-spread`, load: () => import('./spread.js') },
  next: { tag: literal`gf-next`, load: () => import('./next.js') },
  slope: { tag: literal`gf-slope`, load: () => import('./slope.js') },
  sum: { tag: literal`gf-sum`, load: () => import('./sum.js') },
  clocks: { tag: literal`gf-clocks`, load: () => import('./clocks.js') },
  learning: { tag: literal`gf-learning`, load: () => import('./learning.js') },
  machine: { tag: literal`gf-machine-picture`, load: () => import('./machine.js') },
  rows: { tag: literal`gf-rows`, load: () => import('./rows.js') },
};

/** Loads the picture of a scene; the stage is there already. @param {Scene} scene @returns {Promise<unknown> | null} */
export function loadPicture({ picture }) {
  if (picture.kind !== 'stage') return PICTURES[picture.kind].load();
  return picture.row ? import('./attending.js') : null;
}

/** What stands above the stage of a scene: the sentence, if it is of one.
 * @param {Scene} scene @param {import('../app/state/view.js').View} view @param {boolean} passed its gate is open */
export function aboveStage({ picture, gate }, view, passed) {
  if (picture.kind !== 'stage' || !picture.row) return nothing;
  const [name] = picture.row.split('[');
  const asked = [...(gate?.numbers ?? []), ...(gate?.largest ? [gate.largest] : [])];
  const isAsked = asked.some((path) => path.split('[')[0] === name);
  const hides = !passed && (isAsked || gate?.do === 'play');
  return html`<gf-attending .view=${view} .picture=${picture} .hides=${hides}></gf-attending>`;
}

/** @param {Scene} scene @param {import('../app/state/view.js').View} view @param {boolean} passed its gate is open */
export function pictureOf({ picture, gate }, view, passed) {
  if (picture.kind === 'stage') return nothing;
  const moves = gate?.do === 'drag' ? (gate.what ?? '') : '';
  /* A film begins before what it shows. */
  const asks = gate?.do === 'predict' || (gate?.do === 'play' && FILMS.includes(picture.kind));
  const hides = asks && !passed;
  const { tag } = PICTURES[picture.kind];
  return html`<${tag} class="pictured" .view=${view} .picture=${picture} .moves=${moves} .hides=${hides}></${tag}>`;
}
