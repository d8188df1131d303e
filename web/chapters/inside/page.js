// The page of the chapter: experiments on the model of the stories, or the birth of a head.
import { html } from 'lit';
import { cache } from 'lit/directives/cache.js';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { Base } from '../../stage/elements/base.js';
import { VIEWS } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const VIEW_TEXTS = {
  stories: 'chapters/inside/views/stories',
  birth: 'chapters/inside/views/birth',
};

export class Page extends Base {
  /** The elements of the views, with all that they need: what is in the page already begins when they are defined.
   * @type {Record<string, () => Promise<CustomElementConstructor>>} */
  static loads = {};

  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('./state.js').State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {Promise<unknown>} */
    this.loading = Promise.resolve();
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.loading;
    await /** @type {any} */ (this.querySelector('gf-stories, gf-birth'))?.updateComplete;
    return done && !this.isUpdatePending;
  }

  /** What a lesson reads. */
  get view() {
    return /** @type {any} */ (this.querySelector('gf-stories, gf-birth'))?.view ?? null;
  }

  willUpdate() {
    const { view } = this.state;
    const name = `gf-${view}`;
    if (customElements.get(name)) return;
    /* It is asked for at each update until it is there. */
    const define = (/** @type {CustomElementConstructor} */ element) =>
      customElements.get(name) ?? customElements.define(name, element);
    this.loading = Page.loads[view]()
      .then(define)
      .catch(() => this.tell(text('page/notLoaded'), () => this.requestUpdate()));
  }

  render() {
    const { state, theme } = this;
    return html`<div class="shelf views">
        <div class="tabs" role="group" aria-label=${text('page/panels')}>
          ${VIEWS.map(
            (view) => html`<button
              aria-pressed=${view === state.view}
              @click=${() => change(this, { view }, { undoable: true })}
            >${text(VIEW_TEXTS[view])}</button>`,
          )}
        </div>
      </div>
      ${
        /* What was trained is there when its reader comes back. */
        cache(
          state.view === 'birth'
            ? html`<gf-birth .state=${state} .theme=${theme}></gf-birth>`
            : html`<gf-stories .state=${state} .theme=${theme}></gf-stories>`,
        )
      }`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return !!(/** @type {any} */ (this.querySelector('gf-stories'))?.key?.(event));
  }
}

customElements.define('gf-chapter-inside', Page);
