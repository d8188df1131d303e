// The batch of the opened step: pairs of like lengths, the shorter ones padded. The colour of a label is
// its part of the loss.
import { html, nothing } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { css, fill, ink } from '../../stage/draw/colour.js';
import { display, shortest } from '../../stage/draw/format.js';
import { change } from '../../stage/elements/ask.js';
import { isAsShown, quotient } from '../../stage/telling/arithmetic.js';
import { plain } from '../../stage/telling/number.js';
import { TrainingPart } from './part.js';
import { largest } from './seen.js';

/** @typedef {import('../../workers/trainer/protocol.js').BatchFacts} BatchFacts */

export class BatchTable extends TrainingPart {
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
        ${text('chapters/training/batch/average', { tokens, rows: batch.rows, mean: display(tokens / batch.rows) })}
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
      const cell = row * target + i;
      return html`<span><b>${tokens[labels[cell]]}</b> <i>p</i> ${isAsShown(chances[cell])} ${plain(chances[cell])}: ${plain(losses[cell])}</span> `;
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
    /* The cells of a row; without one of its own a place is padding. */
    const cells = (
      /** @type {Int32Array} */ ids,
      /** @type {number} */ width,
      /** @type {number} */ length,
      /** @type {(token: string, i: number, first: string) => unknown} */ cell,
    ) =>
      Array.from({ length: width }, (_, place) => {
        const i = row * width + place;
        if (place >= length || ids[i] < 0) return padding();
        return cell(tokens[ids[i]], i, place === 0 ? 'first' : '');
      });
    const word = (
      /** @type {string} */ token,
      /** @type {number} */ _,
      /** @type {string} */ first,
    ) => html`<td class=${first}>${token}</td>`;
    const [source, target] = [batch.sourceLengths[row], batch.targetLengths[row]];
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
      ${cells(batch.sourceIds, batch.source, source, word)}
      ${cells(batch.targetIds, batch.target, target, word)}
      ${cells(batch.labels, batch.target, target, (token, i, first) => {
        const rgb = fill(batch.losses[i] / most, 'probability', 1, theme);
        return html`<td
          class=${first ? 'due first' : 'due'}
          data-loss=${shortest(batch.losses[i])}
          title=${text('chapters/training/batch/cost', { loss: display(batch.losses[i]) })}
          style=${`background:${css(rgb)};color:${ink(rgb)}`}
        >${token}</td>`;
      })}
    </tr>`;
  }
}

const padding = () =>
  html`<td class="padding"><span class="hidden">${text('chapters/training/batch/padding')}</span></td>`;

/** @param {ArrayLike<number>} values */
const sum = (values) => Array.from(values).reduce((a, b) => a + b, 0);

customElements.define('gf-batch', BatchTable);
