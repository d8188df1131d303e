// How far products of random rows spread: a thousand of them, what softmax makes of eight at a time, and what a division
// changes. The reader chooses how long the rows are, and by what to divide.
import { html, nothing, svg } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { language, text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';
import { memoized } from '../stage/draw/memoized.js';
import { numberText } from './core.js';
import { Picture } from './picture.js';
import { EDGE, GROUP, sharesOf, widthOf } from './spread-numbers.js';
import './spread.css';

/** How many numbers a row may have: powers of two. */
const LENGTHS = Array.from({ length: 9 }, (_, i) => 2 ** i);
const PAIRS = 1000;
/** The histogram: how many bars, how much is magnified, and its size in units of its own. */
const [BINS, GLASS] = [64, 8];
const [WIDTH, HEIGHT] = [600, 360];
const FLOOR = 320;

/** What scores may be divided by, of rows of d numbers. */
const DIVISORS = {
  one: { label: '÷ 1', of: () => 1 },
  root: { label: '÷ √d', of: Math.sqrt },
  all: { label: '÷ d', of: (/** @type {number} */ d) => d },
};
/** @typedef {keyof typeof DIVISORS} Divisor */

/** The products of pairs of random rows, by the length of the rows: of each core.
 * @type {(core: any) => (d: number) => Float32Array} */
const productsOf = memoized((core) => {
  /** @type {Map<number, Float32Array>} */
  const drawn = new Map();
  return (/** @type {number} */ d) => {
    const [queries, keys] = [
      [PAIRS, 1, d],
      [PAIRS, d, 1],
    ].map((shape, stream) => core.normal(shape, { seed: d, stream }));
    const products = drawn.get(d) ?? core.matmul(queries, keys).data;
    drawn.set(d, products);
    return products;
  };
});

/** @extends {Picture<'spread'>} */
export class Spread extends Picture {
  static properties = { ...Picture.properties, length: { state: true }, divisor: { state: true } };

  constructor() {
    super();
    /** How many numbers a row has. */
    this.length = 4;
    /** @type {Divisor} */
    this.divisor = 'one';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    /* What was asked for is seen. */
    if (changed.get('hides') === true && !this.hides && !changed.has('picture')) this.length = 64;
    if (!changed.has('picture')) return;
    this.length = 4;
    this.divisor = this.picture.divide?.[0] ?? 'one';
  }

  render() {
    const { view, length: d, divisor } = this;
    if (!view) return nothing;
    const by = DIVISORS[divisor].of(d);
    const scores = Array.from(productsOf(view.session.core)(d), (x) => x / by);
    return html`<div class="spread">
      <figure>
        <figcaption>
          <b>${text('lessons/spread/scores', { n: PAIRS })}</b>
          <span>${text('lessons/spread/width', { width: display(widthOf(scores), { decimals: 2 }) })}</span>
        </figcaption>
        ${this.#histogram(scores, Math.sqrt(d) / by)}
      </figure>
      ${this.picture.divide ? this.#shares(sharesOf(scores)) : nothing}
      ${this.hides ? nothing : this.#controls()}
    </div>`;
  }

  /** @param {number[]} scores @param {number} root √d, divided as the scores are */
  #histogram(scores, root) {
    /* Divided, they are seen through a magnifying glass. */
    const edge = this.divisor === 'one' ? EDGE : EDGE / GLASS;
    const bin = (2 * edge) / BINS;
    const counts = new Array(BINS).fill(0);
    for (const score of scores) counts[Math.floor((score + edge) / bin)]++;
    const most = Math.max(...counts);
    const wide = WIDTH / BINS;
    const across = (/** @type {number} */ x) => (WIDTH * (x + edge)) / (2 * edge);
    const name = this.divisor === 'one' ? '√d' : this.divisor === 'root' ? '√d ÷ √d' : '√d ÷ d';
    const label = `${name} = ${display(root, { decimals: 2 })}`;
    return svg`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${text('lessons/spread/histogram')} ${label}`}>
      ${counts.map((count, i) => {
        const high = (FLOOR * count) / most;
        return count
          ? svg`<rect x=${i * wide} y=${FLOOR - high} width=${wide} height=${high} />`
          : nothing;
      })}
      <path class="axis" d="M0 ${FLOOR}H${WIDTH}" />
      ${[-edge / 2, 0, edge / 2].map(
        (x) => svg`<text x=${across(x)} y=${FLOOR + 30} text-anchor="middle">${display(x)}</text>`,
      )}
      <path class="root" d="M${across(-root)} 0V${FLOOR}M${across(root)} 0V${FLOOR}" />
      <text class="root" x=${across(root) + 8} y="20">${label}</text>
    </svg>`;
  }

  /** What softmax makes of some, which dividing is about. @param {number[]} shares */
  #shares(shares) {
    return html`<figure>
      <figcaption><b>${text('lessons/spread/shares', { n: GROUP })}</b></figcaption>
      <ol>
        ${shares.map(
          (share, i) => html`<li style=${styleMap({ '--share': String(share) })}>
            <span>${i === 0 ? numberText(share, language(), 'percent') : nothing}</span><i></i>
          </li>`,
        )}
      </ol>
    </figure>`;
  }

  #controls() {
    const { divide = [] } = this.picture;
    return html`<div class="controls">
      <label class="slider"
        ><span>${text('lessons/spread/length')}</span>
        <input
          type="range"
          min="0"
          max=${LENGTHS.length - 1}
          .value=${String(LENGTHS.indexOf(this.length))}
          aria-valuetext=${`d = ${this.length}`}
          @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            this.length = LENGTHS[Number(currentTarget.value)];
          }}
        />
        <output>d = ${this.length}</output></label
      >
      ${
        divide.length > 1
          ? html`<div class="divisors" role="group" aria-label=${text('lessons/spread/divide')}>
              ${divide.map(
                (name) => html`<button
                  aria-pressed=${this.divisor === name}
                  @click=${() => {
                    this.divisor = name;
                  }}
                >${DIVISORS[name].label}</button>`,
              )}
            </div>`
          : nothing
      }
    </div>`;
  }
}

customElements.define('gf-spread', Spread);
