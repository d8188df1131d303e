// The birth of a head: a model is trained while the reader watches its heads, and can be read as it was at any step.
import { html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { display, full } from '../../stage/draw/format.js';
import { cellKey } from '../../stage/draw/tensor.js';
import { Base } from '../../stage/elements/base.js';
import { EVERY, SEQUENCE, STEPS, TOKENS } from '../../workers/birth/protocol.js';
import '../../stage/elements/heatmap.js';
import '../../stage/elements/plot.js';
import { message, percent, text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { isPresented, oneScreen, unitOf } from '../../stage/elements/room.js';
import { Remote } from '../../workers/remote/remote.js';
import { heatmapView, largest } from '../training/seen.js';
import { needs } from './needs.js';
import { RECORDED, record } from './record.js';
import { headOf, MAX, toggled } from './state.js';
import { birthView } from './view.js';
import { numbered } from './words.js';
import './birth.css';

/** @type {Readonly<Record<string, string>>} */
const PLOT_TEXTS = {
  loss: 'chapters/inside/birth/loss',
  induction: 'chapters/inside/birth/induction',
  copying: 'chapters/inside/birth/copying',
};

/** @typedef {import('../../workers/birth/protocol.js').Grown} Grown */
/** @typedef {import('../../workers/birth/protocol.js').Reading} Reading */
/** @typedef {import('../../workers/birth/protocol.js').Taken} Taken */
/** @typedef {import('../../stage/elements/plot.js').Curve} Curve */
/** A head, and what holds its weights. @typedef {{ step: Reading['steps'][number], layer: number, head: number }} Place */

/** px of the design: a cell of a map, of a wide one or one in a lesson, and of one in front of a class or on a phone. */
const [CELL, NARROW, BARE] = [11, 8, 6];
/** Tokens are shown as letters. */
const letterOf = (/** @type {number} */ id) => String.fromCharCode(65 + id);
const ALPHABET = Array.from({ length: TOKENS }, (_, id) => letterOf(id));
const LETTERS = SEQUENCE.map(letterOf);
const [READ, ANSWER] = [LETTERS.slice(0, -1), LETTERS[LETTERS.length - 1]];
/** Where a letter that was read before looks at what followed it then. */
const AFTER_COPIES = READ.flatMap((letter, row) => {
  const earlier = READ.lastIndexOf(letter, row - 1);
  return row > 0 && earlier >= 0 ? [{ row, column: earlier + 1 }] : [];
});
/** Where a head looks that looks one letter back. */
const BEFORE = READ.slice(1).map((_, i) => ({ row: i + 1, column: i }));
const PLACES = Array.from({ length: STEPS / EVERY + 1 }, (_, i) => i * EVERY);

export class Birth extends Base {
  /** Opens what trains. @type {typeof import('../../workers/birth/open.js').openBirth} */
  static openBirth;
  /** Loads what takes a step of training apart. @type {() => Promise<unknown>} */
  static loadSteps;

  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
    points: { state: true },
    reading: { state: true },
    bits: { state: true },
    taken: { state: true },
    isGrowing: { state: true },
    reached: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./state.js').State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {import('../../workers/birth/core.js').Point[]} */
    this.points = [];
    /** @type {Grown['change']} */
    this.change = null;
    /** @type {Reading | null} */
    this.reading = null;
    /** What the trained model reads. @type {Reading | null} */
    this.trained = null;
    /** The hash of the trained model; null while it is trained, empty where there is none. @type {string | null} */
    this.bits = null;
    /** The step that is opened. @type {Taken | null} */
    this.taken = null;
    /** What it is of, and whose step. */
    this.opened = '';
    /** Whether a model is trained, and seen as it grows. */
    this.isGrowing = false;
    this.isLive = false;
    /** How far a training is that is not seen. */
    this.reached = 0;
    /** The seed that is grown, or was, and how many layers it has. */
    this.seed = -1;
    this.layers = 0;
    /** What the reading is of. */
    this.read = '';
    /** @type {Promise<unknown>} */
    this.computing = Promise.resolve();
    /** @type {Remote<import('../../workers/birth/protocol.js').Questions, import('../../workers/birth/protocol.js').Answers>} */
    this.remote = new Remote(
      () => Birth.openBirth(() => this.tell(text('chapters/inside/birth/alone'))),
      {
        heard: ({ grown }) => this.#grown(grown),
        ended: () => this.#lost(),
      },
    );
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.computing;
    return done && !this.isUpdatePending;
  }

  willUpdate() {
    const { seed, layers, gone, weight } = this.state;
    if (!this.isConnected) return;
    if (seed !== this.seed || layers !== this.layers) this.computing = this.#begin();
    else if (this.bits === null && !this.isGrowing && this.#needsModel && this.points.length)
      this.computing = this.#grow();
    else if (this.#isRecorded && this.trained && !this.#needsModel)
      this.reading = this.#without(this.trained);
    else if (this.bits !== null) {
      const key = `${this.step} ${gone}`;
      if (key !== this.read) this.computing = this.#read(key);
      const opened = weight ? `${this.step} ${cellKey(weight)}` : '';
      if (opened !== this.opened)
        this.computing = Promise.all([this.computing, this.#take(opened)]);
    }
  }

  get #isTaught() {
    return this.closest('.teaching') !== null;
  }

  /** Whether a lesson still waits for the training that the reader is to start: then its end is not told. */
  get isAwaited() {
    return this.#isTaught && this.#isRecorded && this.state.at === null;
  }

  /** What a lesson reads. */
  get view() {
    return this.state && birthView(this, { read: READ, answer: ANSWER });
  }

  updated() {
    if (!this.view) return;
    /* A lesson waits for it, and draws what is trained as it goes on. */
    this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
    if (this.isGrowing) this.dispatchEvent(new Event('gf-film', { bubbles: true }));
  }

  /** The training step that is shown: the last that was measured, unless the reader chose one of those that are there. */
  get step() {
    const last = this.points.at(-1)?.step ?? 0;
    return this.isGrowing && this.isLive ? last : Math.min(this.state.at ?? last, last);
  }

  /** Whether more is asked for than is recorded. */
  get #needsModel() {
    const { state } = this;
    return state.gone.length > 1 || state.weight !== null || (state.at ?? STEPS) !== STEPS;
  }

  /** What is recorded of the trained model: also what it is without each head alone. @param {Reading} trained */
  #without(trained) {
    const [one] = this.state.gone;
    if (one === undefined) return trained;
    const { layer, head } = headOf(one);
    return { ...trained, after: trained.alone[layer][head] };
  }

  /** Shows the training that is recorded; any other one is computed. */
  async #begin() {
    const { seed, layers } = this.state;
    /* The training that is running is not needed any more. */
    if (this.isGrowing) this.remote.close();
    const nothing = { change: null, reading: null, trained: null, bits: null, taken: null };
    const idle = { isGrowing: false, isLive: false, read: '', opened: '' };
    Object.assign(this, { seed, layers, points: [], ...nothing, ...idle });
    if (seed !== RECORDED.seed || layers !== RECORDED.layers) return this.#live();
    const { reading, ...recorded } = /** @type {any} */ (await record());
    if (!this.isLive && this.#isWanted({ seed, layers }))
      Object.assign(this, { ...recorded, reading, trained: reading });
  }

  /** Trains before the reader's eyes. */
  #live = () => {
    Object.assign(this, { isLive: true, points: [], change: null, reading: null, trained: null });
    return this.#grow();
  };

  /** @param {{ seed: number, layers: number }} grown */
  #isWanted = ({ seed, layers }) => seed === this.seed && layers === this.layers;

  async #grow() {
    const { seed, layers } = this;
    Object.assign(this, { isGrowing: true, reached: 0 });
    try {
      const { bits } = await this.remote.ask('grow', { seed, layers });
      if (this.#isWanted({ seed, layers }))
        Object.assign(this, { bits: bits ?? '', isGrowing: false });
    } catch (error) {
      if (this.#isWanted({ seed, layers }) && this.remote.running)
        this.tell(message(error), this.#again);
    }
  }

  /** @param {Grown} grown */
  #grown({ seed, layers, points, change, reading }) {
    if (!this.#isWanted({ seed, layers })) return;
    this.reached = reading.step;
    if (reading.step === STEPS) this.trained = reading;
    if (!this.isLive) return;
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
        weight && Birth.loadSteps(),
      ]);
      if (key === this.opened) this.taken = taken;
    } catch (error) {
      if (key === this.opened && this.remote.running) this.tell(message(error));
    }
  }

  /** Opens the step that is taken from here, at the weight of the head where it is steepest. @param {number} step */
  async #open(step) {
    const { layer = 0, head = 0 } = this.change ?? {};
    try {
      if (this.bits === null) await (this.isGrowing ? this.computing : this.#grow());
      const { weight } = await this.remote.ask('take', { step, weight: { layer, head } });
      this.#change({ at: step, weight });
      await this.computing;
      await this.updateComplete;
      this.querySelector('.taken')?.scrollIntoView({ block: 'nearest' });
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

  /** @param {Partial<import('./state.js').State>} part */
  #change(part) {
    change(this, part, { undoable: true });
  }

  /** @param {number} step @param {object} [how] */
  #goTo(step, how = {}) {
    change(this, { at: step }, { passing: true, ...how });
  }

  // ---- What is seen ----

  render() {
    const { points, reading } = this;
    const isAwaited = this.isAwaited;
    return html`<div class=${classMap({ birth: true, early: this.#isEarly })}>
      <section class="grown" aria-label=${text('chapters/inside/birth/curves')}>
        <p class="prose">${text('chapters/inside/birth/about')}</p>
        ${
          points.length > 0 &&
          this.bits === null &&
          !this.isGrowing &&
          (!this.#isTaught || isAwaited)
            ? html`<p><button class="main" @click=${this.#train}>${text('chapters/inside/birth/yourself')}</button></p>`
            : nothing
        }
        ${points.length > 0 ? this.#curves(isAwaited ? points.slice(0, 1) : points) : nothing}
        <p class="verdict" role="status">${isAwaited ? nothing : this.#verdict()}</p>
      </section>
      ${
        isAwaited
          ? nothing
          : html`<section class="looked" aria-label=${text('chapters/inside/birth/looked')}>
              ${this.#time()} ${reading ? this.#maps(reading) : nothing}
              ${reading && !this.#isRecorded ? this.#computation(reading) : nothing}
            </section>`
      }
      ${this.trained && !isAwaited ? this.#step() : nothing}
    </div>`;
  }

  /** Whether a trained model is asked for that is not there yet: a lesson says less clearly what is so then. */
  get #isEarly() {
    return this.isGrowing && this.isLive && this.state.at !== null;
  }

  #train = () => {
    this.computing = this.#live();
  };

  /** Whether what is read is recorded, not computed. */
  get #isRecorded() {
    return this.bits === null && !this.isLive;
  }

  /** What a lesson asks for. @param {NonNullable<Birth['change']>} change */
  #told(change) {
    const step = 10 * Math.round(change.step / 10);
    return html`${text('chapters/inside/birth/half', { step })}
      ${this.trained ? needs(this.trained, change, ANSWER) : nothing}`;
  }

  #verdict() {
    const { points, change, bits } = this;
    if (this.isGrowing)
      return text('chapters/inside/birth/training', { step: this.reached, steps: STEPS });
    if (!change) return nothing;
    const { layer, head, before, after } = change;
    const values = { ...numbered({ layer, head }), before: display(before), after: display(after) };
    const [first, last] = [points[1], points[points.length - 1]].map(({ loss }) =>
      display(Number(loss)),
    );
    const born = text('chapters/inside/birth/born', { ...values, first, last });
    const marked = html`<span class="mark" aria-hidden="true">●</span> ${born} ${this.#told(change)}`;
    const sentence =
      this.layers === 1
        ? text('chapters/inside/birth/shallow', { after: values.after, first, last })
        : this.#isTaught
          ? born
          : marked;
    return html`${sentence}
      ${bits ? html`<span class="quiet bits">${text('chapters/inside/birth/bits', { bits })}</span>` : nothing}`;
  }

  /** @param {Birth['points']} points */
  #curves(points) {
    const { heads, layers } = shapeOf(points[0].induction);
    const losses = points.map(({ loss }) => loss);
    /** @param {'induction' | 'copying'} name @returns {Curve[]} */
    const scores = (name) =>
      Array.from({ length: layers * heads }, (_, i) => {
        const [layer, head] = [Math.floor(i / heads), i % heads];
        return curveOf(
          text('chapters/inside/birth/head', numbered({ layer, head })),
          points.map((point) => point[name][layer][head]),
          this.#styleOf(layer, head),
        );
      });
    return html`${this.#plot('loss', [curveOf(text('chapters/inside/birth/loss'), losses, { colour: '--ink' })], 0, 3)}
    ${this.#plot('induction', scores('induction'), 0, 0.7)} ${this.#plot('copying', scores('copying'), -1, 1)}`;
  }

  /** The head that is born stands out from those of its layer, and these from the first layer's.
   * @param {number} layer @param {number} head @returns {Pick<Curve, 'colour' | 'thin' | 'dashed'>} */
  #styleOf(layer, head) {
    if (this.#isBorn(layer, head) && !this.isAwaited) return { colour: '--a-ink' };
    return layer === 0
      ? { colour: '--quiet', thin: true, dashed: true }
      : { colour: '--plus', thin: true };
  }

  /** The place of the change, on the curve of the head that is born. @param {Curve[]} curves @returns {Curve[]} */
  #mark(curves) {
    const curve = curves.find(({ colour }) => colour === '--a-ink');
    /* A lesson asks for it. */
    if (this.isGrowing || this.#isTaught || this.layers === 1 || !this.change || !curve) return [];
    const place = Math.round(this.change.step / EVERY);
    const values = curve.values.map((value, i) => (i === place ? value : null));
    return [
      { label: text('chapters/inside/birth/change'), values, colour: '--accent', dots: true },
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
        .at=${this.isAwaited ? 0 : this.step / EVERY}
        .theme=${this.theme}
        .label=${text(PLOT_TEXTS[name])}
        @gf-place=${(/** @type {CustomEvent} */ { detail }) => this.#goTo(PLACES[detail.place])}
      ></gf-plot>
    </figure>`;
  }

  /** Computation time, forth and back: what each step of the run gave. @param {Reading} reading */
  #computation({ steps }) {
    const last = steps.length - 1;
    const t = Math.min(this.state.t ?? last, last);
    const step = steps[t];
    const [columns] = step.shape.slice(-1);
    const heads = step.shape.length > 2 ? step.shape[0] : 1;
    const unit = unitOf(this);
    const size = { width: unit * (columns > 2 * CELL ? NARROW : CELL), height: unit * CELL };
    const columnLabels = { score: READ, weight: READ, logit: ALPHABET }[String(step.role)];
    const view = heatmapView({ theme: this.theme, limit: largest(step.data) });
    return html`<div class="time">
        <label>
          <span class="label">${text('chapters/inside/birth/computation')}</span>
          <input
            type="range"
            min="0"
            max=${last}
            .value=${String(t)}
            aria-valuetext=${step.name}
            @input=${(/** @type {Event} */ event) =>
              change(this, { t: numberOf(event) }, { passing: true, moving: true })}
          />
        </label>
        <output>${text('chapters/inside/birth/computed', { n: t + 1, of: last + 1 })}</output>
      </div>
      <p class="computed"><b>${step.name}</b></p>
      <div class="maps" @gf-act=${stop}>
        ${Array.from(
          { length: heads },
          (_, head) =>
            html`<figure>
              ${heatmap(step, { view, head, size, columnLabels, name: step.name })}
            </figure>`,
        )}
      </div>`;
  }

  /** The step of Adam from here; at the end, that from before the change. */
  #step() {
    const { taken, theme, change, state } = this;
    const before = EVERY * Math.floor((change?.step ?? 0) / EVERY);
    const step = this.step === STEPS ? before : this.step;
    const isOpen = taken !== null && state.weight !== null;
    return html`<section class="taken" aria-label=${text('chapters/inside/birth/adam')}>
      <p class="prose">
        ${text('chapters/inside/birth/take')}
        <button @click=${() => (isOpen ? this.#change({ weight: null }) : this.#open(step))}>
          ${isOpen ? text('chapters/inside/birth/close') : text('chapters/inside/birth/open', { step: step + 1 })}
        </button>
      </p>
      ${isOpen ? html`<gf-adam .now=${nowOf(taken, theme)}></gf-adam>` : nothing}
    </section>`;
  }

  /** Training time, forth and back. */
  #time() {
    const { step } = this;
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
          @input=${(/** @type {Event} */ event) => this.#goTo(numberOf(event), { moving: true })}
          @change=${(/** @type {Event} */ event) => this.#goTo(numberOf(event))}
        />
      </label>
      <output>${text('chapters/inside/birth/step', { step })}</output>
      <label class="seed">
        <span class="label">${text('chapters/inside/birth/layers')}</span>
        <select
          @change=${(/** @type {Event} */ event) =>
            this.#change({ layers: numberOf(event), gone: [], at: null, weight: null })}
        >
          ${Array.from({ length: MAX.layers }, (_, i) => html`<option ?selected=${i + 1 === this.state.layers}>${i + 1}</option>`)}
        </select>
      </label>
      <label class="seed">
        <span class="label">${text('chapters/inside/birth/seed')}</span>
        <input
          type="number"
          min="0"
          max=${MAX.seed}
          .value=${String(this.state.seed)}
          @change=${(/** @type {Event} */ event) => {
            const seed = numberOf(event);
            if (Number.isInteger(seed) && seed >= 0 && seed <= MAX.seed) {
              this.#change({ seed, gone: [], at: null });
            }
          }}
        />
      </label>
    </div>`;
  }

  /** @param {number} layer @param {number} head */
  #isBorn(layer, head) {
    return layer === this.change?.layer && head === this.change.head;
  }

  /** The heads in their order; in a lesson the upper layer stands above.
   * @param {Reading['steps']} steps @param {number} heads @returns {Place[]} */
  #placesOf(steps, heads) {
    const places = steps
      .filter(({ role }) => role === 'weight')
      .flatMap((step) =>
        Array.from({ length: heads }, (_, head) => ({ step, layer: Number(step.layer), head })),
      );
    return this.#isTaught ? places.sort((a, b) => b.layer - a.layer) : places;
  }

  /** A head's button, which switches it off. @param {Reading} reading @param {Pick<Place, 'layer' | 'head'>} place */
  #button({ alone }, { layer, head }) {
    const { gone } = this.state;
    const name = `${layer}.${head}`;
    const off = gone.includes(name);
    const label = text('chapters/inside/birth/head', numbered({ layer, head }));
    const value = alone[layer][head];
    /* A lesson asks for it. */
    const isSeen = off || !this.#isTaught;
    const says = { ...numbered({ layer, head }), value: full(value) };
    return html`<button
      aria-pressed=${off}
      title=${isSeen ? text('chapters/inside/birth/off', says) : nothing}
      @click=${() => this.#change({ gone: toggled(gone, name) })}
    >${label} ${isSeen ? html`<span class="quiet">${display(value)}</span>` : nothing}</button>`;
  }

  /** A head's table above its button.
   * @param {Reading} reading @param {Place} place @param {ReturnType<typeof heatmapView>} view */
  #head(reading, { step, layer, head }, view) {
    const taught = oneScreen(this) ? NARROW : BARE;
    const side = (isPresented(this) ? BARE : this.#isTaught ? taught : CELL) * unitOf(this);
    const drawn = heatmap(step, {
      ...{ view, head, size: { width: side, height: side }, columnLabels: READ },
      name: text('chapters/inside/birth/head', numbered({ layer, head })),
      framed: layer === 0 && this.layers > 1 ? BEFORE : AFTER_COPIES,
    });
    return html`<figure class=${this.state.gone.includes(`${layer}.${head}`) ? 'off' : ''}>
      ${drawn}
      <figcaption>${this.#button(reading, { layer, head })}</figcaption>
    </figure>`;
  }

  /** @param {Reading} reading */
  #maps(reading) {
    const { step: trained, steps, before, after, alone } = reading;
    const { gone } = this.state;
    const places = this.#placesOf(steps, shapeOf(alone).heads);
    const view = heatmapView({ theme: this.theme });
    const maps = html`<div class="maps ${trained === this.step ? '' : 'waits'}" @gf-act=${stop}>${places.map((place) => this.#head(reading, place, view))}</div>
      <p class="quiet">
        ${text('chapters/inside/birth/maps')}
        ${text(this.layers > 1 ? 'chapters/inside/birth/framed/more' : 'chapters/inside/birth/framed/one')}
        ${this.#isTaught ? nothing : text('chapters/inside/birth/numbers')}
        ${text('chapters/inside/birth/click')}
      </p>`;
    return html`<p class="prose sequence">
        ${text('chapters/inside/birth/sequence')}
        <span class="letters">${READ.map((letter) => html`<b>${letter}</b>`)} <i>${ANSWER}</i></span>
      </p>
      <p class="facts answer ${trained === this.step ? '' : 'waits'}">
        ${text('chapters/inside/birth/answer', { answer: ANSWER, step: trained })}
        <b title=${full(before)}>${percent(before)}</b>
        ${
          gone.length > 0 && (this.bits !== null || !this.#needsModel)
            ? html`<span aria-live="polite">${text('chapters/inside/birth/without', { n: gone.length })}
                <b class="after" title=${full(after)}>${percent(after)}</b></span>`
            : nothing
        }
      </p>
      ${
        this.#isTaught && this.change
          ? html`<p class="switch">${this.#button(reading, this.change)}</p>
              <details>
                <summary>${text('chapters/inside/birth/tables', { n: places.length })}</summary>
                ${maps}
              </details>`
          : maps
      }`;
  }
}

/** What gf-adam shows, of one run. @param {Taken} taken @param {'light' | 'dark'} theme @returns {any} */
const nowOf = ({ weight, update, parameter, facts }, theme) => ({
  ...{ weight, update, theme, side: 'a', nodes: [parameter] },
  made: { parameters: facts.parameters, config: facts.config },
  plan: { runs: { a: { training: facts.training } } },
  opened: { gradientNorm: facts.gradientNorm },
});

/** @param {string} label @param {(number | null)[]} measured @param {Omit<Curve, 'label' | 'values'>} style @returns {Curve} */
const curveOf = (label, measured, style) => ({
  label,
  values: PLACES.map((_, i) => (Number.isFinite(measured[i]) ? measured[i] : null)),
  ...style,
});

/** @param {Event} event */
const numberOf = ({ currentTarget }) =>
  Number(/** @type {HTMLInputElement} */ (currentTarget).value);

/** The cells of a map have no actions here. @param {Event} event */
const stop = (event) => event.stopPropagation();

/**
 * @param {import('../../app/session.js').Step} step
 * @param {{ view: ReturnType<typeof heatmapView>, head: number, size: { width: number, height: number },
 *   columnLabels: string[] | undefined, name: string, framed?: readonly { row: number, column: number }[] }} options
 */
const heatmap = (step, { view, head, size, columnLabels, name, framed = [] }) => html`<gf-heatmap
  .view=${view}
  .step=${step}
  .head=${head}
  .size=${{ ...size, mode: 'colours' }}
  .columnLabels=${columnLabels}
  .rowLabels=${READ}
  .run=${'birth'}
  .name=${name}
  .framed=${framed}
></gf-heatmap>`;

/** @param {readonly (readonly unknown[])[]} values by layer and head */
const shapeOf = (values) => ({ layers: values.length, heads: values[0].length });
