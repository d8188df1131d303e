// The asked matrices as fields, which keys and pasted blocks fill in as in a spreadsheet.
import { html, nothing } from 'lit';
import { readBlock } from '../../../bindings/js/number/block.js';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { kindOf, SIGNS } from './marks.js';
import { table, whereOf } from './matrix.js';

/** @typedef {import('../../../bindings/learn/exercises/index.js').Matrix} Matrix */
/** A field's cell: the number of its matrix among those that are asked, its row and its column.
 * @typedef {{ number: number, row: number, column: number }} Cell */

/** Where a key leads from a field: rows down, columns right. Arrows move within what is typed first.
 * @param {KeyboardEvent} event @param {HTMLInputElement} field
 * @returns {[number, number] | null} */
function directionOf({ key, shiftKey }, { selectionStart: from, selectionEnd: to, value }) {
  const isWhole = from === 0 && to === value.length;
  /** @type {Record<string, [number, number] | null>} */
  const directions = {
    Enter: shiftKey ? [-1, 0] : [1, 0],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowLeft: isWhole || to === 0 ? [0, -1] : null,
    ArrowRight: isWhole || from === value.length ? [0, 1] : null,
  };
  return Object.hasOwn(directions, key) ? directions[key] : null;
}

/** What was read, where that is not plainly what was typed: = 1480, = −∞.
 * @param {string} answer @param {number | undefined} read */
function reading(answer, read) {
  const typed = Number(answer.replace(',', '.').replace(/^[‒–—−]/, '-'));
  if (read === undefined || typed === read) return '';
  return `= ${display(Number(read.toPrecision(6)), { decimals: Number.isInteger(read) ? 0 : 4 })}`;
}

export class Fields {
  /** Whether a button of the mouse is down. */
  #isPressed = false;
  /** A field that was left by pressing something else. @type {HTMLInputElement | null} */
  #left = null;

  /** @param {import('./element.js').Exercises} element */
  constructor(element) {
    this.element = element;
    element.addEventListener('mousedown', this.#press, true);
    /* Before what is clicked reads the answers. */
    element.addEventListener('click', this.#release, true);
  }

  #press = () => {
    this.#isPressed = true;
    addEventListener('mouseup', () => setTimeout(this.#release), { once: true });
  };

  #release = () => {
    this.#isPressed = false;
    if (this.#left) this.commit(this.#left);
    this.#left = null;
  };

  /** A full row brings the next, and what is being pressed would move away: it is released first.
   * @param {HTMLInputElement} field */
  #leave(field) {
    if (this.#isPressed) this.#left = field;
    else this.commit(field);
  }

  /** Takes the answer of a field that is left. @param {HTMLInputElement} field */
  commit({ dataset, value }) {
    const { element } = this;
    const place = Number(dataset.place);
    const answer = value.trim();
    if (answer !== (element.state.answers[place] ?? '')) element.answer(new Map([[place, answer]]));
  }

  /** @param {number} place
   * @returns {HTMLInputElement | null} */
  #fieldAt(place) {
    return this.element.querySelector(`input[data-place="${place}"]`);
  }

  /** Whether a place has an answer, also one that is just being typed. @param {number} place */
  isFilled(place) {
    return Boolean(this.#fieldAt(place)?.value.trim() ?? this.element.state.answers[place]);
  }

  /** @param {number} place whose field is to be typed into */
  async focus(place) {
    const { element } = this;
    element.place = place;
    await element.updateComplete;
    const field = this.#fieldAt(place);
    field?.focus();
    field?.select();
  }

  /**
   * The place of the next cell in a direction: in the matrix, or at the end of it in the next one. −1 if there is none.
   * @param {Cell} cell
   * @param {[number, number]} direction
   * @param {boolean} goesOn whether it goes on to the next column and the next matrix
   */
  #next({ number, row, column }, [down, right], goesOn) {
    const { posed } = this.element;
    const { asked } = posed;
    const { cells } = asked[number].matrix;
    for (let [i, j] = [row + down, column + right]; cells[i]?.[j]; i += down, j += right) {
      const { name } = cells[i][j];
      if (name !== null) return posed.placeOf(name);
    }
    if (!goesOn) return -1;
    const columns = cells[0].map((_, j) => cells.flatMap((line) => line[j].name ?? []));
    const later = columns.slice(column + right + 1).find((names) => names.length > 0);
    if (later && down > 0) return posed.placeOf(later[0]);
    return asked[number + 1]?.places[0] ?? -1;
  }

  /** The place behind a cell that stands last in its row, which is full once this is answered: its field is still to come.
   * @param {Cell} cell @param {number} place */
  #coming({ number, row }, place) {
    const { posed } = this.element;
    const { matrix, places } = posed.asked[number];
    const next = places[places.indexOf(place) + 1] ?? -1;
    const isFull = matrix.cells[row].every(
      ({ name }) => name === null || this.isFilled(posed.placeOf(name)),
    );
    return isFull && !this.#fieldAt(next) ? next : -1;
  }

  /** @param {KeyboardEvent} event @param {Cell} cell */
  #key(event, cell) {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    if (event.isComposing || event.altKey || event.metaKey) return;
    const place = Number(field.dataset.place);
    if (event.key === 'Enter' && event.ctrlKey) {
      this.commit(field);
      this.element.check([place]);
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || (event.shiftKey && event.key !== 'Enter')) return;
    if (event.key === 'Escape') {
      field.value = this.element.state.answers[place] ?? '';
      field.select();
      return;
    }
    const next = this.#leadsTo(event, cell, field);
    if (next === null) return;
    event.preventDefault();
    this.commit(field);
    if (next >= 0) this.focus(next);
  }

  /** The place that a key leads to, −1 for none; null where the browser is to do what it does.
   * @param {KeyboardEvent} event @param {Cell} cell @param {HTMLInputElement} field */
  #leadsTo(event, cell, field) {
    if (event.key === 'Tab') {
      const coming = this.#coming(cell, Number(field.dataset.place));
      return coming < 0 ? null : coming;
    }
    const direction = directionOf(event, field);
    return direction && this.#next(cell, direction, event.key === 'Enter' && !event.shiftKey);
  }

  /** @param {ClipboardEvent} event @param {Cell} cell */
  #paste(event, { number, row, column }) {
    const block = readBlock(event.clipboardData?.getData('text/plain') ?? '');
    if (block.length < 2 && (block[0]?.length ?? 0) < 2) return;
    event.preventDefault();
    const { posed, longest } = this.element;
    const { cells } = posed.asked[number].matrix;
    /** @type {Map<number, string>} */
    const typed = new Map();
    for (const [i, line] of block.entries()) {
      for (const [j, answer] of line.entries()) {
        const name = cells[row + i]?.[column + j]?.name ?? null;
        if (name !== null) typed.set(posed.placeOf(name), answer.slice(0, longest));
      }
    }
    this.element.answer(typed);
  }

  /** What was read in a field; nothing in an exam, where it would show how large the right number is.
   * @param {number} place @param {string} answer */
  #reading(place, answer) {
    const { exam, posed } = this.element;
    return exam ? '' : reading(answer, posed.marks.cells[posed.problem.asked[place]]?.read);
  }

  /** @param {Matrix} matrix @param {number} place @param {Cell} cell */
  #field(matrix, place, cell) {
    const { element } = this;
    const answer = element.state.answers[place] ?? '';
    const mark = element.markAt(place);
    const kind = mark && kindOf(mark.state);
    const read = mark ? '' : this.#reading(place, answer);
    const letters = answer.length + (read ? read.length + 1 : 0);
    return html`<div class="field ${kind ? `kind-${kind}` : ''}" style="--letters:${letters}">
      <input
        class=${kind ? 'marked' : read ? 'open' : ''}
        data-place=${place}
        aria-label=${whereOf(matrix, cell)}
        aria-describedby=${mark ? `mark-${place}` : read ? `read-${place}` : nothing}
        aria-invalid=${mark && mark.points < 1 ? 'true' : nothing}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        inputmode="text"
        maxlength=${element.longest}
        ?readonly=${element.exam?.isClosed === true}
        .value=${answer}
        title=${answer || nothing}
        @focus=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
          element.place = place;
          currentTarget.select();
        }}
        @change=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          this.#leave(currentTarget)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, cell)}
        @paste=${(/** @type {ClipboardEvent} */ event) => this.#paste(event, cell)}
      />
      ${
        kind
          ? html`<span class="sign" aria-hidden="true">${SIGNS[kind]}</span
              ><span class="hidden" id="mark-${place}">${mark.message}</span>`
          : nothing
      }
      ${read ? html`<span class="read" id="read-${place}">${read}</span>` : nothing}
    </div>`;
  }

  /** @param {{ matrix: Matrix, places: number[] }} asked @param {number} number of the matrix */
  matrix({ matrix, places }, number) {
    const { element } = this;
    const { posed, place, theme } = element;
    if (!matrix.cells.some((cells) => element.isRowShown(cells))) return nothing;
    const step = posed.asked.filter((one) => one.matrix.of === matrix.of);
    const isNow = step.some((one) => one.places.includes(place));
    const hidden = matrix.cells.filter((cells) => !element.isRowShown(cells)).length;
    return html`<div class=${places.includes(place) ? 'now' : ''}>
      ${table(
        matrix,
        posed.problem,
        theme,
        (name, row, column) => this.#field(matrix, posed.placeOf(name), { number, row, column }),
        (cells) => element.isRowShown(cells),
      )}
      ${hidden ? html`<p class="quiet">${text('chapters/exercises/rowsFollow', { n: hidden })}</p>` : nothing}
      ${
        step.at(-1)?.matrix === matrix && !element.exam
          ? html`<button class="check-step ${isNow ? 'main' : ''}" @click=${() => element.check(step.flatMap((one) => one.places))}>
              ${text('chapters/exercises/checkStep')}<span class="hidden">: ${matrix.title || matrix.of}</span>
            </button>`
          : nothing
      }
    </div>`;
  }
}
