// The reader's own text, answered by the model as it is at the step that is shown: greedily, sampled, by beam search.
import { html, nothing } from 'lit';
import { message, text as say } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { plain } from '../../stage/telling/number.js';
import { TrainingPart } from './part.js';
import { parts } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const WRITER_HELP_TEXTS = {
  temperature: 'chapters/training/writer/temperatureHelp',
  topK: 'chapters/training/writer/topKHelp',
  draw: 'chapters/training/writer/drawHelp',
  beams: 'chapters/training/writer/beamsHelp',
};

/** @type {Readonly<Record<string, string>>} */
const FIELD_TEXTS = {
  temperature: 'chapters/training/writer/temperature',
  topK: 'chapters/training/writer/topK',
  draw: 'chapters/training/writer/draw',
  beams: 'chapters/training/writer/beams',
};

/** @type {Readonly<Record<string, string>>} */
const WAY_TEXTS = {
  greedy: 'chapters/training/writer/ways/greedy',
  sampled: 'chapters/training/writer/ways/sampled',
  beamed: 'chapters/training/writer/ways/beamed',
  next: 'chapters/training/writer/ways/next',
};

/** @typedef {import('../../workers/trainer/protocol.js').Written} Written */
/** @typedef {{ side: string, greedy: Written | null, sampled: Written | null, beams: Written | null }} Result */

const NUMBERS = /** @type {const} */ (['temperature', 'topK', 'draw', 'beams']);

export class Writer extends TrainingPart {
  static properties = {
    results: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    /** @type {{ step: number, text: string, runs: Result[] } | null} */
    this.results = null;
    this.busy = false;
  }

  render() {
    const { state, started, pair } = this.now;
    const text = state.text || (started?.examples[pair].source ?? '');
    return html`<h2 class="label">${say('chapters/training/writer/label')}</h2>
      <form @submit=${this.#write}>
        <label class="field wide"
          >${say('chapters/training/writer/text')}<input name="text" autocomplete="off" required maxlength="120" .value=${text}
        /></label>
        ${NUMBERS.map(
          (name) => html`<label class="field" title=${say(WRITER_HELP_TEXTS[name])}
            >${say(FIELD_TEXTS[name])}
            <input
              type="number"
              name=${name}
              step=${name === 'temperature' ? 'any' : 1}
              min=${name === 'temperature' ? 0.01 : name === 'beams' ? 2 : 0}
              .value=${String(state[name])}
              required
            />
          </label>`,
        )}
        <button class="main" ?disabled=${this.busy || !started}>${say('chapters/training/writer/write')}</button>
      </form>
      ${this.#results()}`;
  }

  #results() {
    const { results } = this;
    if (!results) return nothing;
    return html`<div class="results" role="status">
      <p class="quiet">${say('chapters/training/writer/at', { step: results.step, text: results.text })}</p>
      ${results.runs.map(
        ({ side, greedy, sampled, beams }) => html`<div class="run-${side}" data-side=${side}>
          ${results.runs.length > 1 ? html`<h3 class="side">${side.toUpperCase()}</h3>` : nothing}
          <dl>
          ${greedy ? row('greedy', greedy.text, sum(greedy)) : nothing}
          ${sampled ? row('sampled', sampled.text, sum(sampled)) : nothing}
          ${beams?.beams.map((beam, i) =>
            row(i === 0 ? 'beamed' : 'next', beam.text, beam.logProb),
          )}
          </dl>
        </div>`,
      )}
    </div>`;
  }

  /** @param {SubmitEvent} event */
  async #write(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const data = new FormData(form);
    const text = String(data.get('text')).trim();
    /** @type {Partial<import('./state.js').State>} */
    const wanted = { text };
    for (const name of NUMBERS) {
      try {
        wanted[name] = parts[name].read(String(data.get(name)));
      } catch {
        this.tell(
          say('chapters/training/writer/bad', {
            name: say(FIELD_TEXTS[name]),
            text: String(data.get(name)),
          }),
        );
        return;
      }
    }
    change(this, wanted, { passing: true });
    this.busy = true;
    try {
      await this.#ask({ ...this.now.state, ...wanted });
    } catch (error) {
      this.tell(say('chapters/training/writer/refused', { message: message(error) }));
    }
    this.busy = false;
  }

  /** @param {import('./state.js').State} state */
  async #ask({ text, temperature, topK, draw, beams }) {
    const { sides, shown, last, course } = this.now;
    const runs = [];
    for (const { side, record } of sides) {
      const step = Math.min(shown, record.last);
      const place = { side, step: step === last ? null : step };
      const by = (/** @type {import('../../workers/trainer/protocol.js').Way} */ way) =>
        course.ask('write', { at: place, text, way });
      runs.push({
        side,
        greedy: await by({}),
        sampled: await by({ temperature, topK, seed: draw }),
        beams: await by({ beams }),
      });
    }
    this.results = { step: shown, text, runs };
    await this.updateComplete;
    this.querySelector('.results')?.scrollIntoView({ block: 'nearest' });
  }
}

/** @param {Written} written */
const sum = ({ logProbs }) => logProbs.reduce((a, b) => a + b, 0);

/**
 * @param {string} way
 * @param {string} text
 * @param {number} logProb
 */
const row = (way, text, logProb) => html`<div class=${way}>
  <dt class="way">${say(WAY_TEXTS[way])}</dt>
  <dd>
    ${text || html`<span class="quiet">${say('chapters/training/predictions/nothing')}</span>`}
    <span class="likely">${say('chapters/training/writer/logProb')} ${plain(logProb)}</span>
  </dd>
</div>`;

customElements.define('gf-writer', Writer);
