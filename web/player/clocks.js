// Position codes as clocks: each pair of sine and cosine is the hand of a clock, and each position turns it further.
import { html, nothing, svg } from 'lit';
import { language, text } from '../app/locale/text.js';
import { cellsOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { numberSpan, scopeIn } from './telling.js';
import './clocks.css';

/** Half of a clock's width, and how long its hand is. */
const [HALF, HAND] = [50, 40];

/** How far hands can be turned where nothing is added: the slow ones move, too. */
const FAR = 99;

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
    const width = rowOf(`${picture.codes}[0]`, scope).length;
    const pairs = Array.from({ length: width / 2 }, (_, i) => i);
    const count = cellsOf(picture.codes, scope).length / width;
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
        ${pairs.map((pair) => this.#clock(pair, this.#pointOf(pair, position < count)))}
      </div>
      ${picture.adds ? this.#sum(scope) : nothing}
      <label class="slider"
        >${text('lessons/clocks/position', { n: position })}
        <input
          type="range"
          min="0"
          max=${picture.adds ? count - 1 : FAR}
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

  /** Sine and cosine of a clock at this position: the codes, or behind these as many steps of the first one.
   * @param {number} pair @param {boolean} isCoded */
  #pointOf(pair, isCoded) {
    const [sine, cosine] = rowOf(
      `${this.picture.codes}[${isCoded ? this.position : 1}]`,
      scopeIn(this.view),
    ).slice(2 * pair);
    if (isCoded) return [sine, cosine];
    const angle = this.position * Math.atan2(sine, cosine);
    return [Math.sin(angle), Math.cos(angle)];
  }

  /** A clock: its hand stands upright at the first position and turns as the hands of clocks do: the sine goes across, the
   * cosine up.
   * @param {number} pair @param {number[]} point */
  #clock(pair, [sine, cosine]) {
    const name = text('lessons/clocks/clock', { n: pair + 1 });
    const [across, up] = [sine, cosine].map((x) => numberText(x, language()));
    const [x, y] = [HAND * sine, -HAND * cosine];
    const turned = Math.round((Math.atan2(sine, cosine) * 180) / Math.PI);
    const hand = text('lessons/clocks/hand', { n: pair + 1, angle: (turned + 360) % 360 });
    return html`<figure>
      <svg viewBox="-50 -50 100 100" role="img" aria-label=${hand}>
        ${svg`<circle r=${HALF - 4} />
          <line class="start" y2=${-HAND} />
 <path class="legs" d=${`M0 0H${x}V${y}`} />
          <line class="hand" x2=${x} y2=${y} />
          <circle class="tip" cx=${x} cy=${y} r="3.5" />`}
      </svg>
      <figcaption>
        ${name}${this.hides || this.picture.adds ? nothing : html`<span>${text('lessons/clocks/reach', { across, up })}</span>`}
      </figcaption>
    </figure>`;
  }
}

customElements.define('gf-clocks', Clocks);
