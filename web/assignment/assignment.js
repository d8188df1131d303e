// <gf-assignment>: one exercise of a package, without the rest of the page. It is kept by whoever keeps it, and works
// alone where nobody does.
import { html } from 'lit';
import chapter from '../chapters/exercises/chapter.js';
import { checkedAt } from '../chapters/exercises/state.js';
import { setLanguage, text } from '../locale/text.js';
import { Page } from '../shell/page.js';
import { openingOf } from '../state/store.js';
import { Browser } from './hosts/browser.js';
import { JSInput } from './hosts/jsinput.js';
import { Splice, Statements } from './hosts/messages.js';
import { Scorm } from './hosts/scorm.js';
import { longestOf, textOf, workOf } from './saved.js';

/** @typedef {import('./hosts/host.js').Host} Host */
/** @typedef {import('./hosts/host.js').Report} Report */
/** @typedef {import('../chapters/exercises/element.js').Exercises} Exercises */
/**
 * What a package says of itself.
 * @typedef {object} Package
 * @property {string} id
 * @property {string} title
 * @property {import('../locale/text.js').Code} lang
 * @property {'scorm12' | 'scorm2004'} standard
 * @property {import('../../bindings/exercises/index.js').Problem[]} problems each learner gets one of them
 */

/** @param {readonly any[]} list */
const oneOf = (list) => list[Math.floor(Math.random() * list.length)];

export class Assignment extends Page {
  constructor() {
    super();
    /** @type {Package} */
    this.package = JSON.parse(document.getElementById('package')?.textContent ?? '');
    const { id, standard, problems } = this.package;
    /** @type {import('./saved.js').Work} */
    this.work = { problem: oneOf(problems), typed: { answers: [], checked: '' } };
    /** Whether the learner has done something: what was kept comes too late then. */
    this.touched = false;
    /** @type {Report | null} what the last check came to */
    this.checked = null;
    this.scorm = Scorm.connect(standard);
    this.browser = new Browser(id);
    this.input = new JSInput();
    /** @type {Host[]} */
    this.hosts = [this.scorm ?? this.browser, this.input];
    if (parent !== window) this.hosts.push(new Splice(id), new Statements(this.package));
    this.input.work = () => {
      this.exercise?.commit();
      return this.#text;
    };
    this.input.grade = () => this.#grade();
    this.addEventListener('gf-checked', (event) =>
      this.#report(/** @type {CustomEvent} */ (event).detail),
    );
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
    for (const host of this.hosts) host.take = (kept) => this.#take(kept);
    this.#each('ask');
    /* So that each learner keeps the same numbers. */
    this.#save();
    await this.start(setLanguage(this.package.lang));
  }

  /** @param {Promise<unknown>} [spoken] */
  async start(spoken) {
    await super.start(spoken);
    if (this.session) this.#open();
  }

  // ---- The work ----

  /** Shows the problem with what was typed. */
  #open() {
    const { problem, typed } = this.work;
    const exercise =
      this.exercise ?? /** @type {Exercises} */ (document.createElement(chapter.element));
    exercise.session = /** @type {any} */ (this.session);
    exercise.assigned = problem;
    exercise.longest = longestOf(problem);
    const body = /** @type {import('../shell/shell.js').Body} */ (
      /** @type {unknown} */ (exercise)
    );
    this.enter({ chapter, body }, { ...openingOf(chapter), ...typed, working: false });
  }

  get exercise() {
    return /** @type {Exercises | null} */ (/** @type {unknown} */ (this.body));
  }

  /** @param {unknown} kept */
  #take(kept) {
    const work = workOf(kept, this.package.problems);
    if (work && !this.touched) {
      this.work = work;
      if (this.body) this.#open();
    }
    this.requestUpdate();
  }

  get #text() {
    return textOf(this.work);
  }

  /** @param {'ask' | 'hide'} what */
  #each(what) {
    this.#tell((host) => host[what]?.());
  }

  /** Says something to every host; whoever fails is left alone. @param {(host: Host) => void} what */
  #tell(what) {
    for (const host of this.hosts) {
      try {
        what(host);
      } catch {
        /* It cannot keep what it was told; the learner goes on. */
      }
    }
  }

  #save() {
    this.#tell((host) => host.save?.(this.#text));
  }

  changed() {
    const { answers, checked } = this.whole;
    this.touched = true;
    this.work = { ...this.work, typed: { answers, checked } };
    this.#save();
  }

  // ---- The marks ----

  /** @param {readonly number[]} places that were checked now */
  #report(places) {
    const { exercise, session } = this;
    const { problem, typed } = this.work;
    const { asked } = problem;
    if (!exercise?.engine || !session) return null;
    const cells = Object.fromEntries(asked.map((name, at) => [name, typed.answers[at] ?? '']));
    const marks = exercise.engine.mark(
      session.core,
      problem,
      { cells },
      { lang: this.package.lang },
    );
    const all = asked.filter((_, at) => typed.checked[at] === '1');
    const points = all.reduce((sum, name) => sum + marks.cells[name].points, 0);
    const report = {
      work: this.#text,
      points,
      max: asked.length,
      score: points / asked.length,
      done: all.length === asked.length && all.every((name) => cells[name] !== ''),
      cells: places.map((at) => {
        const cell = asked[at];
        const { points: own, message } = marks.cells[cell];
        return { cell, answer: cells[cell], points: own, message };
      }),
    };
    this.checked = report;
    this.#tell((host) => host.report?.(report));
    this.requestUpdate();
    return report;
  }

  /** A platform with a button of its own checks all. */
  #grade() {
    if (!this.exercise?.engine) return { score: 0 };
    this.exercise.commit();
    const all = this.work.problem.asked.map((_, at) => at);
    this.change({ change: checkedAt(this.work.typed, all), passing: true });
    const { points, max, score } = /** @type {Report} */ (this.#report(all));
    return { score, points, max };
  }

  // ---- The end ----

  #leave = () => {
    this.exercise?.commit();
    this.#tell((host) => host.leave?.(this.checked));
  };

  /** From the browser's memory: the attempt has ended meanwhile. */
  #return = (/** @type {PageTransitionEvent} */ { persisted }) => {
    if (persisted) location.reload();
  };

  #hide = () => {
    if (!document.hidden) return;
    this.exercise?.commit();
    this.#each('hide');
  };

  // ---- What is seen ----

  /** Who keeps the answers. */
  get #keeper() {
    if (this.scorm) return this.scorm.keeps ? 'platform' : 'review';
    const others = this.hosts.filter((host) => host !== this.browser);
    if (others.some((host) => host.keeps)) return 'platform';
    return this.browser.keeps ? 'browser' : 'nobody';
  }

  render() {
    const { body } = this;
    if (!body) return this.waiting;
    body.theme = this.theme;
    const keeper = this.#keeper;
    return html`
      ${this.told('notice', this.notice)}
      <main class="chapter">${body}</main>
      <p class="keeper ${keeper}">${text(`assignment/${keeper}`)}</p>
    `;
  }
}

customElements.define('gf-assignment', Assignment);
