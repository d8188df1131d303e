// The birth of a head: a model is trained while the reader watches its heads, and can be read as it was at any step.
import { html, nothing } from 'lit';
import { openBirth } from '../../birth/open.js';
import { EVERY, SEQUENCE, STEPS, TOKENS } from '../../birth/protocol.js';
import { display, full } from '../../draw/format.js';
import { cellKey } from '../../draw/tensor.js';
import { Base } from '../../elements/base.js';
import '../../elements/heatmap.js';
import '../../elements/plot.js';
import { unitOf } from '../../elements/room.js';
import { message, text } from '../../locale/text.js';
import { Remote } from '../../remote/remote.js';
import { largest, seen } from '../training/seen.js';
import { headOf, MOST } from './state.js';
import './birth.css';

/** @type {Readonly<Record<string, string>>} */
const PLOT_TEXTS = {
  loss: 'chapters/inside/birth/loss',
  induction: 'chapters/inside/birth/induction',
  copying: 'chapters/inside/birth/copying',
};

/** @typedef {import('../../birth/protocol.js').Grown} Grown */
/** @typedef {import('../../birth/protocol.js').Reading} Reading */
/** @typedef {import('../../birth/protocol.js').Taken} Taken */
/** @typedef {import('../../elements/plot.js').Curve} Curve */

/** px of the design: a cell of a map, and of a wide one. */
const [CELL, NARROW] = [11, 8];
/** Tokens are shown as letters. */
const letterOf = (/** @type {number} */ id) => String.fromCharCode(65 + id);
const ALPHABET = Array.from({ length: TOKENS }, (_, id) => letterOf(id));
const LETTERS = SEQUENCE.map(letterOf);
const [READ, ANSWER] = [LETTERS.slice(0, -1), LETTERS[LETTERS.length - 1]];
const PLACES = Array.from({ length: STEPS / EVERY + 1 }, (_, i) => i * EVERY);

export class Birth extends Base {
  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
    points: { state: true },
    reading: { state: true },
    bits: { state: true },
    taken: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./state.js').State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {import('../../birth/core.js').Point[]} */
    this.points = [];
    /** @type {Grown['change']} */
    this.change = null;
    /** @type {Reading | null} */
    this.reading = null;
    /** The hash of the trained model; null while it is trained, empty where there is none. @type {string | null} */
    this.bits = null;
    /** The step that is opened. @type {Taken | null} */
    this.taken = null;
    /** What it is of, and whose step. */
    this.opened = '';
    /** The seed that is grown, or was. */
    this.seed = -1;
    /** What the reading is of. */
    this.read = '';
    /** @type {Promise<unknown>} */
    this.computing = Promise.resolve();
    /** @type {Remote<import('../../birth/protocol.js').Questions, import('../../birth/protocol.js').Answers>} */
    this.remote = new Remote(
      () => openBirth(() => this.tell(text('chapters/inside/birth/alone'))),
      {
        heard: ({ grown }) => this.#grown(grown),
        ended: () => this.#lost(),
      },
    );
  }

  /** Nobody watches: another time it is trained anew, to the same bits. */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.seed = -1;
    this.remote.close();
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.computing;
    return done && !this.isUpdatePending;
  }

  willUpdate() {
    const { seed, gone, weight } = this.state;
    if (!this.isConnected) return;
    if (seed !== this.seed) this.computing = this.#grow(seed);
    else if (this.bits !== null) {
      const key = `${this.step} ${gone}`;
      if (key !== this.read) this.computing = this.#read(key);
      const opened = weight ? `${this.step} ${cellKey(weight)}` : '';
      if (opened !== this.opened)
        this.computing = Promise.all([this.computing, this.#take(opened)]);
    }
  }

  /** The step that is looked at: the last that was measured, if none was chosen. */
  get step() {
    const last = this.points.at(-1)?.step ?? 0;
    return Math.min(this.state.at ?? last, last);
  }

  /** @param {number} seed */
  async #grow(seed) {
    /* What is under way is of no use any more. */
    if (this.seed >= 0 && this.bits === null) this.remote.close();
    this.seed = seed;
    this.points = [];
    this.change = null;
    this.reading = null;
    this.bits = null;
    this.read = '';
    this.taken = null;
    this.opened = '';
    try {
      const { bits } = await this.remote.ask('grow', { seed });
      if (seed === this.seed) this.bits = bits ?? '';
    } catch (error) {
      if (seed === this.seed && this.remote.running) this.tell(message(error), this.#again);
    }
  }

  /** @param {Grown} grown */
  #grown({ seed, points, change, reading }) {
    if (seed !== this.seed) return;
    this.change = change;
    this.reading = reading;
    this.points = [...this.points, ...points];
  }

  /** @param {string} key */
  async #read(key) {
    this.read = key;
    const { step } = this;
    try {
      const reading = await this.remote.ask('read', { step, off: this.state.gone.map(headOf) });
      if (key === this.read) this.reading = reading;
    } catch (error) {
      if (key === this.read && this.remote.running) this.tell(message(error));
    }
  }

  /** @param {string} key */
  async #take(key) {
    this.opened = key;
    const { weight } = this.state;
    try {
      const [taken] = await Promise.all([
        weight && this.remote.ask('take', { step: this.step, weight }),
        weight && import('../training/chapter.js').then(({ opened }) => opened()),
      ]);
      if (key === this.opened) this.taken = taken;
    } catch (error) {
      if (key === this.opened && this.remote.running) this.tell(message(error));
    }
  }

  /** Opens the step that is taken from here, at the weight of the head where it is steepest. @param {number} at */
  async #open(at) {
    const { layer = 0, head = 0 } = this.change ?? {};
    try {
      const { weight } = await this.remote.ask('take', { step: at, weight: { layer, head } });
      this.#change({ at, weight });
    } catch (error) {
      if (this.remote.running) this.tell(message(error));
    }
  }

  #lost() {
    this.tell(text('chapters/inside/birth/lost'), this.#again);
  }

  #again = () => {
    this.seed = -1;
    this.requestUpdate();
  };

  /** @param {Partial<import('./state.js').State>} change @param {object} [how] */
  #change(change, how = { undoable: true }) {
    this.dispatchEvent(new CustomEvent('gf-change', { detail: { change, ...how }, bubbles: true }));
  }

  /** @param {number} step @param {object} [how] */
  #goto(step, how = {}) {
    this.#change({ at: step }, { passing: true, ...how });
  }

  /** @param {string} head */
  #toggle(head) {
    const { gone } = this.state;
    const left = gone.filter((one) => one !== head);
    this.#change({ gone: left.length < gone.length ? left : [...gone, head] });
  }

  // ---- What is seen ----

  render() {
    const { points, reading } = this;
    return html`<div class="birth">
      <section class="grown" aria-label=${text('chapters/inside/birth/curves')}>
        <p class="prose">${text('chapters/inside/birth/about')}</p>
        ${points.length > 0 ? this.#curves() : nothing}
        <p class="verdict" role="status">${this.#verdict()}</p>
      </section>
      <section class="looked" aria-label=${text('chapters/inside/birth/looked')}>
        ${this.#time()} ${reading ? [this.#maps(reading), this.#computation(reading)] : nothing}
      </section>
      ${this.bits === null ? nothing : this.#step()}
    </div>`;
  }

  #verdict() {
    const { points, change, bits } = this;
    if (bits === null)
      return text('chapters/inside/birth/training', {
        step: this.points.at(-1)?.step ?? 0,
        steps: STEPS,
      });
    if (!change) return nothing;
    const { layer, head, step, before, after } = change;
    const values = { before: display(before), after: display(after) };
    const [first, last] = [points[1], points[points.length - 1]].map(({ loss }) =>
      display(Number(loss)),
    );
    return html`<span class="mark" aria-hidden="true">●</span> ${text('chapters/inside/birth/born', { layer, head, step: 10 * Math.round(step / 10), ...values, first, last })}
      ${bits ? html`<span class="quiet bits">${text('chapters/inside/birth/bits', { bits })}</span>` : nothing}`;
  }

  #curves() {
    const { heads, layers } = shapeOf(this.points[0].induction);
    const losses = this.points.map(({ loss }) => loss);
    /** @param {'induction' | 'copying'} name @returns {Curve[]} */
    const scores = (name) =>
      Array.from({ length: layers * heads }, (_, i) => {
        const [layer, head] = [Math.floor(i / heads), i % heads];
        return this.#curve(
          text('chapters/inside/birth/head', { layer, head }),
          this.points.map((point) => point[name][layer][head]),
          this.#look(layer, head),
        );
      });
    return html`${this.#plot('loss', [this.#curve(text('chapters/inside/birth/loss'), losses, { colour: '--ink' })], 0, 3)}
    ${this.#plot('induction', scores('induction'), 0, 0.7)} ${this.#plot('copying', scores('copying'), -1, 1)}`;
  }

  /** The head that is born stands out from those of its layer, and these from the first layer's.
   * @param {number} layer @param {number} head @returns {Pick<Curve, 'colour' | 'thin' | 'dashed'>} */
  #look(layer, head) {
    if (layer === this.change?.layer && head === this.change.head) return { colour: '--accent' };
    return layer === 0
      ? { colour: '--quiet', thin: true, dashed: true }
      : { colour: '--curve-3', thin: true };
  }

  /** @param {string} label @param {(number | null)[]} known @param {Omit<Curve, 'label' | 'values'>} look @returns {Curve} */
  #curve(label, known, look) {
    const values = PLACES.map((_, i) => (Number.isFinite(known[i]) ? known[i] : null));
    return { label, values, ...look };
  }

  /** The place of the change, on the curve that tells it. @param {Curve[]} curves @returns {Curve[]} */
  #mark(curves) {
    const told = curves.find(({ colour }) => colour !== '--quiet' && colour !== '--curve-3');
    if (this.bits === null || !this.change || !told) return [];
    const at = Math.round(this.change.step / EVERY);
    const values = told.values.map((value, i) => (i === at ? value : null));
    return [
      { label: text('chapters/inside/birth/change'), values, colour: '--mismatch', dots: true },
    ];
  }

  /** @param {'loss' | 'induction' | 'copying'} name @param {Curve[]} curves @param {number} low @param {number} high */
  #plot(name, curves, low, high) {
    const names = (/** @type {number} */ step) => text('chapters/inside/birth/step', { step });
    const chart = {
      places: PLACES,
      curves: [...curves, ...this.#mark(curves)],
      across: '',
      up: '',
    };
    return html`<figure class=${name}>
      <figcaption class="label">${text(PLOT_TEXTS[name])}</figcaption>
      <gf-plot
        .chart=${{ ...chart, low, high, names }}
        .at=${this.step / EVERY}
        .theme=${this.theme}
        .label=${text(PLOT_TEXTS[name])}
        @gf-place=${(/** @type {CustomEvent} */ { detail }) => this.#goto(PLACES[detail.place])}
      ></gf-plot>
    </figure>`;
  }

  /** Computation time, forth and back: what each step of the run gave. @param {Reading} reading */
  #computation({ steps }) {
    const last = steps.length - 1;
    const at = Math.min(this.state.t ?? last, last);
    const shown = steps[at];
    const [columns] = shown.shape.slice(-1);
    const heads = shown.shape.length > 2 ? shown.shape[0] : 0;
    const unit = unitOf(this);
    const size = { width: unit * (columns > 2 * CELL ? NARROW : CELL), height: unit * CELL };
    const columnLabels = { score: READ, weight: READ, logit: ALPHABET }[String(shown.role)];
    const map = (/** @type {number} */ head) => html`<figure>
      <gf-heatmap
        .view=${seen({ theme: this.theme, limit: largest(shown.data) })}
        .step=${shown}
        .head=${head}
        .size=${{ ...size, mode: 'colours' }}
        .columnLabels=${columnLabels}
        .rowLabels=${READ}
        .run=${'birth'}
        .name=${shown.name}
      ></gf-heatmap>
    </figure>`;
    return html`<div class="time">
        <label>
          <span class="label">${text('chapters/inside/birth/computation')}</span>
          <input
            type="range"
            min="0"
            max=${last}
            .value=${String(at)}
            aria-valuetext=${shown.name}
            @input=${(/** @type {Event} */ { currentTarget }) =>
              this.#change(
                { t: Number(/** @type {HTMLInputElement} */ (currentTarget).value) },
                { passing: true, moving: true },
              )}
          />
        </label>
        <output>${text('chapters/inside/birth/computed', { n: at + 1, of: last + 1 })}</output>
      </div>
      <p class="computed"><b>${shown.name}</b></p>
      <div class="maps" @gf-act=${(/** @type {Event} */ event) => event.stopPropagation()}>
        ${heads ? Array.from({ length: heads }, (_, head) => map(head)) : map(0)}
      </div>`;
  }

  /** The step of Adam from here; from before the change, if no step was chosen. */
  #step() {
    const { taken, theme, change, state } = this;
    const before = EVERY * Math.floor((change?.step ?? 0) / EVERY);
    const at = Math.min(state.at ?? before, STEPS - EVERY);
    const isOpen = taken !== null && state.weight !== null;
    return html`<section class="taken" aria-label=${text('chapters/inside/birth/adam')}>
      <p class="prose">
        ${text('chapters/inside/birth/take')}
        <button @click=${() => (isOpen ? this.#change({ weight: null }) : this.#open(at))}>
          ${isOpen ? text('chapters/inside/birth/close') : text('chapters/inside/birth/open', { step: at + 1 })}
        </button>
      </p>
      ${isOpen ? html`<gf-adam .now=${nowOf(taken, theme)}></gf-adam>` : nothing}
    </section>`;
  }

  /** Training time, forth and back. */
  #time() {
    const { step } = this;
    const stepOf = (/** @type {Event} */ { currentTarget }) =>
      Number(/** @type {HTMLInputElement} */ (currentTarget).value);
    return html`<div class="time">
      <label>
        <span class="label">${text('chapters/inside/birth/time')}</span>
        <input
          type="range"
          min="0"
          max=${STEPS}
          step=${EVERY}
          .value=${String(step)}
          aria-valuetext=${text('chapters/inside/birth/step', { step })}
          @input=${(/** @type {Event} */ event) => this.#goto(stepOf(event), { moving: true })}
          @change=${(/** @type {Event} */ event) => this.#goto(stepOf(event))}
        />
      </label>
      <output>${text('chapters/inside/birth/step', { step })}</output>
      <label class="seed">
        <span class="label">${text('chapters/inside/birth/seed')}</span>
        <input
          type="number"
          min="0"
          max=${MOST.seed}
          .value=${String(this.state.seed)}
          @change=${(/** @type {Event} */ event) => {
            const seed = stepOf(event);
            if (Number.isInteger(seed) && seed >= 0 && seed <= MOST.seed) {
              this.#change({ seed, gone: [], at: null });
            }
          }}
        />
      </label>
    </div>`;
  }

  /** @param {Reading} reading */
  #maps({ step, steps, before, after, alone }) {
    const { gone } = this.state;
    const { heads } = shapeOf(alone);
    const size = CELL * unitOf(this);
    const view = seen({ theme: this.theme });
    return html`<p class="prose">
        ${text('chapters/inside/birth/sequence')}
        <span class="letters">${READ.map((letter) => html`<b>${letter}</b>`)} <i>${ANSWER}</i></span>
      </p>
      <p class="facts answer">
        ${text('chapters/inside/birth/answer', { answer: ANSWER, step })}
        <b title=${full(before)}>${display(before)}</b>
        ${
          gone.length > 0
            ? html`<span aria-live="polite">${text('chapters/inside/birth/without', { n: gone.length })}
                <b class="after" title=${full(after)}>${display(after)}</b></span>`
            : nothing
        }
      </p>
      <div class="maps" @gf-act=${(/** @type {Event} */ event) => event.stopPropagation()}>
        ${steps.flatMap((shown) => {
          const layer = Number(shown.layer);
          if (shown.role !== 'weight') return [];
          return Array.from({ length: heads }, (_, head) => {
            const name = `${layer}.${head}`;
            const off = gone.includes(name);
            const label = text('chapters/inside/birth/head', { layer, head });
            return html`<figure class=${off ? 'off' : ''}>
              <gf-heatmap
                .view=${view}
                .step=${shown}
                .head=${head}
                .size=${{ width: size, height: size, mode: 'colours' }}
                .columnLabels=${READ}
                .rowLabels=${READ}
                .run=${'birth'}
                .name=${label}
              ></gf-heatmap>
              <figcaption>
                <button
                  aria-pressed=${off}
                  aria-label=${text('chapters/inside/birth/off', { layer, head, value: display(alone[layer][head]) })}
                  @click=${() => this.#toggle(name)}
                >${label} <span class="quiet" title=${full(alone[layer][head])}>${display(alone[layer][head])}</span></button>
              </figcaption>
            </figure>`;
          });
        })}
      </div>
      <p class="quiet">${text('chapters/inside/birth/maps')}</p>`;
  }
}

/** What gf-adam shows, of one run. @param {Taken} taken @param {'light' | 'dark'} theme @returns {any} */
const nowOf = ({ weight, update, parameter, facts }, theme) => ({
  ...{ weight, update, theme, side: 'a', nodes: [parameter] },
  made: { parameters: facts.parameters, config: facts.config },
  plan: { runs: { a: { training: facts.training } } },
  opened: { gradientNorm: facts.gradientNorm },
});

/** @param {readonly (readonly unknown[])[]} values by layer and head */
const shapeOf = (values) => ({ layers: values.length, heads: values[0].length });

customElements.define('gf-birth', Birth);
