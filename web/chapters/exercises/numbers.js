// The teacher's own numbers: a field for each matrix, into which a block of any notation is pasted, and one for each size.
import { html, nothing } from 'lit';
import { fieldsIn, writtenOf } from '../../../bindings/learn/exercises/problem/given.js';
import { count, language, message, short, text } from '../../app/locale/text.js';
import { Sheet } from '../../stage/elements/sheet.js';
import { typeset } from '../../stage/telling/number.js';
import { LIMITS, optionsOf } from './state.js';

/** Lines of a field. @param {string} value */
const rowsFor = (value) => Math.max(2, value.split('\n').length);

export class OwnNumbers extends Sheet {
  static properties = {
    ...Sheet.properties,
    element: { attribute: false },
    said: { state: true },
    refused: { state: true },
    earlier: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./element.js').Exercises} */
    this.element = /** @type {any} */ (null);
    /** What came of the numbers. */
    this.said = '';
    this.refused = false;
    /** What the fields had before a text was pasted that fills several. @type {Map<string, string> | null} */
    this.earlier = null;
  }

  show() {
    this.#say('', false);
    this.open = true;
  }

  get #recipes() {
    return /** @type {import('./element.js').Engine} */ (this.element.engine).recipes({
      lang: language(),
    });
  }

  get #recipe() {
    const all = this.#recipes;
    return /** @type {typeof all[number]} */ (
      all.find(({ name }) => name === this.element.state.recipe)
    );
  }

  get #fields() {
    return /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
      this.querySelectorAll('[name]')
    );
  }

  /** Fills in fields by their names. @param {Map<string, string>} values */
  #fill(values) {
    for (const field of this.#fields) {
      const value = values.get(field.name);
      if (value === undefined) continue;
      field.value = value;
      if (field instanceof HTMLTextAreaElement) field.rows = rowsFor(value);
    }
  }

  /** A text with names fills the fields of these names, wherever it is pasted; another one goes where the cursor is.
   * @param {ClipboardEvent} event */
  #paste = (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const read = (/** @type {string} */ recipe) => fieldsIn(this.localName, recipe, pasted);
    const { name, numbers, sizes } = this.#recipe;
    let parts;
    try {
      parts = read(name);
    } catch {
      return;
    }
    const fields = new Map(Object.entries(parts.fields));
    event.preventDefault();
    this.earlier = new Map(Array.from(this.#fields, (field) => [field.name, field.value]));
    this.#fill(fields);
    const called = [...numbers, ...sizes]
      .filter((one) => fields.has(one.name))
      .map((one) => one.called);
    const sentences = fields.size
      ? [text('chapters/exercises/numbers/filled', { names: called.join(', ') })]
      : [];
    if (parts.others.length) {
      const names = parts.others.map((other) => short(other)).join(', ');
      const other = this.#recipes.find((one) => !read(one.name).others.length);
      sentences.push(text('chapters/exercises/numbers/others', { names }));
      if (other)
        sentences.push(text('chapters/exercises/numbers/elsewhere', { title: other.title }));
    }
    Object.assign(this, { said: sentences.join(' '), refused: parts.others.length > 0 });
  };

  #undo = () => {
    this.#fill(/** @type {Map<string, string>} */ (this.earlier));
    this.#say('', false);
  };

  /** What was written into the fields, by their names. @returns {Record<string, string>} */
  get #written() {
    return this.element.state.numbers ? JSON.parse(this.element.state.numbers) : {};
  }

  /** The text of all fields that are filled in: what was written stays as it was, fractions too. */
  get #text() {
    const filled = Array.from(this.#fields).filter(({ value }) => value.trim());
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
    Object.assign(this, { said, refused, earlier: null });
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
    const value = this.#written[name] ?? (leaf ? writtenOf(leaf) : '');
    const size = shape.join(' × ');
    return html`<label
      ><span
        >${typeset(called)}
        <small>${optional ? text('chapters/exercises/numbers/optional', { shape: size }) : size}</small></span
      >
      <textarea
        name=${name}
        rows=${rowsFor(value)}
        spellcheck="false"
        autocapitalize="off"
        .value=${value}
      ></textarea>
    </label>`;
  }

  #form() {
    const { numbers, sizes } = this.#recipe;
    const { sizes: current = {}, tokens, memory } = this.element.posed.problem;
    return html`<form @submit=${this.#use} @paste=${this.#paste}>
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
      ${this.earlier ? html`<button type="button" @click=${this.#undo}>${text('page/undo')}</button>` : nothing}
      <div class="tools">
        <button class="main">${text('chapters/exercises/numbers/use')}</button>
        <button type="button" @click=${this.#empty}>${text('chapters/exercises/numbers/empty')}</button>
        <button type="button" @click=${() => this.dialog.close()}>${text('page/close')}</button>
      </div>
    </form>`;
  }

  /** Leaves the matrices to the seed. */
  #empty = () => {
    const fields = this.querySelectorAll('textarea, [name$=tokens]');
    for (const field of fields) /** @type {HTMLInputElement} */ (field).value = '';
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
