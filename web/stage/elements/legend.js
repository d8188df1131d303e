// Which colour is which value; always in sight.
import { html, nothing } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { ownLimit } from '../../app/state/view.js';
import { css, fill } from '../draw/colour.js';
import { display, full } from '../draw/format.js';
import { memoized } from '../draw/memoized.js';
import { symbol } from '../draw/names.js';
import { isBroken } from '../draw/tensor.js';
import { letter } from '../telling/number.js';
import { describe } from '../telling/words.js';
import { DeferredElement } from './deferred.js';

/** @type {Readonly<Record<string, string>>} */
const LEGEND_TEXTS = {
  signed: 'legend/signed',
  probability: 'legend/probability',
  slopes: 'legend/slopes',
};

const COLOUR_STEPS = 11;

/** Whether a step has a number that no colour stands for. */
const isBrokenIn = memoized((/** @type {import('../../app/session.js').Step} */ { data }) =>
  data.some(isBroken),
);

export class Legend extends DeferredElement {
  render() {
    const { slope, state, trace, target, stage, line, moment } = this.view;
    const limit = this.view.limitOf(stage);
    const isOwn = state.scale === 'own';
    const masked = trace.steps.some((step) => step.op === 'mask' && step.bypassed === null);
    const graded = state.gradient;
    const reached = line.stages.slice(0, moment.stage + 1);
    const first = reached.find((step) => step.kind !== 'ids' && isBrokenIn(step));
    return html`<div class="legend" role="group" aria-label=${text('legend/label')}>
      ${
        graded
          ? this.#bar('slopes', 'signed', -slope, slope)
          : [
              this.#bar('signed', 'signed', -limit, limit, isOwn ? stage : null),
              this.#bar('probability', 'probability', 0, 1),
            ]
      }
      ${masked ? html`<p><span class="swatch masked"></span> ${text('legend/masked')}, −∞</p>` : nothing}
      ${trace.mismatches.length ? html`<p><span class="swatch wrong"></span> ${text('legend/wrong')}</p>` : nothing}
      ${first ? html`<p><span class="swatch broken"></span> <span>${rich('legend/broken', { symbol: letter(symbol(first)) })}</span></p>` : nothing}
      ${
        graded
          ? nothing
          : html`<label>
            <input
              type="checkbox"
              .checked=${isOwn}
              @change=${() => this.act({ do: 'set', change: { scale: isOwn ? 'shared' : 'own' } })}
            />
            ${text('legend/own')}
          </label>`
      }
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
   * @param {import('../../app/session.js').Step | null} [of] the only tensor whose values it is about
   */
  #bar(name, scale, low, high, of = null) {
    // Equal steps of colour: for signed values these are squares, as fill() takes roots.
    const valueAt = (/** @type {number} */ k) => {
      const part = low + ((high - low) * k) / (COLOUR_STEPS - 1);
      return scale === 'signed' ? (part * Math.abs(part)) / high : part;
    };
    /* A number that was edited may lie beyond. */
    const isBeyond = name === 'signed' && ownLimit(this.view.stage) > high;
    const end = (/** @type {number} */ value) =>
      html`<span class="end" title=${full(value)}>${isBeyond ? (value < 0 ? '≤ ' : '≥ ') : ''}${display(value)}</span>`;
    return html`<p>
      <span class="name"
        >${of ? rich('legend/valuesOf', { symbol: letter(symbol(of)) }) : text(LEGEND_TEXTS[name])}</span
      >
      ${end(low)}
      <span class="bar" aria-hidden="true"
        >${Array.from(
          { length: COLOUR_STEPS },
          (_, k) => html`<span
            title=${display(valueAt(k))}
            style="background:${css(fill(valueAt(k), scale, high, this.view.theme))}"
          ></span>`,
        )}</span
      >
      ${end(high)}
    </p>`;
  }
}

customElements.define('gf-legend', Legend);
