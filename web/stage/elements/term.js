// A term in a line of prose. The first of each name on the page shows its explanation while it has the pointer or the
// focus; Escape closes it. The mode for presenting shows none.
import { html, nothing } from 'lit';
import { typeset } from '../telling/number.js';
import { Base } from './base.js';

/** px between a term and its explanation, and from the edge of the window. */
const GAP = 4;
const EDGE = 8;
/** px. On a narrower page an explanation is as wide as the lines: it keeps clear of all that are around its term. */
const NARROW = 480;

let count = 0;

/** Whether the terms of the page are about to be gone through. */
let awaited = false;
/** @type {MutationObserver | undefined} */
let mode;

/** Finds, once a frame at most, which terms of the page are the first of their name. */
function search() {
  if (!mode) {
    mode = new MutationObserver(search);
    mode.observe(document.documentElement, { attributeFilter: ['data-mode'] });
  }
  if (awaited) return;
  awaited = true;
  requestAnimationFrame(() => {
    awaited = false;
    const presenting = document.documentElement.dataset.mode === 'present';
    const met = new Set();
    for (const term of /** @type {NodeListOf<Term>} */ (document.querySelectorAll('gf-term'))) {
      if (!term.name) continue;
      const shown = !presenting && term.checkVisibility();
      term.first = shown && !met.has(term.name);
      if (shown) met.add(term.name);
    }
  });
}

export class Term extends Base {
  static properties = {
    term: { attribute: false },
    meaning: { attribute: false },
    name: { attribute: false },
    first: { attribute: false },
    open: { state: true },
  };

  constructor() {
    super();
    this.term = '';
    this.meaning = '';
    /** In the glossary; none if this is explained wherever it stands. */
    this.name = '';
    this.first = false;
    this.open = false;
    this.number = count++;
  }

  connectedCallback() {
    super.connectedCallback();
    search();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    search();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has('name')) search();
  }

  get #tip() {
    return /** @type {HTMLElement | null} */ (this.querySelector('[role=tooltip]'));
  }

  #show = () => {
    const tip = this.#tip;
    if (!tip || tip.matches(':popover-open')) return;
    /* At once, so that it is there when a screen reader asks what describes the term. */
    this.open = true;
    this.performUpdate();
    tip.showPopover();
    const { left } = this.getBoundingClientRect();
    const isNarrow = innerWidth < NARROW;
    const lines = (isNarrow && this.closest('p')) || this;
    const { top, bottom } = lines.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const [above, below] = [
      top - GAP - height >= EDGE,
      bottom + GAP + height <= innerHeight - EDGE,
    ];
    /* In a lesson what stands above has been read, and below stands what is to be done next. */
    const under = below && !(above && (isNarrow || this.closest('.scene')));
    tip.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
    tip.style.top = `${under ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`;
  };

  #hide = () => {
    const tip = this.#tip;
    if (tip?.matches(':popover-open')) tip.hidePopover();
    this.open = false;
  };

  /** The pointer may go on to the explanation; the focus of the keyboard keeps it open. */
  #leave = () => {
    if (!this.querySelector(':focus-visible')) this.#hide();
  };

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape' || !this.#tip?.matches(':popover-open')) return;
    event.stopPropagation();
    this.#hide();
  };

  render() {
    if (this.name && !this.first) return typeset(this.term);
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
    ><span id=${id} role="tooltip" popover="manual"
      >${this.open ? typeset(this.meaning) : nothing}</span
    >`;
  }
}

customElements.define('gf-term', Term);
