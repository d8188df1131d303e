// Every printed number of the text that is not the computed one; each opens its cell.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { beside, numeral } from '../draw/format.js';
import { indexAt, offset } from '../draw/tensor.js';
import { CAUSE_TEXTS } from '../telling/cause-texts.js';
import { number } from '../telling/number.js';
import { describe } from '../telling/words.js';
import { ViewElement } from './base.js';

/** @type {Readonly<Record<string, string>>} */
const MISMATCH_TEXTS = {
  noneWrong: 'mismatches/noneWrong',
  none: 'mismatches/none',
  nothing: 'mismatches/nothing',
  count: 'mismatches/count',
};

/** Of a number beside the steps, by its verdict. @type {Readonly<Record<string, string>>} */
const ASIDE_TEXTS = {
  wrong: 'mismatches/aside',
  truncated: 'mismatches/truncated',
  working: 'mismatches/working',
};

/** The cells whose printed numbers are truncated. @param {import('../../app/session.js').Trace} trace */
const truncatedIn = (trace) =>
  Object.entries(trace.printed).flatMap(([node, { shape, verdict }]) =>
    verdict.flatMap((one, i) => (one === 'truncated' ? { node, index: indexAt(shape, i) } : [])),
  );

/** A number beside the steps that is not the exact one, rounded.
 * @param {{ text: string, printed: string, computed: number, verdict: string }} aside */
const aside = ({ text: name, printed, computed, verdict }) =>
  html`<li>
    ${text(ASIDE_TEXTS[verdict], { text: name, printed: numeral(printed), value: beside(computed, printed) })}
  </li>`;

export class Mismatches extends ViewElement {
  render() {
    const { trace, example } = this.view;
    if (example.name === 'sentence' || !example.source) return nothing;
    const changed = this.view.isChanged;
    const asides = trace.asides.map((one, i) => ({
      ...one,
      printed: example.asides?.[i].printed ?? '',
    }));
    const wrongAsides = asides.filter(({ verdict }) => verdict === 'wrong');
    const wrong = trace.mismatches.length + wrongAsides.length;
    const truncated = truncatedIn(trace);
    const others = asides.filter(({ verdict }) => !['rounded', 'wrong'].includes(verdict));
    const isCut = truncated.length > 0 || others.some(({ verdict }) => verdict === 'truncated');
    const printed = Object.values(trace.printed)
      .flatMap(({ text: cells }) => cells)
      .filter((cell) => cell !== null).length;
    const all = printed + asides.length;
    const source = html`<p class="source"><b>${text('page/source')}.</b> ${example.source}</p>
      <p>${example.about}</p>`;
    const right = isCut ? 'noneWrong' : 'none';
    const kind = wrong > 0 ? 'count' : all === 0 ? 'nothing' : right;
    /* Whoever comes without the text is not met by its mistakes. */
    return html`<details @keydown=${this.#key}>
      <summary>${text('page/source')}</summary>
      <div class="sheet">
        ${source}
        ${changed ? nothing : html`<p><b>${text(MISMATCH_TEXTS[kind], { n: wrong || all })}</b></p>`}
        ${wrong > 0 ? html`<p class="quiet">${text('mismatches/intro')}</p>` : nothing}
        <ul>
          ${trace.mismatches.map((entry) => this.#entry(entry))} ${wrongAsides.map(aside)}
        </ul>
        ${
          truncated.length + others.length > 0
            ? html`<p class="quiet">${text('mismatches/others')}</p>
              <ul>
                ${truncated.map((entry) => this.#entry(entry))} ${others.map(aside)}
              </ul>`
            : nothing
        }
      </div>
    </details>`;
  }

  /** A cell whose printed number is wrong, with its cause, or truncated.
   * @param {import('../../app/session.js').Cell & Partial<import('../../app/session.js').Mismatch>} cell */
  #entry({ node, index, cause, from }) {
    const { trace, example } = this.view;
    const step = trace.step(node);
    const flat = offset(step.shape, index);
    const printed = trace.printed[node].text[flat] ?? '';
    const said = { printed: numeral(printed), value: '\n' };
    const sentence = cause ? text('microscope/wrong', said) : text('microscope/truncated', said);
    const [before, after] = sentence.split('\n');
    return html`<li>
      <button
        @click=${() => {
          this.querySelector('details')?.removeAttribute('open');
          this.act({ do: 'cell', cell: { node, index } });
        }}
      >${describe({ node, index }, { example, trace })}</button>
      ${before}${number({ node, index, value: step.data[flat] }, { of: step, shown: beside(step.data[flat], printed) })}${after}${cause ? html`<br />${text(CAUSE_TEXTS[`${cause}${from ?? ''}`])}` : nothing}
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
