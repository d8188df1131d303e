// Sinusoids as waves; below them the same numbers as colours, place under place; and the one place that is
// picked as its row of numbers.
import { html, nothing } from 'lit';
import { size } from '../../stage/draw/crossing.js';
import '../../stage/elements/heatmap.js';
import '../../stage/elements/matrix.js';
import { rich, text } from '../../app/locale/text.js';
import { explained } from '../../stage/elements/explained.js';
import { Panel } from '../../stage/elements/panel.js';
import { INSET } from '../../stage/elements/plot.js';
import { plain } from '../../stage/telling/number.js';
import { closest } from './closest.js';

/** The most pairs whose waves a reader can distinguish. */
const MAX_PAIRS = 4;
/** px of the design */
const CELL = { height: 22, mark: 76 };
/** The part of the room that the heat map takes. */
const HEATMAP_PART = 0.45;

export class Waves extends Panel {
  render() {
    const { trace, state } = this.view;
    const codes = trace.step('codes');
    const p = Math.min(state.at, codes.shape[0] - 1);
    return html`<div class="panel">
      <p class="prose">${explained(text('chapters/positions/waves/about'))}</p>
      <gf-plot
        .chart=${this.#chart(codes)}
        .at=${p}
        .label=${text('chapters/positions/waves/label')}
        .theme=${this.view.theme}
      ></gf-plot>
      <div class="room">
        ${this.box.width > 0 ? [this.#heat(codes, p), this.#fingerprint(codes, p)] : nothing}
      </div>
      ${this.view.known(codes) === codes.data.length ? this.#verdict(codes) : nothing}
    </div>`;
  }

  /** Whether no two positions have the same code, and what a model makes of longer texts.
   * @param {import('../../app/session.js').Step} codes */
  #verdict(codes) {
    const { a, b, distance, unique } = closest(codes);
    const values = { n: codes.shape[0], a, b, distance: plain(Math.fround(distance)) };
    return html`<p class="verdict ${unique ? '' : 'against'}">
      ${rich(unique ? 'chapters/positions/waves/unique' : 'chapters/positions/waves/alike', values)}
      ${text('chapters/positions/waves/longer')}
    </p>`;
  }

  /** @param {import('../../app/session.js').Step} codes */
  #chart(codes) {
    const [count, channels] = codes.shape;
    const rows = Math.ceil(this.view.known(codes) / channels);
    const pairs = pairsOf(channels / 2);
    const curves = pairs.flatMap((pair, k) =>
      [0, 1].map((cosine) => {
        const column = 2 * pair + cosine;
        return {
          label: text('chapters/positions/waves/curve', {
            c: column + 1,
            fn: cosine ? 'cos' : 'sin',
          }),
          colour: `--curve-${k + 1}`,
          dashed: cosine === 1,
          values: Array.from({ length: count }, (_, p) =>
            p < rows ? codes.data[p * channels + column] : null,
          ),
          of: codes.frozen ? undefined : sinusoid(pair / (channels / 2), cosine === 1),
          cellAt: (/** @type {number} */ p) => ({ node: 'codes', index: [p, column] }),
        };
      }),
    );
    return {
      places: Array.from({ length: count }, (_, p) => p),
      curves,
      across: text('chapters/positions/waves/across'),
      up: text('chapters/positions/waves/up'),
      low: -1.1,
      high: 1.1,
      stepped: true,
      names: (/** @type {number} */ p) => text('chapters/positions/waves/at', { p }),
    };
  }

  /**
   * @param {import('../../app/session.js').Step} codes
   * @param {number} p
   */
  #heat(codes, p) {
    const { unit } = this;
    const [count, channels] = codes.shape;
    const width = (this.box.width - (INSET.left + INSET.right) * unit) / count;
    const height = Math.max(
      1,
      Math.min(CELL.height * unit, (this.box.height * HEATMAP_PART) / channels),
    );
    const fit = size(width, height, unit);
    return html`<div
      class="heat"
      style="padding-left:${INSET.left * unit}px;--at:${p * width}px;--cell:${width}px"
    >
      <div class="under">
        ${this.matrix(codes, fit, {
          transposed: true,
          name: text('chapters/positions/waves/grid'),
          rowLabels: fit.height >= 11 * unit ? numbered(channels) : null,
        })}
        <i class="column" aria-hidden="true"></i>
      </div>
    </div>`;
  }

  /**
   * @param {import('../../app/session.js').Step} codes
   * @param {number} p
   */
  #fingerprint(codes, p) {
    const { unit } = this;
    const channels = codes.shape[1];
    const width = Math.min(CELL.mark * unit, (this.box.width - 40 * unit) / channels);
    const fit = size(width, 30 * unit, unit);
    const name = text('chapters/positions/waves/fingerprint', { p });
    return html`<div class="fingerprint ${fit.mode === 'colours' ? '' : 'headed'}">
      <h2 class="label">${name}</h2>
      ${this.matrix(codes, fit, {
        onlyRow: p,
        name,
        columnLabels: fit.mode === 'colours' ? null : numbered(channels),
      })}
    </div>`;
  }
}

/**
 * The wave of a pair over the positions.
 * @param {number} part of all pairs that come before it
 * @param {boolean} cosine
 */
const sinusoid = (part, cosine) => (/** @type {number} */ p) =>
  (cosine ? Math.cos : Math.sin)(p / 10000 ** part);

/**
 * The pairs whose waves are drawn: all, or some from the fastest to the slowest.
 * @param {number} pairs
 */
function pairsOf(pairs) {
  if (pairs <= MAX_PAIRS) return Array.from({ length: pairs }, (_, k) => k);
  return Array.from({ length: MAX_PAIRS }, (_, k) =>
    Math.round((k * (pairs - 1)) / (MAX_PAIRS - 1)),
  );
}

/** @param {number} count */
const numbered = (count) => Array.from({ length: count }, (_, k) => String(k + 1));

customElements.define('gf-waves', Waves);
