// Next token: at each place of the target, the tokens that may follow and how likely each is.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { largestAmong } from '../../stage/draw/largest.js';
import { Base } from '../../stage/elements/base.js';
import { explained } from '../../stage/elements/explained.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { number, plain, typeset } from '../../stage/telling/number.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../app/session.js').Valued} Valued */

const SHOWN_TOKENS = 5;

/**
 * The largest cells of a row, largest first.
 * @param {Step} step
 * @param {number[]} row its index: [row], or [head, row]
 * @param {number} count
 * @returns {Valued[]}
 */
export function candidatesAt({ name, shape, data }, row, count) {
  const width = shape[shape.length - 1];
  const from = width * row.reduce((offset, i, axis) => offset * shape[axis] + i, 0);
  const best = largestAmong(data.subarray(from, from + width), count);
  return best.map((id) => ({ node: name, index: [...row, id], value: data[from + id] }));
}

export class Candidates extends Base {
  static properties = {
    view: { attribute: false },
    reading: { attribute: false },
    core: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('./translator.js').Reading} */
    this.reading = /** @type {any} */ (null);
    /** @type {any} */
    this.core = null;
  }

  render() {
    const { own: rows, written } = this.reading;
    const { state } = this.view;
    const drawn = written !== null && state.way === 'sampled';
    return html`<div class="panel">
      <p class="prose">
        ${explained(text('chapters/transformer/candidates/about'))}
        ${written ? text('chapters/transformer/candidates/marked') : nothing}
      </p>
      ${
        drawn
          ? html`<p class="prose">${typeset(text('chapters/transformer/candidates/drawn', { temperature: state.temperature }))}</p>`
          : nothing
      }
      <div class="scroll" tabindex="0" role="group" aria-label=${text('chapters/transformer/panels/next')}>
        <table class="facts candidates">
          <thead>
            <tr>
              <th scope="col">${text('chapters/transformer/candidates/after')}</th>
              <th scope="col" colspan=${SHOWN_TOKENS}>${text('chapters/transformer/candidates/may')}</th>
            </tr>
          </thead>
          <tbody>
            ${Array.from({ length: rows }, (_, row) => this.#row(row, drawn))}
          </tbody>
        </table>
      </div>
      ${this.#beams()}
    </div>`;
  }

  /**
   * @param {number} row
   * @param {boolean} drawn
   */
  #row(row, drawn) {
    const { view } = this;
    const { written, sides } = this.reading;
    const vocabulary = view.example.vocabulary ?? [];
    const shares = view.trace.step('probabilities');
    const best = candidatesAt(shares, [row], SHOWN_TOKENS);
    const chosen = written && (written.tokens[row] ?? written.end);
    /* A word that was drawn may be none of the likeliest. */
    if (chosen !== null && best.every((cell) => cell.index[1] !== chosen)) {
      const value = shares.data[row * shares.shape[1] + chosen];
      best.splice(-1, 1, { node: shares.name, index: [row, chosen], value });
    }
    const now = written?.step === row;
    const heated = drawn ? this.#heated(row) : null;
    return html`<tr class=${now ? 'active' : ''}>
      <th scope="row">
        ${
          written
            ? html`<button
              class="link"
              aria-current=${now ? 'step' : nothing}
              @click=${() => this.act({ do: 'set', change: { step: row } })}
            >${sides.target[row]}</button>`
            : sides.target[row]
        }
      </th>
      ${best.map((cell) => {
        const id = cell.index[1];
        return html`<td class=${id === chosen ? 'chosen' : ''}>
          <span class="share" style="--share:${cell.value}"></span>
          <span class="token">${vocabulary[id] ?? id}</span>
          ${number(cell)} ${heated ? html`<span class="heated">${plain(heated[id])}</span>` : nothing}
        </td>`;
      })}
    </tr>`;
  }

  /** The probabilities of a row at the temperature. @param {number} row */
  #heated(row) {
    const { shape, data } = this.view.trace.step('logits');
    const logits = data.slice(row * shape[1], (row + 1) * shape[1]);
    const scaled = this.core.scale(
      { data: logits, shape: [shape[1]] },
      1 / this.view.state.temperature,
    );
    return /** @type {Float32Array} */ (this.core.softmax(scaled).data);
  }

  /** The results of a beam search. */
  #beams() {
    const beams = this.reading.written?.found ?? [];
    if (beams.length === 0) return nothing;
    const vocabulary = this.view.example.vocabulary ?? [];
    const title = text('chapters/transformer/candidates/found');
    return factsTable(
      title,
      [title, text('chapters/transformer/candidates/score')],
      beams.map(
        ({ tokens, score }) => html`<tr>
          <th scope="row">${tokens.map((id) => vocabulary[id]).join(' ')}</th>
          <td>${plain(Math.fround(score))}</td>
        </tr>`,
      ),
    );
  }
}

customElements.define('gf-candidates', Candidates);
