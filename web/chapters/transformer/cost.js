// Cost: shapes, parameters and multiply-adds of each block of the running model.

import { html, nothing } from 'lit';
import { capital, count, text } from '../../app/locale/text.js';
import { isAttention } from '../../stage/draw/blocks.js';
import { Base } from '../../stage/elements/base.js';
import { explained } from '../../stage/elements/explained.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { plain, typeset } from '../../stage/telling/number.js';
import { costs, partsOf } from './count.js';
import { END } from './state.js';
import { titleOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const COLUMN_TEXTS = {
  block: 'chapters/transformer/cost/columns/block',
  shape: 'chapters/transformer/cost/columns/shape',
  parameters: 'chapters/transformer/cost/columns/parameters',
  work: 'chapters/transformer/cost/columns/work',
  share: 'chapters/transformer/cost/columns/share',
};

/** @typedef {import('./count.js').Cost} Cost */

export class CostTable extends Base {
  static properties = {
    view: { attribute: false },
    reading: { attribute: false },
    blocks: { attribute: false },
    model: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('./translator.js').Reading} */
    this.reading = /** @type {any} */ (null);
    /** @type {import('../../stage/draw/blocks.js').Block[]} */
    this.blocks = [];
    /** @type {any} */
    this.model = null;
    /** @type {{ key: string, summary: any }} */
    this.counted = { key: '', summary: null };
  }

  /** Counted for the tokens that the model reads now. */
  get summary() {
    const { source, target } = this.reading.sides;
    const lengths = { source: Math.max(1, source.length), target: target.length };
    const key = JSON.stringify([this.view.state.model, lengths]);
    if (this.counted.key !== key) this.counted = { key, summary: this.model.summary(lengths) };
    return this.counted.summary;
  }

  render() {
    const { summary, blocks, model } = this;
    const { source, target } = this.reading.sides;
    const rows = costs(blocks, summary);
    const { dModel, dFF, heads } = model.config;
    const largest = Math.max(...rows.map(({ share }) => share));
    const two = model.config.kind === 'transformer';
    return html`<div class="panel">
      <p class="lead">
        ${typeset(
          text('chapters/transformer/cost/sizes', {
            dModel,
            dFF,
            heads,
            dk: dModel / heads,
            parameters: count(summary.parameters),
            work: count(summary.multiplyAdds),
          }),
        )}
      </p>
      <p class="prose">
        ${typeset(
          text(two ? 'chapters/transformer/cost/lengths' : 'chapters/transformer/cost/length', {
            n: source.length,
            m: target.length,
          }),
        )}
      </p>
      ${this.#rule()}
      ${factsTable(
        text('chapters/transformer/cost/table'),
        [
          ...['block', 'shape', 'parameters', 'work', 'share'].map((name) =>
            text(COLUMN_TEXTS[name]),
          ),
          null,
        ],
        rows.map((row) => this.#row(row, largest)),
        html`<tfoot>
          <tr>
            <th scope="row">${text('chapters/transformer/cost/all')}</th>
            <td></td>
            <td>${count(summary.parameters)}</td>
            <td>${count(summary.multiplyAdds)}</td>
            <td></td>
            <td></td>
          </tr>
        </tfoot>`,
      )}
    </div>`;
  }

  /** Where the work of an attention comes from: the pairs of places, and the places. */
  #rule() {
    const { blocks, summary, view, model } = this;
    const open = blocks.find(({ name }) => name === view.state.block);
    const block = open && isAttention(open) ? open : blocks.find(isAttention);
    if (!block) return nothing;
    const { pairs, places } = partsOf(block, summary);
    const weights = block.steps.find(({ role }) => role === 'weight');
    const [n, m] = weights?.shape.slice(-2) ?? [];
    const values = {
      block: capital(titleOf(block)),
      n,
      m,
      d: model.config.dModel,
      pairs: count(pairs),
      places: count(places),
    };
    const isCross = block.kind === 'cross_attn';
    return html`<p class="prose">${explained(
      text(
        isCross ? 'chapters/transformer/cost/crossRule' : 'chapters/transformer/cost/rule',
        values,
      ),
    )}</p>`;
  }

  /**
   * @param {Cost} cost
   * @param {number} largest share of all
   */
  #row({ block, shape, parameters, multiplyAdds, share }, largest) {
    const now = block.name === this.view.state.block;
    const go = { block: block.name, panel: 'stage', t: END, path: [], open: null };
    return html`<tr class=${[now ? 'active' : '', multiplyAdds ? '' : 'idle'].join(' ').trim()}>
      <th scope="row">
        <button class="link" @click=${() => this.act({ do: 'set', change: go })}>${titleOf(block)}</button>
      </th>
      <td>${shape.join(' × ')}</td>
      <td>${count(parameters)}</td>
      <td>${count(multiplyAdds)}</td>
      <td>${plain(Math.fround(share))}</td>
      <td class="bar"><span class="share" style="--share:${share / largest}"></span></td>
    </tr>`;
  }
}

customElements.define('gf-cost', CostTable);
