// The buttons that open the dialogs for teachers, which are loaded then: the exports, and the teacher's own numbers.
import { html } from 'lit';
import { text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';

export class QuizButton extends Base {
  static properties = {
    session: { attribute: false },
    engine: { attribute: false },
    state: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {import('./element.js').Engine} */
    this.engine = /** @type {any} */ (null);
    /** @type {import('./state.js').State} */
    this.state = /** @type {any} */ (null);
  }

  #show = async () => {
    await import('./quiz.js');
    /** @type {import('./quiz.js').Quiz} */ (this.querySelector('gf-quiz')).show();
  };

  render() {
    const { session, engine, state } = this;
    return html`<button aria-haspopup="dialog" @click=${this.#show}>${text('chapters/exercises/quiz/button')}</button>
      <gf-quiz .session=${session} .engine=${engine} .state=${state}></gf-quiz>`;
  }
}

customElements.define('gf-quiz-button', QuizButton);

export class OwnNumbersButton extends Base {
  static properties = { element: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Exercises} */
    this.element = /** @type {any} */ (null);
  }

  #show = async () => {
    await import('./numbers.js');
    /** @type {import('./numbers.js').OwnNumbers} */ (this.querySelector('gf-own-numbers')).show();
  };

  render() {
    return html`<button aria-haspopup="dialog" @click=${this.#show}>${text('chapters/exercises/numbers/button')}</button>
      <gf-own-numbers .element=${this.element}></gf-own-numbers>`;
  }
}

customElements.define('gf-own-numbers-button', OwnNumbersButton);
