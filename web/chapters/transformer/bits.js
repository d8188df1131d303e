// Four bits: the first product of the translator with weights of four bits, exactly and with rounded activations.
import { html } from 'lit';
import { compared, termsOf, threeWays } from '../../../bindings/models/products.js';
import { brings, count, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { plain, typeset } from '../../stage/telling/number.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/bits',
    import: 'default',
    eager: true,
  }),
);

/** @type {Readonly<Record<string, string>>} */
const WAY_TEXTS = {
  whole: 'chapters/bits/ways/whole',
  exact: 'chapters/bits/ways/exact',
  sixteen: 'chapters/bits/ways/sixteen',
  eight: 'chapters/bits/ways/eight',
};
/** @type {Readonly<Record<string, string>>} */
const VERDICT_TEXTS = {
  holds: 'chapters/bits/holds',
  partly: 'chapters/bits/partly',
  fails: 'chapters/bits/fails',
};
const RESULT_TEXTS = [
  'chapters/bits/columns/way',
  'chapters/bits/columns/value',
  'chapters/bits/columns/misses',
];
const TERM_TEXTS = [
  'chapters/bits/columns/channel',
  'chapters/bits/columns/x',
  'chapters/bits/columns/weight',
  'chapters/bits/columns/term',
  'chapters/bits/columns/sixteen',
  'chapters/bits/columns/eight',
];

/** @typedef {import('../../app/session.js').Step} Step */

/** A copy: the memory that views look at may grow meanwhile. @param {Step} step */
const floats = ({ data }) => /** @type {Float32Array} */ (data).slice();

/** Where the largest number is. @param {Float32Array} y */
const largest = (y) =>
  y.reduce((best, value, i) => (Math.abs(value) > Math.abs(y[best]) ? i : best), 0);

export class Bits extends Base {
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {{ trace: unknown, ways: import('../../../bindings/models/products.js').ThreeWays } | null} */
    this.made = null;
  }

  /** Of the trace that is shown, once. */
  get ways() {
    const { trace, session } = this.view;
    if (this.made?.trace !== trace) {
      const { x, w, depth } = this.product;
      const ways = threeWays(/** @type {any} */ (session).core, x, w, depth);
      this.made = { trace, ways };
    }
    return this.made.ways;
  }

  /** The first product with a matrix: queries of the first layer. */
  get product() {
    const { trace } = this.view;
    const { inputs } = /** @type {Step} */ (
      trace.steps.find(({ role, inputs }) => role === 'query' && inputs.length > 1)
    );
    const [x, w] = inputs.map((name) => trace.step(/** @type {string} */ (name)));
    return { x: floats(x), w: floats(w), depth: w.shape[0] };
  }

  render() {
    const { ways } = this;
    const { misses, times, verdict } = compared(ways);
    const place = largest(ways.y.exact);
    const row = Math.floor(place / ways.columns);
    const column = place % ways.columns;
    return html`<div class="panel">
      <p class="lead">${typeset(text('chapters/bits/lead', { rows: ways.depth, columns: ways.columns }))}</p>
      <p class="prose">${text('chapters/bits/about')}</p>
      <p class="verdict ${verdict === 'holds' ? '' : 'against'}">
        <b>${text(VERDICT_TEXTS[verdict])}</b>
        ${text('chapters/bits/measured', {
          n: count(ways.y.exact.length),
          times: count(Math.round(times)),
          weights: count(Math.round(misses.weights / misses.sixteen)),
        })}
      </p>
      <div class="beside">
        ${this.#ways(ways, misses, place)}
        <section>${this.#terms(ways, row, column)}</section>
      </div>
    </div>`;
  }

  /** @param {Bits['ways']} ways @param {Record<string, number>} misses none of the float32 weights, which all others miss
   * @param {number} place */
  #ways({ y }, misses, place) {
    return factsTable(
      text('chapters/bits/table'),
      RESULT_TEXTS.map((key) => text(key)),
      Object.keys(WAY_TEXTS).map(
        (way) => html`<tr>
          <th scope="row">${text(WAY_TEXTS[way])}</th>
          <td>${plain(y[way][place], { as: { more: 4 } })}</td>
          <td>${way in misses ? plain(misses[way]) : ''}</td>
        </tr>`,
      ),
    );
  }

  /** @param {Bits['ways']} ways @param {number} row @param {number} column */
  #terms(ways, row, column) {
    const terms = termsOf(ways, row, column);
    return html`<p class="prose">${text('chapters/bits/terms', { row: row + 1, column: column + 1 })}</p>
      ${factsTable(
        text('chapters/bits/terms', { row: row + 1, column: column + 1 }),
        TERM_TEXTS.map((key) => text(key)),
        terms.map(
          ({ x, weight, exact, sixteen, eight }, k) => html`<tr>
            <th scope="row">${k + 1}</th>
            ${[x, weight, exact, sixteen, eight].map((value) => html`<td>${plain(value)}</td>`)}
          </tr>`,
        ),
      )}`;
  }
}

customElements.define('gf-bits', Bits);
