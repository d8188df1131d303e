// Pocket in training: queries and keys, values and the words that they point at, as arrows at any step. They begin at random
// and turn until they find each other; what the model gets right at that step stands below.
import { html, nothing, svg } from 'lit';
import { brings, text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';
import { memoized } from '../stage/draw/memoized.js';
import { layOutLabels } from '../stage/elements/label-layout.js';
import { arrowOf, cornerOf, labelOf, paper, planeOf, SIZE } from './lens-plane.js';
import { lensesOf } from './lenses.js';
import { Film } from './picture.js';
import { evaluate, learn } from './pocket.js';
import './lens.css';
import './learning.css';

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?lessons/learning',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./lenses.js').Point} Point */
/** @typedef {import('../../bindings/lab/pocket/index.js').PocketStep} Step */

/** Steps of a training. */
const STEPS = 100;
/** The pair of names of which it learns no sentence. */
const HELD_OUT = 'Anna Ben';
/** Words of Pocket whose arrows are drawn: four names, two pronouns; and the words that can follow. */
const WORDS = [0, 1, 2, 3, 8, 9];
const NAMES = 4;
const FOLLOWS = 10;
/** Beyond the longest arrow, the plane has room for names. */
const ROOM = 1.25;
/** Values are drawn within the words: only which way these lie counts. */
const WITHIN = 1.65;

/** What each core learned, by seed and step. */
const learned = memoized((/** @type {any} */ core) => {
  /** @type {Map<number, Step[]>} */
  const runs = new Map();
  /** @type {WeakMap<Step, ReturnType<typeof count>>} */
  const counts = new WeakMap();
  const count = (/** @type {Step} */ { inputs }) => {
    const { answers } = evaluate(core, inputs);
    const seen = answers.filter(({ pair }) => pair !== HELD_OUT);
    const unseen = answers.filter(({ pair }) => pair === HELD_OUT);
    const right = (/** @type {typeof answers} */ all) =>
      all.filter(({ answer, next }) => answer === next).length;
    return {
      seen: seen.length,
      right: right(seen),
      unseen: unseen.length,
      rightUnseen: right(unseen),
    };
  };
  return {
    stepsOf(/** @type {number} */ seed) {
      const steps = runs.get(seed) ?? [...learn(core, { seed, steps: STEPS, heldOut: HELD_OUT })];
      runs.set(seed, steps);
      return steps;
    },
    countOf(/** @type {Step} */ step) {
      const counted = counts.get(step) ?? count(step);
      counts.set(step, counted);
      return counted;
    },
  };
});

/** Its film shows the training, step by step. @extends {Film<'learning'>} */
export class Learning extends Film {
  static PACE = 80;

  static properties = { ...Film.properties, seed: { state: true } };

  constructor() {
    super();
    /** The start that is shown. */
    this.seed = 1;
  }

  get length() {
    return STEPS;
  }

  /** Which step is shown, from 1. */
  get step() {
    return Math.max(1, this.t ?? (this.hides ? 1 : STEPS));
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (changed.has('picture')) this.seed = this.picture.seed;
  }

  render() {
    const { view, step } = this;
    if (!view) return nothing;
    const { core, examples } = view.session;
    const { stepsOf, countOf } = learned(core);
    const now = stepsOf(this.seed)[step - 1];
    const { pocket } = examples;
    const example = { ...pocket, inputs: { ...pocket.inputs, ...now.inputs, tokens: WORDS } };
    const run = /** @type {import('../app/state/view.js').View} */ (
      /** @type {unknown} */ (view.session.run(example, { remove: [], edits: [] }))
    );
    const rows = WORDS.map((_, row) => lensesOf(run, row));
    run.trace.dispose();
    return html`<div class="lens learning">
      <div class="drawings">${keysOf(rows)} ${valuesOf(rows)}</div>
      ${this.#controls()} ${this.#facts(now, countOf(now))}
    </div>`;
  }

  #controls() {
    return html`<div class="dials">
      <label class="slider"
        ><span>${text('lessons/learning/step')}</span>
        <input
          type="range"
          min="1"
          max=${STEPS}
          .value=${String(this.step)}
          @input=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            this.pause();
            this.seek(Number(currentTarget.value));
          }}
        />
        <output>${this.step}</output></label
      >
      ${
        this.picture.more
          ? html`<button
              class="another"
              @click=${() => {
                this.seed += 1;
                this.seek(0);
                this.play();
              }}
            >${text('lessons/learning/another')}</button>`
          : nothing
      }
    </div>`;
  }

  /** @param {Step} now @param {{ seen: number, right: number, unseen: number, rightUnseen: number }} counted */
  #facts({ loss }, { seen, right, unseen, rightUnseen }) {
    return html`<dl class="facts">
      <dt>${text('lessons/learning/loss')}</dt>
      <dd data-loss=${loss}>${display(loss, { decimals: 2 })}</dd>
      <dt>${text('lessons/learning/seen')}</dt>
      <dd class="seen">${text('lessons/learning/right', { n: right, all: seen })}</dd>
      <dt>${text('lessons/learning/unseen')}</dt>
      <dd class="unseen">${text('lessons/learning/right', { n: rightUnseen, all: unseen })}</dd>
    </dl>`;
  }
}

/** @param {Point[]} tips */
const reachOf = (tips) => ROOM * Math.max(...tips.map((tip) => Math.hypot(...tip)));

/** @param {Point} tip @returns {Point} */
const direction = ([x, y]) => [x / Math.hypot(x, y), y / Math.hypot(x, y)];

/** Where drawings stand side by side in little room, and how much larger their type is there, in units of a drawing. */
const narrow = matchMedia('(max-width: 47.99rem)');
const NARROW = 1.7;
/** How far from its middle nothing is written over a word that can follow. */
const CORNER = 14;

/** Arrows whose names leave each other, and words, their room.
 * @param {{ plane: import('./lens-plane.js').Plane, one: import('./lenses.js').Arrow, how: Parameters<typeof arrowOf>[2] }[]} arrows
 * @param {{ plane: import('./lens-plane.js').Plane, corner: import('./lenses.js').Corner }[]} [words] */
function apart(arrows, words = []) {
  const fixed = words.map(({ plane, corner: { word, tip } }) => {
    const [x, y] = plane.place(tip);
    const label = { x, y: y + (tip[1] < 0 ? 34 : -22), anchor: /** @type {const} */ ('middle') };
    const middle = /** @type {[number, number]} */ ([x, y]);
    return { ...label, letters: word.length, arrow: { moves: true }, tip: middle };
  });
  const named = arrows.map(({ plane, one, how }) => ({
    ...labelOf(plane, one, how),
    ...{ arrow: {}, tip: /** @type {[number, number]} */ ([0, 0]) },
  }));
  const labels = layOutLabels([...fixed, ...named], CORNER, SIZE, narrow.matches ? NARROW : 1);
  return arrows.map(({ plane, one, how }, i) =>
    arrowOf(plane, one, { ...how, label: labels[words.length + i] }),
  );
}

/** The keys of the names, and the queries of the pronouns. @param {ReturnType<typeof lensesOf>[]} rows */
function keysOf(rows) {
  const keys = rows[0].keys.slice(0, NAMES);
  const queries = rows.slice(NAMES).map(({ query }) => query);
  /* Both as long as the longest of their kind: which way they point is what is learned. */
  const planes = [keys, queries].map((all) => planeOf(reachOf(all.map(({ tip }) => tip))));
  return html`<figure>
    <figcaption><b title=${text('lessons/lens/keys')}>${text('lessons/lens/keys')}</b></figcaption>
    ${svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${text('lessons/lens/keys')}>${paper}
      ${apart([
        ...queries.map((one) => ({
          plane: planes[1],
          one,
          how: { role: 'q', letter: 'Q', beam: true },
        })),
        ...keys.map((one) => ({
          plane: planes[0],
          one,
          how: { role: 'k', letter: 'K', beside: 22, along: 0.82 },
        })),
      ])}
    </svg>`}
  </figure>`;
}

/** The values of the names, and the words that can follow. @param {ReturnType<typeof lensesOf>[]} rows */
function valuesOf([{ values, corners }]) {
  const names = values.slice(0, NAMES);
  const words = corners
    .filter(({ id }) => id >= FOLLOWS)
    .map((word) => ({ ...word, tip: direction(word.tip) }));
  const arrows = planeOf((WITHIN / ROOM) * reachOf(names.map(({ tip }) => tip)));
  const places = planeOf(ROOM);
  return html`<figure>
    <figcaption><b title=${text('lessons/lens/values')}>${text('lessons/lens/values')}</b></figcaption>
    ${svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${text('lessons/lens/values')}>${paper}
      ${words.map((word) => cornerOf(places, word, false))}
      ${apart(
        names.map((one) => ({
          plane: arrows,
          one,
          how: { role: 'v', letter: 'V', along: 0.75, beside: 22 },
        })),
        words.map((corner) => ({ plane: places, corner })),
      )}
    </svg>`}
  </figure>`;
}

customElements.define('gf-learning', Learning);
