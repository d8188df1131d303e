// One weight's step of Adam, line by line: the gradient and where it came from, both moments, their
// corrections, the learning rate, the new value.
import { html, mathml, nothing } from 'lit';
import { Base } from '../../elements/base.js';
import '../../elements/heatmap.js';
import { unitOf } from '../../elements/room.js';
import { rich, text } from '../../locale/text.js';
import { alone, equation } from '../../telling/arithmetic.js';
import { plain } from '../../telling/number.js';
import { change } from './ask.js';
import { scheduleOf } from './schedule.js';
import { largest, seen } from './seen.js';

/** @type {Readonly<Record<string, string>>} */
const MAP_TEXTS = {
  values: 'chapters/training/adam/values',
  gradients: 'chapters/training/adam/gradients',
};

/** @type {Readonly<Record<string, string>>} */
const LINE_TEXTS = {
  gradient: 'chapters/training/adam/lines/gradient',
  clipping: 'chapters/training/adam/lines/clipping',
  clip: 'chapters/training/adam/lines/clip',
  m: 'chapters/training/adam/lines/m',
  v: 'chapters/training/adam/lines/v',
  mHat: 'chapters/training/adam/lines/mHat',
  vHat: 'chapters/training/adam/lines/vHat',
  rate: 'chapters/training/adam/lines/rate',
  next: 'chapters/training/adam/lines/next',
};

/** @typedef {import('../../trainer/core.js').Update} Update */
/** @typedef {import('../../session.js').Step} Step */
/** @typedef {import('../../telling/arithmetic.js').Signs} Signs */
/** A number of an update. @typedef {Exclude<keyof Update, 'terms' | 'parameter' | 'index'>} Part */

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
    return html`<section class="weights edged">
        ${this.#choice(made.parameters, weight)}
        ${step ? this.#maps(step) : nothing}
      </section>
      <section class="arithmetic edged">${update && step ? this.#arithmetic(update) : nothing}</section>`;
  }

  /**
   * @param {{ name: string, shape: number[] }[]} parameters
   * @param {import('../../draw/tensor.js').Cell} weight
   */
  #choice(parameters, weight) {
    const { shape } = parameters.find(({ name }) => name === weight.node) ?? { shape: [] };
    return html`<div class="choice-of-weight">
      <label class="field wide"
        >${text('chapters/training/adam/parameter')}
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
          >${text(shape.length === 1 ? 'chapters/training/adam/place' : axis === 0 ? 'chapters/training/adam/row' : 'chapters/training/adam/column')}
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
      <figcaption>${text(MAP_TEXTS[what])}</figcaption>
      <gf-heatmap
        .view=${seen({ theme, limit: largest(step.data), slope: largest(step.grad), gradient, focus: weight })}
        .step=${step}
        .size=${size}
        .run=${side}
        .name=${text('chapters/training/adam/gridOf', { what: text(MAP_TEXTS[what]), name: step.name })}
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
    const clip = Number(recipe.training.clip);
    const rate = scheduleOf(recipe.training, { step: told.step, dModel: made.config.dModel });
    /** A number of the update, by its name. @param {Signs} signs @param {Part} name */
    const of = ({ number }, name) => number(told[name], name);
    const g = clips ? 'clipped' : 'gradient';
    const is = (/** @type {Part} */ name, /** @type {(signs: Signs) => any} */ formula) =>
      equation(formula, told[name], name);
    return html`
      <h2>
        ${rich('chapters/training/adam/title', {
          step: told.step,
          weight: html`<b>${told.parameter}</b> [${told.index.map((i) => i + 1).join(', ')}]`,
        })}
      </h2>
      <table>
        <tbody>
          ${line('gradient', mathml`<mi>g</mi><mo>=</mo>${SUM}`, alone(told.gradient, 'gradient'))}
          ${
            clips
              ? [
                  line(
                    'clipping',
                    mathml`<mi>c</mi><mo>=</mo><mi>C</mi><mo>/</mo>${NORM}`,
                    is('clipping', ({ number, by }) => by(number(clip), number(gradientNorm))),
                  ),
                  line(
                    'clip',
                    mathml`<mi>g</mi><mo>←</mo><mi>c</mi><mi>g</mi>`,
                    is('clipped', (s) => s.times(of(s, 'clipping'), of(s, 'gradient'))),
                  ),
                ]
              : nothing
          }
          ${line(
            'm',
            mathml`<mi>m</mi><mo>←</mo>${BETA1}<mi>m</mi><mo>+</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${BETA1}<mo stretchy="false">)</mo><mi>g</mi>`,
            is('m', (s) =>
              s.plus(
                s.times(of(s, 'beta1'), of(s, 'mBefore')),
                s.times(s.number(rest(told.beta1)), of(s, g)),
              ),
            ),
          )}
          ${line(
            'v',
            mathml`<mi>v</mi><mo>←</mo>${BETA2}<mi>v</mi><mo>+</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${BETA2}<mo stretchy="false">)</mo><msup><mi>g</mi><mn>2</mn></msup>`,
            is('v', (s) =>
              s.plus(
                s.times(of(s, 'beta2'), of(s, 'vBefore')),
                s.times(s.number(rest(told.beta2)), s.power(of(s, g), 2)),
              ),
            ),
          )}
          ${line(
            'mHat',
            mathml`${M_HAT}<mo>=</mo><mi>m</mi><mo>/</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><msubsup><mi>β</mi><mn>1</mn><mi>t</mi></msubsup><mo stretchy="false">)</mo>`,
            is('mHat', (s) => s.by(of(s, 'm'), of(s, 'mCorrection'))),
          )}
          ${line(
            'vHat',
            mathml`${V_HAT}<mo>=</mo><mi>v</mi><mo>/</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><msubsup><mi>β</mi><mn>2</mn><mi>t</mi></msubsup><mo stretchy="false">)</mo>`,
            is('vHat', (s) => s.by(of(s, 'v'), of(s, 'vCorrection'))),
          )}
          ${line(
            'rate',
            mathml`<mi>η</mi><mo>=</mo>${rate.symbols}`,
            is('learningRate', rate.numbers),
          )}
          ${line(
            'next',
            mathml`<mi>w</mi><mo>←</mo><mi>w</mi><mo>−</mo><mi>η</mi>${M_HAT}<mo>/</mo><mo stretchy="false">(</mo><msqrt>${V_HAT}</msqrt><mo>+</mo><mi>ε</mi><mo stretchy="false">)</mo>`,
            is('next', (s) =>
              s.minus(
                of(s, 'value'),
                s.by(
                  s.times(of(s, 'learningRate'), of(s, 'mHat')),
                  s.bracket(s.plus(s.root(of(s, 'vHat')), of(s, 'epsilon'))),
                ),
              ),
            ),
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
    return html`<h3 class="label">${text('chapters/training/adam/terms', { n: terms.length })}</h3>
      <p class="quiet">${text('chapters/training/adam/chain')}</p>
      <div class="scroll edged" tabindex="0" role="group" aria-label=${text('chapters/training/adam/terms', { n: terms.length })}>
        <table class="terms">
          <thead>
            <tr>
              <th scope="col">${text('chapters/training/adam/used')}</th>
              <th scope="col">${text('chapters/training/adam/pair')}</th>
              <th scope="col">${text('chapters/training/adam/factor')}</th>
              <th scope="col">${text('chapters/training/adam/slope')}</th>
              <th scope="col">${text('chapters/training/adam/product')}</th>
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
                    <th scope="row" colspan="4">${text('chapters/training/adam/more', { n: terms.length - shown.length })}</th>
                    <td>${plain(Math.fround(left))}</td>
                  </tr>`
                : nothing
            }
            <tr>
              <th scope="row" colspan="4">${text('chapters/training/adam/sum')}</th>
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
const rest = (beta) => Math.fround(1 - Math.fround(beta));

/**
 * @param {unknown} piece
 * @param {number} at
 * @param {string} sign
 */
const part = (piece, at, sign) =>
  html`<math>${at === 0 ? mathml`<mo>${sign}</mo>` : nothing}${piece}</math> `;

/**
 * @param {string} name
 * @param {unknown} symbols
 * @param {{ given?: string, numbers?: unknown, is: string, result: unknown }} told numbers: in several pieces, if a
 *   line may end between them
 */
const line = (name, symbols, { given = '=', numbers, is, result }) => html`<tr class=${name}>
  <th scope="row">${text(LINE_TEXTS[name])}</th>
  <td>
    <math>${symbols}</math>
    ${numbers ? html`<p class="numbers">${[numbers].flat().map((piece, at) => part(piece, at, given))}</p>` : nothing}
  </td>
  <td class="result"><math><mo>${is}</mo>${result}</math></td>
</tr>`;

customElements.define('gf-adam', Adam);
