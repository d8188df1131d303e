// Path length: what the guides say of recurrent networks, computed for any n and d; and the panel beside it, which plays one.

import { html } from 'lit';
import { growth } from '#capabilities';
import { count, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { typeset } from '../../stage/telling/number.js';
import { layers } from './layers.js';
import { numberField } from './number-field.js';
import { LAYER_TEXTS } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const PATH_TEXTS = {
  more: 'chapters/transformer/paths/more',
  even: 'chapters/transformer/paths/even',
  length: 'chapters/transformer/paths/length',
  width: 'chapters/transformer/paths/width',
  kernel: 'chapters/transformer/paths/kernel',
  fewer: 'chapters/transformer/paths/fewer',
};

/** @type {Readonly<Record<string, string>>} */
const COLUMN_TEXTS = {
  layer: 'chapters/transformer/paths/columns/layer',
  work: 'chapters/transformer/paths/columns/work',
  order: 'chapters/transformer/paths/columns/order',
  sequential: 'chapters/transformer/paths/columns/sequential',
  connected: 'chapters/transformer/paths/columns/connected',
  path: 'chapters/transformer/paths/columns/path',
  kept: 'chapters/transformer/paths/columns/kept',
  between: 'chapters/transformer/paths/columns/between',
};

/** @type {Readonly<Record<string, string>>} */
const ORDER_TEXTS = {
  attention: 'chapters/transformer/paths/orders/attention',
  recurrent: 'chapters/transformer/paths/orders/recurrent',
  lstm: 'chapters/transformer/paths/orders/lstm',
  convolution: 'chapters/transformer/paths/orders/convolution',
  dilated: 'chapters/transformer/paths/orders/dilated',
};

const FIELDS = /** @type {const} */ ([
  ['length', 1, 100000],
  ['width', 1, 100000],
  ['kernel', 2, 1000],
]);

export class Paths extends Base {
  static properties = { view: { attribute: false }, core: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {any} */
    this.core = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  /** Of this chapter only these panels have curves: they come behind them. */
  #load = async () => {
    try {
      await growth?.();
    } catch {
      this.tell(text('page/notLoaded'), this.#load);
    }
  };

  render() {
    if (growth !== null && this.view.state.panel === 'recurrence') {
      return html`<gf-recurrence .view=${this.view} .core=${this.core}></gf-recurrence>`;
    }
    const { length: n, width: d, kernel: k } = this.view.state;
    const all = layers(n, d, k);
    return html`<div class="panel">
      ${this.#lead(all)}
      <p class="prose">${typeset(text('chapters/transformer/paths/counted'))}</p>
      <div class="controls">
        ${FIELDS.map(
          ([name, min, max]) => html`<label
            >${typeset(text(PATH_TEXTS[name]))}
            ${numberField({
              ...{ min, max, value: this.view.state[name] },
              set: (value) => this.act({ do: 'set', change: { [name]: value } }),
            })}
          </label>`,
        )}
      </div>
      ${table(all)}
      <gf-growth .view=${this.view}></gf-growth>
    </div>`;
  }

  /** Attention and recurrence in one sentence. @param {import('./layers.js').Layer[]} all */
  #lead([attention, recurrent, lstm]) {
    const { length: n, width: d } = this.view.state;
    const compared = (/** @type {'work' | 'between'} */ what, other = recurrent) => {
      const [ours, theirs] = [attention[what], other[what]];
      const times = count(Math.max(ours, theirs) / Math.min(ours, theirs));
      return text(PATH_TEXTS[times === count(1) ? 'even' : ours < theirs ? 'fewer' : 'more'], {
        times,
      });
    };
    const values = { n: count(n), d: count(d), path: count(recurrent.path) };
    return html`<p class="lead">${typeset(
      text('chapters/transformer/paths/lead', {
        ...values,
        all: compared('work'),
        between: compared('between'),
        lstm: compared('work', lstm),
      }),
    )}</p>`;
  }
}

/** @param {import('./layers.js').Layer[]} all */
const table = (all) =>
  factsTable(
    text('chapters/transformer/paths/table'),
    ['layer', 'work', 'order', 'between', 'sequential', 'path', 'connected', 'kept'].map((name) =>
      text(COLUMN_TEXTS[name]),
    ),
    all.map(
      ({ name, work, between, sequential, path, connected, kept }) => html`<tr>
        <th scope="row">${text(LAYER_TEXTS[name])}</th>
        <td>${count(work)}</td>
        <td>${text(ORDER_TEXTS[name])}</td>
        ${[between, sequential, path, connected, kept].map((n) => html`<td>${count(n)}</td>`)}
      </tr>`,
    ),
  );

customElements.define('gf-paths', Paths);
