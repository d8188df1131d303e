// The loss as a curve of one number: a logit, or a weight that it is computed from. The gradient is how steep the curve is
// where that number stands.
import { html, nothing, svg } from 'lit';
import { language, text } from '../app/locale/text.js';
import { numberOf, numberText, rowOf } from './core.js';
import { Picture } from './picture.js';
import { numberSpan, scopeIn } from './telling.js';
import './slope.css';

/** The drawing, in its own units: what is around the curve, and the curve's room. */
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 8, 8, 46];
const [WIDE, HIGH] = [438, 246];
/** By how much the logit is moved to either side. */
const REACH = 5;
/** Points of the curve. */
const POINTS = 80;
/** Half of the tangent's length. */
const TANGENT = 110;
/** The parts of the range that a slider's step takes. */
const GRAIN = 100;

/** Whole numbers between two, few enough to be read. @param {number} from @param {number} to */
function ticks(from, to) {
  const step = Math.max(1, Math.ceil((to - from) / 6));
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** The loss and the gradient wherever the number may stand, and the room of both axes.
 * @typedef {{ start: number, loss: (x: number) => number, gradient: (x: number) => number, from: number, to: number,
 *   top: number }} Curve */

/** @extends {Picture<'slope'>} */
export class Slope extends Picture {
  static properties = { ...Picture.properties, moved: { state: true } };

  constructor() {
    super();
    /** Where the reader has put the number; null for where it stands. @type {number | null} */
    this.moved = null;
  }

  /** Each scene, and what an answer shows, begins where the number stands.
   * @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('picture') || changed.has('hides')) this.moved = null;
  }

  /** @returns {Curve} */
  #curve() {
    const { row, target, of, at: moved, times = '1' } = this.picture;
    const scope = scopeIn(this.view);
    const logits = rowOf(row, scope);
    const [start, factor] = [moved, times].map((path) => numberOf(path, scope));
    const probabilities = (/** @type {number} */ x) => {
      const powers = logits.map((z, i) => Math.exp(z + (i === of ? factor * (x - start) : 0)));
      const sum = powers.reduce((all, power) => all + power, 0);
      return powers.map((power) => power / sum);
    };
    const loss = (/** @type {number} */ x) => -Math.log(probabilities(x)[target]);
    const gradient = (/** @type {number} */ x) =>
      (probabilities(x)[of] - Number(of === target)) * factor;
    const reach = REACH / Math.abs(factor);
    const [from, to] = [start - reach, start + reach];
    const top = Math.ceil(Math.max(loss(from), loss(to)));
    return { start, loss, gradient, from, to, top };
  }

  render() {
    const { picture, view } = this;
    const curve = this.#curve();
    const { start, loss, gradient, from, to } = curve;
    /* Once it is asked for, the number has made its step. */
    const stepped = picture.rate && !this.hides ? start - picture.rate * gradient(start) : start;
    const x = this.moved ?? stepped;
    const lang = language();
    const isAsked = this.hides && !picture.rate;
    const word = view.example.vocabulary?.[picture.of] ?? picture.of + 1;
    const name = text(picture.times ? 'lessons/slope/weight' : 'lessons/slope/logit', { word });
    return html`<div class="slope">
      ${this.#drawing(curve, { x, name })}
      <dl>
        <div><dt>${name}</dt><dd>${numberText(x, lang, '2')}</dd></div>
        <div><dt>${text('lessons/slope/loss')}</dt><dd>${numberText(loss(x), lang, '2')}</dd></div>
        <div class="steep">
          <dt>${text('lessons/slope/gradient')}</dt>
          <dd>${isAsked ? '?' : numberSpan(numberText(gradient(x), lang, '2'), gradient(x))}</dd>
        </div>
      </dl>
      <label class="slider"
        >${text('lessons/slope/move')}
        <input
          type="range"
          min=${from}
          max=${to}
          step=${(to - from) / GRAIN}
          .value=${String(x)}
          @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            this.moved = Number(currentTarget.value);
          }}
        />
      </label>
    </div>`;
  }

  /** @param {Curve} curve @param {{ x: number, name: string }} where */
  #drawing({ start, loss, gradient, from, to, top }, { x, name }) {
    const across = (/** @type {number} */ value) => LEFT + ((value - from) / (to - from)) * WIDE;
    const up = (/** @type {number} */ value) => TOP + HIGH - (value / top) * HIGH;
    const points = Array.from({ length: POINTS + 1 }, (_, i) => {
      const value = from + ((to - from) * i) / POINTS;
      return `${across(value).toFixed(1)} ${up(loss(value)).toFixed(1)}`;
    });
    /* In units of the drawing; it grows downwards. */
    const steep = (-gradient(x) * (HIGH / top)) / (WIDE / (to - from));
    const half = TANGENT / Math.hypot(1, steep);
    const [a, b] = [across(x), up(loss(x))];
    const low = TOP + HIGH;
    /* The axis is named where the curve is low. */
    const falls = loss(from) > loss(to);
    const free = falls ? LEFT + WIDE : LEFT + 8;
    return html`<svg
      viewBox="0 0 ${LEFT + WIDE + RIGHT} ${TOP + HIGH + BOTTOM}"
      role="img"
      aria-label=${text('lessons/slope/drawn', { name })}
    >
      ${svg`
        ${ticks(0, top).map(
          (
            value,
          ) => svg`<line class="grid" x1=${LEFT} x2=${LEFT + WIDE} y1=${up(value)} y2=${up(value)} />
          <text x=${LEFT - 8} y=${up(value) + 5} text-anchor="end">${value}</text>`,
        )}
        ${ticks(from, to).map((value) => svg`<text x=${across(value)} y=${low + 20} text-anchor="middle">${numberText(value, language())}</text>`)}
        <text class="axis" x=${LEFT + WIDE / 2} y=${low + 41} text-anchor="middle">${name}</text>
        <text class="axis" x=${free} y=${TOP + 16} text-anchor=${falls ? 'end' : 'start'}>${text('lessons/slope/loss')}</text>
        <path class="curve" d=${`M${points.join('L')}`} />
        ${x === start ? nothing : svg`<circle class="start" cx=${across(start)} cy=${up(loss(start))} r="6" />`}
        <line class="tangent" x1=${a - half} x2=${a + half} y1=${b - half * steep} y2=${b + half * steep} />
        <circle class="now" cx=${a} cy=${b} r="7" />`}
    </svg>`;
  }
}

customElements.define('gf-slope', Slope);
