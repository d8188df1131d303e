// Which colour is which value; always in sight.
import { html, nothing } from 'lit';
import { css, fill } from '../draw/colour.js';
import { display, full } from '../draw/format.js';
import { text } from '../locale/text.js';
import { describe } from '../telling/words.js';
import { Base } from './base.js';

const STEPS = 11;

export class Legend extends Base {
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../state/view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  render() {
    const { limit, slope, state, trace, target } = this.view;
    const masked = trace.steps.some((step) => step.op === 'mask' && step.bypassed === null);
    const graded = state.gradient;
    return html`<div class="legend" role="group" aria-label=${text('legend/label')}>
      ${
        graded
          ? this.#bar('slopes', 'signed', -slope, slope)
          : [
              this.#bar('signed', 'signed', -limit, limit),
              this.#bar('probability', 'probability', 0, 1),
            ]
      }
      ${masked ? html`<p><span class="swatch masked"></span> ${text('legend/masked')}, −∞</p>` : nothing}
      ${
        target
          ? html`<label>
            <input
              type="checkbox"
              .checked=${graded}
              @change=${() => this.act({ do: 'gradient' })}
            />
            ${
              graded
                ? text('legend/gradientOf', { target: describe(target, this.view) })
                : text('legend/gradient')
            }
          </label>`
          : nothing
      }
    </div>`;
  }

  /**
   * @param {string} name
   * @param {import('../draw/colour.js').Scale} scale
   * @param {number} low
   * @param {number} high
   */
  #bar(name, scale, low, high) {
    // Equal steps of colour: for signed values these are squares, as fill() takes roots.
    const at = (/** @type {number} */ k) => {
      const part = low + ((high - low) * k) / (STEPS - 1);
      return scale === 'signed' ? (part * Math.abs(part)) / high : part;
    };
    const end = (/** @type {number} */ value) =>
      html`<span class="end" title=${full(value)}>${display(value)}</span>`;
    return html`<p>
      <span class="name">${text(`legend/${name}`)}</span>
      ${end(low)}
      <span class="bar" aria-hidden="true"
        >${Array.from(
          { length: STEPS },
          (_, k) => html`<span
            title=${display(at(k))}
            style="background:${css(fill(at(k), scale, high, this.view.theme))}"
          ></span>`,
        )}</span
      >
      ${end(high)}
    </p>`;
  }
}

customElements.define('gf-legend', Legend);
