// The shuffle test: the words as written and in another order, each with its row of the output, lines
// between them, and the verdict; then the same test for every kind of positions.
import { html, nothing, svg } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { size } from '../../stage/draw/crossing.js';
import { explained } from '../../stage/elements/explained.js';
import { Panel } from '../../stage/elements/panel.js';
import { oneScreen } from '../../stage/elements/room.js';
import { plain } from '../../stage/telling/number.js';
import { isReversed } from './shuffle.js';

/** @type {Readonly<Record<string, string>>} */
export const SCHEME_TEXTS = {
  none: 'chapters/positions/schemes/none',
  sinusoidal: 'chapters/positions/schemes/sinusoidal',
  learned: 'chapters/positions/schemes/learned',
  rotary: 'chapters/positions/schemes/rotary',
  alibi: 'chapters/positions/schemes/alibi',
};

/** @type {Readonly<Record<string, string>>} */
const SHUFFLE_TEXTS = {
  same: 'chapters/positions/shuffle/same',
  permuted: 'chapters/positions/shuffle/permuted',
  differs: 'chapters/positions/shuffle/differs',
};

/** The same in a cell of the table. @type {Readonly<Record<string, string>>} */
const CELL_TEXTS = {
  same: 'chapters/positions/shuffle/untested',
  permuted: 'chapters/positions/shuffle/ignored',
  differs: 'chapters/positions/shuffle/counts',
};

/** @typedef {import('./shuffle.js').Verdict} Verdict */
/** @typedef {import('../../app/session.js').Trace} Trace */

const FREE_HEIGHT_PX = 420;
/** px of the design */
const ROOM = { label: 80, lines: 44, change: 70, heads: 26, gap: 8 };
const CELL = { width: 60, height: 40 };

export class Shuffled extends Panel {
  static properties = {
    ...Panel.properties,
    other: { attribute: false },
    order: { attribute: false },
    verdict: { attribute: false },
    tested: { attribute: false },
    held: { state: true },
  };

  constructor() {
    super();
    /** @type {Trace} the run in the other order */
    this.other = /** @type {any} */ (null);
    /** @type {number[]} */
    this.order = [];
    /** @type {Verdict} */
    this.verdict = { rows: [], from: [], change: 0, says: 'permuted' };
    /** @type {{ scheme: string, verdict: Verdict | null }[]} */
    this.tested = [];
    /** @type {number | null} the place of the word that is to be swapped */
    this.held = null;
  }

  render() {
    return html`<div class="panel">
      <div class="lead-line">
        <p class="prose">${explained(text('chapters/positions/shuffle/about'))}</p>
        <div class="controls">
          <button @click=${this.#reverse}>
            ${text('chapters/positions/shuffle/reverse')}
          </button>
          <button @click=${() => this.dispatchEvent(new CustomEvent('gf-draw'))}>
            ${text('chapters/positions/shuffle/again')}
          </button>
        </div>
      </div>
      <div class="room">${this.box.width > 0 ? this.#orders() : nothing}</div>
      ${this.#verdict()} ${this.#table()}
    </div>`;
  }

  #orders() {
    const { unit, order } = this;
    const { trace, example } = this.view;
    const output = trace.step('output');
    const [rows, columns] = output.shape;
    const fixed = 2 * ROOM.label + ROOM.lines + ROOM.change + 5 * ROOM.gap + 24;
    const height = oneScreen(this) ? this.box.height : FREE_HEIGHT_PX * unit;
    const narrow = this.box.width < (fixed + 80) * unit;
    const word = ROOM.label * (narrow ? 0.8 : 1);
    const aside = narrow ? 2 * word + ROOM.lines * 0.5 + 4 * ROOM.gap : fixed;
    const wide = Math.max(1, (this.box.width - aside * unit) / (2 * columns));
    const high = Math.max(10, (height - ROOM.heads * unit) / rows);
    const fit = size(Math.min(CELL.width * unit, wide), Math.min(CELL.height * unit, high), unit);
    const middle = (/** @type {number} */ place) => (place + 0.5) * fit.height;
    const name = text('titles/output');
    return html`<div class="orders ${narrow ? 'narrow' : ''}" style="--row:${fit.height}px;--word:${word * unit}px">
      <h3>${text('chapters/positions/shuffle/before')}</h3>
      <h3>${text('chapters/positions/shuffle/after')}</h3>
      <ol class="before">${example.tokens.map((token) => html`<li title=${token}>${token}</li>`)}</ol>
      ${this.matrix(output, fit, { name: `${name}, ${text('chapters/positions/shuffle/before')}` })}
      <svg viewBox="0 0 60 ${rows * fit.height}" preserveAspectRatio="none" aria-hidden="true"
        style="height:${rows * fit.height}px">
        ${this.verdict.from.map(
          (from, to) => svg`<path
            class=${to === this.held ? 'held' : ''}
            d="M2 ${middle(from)}C30 ${middle(from)} 30 ${middle(to)} 58 ${middle(to)}" />`,
        )}
      </svg>
      <ol class="after">
        ${order.map((from, place) => {
          const token = example.tokens[from];
          return html`<li>
            <button
              aria-pressed=${place === this.held}
              aria-label=${text('chapters/positions/shuffle/swap', { token, place: place + 1 })}
              @click=${() => this.#hold(place)}
            >${token}</button>
          </li>`;
        })}
      </ol>
      ${this.matrix(this.other.step('output'), fit, {
        name: `${name}, ${text('chapters/positions/shuffle/after')}`,
        run: 'shuffled',
      })}
      <ol class="changes" aria-label=${text('chapters/positions/shuffle/change')}>
        ${this.verdict.rows.map((change) => html`<li>± ${plain(change)}</li>`)}
      </ol>
    </div>`;
  }

  #reverse = () => {
    const order = this.order.map((_, to) => this.order.length - 1 - to);
    this.act({ do: 'set', change: { order } });
  };

  /** Two words that are chosen one after the other change places. @param {number} place */
  #hold(place) {
    const { held, order } = this;
    this.held = held === null ? place : null;
    if (held === null || held === place) return;
    const swapped = order.map((from, to) => {
      if (to === held) return order[place];
      return to === place ? order[held] : from;
    });
    this.act({ do: 'set', change: { order: swapped } });
  }

  /** The kind of positions that the words have; none where they are removed. */
  get scheme() {
    const { scheme, remove } = this.view.state;
    return remove.includes('positions') ? 'none' : scheme;
  }

  #verdict() {
    const { scheme } = this;
    const { says, change } = this.verdict;
    const { sentence } = this.view.state;
    const tokens = this.view.example.inputs?.tokens ?? [];
    const values = {
      scheme: text(SCHEME_TEXTS[scheme]),
      change: plain(change),
    };
    return html`<p class="verdict ${says === 'differs' ? 'against' : ''}" role="status">
      ${rich(SHUFFLE_TEXTS[says], values)}
      ${says === 'differs' && scheme === 'none' && sentence?.causal ? text('chapters/positions/shuffle/causal') : nothing}
      ${says === 'permuted' && scheme === 'alibi' && isReversed(tokens, this.order) ? text('chapters/positions/shuffle/mirrored') : nothing}
    </p>`;
  }

  #table() {
    const { scheme } = this;
    const label = text('chapters/positions/shuffle/table');
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
      <table class="facts">
      <tbody>
        <tr>
          <th scope="row">${text('chapters/positions/shuffle/kind')}</th>
          ${this.tested.map(
            (test) => html`<th scope="col" class=${test.scheme === scheme ? 'now' : ''}>
              ${text(SCHEME_TEXTS[test.scheme])}
            </th>`,
          )}
        </tr>
        <tr>
          <th scope="row">${text('chapters/positions/shuffle/change')}</th>
          ${this.tested.map(({ verdict }) => html`<td>${verdict ? plain(verdict.change) : '–'}</td>`)}
        </tr>
        <tr>
          <th scope="row">${text('chapters/positions/shuffle/verdict')}</th>
          ${this.tested.map(
            ({ verdict }) =>
              html`<td>${text(verdict ? CELL_TEXTS[verdict.says] : 'chapters/positions/shuffle/impossible')}</td>`,
          )}
        </tr>
      </tbody>
      </table>
    </div>`;
  }
}

customElements.define('gf-shuffled', Shuffled);
