// The model of the stories: two texts, the river of the stream at the last word of one, what is changed in it, and the sum
// that is checked.
import { html, nothing } from 'lit';
import { css, fill, ink } from '../../draw/colour.js';
import { display, full } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import { saveFile } from '../../elements/save.js';
import { openExperiments } from '../../inside/open.js';
import { text } from '../../locale/text.js';
import { Ended } from '../../remote/failure.js';
import { Remote } from '../../remote/remote.js';
import { Drag } from './drag.js';
import './inside.css';
import { opened } from './opened.js';
import { FEW_LAYERS, river } from './river.js';
import { scores } from './scores.js';
import { EXAMPLES, FRESH, MOST, placeOf, SCORES, VALUES } from './state.js';
import { changeOf, reasonOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const EXACT_TEXTS = {
  sum: 'chapters/inside/exact/sum',
  sumFails: 'chapters/inside/exact/sumFails',
  nothing: 'chapters/inside/exact/nothing',
  nothingFails: 'chapters/inside/exact/nothingFails',
  everything: 'chapters/inside/exact/everything',
  everythingFails: 'chapters/inside/exact/everythingFails',
};

/** @type {Readonly<Record<string, string>>} */
const WAY_STEP_TEXTS = {
  find: 'chapters/inside/way/find/text',
  add: 'chapters/inside/way/add/text',
  send: 'chapters/inside/way/send/text',
  'prove text': 'chapters/inside/way/prove/text',
  'prove alone': 'chapters/inside/way/prove/alone',
  'prove press': 'chapters/inside/way/prove/press',
};

/** @type {Readonly<Record<string, string>>} */
const WAY_NAME_TEXTS = {
  find: 'chapters/inside/way/find/name',
  prove: 'chapters/inside/way/prove/name',
  add: 'chapters/inside/way/add/name',
  send: 'chapters/inside/way/send/name',
};

/** @type {Readonly<Record<string, string>>} */
const KIND_TEXTS = {
  objects: 'chapters/inside/kinds/objects',
  names: 'chapters/inside/kinds/names',
  pronouns: 'chapters/inside/kinds/pronouns',
  quotes: 'chapters/inside/kinds/quotes',
  phrases: 'chapters/inside/kinds/phrases',
};

/** @type {Readonly<Record<string, string>>} */
const CHECK_TEXTS = {
  sum: 'chapters/inside/check/sum',
  logit: 'chapters/inside/check/logit',
  difference: 'chapters/inside/check/difference',
  bound: 'chapters/inside/check/bound',
};

/** @type {Readonly<Record<string, string>>} */
const VALUE_TEXTS = {
  story: 'chapters/inside/values/story',
  zero: 'chapters/inside/values/zero',
};

/** @type {Readonly<Record<string, string>>} */
const HOW_TEXTS = {
  story: 'chapters/inside/how/story',
  zero: 'chapters/inside/how/zero',
};

/** @typedef {import('./state.js').State} State */
/** @typedef {string | Uint8Array<ArrayBuffer>} Content of a file */
/** @typedef {import('../../inside/experiments.js').Asked} Asked */
/** @typedef {import('../../inside/experiments.js').Rows} Rows */
/** @typedef {import('../../inside/answers.js').Questions} Questions */
/** @typedef {import('../../inside/answers.js').Answers} Answers */
/** What is known of a model. words: to choose from; none of a reader's own. file: that it is in.
 * @typedef {{ key: string, name: string, words: string[] | null, config: import('../../../bindings/index.js').Config,
 *   file: Answers['take']['file'] | null }} Model */
/** @typedef {import('../../inside/experiments.js').Whole} Told */

/** Heads that are tried at one go: a click waits no longer. */
const AT_ONCE = 48;
/** Of many heads these are named. */
const MOST_HEADS = 5;

/** Whether something is exact; nothing where it was not tried. @param {string} name @param {boolean | null} holds */
const exact = (name, holds) =>
  holds === null
    ? nothing
    : html`<li class=${holds ? 'holds' : 'fails'}>${text(EXACT_TEXTS[`${name}${holds ? '' : 'Fails'}`])}</li>`;

/** How a value that may not be known yet differs from another. @param {number | null} value @param {number} intact */
const differenceOf = (value, intact) => (value === null ? null : value - intact);

/** The largest change of all. @param {(number | null)[][]} values @param {number} intact */
const largest = (values, intact) =>
  Math.max(...values.flat().map((value) => Math.abs(differenceOf(value, intact) ?? 0)));

export class Inside extends Base {
  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
    model: { state: true },
    told: { state: true },
    rows: { state: true },
    failure: { state: true },
    busy: { state: true },
    scored: { state: true },
    choosing: { state: true },
  };

  constructor() {
    super();
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The model of the stories. @type {Model | null} */
    this.stories = null;
    /** The reader's own, as long as the worker has it. @type {Model | null} */
    this.own = null;
    /** That of which something is told. @type {Model | null} */
    this.model = null;
    /** @type {import('../../inside/experiments.js').Result | null} */
    this.told = null;
    /** What places do alone, layer by layer as it comes. @type {Rows[]} */
    this.rows = [];
    /** Of which texts. */
    this.tried = '';
    /** Whether the reader stopped before all layers were tried. */
    this.isStopped = false;
    /** Why the last text has no result. */
    this.failure = '';
    /** What is seen of it. @type {Partial<State>} */
    this.seen = {};
    /** What the reader waits for long enough to be told so. @type {'' | 'run' | 'rows'} */
    this.busy = '';
    /** Where heads attend in the text that `scoring` is. @type {Answers['scores'] | null} */
    this.scored = null;
    this.scoring = '';
    /** Whether the reader has taken a link. */
    this.isSent = false;
    /** Whether a model of the reader's own is being chosen. */
    this.choosing = false;
    /** What opens it. @type {import('./own-model.js').Opening | null} */
    this.opening = null;
    /** @type {Promise<void>} */
    this.attending = Promise.resolve();
    /** How far it is: it moves without anything being rendered. */
    this.bar = document.createElement('progress');
    /** Which part of all layers is being tried. @type {{ from: number, each: number } | null} */
    this.filled = null;
    /** What is being computed, or was. */
    this.asked = '';
    this.stop = new AbortController();
    /** @type {Promise<void>} */
    this.computing = Promise.resolve();
    this.drag = new Drag((place) => this.#patch(place));
    /** @type {Remote<Questions, Answers>} */
    this.remote = new Remote(openExperiments, {
      heard: (telling) => this.#heard(/** @type {any} */ (telling)),
      ended: () => {
        this.own = null;
      },
    });
    this.addEventListener('gf-open', (event) => this.#opens(/** @type {CustomEvent} */ (event)));
    this.addEventListener('gf-close', () => {
      this.choosing = false;
      if (this.opening) this.opening.work = null;
      if (!this.#isThere) this.#toStories();
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asked = '';
    this.own = null;
    this.remote.close();
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await Promise.all([this.computing, this.attending]);
    return done && !this.isUpdatePending;
  }

  /** Whether the model that the state asks for is there, or comes by itself. */
  get #isThere() {
    const { model } = this.state;
    return model === '' || model === this.own?.key;
  }

  willUpdate() {
    if (!this.state || !this.isConnected) return;
    if (this.choosing || !this.#isThere) {
      this.stop.abort();
      this.asked = '';
      if (!this.opening) this.computing = this.#toChoose();
      return;
    }
    const { model, score, prompt } = this.state;
    if (score !== '' && prompt + model !== this.scoring)
      this.attending = this.#score(prompt, model);
    if (model !== this.model?.key) this.told = null;
    const key = JSON.stringify([model, this.#question]);
    if (key === this.asked) return;
    this.asked = key;
    /* Nobody waits for what was asked before. */
    this.stop.abort();
    this.stop = new AbortController();
    this.busy = '';
    this.filled = null;
    this.computing = this.#compute(key, this.stop.signal);
  }

  /** What the state asks for. @returns {Asked} */
  get #question() {
    const { prompt, other, word, instead, off, from, value, open } = this.state;
    const places = { off: off.map(placeOf), from: from.map(placeOf) };
    return { prompt, other, word, instead, ...places, value, open };
  }

  /**
   * @param {string} key
   * @param {AbortSignal} signal
   */
  async #compute(key, signal) {
    const { state, own } = this;
    const isOwn = state.model !== '';
    const { prompt, other, word, instead, off, from, value, open } = state;
    const texts = { prompt, other, word, instead, value };
    /** @type {import('../../inside/experiments.js').Result | null} */
    let told = null;
    let failure = '';
    try {
      if (!isOwn) this.stories ??= await this.#askStories();
      told = await this.remote.ask('run', { own: isOwn, ...this.#question }, signal);
    } catch (error) {
      if (key !== this.asked) return;
      if (error instanceof Ended || !(isOwn || this.stories)) this.#lost();
      else failure = reasonOf(error);
    }
    if (key !== this.asked) return;
    this.busy = '';
    this.failure = failure;
    const model = isOwn ? own : this.stories;
    if (!told || !model) {
      if (model !== this.model) Object.assign(this, { model, told });
      return;
    }
    const tried = JSON.stringify([state.model, texts]);
    if (tried !== this.tried) Object.assign(this, { tried, rows: [], isStopped: false });
    this.told = told;
    this.model = model;
    this.seen = { model: state.model, prompt, other, word, instead, off, from, value, open };
    await this.#fill({ own: isOwn, ...texts }, signal);
  }

  /** @returns {Promise<Model>} */
  async #askStories() {
    return { key: '', name: '', file: null, ...(await this.remote.ask('model', {})) };
  }

  /** Tries the layers that were not tried yet, the last first: it needs the least.
   * @param {Omit<Questions['rows'], 'layers'>} texts @param {AbortSignal} signal */
  async #fill(texts, signal) {
    const { layers, heads } = /** @type {Model} */ (this.model).config;
    const before = new Set(this.rows.flatMap((rows) => rows.layers));
    const left = Array.from({ length: layers }, (_, layer) => layer).filter(
      (layer) => !before.has(layer),
    );
    const many = Math.max(1, Math.floor(AT_ONCE / heads));
    try {
      while (left.length > 0 && !this.isStopped && !signal.aborted) {
        this.filled = {
          from: 1 - left.length / layers,
          each: Math.min(many, left.length) / layers,
        };
        const rows = await this.remote.ask('rows', { ...texts, layers: left.slice(-many) }, signal);
        if (signal.aborted) return;
        left.splice(-many);
        this.rows = [...this.rows, rows];
      }
    } catch (error) {
      if (!signal.aborted) this.failure = reasonOf(error);
    }
    if (!signal.aborted) this.busy = '';
  }

  /** What is told, with what is known of places alone. @returns {Told | null} */
  get #whole() {
    const { told, model, rows } = this;
    if (!told || !model) return null;
    const { layers, heads } = model.config;
    const none = (/** @type {number} */ n) => Array(n).fill(null);
    /** @type {(number | null)[][]} */
    const alone = Array.from({ length: layers }, () => none(heads));
    /** @type {(number | null)[][]} */
    const words = Array.from({ length: layers }, () => none(told.tokens.length));
    for (const part of rows) {
      for (const [i, layer] of part.layers.entries()) {
        alone[layer] = part.alone[i];
        if (part.words) words[layer] = part.words[i];
      }
    }
    const everything = rows.map(({ check }) => check.everything);
    const check = {
      nothing: rows.every(({ check }) => check.nothing),
      everything: everything.includes(null) ? null : everything.every(Boolean),
    };
    return {
      ...told,
      ...{ alone, words: told.fits ? words : null },
      target: rows[0]?.target ?? null,
      check: rows.length > 0 ? check : null,
    };
  }

  /** @param {string} prompt @param {string} model */
  async #score(prompt, model) {
    const scoring = prompt + model;
    this.scoring = scoring;
    this.scored = null;
    try {
      const scored = await this.remote.ask('scores', { own: model !== '', prompt });
      if (scoring === this.scoring) this.scored = scored;
    } catch {
      /* What is wrong with the text, or the worker, the other question tells. */
      if (scoring === this.scoring) this.scoring = '';
    }
  }

  #lost() {
    this.tell(text('page/notLoaded'), () => {
      this.asked = '';
      this.requestUpdate();
    });
  }

  /** @param {import('../../inside/answers.js').Telling} telling */
  #heard(telling) {
    const work = this.opening?.work;
    if (work && !work.failure) this.opening?.heard(telling);
    else if ('part' in telling) {
      const { from, each } = this.filled ?? { from: 0, each: 1 };
      this.bar.value = from + each * telling.part;
      this.busy = this.filled ? 'rows' : 'run';
    }
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    if (!changed.has('told') || !this.told || !this.sight(this.told.tokens.join(' '))) return;
    /* The river is at the last word. */
    const view = this.querySelector('.inside .scroll');
    if (view) view.scrollLeft = view.scrollWidth;
  }

  // ---- A model of the reader's own ----

  /** What opens it comes when it is asked for. */
  async #toChoose() {
    try {
      const { Opening } = await import('./own-model.js');
      this.opening = new Opening(this.remote, () => this.requestUpdate());
      this.requestUpdate();
    } catch {
      this.tell(text('page/notLoaded'), () => this.requestUpdate());
    }
  }

  /** @param {CustomEvent<import('../transformer/opener.js').Wanted>} event */
  async #opens({ detail: wanted }) {
    this.own = null;
    const taken = await this.opening?.open(wanted);
    if (!taken) return;
    const { config, file, sample } = taken;
    const { key, name } = wanted;
    this.own = { key, name, words: null, config, file };
    this.choosing = false;
    this.asked = '';
    /* A link says what is read. */
    if (this.state.model === key) this.requestUpdate();
    else
      this.#change({
        model: key,
        ...FRESH,
        ...{ prompt: text('chapters/transformer/checkpoint/sample'), other: '', score: '' },
        ...sample,
      });
  }

  #toStories = () => this.#change({ model: '', ...FRESH, ...EXAMPLES.names, score: '' });

  /** @param {Partial<State>} change */
  #change(change) {
    this.dispatchEvent(
      new CustomEvent('gf-change', { detail: { change, undoable: true }, bubbles: true }),
    );
  }

  /** Another text: places are of this one. @param {Partial<State>} change */
  #rewrite(change) {
    const { model, prompt, other, instead } = { ...this.state, ...change };
    const from = this.state.from.filter((place) => !place.includes('@'));
    /* A word of a story that neither text says is none to compare with. */
    const words = `${prompt} ${other}`.split(/[^\p{L}\p{N}']+/u);
    const isThere = model !== '' || words.includes(instead);
    this.#change({ from, open: '', ...change, instead: isThere ? instead : '' });
  }

  /** Changes a head or a feed-forward as the table says, or puts it back. @param {string} head */
  #press = (head) => {
    if (this.told?.value === 'story') return this.#patch(head);
    const { off, from } = this.state;
    const others = off.filter((one) => one !== head);
    const isOff = others.length < off.length;
    this.#change({
      off: isOff ? others : [...off, head],
      from: from.filter((one) => one !== head),
    });
  };

  /** Takes what a place gives from the other text, or puts it back. @param {string} place */
  #patch = (place) => {
    const { off, from } = this.state;
    const others = from.filter((one) => one !== place);
    const isPatched = others.length < from.length;
    this.#change({
      from: isPatched ? others : [...from, place],
      off: off.filter((one) => one !== place),
    });
  };

  /** @param {string} open */
  #open = (open) => this.#change({ open: open === this.state.open ? '' : open });

  /** What the state asks for, but for what the other text cannot give: it has more tokens, or fewer. */
  get #applied() {
    const { state, told } = this;
    return told && !told.fits ? { ...state, from: [] } : state;
  }

  get #isChanged() {
    const { off, from } = this.#applied;
    return off.length + from.length > 0;
  }

  #restore = () => this.#change({ off: [], from: [] });

  /** Escape puts everything back. @param {KeyboardEvent} event */
  key({ key }) {
    const { off, from } = this.state;
    if (key !== 'Escape' || off.length + from.length === 0) return false;
    this.#restore();
    return true;
  }

  /** @param {string} name */
  #example(name) {
    const { prompt, instead, other } = EXAMPLES[/** @type {keyof typeof EXAMPLES} */ (name)];
    this.#change({ prompt, instead, other, word: '', off: [], from: [], open: '' });
  }

  // ---- What is seen ----

  render() {
    const { state, opening } = this;
    if (!state) return nothing;
    if (this.choosing || !this.#isThere)
      return opening?.render(/^http/.test(state.model) ? state.model : '') ?? nothing;
    const told = this.#whole;
    if (!this.model || (!told && !this.failure)) return this.#waiting();
    return html`<div class="inside">
      ${told && this.#way(told)}
      <section class="reading" aria-label=${text('chapters/inside/texts/label')}>
        ${this.#shelf(told)}
        ${this.failure ? html`<p class="refused" role="alert">${this.failure}</p>` : nothing}
        ${told && this.#told(told)}
      </section>
      ${
        told &&
        html`<aside>
            ${this.#next(told)} ${opened(told, this.#applied, { press: this.#open, change: this.#press })} ${this.#heads(told)}
            ${scores(this.scored, state, this.theme, (score) => this.#change({ score }))}
            ${this.#words(told)} ${this.#take(told)} ${this.#models()}
          </aside>
          ${this.#check(told)}`
      }
    </div>`;
  }

  /** What can be found out here, and how. @param {Told} told */
  #way({ word, instead, says, sum, alone, words: canTake }) {
    const { open } = this.state;
    const against = instead === '' ? text('chapters/inside/another') : instead;
    const proving = !canTake ? 'alone' : alone.length > FEW_LAYERS ? 'press' : 'text';
    const words = { word, instead: against };
    const done = {
      find: / head /.test(open) || this.#isChanged,
      prove: this.#isChanged && says !== word,
      add: open !== '',
      send: this.isSent,
    };
    return html`<header>
      <h1>${text('chapters/inside/question', { ...words, n: alone.flat().length })}</h1>
      <ol class="way">
        ${Object.entries(done).map(
          ([step, isDone]) => html`<li class=${isDone ? 'done' : ''}>
            <strong>${text(WAY_NAME_TEXTS[step])}${isDone ? html` <span aria-label=${text('chapters/inside/done')}>✓</span>` : nothing}</strong>
            ${text(WAY_STEP_TEXTS[step === 'prove' ? `prove ${proving}` : step], { ...words, n: sum.parts.length })}
            ${
              step === 'send'
                ? html`<button @click=${this.#send}>${text('page/share')}</button>`
                : nothing
            }
          </li>`,
        )}
      </ol>
    </header>`;
  }

  #send = () => {
    this.isSent = true;
    this.act({ do: 'share' });
    this.requestUpdate();
  };

  /** @param {Told | null} told */
  #shelf(told) {
    const { prompt, other, model } = this.state;
    return html`<div class="shelf">
        ${
          model === ''
            ? html`<div class="examples" role="group" aria-label=${text('chapters/inside/examples')}>
                ${Object.entries(EXAMPLES).map(
                  ([name, example]) => html`<button
                    aria-pressed=${example.prompt === prompt && example.other === other}
                    @click=${() => this.#example(name)}
                  >${text(KIND_TEXTS[name])}</button>`,
                )}
              </div>`
            : html`<p class="own"><b>${this.own?.name}</b> <button @click=${this.#toStories}>${text('chapters/inside/models/back')}</button></p>`
        }
        <div class="choices">
          ${this.#word('word', told?.word ?? '')} ${this.#word('instead', told?.instead ?? '')}
        </div>
        ${this.#text('prompt', prompt)} ${this.#text('other', other)}
      </div>`;
  }

  /** @param {'prompt' | 'other'} name @param {string} written */
  #text(name, written) {
    return html`<label>
      <span class="label">${text(name === 'prompt' ? 'chapters/inside/texts/prompt' : 'chapters/inside/texts/second')}</span>
      <textarea
        rows="2"
        maxlength=${MOST.characters}
        spellcheck="false"
        .value=${written}
        @keydown=${(/** @type {KeyboardEvent} */ event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          /** @type {HTMLElement} */ (event.currentTarget).blur();
        }}
        @change=${(/** @type {Event} */ { currentTarget }) => {
          const { value } = /** @type {HTMLTextAreaElement} */ (currentTarget);
          this.#rewrite({ [name]: value });
        }}
      ></textarea>
    </label>`;
  }

  /** The river, and what is to be said of the texts. @param {Told} told */
  #told(told) {
    const { word, instead, tokens, others, unknown } = told;
    const lengths = { n: tokens.length, other: others.length };
    return html`${
      unknown.length > 0
        ? html`<p class="refused">${text('chapters/inside/unknown', { words: unknown.join(', ') })}</p>`
        : nothing
    }
      ${told.fits || others.length === 0 ? nothing : html`<p class="refused">${text('chapters/inside/lengths', lengths)} ${this.state.from.length > 0 ? text('chapters/inside/untaken') : nothing}</p>`}
      <p class="prose">
        ${text(instead === '' ? 'chapters/inside/about' : 'chapters/inside/against', { word, instead })}
        ${told.sum === told.intact ? nothing : text('chapters/inside/shores')}
      </p>
      ${river(told, this.#applied, { press: this.#press, patch: this.#patch, open: this.#open, drag: this.drag })}
      <p class="quiet">${text('chapters/inside/legend')} ${this.state.model === '' ? html`${text('chapters/inside/texts/hint')} <span class="enter">${text('chapters/inside/texts/enter')}</span>` : nothing}</p>`;
  }

  /** The sum and the core's number, always in sight, and what is exact. @param {Told} told */
  #check({ sum }) {
    const difference = Math.abs(sum.sum - sum.total);
    const number = (/** @type {string} */ name, /** @type {number} */ value, more = 3) =>
      html`<div><dt>${text(CHECK_TEXTS[name], { n: sum.parts.length })}</dt>
        <dd title=${full(value)}>${display(value, { more })}</dd></div>`;
    return html`<section class="checked" aria-label=${text('chapters/inside/check/title')}>
      <dl>
        ${number('sum', sum.sum)} ${number('logit', sum.total)} ${number('difference', difference, 0)}
        ${number('bound', sum.bound, 0)}
      </dl>
      ${this.busy === 'run' ? this.#doing() : html`<ul>${exact('sum', difference <= sum.bound)}</ul>`}
    </section>`;
  }

  /** Nothing is there to be seen yet. A model of many layers takes its time. */
  #waiting() {
    return this.own
      ? html`<p class="doing" role="status">${text('chapters/inside/computing')}</p>`
      : this.#doing();
  }

  /** How far it is, and how to leave it. */
  #doing() {
    if (!this.busy) return nothing;
    return html`<p class="doing">
      <label>${text('chapters/inside/computing')} ${this.bar}</label>
      ${this.told ? html`<button @click=${this.#halt}>${text('chapters/inside/stop')}</button>` : nothing}
    </p>`;
  }

  #halt = () => {
    if (this.busy === 'run') return this.#change(this.seen);
    this.isStopped = true;
    this.stop.abort();
    this.busy = '';
  };

  /** Tries the layers that are left. */
  #goOn = () => {
    const { model, prompt, other, word, instead, value } = /** @type {State} */ (this.seen);
    const texts = { own: model !== '', prompt, other, word, instead, value };
    this.isStopped = false;
    this.stop = new AbortController();
    this.computing = this.#fill(texts, this.stop.signal);
    this.requestUpdate();
  };

  /** @param {'word' | 'instead'} name @param {string} used */
  #word(name, used) {
    const chosen = this.state[name];
    const words = this.model?.words;
    if (!words) return this.#typed(name, used);
    return html`<label>
      <span>${text(name === 'word' ? 'chapters/inside/word' : 'chapters/inside/instead')}</span>
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          this.#change({ [name]: /** @type {HTMLSelectElement} */ (currentTarget).value })}
      >
        <option value="" ?selected=${chosen === ''}>
          ${name === 'word' ? text('chapters/inside/likeliest', { word: chosen === '' ? used : '…' }) : text('chapters/inside/none')}
        </option>
        ${words.map(
          (word) => html`<option value=${word} ?selected=${chosen === word}>${word}</option>`,
        )}
      </select>
    </label>`;
  }

  /** A word of many thousands is typed, or one of those that the model finds likely.
   * @param {'word' | 'instead'} name @param {string} used */
  #typed(name, used) {
    return html`<label>
      <span>${text(name === 'word' ? 'chapters/inside/word' : 'chapters/inside/instead')}</span>
      <input
        size="10"
        maxlength=${MOST.word}
        spellcheck="false"
        list="inside-likely"
        .value=${this.state[name]}
        placeholder=${name === 'word' ? text('chapters/inside/likeliest', { word: used }) : text('chapters/inside/none')}
        @change=${(/** @type {Event} */ { currentTarget }) => {
          const { value } = /** @type {HTMLInputElement} */ (currentTarget);
          this.#change({ [name]: value.trim() });
        }}
      />
      ${
        name === 'word'
          ? html`<datalist id="inside-likely">
              ${this.told?.best.map(({ word }) => html`<option value=${word}></option>`)}
            </datalist>`
          : nothing
      }
    </label>`;
  }

  /** @param {Told} told */
  #next({ best, says, sum, intact, word }) {
    const isChanged = this.#isChanged;
    const share = (/** @type {number} */ value) =>
      html`<td title=${full(value)}>
        <span class="bar" style="width: ${(100 * value).toFixed(1)}%"></span>${display(value)}
      </td>`;
    return html`<section>
      <h2 class="label">${text('chapters/inside/next')}</h2>
      <table class="facts next">
        <thead>
          <tr>
            <th scope="col">${text('chapters/inside/token')}</th>
            <th scope="col">${text('chapters/inside/before')}</th>
            ${isChanged ? html`<th scope="col">${text('chapters/inside/after')}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${best.map(
            ({ word, before, after }) => html`<tr>
              <th scope="row">${word}</th>
              ${share(before)} ${isChanged ? share(after) : nothing}
            </tr>`,
          )}
        </tbody>
      </table>
      ${
        isChanged
          ? html`<p class="verdict" aria-live="polite">
                ${text(says === word ? 'chapters/inside/still' : 'chapters/inside/turned', {
                  ...{ word, says, before: display(intact.total), after: display(sum.total) },
                })}
              </p>
              <button @click=${this.#restore}>${text('chapters/inside/restore')} <kbd>Esc</kbd></button>`
          : nothing
      }
    </section>`;
  }

  /** @param {Told} told */
  #heads({ alone, intact, words, value, check }) {
    const limit = largest(alone, intact.total);
    return html`<section>
      <h2 class="label">${text('chapters/inside/heads')}</h2>
      <div class="choices" role="group" aria-label=${text('chapters/inside/replacement')}>
        ${VALUES.map(
          (one) => html`<button
            aria-pressed=${one === value}
            ?disabled=${one === 'story' && !words}
            @click=${() => this.#change({ value: /** @type {State['value']} */ (one) })}
          >${text(VALUE_TEXTS[one])}</button>`,
        )}
      </div>
      <p class="quiet">${text(HOW_TEXTS[value])}</p>
      ${this.busy === 'rows' ? this.#doing() : nothing}
      ${this.isStopped ? html`<button @click=${this.#goOn}>${text('chapters/inside/goOn')}</button>` : nothing}
      ${this.#grid(alone, intact.total, limit)}
      ${
        check &&
        html`<ul class="exact">
          ${exact('nothing', check.nothing)} ${exact('everything', check.everything)}
        </ul>`
      }
    </section>`;
  }

  /** What each head does alone: of many, by its colour, and by its number where that is large.
   * @param {(number | null)[][]} alone @param {number} intact @param {number} limit */
  #grid(alone, intact, limit) {
    const isDense = alone.length > FEW_LAYERS;
    const heads = alone.flatMap((row, layer) =>
      row.map((logit, head) => ({ layer, head, change: differenceOf(logit, intact) })),
    );
    const cell = (/** @type {typeof heads[number]} */ { layer, head, change }, isNumber = true) => {
      const what = text('chapters/inside/change', { head, layer, value: changeOf(change) });
      return this.#cell(`${layer}.${head}`, what, change, limit, this.#press, isNumber);
    };
    const ordered = heads.filter(({ change }) => change !== null);
    ordered.sort((a, b) => Math.abs(Number(b.change)) - Math.abs(Number(a.change)));
    const most = isDense ? ordered.slice(0, MOST_HEADS) : [];
    return html`${
      most.length > 0
        ? html`<p class="quiet">${text('chapters/inside/most')}</p>
            <table class="alone most">
              ${most.map(
                ({ layer, head, ...one }) => html`<tr>
                  <th scope="row">${text('chapters/inside/layer', { layer })}, ${text('chapters/inside/head', { head })}</th>
                  ${cell({ layer, head, ...one })}
                </tr>`,
              )}
            </table>`
        : nothing
    }
      <table class="alone ${isDense ? 'dense' : ''}">
        <thead>
          <tr>
            <td></td>
            ${alone[0].map((_, head) => html`<th scope="col">${isDense ? head : text('chapters/inside/head', { head })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${alone.map(
            (row, layer) => html`<tr>
              <th scope="row">${isDense ? layer : text('chapters/inside/layer', { layer })}</th>
              ${row.map((_, head) => cell(heads[layer * row.length + head], !isDense))}
            </tr>`,
          )}
        </tbody>
      </table>`;
  }

  /** The stream of the other text, word by word from the first that differs. @param {Told} told */
  #words({ words, intact, tokens, others }) {
    if (!words) return nothing;
    const first = tokens.findIndex((token, i) => token !== others[i]);
    const limit = largest(words, intact.total);
    return html`<details>
      <summary>${text('chapters/inside/stream/title')}</summary>
      <p class="quiet">${text('chapters/inside/stream/about')}</p>
      <div class="wide"><table class="alone">
        <thead>
          <tr>
            <td></td>
            ${words.map((_, layer) => html`<th scope="col">${text('chapters/inside/layer', { layer })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${tokens.map((token, position) => {
            if (first < 0 || position < first) return nothing;
            return html`<tr>
              <th scope="row">${token}${token === others[position] ? nothing : html` ← ${others[position]}`}</th>
              ${words.map((row, layer) => {
                const change = differenceOf(row[position], intact.total);
                const named = { layer, word: others[position], value: changeOf(change) };
                return this.#cell(
                  `${layer}@${position}`,
                  text('chapters/inside/stream/one', named),
                  change,
                  limit,
                  this.#patch,
                );
              })}
            </tr>`;
          })}
        </tbody>
      </table></div>
    </details>`;
  }

  /**
   * @param {string} place
   * @param {string} what is done there
   * @param {number | null} change of the logit
   * @param {number} limit
   * @param {(place: string) => void} press
   * @param {boolean} [isNumber] whether it is written there
   */
  #cell(place, what, change, limit, press, isNumber = true) {
    const colour = fill(change ?? 0, 'signed', limit, this.theme);
    const { off, from } = this.#applied;
    return html`<td>
      <button
        aria-pressed=${off.includes(place) || from.includes(place)}
        aria-label=${what}
        title=${isNumber ? nothing : what}
        style="background: ${css(colour)}; color: ${ink(colour)}"
        @click=${() => press(place)}
      >${isNumber ? changeOf(change) : ''}</button>
    </td>`;
  }

  /** What writes files comes when one is asked for.
   * @param {string} name
   * @param {(take: typeof import('../../inside/take.js')) => Content | Promise<Content>} write */
  async #save(name, write) {
    try {
      saveFile(name, new Blob([await write(await import('../../inside/take.js'))]));
    } catch {
      this.tell(text('page/notLoaded'), () => this.#save(name, write));
    }
  }

  /** @param {Told} told */
  #take(told) {
    const question = this.#question;
    const { score, model } = this.state;
    const asked = { ...question, value: told.value, from: told.fits ? question.from : [] };
    /** @type {[string, string, (take: typeof import('../../inside/take.js')) => Content | Promise<Content>][]} */
    const files = [
      ['CSV', 'inside.csv', ({ csv }) => csv(asked, told)],
      [
        'SVG',
        'inside.svg',
        ({ svg }) => svg(/** @type {SVGSVGElement} */ (this.querySelector('.scroll svg'))),
      ],
      [
        'JavaScript',
        'inside.mjs',
        ({ javascript }) =>
          javascript(
            asked,
            told,
            { score, isJob: SCORES.stories.includes(score) },
            model === '' ? null : /** @type {Model} */ (this.own).file,
          ),
      ],
      ...(model === '' ? this.#ofStories(asked, told) : []),
    ];
    return html`<section>
      <h2 class="label">${text('chapters/inside/take')}</h2>
      <div class="choices">
        ${files.map(
          ([name, file, write]) =>
            html`<button @click=${() => this.#save(file, write)}>${name}</button>`,
        )}
      </div>
      ${model === '' ? html`<p class="quiet">${text('chapters/inside/lens')}</p>` : nothing}
    </section>`;
  }

  /** What only the weights of the stories are good for.
   * @param {Asked} asked @param {Told} told
   * @returns {[string, string, (take: typeof import('../../inside/take.js')) => Content | Promise<Content>][]} */
  #ofStories(asked, told) {
    const { config } = /** @type {Model} */ (this.model);
    return [
      [
        'TransformerLens',
        'inside.py',
        ({ transformerLens }) => transformerLens(asked, told, config),
      ],
      [
        text('chapters/inside/weights'),
        'stories.safetensors',
        () => this.remote.ask('weights', {}),
      ],
    ];
  }

  /** The way to other models. */
  #models() {
    return html`<section class="models">
      <h2 class="label">${text('chapters/inside/models/title')}</h2>
      <p class="quiet">${text('chapters/inside/models/about')}</p>
      <button
        @click=${() => {
          this.choosing = true;
        }}
      >${text('chapters/inside/models/open')}</button>
      <p class="quiet">${text('chapters/inside/models/more')}</p>
      <pre>npx glassformer help inside</pre>
    </section>`;
  }
}

customElements.define('gf-stories', Inside);
