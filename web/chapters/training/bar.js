// The timeline of a training: start, pause, one step, scrub.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { command } from './command.js';
import { TrainingPart } from './part.js';

/** @type {Readonly<Record<string, string>>} */
const BUTTON_TEXTS = {
  play: 'chapters/training/bar/play',
  pause: 'chapters/training/bar/pause',
  step: 'chapters/training/bar/step',
  reset: 'chapters/training/bar/reset',
};

const ICONS = {
  play: 'M4 2.5l9 5.5-9 5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M3 3l6 5-6 5zM11 3h2v10h-2z',
  reset: 'M4 3v10M13 3l-6 5 6 5z',
};

export class TrainingBar extends TrainingPart {
  render() {
    const { state, playing, first, last, steps, shown, alone } = this.now;
    return html`
      <div class="buttons" role="group" aria-label=${text('chapters/training/bar/label')}>
        ${this.#button('reset', '', last === first && state.step === null)}
        ${
          /* The walk through the values of a step has a Play of its own. */
          state.view === 'values'
            ? nothing
            : this.#button(playing ? 'pause' : 'play', 'main', last >= steps && !playing && !alone)
        }
        ${this.#button('step', '', playing || last >= steps)}
      </div>
      <div class="track">
        <input
          type="range"
          min=${first}
          max=${Math.max(steps, first + 1)}
          .value=${String(shown)}
          style=${`--done:${this.#part(shown)};--taken:${this.#part(last)}`}
          aria-label=${text('chapters/training/bar/scrub')}
          aria-valuetext=${text('chapters/training/bar/value', { step: shown, steps })}
          @input=${(/** @type {InputEvent} */ event) =>
            change(this, { step: stepOf(event) }, { passing: true, moving: true })}
          @change=${(/** @type {Event} */ event) =>
            change(this, { step: stepOf(event) }, { passing: true })}
        />
      </div>
      <p class="count" aria-hidden="true">${text('chapters/training/bar/value', { step: shown, steps })}</p>
      <p class="doing" role="status">${this.#doing()}</p>
    `;
  }

  /** @param {number} step */
  #part(step) {
    const { first, steps } = this.now;
    return Math.min(1, (step - first) / Math.max(1, steps - first));
  }

  /** What is under way that was not started by the play button, and the way to end it. */
  #doing() {
    const { playing, doing, replay, last, goal } = this.now;
    const cancel = html`<button @click=${() => command(this, 'cancel')}>${text('chapters/training/bar/cancel')}</button>`;
    if (doing === 'train' && !playing && goal > last + 1) {
      return html`${text('chapters/training/bar/training', { step: goal, last })} ${cancel}`;
    }
    if (doing === 'open' && replay && replay.of > 2) {
      return html`${text('chapters/training/bar/replay', { done: replay.done, of: replay.of })} ${cancel}`;
    }
    return nothing;
  }

  /**
   * @param {keyof typeof ICONS} name
   * @param {string} kind
   * @param {boolean} disabled
   */
  #button(name, kind, disabled) {
    const label = text(BUTTON_TEXTS[name]);
    const asked = name === 'pause' ? 'play' : name;
    return html`<button
      class="icon ${kind}"
      title=${label}
      aria-label=${label}
      ?disabled=${disabled}
      @click=${() => command(this, asked)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>
    </button>`;
  }
}

/** @param {Event} event */
const stepOf = (event) => Number(/** @type {HTMLInputElement} */ (event.currentTarget).value);

customElements.define('gf-training-bar', TrainingBar);
