// Position codes as clocks: each pair of sine and cosine is the hand of a clock, and each position turns it further.
import { html, svg } from 'lit';
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

  /** Each scene begins at the first token. */
  willUpdate() {
    if (this.shown === this.picture) return;
    this.shown = this.picture;
    this.position = 0;
  }

  render() {
    const { picture, position } = this;
    const scope = scopeIn(this.view);
    const { tokens } = this.view.example;
    const row = rowOf(`${picture.codes}[${position}]`, scope);
    const cells = cellsOf(`${picture.codes}[${position}]`, scope);
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
        ${pairs.map((pair) => this.#clock(pair, row, cells))}
      </div>
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

  /** A clock: its hand stands upright at the first position and turns as the hands of clocks do: the sine goes across, the
   * cosine up.
   * @param {number} pair @param {number[]} row @param {{ node: string, index: number[] }[]} cells */
  #clock(pair, row, cells) {
    const [sine, cosine] = [row[2 * pair], row[2 * pair + 1]];
    const name = text('lessons/clocks/clock', { n: pair + 1 });
    const number = (/** @type {number} */ i) =>
      numberSpan(numberText(row[i], language()), row[i], cells[i]);
    const [x, y] = [HAND * sine, -HAND * cosine];
    return html`<figure>
      <svg viewBox="-50 -50 100 100" role="img" aria-label=${name}>
        ${svg`<circle r=${HALF - 4} />
          <line class="start" y2=${-HAND} />
          <line class="hand" x2=${x} y2=${y} />
          <circle class="tip" cx=${x} cy=${y} r="3.5" />`}
      </svg>
      <figcaption>
        ${name}
        <span>sin ${number(2 * pair)}</span> <span>cos ${number(2 * pair + 1)}</span>
      </figcaption>
    </figure>`;
  }
}

customElements.define('gf-clocks', Clocks);
