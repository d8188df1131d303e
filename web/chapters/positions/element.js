import { html, nothing } from 'lit';
import { ofExample, short, text } from '../../app/locale/text.js';
import { stagesOf } from '../../app/state/timeline.js';
import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { typeset } from '../../stage/telling/number.js';
import './distance.js';
import './positions.css';
import './shift.js';
import './shuffled.js';
import { compare, orderOf, shuffled } from './shuffle.js';
import { LIMITS, OF_CODES, OF_SENTENCE, opening, SCHEMES } from './state.js';
import './wavelengths.js';
import './waves.js';
import { SCHEME_TEXTS } from './shuffled.js';

/** @type {Readonly<Record<string, string>>} */
const FIELD_TEXTS = {
  channels: 'chapters/positions/fields/channels',
  count: 'chapters/positions/fields/count',
  at: 'chapters/positions/fields/at',
  shift: 'chapters/positions/fields/shift',
};

/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {import('../../app/session.js').Example} Example */
/** @typedef {import('../../app/session.js').Opened} Opened */
/** @typedef {{ scheme: string, verdict: import('./shuffle.js').Verdict | null }} Tested */

/** The steps that a panel about the table shows; the last one is what it is about. @type {Record<string, string[]>} */
const SHOWN = {
  waves: ['codes'],
  distance: ['codes', 'codes.dots'],
  shift: ['codes', 'codes.ahead', 'codes.shifted'],
};

/** The part of the state that belongs to one walk. */
const NEW_WALK = { t: opening.t, path: [], open: null, edits: [], remove: [] };

/**
 * The allowed number that is nearest to the typed one; null if none was typed.
 * @param {number} typed
 * @param {number} low
 * @param {number} high
 * @param {number} step from low on
 */
function nearest(typed, low, high, step) {
  if (Number.isNaN(typed)) return null;
  const last = low + Math.floor((high - low) / step) * step;
  return Math.max(low, Math.min(last, low + Math.round((typed - low) / step) * step));
}

export class Positions extends Walkthrough {
  constructor() {
    super();
    /** @type {{ key: string, all: Tested[] }} */
    this.tested = { key: '', all: [] };
    this.draws = 0;
  }

  get opening() {
    return opening;
  }

  get invitation() {
    return text('chapters/positions/invitation');
  }

  get computed() {
    return ['sentence', 'remove', 'edits', 'channels', 'count', 'shift', 'scheme', 'order'];
  }

  get panels() {
    return [...OF_CODES, ...OF_SENTENCE];
  }

  get words() {
    return 'chapters/positions';
  }

  /** @param {State} state */
  subject({ panel }) {
    return OF_CODES.includes(panel) ? 'codes' : 'sentence';
  }

  /** @param {string} panel */
  toPanel(panel) {
    const subject = this.subject({ ...this.shown, panel });
    if (subject !== this.subject(this.shown)) return { ...NEW_WALK, panel };
    return subject === 'codes' ? { t: opening.t, panel } : { panel };
  }

  /** @param {State} state */
  stages(state) {
    const names = SHOWN[state.panel];
    return names?.map((name) => this.opened.trace.step(name)) ?? super.stages(state);
  }

  /**
   * The position, the distance, the shift that is chosen.
   * @param {State} state
   */
  about({ panel, at: position, shift, count }) {
    const p = Math.min(position, count - 1);
    switch (panel) {
      case 'waves':
        return { node: 'codes', index: [p, 0] };
      case 'distance':
        return {
          node: 'codes.dots',
          index: [p, p + shift < count ? p + shift : Math.max(0, p - shift)],
        };
      case 'shift':
        return { node: 'codes.shifted', index: [p, 0] };
      default:
        return null;
    }
  }

  /**
   * Dot products are larger than the codes, where both are not seen together.
   * @param {import('../../app/session.js').Step} stage
   */
  inSight(stage) {
    const { panel } = this.shown;
    const apart = panel === 'waves' || panel === 'shift';
    const steps = super.inSight(stage);
    return apart ? steps.filter(({ name }) => name !== 'codes.dots') : steps;
  }

  get scoped() {
    return ['open', 'panel'];
  }

  /**
   * @param {State} state
   * @returns {Opened}
   */
  open(state) {
    if (this.subject(state) === 'codes') return this.session.run(this.#codes(state), state);
    const example = this.#written(state, state.scheme);
    const order = orderOf(state.order, example.tokens.length);
    const opened = this.session.run(example, state);
    // What belongs to no place is edited in both orders.
    const { trace } = opened;
    const edits = state.edits.filter(({ node }) => trace.step(node).parameter);
    const other = this.session.run(shuffled(example, order), { remove: state.remove, edits });
    other.intact?.dispose();
    // Each number that a rotation turns explains its turn.
    const stages = stagesOf(opened.trace.steps).filter(({ op }) => op !== 'rotation');
    return { ...opened, others: [other.trace], stages };
  }

  /**
   * The table of sinusoids, with what the guide prints of it.
   * @param {State} state
   * @returns {Example}
   */
  #codes({ channels, count, shift }) {
    const guide = /** @type {any} */ (this.session.examples.positions);
    const places = Array.from({ length: count }, (_, p) => p);
    const example = guide.positions.find((/** @type {any} */ entry) => entry.channels === channels);
    const rows = places.map((p) => {
      const row = example ? example.positions.indexOf(p) : -1;
      return row < 0 ? null : guide.printed[example.node][row];
    });
    const positions = [{ node: 'codes', positions: places, channels, dots: true, shift }];
    const printed = rows.some(Boolean) ? { codes: rows } : {};
    const { source, about } = example ? guide : { source: '', about: '' };
    const words = { name: 'codes', title: '', source, about, tokens: [] };
    return /** @type {any} */ ({ ...words, positions, printed });
  }

  /** @param {State} state */
  telling(state) {
    if (this.subject(state) !== 'codes') return {};
    const title = text('chapters/positions/codes');
    if (this.opened.example.about) {
      return { ...ofExample(/** @type {any} */ (this.session.examples.positions)), title };
    }
    return {
      title,
      source: text('chapters/positions/source'),
      /* The last column of two is the cosine of the first. */
      about:
        state.channels > 2
          ? `${text('chapters/positions/about')} ${text('chapters/positions/turned')}`
          : text('chapters/positions/about'),
    };
  }

  /**
   * The sentence, whose words know their places in this way.
   * @param {State} state
   * @param {string} positions
   */
  #written({ sentence }, positions) {
    const positioned = /** @type {any} */ ({ ...sentence, positions });
    return this.session.exampleOf({ example: '', sentence: positioned });
  }

  /** @param {import('../../app/state/view.js').View} view */
  head(view) {
    const { state } = view;
    if (this.subject(state) === 'sentence') {
      return html`<gf-chooser
          .view=${view}
          .fields=${['dModel', 'dK', 'heads', 'seed', 'causal']}
        ></gf-chooser>
        ${this.#schemes(state)}`;
    }
    return html`<div class="controls">
        ${this.#field('channels', state, 2)} ${this.#field('count', state)}
        ${state.panel === 'stage' ? nothing : this.#field('at', state)}
        ${state.panel === 'waves' ? nothing : this.#field('shift', state)}
      </div>
      <gf-mismatches .view=${view}></gf-mismatches>`;
  }

  /**
   * @param {'channels' | 'count' | 'at' | 'shift'} name
   * @param {State} state
   * @param {number} [step]
   */
  #field(name, state, step = 1) {
    const [low, high] = LIMITS[name];
    const most = name === 'at' ? state.count - 1 : high;
    return html`<label
      ><span>${typeset(text(FIELD_TEXTS[name]))}</span>
      <input
        type="number"
        min=${low}
        max=${most}
        step=${step}
        .value=${String(Math.min(state[name], most))}
        @change=${(/** @type {Event} */ event) => {
          const field = /** @type {HTMLInputElement} */ (event.currentTarget);
          const typed = field.value;
          const value = nearest(field.valueAsNumber, low, most, step) ?? state[name];
          field.value = String(value);
          if (value !== state[name]) this.#set(name, value);
          if (String(value) !== typed) this.#corrected(name, typed, value, [low, most, step]);
        }}
      />
    </label>`;
  }

  /**
   * Says that another number is shown than the one that was typed.
   * @param {string} name
   * @param {string} typed
   * @param {number} value
   * @param {[number, number, number]} range
   */
  #corrected(name, typed, value, [low, high, step]) {
    const field = text(FIELD_TEXTS[name]);
    const allowed = text(step === 2 ? 'chapters/positions/even' : 'chapters/positions/whole', {
      low,
      high,
    });
    const values = { field, given: short(typed), allowed, value };
    this.tell(text('chapters/positions/corrected', values));
  }

  /**
   * @param {'channels' | 'count' | 'at' | 'shift'} name
   * @param {number} value
   */
  #set(name, value) {
    const { at: position } = this.shown;
    const change = { ...(name === 'at' ? { path: [] } : NEW_WALK), [name]: value };
    /* The table may end before the position. */
    const cut = name === 'count' && position >= value;
    this.act({ do: 'set', change: cut ? { ...change, at: value - 1 } : change });
    if (cut) this.#corrected('at', String(position), value - 1, [0, value - 1, 1]);
  }

  /** @param {State} state */
  #schemes({ scheme }) {
    return html`<div class="controls">
      <span id="schemes-label">${text('chapters/positions/schemes/label')}</span>
      <div class="stepper" role="group" aria-labelledby="schemes-label">
        ${SCHEMES.map(
          (name) => html`<button
            aria-pressed=${name === scheme}
            @click=${() => this.act({ do: 'set', change: { ...NEW_WALK, scheme: name } })}
          >${text(SCHEME_TEXTS[name])}</button>`,
        )}
      </div>
    </div>`;
  }

  /** @param {import('../../app/state/view.js').View} view */
  aside(view) {
    if (this.subject(view.state) === 'sentence') return super.aside(view);
    return html`${this.map(view)}
      <gf-wavelengths .view=${view} .session=${this.session}></gf-wavelengths>`;
  }

  /** @param {import('../../app/state/view.js').View} view */
  centre(view) {
    switch (view.state.panel) {
      case 'waves':
        return html`<gf-waves .view=${view} @gf-place=${this.#place}></gf-waves>`;
      case 'distance':
        return html`<gf-distance .view=${view} @gf-place=${this.#away}></gf-distance>`;
      case 'shift':
        return html`<gf-shift .view=${view}></gf-shift>`;
      case 'shuffle':
        return this.#shuffle(view);
      default:
        return super.centre(view);
    }
  }

  #place = (/** @type {CustomEvent} */ { detail }) => this.#set('at', detail.place);

  /** A distance that is picked is the k of the shift, too. */
  #away = (/** @type {CustomEvent} */ { detail }) => {
    const [low, high] = LIMITS.shift;
    this.#set('shift', Math.max(low, Math.min(high, detail.place)));
  };

  /** @param {import('../../app/state/view.js').View} view */
  #shuffle(view) {
    const [other] = this.opened.others ?? [];
    const order = orderOf(view.state.order, view.example.tokens.length);
    return html`<gf-shuffled
      .view=${view}
      .other=${other}
      .order=${order}
      .verdict=${compare(view.trace, other, tokensOf(view.example), order)}
      .tested=${this.#tests(view.state, order)}
      @gf-draw=${() => this.#draw(order.length)}
    ></gf-shuffled>`;
  }

  /**
   * The test of every kind of positions.
   * @param {State} state
   * @param {number[]} order
   */
  #tests(state, order) {
    const key = JSON.stringify([state.sentence, order]);
    if (this.tested.key === key) return this.tested.all;
    const run = (/** @type {Example} */ example) => {
      const { trace } = this.session.run(example, { remove: [], edits: [] });
      trace.dispose();
      return trace;
    };
    const all = SCHEMES.map((scheme) => {
      const example = this.#written(state, scheme);
      try {
        const verdict = compare(
          run(example),
          run(shuffled(example, order)),
          tokensOf(example),
          order,
        );
        return { scheme, verdict };
      } catch {
        return { scheme, verdict: null };
      }
    });
    this.tested = { key, all };
    return all;
  }

  /**
   * Another order, drawn by the core.
   * @param {number} words
   */
  #draw(words) {
    this.draws++;
    const { data } = this.session.core.uniform([words], { seed: this.draws });
    const order = Array.from({ length: words }, (_, k) => k).sort((a, b) => data[a] - data[b]);
    this.act({ do: 'set', change: { order } });
  }
}

/** @param {Example} example of a sentence @returns {number[]} */
const tokensOf = ({ inputs }) => inputs?.tokens;

customElements.define('gf-chapter-positions', Positions);
