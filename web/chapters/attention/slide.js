// What a slide has besides its picture: the title, the whole formula with the factor that the step is about, the number of the
// slide, and what ends the walk.
import { html, mathml, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { slideAt } from '../../app/state/timeline.js';
import { ViewElement } from '../../stage/elements/base.js';
import { oneScreen, roomObserver, unitOf } from '../../stage/elements/room.js';
import '../../stage/elements/figure.js';
import { typeset } from '../../stage/telling/number.js';
import { title } from '../../stage/telling/words.js';
import { askable } from './what-if.js';
import './slide.css';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../app/state/view.js').View} View */

/** The parts of the formula that a step is about, by what removes it, or by its role. @type {Record<string, string[]>} */
const PARTS = {
  ...{ query: ['q'], key: ['k'], value: ['v'] },
  ...{ scores: ['q', 'k'], scale: ['divisor'], mask: ['mask'], softmax: ['softmax'] },
  ...{ mix: ['softmax', 'v'], w_o: ['w_o'] },
};

/** @param {string} letter @param {string} [below] */
const symbol = (letter, below) =>
  below ? mathml`<msub><mi>${letter}</mi><mi>${below}</mi></msub>` : mathml`<mi>${letter}</mi>`;

const DIVISORS = {
  root: mathml`<msqrt>${symbol('d', 'k')}</msqrt>`,
  one: mathml`<mn>1</mn>`,
  width: symbol('d', 'k'),
};

/** What attention computes here, without the steps that are removed, and with the present one marked.
 * @param {View} view @param {boolean} isWhole whether nothing is marked: all is done */
function formulaOf({ trace, stage, state }, isWhole) {
  const removable = (/** @type {string} */ name) =>
    trace.steps.find(({ removal, bypassed }) => removal?.name === name && bypassed === null);
  const now = isWhole ? [] : (PARTS[stage.removal?.name ?? ''] ?? PARTS[String(stage.role)] ?? []);
  const isLast = !isWhole && stage.role === 'output';
  /** @param {string} name @param {unknown} what */
  const part = (name, what) =>
    mathml`<mrow class=${now.includes(name) ? 'now' : ''}>${what}</mrow>`;
  const product = mathml`${part('q', symbol('Q'))}${part('k', mathml`<msup><mi>K</mi><mi mathvariant="normal">T</mi></msup>`)}`;
  const divisor = DIVISORS[/** @type {keyof typeof DIVISORS} */ (state.divide ?? 'root')];
  const scores = removable('scale')
    ? mathml`<mfrac><mrow>${product}</mrow>${part('divisor', divisor)}</mfrac>`
    : product;
  const masked = removable('mask')
    ? mathml`${scores}<mo>+</mo>${part('mask', symbol('M'))}`
    : scores;
  const within = mathml`<mspace width="0.15em" /><mo>(</mo>${masked}<mo>)</mo><mspace width="0.15em" />`;
  const weights = removable('softmax')
    ? mathml`${part('softmax', mathml`<mi>softmax</mi>`)}${within}`
    : within;
  const mixed = mathml`${weights}${part('v', symbol('V'))}`;
  const isJoined = trace.steps.some(({ role }) => role === 'concat');
  return html`<math displaystyle="true">
    <mrow class=${isLast ? 'now' : ''}>${symbol('O')}</mrow><mo>=</mo>
    ${isJoined ? mathml`<mi>concat</mi><mo>(</mo>${mixed}<mo>)</mo>` : mixed}
    ${removable('w_o') ? part('w_o', symbol('W', 'O')) : nothing}
  </math>`;
}

export class Slide extends ViewElement {
  static properties = {
    ...ViewElement.properties,
    asks: { attribute: false },
    ends: { attribute: false },
  };

  constructor() {
    super();
    /** Whether the reader asks what if. */
    this.asks = false;
    /** Whether this is the slide behind the last one of the walk. */
    this.ends = false;
  }

  render() {
    const { view, ends } = this;
    const slide = slideAt(view.line, view.state.t);
    const { scaling, queries } = askable(view);
    const canAsk = !ends && (scaling || queries);
    return html`<header class=${ends ? 'end' : ''}>
        <h2>${ends ? text('slide/end') : typeset(title(view.stage))}</h2>
        <p class="formula">${formulaOf(view, ends)}</p>
        <button
          class=${canAsk ? '' : 'later'}
          aria-expanded=${this.asks}
          @click=${() => this.dispatchEvent(new Event('gf-ask'))}
        >${text('whatIf/label')}</button>
        <p class="number">${ends ? slide.all + 1 : slide.at} / ${slide.all + 1}</p>
      </header>`;
  }
}

customElements.define('gf-slide', Slide);

/** The last slide: the weights, and what attention makes of the values. */
export class Ending extends ViewElement {
  static properties = { ...ViewElement.properties, box: { state: true } };

  constructor() {
    super();
    this.box = { width: 0, height: 0 };
    this.observer = roomObserver((box) => {
      this.box = box;
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  render() {
    const { view, box } = this;
    const { steps } = view.trace;
    const shown = ['weight', 'output'].map((role) => steps.findLast((step) => step.role === role));
    const unit = unitOf(this);
    const room = { width: box.width / 2 - 16 * unit, height: box.height };
    const narrow = !oneScreen(this);
    return shown.map(
      (step) =>
        step &&
        html`<section><h3>${typeset(title(step))}</h3><gf-figure
          .view=${{ ...view, stage: step, focus: null, operands: [] }}
          .room=${room}
          .unit=${unit}
          .narrow=${narrow}
          .alone=${step}
        ></gf-figure></section>`,
    );
  }
}

customElements.define('gf-ending', Ending);
