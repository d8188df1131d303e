// The dot product of two arrows: one is projected on the other.
import { html, nothing, svg } from 'lit';
import { dot } from '../draw/basis.js';
import { display } from '../draw/format.js';

/** @typedef {import('./arrows.js').Arrow} Arrow */
/** @typedef {import('./arrows.js').Arrows} Arrows */

/** How far one arrow reaches along the other.
 * @param {Pick<Arrows, 'seen' | 'place' | 'extent'>} plane @param {readonly Pick<Arrow, 'row'>[]} arrows two */
export function shadow(plane, [onto, of]) {
  const [a, b] = [plane.seen(onto.row), plane.seen(of.row)];
  const square = a[0] * a[0] + a[1] * a[1] || 1;
  const part = (a[0] * b[0] + a[1] * b[1]) / square;
  const foot = plane.place([a[0] * part, a[1] * part]);
  const tip = plane.place(b);
  /* As far as the paper. */
  const reach = plane.extent / (Math.max(...a.map(Math.abs)) || 1);
  const [from, to] = [-reach, reach].map((far) => plane.place([a[0] * far, a[1] * far]));
  return svg`<g class="shadow" aria-hidden="true">
      <path class="along" d="M${from}L${to}" />
      <path class="drop" d="M${tip}L${foot}" />
      <path class="cast" d="M${plane.place([0, 0])}L${foot}" />
    </g>`;
}

/** Their product, by its terms.
 * @param {Arrows} plane @param {readonly [Arrow, Arrow]} arrows */
export function product(plane, [a, b]) {
  const sum = plane.hides ? '?' : display(dot(a.row, b.row));
  const terms = a.row.map((_, i) => `${plane.number(a, i)} · ${bracketed(plane.number(b, i))}`);
  const equation = html`<i>${a.sub.letter}</i> · <i>${b.sub.letter}</i> =
      ${plane.isWritten ? `${terms.join(' + ')} =` : nothing}
      <b class="number">${sum}</b>`;
  return html`<p class="product">${equation}</p>`;
}

/** A number behind a sign. @param {string} number */
export const bracketed = (number) => (number.startsWith('−') ? `(${number})` : number);
