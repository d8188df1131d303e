// What of long rows a plane shows: two of their channels, or the two directions in which most of them lies.
import { html, nothing } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { ofChannels } from '../draw/basis.js';
import { display } from '../draw/format.js';
import { principal } from '../draw/principal.js';
import { Base } from './base.js';
import '../../style/directions.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?directions',
    import: 'default',
    eager: true,
  }),
);

/**
 * along: the channels across and up; null for principal directions. of: the directions for some rows.
 * @typedef {{ along: readonly number[] | null, of: (rows: number[][]) => import('../draw/basis.js').Basis }} Direction
 */

export class Directions extends Base {
  static properties = {
    width: { type: Number },
    product: { attribute: false },
    direction: { attribute: false },
  };

  constructor() {
    super();
    /** How many channels a row has. */
    this.width = 2;
    /** What of a product is seen. @type {number | null} */
    this.product = null;
    /** @type {Direction} */
    this.direction = { along: null, of: principal };
  }

  /** @param {readonly number[] | null} along */
  #choose(along) {
    const { width } = this;
    const of = along ? () => ofChannels(width, along) : principal;
    this.dispatchEvent(new CustomEvent('gf-direction', { detail: { along, of } }));
  }

  render() {
    const { width: n, product } = this;
    const { along } = this.direction;
    const way = (/** @type {boolean} */ isChosen, /** @type {readonly number[] | null} */ to) =>
      html`<input type="radio" name="along" .checked=${isChosen} @change=${() => this.#choose(to)} />`;
    return html`${product === null ? nothing : html`<p class="quiet">${text('directions/part', { part: display(product), n })}</p>`}
      <p class="quiet seen">${text('directions/along', { n })}</p>
      <div class="quiet seen">
        <label>${way(along !== null, [0, 1])} ${text('directions/channels')}</label>
        ${this.#channel(0)} ${this.#channel(1)}
        <label>${way(along === null, null)} ${text('directions/principal')}</label>
      </div>`;
  }

  /** @param {0 | 1} side across, or up */
  #channel(side) {
    const { along } = this.direction;
    const choose = (/** @type {Event} */ event) => {
      const value = Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
      const [across, up] = along ?? [0, 1];
      this.#choose(side === 0 ? [value, up] : [across, value]);
    };
    return html`<select
      aria-label=${text(side === 0 ? 'directions/across' : 'directions/up')}
      ?disabled=${!along}
      @change=${choose}
    >
      ${Array.from({ length: this.width }, (_, i) => {
        const taken = along?.[1 - side] === i;
        return html`<option value=${i} .selected=${along?.[side] === i} ?disabled=${taken}>
          ${i + 1}
        </option>`;
      })}
    </select>`;
  }
}

customElements.define('gf-directions', Directions);
