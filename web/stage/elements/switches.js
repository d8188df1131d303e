// One switch for each step that can be removed, with the claim about what breaks without it.
import { html, nothing } from 'lit';
import { message, text } from '../../app/locale/text.js';
import { SHARPNESS } from '../experiments/names.js';
import { typeset, untypeset } from '../telling/number.js';
import { SWITCH_TEXTS } from '../telling/switch-texts.js';
import { ViewElement } from './base.js';

/** What breaks without a step, or why it cannot be removed.
 * @param {import('../../app/session.js').Trace['removable'][number]} removable */
const claimOf = ({ name, possible, why, reason }) =>
  possible ? text(SWITCH_TEXTS[name].claim) : message(why, reason ?? '');

export class Switches extends ViewElement {
  render() {
    const { trace, state } = this.view;
    const reasons = new Set(
      trace.removable.map(({ why, reason }) => why && message(why, reason ?? '')),
    );
    if (reasons.size === 1 && !reasons.has(null)) {
      return html`<h2 class="label">${text('switches/label')}</h2>
        <p class="quiet">${[...reasons]}</p>`;
    }
    return html`<h2 class="label">${text('switches/label')}</h2>
      <ul>
        ${trace.removable.map((one) => {
          const { name, possible } = one;
          const on = state.remove.includes(name);
          /* What this example does not have. */
          if (!possible && !on) return nothing;
          return html`<li title=${untypeset(claimOf(one))}>
            <label>
              <input
                type="checkbox"
                .checked=${on}
                ?disabled=${this.view.locked('remove')}
                @change=${() => this.act({ do: 'remove', name })}
              />
              <span class="what">${typeset(text(SWITCH_TEXTS[name].name))}</span>
            </label>
            <button
              class="test"
              aria-haspopup="dialog"
              aria-label=${text('claims/testOf', { what: text(SWITCH_TEXTS[name].name) })}
              @click=${() => this.act({ do: 'set', change: { claim: name } })}
            >${text('claims/test')}</button>
          </li>`;
        })}
      </ul>
      ${this.#broken()} ${this.#sharpness()}`;
  }

  /** What breaks without the step that was removed last. Its room is there before: no switch moves under a pointer. */
  #broken() {
    const { trace, state } = this.view;
    const name = state.remove.at(-1);
    const last = trace.removable.find((one) => one.name === name);
    return html`<p class="claim">${last && typeset(claimOf(last))}</p>`;
  }

  /** Of one attention without heads its look-up can be made softer and harder. */
  #sharpness() {
    const { trace } = this.view;
    if (!trace.steps.some(({ role, shape }) => role === 'weight' && shape.length === 2))
      return nothing;
    return html`<p class="more">
        <button
          class="test"
          aria-haspopup="dialog"
          @click=${() => this.act({ do: 'set', change: { claim: SHARPNESS } })}
        >${text('switches/sharpness')}</button>
      </p>`;
  }
}

customElements.define('gf-switches', Switches);
