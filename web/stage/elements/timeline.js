// The timeline: one scrubber whose ticks show stages, rows, cells and terms.
import { html, nothing, svg } from 'lit';
import { text } from '../../app/locale/text.js';
import { SPEEDS } from '../../app/state/store.js';
import { clockAt, LEVELS } from '../../app/state/timeline.js';
import { numeral } from '../draw/format.js';
import { symbol } from '../draw/names.js';
import { shortCaption } from '../telling/captions.js';
import { title } from '../telling/words.js';
import { ViewElement } from './base.js';

const CHOICE_TEXTS = { level: 'timeline/level', film: 'timeline/film', speed: 'timeline/speed' };

/** @type {Readonly<Record<string, string>>} */
const OPTION_TEXTS = {
  stage: 'timeline/levels/stage',
  row: 'timeline/levels/row',
  cell: 'timeline/levels/cell',
  term: 'timeline/levels/term',
  off: 'timeline/films/off',
  short: 'timeline/films/short',
  long: 'timeline/films/long',
  full: 'timeline/films/full',
};
const FILMS = ['off', 'short', 'long', 'full'];

const BUTTONS = {
  first: { label: 'timeline/first', icon: 'M4 3v10M13 3l-6 5 6 5z' },
  back: { label: 'timeline/back', icon: 'M12 3l-6 5 6 5z' },
  play: { label: 'timeline/play', icon: 'M4 2.5l9 5.5-9 5.5z' },
  pause: { label: 'timeline/pause', icon: 'M4 3h3v10H4zM9 3h3v10H9z' },
  forward: { label: 'timeline/forward', icon: 'M4 3l6 5-6 5z' },
  last: { label: 'timeline/last', icon: 'M12 3v10M3 3l6 5-6 5z' },
};

/** Ticks closer than this share of the whole are left out, coarse ones first drawn. */
const MIN_TICK_GAP = 0.0018;

export class TimelineBar extends ViewElement {
  constructor() {
    super();
    /** @type {import('../../app/state/timeline.js').Timeline | null} */
    this.drawn = null;
    /** @type {unknown} */
    this.ticks = nothing;
  }

  /** Between two steps only the playhead goes on.
   * @param {Map<string, unknown>} changed */
  shouldUpdate(changed) {
    const isChanged = super.shouldUpdate(changed);
    if (!isChanged) this.#movePlayhead();
    return isChanged;
  }

  updated() {
    this.#movePlayhead();
  }

  /** The playhead lies over the slider, whose own would make the browser lay it out at each frame. */
  #movePlayhead() {
    const { line, state } = this.view;
    const part = clockAt(line, state.t) / line.duration;
    const [played, playhead] = /** @type {NodeListOf<HTMLElement>} */ (
      this.querySelectorAll('.played, .playhead')
    );
    played.style.transform = `scaleX(${part})`;
    playhead.style.transform = `translateX(${100 * part}%)`;
  }

  render() {
    const { line, state, playing } = this.view;
    const end = line.moments.length - 1;
    const clock = clockAt(line, state.t);
    return html`
      <div class="buttons" role="group" aria-label=${text('timeline/label')}>
        ${this.#button('first', () => this.act({ do: 'goto', t: 0 }))}
        ${this.#button('back', () => this.act({ do: 'step', by: -1 }))}
        ${this.#button(playing ? 'pause' : 'play', () => this.act({ do: 'play' }), 'main')}
        ${this.#button('forward', () => this.act({ do: 'step', by: 1 }))}
        ${this.#button('last', () => this.act({ do: 'goto', t: end }))}
      </div>
      <div class="track">
        ${this.#names()} ${this.#ticks()}
        <input
          type="range"
          min="0"
          max=${line.duration}
          step="any"
          .value=${String(clock)}
          aria-label=${text('timeline/scrub')}
          aria-valuetext=${shortCaption(this.view)}
          @input=${(/** @type {InputEvent} */ event) =>
            this.act({
              do: 'scrub',
              clock: Number(/** @type {HTMLInputElement} */ (event.currentTarget).value),
            })}
        />
        <i class="played" aria-hidden="true"></i><i class="playhead" aria-hidden="true"></i>
      </div>
      ${this.#choice('level', LEVELS, state.level, (level) => this.act({ do: 'level', level }))}
      ${state.film === undefined ? nothing : this.#choice('film', FILMS, state.film, (film) => this.act({ do: 'set', change: { film } }))}
      ${this.#choice('speed', SPEEDS, state.speed, (speed) => this.act({ do: 'speed', speed }))}
    `;
  }

  /**
   * @param {keyof typeof BUTTONS} name
   * @param {() => void} action
   * @param {string} [kind]
   */
  #button(name, action, kind = '') {
    const { label: key, icon } = BUTTONS[name];
    const label = text(key);
    return html`<button class="icon ${kind}" title=${label} aria-label=${label} @click=${action}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${icon} /></svg>
    </button>`;
  }

  /**
   * A list to choose from. film: how long all is played, where a chapter plays more than what is walked through.
   * @template {string | number} T
   * @param {keyof typeof CHOICE_TEXTS} name
   * @param {readonly T[]} choices
   * @param {T} chosen
   * @param {(choice: T) => void} choose
   */
  #choice(name, choices, chosen, choose) {
    return html`<label class="choice ${name}"
      >${text(CHOICE_TEXTS[name])}
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          choose(choices[/** @type {HTMLSelectElement} */ (currentTarget).selectedIndex])}
      >
        ${choices.map(
          (choice) => html`<option value=${choice} ?selected=${choice === chosen}>
            ${typeof choice === 'number' ? `${numeral(String(choice))}×` : text(OPTION_TEXTS[String(choice)])}
          </option>`,
        )}
      </select>
    </label>`;
  }

  /** The stages' letters above the track. */
  #names() {
    const { line, moment } = this.view;
    return html`<div class="names" aria-hidden="true">
      ${line.stages.map((step, i) => {
        const { letter, below } = symbol(step);
        const from = line.moments[line.first[i]].start / line.duration;
        const to = (line.moments[line.first[i + 1]]?.start ?? line.duration) / line.duration;
        return html`<span
          class=${i === moment.stage ? 'now' : ''}
          title=${title(step)}
          style="left:${100 * from}%;width:${100 * (to - from)}%"
          ><i>${letter}</i>${below ? html`<sub>${below}</sub>` : nothing}</span
        >`;
      })}
    </div>`;
  }

  /** Drawn once per timeline; they do not depend on time. */
  #ticks() {
    const { line } = this.view;
    if (this.drawn !== line) {
      this.drawn = line;
      this.ticks = LEVELS.map((name, level) => {
        let last = -1;
        let path = '';
        for (const moment of line.moments) {
          if (moment.level > level) continue;
          const x = moment.start / line.duration;
          const isFree = x - last >= MIN_TICK_GAP;
          if (moment.level === level && isFree) path += `M${1000 * x} 0V${10 - 2 * level}`;
          if (moment.level < level || isFree) last = x;
        }
        return svg`<path class="tick ${name}" d=${path} />`;
      });
    }
    return html`<svg class="ticks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      ${this.ticks}
    </svg>`;
  }
}

customElements.define('gf-timeline', TimelineBar);
