// The teacher's own numbers: a field for each matrix, into which a block of any notation is pasted, and one for each size.
import { html, nothing } from 'lit';
import { count, language, message, text } from '../../app/locale/text.js';
import { Sheet } from '../../stage/elements/sheet.js';
import { typeset } from '../../stage/telling/number.js';
import { LIMITS, optionsOf } from './state.js';

/** @param {unknown} numbers rows, or one row @returns {string} as they are read again */
const rowsOf = (numbers) =>
  /** @type {unknown[]} */ (numbers)
    .map((row) => (Array.isArray(row) ? row.join(' ') : row))
    .join(Array.isArray(/** @type {unknown[]} */ (numbers)[0]) ? '\n' : ' ');

export class OwnNumbers extends Sheet {
  static properties = {
    ...Sheet.properties,
    element: { attribute: false },
    said: { state: true },
    refused: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./element.js').Exercises} */
    this.element = /** @type {any} */ (null);
    /** What came of the numbers. */
    this.said = '';
    this.refused = false;
  }

  show() {
    this.said = '';
    this.open = true;
  }

  get #recipe() {
    const { engine, state } = this.element;
    const all = /** @type {import('./element.js').Engine} */ (engine).recipes({ lang: language() });
    return /** @type {typeof all[number]} */ (all.find(({ name }) => name === state.recipe));
  }

  /** What was written into the fields, by their names. @returns {Record<string, string>} */
  get #written() {
    return this.element.state.numbers ? JSON.parse(this.element.state.numbers) : {};
  }

  /** The text of all fields that are filled in: what was written stays as it was, fractions too. */
  get #text() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.querySelectorAll('[name]'));
    const filled = Array.from(fields).filter(({ value }) => value.trim());
    return JSON.stringify(
      Object.fromEntries(filled.map(({ name, value }) => [name, value.trim()])),
    );
  }

  /** @param {SubmitEvent} event */
  #use = (event) => {
    event.preventDefault();
    const { element } = this;
    const { exercise } = /** @type {import('./element.js').Engine} */ (element.engine);
    const written = this.#text;
    try {
      if (written.length > LIMITS.numbers) {
        throw new RangeError(
          text('chapters/exercises/numbers/long', { most: count(LIMITS.numbers) }),
        );
      }
      const { recipe, seed } = element.state;
      const options = optionsOf({ ...element.state, numbers: written }, seed);
      const { indistinct = [] } = exercise(element.session.core, recipe, options);
      this.element.change({ numbers: written, answers: [], checked: '' });
      this.#say(this.#hidden(indistinct), false);
    } catch (error) {
      this.#say(message(error), true);
    }
  };

  /** @param {string} said @param {boolean} refused */
  #say(said, refused) {
    Object.assign(this, { said, refused });
  }

  /** @param {readonly string[]} names of mistakes that these numbers hide */
  #hidden(names) {
    const used = text('chapters/exercises/numbers/used');
    if (!names.length) return used;
    const { misconceptions } = /** @type {import('./element.js').Engine} */ (this.element.engine);
    const sentences = misconceptions({ lang: language() })
      .filter(({ name }) => names.includes(name))
      .map(({ sentence }) => sentence);
    return `${used} ${text('chapters/exercises/numbers/hidden', { sentences: sentences.join(' ') })}`;
  }

  /** @param {string} name @param {unknown} label @param {string} value as it is now, if it was not written here */
  #input(name, label, value) {
    return html`<label
      ><span>${label}</span>
      <input
        name=${name}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${this.#written[name] ?? value}
    /></label>`;
  }

  /** @param {import('../../../bindings/learn/exercises/index.js').RecipeNumbers} numbers */
  #matrix({ name, called, shape, optional }) {
    const leaf = this.element.posed.problem.given[name];
    const value = this.#written[name] ?? (leaf ? rowsOf(leaf) : '');
    const size = shape.join(' × ');
    return html`<label
      ><span
        >${typeset(called)}
        <small>${optional ? text('chapters/exercises/numbers/optional', { shape: size }) : size}</small></span
      >
      <textarea
        name=${name}
        rows=${Math.max(2, value.split('\n').length)}
        spellcheck="false"
        autocapitalize="off"
        .value=${value}
      ></textarea>
    </label>`;
  }

  #form() {
    const { numbers, sizes } = this.#recipe;
    const { sizes: current = {}, tokens, memory } = this.element.posed.problem;
    return html`<form @submit=${this.#use}>
      <div class="matrices">${numbers.map((one) => this.#matrix(one))}</div>
      <div class="sizes">
        ${sizes.map(({ name, called }) => this.#input(name, typeset(called), String(current[name] ?? '')))}
        ${this.#input('tokens', text('chapters/exercises/numbers/words'), tokens?.join(' ') ?? '')}
        ${
          memory
            ? this.#input(
                'memory_tokens',
                text('chapters/exercises/numbers/memory'),
                memory.join(' '),
              )
            : nothing
        }
      </div>
      <p role="status" class=${this.refused ? 'wrong' : ''}>${typeset(this.said)}</p>
      <div class="tools">
        <button class="main">${text('chapters/exercises/numbers/use')}</button>
        <button type="button" @click=${this.#empty}>${text('chapters/exercises/numbers/empty')}</button>
        <button type="button" @click=${() => this.dialog.close()}>${text('page/close')}</button>
      </div>
    </form>`;
  }

  /** Leaves the matrices to the seed. */
  #empty = () => {
    for (const field of this.querySelectorAll('textarea')) field.value = '';
    for (const field of this.querySelectorAll('[name$=tokens]')) {
      /** @type {HTMLInputElement} */ (field).value = '';
    }
  };

  render() {
    return html`<dialog aria-labelledby="numbers-title" @close=${this.closed}>
      <h2 id="numbers-title" tabindex="-1" autofocus>${text('chapters/exercises/numbers/button')}</h2>
      <p>${text('chapters/exercises/numbers/about')}</p>
      ${this.open ? this.#form() : nothing}
    </dialog>`;
  }
}

customElements.define('gf-own-numbers', OwnNumbers);
