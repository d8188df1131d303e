// Meaning: what the vectors of the trained translator hold. Four claims of the guides, each measured.
import { html } from 'lit';
import { brings, text } from '../../../app/locale/text.js';
import { Base } from '../../../stage/elements/base.js';
import { untrained } from '../../../workers/inside/meaning.js';
import { MEASURED } from '../state.js';
import './meaning.css';
import './redundancy.js';
import './senses.js';
import './similar.js';
import './values.js';

brings(
  import.meta.glob('../../../../bindings/words/en/page.json', {
    query: '?chapters/meaning',
    import: 'default',
    eager: true,
  }),
);

/** @type {Readonly<Record<string, string>>} */
const CLAIM_TEXTS = {
  senses: 'chapters/meaning/claims/senses',
  similar: 'chapters/meaning/claims/similar',
  values: 'chapters/meaning/claims/values',
  redundancy: 'chapters/meaning/claims/redundancy',
};

/** The words that claims begin with. @type {Readonly<Record<string, string>>} */
const WORDS = { senses: 'lit', similar: 'noir', values: 'lit', redundancy: 'lit' };
/** Of the weights that nobody trained. */
const SEED = 1;

export class Meaning extends Base {
  static properties = { view: { attribute: false }, subject: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('../translator.js').Translator} */
    this.subject = /** @type {any} */ (null);
    /** The same model before its training. @type {any} */
    this.fresh = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.fresh?.dispose();
    this.fresh = null;
  }

  render() {
    const { view, subject } = this;
    const { task, model } = subject;
    this.fresh ??= untrained(/** @type {any} */ (view.session).core, task, SEED);
    const [trained, fresh] = [model, this.fresh].map((one) => ({ model: one, task }));
    const { measured } = view.state;
    return html`<div class="panel">
      <div class="tabs" role="group" aria-label=${text('chapters/meaning/label')}>
        ${MEASURED.map(
          (name) => html`<button
            aria-pressed=${name === measured}
            @click=${() => this.act({ do: 'set', change: { measured: name, mark: 0, word: WORDS[name] } })}
          >${text(CLAIM_TEXTS[name])}</button>`,
        )}
      </div>
      ${this.#claim(measured, trained, fresh)}
    </div>`;
  }

  /** @param {string} name @param {import('./measures.js').Subject} trained @param {import('./measures.js').Subject} fresh */
  #claim(name, trained, fresh) {
    const { view } = this;
    if (name === 'similar')
      return html`<gf-similar .view=${view} .subject=${trained} .untrained=${fresh}></gf-similar>`;
    if (name === 'values') return html`<gf-values .view=${view} .subject=${trained}></gf-values>`;
    if (name === 'redundancy')
      return html`<gf-redundancy .view=${view} .subject=${trained}></gf-redundancy>`;
    return html`<gf-senses .view=${view} .subject=${trained} .untrained=${fresh}></gf-senses>`;
  }
}

customElements.define('gf-meaning', Meaning);
