// The dot product of two codes by the distance of their positions, and whether it is the distance alone
// that counts.
import { html, nothing } from 'lit';
import { size } from '../../stage/draw/crossing.js';
import { role, symbol } from '../../stage/draw/names.js';
import { Panel } from '../../stage/elements/panel.js';
import { chip, plain } from '../../stage/telling/number.js';
import '../../stage/elements/plot.js';
import { rich, text } from '../../app/locale/text.js';
import { explained } from '../../stage/elements/explained.js';

/** Differences below this part of the largest product are rounding. */
const ROUNDING = 1e-5;

export class Distance extends Panel {
  render() {
    const dots = this.view.trace.step('codes.dots');
    const complete = this.view.known(dots) === dots.data.length;
    return html`<div class="panel">
      <p class="prose">${explained(text('chapters/positions/distance/about'))}</p>
      <div class="beside">
        <gf-plot
          .chart=${this.#chart(dots)}
          .at=${Math.min(this.view.state.shift, dots.shape[0] - 1)}
          .label=${text('chapters/positions/distance/label')}
          .theme=${this.view.theme}
        ></gf-plot>
        <div class="room">${this.box.width > 0 ? this.#grid(dots) : nothing}</div>
      </div>
      ${
        complete
          ? this.#verdict(dots)
          : html`<p class="verdict">${text('chapters/positions/distance/known')}</p>`
      }
    </div>`;
  }

  /** @param {import('../../app/session.js').Step} dots */
  #chart(dots) {
    const [count] = dots.shape;
    const p = Math.min(this.view.state.at, count - 1);
    const computed = this.view.known(dots);
    const value = (/** @type {number} */ i, /** @type {number} */ j) =>
      j >= 0 && j < count && i * count + j < computed ? dots.data[i * count + j] : null;
    const places = Array.from({ length: count }, (_, d) => d);
    const curve = (
      /** @type {string} */ label,
      /** @type {number} */ from,
      /** @type {1 | -1} */ side,
      /** @type {object} */ look,
    ) => ({
      label,
      values: places.map((d) => value(from, from + side * d)),
      cellAt: (/** @type {number} */ d) => ({ node: 'codes.dots', index: [from, from + side * d] }),
      ...look,
    });
    return {
      places,
      curves: /** @type {import('../../stage/elements/plot.js').Curve[]} */ ([
        curve(text('chapters/positions/distance/from'), 0, 1, { colour: '--curve-3' }),
        curve(text('chapters/positions/distance/ahead', { p }), p, 1, {
          colour: '--curve-1',
          dots: true,
        }),
        curve(text('chapters/positions/distance/behind', { p }), p, -1, {
          colour: '--curve-2',
          dots: true,
        }),
      ]),
      across: text('chapters/positions/distance/across'),
      up: text('chapters/positions/distance/up'),
      names: (/** @type {number} */ d) => text('chapters/positions/distance/at', { d }),
    };
  }

  /** @param {import('../../app/session.js').Step} dots */
  #grid(dots) {
    const [count] = dots.shape;
    const side = Math.min(this.box.width - 16 * this.unit, this.box.height - 48 * this.unit);
    const cell = Math.max(1, Math.floor((side / count) * 2) / 2);
    const name = text('titles/codes.dots');
    return html`<div class="named">
      ${this.matrix(dots, size(cell, cell, this.unit), { name })}
      <p class="name">${chip(symbol(dots), role(dots))} ${count} × ${count}</p>
    </div>`;
  }

  /** @param {import('../../app/session.js').Step} dots */
  #verdict(dots) {
    const { spread, largest } = spreadOf(dots);
    const same = spread <= ROUNDING * largest;
    const pairs = dots.data.length;
    return html`<p class="verdict ${same ? '' : 'against'}">
      ${rich(same ? 'chapters/positions/distance/same' : 'chapters/positions/distance/differs', { pairs, spread: plain(spread) })}
    </p>`;
  }
}

/**
 * How far dot products of equal distances are apart, at most.
 * @param {import('../../app/session.js').Step} dots
 */
function spreadOf({ data, shape: [count] }) {
  let spread = 0;
  let largest = 0;
  for (let distance = 0; distance < count; distance++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i + distance < count; i++) {
      for (const cell of [i * count + i + distance, (i + distance) * count + i]) {
        low = Math.min(low, data[cell]);
        high = Math.max(high, data[cell]);
      }
    }
    spread = Math.max(spread, high - low);
    largest = Math.max(largest, Math.abs(low), Math.abs(high));
  }
  return { spread: Math.fround(spread), largest };
}

customElements.define('gf-distance', Distance);
