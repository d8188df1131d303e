// One weight's step of Adam, line by line: the gradient and where it came from, both moments, their
// corrections, the learning rate, the new value.
import { html, mathml, nothing } from 'lit';
import { display, full, shortest } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import '../../elements/heatmap.js';
import { unitOf } from '../../elements/room.js';
import { number, plain } from '../../telling/number.js';
import { change } from './ask.js';
import { scheduleOf } from './schedule.js';
import { largest, seen } from './seen.js';
import { say, tell } from './words.js';

/** @typedef {import('../../trainer/core.js').Update} Update */
/** @typedef {import('../../session.js').Step} Step */

/** px of the design that a heat map may take. */
const ROOM = { width: 330, height: 240, cell: 14 };
/** So many terms of a gradient are shown, the largest. */
const TERMS = 8;

export class Adam extends Base {
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
    this.addEventListener('gf-act', (event) => {
      event.stopPropagation();
      const { do: what, cell } = /** @type {CustomEvent} */ (event).detail;
      if (what === 'pick' || what === 'open') {
        change(this, { weight: { node: cell.node, index: cell.index } }, { passing: true });
      }
    });
  }

  render() {
    const { made, nodes, update, weight } = this.now;
    if (!made || !weight) return nothing;
    const step = nodes?.find(({ name }) => name === weight.node);
    return html`<section class="weights">
        ${this.#choice(made.parameters, weight)}
        ${step ? this.#maps(step) : nothing}
      </section>
      <section class="arithmetic">${update && step ? this.#arithmetic(update) : nothing}</section>`;
  }

  /**
   * @param {{ name: string, shape: number[] }[]} parameters
   * @param {import('../../draw/tensor.js').Cell} weight
   */
  #choice(parameters, weight) {
    const { shape } = parameters.find(({ name }) => name === weight.node) ?? { shape: [] };
    return html`<div class="choice-of-weight">
      <label class="field wide"
        >${say('adam/parameter')}
        <select
          @change=${(/** @type {Event} */ event) => {
            const node = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
            const rank = parameters.find(({ name }) => name === node)?.shape.length ?? 1;
            change(this, { weight: { node, index: Array(rank).fill(0) } }, { passing: true });
          }}
        >
          ${parameters.map(
            ({ name, shape: [...size] }) =>
              html`<option value=${name} ?selected=${name === weight.node}>${name} [${size.join(', ')}]</option>`,
          )}
        </select>
      </label>
      ${shape.map(
        (size, axis) => html`<label class="field"
          >${say(shape.length === 1 ? 'adam/place' : axis === 0 ? 'adam/row' : 'adam/column')}
          <input
            type="number"
            min="1"
            max=${size}
            .value=${String(weight.index[axis] + 1)}
            @change=${(/** @type {Event} */ event) => {
              const place = Number(/** @type {HTMLInputElement} */ (event.currentTarget).value) - 1;
              if (!(Number.isInteger(place) && place >= 0 && place < size))
                return this.requestUpdate();
              const index = weight.index.with(axis, place);
              change(this, { weight: { node: weight.node, index } }, { passing: true });
            }}
          />
        </label>`,
      )}
    </div>`;
  }

  /** @param {Step} step */
  #maps(step) {
    const { theme, weight, side } = this.now;
    const [rows, columns] = step.shape.length === 1 ? [1, step.shape[0]] : step.shape;
    const px = unitOf(this);
    const [width, height] = [ROOM.width / columns, ROOM.height / rows];
    const square = Math.min(ROOM.cell, width, height);
    /* What is long and narrow need not be so on the page. */
    const size = {
      width: px * (rows > 2 * columns ? Math.min(ROOM.cell, width) : square),
      height: px * (rows === 1 ? ROOM.cell : square),
      mode: 'colours',
    };
    const map = (/** @type {string} */ what, /** @type {boolean} */ gradient) => html`<figure>
      <figcaption>${say(`adam/${what}`)}</figcaption>
      <gf-heatmap
        .view=${seen({ theme, limit: largest(step.data), slope: largest(step.grad), gradient, focus: weight })}
        .step=${step}
        .size=${size}
        .run=${side}
        .name=${say('adam/gridOf', { what: say(`adam/${what}`), name: step.name })}
      ></gf-heatmap>
    </figure>`;
    return html`<div class="maps">${map('values', false)} ${map('gradients', true)}</div>`;
  }

  /** @param {Update} told */
  #arithmetic(told) {
    const { plan, side, made, opened } = this.now;
    const recipe = plan.runs[side];
    if (!recipe || !made || !opened) return nothing;
    const { gradientNorm } = opened;
    const clips = told.clipping < 1;
    const of = parts(told, true);
    const is = parts(told, false);
    const g = clips ? of('clipped') : of('gradient');
    const rate = scheduleOf(recipe.training, { step: told.step, dModel: made.config.dModel });
    return html`
      <h2>
        ${tell('adam/title', {
          step: told.step,
          weight: html`<b>${told.parameter}</b> [${told.index.map((i) => i + 1).join(', ')}]`,
        })}
      </h2>
      <table>
        <tbody>
          ${line('gradient', mathml`<mi>g</mi><mo>=</mo>${SUM}`, null, is('gradient'))}
          ${
            clips
              ? [
                  line(
                    'clipping',
                    mathml`<mi>c</mi><mo>=</mo><mi>C</mi><mo>/</mo>${NORM}`,
                    mathml`<mn>${display(Number(recipe.training.clip))}</mn><mo>/</mo><mn>${display(gradientNorm)}</mn>`,
                    is('clipping'),
                  ),
                  line(
                    'clip',
                    mathml`<mi>g</mi><mo>←</mo><mi>c</mi><mi>g</mi>`,
                    mathml`${of('clipping')}<mo>×</mo>${of('gradient')}`,
                    is('clipped'),
                  ),
                ]
              : nothing
          }
          ${line(
            'm',
            mathml`<mi>m</mi><mo>←</mo>${BETA1}<mi>m</mi><mo>+</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${BETA1}<mo stretchy="false">)</mo><mi>g</mi>`,
            [
              mathml`${of('beta1')}<mo>×</mo>${of('mBefore')}`,
              mathml`<mo form="infix">+</mo>${rest(told.beta1)}<mo>×</mo>${g}`,
            ],
            is('m'),
          )}
          ${line(
            'v',
            mathml`<mi>v</mi><mo>←</mo>${BETA2}<mi>v</mi><mo>+</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${BETA2}<mo stretchy="false">)</mo><msup><mi>g</mi><mn>2</mn></msup>`,
            [
              mathml`${of('beta2')}<mo>×</mo>${of('vBefore')}`,
              mathml`<mo form="infix">+</mo>${rest(told.beta2)}<mo>×</mo><msup>${g}<mn>2</mn></msup>`,
            ],
            is('v'),
          )}
          ${line(
            'mHat',
            mathml`${M_HAT}<mo>=</mo><mi>m</mi><mo>/</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><msubsup><mi>β</mi><mn>1</mn><mi>t</mi></msubsup><mo stretchy="false">)</mo>`,
            mathml`${of('m')}<mo>/</mo>${of('mCorrection')}`,
            is('mHat'),
          )}
          ${line(
            'vHat',
            mathml`${V_HAT}<mo>=</mo><mi>v</mi><mo>/</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><msubsup><mi>β</mi><mn>2</mn><mi>t</mi></msubsup><mo stretchy="false">)</mo>`,
            mathml`${of('v')}<mo>/</mo>${of('vCorrection')}`,
            is('vHat'),
          )}
          ${line('rate', mathml`<mi>η</mi><mo>=</mo>${rate.symbols}`, rate.numbers, is('learningRate'))}
          ${line(
            'next',
            mathml`<mi>w</mi><mo>←</mo><mi>w</mi><mo>−</mo><mi>η</mi>${M_HAT}<mo>/</mo><mo stretchy="false">(</mo><msqrt>${V_HAT}</msqrt><mo>+</mo><mi>ε</mi><mo stretchy="false">)</mo>`,
            [
              of('value'),
              mathml`<mo form="infix">−</mo>${of('learningRate')}<mo>×</mo>${of('mHat')}`,
              mathml`<mo form="infix">/</mo><mo stretchy="false">(</mo><msqrt>${of('vHat')}</msqrt><mo>+</mo>${of('epsilon')}<mo stretchy="false">)</mo>`,
            ],
            is('next'),
          )}
        </tbody>
      </table>
      ${this.#terms(told)}
    `;
  }

  /** Where the gradient came from. @param {Update} told */
  #terms({ terms, gradient }) {
    const shown = terms
      .toSorted((a, b) => Math.abs(b.product) - Math.abs(a.product))
      .slice(0, TERMS);
    const left = gradient - shown.reduce((sum, { product }) => sum + product, 0);
    return html`<h3 class="label">${say('adam/terms', { n: terms.length })}</h3>
      <p class="quiet">${say('adam/chain')}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${say('adam/terms', { n: terms.length })}>
        <table class="terms">
          <thead>
            <tr>
              <th scope="col">${say('adam/used')}</th>
              <th scope="col">${say('adam/pair')}</th>
              <th scope="col">${say('adam/factor')}</th>
              <th scope="col">${say('adam/slope')}</th>
              <th scope="col">${say('adam/product')}</th>
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              ({ gradient, factor, product }) => html`<tr>
                <th scope="row">${gradient.node}</th>
                <td>${gradient.index
                  .slice(0, -1)
                  .map((i) => i + 1)
                  .join(', ')}</td>
                <td>${plain(factor)}</td>
                <td>${plain(gradient.value)}</td>
                <td>${plain(Math.fround(product))}</td>
              </tr>`,
            )}
          </tbody>
          <tfoot>
            ${
              terms.length > shown.length
                ? html`<tr>
                    <th scope="row" colspan="4">${say('adam/more', { n: terms.length - shown.length })}</th>
                    <td>${plain(Math.fround(left))}</td>
                  </tr>`
                : nothing
            }
            <tr>
              <th scope="row" colspan="4">${say('adam/sum')}</th>
              <td>${plain(gradient)}</td>
            </tr>
          </tfoot>
        </table>
      </div>`;
  }
}

const BETA1 = mathml`<msub><mi>β</mi><mn>1</mn></msub>`;
const BETA2 = mathml`<msub><mi>β</mi><mn>2</mn></msub>`;
const hat = (/** @type {string} */ letter) =>
  mathml`<mover accent="true"><mi>${letter}</mi><mo>^</mo></mover>`;
const M_HAT = hat('m');
const V_HAT = hat('v');
const NORM = mathml`<mrow><mo>‖</mo><mi>g</mi><mo>‖</mo></mrow>`;
const SUM = mathml`<mo>∑</mo><mi>x</mi><mo>×</mo><mi>δ</mi>`;

/** 1 − β, as float32 has it. @param {number} beta */
const rest = (beta) => mathml`<mn>${display(Math.fround(1 - Math.fround(beta)))}</mn>`;

/**
 * The numbers of an update, by name.
 * @param {Update} told
 * @param {boolean} among others, where a negative number goes into brackets
 */
const parts =
  (told, among) => (/** @type {Exclude<keyof Update, 'terms' | 'parameter' | 'index'>} */ name) => {
    const value = told[name];
    const shown = display(value);
    return mathml`<mn
    class="token"
    data-part=${name}
    data-value=${shortest(value)}
    title=${full(value)}
    >${among && shown.startsWith('−') ? `(${shown})` : shown}</mn>`;
  };

/**
 * @param {unknown} numbers
 * @param {number} at
 */
const part = (numbers, at) =>
  html`<math>${at === 0 ? mathml`<mo>=</mo>` : nothing}${numbers}</math> `;

/**
 * @param {string} name
 * @param {unknown} symbols
 * @param {unknown} numbers in several parts, if a line may end between them
 * @param {unknown} result
 */
const line = (name, symbols, numbers, result) => html`<tr class=${name}>
  <th scope="row">${say(`adam/lines/${name}`)}</th>
  <td>
    <math>${symbols}</math>
    ${numbers ? html`<p class="numbers">${[numbers].flat().map(part)}</p>` : nothing}
  </td>
  <td class="result"><math><mo>=</mo>${result}</math></td>
</tr>`;

customElements.define('gf-adam', Adam);
