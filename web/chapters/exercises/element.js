// The page of the chapter: a problem, its cells to be filled in as in a spreadsheet, and what the marking says.

import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { exercises } from '#capabilities';
import { Base } from '../../elements/base.js';
import { count, language, message, short, text } from '../../locale/text.js';
import { COMMON } from '../../state/store.js';
import { OPENING } from '../../state/walk.js';
import { chip, typeset } from '../../telling/number.js';
import { blockOf } from './block.js';
import './cell.js';
import './exercises.css';
import { kindOf, SIGNS } from './marks.js';
import { letterOf, roleOf, rowOf, table } from './matrix.js';
import {
  answered,
  checkedAt,
  DIGITS,
  LARGEST_SEED,
  LEVELS,
  MOST,
  PANELS,
  WORKING,
} from './state.js';

/** @type {Readonly<Record<string, string>>} */
const PANEL_TEXTS = {
  exercise: 'chapters/exercises/panels/exercise',
  text: 'chapters/exercises/panels/text',
};

/** @type {Readonly<Record<string, string>>} */
const CHOICE_TEXTS = {
  recipe: 'chapters/exercises/recipe',
  level: 'chapters/exercises/level',
  digits: 'chapters/exercises/digits',
};

/** @type {Readonly<Record<string, string>>} */
const LEVEL_TEXTS = {
  steps: 'chapters/exercises/levels/steps',
  faded: 'chapters/exercises/levels/faded',
  end: 'chapters/exercises/levels/end',
};

/** @typedef {import('./state.js').State} State */
/** @typedef {Awaited<ReturnType<typeof exercises>>} Engine */
/** @typedef {import('../../../bindings/exercises/index.js').Problem} Problem */
/** @typedef {import('../../../bindings/exercises/index.js').Matrix} Matrix */
/** @typedef {import('../../../bindings/exercises/index.js').Marks} Marks */
/** @typedef {import('../../../bindings/exercises/index.js').Worksheet} Worksheet */

/** New numbers are drawn among these, which are easily told to others. */
const SEEDS = 9999;

/** Where a key leads from a field: rows down, columns right. Arrows move within what is typed first.
 * @param {KeyboardEvent} event @param {HTMLInputElement} field
 * @returns {[number, number] | null} */
function wayOf({ key, shiftKey }, { selectionStart: from, selectionEnd: to, value }) {
  const isWhole = from === 0 && to === value.length;
  /** @type {Record<string, [number, number] | null>} */
  const ways = {
    Enter: shiftKey ? [-1, 0] : [1, 0],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowLeft: isWhole || to === 0 ? [0, -1] : null,
    ArrowRight: isWhole || from === value.length ? [0, 1] : null,
  };
  return Object.hasOwn(ways, key) ? ways[key] : null;
}

export class Exercises extends Base {
  static properties = {
    session: { attribute: false },
    state: { attribute: false },
    theme: { attribute: false },
    assigned: { attribute: false },
    longest: { attribute: false },
    engine: { state: true },
    at: { state: true },
    hinted: { state: true },
    worked: { state: true },
    spoken: { state: true },
    walk: { state: true },
    draft: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {'light' | 'dark'} */
    this.theme = 'light';
    /** The problem, where somebody else chose it; without one, the reader does. @type {Problem | null} */
    this.assigned = null;
    /** Characters of an answer, at most. */
    this.longest = MOST.characters;
    /** @type {Engine | null} */
    this.engine = null;
    /** The cell one is at, by its place among what is asked. */
    this.at = 0;
    /** How many hints were asked for, by cell. @type {Record<string, number>} */
    this.hinted = {};
    /** Whose working is shown. @type {readonly string[]} */
    this.worked = [];
    /** What is read aloud: what a check came to. */
    this.spoken = '';
    /** The walk on the stage, while something is played there. @type {import('../../state/walk.js').State | null} */
    this.walk = null;
    /** The text to be checked, and what was found in it. @type {import('./text.js').Draft} */
    this.draft = { text: '', report: null };
    /** @type {{ key: string, told: string, answers: string, problem: Problem, sheet: Worksheet, marks: Marks } | null} */
    this.made = null;
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this.engine) this.#load();
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
    const { engine, state } = this;
    try {
      this.#make(engine);
    } catch (error) {
      const detail = { message: message(error) };
      this.dispatchEvent(new CustomEvent('gf-refuse', { detail, bubbles: true }));
      /* The shell has another state at once. */
      if (this.state !== state) this.#make(engine);
    }
    this.#follow();
  }

  /** @param {Engine} engine */
  #make({ exercise, recipes, worksheet, mark }) {
    const { assigned } = this;
    const { recipe, level, seed, digits, answers } = this.state;
    const { core } = this.session;
    const lang = language();
    const key = JSON.stringify(assigned ?? [recipe, level, seed, digits]);
    const told = key + lang;
    const typed = told + JSON.stringify(answers);
    const { made } = this;
    if (made?.answers === typed) return;
    const same = made?.key === key;
    if (!same && !assigned && !recipes({ lang }).some(({ name }) => name === recipe)) {
      throw new RangeError(text('chapters/exercises/none', { name: short(recipe) }));
    }
    const problem = same
      ? made.problem
      : (assigned ??
        exercise(core, recipe, {
          level,
          seed,
          ...(digits !== 'auto' && { digits: Number(digits) }),
        }));
    const sheet = made?.told === told ? made.sheet : worksheet(core, problem, { lang });
    const given = problem.asked.map((name, at) => [name, answers[at] ?? '']);
    const marks = mark(core, problem, { cells: Object.fromEntries(given) }, { lang });
    this.made = { key, told, answers: typed, problem, sheet, marks };
    if (same) return;
    this.hinted = {};
    this.worked = [];
    this.spoken = '';
    this.at = Math.max(
      0,
      problem.asked.findIndex((_, at) => !answers[at]),
    );
  }

  /** The walk of what is played; another one with another problem, or in another language. */
  #follow() {
    const { play, working, speed } = this.state;
    const told = this.made?.told ?? '';
    if (!play || !working) this.walk = null;
    else if (this.walk?.example !== play || this.walk.told !== told) {
      this.walk = { ...COMMON, ...OPENING, speed, example: play, told };
    }
  }

  get problem() {
    return /** @type {NonNullable<typeof this.made>} */ (this.made).problem;
  }

  /** The asked matrices, each with the places of its cells. */
  get asked() {
    const { sheet, problem } = /** @type {NonNullable<typeof this.made>} */ (this.made);
    return sheet.asked.map((matrix) => ({
      matrix,
      places: matrix.cells
        .flat()
        .flatMap(({ name }) => (name === null ? [] : [problem.asked.indexOf(name)])),
    }));
  }

  /** The mark of an answer that was checked. @param {number} place */
  markAt(place) {
    if (this.state.checked[place] !== '1') return null;
    return this.made?.marks.cells[this.problem.asked[place]] ?? null;
  }

  // ---- What the reader does ----

  /** @param {Partial<State>} change @param {{ passing?: boolean, undoable?: boolean }} [how] */
  #change(change, how = {}) {
    this.dispatchEvent(new CustomEvent('gf-change', { detail: { change, ...how }, bubbles: true }));
  }

  /** Another problem, which has no answers yet. @param {Partial<State>} change */
  #choose(change) {
    this.#change({ ...change, answers: [], checked: '' });
  }

  /** @param {Map<number, string>} typed */
  #answer(typed) {
    this.#change(answered(this.state, typed), { passing: true, undoable: true });
  }

  /** Takes what is being typed, too. */
  commit() {
    const { activeElement: field } = document;
    if (field instanceof HTMLInputElement && 'place' in field.dataset) this.#commit(field);
  }

  /** What stands in a field, once it is left. @param {HTMLInputElement} field */
  #commit({ dataset, value }) {
    const place = Number(dataset.place);
    const typed = value.trim();
    if (typed !== (this.state.answers[place] ?? '')) this.#answer(new Map([[place, typed]]));
  }

  /** @param {readonly number[]} places */
  async #check(places) {
    this.#change(checkedAt(this.state, places), { passing: true });
    this.dispatchEvent(new CustomEvent('gf-checked', { detail: places, bubbles: true }));
    /* What was typed last is marked then, too. */
    await this.updateComplete;
    const marks = places.flatMap((place) => this.markAt(place) ?? []);
    if (places.length === 1) {
      this.spoken = `${this.problem.asked[places[0]]}: ${marks[0]?.message ?? ''}`;
      return;
    }
    const good = marks.filter(({ points }) => points === 1).length;
    const points = marks.reduce((sum, one) => sum + one.points, 0);
    this.spoken = text('chapters/exercises/checked', {
      good,
      all: places.length,
      points: count(points),
    });
  }

  /** @param {string} asked the seed of a class */
  #seed(asked) {
    const seed = Number(asked);
    const fits = Number.isInteger(seed) && seed >= 0 && seed <= LARGEST_SEED && asked.trim() !== '';
    if (fits && seed !== this.state.seed) this.#choose({ seed });
    else this.requestUpdate();
  }

  #anew = () => this.#choose({ seed: 1 + Math.floor(Math.random() * SEEDS) });

  /** @param {CustomEvent} event what the cell's panel asks for */
  #ask(event) {
    const { asked } = this.problem;
    const { check, hint, work, go, play } = event.detail;
    const name = asked[this.at];
    if (check) this.#check([this.at]);
    if (hint) this.hinted = { ...this.hinted, [name]: (this.hinted[name] ?? 0) + 1 };
    if (work) this.worked = [...this.worked, name];
    if (go) this.#go(asked.indexOf(go));
    if (play) this.#play(play);
  }

  // ---- On the stage ----

  /** @param {string} play a mistake, or the working of the cell one is at */
  async #play(play) {
    this.#change({ play });
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('gf-machine h2'))?.focus();
  }

  #leave = () => {
    this.#change({ play: '' });
    this.#go(this.at);
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
    const machine = /** @type {import('./machine.js').Machine | null} */ (
      this.querySelector('gf-machine')
    );
    return machine?.key(event) ?? false;
  }

  /** @param {number} place to be typed into */
  async #go(place) {
    this.at = place;
    await this.updateComplete;
    const field = /** @type {HTMLInputElement | null} */ (
      this.querySelector(`input[data-place="${place}"]`)
    );
    field?.focus();
    field?.select();
  }

  // ---- Like a spreadsheet ----

  /**
   * The place of a cell in a direction: in the matrix, or at the end of it in the next one.
   * @param {number} at of asked
   * @param {number} row
   * @param {number} column
   * @param {[number, number]} by
   * @param {boolean} on whether the way goes on to the next column and the next matrix
   */
  #beside(at, row, column, [down, right], on) {
    const { asked } = this;
    const { cells } = asked[at].matrix;
    for (let [i, j] = [row + down, column + right]; cells[i]?.[j]; i += down, j += right) {
      const { name } = cells[i][j];
      if (name !== null) return this.problem.asked.indexOf(name);
    }
    if (!on) return -1;
    const columns = cells[0].map((_, j) => cells.flatMap((line) => line[j].name ?? []));
    const later = columns.slice(column + right + 1).find((names) => names.length > 0);
    if (later && down > 0) return this.problem.asked.indexOf(later[0]);
    return asked[at + 1]?.places[0] ?? -1;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} at @param {number} row @param {number} column
   */
  #key(event, at, row, column) {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    if (event.isComposing || event.altKey || event.metaKey) return;
    const place = Number(field.dataset.place);
    if (event.key === 'Enter' && event.ctrlKey) {
      this.#commit(field);
      this.#check([place]);
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || (event.shiftKey && event.key !== 'Enter')) return;
    if (event.key === 'Escape') {
      field.value = this.state.answers[place] ?? '';
      field.select();
      return;
    }
    const way = wayOf(event, field);
    if (!way) return;
    event.preventDefault();
    const next = this.#beside(at, row, column, way, event.key === 'Enter' && !event.shiftKey);
    this.#commit(field);
    if (next >= 0) this.#go(next);
  }

  /**
   * @param {ClipboardEvent} event
   * @param {number} at @param {number} row @param {number} column
   */
  #paste(event, at, row, column) {
    const block = blockOf(event.clipboardData?.getData('text/plain') ?? '');
    if (block.length < 2 && (block[0]?.length ?? 0) < 2) return;
    event.preventDefault();
    const { cells } = this.asked[at].matrix;
    /** @type {Map<number, string>} */
    const typed = new Map();
    for (const [i, line] of block.entries()) {
      for (const [j, answer] of line.entries()) {
        const name = cells[row + i]?.[column + j]?.name ?? null;
        if (name === null) continue;
        typed.set(this.problem.asked.indexOf(name), answer.slice(0, this.longest));
      }
    }
    this.#answer(typed);
  }

  // ---- What is seen ----

  render() {
    const { engine, made } = this;
    if (!engine || !made) return nothing;
    if (this.state.panel === 'text') return this.#text();
    if (this.walk) return this.#stage(engine);
    const { problem, sheet } = made;
    return html`${this.assigned ? nothing : this.#shelf(engine)}
      <div class="lesson exercise">
        <section class="centre" aria-label=${text('chapters/exercises/title')}>
          <div class="work" tabindex="-1">
            <div class="task">
              <h2 class="recipe">${sheet.title}</h2>
              <p>${typeset(sheet.task)}</p>
              ${sheet.sizes ? html`<p>${typeset(sheet.sizes)}</p>` : nothing}
              <p class="rounding">${sheet.rounding}</p>
            </div>
            <h3 class="label">${text('chapters/exercises/given')}</h3>
            <div class="given" role="group" aria-label=${text('chapters/exercises/given')}>
              ${sheet.given.map((matrix) => html`<div>${table(matrix, problem, this.theme)}</div>`)}
            </div>
            <div class="task">
              <h3 class="label">${text('chapters/exercises/asked')}</h3>
              <p class="rounding how">${text('chapters/exercises/how')}</p>
            </div>
            ${this.#strip()}
            <div class="asked" role="group" aria-label=${text('chapters/exercises/asked')}>
              ${this.asked.map((one, at) => this.#matrix(one, at))}
            </div>
          </div>
        </section>
        <aside class="right">${this.#panel(engine)}</aside>
      </div>
      ${this.#score()}
      <p class="hidden" aria-live="polite">${this.spoken}</p>`;
  }

  /** Between an exercise and a text to be checked. */
  #tabs() {
    return html`<div class="tabs" role="group" aria-label=${text('page/panels')}>
      ${PANELS.map(
        (panel) => html`<button
          aria-pressed=${panel === this.state.panel}
          @click=${() => this.#change({ panel: /** @type {State['panel']} */ (panel) })}
        >${text(PANEL_TEXTS[panel])}</button>`,
      )}
    </div>`;
  }

  #text() {
    return html`<div class="shelf">${this.#tabs()}</div>
      <gf-check-text
        .draft=${this.draft}
        @gf-draft=${(/** @type {CustomEvent} */ { detail }) => {
          this.draft = detail;
        }}
      ></gf-check-text>`;
  }

  /** @param {Engine} engine */
  #stage(engine) {
    const { problem } = this;
    const [, node, index] = /** @type {RegExpExecArray} */ (
      /^(.+)\[(.*)\]$/.exec(problem.asked[this.at])
    );
    const here = { node, index: index.split(',').map(Number) };
    return html`<gf-machine
      .session=${this.session}
      .theme=${this.theme}
      .engine=${engine}
      .problem=${problem}
      .start=${this.state.play === WORKING ? here : null}
      .answer=${(/** @type {string} */ cell) => this.state.answers[problem.asked.indexOf(cell)] ?? ''}
      .state=${this.walk}
      @gf-change=${this.#walked}
      @gf-leave=${this.#leave}
    ></gf-machine>`;
  }

  /** @param {Engine} engine */
  #shelf({ recipes }) {
    const { recipe, level, seed, digits } = this.state;
    const value = (/** @type {Event} */ event) =>
      /** @type {HTMLSelectElement} */ (event.currentTarget).value;
    /** @param {string} name @param {[string, string][]} options @param {string} now @param {(to: string) => void} to */
    const chooser = (name, options, now, to) => html`<label
      >${text(CHOICE_TEXTS[name])}
      <select @change=${(/** @type {Event} */ event) => to(value(event))}>
        ${options.map(
          ([one, words]) =>
            html`<option value=${one} ?selected=${one === now} .selected=${one === now}>${words}</option>`,
        )}
      </select></label
    >`;
    const all = recipes({ lang: language() });
    return html`<div class="shelf">
      <div class="controls">
        ${chooser(
          'recipe',
          all.map((one) => [one.name, one.title]),
          recipe,
          (to) => this.#choose({ recipe: to }),
        )}
        ${chooser(
          'level',
          LEVELS.map((one) => [one, text(LEVEL_TEXTS[one])]),
          level,
          (to) => this.#choose({ level: /** @type {State['level']} */ (to) }),
        )}
        ${chooser(
          'digits',
          DIGITS.map((n) => [
            String(n),
            n === 'auto' ? text('chapters/exercises/auto') : String(n),
          ]),
          String(digits),
          (to) => this.#choose({ digits: to === 'auto' ? to : Number(to) }),
        )}
        <label
          >${text('chapters/exercises/seed')}
          <input
            type="number"
            min="0"
            max=${LARGEST_SEED}
            .value=${live(String(seed))}
            @change=${(/** @type {Event} */ event) => this.#seed(value(event))}
        /></label>
        <button @click=${this.#anew}>${text('chapters/exercises/anew')}</button>
      </div>
      ${this.#tabs()}
    </div>`;
  }

  /** The matrices of what is asked, and how far each is. */
  #strip() {
    return html`<div class="strip" role="group" aria-label=${text('chapters/exercises/steps')}>
      ${this.asked.map(({ matrix, places }) => {
        const done = places.filter((place) => this.state.answers[place]).length;
        const first = places.find((place) => !this.state.answers[place]) ?? places[0];
        return html`<button
          aria-pressed=${places.includes(this.at)}
          @click=${() => this.#go(first)}
        >
          <span>${matrix.title || matrix.of}</span> <small>${done}/${places.length}</small>
        </button>`;
      })}
    </div>`;
  }

  /** @param {{ matrix: Matrix, places: number[] }} one @param {number} at */
  #matrix({ matrix, places }, at) {
    const field = (
      /** @type {string} */ name,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => {
      const place = this.problem.asked.indexOf(name);
      const mark = this.markAt(place);
      const kind = mark ? kindOf(mark.state) : null;
      const where = { row: rowOf(matrix, row), column: matrix.columns[column] };
      const letters = this.state.answers[place]?.length ?? 0;
      return html`<div class="field ${kind ? `kind-${kind}` : ''}" style="--letters:${letters}">
        <input
          class=${kind ? 'marked' : ''}
          data-place=${place}
          aria-label=${text('chapters/exercises/cellAt', { name: matrix.title || matrix.of, ...where })}
          aria-describedby=${mark ? `mark-${place}` : nothing}
          aria-invalid=${mark && mark.points < 1 ? 'true' : nothing}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          inputmode="text"
          maxlength=${this.longest}
          .value=${this.state.answers[place] ?? ''}
          title=${this.state.answers[place] || nothing}
          @focus=${(/** @type {Event} */ event) => {
            this.at = place;
            /** @type {HTMLInputElement} */ (event.currentTarget).select();
          }}
          @change=${(/** @type {Event} */ event) =>
            this.#commit(/** @type {HTMLInputElement} */ (event.currentTarget))}
          @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, at, row, column)}
          @paste=${(/** @type {ClipboardEvent} */ event) => this.#paste(event, at, row, column)}
        />
        ${
          mark && kind
            ? html`<span class="sign" aria-hidden="true">${SIGNS[kind]}</span
                ><span class="hidden" id="mark-${place}">${mark.message}</span>`
            : nothing
        }
      </div>`;
    };
    return html`<div class=${places.includes(this.at) ? 'now' : ''}>
      ${table(matrix, this.problem, this.theme, field)}
    </div>`;
  }

  /** @param {Engine} engine */
  #panel({ hints }) {
    const { problem, at } = this;
    const name = problem.asked[at];
    const here = this.asked.find(({ places }) => places.includes(at));
    if (!here) return nothing;
    const { matrix } = here;
    const row = matrix.cells.findIndex((cells) => cells.some((cell) => cell.name === name));
    const column = matrix.cells[row].findIndex((cell) => cell.name === name);
    const letter = letterOf(matrix, problem);
    const all = hints(this.session.core, problem, name, { lang: language() });
    const mark = this.markAt(at);
    /* What is said of the cell itself is not said twice. */
    const findings = (this.made?.marks.findings ?? []).filter(
      ({ cell, message: told }) =>
        told !== mark?.message && this.markAt(problem.asked.indexOf(cell)),
    );
    return html`<gf-exercise-cell
      class="edged"
      .cell=${{
        name,
        chip: letter ? chip(letter, roleOf(matrix, problem)) : nothing,
        where: text('chapters/exercises/cellAt', {
          name: matrix.title || matrix.of,
          row: rowOf(matrix, row),
          column: matrix.columns[column],
        }),
        mark,
        hints: this.state.working ? all : all.slice(0, -1),
        hinted: this.hinted[name] ?? 0,
        working: this.state.working ? all.slice(2) : null,
        worked: this.worked.includes(name),
        plays: this.state.working,
        findings: findings.map((finding) => ({
          ...finding,
          mistake: this.made?.marks.cells[finding.cell].misconception,
          kind: kindOf(this.made?.marks.cells[finding.cell].state ?? ''),
        })),
      }}
      @gf-ask=${this.#ask}
    ></gf-exercise-cell>`;
  }

  #score() {
    const { problem, at } = this;
    const all = problem.asked.map((_, place) => place);
    const marks = all.flatMap((place) => this.markAt(place) ?? []);
    const points = count(marks.reduce((sum, one) => sum + one.points, 0));
    const told =
      marks.length === all.length
        ? text('chapters/exercises/score', { points, all: all.length })
        : text('chapters/exercises/progress', { n: marks.length, all: all.length, points });
    const step = this.asked.filter(({ matrix }) =>
      this.asked.some((one) => one.places.includes(at) && one.matrix.of === matrix.of),
    );
    return html`<div class="score">
      <p>${told}</p>
      <button @click=${() => this.#check(step.flatMap(({ places }) => places))}>
        ${text('chapters/exercises/checkStep')}
      </button>
      <button class="main" @click=${() => this.#check(all)}>${text('chapters/exercises/checkAll')}</button>
      <button class="print" @click=${() => print()}>${text('chapters/exercises/print')}</button>
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
