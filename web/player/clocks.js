// Position codes as clocks: each pair of sine and cosine is the hand of a clock, and each position turns it further.
import { html, nothing, svg } from 'lit';
import { language, text } from '../app/locale/text.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { numberSpan, scopeIn } from './telling.js';
import './clocks.css';

/** Half of a clock's width, and how long its hand is. */
const [HALF, HAND] = [50, 40];

/** @extends {Picture<'clocks'>} */
export class Clocks extends Picture {
  static properties = { ...Picture.properties, position: { state: true } };

  constructor() {
    super();
    /** Counted from 0, as the codes are. */
    this.position = 0;
    /** The picture that the position is of. @type {unknown} */
    this.shown = null;
  }

  /** Each scene begins at its token, or else at the first. */
  willUpdate() {
    if (this.shown === this.picture) return;
    this.shown = this.picture;
    this.position = this.picture.position ?? 0;
  }

  render() {
    const { picture, position } = this;
    const scope = scopeIn(this.view);
    const { tokens } = this.view.example;
    const row = rowOf(`${picture.codes}[${position}]`, scope);
    const pairs = Array.from({ length: row.length / 2 }, (_, i) => i);
    const count = cellsOf(picture.codes, scope).length / row.length;
    return html`<div class="clocks">
      <ol class="tokens" aria-label=${text('lessons/clocks/tokens')}>
        ${Array.from({ length: count }, (_, i) => {
          const go = () => {
            this.position = i;
          };
          return html`<li>
            <button aria-pressed=${i === position} @click=${go}>${tokens[i] ?? i}<small>${i}</small></button>
          </li>`;
        })}
      </ol>
      <div class="faces">
        ${pairs.map((pair) => this.#clock(pair, row))}
      </div>
      ${picture.adds ? this.#sum(scope) : nothing}
      <label class="slider"
        >${text('lessons/clocks/position', { n: position })}
        <input
          type="range"
          min="0"
          max=${count - 1}
          .value=${String(position)}
          @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            this.position = Number(currentTarget.value);
          }}
        />
      </label>
    </div>`;
  }

  /** The row of the token at this position, what is added to it, and their sum. @param {import('./telling.js').Scope} scope */
  #sum(scope) {
    const { codes, adds: [token, sum] = [] } = this.picture;
    const rows = [
      { sign: '', path: token, name: text('lessons/clocks/token') },
      { sign: '+', path: codes, name: text('lessons/clocks/code') },
      { sign: '=', path: sum, name: text('lessons/clocks/sum') },
    ];
    return html`<table class="sum">
      ${rows.map(({ sign, path, name }) => {
        const row = `${path}[${this.position}]`;
        const cells = cellsOf(row, scope);
        return html`<tr>
          <th scope="row">${name}</th>
          <td class="sign">${sign}</td>
          ${rowOf(row, scope).map((value, j) => html`<td>${path === sum && this.hides ? '?' : numberSpan(numberText(value, language()), value, cells[j])}</td>`)}
        </tr>`;
      })}
    </table>`;
  }

  /** A clock: its hand stands upright at the first position and turns as the hands of clocks do: the sine goes across, the
   * cosine up.
   * @param {number} pair @param {number[]} row */
  #clock(pair, row) {
    const [sine, cosine] = [row[2 * pair], row[2 * pair + 1]];
    const name = text('lessons/clocks/clock', { n: pair + 1 });
    const [x, y] = [HAND * sine, -HAND * cosine];
    const turned = Math.round((Math.atan2(sine, cosine) * 180) / Math.PI);
    const hand = text('lessons/clocks/hand', { n: pair + 1, angle: (turned + 360) % 360 });
    return html`<figure>
      <svg viewBox="-50 -50 100 100" role="img" aria-label=${hand}>
        ${svg`<circle r=${HALF - 4} />
          <line class="start" y2=${-HAND} />
          <line class="hand" x2=${x} y2=${y} />
          <circle class="tip" cx=${x} cy=${y} r="3.5" />`}
      </svg>
      <figcaption>${name}</figcaption>
    </figure>`;
  }
}

customElements.define('gf-clocks', Clocks);
