// Terms in a line of prose. Each has its explanation, which is shown while it has the pointer or the focus; Escape
// takes it away.
import { html } from 'lit';
import { glossary } from '../locale/text.js';
import { typeset } from '../telling/number.js';
import { Base } from './base.js';

/** @typedef {import('../locale/text.js').Glossary} Glossary */

/** px between a term and its explanation, and from the edge of the window. */
const GAP = 4;
const EDGE = 8;

let count = 0;

export class Term extends Base {
  static properties = {
    term: { attribute: false },
    meaning: { attribute: false },
  };

  constructor() {
    super();
    this.term = '';
    this.meaning = '';
    this.number = count++;
  }

  get #tip() {
    return /** @type {HTMLElement | null} */ (this.querySelector('[role=tooltip]'));
  }

  #show = () => {
    const tip = this.#tip;
    if (!tip || tip.matches(':popover-open')) return;
    tip.showPopover();
    const { left, top, bottom } = this.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const below = bottom + GAP + height <= innerHeight - EDGE;
    tip.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
    tip.style.top = `${below ? bottom + GAP : top - GAP - height}px`;
  };

  #hide = () => {
    const tip = this.#tip;
    if (tip?.matches(':popover-open')) tip.hidePopover();
  };

  /** The pointer may go on to the explanation; the focus keeps it open. */
  #leave = () => {
    if (!this.matches(':focus-within')) this.#hide();
  };

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape' || !this.#tip?.matches(':popover-open')) return;
    event.stopPropagation();
    this.#hide();
  };

  render() {
    const id = `term-${this.number}`;
    return html`<span
      class="term"
      tabindex="0"
      aria-describedby=${id}
      @focus=${this.#show}
      @blur=${this.#hide}
      @keydown=${this.#key}
      @pointerenter=${this.#show}
      @pointerleave=${this.#leave}
      >${typeset(this.term)}</span
    ><span id=${id} role="tooltip" popover="manual">${typeset(this.meaning)}</span>`;
  }
}

customElements.define('gf-term', Term);

/** What finds the terms of a glossary, and whose each form is.
 * @type {WeakMap<Glossary, { pattern: RegExp, names: Map<string, string> }>} */
const finders = new WeakMap();

/** @param {Glossary} terms */
function finderOf(terms) {
  let finder = finders.get(terms);
  if (!finder) {
    const names = new Map(
      Object.entries(terms).flatMap(([name, { forms }]) =>
        forms.map((form) => /** @type {[string, string]} */ ([form.toLowerCase(), name])),
      ),
    );
    /* The longest one wins: “attention weight”, not “attention”. */
    const forms = [...names.keys()].sort((a, b) => b.length - a.length);
    const pattern = new RegExp(`(?<![\\p{L}_])(${forms.join('|')})(?![\\p{L}_])`, 'giu');
    finder = { pattern, names };
    finders.set(terms, finder);
  }
  return finder;
}

/**
 * Words set as a formula where they are one, with an explanation behind each term that comes for the first time.
 * @param {string} words
 */
export function explained(words) {
  const terms = glossary();
  const { pattern, names } = finderOf(terms);
  if (names.size === 0) return typeset(words);
  const met = new Set();
  return words.split(pattern).map((part, at) => {
    const name = names.get(part.toLowerCase());
    if (at % 2 === 0 || !name || met.has(name)) return typeset(part);
    met.add(name);
    return html`<gf-term .term=${part} .meaning=${terms[name].is}></gf-term>`;
  });
}
