// <gf-assignment>: one exercise of a package, without the rest of the page. A platform or the browser keeps the answers;
// where neither does, it works alone.

import { html, nothing } from 'lit';
import { exercises } from '#capabilities';
import '../../chapters/exercises/element.js';
import { language, setLanguage, text } from '../../app/locale/text.js';
import { Page } from '../../app/shell/page.js';
import { openingOf } from '../../app/state/store.js';
import { checkedAt, opening, parts } from '../../chapters/exercises/state.js';
import { saveFile } from '../../stage/elements/save.js';
import { examBar } from './exam.js';
import { Keeper } from './keeper.js';
import { readPackage } from './package.js';
import { longestOf } from './saved.js';

/** @type {Readonly<Record<string, string>>} */
const STATUS_TEXTS = {
  platform: 'assignment/platform',
  saving: 'assignment/saving',
  saved: 'assignment/saved',
  again: 'assignment/again',
  refused: 'assignment/refused',
  unread: 'assignment/unread',
  foreign: 'assignment/foreign',
  browser: 'assignment/browser',
  tab: 'assignment/tab',
  nobody: 'assignment/nobody',
  review: 'assignment/review',
};

/** Where a platform hears of marks. */
const COUNTED = ['platform', 'saved', 'again'];

/** Where the browser keeps a copy. */
const COPY_TEXTS = {
  browser: 'assignment/copies/browser',
  tab: 'assignment/copies/tab',
  nobody: 'assignment/copies/nobody',
};

/** @typedef {import('./hosts/host.js').Report} Report */
/** @typedef {import('../../chapters/exercises/element.js').Exercises} Exercises */
const chapter = { name: 'exercises', opening, parts, element: 'gf-chapter-exercises' };

export class Assignment extends Page {
  static properties = { ...Page.properties, asking: { state: true } };

  constructor() {
    super();
    /** Whether handing in is to be confirmed. */
    this.asking = false;
    /** Points of the problem. */
    this.max = 0;
    this.package = readPackage();
    this.keeper = new Keeper(this.package, {
      show: () => {
        if (this.body) this.#open();
      },
      follow: () => this.requestUpdate(),
    });
    /** What marks. @type {Awaited<ReturnType<typeof exercises>> | null} */
    this.engine = null;
    const { input } = this.keeper;
    input.work = () => {
      this.exercise?.commit();
      return this.keeper.text;
    };
    input.grade = () => this.#grade();
    input.ready = new Promise((resolve) => {
      this.ready = () => resolve(null);
    });
    this.addEventListener('gf-checked', (event) =>
      this.#report(/** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !('place' in target.dataset)) return;
      this.keeper.draft(Number(target.dataset.place), target.value);
    });
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('pagehide', this.#leave);
    addEventListener('pageshow', this.#return);
    document.addEventListener('visibilitychange', this.#hide);
    if (!this.session) this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('pagehide', this.#leave);
    removeEventListener('pageshow', this.#return);
    document.removeEventListener('visibilitychange', this.#hide);
  }

  async #begin() {
    this.keeper.begin();
    await this.start(setLanguage(this.package.lang));
  }

  /** @param {Promise<unknown>} [spoken] */
  async start(spoken) {
    await super.start(spoken);
    if (!this.session) return;
    this.engine = await exercises();
    this.#open();
    this.ready();
  }

  // ---- The work ----

  /** Shows the problem with what was typed. */
  #open() {
    const { problem, typed } = this.keeper.work;
    if (this.engine && this.session)
      this.max = this.engine.mark(this.session.core, problem, { cells: {} }).max;
    const exercise =
      this.exercise ?? /** @type {Exercises} */ (document.createElement(chapter.element));
    exercise.session = /** @type {any} */ (this.session);
    exercise.assigned = problem;
    exercise.variants = this.package.problems;
    exercise.longest = longestOf(problem);
    const body = /** @type {import('../../app/shell/shell.js').Body} */ (
      /** @type {unknown} */ (exercise)
    );
    this.enter({ chapter, body }, { ...openingOf(chapter), ...typed, working: false });
  }

  /** What the element shows of an exam in place of checks and hints; null where it is none. */
  #exam() {
    const { keeper, asking, max } = this;
    const { attempts, isDone } = keeper;
    if (!attempts) return null;
    const { problem, typed, used, best } = keeper.work;
    const empty = problem.asked.filter((_, place) => !typed.answers[place]).length;
    const standing = { attempts, used, best, max, empty, isDone, isAsking: asking };
    const actions = {
      ask: this.#ask,
      handIn: () => this.#handIn(),
      finish: () => this.#finish(attempts - used),
    };
    return { isClosed: isDone, how: text('assignment/exam/how'), bar: examBar(standing, actions) };
  }

  /** @param {boolean} isAsking */
  #ask = async (isAsking) => {
    this.exercise?.commit();
    this.asking = isAsking;
    await this.updateComplete;
    await this.exercise?.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('.score .main'))?.focus();
  };

  /** Checks all, and uses one attempt of an exam. */
  #handIn() {
    const { keeper } = this;
    this.asking = false;
    this.exercise?.commit();
    if (keeper.attempts && keeper.isDone) return this.#report([]);
    if (keeper.attempts) keeper.spend(1);
    const { problem, typed } = keeper.work;
    const all = problem.asked.map((_, place) => place);
    this.change({ change: checkedAt(typed, all), passing: true });
    return this.#report(all);
  }

  /** @param {number} left attempts that the learner gives up */
  #finish(left) {
    this.keeper.spend(left);
    this.#report([]);
  }

  get exercise() {
    return /** @type {Exercises | null} */ (/** @type {unknown} */ (this.body));
  }

  changed() {
    const { answers, checked } = this.whole;
    this.keeper.changed({ answers, checked });
  }

  // ---- The marks ----

  /** @param {readonly number[]} places that were checked now */
  #report(places) {
    const { engine, session, keeper } = this;
    const { problem, typed } = keeper.work;
    const { asked } = problem;
    if (!engine || !session) return null;
    const answers = Object.fromEntries(asked.map((name, i) => [name, typed.answers[i] ?? '']));
    const { lang } = this.package;
    const { problems: variants } = this.package;
    const counted = asked.filter((_, place) => typed.checked[place] === '1');
    const options = { lang, variants, counted };
    const marks = engine.mark(session.core, problem, { cells: answers }, options);
    const { points, max } = marks;
    const report = keeper.report({
      points,
      max,
      cells: places.map((place) => {
        const cell = asked[place];
        const { points, message } = marks.cells[cell];
        return { cell, answer: answers[cell], ...(!keeper.attempts && { points, message }) };
      }),
    });
    this.requestUpdate();
    return report;
  }

  /** Checks all, for a platform that has a button for it. */
  #grade() {
    if (!this.engine || !this.exercise) return null;
    const { points, max, score } = /** @type {Report} */ (this.#handIn());
    return { score, points, max };
  }

  // ---- The end ----

  #leave = () => {
    this.exercise?.commit();
    this.keeper.leave();
  };

  /** From the browser's memory: the attempt has ended meanwhile. */
  #return = (/** @type {PageTransitionEvent} */ { persisted }) => {
    if (persisted) location.reload();
  };

  #hide = () => {
    if (!document.hidden) return;
    this.exercise?.commit();
    this.keeper.hide();
  };

  // ---- What is seen ----

  /** The answers as a file, for a platform that keeps none. */
  #download = () => {
    this.exercise?.commit();
    const { title } = this.package;
    const { keeper } = this;
    const { work, text: whole } = keeper;
    const { recipe, asked } = work.problem;
    const variant = 1 + keeper.problems.indexOf(work.problem);
    const lines = asked.map((cell, i) => `${cell}: ${work.typed.answers[i] ?? ''}`);
    const content = [title, `${recipe}, ${variant}`, '', ...lines, '', whole, ''].join('\n');
    saveFile(`${recipe}-${variant}.txt`, new Blob([content], { type: 'text/plain' }));
  };

  /** Who keeps the answers, and what to do if nobody does. */
  #status() {
    const { keeper } = this;
    const { name, isTrouble, time, error } = keeper.status;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act) =>
      html`<button @click=${act}>${text(key)}</button>`;
    const sentences = [
      text(STATUS_TEXTS[name], {
        time: time?.toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit' }) ?? '',
        error: error && error !== '0' ? text('assignment/error', { error }) : '',
      }),
      ...(COUNTED.includes(name)
        ? [text(keeper.attempts ? 'assignment/exam/counts' : 'assignment/counts')]
        : []),
      ...(isTrouble ? [text(COPY_TEXTS[keeper.copy])] : []),
      ...(keeper.isRestored ? [text('assignment/restored')] : []),
    ];
    return html`<div class="keeper ${isTrouble || name === 'nobody' ? 'trouble' : ''}">
      <p role=${isTrouble ? 'alert' : nothing}>${sentences.join(' ')}</p>
      ${isTrouble ? button('assignment/download', this.#download) : nothing}
      ${name === 'foreign' ? button('assignment/replace', () => keeper.replace()) : nothing}
      ${keeper.earlier ? button('assignment/earlier', () => keeper.swap()) : nothing}
    </div>`;
  }

  render() {
    const { body } = this;
    if (!body) return this.waiting;
    body.theme = this.theme;
    if (this.exercise) this.exercise.exam = this.#exam();
    return html`
      ${this.told('notice', this.notice)}
      <main class="chapter">${body}</main>
      ${this.#status()}
    `;
  }

  updated() {
    super.updated();
    /* Checked answers came back from the browser: the platform hears what they came to. */
    if (this.engine && this.keeper.owes && this.keeper.scorm.state === 'open') this.#report([]);
  }
}

customElements.define('gf-assignment', Assignment);
