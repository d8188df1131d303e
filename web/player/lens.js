// A token that asks, the plane of queries and keys, the plane of values, the next word: one attention with two channels, seen
// whole. Its lenses, W_Q, W_K and W_V, can be turned, and all that follows is computed anew.
import { html, nothing, svg } from 'lit';
import { listed, text } from '../app/locale/text.js';
import { display, shortest } from '../stage/draw/format.js';
import { merged, namesOf, paperOf } from '../stage/elements/arrow-names.js';
import { Lettering } from '../stage/elements/lettering.js';
import { letter } from '../stage/telling/number.js';
import { cellsOf, rowOf } from './core.js';
import {
  arrowOf,
  blendOf,
  boxAround,
  CLEAR,
  CLEAR_OF_GRIP,
  cornerOf,
  named,
  planeOf,
  SIZE,
  silent,
  takenBy,
} from './lens-plane.js';
import { wordsOf } from './lens-words.js';
import { GRAIN, inSteps, keyEndsOf, lensesOf, tipOf, turned, turnOf } from './lenses.js';
import { Film } from './picture.js';
import { sentenceOf } from './sentence.js';
import { scopeIn, telling } from './telling.js';
import './lens.css';

/** @typedef {import('./lenses.js').Lens} Lens */
/** @typedef {ReturnType<typeof lensesOf>} Lenses */
/** @typedef {import('./lenses.js').Arrow} Arrow */
/** @typedef {import('../../bindings/learn/lessons/read.js').LensPart} Part */

/** What grows in each part of the film. @type {Part[]} */
const FILM = ['scores', 'lines', 'values', 'output', 'next'];
/** Where each of them is on the map. */
const BEATS = /** @type {const} */ (['scores', 'weights', 'blend', 'output', 'next']);

/** @type {Record<Lens, { letter: string, below: string }>} */
const NAMES = {
  w_q: { letter: 'W', below: 'Q' },
  w_k: { letter: 'W', below: 'K' },
  w_v: { letter: 'W', below: 'V' },
};

/** @extends {Film<'lens'>} */
export class LensPicture extends Film {
  static PACE = 3000;
  static GRAIN = 0;

  constructor() {
    super();
    /** The lens that a pointer turns, and the angle between pointer and lens. @type {{ lens: Lens, by: number } | null} */
    this.held = null;
    /** Whether it has turned since. */
    this.hasTurned = false;
    this.lettering = new Lettering(this, 'figure svg', SIZE);
  }

  get length() {
    return FILM.length;
  }

  get beat() {
    return this.t === null ? undefined : BEATS[Math.min(BEATS.length - 1, Math.floor(this.t))];
  }

  /** How much of a part is there, from 0 to 1: what the scene shows, or what the film has reached.
   * @param {Part} name */
  #part(name) {
    const { shows = [], after } = this.picture;
    const turn = FILM.indexOf(name);
    if (this.t !== null && turn >= 0) {
      return smooth(Math.min(1, Math.max(0, this.t - turn)));
    }
    return Number((this.hides ? shows : (after ?? shows)).includes(name));
  }

  /** Whether a part has its room in the scene, now or later. @param {Part[]} names */
  #hasRoom(...names) {
    const { shows = [], after = [] } = this.picture;
    return names.some((name) => shows.includes(name) || after.includes(name));
  }

  render() {
    const { view, picture } = this;
    if (!view) return nothing;
    const row = Number(cellsOf(picture.row, scopeIn(view))[0].index.at(-2));
    const lenses = lensesOf(view, row);
    const next = this.#part('next') > 0;
    /* No word is said where others are likelier together. */
    const isLikely = lenses.likeliest.reduce((sum, one) => sum + one.probability, 0) > 0.5;
    /* Where none is said, none stands out. */
    const said = isLikely ? lenses : { ...lenses, likeliest: [] };
    /* While a lens turns, the sentence keeps its width. */
    const likely = lenses.likeliest.slice(0, picture.turns ? 1 : undefined);
    return html`<div class="lens">
      ${picture.legend ? html`<p class="people">${telling(picture.legend, scopeIn(view))}</p>` : nothing}
      ${sentenceOf({
        parts: [{ words: view.example.tokens }],
        row,
        weights: lenses.weights,
        grown: this.#part('lines'),
        asked: this.#hasRoom('lines'),
        next: next ? (isLikely ? likely.map(({ word }) => word).join(' / ') : '?') : '',
        isSure: lenses.isSure,
        cellOf: (j) => ({ node: 'weights', index: [row, j] }),
        within: this,
      })}
      <div class="drawings">${this.#keys(lenses)} ${this.#values(said, next)}</div>
      ${this.#dials(lenses)} ${this.#hasRoom('next') ? wordsOf(said, row, next) : nothing}
    </div>`;
  }

  // ---- The planes ----

  /** @param {Lenses} lenses */
  #keys({ query, keys, scores, reach }) {
    if (!this.#hasRoom('query', 'keys')) return nothing;
    const plane = planeOf(reach.keys);
    const scored = this.#part('scores');
    const asks = this.#part('query') ? [query] : [];
    const offers = this.#part('keys') ? keys : [];
    /* Keys that are the same have the same score. */
    const score = (/** @type {Arrow} */ { cells }) => display(scored * scores[cells[0].index[0]]);
    return this.#plane({
      plane,
      ends: keyEndsOf(this.view),
      title: text('lessons/lens/keys'),
      written: asks.map((one) => numbersOf('Q', one)),
      described: [
        ...asks.map((one) => describedAs('Q', one)),
        ...offers.map((one) => describedAs('K', one)),
      ],
      drawing: [
        asks.map((one) => arrowOf(plane, one, { role: 'q', beam: true })),
        merged(offers, tipOf, 'token').map((key) => arrowOf(plane, key, { role: 'k' })),
        this.#grips(plane, { w_q: asks, w_k: offers }),
      ],
      names: [
        ...named(plane, asks, { role: 'q', letter: 'Q', beam: true, clear: this.#clear('w_q') }),
        ...named(plane, offers, {
          ...{ role: 'k', letter: 'K', clear: this.#clear('w_k') },
          number: scored ? score : undefined,
        }),
      ],
      taken: this.#taken(plane, { w_q: asks, w_k: offers }),
      notes: [scored ? text('lessons/lens/scores') : '', zeroText(offers)],
    });
  }

  /** The values that are shown: all, or that of the token with the most attention. @param {Lenses} lenses */
  #shownValues({ values, weights }) {
    if (this.t !== null || this.#part('values')) return values;
    return this.#part('value') ? [values[weights.indexOf(Math.max(...weights))]] : [];
  }

  /** @param {Lenses} lenses @param {boolean} next whether the next word is shown */
  #values(lenses, next) {
    if (!this.#hasRoom('value', 'values', 'corners')) return nothing;
    const { weights, corners, output, likeliest, reach } = lenses;
    const plane = planeOf(reach.values);
    const shown = this.#shownValues(lenses);
    const mixed = this.#part('output');
    const shrunk = this.t === null ? 0 : this.#part('values');
    const long = (/** @type {number} */ j) => 1 - shrunk * (1 - weights[j]);
    const ends = this.t !== null || this.#part('corners') ? corners : [];
    const mix = mixed === 1 ? [output] : [];
    const arrows = shown.map((value, j) => shortened(value, long(j)));
    return this.#plane({
      plane,
      title: text('lessons/lens/values'),
      written: mix.map((one) => numbersOf('O', one)),
      described: [
        ...shown.map((one) => describedAs('V', one)),
        ...mix.map((one) => describedAs('O', one)),
      ],
      drawing: [
        ends.map((corner) =>
          cornerOf(plane, corner, next && likeliest.includes(corner), this.lettering.type),
        ),
        arrows.map((value) => arrowOf(plane, value, { role: 'v', faint: mixed > 0 })),
        mixed ? blendOf(plane, lenses, mixed) : nothing,
        this.#grips(plane, { w_v: shown }),
      ],
      names: named(plane, arrows, { role: 'v', letter: 'V', clear: this.#clear('w_v') }),
      taken: [
        ...takenBy(plane, ends, this.lettering),
        ...mix.map(({ tip }) => boxAround(plane.place(tip), 13)),
        ...this.#taken(plane, { w_v: shown }),
      ],
      notes: [zeroText(shown)],
    });
  }

  /** A drawing below its heading, and above what it cannot show.
   * @param {{ plane: import('./lens-plane.js').Plane, ends?: import('../stage/elements/arrow-names.js').Ends, title: string, written: unknown[], described: string[], drawing: unknown[],
   *   names: import('../stage/elements/arrow-names.js').Named[], taken: import('../stage/elements/label-layout.js').Box[],
   *   notes: string[] }} of
   *   written: arrows by their numbers; described: what the drawing shows, in words; taken: what no name covers */
  #plane({ plane, ends, title, written, described, drawing, names, taken, notes }) {
    const { lettering } = this;
    const paper = paperOf({ ...plane, size: SIZE, lettering, ends });
    return html`<figure>
      <figcaption><b title=${title}>${title}</b> ${written}</figcaption>
      ${svg`<svg
        viewBox="0 0 ${SIZE} ${SIZE}"
        role="img"
        aria-label=${[title, ...described].join('. ')}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.#turn(event, plane)}
        @pointerup=${this.#drop}
        @pointercancel=${this.#drop}
      >${paper.drawn} ${drawing} ${namesOf(names, { size: SIZE, lettering, taken, marks: paper.marks })}</svg>`}
      <p class="note">${notes.filter(Boolean).map((note) => html`<span>${note}</span>`)}</p>
    </figure>`;
  }

  /** How far from the tips that a lens turns their names begin. @param {Lens} lens */
  #clear = (lens) => (this.picture.turns?.includes(lens) ? CLEAR_OF_GRIP : CLEAR);

  /** The tips that can be held: nothing is written over them.
   * @param {import('./lens-plane.js').Plane} plane @param {Partial<Record<Lens, Arrow[]>>} arrows */
  #taken(plane, arrows) {
    return (this.picture.turns ?? []).flatMap((lens) =>
      (arrows[lens] ?? []).map(({ tip }) => boxAround(plane.place(tip), 18)),
    );
  }

  // ---- The lenses ----

  /** The tips by which a lens can be turned.
   * @param {import('./lens-plane.js').Plane} plane @param {Partial<Record<Lens, Arrow[]>>} arrows */
  #grips(plane, arrows) {
    const { turns = [] } = this.picture;
    return turns.flatMap((lens) =>
      (arrows[lens] ?? [])
        .filter(({ tip }) => tip.some(Boolean))
        .map(({ tip }) => {
          const [cx, cy] = plane.place(tip);
          return svg`<g class="grip" aria-hidden="true"
            @pointerdown=${(/** @type {PointerEvent} */ event) => this.#grip(event, lens, tip)}
            ><circle class="target" cx=${cx} cy=${cy} r="36" /><circle class="ring" cx=${cx} cy=${cy} r="17" /></g>`;
        }),
    );
  }

  /** @param {PointerEvent} event @param {Lens} lens @param {readonly number[]} tip */
  #grip(event, lens, [x, y]) {
    /* Nothing is selected on the way. */
    event.preventDefault();
    const { currentTarget, pointerId } = event;
    /** @type {Element} */ (currentTarget).closest('svg')?.setPointerCapture(pointerId);
    this.held = { lens, by: turnOf(this.view, lens) - degreesOf([x, y]) };
    this.hasTurned = false;
  }

  /** @param {PointerEvent} event @param {import('./lens-plane.js').Plane} plane */
  #turn(event, plane) {
    if (!this.held) return;
    const drawing = /** @type {SVGSVGElement} */ (event.currentTarget);
    const to = inSteps(this.held.by + degreesOf(plane.under(drawing, event)));
    this.#set(this.held.lens, to, { begins: !this.hasTurned, ends: false });
  }

  #drop = () => {
    if (this.held && this.hasTurned) this.act({ do: 'drag', edits: [], begins: false, ends: true });
    this.held = null;
  };

  /** @param {Lens} lens @param {number} degrees @param {{ begins: boolean, ends: boolean }} how */
  #set(lens, degrees, how) {
    if (degrees === turnOf(this.view, lens)) return;
    this.hasTurned = true;
    this.act({ do: 'drag', edits: turned(this.view, lens, degrees), ...how });
  }

  /** @param {Lenses} lenses */
  #dials({ likeliest }) {
    const { turns = [] } = this.picture;
    const moved = this.moves ? cellsOf(this.moves, scopeIn(this.view)) : [];
    if (moved.length !== 1 && !turns.length && !this.picture.shuffles) return nothing;
    return html`<div class="dials">
      ${
        this.picture.shuffles
          ? html`<button class="shuffle" @click=${this.#shuffle}>${text('lessons/lens/shuffle')}</button>`
          : nothing
      }
      ${moved.length === 1 ? this.#score(moved[0]) : nothing}
      ${turns.map((lens) => {
        const degrees = turnOf(this.view, lens);
        return html`<label class="slider role-${lens.slice(2)}"
          ><span>${text('lessons/lens/turn')} <b>${letter(NAMES[lens])}</b></span>
          <input
            type="range"
            min="-180"
            max="180"
            step=${GRAIN}
            .value=${String(degrees)}
            aria-valuetext=${text('lessons/lens/turned', { degrees, word: likeliest[0].word })}
            @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
              this.#set(lens, Number(currentTarget.value), { begins: true, ends: true })}
          />
          <output>${display(degrees)}°</output></label
        >`;
      })}
    </div>`;
  }

  /** The words before the one that asks, in another order: every second word first. */
  #shuffle = () => {
    const { data } = this.view.trace.step('tokens');
    const ids = Array.from(data).slice(0, -1);
    const shuffled = [1, 0].flatMap((odd) => ids.filter((_, i) => i % 2 === odd));
    const edits = shuffled.map((value, i) => ({ node: 'tokens', index: [i], value }));
    this.act({ do: 'drag', edits, begins: true, ends: true });
  };

  /** A score that is moved by itself. @param {import('../stage/draw/tensor.js').Cell} cell */
  #score(cell) {
    const value = rowOf(this.moves, scopeIn(this.view))[0];
    const name = this.view.example.tokens[cell.index.at(-1) ?? 0];
    return html`<label class="slider"
      ><span>${text('lessons/bars/drag', { name })}</span>
      <input
        type="range"
        min="-2"
        max="10"
        step="0.5"
        .value=${String(value)}
        @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          this.act({ do: 'edit', cell, text: currentTarget.value })}
      />
      <output>${display(value)}</output></label
    >`;
  }
}

/** An arrow by its numbers. @param {'Q' | 'O'} name @param {Arrow} arrow */
function numbersOf(name, { token, tip, cells }) {
  const numbers = tip.map(
    (x, i) => html`<span
      class="number"
      data-node=${cells[i].node}
      data-index=${cells[i].index.join()}
      data-value=${shortest(x)}
      >${display(x, { decimals: 2 })}</span
    >`,
  );
  return html`<span class="row role-${name === 'Q' ? 'q' : 'a'}"
    ><i>${name}</i> ${token} = (${numbers[0]}${listed(['', ''])}${numbers[1]})</span
  >`;
}

/** The tokens whose arrows have no length; a full stop among them is no end of what is said. @param {Arrow[]} arrows */
function zeroText(arrows) {
  const names = silent(arrows).map((token) =>
    /\p{L}/u.test(token) ? token : text('lessons/lens/sign', { sign: token }),
  );
  return names.length ? text('lessons/lens/zero', { names: names.join(', ') }) : '';
}

/** The same in words. @param {string} name @param {Arrow} arrow */
const describedAs = (name, { token, tip }) =>
  `${name} ${token} (${listed(tip.map((x) => display(x)))})`;

/** @param {number} x */
const smooth = (x) => x * x * (3 - 2 * x);

/** @param {readonly number[]} tip */
const degreesOf = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

/** @param {Arrow} arrow @param {number} by */
const shortened = (arrow, by) => ({
  ...arrow,
  tip: /** @type {import('./lenses.js').Point} */ (arrow.tip.map((x) => by * x)),
});

customElements.define('gf-lens', LensPicture);
