// Plays lessons: one sentence, one picture of the machine, one thing to do. The picture is a chapter's page
// with the parts that the scene shows; what the reader does to it is computed as everywhere.

import { html, nothing } from 'lit';
import { chapters, lessonList } from '#capabilities';
import { language, message, text } from '../app/locale/text.js';
import { Shell } from '../app/shell/shell.js';
import { entitle } from '../app/shell/title.js';
import { SHELL_EVENTS } from '../app/state/actions.js';
import { chapterOf, fromHash } from '../app/state/store.js';
import { cellKey } from '../stage/draw/tensor.js';
import { isPresented, oneScreen } from '../stage/elements/room.js';
import { Answers } from './answers.js';
import { cellsOf } from './core.js';
import { footer } from './footer.js';
import { gatePrompt } from './gate-prompt.js';
import { head, nameOf, placeOf, titleOf } from './head.js';
import { lessonOf, NAMES } from './list.js';
import { boxOfStep } from './map.js';
import { aboveStage, loadPicture, pictureOf } from './pictures.js';
import { keptOf, reached } from './progress.js';
import { FILMS, hasMap, isCell, momentIn, pickedIn, sceneClasses } from './scene.js';
import { scopeIn, telling } from './telling.js';
import '../style/bands.css';
import './teaching.css';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */
/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */
/** @typedef {import('../stage/elements/walkthrough.js').Walkthrough} Walkthrough */
/** @typedef {import('../app/state/view.js').View} View */
/** @typedef {import('./gate-form.js').Verdict} Verdict */
/** @typedef {import('./scene.js').Seen} Seen */
/** @typedef {import('../app/shell/shell.js').Opened & { pose?: typeof import('./worked.js').pose }} Taught */

/** What a scene shows of a chapter, if it does not say. */
const STAGE = ['stage'];

export class Player extends Shell {
  static properties = {
    ...Shell.properties,
    state: { attribute: false },
    theme: { attribute: false },
    page: { attribute: false },
    lesson: { state: true },
    passed: { state: true },
    said: { state: true },
    hint: { state: true },
    beside: { state: true },
    all: { state: true },
  };

  constructor() {
    super();
    /** What the address asks for: a lesson and a scene. @type {any} */
    this.state = null;
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The address of the playground, where this is a figure in another page. */
    this.page = '';
    /** @type {Lesson | null} */
    this.lesson = null;
    /** The lesson's name, or the address that it came from. */
    this.called = '';
    /** The language that it was loaded in. */
    this.spoken = language();
    /** Whether the scene's gate is open. */
    this.passed = false;
    /** The verdict on the last answer. @type {Verdict | null} */
    this.said = null;
    /** What helps further after some wrong numbers. @type {unknown} */
    this.hint = null;
    /** The machine that makes the reader's mistake, while it is shown. @type {HTMLElement | null} */
    this.beside = null;
    /** The list of lessons. @type {import('./progress.js').Brief[]} */
    this.all = [];
    /** What draws the list of lessons, once it is needed. @type {typeof import('./welcome.js') | null} */
    this.welcome = null;
    /** What draws the end of a lesson, once it is needed. @type {typeof import('./end.js') | null} */
    this.end = null;
    /** Lessons from elsewhere, by their names or addresses. @type {Map<string, Lesson>} */
    this.imported = new Map();
    /** Chapters that were opened for a lesson. @type {Map<string, Taught>} */
    this.kept = new Map();
    /** @type {Scene | null} the one that is shown */
    this.shown = null;
    /** The scene that the chapter has been asked to show: what another still computes is none of it. @type {Scene | null} */
    this.posed = null;
    /** @type {Promise<void>} */
    this.entering = Promise.resolve();
    /** Scenes whose gate was opened: it stays open for a reader who comes back. @type {WeakSet<Scene>} */
    this.solved = new WeakSet();
    /** Whether the reader came to this scene by the keyboard, which is led on there. */
    this.typing = false;
    /** The scene whose view is at its beginning. @type {Scene | null} */
    this.placed = null;
    /** What the scene's sentence was filled in from. @type {import('./telling.js').Scope | null} */
    this.first = null;
    /** The box of the map that was told last, of what plays. @type {import('../../bindings/learn/lessons/map.js').Box | undefined} */
    this.lastBeat = undefined;
    /** Done once what the reader worked out is written down. @type {Promise<void> | null} */
    this.noted = null;
    /** @type {HTMLElement} where chapters are, and are heard */
    this.inside = document.createElement('div');
    this.answers = new Answers(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#drawn.disconnect();
  }

  createRenderRoot() {
    this.inside.className = 'teaching';
    this.append(this.inside);
    this.listen(this.inside);
    for (const type of SHELL_EVENTS)
      this.inside.addEventListener(type, (event) => event.stopPropagation());
    this.inside.addEventListener('gf-opened', () =>
      this.body?.updateComplete.then(() => this.#opened()),
    );
    this.inside.addEventListener('click', this.#follow);
    this.inside.addEventListener('focusin', ({ target }) => {
      if (!(/** @type {Element} */ (target).matches('.numbers input'))) return;
      this.answers.isBegun = true;
      this.#scroll();
    });
    this.inside.addEventListener('gf-film', () => this.requestUpdate());
    return this.inside;
  }

  /** Done once the scene is there. */
  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.entering;
    return done;
  }

  /** The chapter's element. */
  get walkthrough() {
    return /** @type {Walkthrough | null} */ (this.body);
  }

  /** The form of the scene's gate, if it has one. @returns {import('./gate-form.js').GateForm | null} */
  get form() {
    return this.inside.querySelector('gf-gate');
  }

  /** @returns {Seen | null} */
  get view() {
    return this.walkthrough?.view ?? null;
  }

  // ---- From the shell ----

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('state') && this.state && this.session) {
      const { lesson, scene } = this.state;
      const before = /** @type {any} */ (changed.get('state'));
      if (before?.lesson !== lesson || before?.scene !== scene) {
        /* What was said belongs to the scene before. */
        this.passed = false;
        this.said = null;
        this.hush();
        this.placed = null;
        this.entering = this.go(lesson, scene);
      }
    }
    if (this.spoken !== language()) this.#retell();
    if (this.body && this.body.theme !== this.theme) this.body.theme = this.theme;
    /* Its picture shows what was asked for, once that is answered. */
    if (changed.has('passed')) this.body?.requestUpdate();
  }

  /**
   * Opens a scene of a lesson.
   * @param {string} name
   * @param {number} number
   */
  async go(name, number) {
    this.failure = null;
    try {
      if (this.#isElsewhere(name)) {
        this.lesson = null;
        if (!lessonList) throw new RangeError(text('embed/noLesson', { names: NAMES.join(', ') }));
        this.welcome = await lessonList();
        await this.welcome.prepare(this, name);
        this.requestUpdate();
        return;
      }
      if (!this.lesson || this.called !== name) {
        this.spoken = language();
        this.lesson = this.imported.get(name) ?? (await lessonOf(name));
        this.called = name;
      }
      const { scenes } = this.lesson;
      for (const n of keptOf(name, this.lesson).solved) this.solved.add(scenes[n - 1]);
      /* The list may be shown by now. */
      this.requestUpdate();
      const scene = scenes[number - 1];
      if (scene) await this.#enter(scene);
      else {
        this.end = await import('./end.js');
        this.shown = null;
        this.requestUpdate();
        this.#ready();
      }
    } catch (error) {
      /* What a lesson from elsewhere asks for does not come with another try. */
      if (this.imported.has(name)) this.welcome?.refuse(this, error);
      else this.fail({ text: message(error), again: () => this.go(name, number) });
    }
  }

  /** Whether the list, or the offer to fetch a lesson, stands in its place. @param {string} name */
  #isElsewhere(name) {
    return !NAMES.includes(name) && !this.imported.has(name);
  }

  /** In another language the lessons have the same scenes. */
  async #retell() {
    this.spoken = language();
    try {
      if (!this.lesson) await this.welcome?.prepare(this, this.state.lesson);
      else if (!this.imported.has(this.called)) await lessonOf(this.called);
    } catch (error) {
      this.say({ text: message(error) });
    }
    this.requestUpdate();
  }

  /** Says that what the address asks for is there. */
  #ready() {
    this.dispatchEvent(new Event('gf-opened', { bubbles: true }));
  }

  /** @param {import('../app/shell/shell.js').Notice} failure */
  fail(failure) {
    super.fail(failure);
    this.failed(failure.text);
  }

  /** @param {string} why what the scene waits for does not come */
  failed(why) {
    this.dispatchEvent(new CustomEvent('gf-failed', { detail: why, bubbles: true }));
  }

  /** How many digits numbers have is the reader's choice, not a scene's. */
  chooseDigits() {}

  /** @param {Scene} scene */
  async #enter(scene) {
    this.answers.enter(scene);
    this.shown = scene;
    /* It opens with its words, wherever the reader was in the scene before. */
    this.inside.querySelector('.scene > .words')?.scrollTo(0, 0);
    if (this.#scrolls) scrollTo(0, 0);
    const names = chapters.map(({ name }) => name);
    const [opened] = await Promise.all([
      this.#chapter(chapterOf(scene.state, names)),
      loadPicture(scene),
    ]);
    if (this.shown !== scene) return;
    const { chapter, body, pose } = opened;
    const { theme, lang } = this.state;
    const state = { ...fromHash(scene.state, chapter), theme, lang };
    const whole = pose ? await pose(body, state) : state;
    if (this.shown !== scene) return;
    this.#dress(/** @type {any} */ (body), scene);
    this.posed = scene;
    this.enter(opened, whole);
    await super.getUpdateComplete();
    await body.updateComplete;
    if (this.view) this.#opened();
  }

  /** @param {string} name */
  async #chapter(name) {
    let opened = this.kept.get(name);
    if (!opened) {
      const entry = chapters.find((one) => one.name === name);
      const { default: chapter } = await /** @type {typeof chapters[number]} */ (entry).load();
      const worked = name === 'exercises' ? await import('./worked.js') : null;
      const body = /** @type {import('../app/shell/shell.js').Body} */ (
        document.createElement(worked?.ELEMENT ?? chapter.element)
      );
      body.session = /** @type {import('../app/session.js').Session} */ (this.session);
      opened = { chapter, body, pose: worked?.pose };
      this.kept.set(name, opened);
    }
    return opened;
  }

  /** @param {Walkthrough} body @param {Scene} scene */
  #dress(body, scene) {
    const { picture } = scene;
    body.theme = this.theme;
    body.shows = new Set(scene.shows ?? STAGE);
    body.lens = picture.kind === 'stage' ? null : (view) => pictureOf(scene, view, this.passed);
    body.lit = new Set();
    const { gate } = scene;
    const isPlayed = picture.kind === 'lens' && (picture.turns || picture.shuffles);
    const edits = gate?.do === 'drag' || gate?.do === 'edit' || isPlayed;
    body.locks = new Set(edits ? ['switches'] : ['all']);
  }

  /** Something was computed: the scene can be put where it begins. */
  #opened() {
    const { shown, posed, view } = this;
    if (!shown || shown !== posed || !view) return;
    this.light();
    const isNew = this.placed !== shown;
    /* Without a step that is removed, the place has another moment. */
    if (isNew || shown.gate?.names) {
      const isSolved = isNew && this.passed;
      const change = momentIn(shown, view, isSolved, this.lesson?.scenes ?? []);
      this.placed = shown;
      if (change && (isNew || change.t !== view.state.t)) this.change({ change, passing: true });
    }
    if (isNew) {
      this.first = scopeIn(view);
      this.#ready();
      this.keepInView();
    }
    this.requestUpdate();
    /* What is tried may take its time. */
    if (!isNew && shown.gate?.do === 'try') this.answers.computed();
    if (this.typing) this.lead();
  }

  /** Leads the keyboard to what is to be done next. */
  async lead() {
    this.typing = false;
    await super.getUpdateComplete();
    (await import('./focus-next.js')).focusNext(this);
  }

  /** A picture has its size once it is drawn, and a stage its matrices once it knows its room. */
  #drawn = new ResizeObserver(() => this.#scroll());

  /** Whether the window scrolls a lesson. */
  get #scrolls() {
    return !oneScreen(this) && this.getRootNode() === document;
  }

  /** Scrolls to what is asked for, once the reader does something about it. */
  #scroll = async () => {
    if (!this.answers.isBegun || !this.#scrolls) return;
    const { scrollToAsked } = await import('./scroll-to.js');
    /* The scene may have been left. */
    requestAnimationFrame(() => this.answers.isBegun && scrollToAsked(this.inside));
  };

  /** Scrolls to what is asked for whenever it is drawn. */
  keepInView = () => {
    this.#drawn.disconnect();
    for (const one of this.inside.querySelectorAll('gf-stage .figure, .picture > *'))
      this.#drawn.observe(one);
  };

  /** Lights the cells that the scene names, and those that were asked for and are right. */
  light() {
    const { lit: lights = [], gate } = /** @type {Scene} */ (this.shown);
    const scope = scopeIn(/** @type {View} */ (this.view));
    const lit = this.passed && gate?.among ? [pickedIn(gate, scope)] : lights;
    /* The row that was computed is seen beside what it is made of. */
    const asked = this.passed && gate?.numbers ? gate.numbers.filter(isCell) : [];
    const answered = asked.map((path) => path.replace(/,\d+\]$/, ']'));
    const cells = [...lit, ...answered].flatMap((path) => cellsOf(path, scope));
    /** @type {Walkthrough} */ (this.walkthrough).lit = new Set(cells.map(cellKey));
  }

  // ---- What the reader does ----

  /** @param {import('../app/shell/shell.js').Asked} asked */
  change(asked) {
    const before = this.whole?.t;
    super.change(asked);
    if (asked.moving && this.playing) this.#keepUp();
    /* Another number is explained. */
    if (Math.floor(this.whole?.t) !== Math.floor(before)) this.#scroll();
    this.answers.changed();
  }

  /** What plays may have come to another box of the map. */
  async #keepUp() {
    await this.body?.updateComplete;
    if (this.beat !== this.lastBeat) this.requestUpdate();
    this.lastBeat = this.beat;
  }

  /** A link to a place of lessons leads there in the reader's language and look. @param {MouseEvent} event */
  #follow = (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href]');
    const place = link && placeOf(/** @type {string} */ (link.getAttribute('href')));
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.ask(place);
  };

  get playing() {
    return (this.film ?? this.walkthrough)?.playing ?? false;
  }

  pause() {
    (this.film ?? this.walkthrough)?.pause?.();
  }

  /** The picture, if it has a film. @returns {import('./picture.js').Film<any> | null} */
  get film() {
    const hasFilm = this.shown && FILMS.includes(this.shown.picture.kind);
    return hasFilm ? this.inside.querySelector('.pictured') : null;
  }

  /** The box of the map that what plays is at. */
  get beat() {
    const { film, view } = this;
    if (film) return film.beat;
    return view?.playing && view.line ? boxOfStep(view.line.stages[view.moment.stage]) : undefined;
  }

  /** Asks the page for another place. @param {{ lesson?: string, scene: number }} change */
  async ask(change) {
    await this.noted;
    this.answers.leave();
    this.dispatchEvent(new CustomEvent('gf-change', { detail: { change }, bubbles: true }));
  }

  /**
   * A key that was pressed outside any field; whether it meant something here.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.lesson) return false;
    const by = {
      PageDown: /** @type {const} */ (1),
      PageUp: /** @type {const} */ (-1),
      ...(this.passed && this.shown?.gate && { Enter: /** @type {const} */ (1) }),
    }[event.key];
    const { target } = event;
    const isSlider = target instanceof Element && target.matches('input[type=range]');
    if (isSlider && event.key.startsWith('Page')) return false;
    if (!by) return this.shown?.picture.kind === 'stage' && (this.walkthrough?.key(event) ?? false);
    /* The end may be higher than the window: there the key scrolls. */
    if (by > 0 && this.state.scene > this.lesson.scenes.length) return false;
    this.turn(by);
    return true;
  }

  /** The next scene, or the one before. On a slide the answer comes first, or the film, and of that its end; behind the last one comes
   * the next lesson.
   * @param {1 | -1} by */
  turn(by) {
    if (by > 0 && isPresented(this) && this.film?.playing) return this.film.finish();
    if (!this.lesson || (by > 0 && isPresented(this) && this.answers.reveal())) return;
    let to = this.state.scene + by;
    /* In front of a class the story goes on: what is by hand is chosen from the list. */
    while (isPresented(this) && this.lesson.scenes[to - 1]?.optional) to += by;
    const isBehind = to > this.lesson.scenes.length + 1;
    if (isBehind && isPresented(this))
      /** @type {HTMLElement | null} */ (this.inside.querySelector('.learned .main'))?.click();
    else if (!isBehind && to >= 1) this.ask({ scene: to });
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    /* A reply takes room from the picture. */
    if (this.said || changed.has('passed')) this.#scroll();
    if (this.shown?.gate && this.passed && (changed.has('passed') || !this.playing)) this.#note();
    reached(this);
    if (this.getRootNode() === document) entitle(this.heading);
  }

  /** Writes down what is solved, as it is now: the reader may drag on before the part that does it has come. */
  #note() {
    const { shown, view, first } = this;
    const { reply, holds } = this.answers;
    if (!shown || !view || !reply || !holds) return;
    const asked = telling(shown.say, first ?? scopeIn(view));
    this.noted = import('./solution.js').then(
      ({ note }) => note(this, shown, { asked, said: reply }),
      () => {},
    );
  }

  /** What the browser calls the page; null for the chapter's own title. */
  get heading() {
    return this.lesson && this.called !== this.state?.lesson ? null : titleOf(this);
  }

  // ---- What is seen ----

  render() {
    if (this.failure) return this.told('failure', this.failure);
    const { lesson } = this;
    if (!this.state) return this.waiting;
    if (this.#isElsewhere(this.state.lesson)) return this.welcome?.welcome(this) ?? this.waiting;
    if (!lesson || this.called !== this.state.lesson) return this.waiting;
    return this.shown && this.state.scene <= lesson.scenes.length
      ? this.#scene(lesson, this.shown)
      : (this.end?.learned(this) ?? this.waiting);
  }

  /** @param {Lesson} lesson @param {Scene} scene */
  #scene(lesson, scene) {
    const { view, body } = this;
    const isPlaced = view && this.placed === scene;
    return html`${head(this)} <gf-lesson-map
      class=${hasMap(scene, this.passed) ? '' : 'none'}
      .lesson=${lesson}
      .called=${this.called}
      .scene=${scene}
      .view=${isPlaced ? view : null}
      .passed=${this.passed}
      .beat=${isPlaced ? this.beat : undefined}
    ></gf-lesson-map>
      <section class=${sceneClasses(scene, isPlaced ? view : null, this.passed)} aria-label=${text('lessons/scene', { n: this.state.scene, all: lesson.scenes.length })}>
        <div class="words">
          <h3 class="title">${nameOf(lesson, this.state.scene)}</h3>
          ${scene.optional ? html`<p class="optional">${text('lessons/optional')}</p>` : nothing}
          <div class="say" aria-live="polite" aria-atomic="true" aria-busy=${!isPlaced}>
            ${isPlaced ? html`<p>${telling(scene.say, this.first ?? scopeIn(view))}</p>` : html`<div>${telling(scene.say, null)}</div>`}
          </div>
          ${isPlaced && scene.gate ? gatePrompt(scene.gate, view, this) : nothing}
          ${this.#reply()}
        </div>
        <div class="picture">
          ${this.told('notice', this.notice)}
          ${isPlaced && !this.beside ? aboveStage(scene, view, this.passed) : nothing}
          ${body ? html`<div class="chapter">${this.beside ?? body}</div>` : this.waiting}
        </div>
        ${footer(this)}
      </section>`;
  }

  /**
   * A link out of the lesson: within the page, or from a figure to the playground; nothing where a figure knows none.
   * @param {string} hash @param {string} classes @param {string} words
   */
  linkOut(hash, classes, words) {
    if (this.getRootNode() === document) return html`<a class=${classes} href=${hash}>${words}</a>`;
    if (!this.page) return nothing;
    return html`<a class=${classes} href=${this.page + hash} target="_blank">${words}</a>`;
  }

  #reply() {
    const { reply, holds, verdict } = this.answers;
    const isWrong = verdict !== null && !verdict.right;
    return html`<div class="reply ${isWrong ? 'wrong' : 'right'}" role="status" aria-atomic="true">
      ${reply ? html`<p class=${holds || isWrong ? '' : 'past'}>${reply}</p>` : nothing} ${this.hint ?? nothing}
    </div>`;
  }
}

customElements.define('gf-learn', Player);
