// Size: what a transformer of sizes of one's choice consists of, as the core would build it.
import { html } from 'lit';
import { Base } from '../../elements/base.js';
import { count, message, text } from '../../locale/text.js';
import { typeset } from '../../telling/number.js';
import { SIZES } from './state.js';

/** @typedef {{ rows: { name: string, parameters: number }[], parameters: number }} Summary */
/** @typedef {{ name: string, path: RegExp, times: number, whole?: boolean }} Part whole: the sum of those before */

/** @param {number} layers @returns {Part[]} */
const partsOf = (layers) => [
  { name: 'words', path: /embedding$/, times: 1 },
  { name: 'encoderAttention', path: /^encoder\.layers\.0\.self_attn/, times: layers },
  { name: 'encoderForward', path: /^encoder\.layers\.0\.linear/, times: layers },
  { name: 'encoderNorms', path: /^encoder\.layers\.0\.norm/, times: layers },
  { name: 'encoder', path: /^encoder\.layers\.0\./, times: layers, whole: true },
  { name: 'decoderAttention', path: /^decoder\.layers\.0\.self_attn/, times: layers },
  { name: 'crossAttention', path: /^decoder\.layers\.0\.cross_attn/, times: layers },
  { name: 'decoderForward', path: /^decoder\.layers\.0\.linear/, times: layers },
  { name: 'decoderNorms', path: /^decoder\.layers\.0\.norm/, times: layers },
  { name: 'decoder', path: /^decoder\.layers\.0\./, times: layers, whole: true },
];

/** @param {Summary} summary @param {RegExp} path */
const total = ({ rows }, path) =>
  rows.reduce((sum, { name, parameters }) => sum + (path.test(name) ? parameters : 0), 0);

export class ModelSize extends Base {
  static properties = { view: { attribute: false }, core: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {any} */
    this.core = null;
    /** @type {{ key: string, counted: ReturnType<ModelSize['count']> }} */
    this.counted = { key: '', counted: /** @type {any} */ (null) };
  }

  /** @param {Record<string, number>} size */
  count({ layers, dModel, heads, dFF, vocab }) {
    const options = { kind: 'transformer', vocab, dModel, heads, layers, dFF, maxLength: 2 };
    const count = (/** @type {object} */ more = {}) =>
      /** @type {Summary} */ (this.core.summary({ ...options, ...more }));
    try {
      const one = count();
      const three = count({ sourceVocab: vocab, tied: false });
      return { one, three, bare: count({ bias: false }) };
    } catch (error) {
      return { failure: /** @type {Error} */ (error) };
    }
  }

  render() {
    const { size } = this.view.state;
    const key = JSON.stringify(size);
    if (this.counted.key !== key) this.counted = { key, counted: this.count(size) };
    return html`<div class="panel">
      ${this.#told(size)}
      <div class="controls">
        ${Object.entries(SIZES).map(([name, [min, max]]) => this.#field(name, min, max))}
      </div>
      ${this.#table(size)}
    </div>`;
  }

  /** @param {Record<string, number>} size */
  #told({ dModel, heads }) {
    const { one, three, failure } = this.counted.counted;
    if (!one || !three)
      return html`<p class="lead" role="alert">
        ${typeset(text('page/refused', { message: message(failure) }))}
      </p>`;
    const values = {
      dModel,
      heads,
      dk: dModel / heads,
      one: count(one.parameters),
      three: count(three.parameters),
    };
    return html`<p class="lead">${typeset(text('chapters/transformer/size/lead', values))}</p>
      <p class="prose">${typeset(text('chapters/transformer/size/tables', values))}</p>`;
  }

  /**
   * @param {string} name
   * @param {number} min
   * @param {number} max
   */
  #field(name, min, max) {
    const { size } = this.view.state;
    return html`<label
      ><span>${typeset(text(`chapters/transformer/size/fields/${name}`))}</span>
      <input
        type="number"
        min=${min}
        max=${max}
        .value=${String(size[name])}
        @change=${(/** @type {Event} */ event) => {
          const field = /** @type {HTMLInputElement} */ (event.currentTarget);
          if (field.value === '' || !field.checkValidity()) field.value = String(size[name]);
          else this.act({ do: 'set', change: { size: { ...size, [name]: field.valueAsNumber } } });
        }}
      />
    </label>`;
  }

  /** @param {Record<string, number>} size */
  #table({ layers }) {
    const { one, bare } = this.counted.counted;
    if (!one || !bare) return '';
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${text('chapters/transformer/size/table')}>
      <table class="facts">
        <thead>
          <tr>
            ${['part', 'parameters', 'biases', 'times', 'all'].map(
              (name) =>
                html`<th scope="col">${text(`chapters/transformer/size/columns/${name}`)}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${partsOf(layers).map(({ name, path, times, whole }) => {
            const own = total(one, path);
            return html`<tr class=${whole ? 'whole' : ''}>
              <th scope="row">${text(`chapters/transformer/size/parts/${name}`)}</th>
              <td>${count(own)}</td>
              <td>${count(own - total(bare, path))}</td>
              <td>${count(times)}</td>
              <td>${count(times * own)}</td>
            </tr>`;
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${text('chapters/transformer/cost/all')}</th>
            <td></td>
            <td></td>
            <td></td>
            <td>${count(one.parameters)}</td>
          </tr>
        </tfoot>
      </table>
    </div>`;
  }
}

customElements.define('gf-size', ModelSize);
