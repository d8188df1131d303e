// Pocket on the first page, alive: a sentence whose words show where they look, names and a pronoun that can be swapped, and
// the next word. All of it is computed by the core at each change.
import { html, nothing, svg } from 'lit';
import { language, list, text } from '../app/locale/text.js';
import { namesAt, textsOf } from '../stage/elements/arrow-names.js';
import { Base } from '../stage/elements/base.js';
import { arrowOf, axes, cornerOf, planeOf, SIZE } from './lens-plane.js';
import { wordsOf } from './lens-words.js';
import { lensesOf, pocketEnds } from './lenses.js';
import { sentenceOf } from './sentence.js';
import './lens.css';
import './hero.css';

/** @typedef {ReturnType<typeof lensesOf>} Lenses */
/** @typedef {import('./lenses.js').Arrow} Arrow */

/** Words of Pocket by their numbers: who is here, what she or he does, and who is meant. */
const NAMES = [0, 1, 2, 3];
const DOES = [10, 11, 12, 13];
const [SHE, HE] = [8, 9];
/** Places of the sentence: its names, and its last word, which asks for the next. */
const [FIRST, SECOND, LAST] = [0, 2, 6];
/** Who is here at first, and who is meant: others than in the first lesson, which asks who they are. */
const AT_FIRST = { [FIRST]: 1, [SECOND]: 3, [LAST]: HE };
/** When the pronoun changes by itself, unless the reader takes over before: milliseconds. */
const TURN = 2200;
/** Of the words in its small drawings, in their own units. */
const CORNER = 34;
/** Weights that differ by less are the same. */
const ALIKE = 0.001;

const touch = matchMedia('(hover: none)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Hero extends Base {
  static properties = {
    session: { attribute: false },
    ways: { attribute: false },
    ids: { state: true },
    asks: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** What leads on from here. @type {unknown} */
    this.ways = null;
    /** The sentence, by numbers of words. @type {number[]} */
    this.ids = [];
    /** The place of the word that is pointed at. */
    this.asks = LAST;
    /** Where a word was pressed last. */
    this.pressed = { x: -1, y: -1 };
    /** What was computed last, and of what. @type {{ key: string, tokens: string[], vocabulary: readonly string[], rows: Lenses[] } | null} */
    this.made = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.turn = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    if (!still.matches) this.turn = setTimeout(() => this.#swap(LAST), TURN);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#take();
  }

  /** The reader takes over: nothing changes by itself any more. */
  #take() {
    clearTimeout(this.turn);
  }

  willUpdate() {
    if (!this.session) return;
    const { pocket } = this.session.examples;
    if (!this.ids.length) this.ids = Object.assign([...(pocket.inputs?.tokens ?? [])], AT_FIRST);
    const key = `${language()} ${this.ids}`;
    if (this.made?.key === key) return;
    const example = { ...pocket, inputs: { ...pocket.inputs, tokens: this.ids } };
    const run = this.session.run(example, { remove: [], edits: [] });
    const view = /** @type {import('../app/state/view.js').View} */ (/** @type {unknown} */ (run));
    const { tokens, vocabulary = [] } = run.example;
    this.made = { key, tokens, vocabulary, rows: tokens.map((_, row) => lensesOf(view, row)) };
    run.trace.dispose();
  }

  /** Another word in its place: the pronoun's other, or the next name that is not here yet. @param {number} place */
  #swap(place) {
    const { ids } = this;
    const now = ids[place];
    const another = () => {
      const free = NAMES.filter((name) => name === now || !ids.includes(name));
      return free[(free.indexOf(now) + 1) % free.length];
    };
    this.ids = ids.with(place, place === LAST ? SHE + HE - now : another());
  }

  /** Whether a pointer is still where it pressed, but for what events round. @param {MouseEvent} event */
  #isWhere = ({ clientX, clientY }) =>
    Math.hypot(clientX - this.pressed.x, clientY - this.pressed.y) < 2;

  /** @param {number} place */
  #changes = (place) => [FIRST, SECOND, LAST].includes(place);

  render() {
    if (!this.made) return nothing;
    const { tokens, vocabulary, rows } = this.made;
    const { asks } = this;
    const lenses = rows[asks];
    const last = rows[LAST];
    const sentences = NAMES.map((name, i) => `${vocabulary[name]} ${vocabulary[DOES[i]]}.`).join(
      ' ',
    );
    return html`<div class=${`hero ${asks === LAST ? '' : 'away'}`} @pointerleave=${() => {
      this.asks = LAST;
    }}>
      <p class="people">${text('lessons/welcome/knows', { sentences })}</p>
      ${sentenceOf({
        parts: [{ words: tokens }],
        ...{ row: asks, weights: lenses.weights, grown: 1, within: this },
        next: last.likeliest
          .map(({ word }) => word)
          .slice(0, 2)
          .join(' / '),
        isSure: last.isSure,
        cellOf: (j) => ({ node: 'weights', index: [asks, j] }),
        hands: {
          does: (j) =>
            this.#changes(j) ? text('lessons/welcome/swap', { word: tokens[j] }) : undefined,
          changes: this.#changes,
          point: (j, event) => {
            this.#take();
            /* A word that moved below the pointer was not pointed at. */
            if (event && this.#isWhere(event)) return;
            this.asks = j;
          },
          press: (j, event) => {
            this.#take();
            if (event) this.pressed = { x: event.clientX, y: event.clientY };
            this.asks = j;
            if (!this.#changes(j)) return;
            this.#swap(j);
            /* What follows from it is seen where the next word is asked for. */
            this.asks = LAST;
          },
        },
      })}
      <p class="hint">${text(touch.matches ? 'lessons/welcome/touch' : 'lessons/welcome/hint', { word: tokens[LAST] })}</p>
      ${this.ways}
      <div class="parts">
        ${this.#parts(lenses)}
        <figure class="next">
          <h2>${text('lessons/map/sign/next')}</h2>
          ${wordsOf(last, LAST, true)}
        </figure>
      </div>
    </div>`;
  }

  /** Whom a word finds: one, or two alike; none where no word fits better than most. @param {Lenses} lenses @returns {number[]} */
  #fitting({ weights }) {
    const most = Math.max(...weights);
    const best = weights.flatMap((weight, j) => (most - weight < ALIKE ? [j] : []));
    return best.length > 2 ? [] : best;
  }

  /** Query, key and value of the word that is pointed at, and of whom it finds. @param {Lenses} lenses */
  #parts(lenses) {
    const { query, keys, values, corners, reach } = lenses;
    const { tokens } = /** @type {NonNullable<typeof this.made>} */ (this.made);
    const fitting = this.#fitting(lenses);
    const named = {
      word: tokens[this.asks],
      whom: list([...new Set(fitting.map((j) => tokens[j]))]),
    };
    const n = fitting.length;
    const [asked, offered] = [planeOf(reach.keys), planeOf(reach.values)];
    /* Where none is fitting, a little of every value comes. */
    const handed = values.filter((_, j) => n === 0 || fitting.includes(j));
    const hands = handed.some(({ tip }) => tip.some(Boolean));
    const beam = arrowOf(asked, query, { role: 'q', beam: true });
    const ends = svg`<g class="axis-ends">${textsOf(namesAt(pocketEnds(), asked.place([0, 0]), SIZE, CORNER))}</g>`;
    return [
      part({
        role: 'q',
        title: text('lessons/welcome/query/title'),
        says: query.tip.some(Boolean)
          ? text('lessons/welcome/query/is', named)
          : text('lessons/welcome/query/none', named),
        drawing: [ends, beam],
      }),
      part({
        role: 'k',
        title: text('lessons/welcome/key/title'),
        says: n
          ? text('lessons/welcome/key/is', { ...named, n })
          : text('lessons/welcome/key/none'),
        drawing: [
          ends,
          beam,
          keys.map((one, j) => arrowOf(asked, one, { role: 'k', faint: !fitting.includes(j) })),
        ],
      }),
      part({
        role: 'v',
        title: text('lessons/welcome/value/title'),
        says: !n
          ? text('lessons/welcome/value/all')
          : hands
            ? text('lessons/welcome/value/is', { ...named, n })
            : text('lessons/welcome/value/none', named),
        drawing: [
          corners.map((corner) => cornerOf(offered, corner, false, CORNER)),
          handed.map((one) => arrowOf(offered, one, { role: 'v', faint: n === 0 })),
        ],
      }),
    ];
  }
}

/** A part of the attention: what it is called, drawn, and said.
 * @param {{ role: string, title: string, says: string, drawing: unknown }} of */
const part = ({ role, title, says, drawing }) => html`<figure class=${`role-${role}`}>
  <h2>${title}</h2>
  ${svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${says}>${axes} ${drawing}</svg>`}
  <figcaption>${says}</figcaption>
</figure>`;

customElements.define('gf-hero', Hero);
