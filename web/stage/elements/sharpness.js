// One row of attention from soft to hard: the same scores times any factor, what the softmax makes of them, and how much of each
// value then comes through. A database returns one entry; this shows when attention does, and what it does where two fit.
import { html, nothing } from 'lit';
import { information } from '../../../bindings/lab/inside/information.js';
import { text } from '../../app/locale/text.js';
import { display } from '../draw/format.js';
import { channel } from '../experiments/channel.js';
import { plain, typeset } from '../telling/number.js';
import { Sheet } from './sheet.js';

/** @type {Readonly<Record<string, string>>} */
const MIXTURE_TEXTS = {
  one: 'claims/sharpness/one',
  tie: 'claims/sharpness/tie',
  mixture: 'claims/sharpness/mixture',
};

/** @type {Readonly<Record<string, string>>} */
const VERDICT_TEXTS = {
  holds: 'claims/sharpness/holds',
  partly: 'claims/sharpness/partly',
  fails: 'claims/sharpness/fails',
};

/** Of the factor. */
const [LOW, HIGH, GRAIN] = [0.1, 10, 0.1];

export class Sharpness extends Sheet {
  static properties = {
    view: { attribute: false },
    row: { state: true },
    factor: { state: true },
  };

  constructor() {
    super();
    this.open = true;
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** The query that was chosen; null for the one of the cell that is told. @type {number | null} */
    this.row = null;
    /** What the scores are multiplied by; null for what attention itself takes. @type {number | null} */
    this.factor = null;
  }

  /** It is part of the state, which opens and closes it. */
  get passing() {
    return false;
  }

  #closed = () => {
    this.closed();
    if (!this.open && this.isConnected) this.act({ do: 'set', change: { claim: null } });
  };

  /** The scores of a query, each as query times key; the weights at the chosen factor; and the attention's usual factor. */
  get #read() {
    const { trace, session, state } = this.view;
    const weights = /** @type {import('../../app/session.js').Step} */ (
      trace.steps.find(({ role }) => role === 'weight')
    );
    const scaling = trace.steps.find(
      ({ role, attributes }) => role === 'score' && 'factor' in attributes,
    );
    const usual = scaling?.bypassed === null ? scaling.attributes.factor : 1;
    const [rows, columns] = weights.shape;
    const row = Math.min(this.row ?? state.path.at(-1)?.index[0] ?? 0, rows - 1);
    const factor = this.factor ?? usual;
    const { data } = trace.step(/** @type {string} */ (weights.inputs[0]));
    const read = { data: data.slice(row * columns, (row + 1) * columns), shape: [1, columns] };
    const soft = session.core.softmax(session.core.scale(read, factor / usual));
    const printed = trace.printed[weights.name]?.text.slice(row * columns, (row + 1) * columns);
    const scores = Array.from(read.data, (score) => score / usual);
    return { rows, row, usual, factor, scores, weights: Array.from(soft.data), printed };
  }

  render() {
    const read = this.#read;
    const bits = information(read.weights);
    return html`<dialog aria-labelledby="sharpness-title" @close=${this.#closed}>
      <h2 id="sharpness-title" tabindex="-1" autofocus>${text('claims/sharpness/title')}</h2>
      <p class="claim">${typeset(text('claims/sharpness/about'))}</p>
      ${this.#controls(read)} ${this.#table(read, bits)} ${this.#printed(read)} ${this.#verdict(read, bits)}
      <div class="tools">
        <form method="dialog"><button>${text('page/close')}</button></form>
      </div>
    </dialog>`;
  }

  /** @param {number} place */
  #name = (place) => this.view.example.tokens[place] ?? String(place + 1);

  /** @param {{ rows: number, row: number, usual: number, factor: number }} read */
  #controls({ rows, row, usual, factor }) {
    return html`<div class="controls">
      <label
        >${text('claims/sharpness/query')}
        <select
          @change=${(/** @type {Event} */ { currentTarget }) => {
            this.row = Number(/** @type {HTMLSelectElement} */ (currentTarget).value);
          }}
        >
          ${Array.from({ length: rows }, (_, i) => html`<option value=${i} ?selected=${i === row}>${this.#name(i)}</option>`)}
        </select></label
      >
      <label
        >${text('claims/sharpness/factor')}
        <input
          type="range"
          min=${LOW}
          max=${HIGH}
          step=${GRAIN}
          .value=${String(factor)}
          @input=${(/** @type {Event} */ { currentTarget }) => {
            this.factor = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
          }}
        />
        <output>${plain(factor)}</output></label
      >
      <button
        ?disabled=${this.factor === null}
        @click=${() => {
          this.factor = null;
        }}
      >${text('claims/sharpness/usual', { factor: display(usual) })}</button>
    </div>`;
  }

  /** @param {{ scores: number[], weights: number[] }} read @param {number[]} bits */
  #table({ scores, weights }, bits) {
    return html`<table class="facts">
      <thead>
        <tr>
          <th scope="col">${text('claims/sharpness/key')}</th>
          <th scope="col">${text('claims/sharpness/score')}</th>
          <th scope="col">${text('claims/sharpness/weight')}</th>
          <td></td>
          <th scope="col">${text('claims/sharpness/bits')}</th>
        </tr>
      </thead>
      <tbody>
        ${weights.map(
          (weight, j) => html`<tr>
            <th scope="row">${this.#name(j)}</th>
            <td>${plain(scores[j])}</td>
            <td>${plain(weight)}</td>
            <td class="bar"><span class="share" style="--share:${weight}"></span></td>
            <td>${plain(bits[j])}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** The same of the weights that the text prints. @param {{ printed?: (string | null)[] }} read */
  #printed({ printed }) {
    if (this.factor !== null || !printed || printed.includes(null)) return nothing;
    const weights = /** @type {string[]} */ (printed);
    const bits = information(weights.map(Number));
    return html`<p class="claim">${text('claims/sharpness/printed', {
      weights: weights.map((one) => display(Number(one))).join('; '),
      bits: bits.map((one) => display(one)).join('; '),
    })}</p>`;
  }

  /** @param {{ weights: number[] }} read @param {number[]} bits */
  #verdict({ weights }, bits) {
    const { mixture, says, best, most } = channel(weights, bits);
    const key = this.#name(best);
    const values = {
      key,
      weight: display(weights[best]),
      bits: display(bits[best]),
      most: display(most),
    };
    return html`<p class="verdict ${says === 'fails' ? 'against' : ''}" role="status">
      <span>${text(MIXTURE_TEXTS[mixture], values)}</span>
      <span>${text(VERDICT_TEXTS[says], values)} ${text('claims/sharpness/limits')}</span>
    </p>`;
  }
}

customElements.define('gf-sharpness', Sharpness);
