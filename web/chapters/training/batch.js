// The batch of the opened step: pairs of like lengths, the shorter ones padded. What is due is filled by
// how much it cost.
import { html, nothing } from 'lit';
import { css, fill, ink } from '../../draw/colour.js';
import { display, shortest } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import { rich, text } from '../../locale/text.js';
import { isAsShown, quotient } from '../../telling/arithmetic.js';
import { plain } from '../../telling/number.js';
import { change } from './ask.js';
import { largest } from './seen.js';

/** @typedef {import('../../trainer/protocol.js').BatchFacts} BatchFacts */

export class BatchTable extends Base {
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
  }

  render() {
    const { opened, row: chosen, theme } = this.now;
    if (!opened) return nothing;
    const { batch } = opened;
    return html`${this.#facts(opened)}
      <div class="scroll edged" tabindex="0" role="group" aria-label=${text('chapters/training/batch/label', { step: opened.step })}>
        <table>
          <thead>
            <tr>
              <th scope="col"><span class="hidden">${text('chapters/training/batch/pair')}</span></th>
              <th scope="colgroup" colspan=${batch.source}>${text('chapters/training/batch/source')}</th>
              <th scope="colgroup" colspan=${batch.target}>${text('chapters/training/batch/target')}</th>
              <th scope="colgroup" colspan=${batch.target}>${text('chapters/training/batch/due')}</th>
            </tr>
          </thead>
          <tbody>
            ${Array.from({ length: batch.rows }, (_, row) => this.#row(batch, row, row === chosen, theme))}
          </tbody>
        </table>
      </div>`;
  }

  /** The chosen pair comes into sight. */
  updated() {
    const { opened, row, side } = this.now;
    const chosen = this.querySelector('tr.chosen');
    const box = this.querySelector('.scroll');
    if (!(chosen instanceof HTMLElement) || !box) return;
    if (!this.changedSince(JSON.stringify([opened?.step, side, row]))) return;
    const { offsetTop: top, offsetHeight: high } = chosen;
    const above = top - high < box.scrollTop;
    if (above || top + high > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }

  /** @param {NonNullable<import('./element.js').Now['opened']>} opened */
  #facts({ batch, loss, tokens }) {
    const { settings, started, row } = this.now;
    const cells = batch.rows * (batch.source + batch.target);
    const real = sum(batch.sourceLengths) + sum(batch.targetLengths);
    const vocab = started?.vocabulary.length ?? 1;
    const mean = quotient(Math.fround(sum(batch.losses)), tokens, loss);
    return html`<div class="about">
      <p>
        ${text('chapters/training/batch/size', { rows: batch.rows, tokens, padding: Math.round((100 * (cells - real)) / cells) })}
      </p>
      <p>${rich('chapters/training/batch/mean', { total: mean.above, tokens, is: mean.is, loss: mean.result })}</p>
      <p>
        ${
          this.#smoothing > 0
            ? rich('chapters/training/batch/smoothed', {
                smoothing: display(settings.smoothing),
                vocab,
                due: plain(1 - settings.smoothing + settings.smoothing / vocab),
                other: plain(settings.smoothing / vocab),
              })
            : text('chapters/training/batch/sharp')
        }
      </p>
      <p class="costs">${rich('chapters/training/batch/costs', { n: row + 1, costs: this.#costs(batch, row) })}</p>
    </div>`;
  }

  /**
   * What each token of a pair adds to the loss.
   * @param {BatchFacts} batch
   * @param {number} row
   */
  #costs({ labels, losses, chances, target, targetLengths }, row) {
    const tokens = this.now.started?.vocabulary ?? [];
    return Array.from({ length: targetLengths[row] }, (_, i) => {
      const at = row * target + i;
      return html`<span><b>${tokens[labels[at]]}</b> <i>p</i> ${isAsShown(chances[at])} ${plain(chances[at])}: ${plain(losses[at])}</span> `;
    });
  }

  get #smoothing() {
    const { plan, side } = this.now;
    return plan.runs[side]?.training.labelSmoothing ?? 0;
  }

  /**
   * @param {BatchFacts} batch
   * @param {number} row
   * @param {boolean} chosen
   * @param {'light' | 'dark'} theme
   */
  #row(batch, row, chosen, theme) {
    const tokens = this.now.started?.vocabulary ?? [];
    const most = largest(batch.losses);
    const cells = (
      /** @type {Int32Array} */ ids,
      /** @type {number} */ width,
      /** @type {number} */ length,
      /** @type {(at: number, first: boolean) => unknown} */ cell,
    ) =>
      Array.from({ length: width }, (_, i) => {
        const at = row * width + i;
        return i < length && ids[at] >= 0 ? cell(at, i === 0) : padding();
      });
    const word = (/** @type {number} */ id, /** @type {boolean} */ first) =>
      html`<td class=${first ? 'first' : ''}>${tokens[id]}</td>`;
    return html`<tr class=${chosen ? 'chosen' : ''}>
      <th scope="row">
        <button
          class="pick"
          aria-pressed=${chosen ? 'true' : 'false'}
          title=${text('chapters/training/batch/choose')}
          @click=${() => change(this, { row, t: 0, path: [], open: null }, { passing: true })}
        >
          ${row + 1}
        </button>
      </th>
      ${cells(batch.sourceIds, batch.source, batch.sourceLengths[row], (at, first) => word(batch.sourceIds[at], first))}
      ${cells(batch.targetIds, batch.target, batch.targetLengths[row], (at, first) => word(batch.targetIds[at], first))}
      ${cells(batch.labels, batch.target, batch.targetLengths[row], (at, first) => {
        const rgb = fill(batch.losses[at] / most, 'probability', 1, theme);
        return html`<td
          class=${first ? 'due first' : 'due'}
          data-loss=${shortest(batch.losses[at])}
          title=${text('chapters/training/batch/cost', { loss: display(batch.losses[at]) })}
          style=${`background:${css(rgb)};color:${ink(rgb)}`}
        >${tokens[batch.labels[at]]}</td>`;
      })}
    </tr>`;
  }
}

const padding = () =>
  html`<td class="padding"><span class="hidden">${text('chapters/training/batch/padding')}</span></td>`;

/** @param {ArrayLike<number>} values */
const sum = (values) => Array.from(values).reduce((a, b) => a + b, 0);

customElements.define('gf-batch', BatchTable);
