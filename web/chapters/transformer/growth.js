// How the work of each kind of layer grows with the length of the sequence; the picked length is the one of the table.
import { html } from 'lit';
import { Base } from '../../stage/elements/base.js';
import '../../stage/elements/plot.js';
import { text } from '../../app/locale/text.js';
import { layers } from './layers.js';
import './recurrence.js';
import { LAYER_TEXTS } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const UP_TEXTS = {
  0: 'chapters/transformer/paths/up/0',
  6: 'chapters/transformer/paths/up/6',
  9: 'chapters/transformer/paths/up/9',
};

const COLOURS = {
  attention: '--a-ink',
  recurrent: '--curve-2',
  lstm: '--curve-1',
  convolution: '--curve-3',
};
/** Points of the curves. */
const CURVE_POINTS = 60;

class Growth extends Base {
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  render() {
    const { state, theme } = this.view;
    const { length: n, width: d, kernel: k } = state;
    const most = Math.max(2 * d, Math.ceil(1.25 * n));
    const even = Array.from({ length: CURVE_POINTS }, (_, i) =>
      Math.max(1, Math.round((most * i) / (CURVE_POINTS - 1))),
    );
    const places = [...new Set([...even, n])].sort((a, b) => a - b);
    /* Millions or thousands of millions, that the axis can be read. */
    const largest = Math.max(...layers(most, d, k).map(({ work }) => work));
    const unit = largest >= 1e10 ? 9 : largest >= 1e7 ? 6 : 0;
    const curves = Object.entries(COLOURS).map(([name, colour]) => ({
      label: text(LAYER_TEXTS[name]),
      colour,
      values: places.map(
        (place) =>
          Number(layers(place, d, k).find((layer) => layer.name === name)?.work) / 10 ** unit,
      ),
    }));
    const chart = {
      places,
      curves,
      across: text('chapters/transformer/paths/across'),
      up: text(UP_TEXTS[unit]),
    };
    return html`<gf-plot
      .chart=${chart}
      .at=${places.indexOf(n)}
      .label=${text('chapters/transformer/paths/plot')}
      .theme=${theme}
      @gf-place=${(/** @type {CustomEvent} */ { detail }) =>
        this.act({ do: 'set', change: { length: places[detail.place] } })}
    ></gf-plot>`;
  }
}

customElements.define('gf-growth', Growth);
