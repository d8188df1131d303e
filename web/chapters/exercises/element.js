// The page of the chapter: a problem, its cells to be filled in as in a spreadsheet, and what the marking says.

import { html, nothing } from 'lit';
import { exercises } from '#capabilities';
import { language, message, text, worth } from '../../app/locale/text.js';
import { COMMON } from '../../app/state/store.js';
import { OPENING } from '../../app/state/walk.js';
import { Base } from '../../stage/elements/base.js';
import { typeset } from '../../stage/telling/number.js';
import './cell.js';
import './exercises.css';
import { Fields } from './fields.js';
import { kindOf } from './marks.js';
import { chipOf, table, whereOf } from './matrix.js';
import { Posed } from './posed.js';
import { shelf } from './shelf.js';
import { answered, checkedAt, LIMITS, WORKING } from './state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {Awaited<ReturnType<typeof exercises>>} Engine */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Mark} Mark */

/** @param {number} n */
const pointsText = (n) => text('chapters/exercises/points', { n, points: worth(n) });

/** Recipes whose task needs no width of a model: beside matrices of another width it is only in the way. */
const UNSIZED = ['scaled-scores', 'weights'];

export class Exercises extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false },
    theme: { attribute: false },
    assigned: { attribute: false },
    exam: { attribute: false },
    variants: { attribute: false },
    longest: { attribute: false },
    engine: { state: true },
    place: { state: true },
    hinted: { state: true },
    worked: { state: true },
    spoken: { state: true },
    walk: { state: true },
    draft: { state: true },
    unfolded: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The problem, where somebody else chose it; without one, the reader does. @type {Problem | null} */
    this.assigned = null;
    /** What stands in place of checks and hints where the exercise is an exam.
     * @type {{ isClosed: boolean, how: string, bar: unknown } | null} */
    this.exam = null;
    /** The problems that were given out with it, for other learners. @type {readonly Problem[]} */
    this.variants = [];
    /** Characters of an answer, at most. */
    this.longest = LIMITS.characters;
    /** @type {Engine | null} */
    this.engine = null;
    /** The current cell, by its place among what is asked. */
    this.place = 0;
    /** How many hints were asked for, by cell. @type {Record<string, number>} */
    this.hinted = {};
    /** The cells whose working is shown. @type {readonly string[]} */
    this.worked = [];
    /** The result of a check, to be read aloud. */
    this.spoken = '';
    /** The walk on the stage, while something is played there. @type {import('../../app/state/walk.js').State | null} */
    this.walk = null;
    /** The text to be checked, and what was found in it. @type {import('./text.js').Draft} */
    this.draft = { text: '', report: null };
    /** Whether the reader chooses how a problem is made. */
    this.unfolded = false;
    this.posed = new Posed();
    this.fields = new Fields(this);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('beforeprint', this.#showAll);
    if (!this.engine) this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('beforeprint', this.#showAll);
  }

  #load = async () => {
    try {
      this.engine = await exercises();
    } catch {
      this.tell(text('page/notLoaded'), this.#load);
    }
  };

  // ---- The problem ----

  willUpdate() {
    if (!this.engine || !this.state) return;
    const { state } = this;
    try {
      this.#pose();
    } catch (error) {
      const detail = { message: message(error) };
      this.dispatchEvent(new CustomEvent('gf-refuse', { detail, bubbles: true }));
      /* The shell has another state at once. */
      if (this.state !== state) this.#pose();
    }
    this.#follow();
  }

  #pose() {
    if (!this.posed.update(this)) return;
    this.hinted = {};
    this.worked = [];
    this.spoken = '';
    this.place = Math.max(
      0,
      this.posed.problem.asked.findIndex((_, place) => !this.state.answers[place]),
    );
  }

  /** Starts the walk of what is played; another one with another problem, or in another language. */
  #follow() {
    const { play, working, speed } = this.state;
    const { sheetKey } = this.posed;
    if (!play || !working) this.walk = null;
    else if (this.walk?.example !== play || this.walk.sheetKey !== sheetKey) {
      this.walk = { ...COMMON, ...OPENING, speed, example: play, sheetKey };
    }
  }

  /** @param {number} place */
  #isChecked(place) {
    return this.state.checked[place] === '1';
  }

  /** The mark of an answer that was checked; none in an exam that can still be handed in: it would tell which cells are right.
   * @param {number} place */
  markAt(place) {
    const { problem, marks } = this.posed;
    if (!this.#isChecked(place) || this.exam?.isClosed === false) return null;
    return marks.cells[problem.asked[place]] ?? null;
  }

  // ---- What the reader does ----

  /** @param {Partial<State>} change @param {{ passing?: boolean, undoable?: boolean }} [options] */
  change(change, options = {}) {
    const detail = { change, ...options };
    this.dispatchEvent(new CustomEvent('gf-change', { detail, bubbles: true }));
  }

  /** @param {Map<number, string>} typed */
  answer(typed) {
    if (this.exam?.isClosed) return;
    this.spoken = '';
    this.change(answered(this.state, typed), { passing: true, undoable: true });
  }

  /** Takes what is being typed, too. */
  commit() {
    const { activeElement: field } = document;
    if (field instanceof HTMLInputElement && 'place' in field.dataset) this.fields.commit(field);
  }

  /** Checks what is filled in. @param {readonly number[]} asked */
  async check(asked) {
    if (this.exam) return;
    const places = asked.filter((place) => this.fields.isFilled(place));
    if (!places.length) {
      this.spoken = text('chapters/exercises/nothing');
      this.fields.focus(asked[0]);
      return;
    }
    this.change(checkedAt(this.state, places), { passing: true });
    this.dispatchEvent(new CustomEvent('gf-checked', { detail: places, bubbles: true }));
    /* What was typed last is marked then, too. */
    await this.updateComplete;
    const marks = places.flatMap((place) => this.markAt(place) ?? []);
    if (asked.length === 1) {
      this.spoken = `${this.#whereOf(places[0])}: ${marks[0]?.message ?? ''}`;
      return;
    }
    /* Of a step the panel tells of the first that is not right; of a sheet it lists what was found. */
    const isStep = asked.length < this.posed.problem.asked.length;
    const off = places.find((place) => Number(this.markAt(place)?.points) < 1);
    if (isStep && off !== undefined) this.fields.focus(off);
    const good = marks.filter(({ points }) => points === 1).length;
    const points = pointsText(this.posed.marks.points);
    this.spoken = text('chapters/exercises/checked', { good, all: places.length, points });
  }

  /** @param {CustomEvent} event what the cell's panel asks for */
  #ask({ detail: { check, hint, work, go, play } }) {
    const { posed, place, hinted } = this;
    const name = posed.problem.asked[place];
    if (check) this.check([place]);
    if (hint) this.hinted = { ...hinted, [name]: (hinted[name] ?? 0) + 1 };
    if (work) this.worked = [...this.worked, name];
    if (go) this.fields.focus(posed.placeOf(go));
    if (play) this.#play(play);
  }

  // ---- On the stage ----

  /** @returns {import('./machine.js').Machine | null} */
  get #machine() {
    return this.querySelector('gf-machine');
  }

  /** @param {string} play a mistake, or the working of the current cell */
  async #play(play) {
    this.change({ play });
    await this.updateComplete;
    this.#machine?.querySelector('h2')?.focus();
  }

  #leave = () => {
    this.change({ play: '' });
    this.fields.focus(this.place);
  };

  /** What the walk asks for stays here: it is no part of the address. @param {CustomEvent} event */
  #walked(event) {
    event.stopPropagation();
    const machine = /** @type {import('./machine.js').Machine} */ (event.currentTarget);
    this.walk = { .../** @type {any} */ (this.walk), ...event.detail.change };
    machine.state = /** @type {any} */ (this.walk);
  }

  /** A key that was pressed outside any field; whether it meant something here. @param {KeyboardEvent} event */
  key(event) {
    return this.#machine?.key(event) ?? false;
  }

  // ---- What is seen ----

  render() {
    const { engine, posed } = this;
    if (!engine || !posed.problem) return nothing;
    if (this.state.panel === 'text') return this.#text();
    if (this.walk) return this.#stage(engine);
    const { problem, sheet } = posed;
    return html`${this.assigned ? nothing : shelf(this)}
      <div class="lesson exercise">
        <section class="centre" aria-label=${text('chapters/exercises/title')}>
          <div class="work" tabindex="-1">
            <div class="task">
              <h2 class="recipe">${sheet.title}</h2>
              ${
                this.assigned && this.variants.length > 1
                  ? html`<p>${text('chapters/exercises/variant', { n: 1 + this.variants.indexOf(this.assigned) })}</p>`
                  : nothing
              }
              <p class="signed">${text('chapters/exercises/signed')}</p>
              <p>${typeset(sheet.task)}</p>
              ${sheet.sizes && (problem.sizes?.scale || !UNSIZED.includes(problem.recipe)) ? html`<p>${typeset(sheet.sizes)}</p>` : nothing}
              <p class="rounding">${sheet.rounding}</p>
              <p class="rounding how">${this.exam?.how ?? text('chapters/exercises/how')}</p>
            </div>
            ${this.#strip()}
            <div class="beside">
              <div class="half">
                <h3 class="label">${text('chapters/exercises/given')}</h3>
                <div class="given" role="group" aria-label=${text('chapters/exercises/given')}>
                  ${sheet.given.map((matrix) => html`<div>${table(matrix, problem, this.theme)}</div>`)}
                </div>
              </div>
              <div class="half">
                <h3 class="label">${text('chapters/exercises/asked')}</h3>
                <div class="asked" role="group" aria-label=${text('chapters/exercises/asked')}>
                  ${posed.asked.map((asked, number) => this.fields.matrix(asked, number))}
                </div>
                ${this.#more()}
              </div>
            </div>
          </div>
        </section>
        <aside class="right">${this.#panel(engine)}</aside>
      </div>
      ${this.#score()}
      <p class="hidden" aria-live="polite">${this.spoken}</p>`;
  }

  #text() {
    return html`${shelf(this)}
      <gf-check-text
        .draft=${this.draft}
        @gf-draft=${(/** @type {CustomEvent} */ { detail }) => {
          this.draft = detail;
        }}
      ></gf-check-text>`;
  }

  /** @param {Engine} engine */
  #stage(engine) {
    const { problem } = this.posed;
    const [, node, index] = /** @type {RegExpExecArray} */ (
      /^(.+)\[(.*)\]$/.exec(problem.asked[this.place])
    );
    const cell = { node, index: index.split(',').map(Number) };
    return html`<gf-machine
      .session=${this.session}
      .theme=${this.theme}
      .engine=${engine}
      .problem=${problem}
      .tokens=${this.posed.sheet.tokens}
      .start=${this.state.play === WORKING ? cell : null}
      .answer=${(/** @type {string} */ name) => this.state.answers[this.posed.placeOf(name)] ?? ''}
      .state=${this.walk}
      @gf-change=${this.#walked}
      @gf-leave=${this.#leave}
    ></gf-machine>`;
  }

  /** What a step is worth, and what of it is earned once a cell of it was checked. @param {string} step @param {number[]} places */
  #worth(step, places) {
    const { points, max } = this.posed.marks.steps[step] ?? { points: 0, max: 0 };
    const n = worth(max);
    return places.some((place) => this.#isChecked(place))
      ? text('chapters/exercises/earned', { points: worth(points), n })
      : text('chapters/exercises/worth', { n });
  }

  /** The row of a matrix that is to be filled in next: the first with an empty cell. @returns {readonly string[]} */
  get #nextRow() {
    const rows = this.posed.asked.flatMap(({ matrix }) => matrix.cells);
    const { answers } = this.state;
    const isOpen = (/** @type {string | null} */ name) =>
      name !== null && !answers[this.posed.placeOf(name)];
    const next = rows.find((row) => row.some(({ name }) => isOpen(name))) ?? [];
    return next.flatMap(({ name }) => name ?? []);
  }

  /** Whether a row is shown: at first, one; each that is full brings the next.
   * @param {readonly import('./matrix.js').Matrix['cells'][number][number][]} cells of the row */
  isRowShown(cells) {
    if (this.assigned || this.state.cells === 'all') return true;
    const next = this.#nextRow;
    return cells.some(({ name }) => {
      const place = name === null ? -1 : this.posed.placeOf(name);
      return place === this.place || this.state.answers[place] || (name && next.includes(name));
    });
  }

  /** The way to all cells at once. */
  #more() {
    const { asked } = this.posed;
    if (asked.every(({ matrix }) => matrix.cells.every((cells) => this.isRowShown(cells))))
      return nothing;
    return html`<button class="more" @click=${() => this.change({ cells: 'all' }, { passing: true })}>
      ${text('chapters/exercises/showAll', { n: this.posed.problem.asked.length })}
    </button>`;
  }

  /** On paper stand all cells. */
  #showAll = () => this.change({ cells: 'all' }, { passing: true });

  /** The matrices of what is asked, how far each is, and the points of its step. */
  #strip() {
    const { answers } = this.state;
    return html`<div class="strip" role="group" aria-label=${text('chapters/exercises/steps')}>
      ${this.posed.asked.map(({ matrix, places }) => {
        const open = places.filter((place) => !answers[place]);
        return html`<button
          aria-pressed=${places.includes(this.place)}
          @click=${() => this.fields.focus(open[0] ?? places[0])}
        >
          <span>${matrix.title || matrix.of}</span> <small
            >${places.length - open.length}/${places.length} · ${this.#worth(matrix.of, places)}</small
          >
        </button>`;
      })}
    </div>`;
  }

  /** @param {Engine} engine */
  #panel({ hints }) {
    const { posed, place } = this;
    const { problem, marks, sheet } = posed;
    const { working, answers } = this.state;
    const name = problem.asked[place];
    const asked = posed.asked.find(({ places }) => places.includes(place));
    if (!asked) return nothing;
    const { matrix } = asked;
    const cells = Object.fromEntries(problem.asked.map((one, i) => [one, answers[i] ?? '']));
    /* The panel names the cell, in words that count from 1. */
    const all = hints(this.session.core, problem, name, {
      lang: language(),
      answers: { cells },
    }).map((hint) => hint.replace(`${name} `, ''));
    const key = sheet.key.find((entry) => entry.name === name);
    const mark = this.markAt(place);
    /* What is said of the cell itself is not said twice. */
    const findings = marks.findings.filter(
      (finding) => finding.message !== mark?.message && this.markAt(posed.placeOf(finding.cell)),
    );
    return html`<gf-exercise-cell
      class="edged"
      .cell=${{
        name,
        chip: chipOf(matrix, problem),
        where: this.#whereOf(place),
        mark,
        hints: working ? all : all.slice(0, -1),
        helps: !this.exam,
        checked: this.state.checked.includes('1'),
        hinted: this.hinted[name] ?? 0,
        working: working && key ? `${key.working || name} ${key.is} ${key.value}` : null,
        worked: this.worked.includes(name),
        plays: working,
        findings: findings.map((finding) => {
          const { misconception, state } = marks.cells[finding.cell];
          const where = this.#whereOf(posed.placeOf(finding.cell));
          return { ...finding, where, mistake: misconception, kind: kindOf(state) };
        }),
      }}
      @gf-ask=${this.#ask}
    ></gf-exercise-cell>`;
  }

  /** A cell in words. @param {number} place */
  #whereOf(place) {
    const { posed } = this;
    const name = posed.problem.asked[place];
    const { matrix } = /** @type {typeof posed.asked[number]} */ (
      posed.asked.find(({ places }) => places.includes(place))
    );
    const row = matrix.cells.findIndex((cells) => cells.some((cell) => cell.name === name));
    const column = matrix.cells[row].findIndex((cell) => cell.name === name);
    return whereOf(matrix, { row, column });
  }

  #score() {
    const { problem } = this.posed;
    const all = problem.asked.map((_, place) => place);
    const n = all.filter((place) => this.#isChecked(place)).length;
    const { points, max } = this.posed.marks;
    const printing = html`<button class="print" @click=${() => print()}>${text('chapters/exercises/print')}</button>`;
    if (this.exam) return html`<div class="score">${this.exam.bar} ${printing}</div>`;
    return html`<div class="score">
      <p>${
        this.spoken === text('chapters/exercises/nothing')
          ? this.spoken
          : n === all.length
            ? text('chapters/exercises/score', {
                n: points,
                points: worth(points),
                all: worth(max),
              })
            : text('chapters/exercises/progress', {
                n,
                all: all.length,
                points: pointsText(points),
              })
      }</p>
      <button @click=${() => this.check(all)}>${text('chapters/exercises/checkAll')}</button>
      ${printing}
      ${
        this.assigned
          ? nothing
          : html`<gf-quiz-button
              .session=${this.session}
              .engine=${this.engine}
              .state=${this.state}
            ></gf-quiz-button>`
      }
    </div>`;
  }
}

customElements.define('gf-chapter-exercises', Exercises);
