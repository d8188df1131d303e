// What d_k = d_model / h means: a row of counted and measured numbers for each number of heads.

import { html } from 'lit';
import { count, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { explained } from '../../stage/elements/explained.js';
import { plain, typeset } from '../../stage/telling/number.js';

/** @typedef {import('./count.js').MeanCount} Count */

/** The columns after the number of heads. */
const COLUMN_TEXTS = {
  dk: 'chapters/heads/columns/dk',
  weights: 'chapters/heads/columns/weights',
  work: 'chapters/heads/columns/work',
  maps: 'chapters/heads/columns/maps',
  spread: 'chapters/heads/columns/spread',
  factor: 'chapters/heads/columns/factor',
  scaled: 'chapters/heads/columns/scaled',
  entropy: 'chapters/heads/columns/entropy',
};

const COLUMNS = /** @type {(keyof typeof COLUMN_TEXTS)[]} */ (Object.keys(COLUMN_TEXTS));

export class HeadNumbers extends Base {
  static properties = { view: { attribute: false }, counts: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {Count[]} */
    this.counts = [];
  }

  render() {
    const { state, trace } = this.view;
    const { heads } = state;
    const [dModel, dK] = trace.step('w_q').shape;
    const dk = dK / heads;
    const rule = dk * heads === dModel ? 'chapters/heads/rule' : 'chapters/heads/ruleRest';
    const [single] = this.counts;
    const current = this.counts.find((counted) => counted.heads === heads);
    const isSame = current && current.work === single.work;
    const cost = isSame ? 'chapters/heads/why' : 'chapters/heads/whyRest';
    const work = { work: count(current?.work ?? 0), single: count(single?.work ?? 0) };
    return html`<div class="panel">
      <p class="lead">${typeset(text(rule, { dModel, heads, dk, dK }))}</p>
      <p class="prose">
        ${explained(text(cost, { heads, ...work }))}
        ${explained(text('chapters/heads/narrow'))}
        ${text('chapters/heads/draws', { n: single?.draws ?? 1 })}
      </p>
      <div class="scroll" tabindex="0" role="group" aria-label=${text('chapters/heads/table')}>
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">${text('chapters/heads/columns/heads')}</th>
              ${COLUMNS.map(
                (name) => html`<th scope="col">${typeset(text(COLUMN_TEXTS[name]))}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${this.counts.map((counted) => this.#row(counted, counted.heads === heads))}
          </tbody>
        </table>
      </div>
    </div>`;
  }

  /**
   * @param {Count} counted
   * @param {boolean} now
   */
  #row(counted, now) {
    const { heads } = counted;
    return html`<tr class=${now ? 'active' : ''}>
      <th scope="row">
        <button
          class="choose"
          aria-pressed=${now}
          aria-label=${text('chapters/heads/choose', { n: heads })}
          @click=${() => this.act({ do: 'set', change: { heads, path: [], open: null } })}
        >${heads}</button>
      </th>
      ${COLUMNS.map((name) => html`<td>${plain(counted[name])}</td>`)}
    </tr>`;
  }
}

customElements.define('gf-head-numbers', HeadNumbers);
