// The button that opens the exports for teachers, which are loaded then.
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
