// What each head has of one measure, as bars by layers. A dashed line marks what a head has that attends to all words alike.
import { html } from 'lit';
import { display, full } from '../draw/format.js';
import './head-bars.css';

/** @typedef {{ layer: number, head: number, value: number }} Bar */

/**
 * @param {object} what
 * @param {readonly Bar[]} what.bars
 * @param {{ layer: (layer: number) => string, head: (head: number) => string, even: (value: string) => string }} what.names
 *   of a layer, of a head, and of the line
 * @param {number} what.even
 * @param {((bar: Bar) => boolean) | null} [what.isChosen] null if bars cannot be chosen
 * @param {(bar: Bar) => void} [what.choose]
 */
export function headBars({ bars, names, even, isChosen = null, choose }) {
  const most = Math.max(even, ...bars.map(({ value }) => value));
  const layers = [...new Set(bars.map(({ layer }) => layer))];
  const content = (/** @type {Bar} */ { layer, head, value }) => html`<span
      ><span class="hidden">${names.layer(layer)}, </span>${names.head(head)}</span
    > <i style="--part:${value / most}"></i><b data-value=${value} title=${full(value)}>${display(value)}</b>`;
  const item = (/** @type {Bar} */ bar) =>
    isChosen
      ? html`<button class="bar" aria-pressed=${isChosen(bar)} @click=${() => choose?.(bar)}>${content(bar)}</button>`
      : html`<div class="bar">${content(bar)}</div>`;
  return html`<div class="head-bars" style="--even:${even / most}">
    ${layers.map(
      (layer) => html`<h3>${names.layer(layer)}</h3>
        <ul>${bars.filter((one) => one.layer === layer).map((bar) => html`<li>${item(bar)}</li>`)}</ul>`,
    )}
    <p class="even">${names.even(display(even))}</p>
  </div>`;
}
