// One weight's step of Adam, line by line: the gradient and where it came from, both moments, their
// corrections, the learning rate, the new value.
import { html, mathml, nothing } from 'lit';
import '../../stage/elements/heatmap.js';
import { rich, text } from '../../app/locale/text.js';
import { plainly } from '../../stage/draw/format.js';
import { change } from '../../stage/elements/ask.js';
import { unitOf } from '../../stage/elements/room.js';
import { alone, equation } from '../../stage/telling/arithmetic.js';
import { plain } from '../../stage/telling/number.js';
import { trainingAt } from '../../workers/trainer/protocol.js';
import { TrainingPart } from './part.js';
import { scheduleOf } from './schedule.js';
import { heatmapView, largest } from './seen.js';

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

/** @typedef {import('../../workers/trainer/core.js').Update} Update */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../stage/telling/arithmetic.js').Signs} Signs */
/** A number of an update. @typedef {Exclude<keyof Update, 'terms' | 'parameter' | 'index'>} Part */

/** px of the design that a heat map may take. */
const MAP_PX = { width: 330, height: 240, cell: 14 };
/** The largest terms of a gradient are shown. */
const SHOWN_TERMS = 8;

export class Adam extends TrainingPart {
  constructor() {
    super();
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
      <section class="arithmetic edged">${
        /* Squares of gradients would be next to nothing. */
        update && step ? plainly(() => this.#arithmetic(update), false) : nothing
      }</section>`;
  }

  /**
   * @param {{ name: string, shape: number[] }[]} parameters
   * @param {import('../../stage/draw/tensor.js').Cell} weight
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
    const [width, height] = [MAP_PX.width / columns, MAP_PX.height / rows];
    const square = Math.min(MAP_PX.cell, width, height);
    /* What is long and narrow need not be so on the page. */
    const size = {
      width: px * (rows > 2 * columns ? Math.min(MAP_PX.cell, width) : square),
      height: px * (rows === 1 ? MAP_PX.cell : square),
      mode: 'colours',
    };
    const map = (/** @type {string} */ what, /** @type {boolean} */ gradient) => html`<figure>
      <figcaption>${text(MAP_TEXTS[what])}</figcaption>
      <gf-heatmap
        .view=${heatmapView({ theme, limit: largest(step.data), slope: largest(step.grad), gradient, focus: weight })}
        .step=${step}
        .size=${size}
        .run=${side}
        .name=${text('chapters/training/adam/gridOf', { what: text(MAP_TEXTS[what]), name: step.name })}
      ></gf-heatmap>
    </figure>`;
    return html`<div class="maps">${map('values', false)} ${map('gradients', true)}</div>`;
  }

  /** @param {Update} update */
  #arithmetic(update) {
    const { plan, side, made, opened } = this.now;
    const recipe = plan.runs[side];
    if (!recipe || !made || !opened) return nothing;
    const { step, parameter, index } = update;
    const clipping = { clip: Number(recipe.training.clip), gradientNorm: opened.gradientNorm };
    const rate = scheduleOf(trainingAt(recipe, step), { step, dModel: made.config.dModel });
    return html`
      <h2>
        ${rich('chapters/training/adam/title', {
          step,
          weight: html`<b>${parameter}</b> [${index.map((i) => i + 1).join(', ')}]`,
        })}
      </h2>
      <table>
        <tbody>
          ${gradientLines(update, clipping)} ${momentLines(update)} ${valueLines(update, rate)}
        </tbody>
      </table>
      ${this.#terms(update)}
    `;
  }

  /** Where the gradient came from. @param {Update} update */
  #terms({ terms, gradient }) {
    const shown = terms
      .toSorted((a, b) => Math.abs(b.product) - Math.abs(a.product))
      .slice(0, SHOWN_TERMS);
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

const hat = (/** @type {string} */ letter) =>
  mathml`<mover accent="true"><mi>${letter}</mi><mo>^</mo></mover>`;
const NORM = mathml`<mrow><mo>‖</mo><mi>g</mi><mo>‖</mo></mrow>`;
const SUM = mathml`<mo>∑</mo><mi>x</mi><mo>×</mo><mi>δ</mi>`;

/** 1 − β, as float32 has it. @param {number} beta */
const rest = (beta) => Math.fround(1 - Math.fround(beta));

/** A number of an update, by its name. @param {Update} update @returns {(signs: Signs, name: Part) => any} */
const numberIn =
  (update) =>
  ({ number }, name) =>
    number(update[name], name);

/**
 * A line whose result is a number of the update.
 * @param {Update} update @param {string} name @param {Part} result @param {unknown} symbols @param {(signs: Signs) => any} formula
 */
const formulaLine = (update, name, result, symbols, formula) =>
  line(name, symbols, equation(formula, update[result], result));

/** The gradient, scaled down where its norm is too large.
 * @param {Update} update @param {{ clip: number, gradientNorm: number }} clipping */
function gradientLines(update, { clip, gradientNorm }) {
  const of = numberIn(update);
  const gradient = line(
    'gradient',
    mathml`<mi>g</mi><mo>=</mo>${SUM}`,
    alone(update.gradient, 'gradient'),
  );
  if (update.clipping >= 1) return gradient;
  return [
    gradient,
    formulaLine(
      update,
      'clipping',
      'clipping',
      mathml`<mi>c</mi><mo>=</mo><mi>C</mi><mo>/</mo>${NORM}`,
      ({ number, by }) => by(number(clip), number(gradientNorm)),
    ),
    formulaLine(update, 'clip', 'clipped', mathml`<mi>g</mi><mo>←</mo><mi>c</mi><mi>g</mi>`, (s) =>
      s.times(of(s, 'clipping'), of(s, 'gradient')),
    ),
  ];
}

/** Both moments, then their corrections. @param {Update} update */
function momentLines(update) {
  const of = numberIn(update);
  const g = update.clipping < 1 ? 'clipped' : 'gradient';
  const moments = /** @type {const} */ ([
    { name: 'm', beta: 'beta1', n: 1, before: 'mBefore', g: mathml`<mi>g</mi>`, power: 1 },
    {
      name: 'v',
      beta: 'beta2',
      n: 2,
      before: 'vBefore',
      g: mathml`<msup><mi>g</mi><mn>2</mn></msup>`,
      power: 2,
    },
  ]);
  return [
    ...moments.map(({ name, beta, n, before, g: letter, power }) => {
      const symbol = mathml`<msub><mi>β</mi><mn>${n}</mn></msub>`;
      const symbols = mathml`<mi>${name}</mi><mo>←</mo>${symbol}<mi>${name}</mi><mo>+</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${symbol}<mo stretchy="false">)</mo>${letter}`;
      return formulaLine(update, name, name, symbols, (s) => {
        const gradient = power === 1 ? of(s, g) : s.power(of(s, g), power);
        return s.plus(
          s.times(of(s, beta), of(s, before)),
          s.times(s.number(rest(update[beta])), gradient),
        );
      });
    }),
    ...moments.map(({ name, n }) => {
      const symbols = mathml`${hat(name)}<mo>=</mo><mi>${name}</mi><mo>/</mo><mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><msubsup><mi>β</mi><mn>${n}</mn><mi>t</mi></msubsup><mo stretchy="false">)</mo>`;
      return formulaLine(update, `${name}Hat`, `${name}Hat`, symbols, (s) =>
        s.by(of(s, name), of(s, `${name}Correction`)),
      );
    }),
  ];
}

/** The learning rate, and the new value. @param {Update} update @param {ReturnType<typeof scheduleOf>} rate */
function valueLines(update, rate) {
  const of = numberIn(update);
  return [
    formulaLine(
      update,
      'rate',
      'learningRate',
      mathml`<mi>η</mi><mo>=</mo>${rate.symbols}`,
      rate.numbers,
    ),
    formulaLine(
      update,
      'next',
      'next',
      mathml`<mi>w</mi><mo>←</mo><mi>w</mi><mo>−</mo><mi>η</mi>${hat('m')}<mo>/</mo><mo stretchy="false">(</mo><msqrt>${hat('v')}</msqrt><mo>+</mo><mi>ε</mi><mo stretchy="false">)</mo>`,
      (s) =>
        s.minus(
          of(s, 'value'),
          s.by(
            s.times(of(s, 'learningRate'), of(s, 'mHat')),
            s.bracket(s.plus(s.root(of(s, 'vHat')), of(s, 'epsilon'))),
          ),
        ),
    ),
  ];
}

/** A piece of a line's numbers: the first one begins with a sign. @param {unknown} piece @param {number} i @param {string} sign */
const pieceOf = (piece, i, sign) =>
  html`<math>${i === 0 ? mathml`<mo>${sign}</mo>` : nothing}${piece}</math> `;

/**
 * @param {string} name
 * @param {unknown} symbols
 * @param {{ given?: string, numbers?: unknown, is: string, result: unknown }} equation given: the sign before the numbers;
 *   numbers: in several pieces, if a line may end between them
 */
const line = (name, symbols, { given: sign = '=', numbers, is, result }) => html`<tr class=${name}>
  <th scope="row">${text(LINE_TEXTS[name])}</th>
  <td>
    <math>${symbols}</math>
    ${numbers ? html`<p class="numbers">${[numbers].flat().map((piece, i) => pieceOf(piece, i, sign))}</p>` : nothing}
  </td>
  <td class="result"><math><mo>${is}</mo>${result}</math></td>
</tr>`;

customElements.define('gf-adam', Adam);
