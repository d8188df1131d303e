// Pocket in training: queries and keys, values and the words that they point at, as arrows at any step. They begin at random
// and turn until they find each other; what the model gets right at that step stands below.
import { html, nothing, svg } from 'lit';
import { brings, text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';
import { memoized } from '../stage/draw/memoized.js';
import { namesOf } from '../stage/elements/arrow-names.js';
import { Lettering } from '../stage/elements/lettering.js';
import { arrowOf, axes, cornerOf, named, planeOf, SIZE, takenBy } from './lens-plane.js';
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
    this.lettering = new Lettering(this, 'figure svg', SIZE);
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
      <div class="drawings">${keysOf(rows, this.lettering)} ${valuesOf(rows, this.lettering)}</div>
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

/** A drawing of arrows with their names. @param {string} title @param {unknown} drawing
 * @param {import('../stage/elements/arrow-names.js').Named[]} names
 * @param {{ lettering: Lettering, taken?: import('../stage/elements/label-layout.js').Box[] }} how */
const figure = (title, drawing, names, how) => html`<figure>
  <figcaption><b title=${title}>${title}</b></figcaption>
  ${svg`<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${title}>${axes} ${drawing}
    ${namesOf(names, { ...how, size: SIZE })}</svg>`}
</figure>`;

/** The keys of the names, and the queries of the pronouns. @param {ReturnType<typeof lensesOf>[]} rows
 * @param {Lettering} lettering */
function keysOf(rows, lettering) {
  const keys = rows[0].keys.slice(0, NAMES);
  const queries = rows.slice(NAMES).map(({ query }) => query);
  /* Both as long as the longest of their kind: which way they point is what is learned. */
  const [offered, asked] = [keys, queries].map((all) =>
    planeOf(reachOf(all.map(({ tip }) => tip))),
  );
  return figure(
    text('lessons/lens/keys'),
    [
      queries.map((one) => arrowOf(asked, one, { role: 'q', beam: true })),
      keys.map((one) => arrowOf(offered, one, { role: 'k' })),
    ],
    [
      ...named(asked, queries, { role: 'q', letter: 'Q', beam: true }),
      ...named(offered, keys, { role: 'k', letter: 'K' }),
    ],
    { lettering },
  );
}

/** Of two words whose places are close the upper one stands above, the lower one below.
 * @template {import('./lens-plane.js').Corner} T @param {import('./lens-plane.js').Plane} plane @param {T[]} words
 * @param {Lettering} lettering */
const apart = (plane, words, lettering) =>
  words.map((word) => {
    const [x, y] = plane.place(word.tip);
    const wide = lettering.widthOf(word.word);
    const near = words
      .filter((one) => one !== word)
      .map((one) => ({
        place: plane.place(one.tip),
        half: (wide + lettering.widthOf(one.word)) / 2,
      }))
      .find(
        ({ place, half }) =>
          Math.abs(place[0] - x) < half + 9 && Math.abs(place[1] - y) < 4 * lettering.type,
      );
    return near
      ? { ...word, side: near.place[1] > y ? /** @type {const} */ (-1) : /** @type {const} */ (1) }
      : word;
  });

/** The values of the names, and the words that can follow. @param {ReturnType<typeof lensesOf>[]} rows
 * @param {Lettering} lettering */
function valuesOf([{ values, corners }], lettering) {
  const names = values.slice(0, NAMES);
  const words = corners
    .filter(({ id }) => id >= FOLLOWS)
    .map((word) => ({ ...word, tip: direction(word.tip) }));
  const arrows = planeOf((WITHIN / ROOM) * reachOf(names.map(({ tip }) => tip)));
  const places = planeOf(ROOM);
  const ends = apart(places, words, lettering);
  return figure(
    text('lessons/lens/values'),
    [
      ends.map((word) => cornerOf(places, word, false, lettering.type)),
      names.map((one) => arrowOf(arrows, one, { role: 'v' })),
    ],
    named(arrows, names, { role: 'v', letter: 'V' }),
    { lettering, taken: takenBy(places, ends, lettering) },
  );
}

customElements.define('gf-learning', Learning);
