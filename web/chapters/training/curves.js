// The curves of a training: losses, learning rate, accuracy. Picking a place goes to the step.
import { html } from 'lit';
import '../../stage/elements/plot.js';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { TrainingPart } from './part.js';

/** @type {{ readonly [name: string]: string }} */
const CURVE_TEXTS = {
  loss: 'chapters/training/curves/loss',
  rate: 'chapters/training/curves/rate',
  right: 'chapters/training/curves/right',
};

/** @type {{ readonly [name: string]: string }} */
const LINE_TEXTS = {
  loss: 'chapters/training/curves/lines/loss',
  heldOut: 'chapters/training/curves/lines/heldOut',
  rate: 'chapters/training/curves/lines/rate',
  share: 'chapters/training/curves/lines/share',
  right: 'chapters/training/curves/lines/right',
};

/** @typedef {import('./record.js').Record} Record */
/** @typedef {import('../../workers/trainer/protocol.js').Evaluation} Evaluation */
/** @typedef {import('../../stage/elements/plot.js').Curve} Curve */

const COLOURS = { a: '--ink', b: '--accent' };
/** Room above the highest place of a curve. */
const HEADROOM = 1.05;

export class Curves extends TrainingPart {
  render() {
    const { sides, started } = this.now;
    const many = started?.heldOut ?? 1;
    const losses = sides.flatMap(({ side, record }) => [
      this.#curve(side, 'loss', this.#taken(record), {
        thin: true,
        cellAt: () => ({ ...LOSS, run: side }),
      }),
      this.#tried(side, 'heldOut', record, ({ loss }) => loss),
    ]);
    /* B's rates are shown where they differ. */
    const planned = sides.map(({ side }) => started?.runs[side]?.rates ?? []);
    const rates = sides
      .filter((_, i) => i === 0 || planned[i].some((rate, step) => rate !== planned[0][step]))
      .map(({ side }, i, { length }) =>
        this.#curve(
          side,
          'rate',
          this.#planned(planned[i]),
          length > 1 ? {} : { label: text('chapters/training/curves/lines/rate') },
        ),
      );
    const right = sides.flatMap(({ side, record }) => [
      this.#tried(side, 'share', record, ({ share }) => share, { thin: true }),
      this.#tried(side, 'right', record, ({ right }) => right / many),
    ]);
    return html`${this.#plot('loss', losses, Math.ceil(2 * highest(losses)) / 2)}
    ${this.#plot('rate', rates, HEADROOM * highest(rates))} ${this.#plot('right', right, 1)}`;
  }

  /**
   * @param {'loss' | 'rate' | 'right'} name
   * @param {Curve[]} curves
   * @param {number} high
   */
  #plot(name, curves, high) {
    const { shown, theme, first } = this.now;
    const places = curves[0].values.map((_, i) => first + i);
    const chart = { places, curves, across: '', up: '', low: 0, high };
    return html`<figure class=${name}>
      <figcaption class="label">${text(CURVE_TEXTS[name])}</figcaption>
      <gf-plot
        .chart=${{ ...chart, names: (/** @type {number} */ step) => text('chapters/training/curves/step', { step }) }}
        .at=${shown - first}
        .theme=${theme}
        .label=${text(CURVE_TEXTS[name])}
        @gf-place=${(/** @type {CustomEvent} */ { detail }) => change(this, { step: first + detail.place }, { passing: true })}
      ></gf-plot>
    </figure>`;
  }

  /**
   * @param {'a' | 'b'} side
   * @param {string} name
   * @param {(number | null)[]} values
   * @param {Partial<Curve>} [style]
   * @returns {Curve}
   */
  #curve(side, name, values, style = {}) {
    const line = text(LINE_TEXTS[name]);
    const label = this.now.sides.length > 1 ? `${side.toUpperCase()} ${line}` : line;
    return { label, values, colour: COLOURS[side], ...style };
  }

  /** One place for each step of the plan, and the first for what is before it. */
  get #blank() {
    const { first, steps } = this.now;
    return /** @type {(number | null)[]} */ (Array(Math.max(steps - first, 1) + 1).fill(null));
  }

  /** @param {Record} record */
  #taken({ steps }) {
    const values = this.#blank;
    for (const [i, { loss }] of steps.entries()) values[i + 1] = loss;
    return values;
  }

  /**
   * What was measured of the held-out pairs.
   * @param {'a' | 'b'} side
   * @param {string} name
   * @param {Record} record
   * @param {(evaluation: Evaluation) => number} measure
   * @param {Partial<Curve>} [style]
   */
  #tried(side, name, { evaluations }, measure, style = {}) {
    const values = this.#blank;
    for (const evaluation of evaluations)
      values[evaluation.step - this.now.first] = measure(evaluation);
    return this.#curve(side, name, values, { joined: true, ...style });
  }

  /** @param {number[]} rates of all steps, 1 being the first */
  #planned(rates) {
    const { first } = this.now;
    return this.#blank.map((_, i) => (first + i > 0 ? (rates[first + i - 1] ?? null) : null));
  }
}

const LOSS = { node: 'loss', index: [0] };

/** @param {Curve[]} curves */
const highest = (curves) =>
  curves.reduce(
    (most, { values }) =>
      values.reduce((high, value) => Math.max(high ?? 0, value ?? 0), most) ?? 0,
    0,
  ) || 1;

customElements.define('gf-curves', Curves);
