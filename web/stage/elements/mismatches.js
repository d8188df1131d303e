// Every printed number of the text that is not the computed one; each opens its cell.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { beside, numeral } from '../draw/format.js';
import { offset } from '../draw/tensor.js';
import { CAUSE_TEXTS } from '../telling/cause-texts.js';
import { number } from '../telling/number.js';
import { describe } from '../telling/words.js';
import { ViewElement } from './base.js';

/** @type {Readonly<Record<string, string>>} */
const MISMATCH_TEXTS = {
  changed: 'mismatches/changed',
  none: 'mismatches/none',
  nothing: 'mismatches/nothing',
  count: 'mismatches/count',
};

export class Mismatches extends ViewElement {
  render() {
    const { trace, example, state } = this.view;
    if (example.name === 'sentence') return nothing;
    const changed = state.edits.length > 0 || state.remove.length > 0;
    const asides = trace.asides.filter(({ right }) => !right);
    const wrong = trace.mismatches.length + asides.length;
    const printed = Object.values(trace.printed)
      .flatMap(({ text: cells }) => cells)
      .filter((cell) => cell !== null).length;
    const all = printed + trace.asides.length;
    const source = html`<p class="source"><b>${text('page/source')}.</b> ${example.source}</p>
      <p>${example.about}</p>`;
    const kind = changed ? 'changed' : wrong > 0 ? 'count' : all > 0 ? 'none' : 'nothing';
    const label = text(MISMATCH_TEXTS[kind], { n: wrong || all });
    return html`<details @keydown=${this.#key}>
      <summary class=${wrong > 0 ? 'wrong' : ''}>${label}</summary>
      <div class="sheet">
        ${source}
        ${wrong > 0 ? html`<p class="quiet">${text('mismatches/intro')}</p>` : nothing}
        <ul>
          ${trace.mismatches.map((entry) => this.#entry(entry))}
          ${asides.map(
            (aside) => html`<li>
              ${text('mismatches/aside', {
                text: aside.text,
                printed: numeral(String(aside.printed)),
                value: beside(aside.computed, String(aside.printed)),
              })}
            </li>`,
          )}
        </ul>
      </div>
    </details>`;
  }

  /** @param {import('../../app/session.js').Mismatch} wrong */
  #entry(wrong) {
    const { trace, example } = this.view;
    const { node, index } = wrong;
    const step = trace.step(node);
    const flat = offset(step.shape, index);
    const printed = trace.printed[node].text[flat] ?? '';
    const said = { printed: numeral(printed), value: '\n' };
    const [before, after] = text('microscope/wrong', said).split('\n');
    return html`<li>
      <button
        @click=${() => {
          this.querySelector('details')?.removeAttribute('open');
          this.act({ do: 'cell', cell: { node, index } });
        }}
      >${describe(wrong, { example, trace })}</button>
      ${before}${number({ node, index, value: step.data[flat] }, { of: step, shown: beside(step.data[flat], printed) })}${after}<br />
      ${text(CAUSE_TEXTS[`${wrong.cause}${wrong.from ?? ''}`])}
    </li>`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape') return;
    this.querySelector('details')?.removeAttribute('open');
    this.querySelector('summary')?.focus();
    event.stopPropagation();
  }
}

customElements.define('gf-mismatches', Mismatches);
