// What the views of this panel share: a measurement of the model as it is now, done once for each set of edits.
import { html } from 'lit';
import { text } from '../../../app/locale/text.js';
import { Base } from '../../../stage/elements/base.js';

/** @typedef {import('../../../app/state/view.js').View} View */

/** @type {Readonly<Record<import('./verdicts.js').Says, string>>} */
const VERDICT_TEXTS = {
  holds: 'chapters/meaning/holds',
  partly: 'chapters/meaning/partly',
  fails: 'chapters/meaning/fails',
};

/** @template T the result of the measurement */
export class MeaningPart extends Base {
  static properties = {
    view: { attribute: false },
    subject: { attribute: false },
    untrained: { attribute: false },
    result: { state: true },
  };

  constructor() {
    super();
    /** @type {View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('./measures.js').Subject} */
    this.subject = /** @type {any} */ (null);
    /** @type {import('./measures.js').Subject} */
    this.untrained = /** @type {any} */ (null);
    /** @type {T | null} null while it is measured */
    this.result = null;
    /** What the result is of. */
    this.measured = '';
    this.stop = new AbortController();
  }

  /** What a measurement depends on. */
  get key() {
    return JSON.stringify(this.view.state.edits);
  }

  /** @param {AbortSignal} _signal @returns {Promise<T | null>} null where there is nothing to measure */
  async measure(_signal) {
    return null;
  }

  updated() {
    if (this.key === this.measured) return;
    this.measured = this.key;
    this.#measure();
  }

  async #measure() {
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.result = null;
    try {
      const result = await this.measure(signal);
      if (!signal.aborted) this.result = result;
    } catch {
      if (!signal.aborted) this.tell(text('page/notLoaded'), () => this.#measure());
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop.abort();
    this.measured = '';
  }

  /** @param {Record<string, unknown>} change */
  set(change) {
    this.act({ do: 'set', change });
  }

  waiting() {
    return html`<p class="verdict" role="status"><progress></progress> ${text('chapters/meaning/measuring')}</p>`;
  }

  /** @param {import('./verdicts.js').Says} says @param {unknown} why */
  verdict(says, why) {
    return html`<p class="verdict ${says === 'fails' ? 'against' : ''}" role="status">
      <b>${text(VERDICT_TEXTS[says])}</b> ${why}
    </p>`;
  }
}
