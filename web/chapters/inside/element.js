// The model of the stories: two texts, the river of the stream at the last word of one, what is changed in it, and the sum
// that is checked.
import { html, nothing } from 'lit';
import { css, fill, ink } from '../../draw/colour.js';
import { display, full } from '../../draw/format.js';
import { Base } from '../../elements/base.js';
import { openExperiments } from '../../inside/open.js';
import { message, text } from '../../locale/text.js';
import { Ended } from '../../remote/failure.js';
import { Remote } from '../../remote/remote.js';
import { Drag } from './drag.js';
import './inside.css';
import { opened } from './opened.js';
import { river } from './river.js';
import { scores } from './scores.js';
import { EXAMPLES, headOf, MOST, placeOf, SCORES, VALUES } from './state.js';
import { say, signed } from './words.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {string | Uint8Array<ArrayBuffer>} Content of a file */
/** @typedef {import('../../inside/experiments.js').Asked} Asked */
/** @typedef {import('../../inside/experiments.js').Told} Told */
/** @typedef {import('../../inside/answers.js').Questions} Questions */
/** @typedef {import('../../inside/answers.js').Answers} Answers */

/** @param {string} name @param {Content} content */
function save(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Whether something is exact; nothing where it was not tried. @param {string} name @param {boolean | null} holds */
const exact = (name, holds) =>
  holds === null
    ? nothing
    : html`<li class=${holds ? 'holds' : 'fails'}>${say(`exact/${name}${holds ? '' : 'Fails'}`)}</li>`;

export class Inside extends Base {
  static properties = {
    state: { attribute: false },
    theme: { attribute: false },
    model: { state: true },
    told: { state: true },
    failure: { state: true },
    busy: { state: true },
    scored: { state: true },
  };

  constructor() {
    super();
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** @type {Answers['model'] | null} */
    this.model = null;
    /** @type {Told | null} */
    this.told = null;
    /** Why the last text has no result. */
    this.failure = '';
    /** What is seen of it. @type {Partial<State>} */
    this.seen = {};
    /** Whether the reader waits long enough to be told so. */
    this.busy = false;
    /** Where heads attend in the text that `scoring` is. @type {Answers['scores'] | null} */
    this.scored = null;
    this.scoring = '';
    /** @type {Promise<void>} */
    this.attending = Promise.resolve();
    /** How far it is: it moves without anything being rendered. */
    this.bar = document.createElement('progress');
    /** What is being computed, or was. */
    this.asked = '';
    this.stop = new AbortController();
    /** @type {Promise<void>} */
    this.computing = Promise.resolve();
    this.drag = new Drag((place) => this.#patch(place));
    /** @type {Remote<Questions, Answers>} */
    this.remote = new Remote(openExperiments, { heard: ({ part }) => this.#progress(part) });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asked = '';
    this.remote.close();
  }

  /** Done once what is seen is what the state asks for. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await Promise.all([this.computing, this.attending]);
    return done && !this.isUpdatePending;
  }

  willUpdate() {
    if (!this.state || !this.isConnected) return;
    const { score, prompt } = this.state;
    if (score !== '' && prompt !== this.scoring) this.attending = this.#score(prompt);
    const key = JSON.stringify(this.#question);
    if (key === this.asked) return;
    this.asked = key;
    /* Nobody waits for what was asked before. */
    this.stop.abort();
    this.stop = new AbortController();
    this.busy = false;
    this.computing = this.#compute(key, this.#question, this.stop.signal);
  }

  /** What the state asks for. @returns {Asked} */
  get #question() {
    const { prompt, other, word, instead, off, from, value, open } = this.state;
    const places = { off: off.map(headOf), from: from.map(placeOf) };
    return { prompt, other, word, instead, ...places, value, open };
  }

  /**
   * @param {string} key
   * @param {Asked} asked
   * @param {AbortSignal} signal
   */
  async #compute(key, asked, signal) {
    const { prompt, other, word, instead, off, from, value, open } = this.state;
    /** @type {Told | null} */
    let told = null;
    let failure = '';
    try {
      this.model ??= await this.remote.ask('model', {});
      told = await this.remote.ask('run', asked, signal);
    } catch (error) {
      if (key !== this.asked) return;
      if (error instanceof Ended || !this.model) this.#lost();
      else failure = message(error);
    }
    if (key !== this.asked) return;
    this.busy = false;
    this.failure = failure;
    if (!told) return;
    this.told = told;
    this.seen = { prompt, other, word, instead, off, from, value, open };
  }

  /** @param {string} prompt */
  async #score(prompt) {
    this.scoring = prompt;
    this.scored = null;
    try {
      const scored = await this.remote.ask('scores', { prompt });
      if (prompt === this.scoring) this.scored = scored;
    } catch {
      /* What is wrong with the text, or the worker, the other question tells. */
      if (prompt === this.scoring) this.scoring = '';
    }
  }

  #lost() {
    this.tell(text('page/notLoaded'), () => {
      this.asked = '';
      this.requestUpdate();
    });
  }

  /** @param {number} part */
  #progress(part) {
    this.bar.value = part;
    this.busy = true;
  }

  updated(/** @type {Map<PropertyKey, unknown>} */ changed) {
    if (!changed.has('told') || !this.told || !this.sight(this.told.tokens.join(' '))) return;
    /* The river is at the last word. */
    const view = this.querySelector('.inside .scroll');
    if (view) view.scrollLeft = view.scrollWidth;
  }

  /** @param {Partial<State>} change */
  #change(change) {
    this.dispatchEvent(
      new CustomEvent('gf-change', { detail: { change, undoable: true }, bubbles: true }),
    );
  }

  /** Another text: places are of this one. @param {Partial<State>} change */
  #rewrite(change) {
    const from = this.state.from.filter((place) => !place.includes('@'));
    this.#change({ from, open: '', ...change });
  }

  /** Changes a head as the table says, or puts it back. @param {string} head */
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

  get #isChanged() {
    return this.state.off.length + this.state.from.length > 0;
  }

  #restore = () => this.#change({ off: [], from: [] });

  /** Escape puts everything back. @param {KeyboardEvent} event */
  key({ key }) {
    if (key !== 'Escape' || !this.#isChanged) return false;
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
    const { told, model, state } = this;
    if (!model || !state || (!told && !this.failure)) return this.#doing();
    return html`<div class="inside">
      ${told && this.#way(told)}
      <section class="reading" aria-label=${say('texts/label')}>
        ${this.#shelf(told)}
        ${this.failure ? html`<p class="refused" role="alert">${this.failure}</p>` : nothing}
        ${told && this.#told(told)}
      </section>
      ${
        told &&
        html`<aside>
            ${this.#next(told)} ${opened(told, told.open, this.#open)} ${this.#heads(told)}
            ${scores(this.scored, state.score, this.theme, (score) => this.#change({ score }))}
            ${this.#words(told)} ${this.#take(told)} ${this.#models()}
          </aside>
          ${this.#check(told)}`
      }
    </div>`;
  }

  /** What can be found out here, and how. @param {Told} told */
  #way({ word, instead, says, sum, alone, words: canTake }) {
    const { open } = this.state;
    const against = instead === '' ? say('another') : instead;
    const words = { word, instead: against };
    const done = {
      find: / head /.test(open) || this.#isChanged,
      prove: this.#isChanged && says !== word,
      add: open !== '',
      send: false,
    };
    return html`<header>
      <h1>${say('question', { ...words, n: alone.flat().length })}</h1>
      <ol class="way">
        ${Object.entries(done).map(
          ([step, isDone]) => html`<li class=${isDone ? 'done' : ''}>
            <strong>${say(`way/${step}/name`)}${isDone ? html` <span aria-label=${say('done')}>✓</span>` : nothing}</strong>
            ${say(`way/${step}/${step === 'prove' && !canTake ? 'alone' : 'text'}`, { ...words, n: sum.parts.length })}
            ${
              step === 'send'
                ? html`<button @click=${() => this.act({ do: 'share' })}>${text('page/share')}</button>`
                : nothing
            }
          </li>`,
        )}
      </ol>
    </header>`;
  }

  /** @param {Told | null} told */
  #shelf(told) {
    const { prompt, other } = this.state;
    return html`<div class="shelf">
        <div class="examples" role="group" aria-label=${say('examples')}>
          ${Object.entries(EXAMPLES).map(
            ([name, example]) => html`<button
              aria-pressed=${example.prompt === prompt && example.other === other}
              @click=${() => this.#example(name)}
            >${say(`kinds/${name}`)}</button>`,
          )}
        </div>
        <div class="choices">
          ${told && html`${this.#word('word', told.word)} ${this.#word('instead', told.instead)}`}
        </div>
        ${this.#text('prompt', prompt)} ${this.#text('other', other)}
      </div>`;
  }

  /** @param {'prompt' | 'other'} name @param {string} written */
  #text(name, written) {
    return html`<label>
      <span class="label">${say(name === 'prompt' ? 'texts/prompt' : 'texts/second')}</span>
      <textarea
        rows="2"
        maxlength=${MOST.characters}
        spellcheck="false"
        .value=${written}
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
        ? html`<p class="refused">${say('unknown', { words: unknown.join(', ') })}</p>`
        : nothing
    }
      ${told.words ? nothing : html`<p class="refused">${say('lengths', lengths)}</p>`}
      <p class="prose">
        ${say(instead === '' ? 'about' : 'against', { word, instead })}
        ${told.sum === told.intact ? nothing : say('shores')}
      </p>
      ${river(told, this.state, { press: this.#press, patch: this.#patch, open: this.#open, drag: this.drag })}`;
  }

  /** The sum and the core's number, always in sight, and what is exact. @param {Told} told */
  #check({ sum }) {
    const difference = Math.abs(sum.sum - sum.total);
    const number = (/** @type {string} */ name, /** @type {number} */ value, more = 3) =>
      html`<div><dt>${say(`check/${name}`, { n: sum.parts.length })}</dt>
        <dd title=${full(value)}>${display(value, { more })}</dd></div>`;
    return html`<section class="checked" aria-label=${say('check/title')}>
      <dl>
        ${number('sum', sum.sum)} ${number('logit', sum.total)} ${number('difference', difference, 0)}
        ${number('bound', sum.bound, 0)}
      </dl>
      ${this.busy ? this.#doing() : html`<ul>${exact('sum', difference <= sum.bound)}</ul>`}
    </section>`;
  }

  /** How far it is, and how to leave it. */
  #doing() {
    if (!this.busy) return nothing;
    return html`<p class="doing">
      <label>${say('computing')} ${this.bar}</label>
      ${this.told ? html`<button @click=${() => this.#change(this.seen)}>${say('stop')}</button>` : nothing}
    </p>`;
  }

  /** @param {'word' | 'instead'} name @param {string} used */
  #word(name, used) {
    const chosen = this.state[name];
    return html`<label>
      <span>${say(name)}</span>
      <select
        @change=${(/** @type {Event} */ { currentTarget }) =>
          this.#change({ [name]: /** @type {HTMLSelectElement} */ (currentTarget).value })}
      >
        <option value="" ?selected=${chosen === ''}>
          ${name === 'word' ? say('likeliest', { word: chosen === '' ? used : '…' }) : say('none')}
        </option>
        ${this.model?.words.map(
          (word) => html`<option value=${word} ?selected=${chosen === word}>${word}</option>`,
        )}
      </select>
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
      <h2 class="label">${say('next')}</h2>
      <table class="facts next">
        <thead>
          <tr>
            <th scope="col">${say('token')}</th>
            <th scope="col">${say('before')}</th>
            ${isChanged ? html`<th scope="col">${say('after')}</th>` : nothing}
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
                ${say(says === word ? 'still' : 'turned', {
                  ...{ word, says, before: display(intact.total), after: display(sum.total) },
                })}
              </p>
              <button @click=${this.#restore}>${say('restore')} <kbd>Esc</kbd></button>`
          : nothing
      }
    </section>`;
  }

  /** @param {Told} told */
  #heads({ alone, intact, words, value, check }) {
    const limit = Math.max(...alone.flat().map((one) => Math.abs(one - intact.total)));
    return html`<section>
      <h2 class="label">${say('heads')}</h2>
      <div class="choices" role="group" aria-label=${say('replacement')}>
        ${VALUES.map(
          (one) => html`<button
            aria-pressed=${one === value}
            ?disabled=${one === 'story' && !words}
            @click=${() => this.#change({ value: /** @type {State['value']} */ (one) })}
          >${say(`values/${one}`)}</button>`,
        )}
      </div>
      <p class="quiet">${say(`how/${value}`)}</p>
      <table class="alone">
        <thead>
          <tr>
            <td></td>
            ${alone[0].map((_, head) => html`<th scope="col">${say('head', { head })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${alone.map(
            (row, layer) => html`<tr>
              <th scope="row">${say('layer', { layer })}</th>
              ${row.map((logit, head) => {
                const change = logit - intact.total;
                const what = say('change', { head, layer, value: signed(change) });
                return this.#cell(`${layer}.${head}`, what, change, limit, this.#press);
              })}
            </tr>`,
          )}
        </tbody>
      </table>
      <ul class="exact">
        ${exact('nothing', check.nothing)} ${exact('everything', check.everything)}
      </ul>
    </section>`;
  }

  /** The stream of the other text, word by word from the first that differs. @param {Told} told */
  #words({ words, intact, tokens, others }) {
    if (!words) return nothing;
    const first = tokens.findIndex((token, i) => token !== others[i]);
    const limit = Math.max(...words.flat().map((one) => Math.abs(one - intact.total)));
    return html`<details>
      <summary>${say('stream/title')}</summary>
      <p class="quiet">${say('stream/about')}</p>
      <table class="alone">
        <thead>
          <tr>
            <td></td>
            ${words.map((_, layer) => html`<th scope="col">${say('layer', { layer })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${tokens.map((token, position) => {
            if (first < 0 || position < first) return nothing;
            return html`<tr>
              <th scope="row">${token}${token === others[position] ? nothing : html` ← ${others[position]}`}</th>
              ${words.map((row, layer) => {
                const change = row[position] - intact.total;
                const named = { layer, word: others[position], value: signed(change) };
                return this.#cell(
                  `${layer}@${position}`,
                  say('stream/one', named),
                  change,
                  limit,
                  this.#patch,
                );
              })}
            </tr>`;
          })}
        </tbody>
      </table>
    </details>`;
  }

  /**
   * @param {string} place
   * @param {string} what is done there
   * @param {number} change of the logit
   * @param {number} limit
   * @param {(place: string) => void} press
   */
  #cell(place, what, change, limit, press) {
    const colour = fill(change, 'signed', limit, this.theme);
    const { off, from } = this.state;
    return html`<td>
      <button
        aria-pressed=${off.includes(place) || from.includes(place)}
        aria-label=${what}
        style="background: ${css(colour)}; color: ${ink(colour)}"
        @click=${() => press(place)}
      >${signed(change)}</button>
    </td>`;
  }

  /** What writes files comes when one is asked for.
   * @param {string} name
   * @param {(take: typeof import('../../inside/take.js')) => Content | Promise<Content>} write */
  async #save(name, write) {
    try {
      save(name, await write(await import('../../inside/take.js')));
    } catch {
      this.tell(text('page/notLoaded'), () => this.#save(name, write));
    }
  }

  /** @param {Told} told */
  #take(told) {
    const question = this.#question;
    const { score } = this.state;
    const asked = { ...question, value: told.value, from: told.words ? question.from : [] };
    /** @type {[string, string, (take: typeof import('../../inside/take.js')) => Content | Promise<Content>][]} */
    const files = [
      ['CSV', 'inside.csv', ({ csv }) => csv(told)],
      [
        'SVG',
        'inside.svg',
        ({ svg }) => svg(/** @type {SVGSVGElement} */ (this.querySelector('.scroll svg'))),
      ],
      [
        'JavaScript',
        'inside.mjs',
        ({ javascript }) =>
          javascript(asked, told, { score, isJob: SCORES.stories.includes(score) }),
      ],
      [
        'TransformerLens',
        'inside.py',
        ({ transformerLens }) =>
          transformerLens(asked, told, /** @type {Answers['model']} */ (this.model).config),
      ],
      [say('weights'), 'stories.safetensors', () => this.remote.ask('weights', {})],
    ];
    return html`<section>
      <h2 class="label">${say('take')}</h2>
      <div class="choices">
        ${files.map(
          ([name, file, write]) =>
            html`<button @click=${() => this.#save(file, write)}>${name}</button>`,
        )}
      </div>
      <p class="quiet">${say('lens')}</p>
    </section>`;
  }

  /** Where experiments on other models are. */
  #models() {
    return html`<section class="models">
      <h2 class="label">${say('models/title')}</h2>
      <p class="quiet">${say('models/about')}</p>
      <pre>npx glassformer help inside</pre>
      <p><a href="#chapter=transformer">${say('models/watch')}</a></p>
    </section>`;
  }
}

customElements.define('gf-stories', Inside);
