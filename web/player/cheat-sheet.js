// One page to take along: the formula, the path with the numbers of a sentence that the reader chooses, the words, what of
// a chat program is understood by now and what is missing. Drawn as two columns, which print on one sheet and save as SVG.
import { html, nothing, svg } from 'lit';
import { PALETTE } from '../../bindings/js/base/palette.js';
import { brings, count, glossary, language, listed, text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';
import { Base } from '../stage/elements/base.js';
import { saveFile } from '../stage/elements/save.js';
import { Column, WIDTH } from './cheat-sheet-column.js';
import { numberText } from './core.js';
import { ALL } from './head.js';
import { keptOf, openIn } from './progress.js';
import './cheat-sheet.css';

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?lessons/sheet',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** Pocket's names and pronouns by their numbers, and the words of every sentence around them. */
const NAMES = [0, 1, 2, 3];
const PRONOUNS = [8, 9];
const AROUND = [4, 5, 6, 7];
/** Each step of the path: its sign, and the text that says what it is. */
const PATH = /** @type {const} */ ({
  x: ['X', 'lessons/map/x'],
  q: ['Q', 'lessons/map/q'],
  k: ['K', 'lessons/map/k'],
  v: ['V', 'lessons/map/v'],
  scores: ['S', 'lessons/map/scores'],
  scale: ['÷ √dₖ', 'lessons/map/scale'],
  weights: ['A', 'lessons/map/softmax'],
  output: ['O', 'lessons/map/blend'],
  next: ['→', 'lessons/map/next'],
});
/** The terms that are explained, by their names in the glossary. */
const TERMS = [
  'token',
  'head',
  'mask',
  'residual-stream',
  'logit',
  'temperature',
  'loss',
  'gradient',
];
/** What is understood, by the lesson that ends in it. */
const UNDERSTOOD = /** @type {const} */ ([
  ['whole-machine', 'lessons/sheet/understood/next'],
  ['why-attention', 'lessons/sheet/understood/attention'],
  ['many-heads', 'lessons/sheet/understood/heads'],
  ['where-am-i', 'lessons/sheet/understood/positions'],
  ['whole-machine', 'lessons/sheet/understood/layers'],
  ['how-it-learns', 'lessons/sheet/understood/learned'],
]);
const MISSING = /** @type {const} */ ([
  'lessons/sheet/missing/size',
  'lessons/sheet/missing/pieces',
  'lessons/sheet/missing/reading',
  'lessons/sheet/missing/answers',
  'lessons/sheet/missing/why',
]);
/** px of an A4 page at 96 dpi, and of its margin. */
const [PAGE_WIDTH, PAGE_HEIGHT, MARGIN] = [794, 1123, 38];

/** Colours of the file, which is for white paper. @type {Record<string, string>} */
const PRINTED = {
  plain: PALETTE.light.ink,
  soft: PALETTE.light.quiet,
  ...Object.fromEntries(
    /** @type {const} */ (['q', 'k', 'v', 'a']).map((role) => [
      `role-${role}`,
      PALETTE.light[`${role}-ink`],
    ]),
  ),
};

/** Every sentence of Pocket: two names and a pronoun. */
const SENTENCES = NAMES.flatMap((one) =>
  NAMES.flatMap((other) =>
    one < other
      ? PRONOUNS.map((said) => [one, AROUND[0], other, AROUND[1], AROUND[2], AROUND[3], said])
      : [],
  ),
);

export class CheatSheet extends Base {
  static properties = {
    session: { attribute: false },
    lessons: { attribute: false },
    chosen: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** @type {Lesson[]} */
    this.lessons = [];
    /** Which sentence the numbers are of. */
    this.chosen = SENTENCES.findIndex((ids) => ids.join() === '0,4,2,5,6,7,8');
  }

  /** What the core makes of a sentence. @param {number[]} ids */
  numbers(ids) {
    const { pocket } = this.session.examples;
    const example = { ...pocket, inputs: { ...pocket.inputs, tokens: ids } };
    const { trace, example: worded } = this.session.run(example, { remove: [], edits: [] });
    const { tokens, vocabulary = [] } = worded;
    const last = tokens.length - 1;
    const row = (/** @type {string} */ name, /** @type {number} */ i) => {
      const { data, shape } = trace.step(name);
      const width = shape[shape.length - 1];
      return Array.from(data.slice(i * width, (i + 1) * width));
    };
    const weights = row('weights', last);
    const most = weights.indexOf(Math.max(...weights));
    const likely = row('probabilities', last);
    const best = likely.indexOf(Math.max(...likely));
    const vector = (/** @type {number[]} */ all) =>
      `(${listed(all.map((x) => display(x, { decimals: 2 })))})`;
    const percent = (/** @type {number} */ x) => numberText(x, language(), 'percent');
    const [asks, other] = [tokens[last], tokens[most]];
    const numbers = {
      x: [asks, vector(row('x', last))],
      q: [asks, vector(row('q', last))],
      k: [other, vector(row('k', most))],
      v: [other, vector(row('v', most))],
      scores: [`${asks} · ${other}`, display(row('scores', last)[most], { decimals: 2 })],
      scale: [`${asks} · ${other}`, display(row('scores.scaled', last)[most], { decimals: 2 })],
      weights: [`${asks} → ${other}`, percent(weights[most])],
      output: [asks, vector(row('output', last))],
      next: [vocabulary[best], percent(likely[best])],
    };
    trace.dispose();
    return { tokens, numbers };
  }

  /** The left column: the formula, the path with numbers, and what is understood. @param {ReturnType<CheatSheet['numbers']>} of */
  #path({ tokens, numbers }) {
    const column = new Column();
    column.title(text('lessons/sheet/title'));
    column.formula('O = softmax(Q Kᵀ ÷ √dₖ) V');
    column.note(text('lessons/sheet/matrices'));
    column.heading(text('lessons/sheet/path'));
    column.note(text('lessons/sheet/sentence', { sentence: written(tokens) }));
    for (const [name, [sign, key]] of Object.entries(PATH)) {
      const [whose, value] = numbers[/** @type {keyof typeof numbers} */ (name)];
      column.step({ sign, says: bare(text(key)), whose, value, colour: COLOURS[name] ?? 'plain' });
    }
    const done = this.lessons
      .filter((lesson) => keptOf(lesson.name, lesson).done)
      .map(({ name }) => name);
    column.list(
      text('lessons/sheet/understood/title'),
      UNDERSTOOD.map(([lesson, key]) => ({
        mark: done.includes(lesson) ? '✓' : '○',
        words: text(key),
      })),
    );
    return column;
  }

  /** How far the reader is. */
  #progress() {
    const kept = this.lessons.map((lesson) => ({ lesson, ...keptOf(lesson.name, lesson) }));
    const gates = kept.flatMap(({ lesson }) => openIn(lesson, [])).length;
    const open = kept.flatMap(({ lesson, solved }) => openIn(lesson, solved)).length;
    return text('lessons/sheet/progress', {
      done: count(kept.filter(({ done }) => done).length),
      lessons: count(kept.length),
      solved: count(gates - open),
      scenes: count(gates),
    });
  }

  /** The right column: the words, what is missing, how far the reader is. */
  #words() {
    const column = new Column();
    column.heading(text('lessons/sheet/words'));
    for (const name of TERMS) {
      const { forms, is } = glossary()[name];
      column.term(forms[0], is);
    }
    column.list(
      text('lessons/sheet/missing/title'),
      MISSING.map((key) => ({ mark: '–', words: text(key) })),
    );
    return column;
  }

  render() {
    if (!this.session) return nothing;
    const { vocabulary = [] } = this.session.run(this.session.examples.pocket, {
      remove: [],
      edits: [],
    }).example;
    const columns = [this.#path(this.numbers(SENTENCES[this.chosen])), this.#words()];
    return html`<section class="cheat-sheet">
      <p class="ways">
        <a class="button" href=${ALL}>${text('lessons/all')}</a>
        <label
          >${text('lessons/sheet/choose')}
          <select
            .value=${String(this.chosen)}
            @change=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
              this.chosen = Number(currentTarget.value);
            }}
          >
            ${SENTENCES.map(
              (ids, i) =>
                html`<option value=${i} ?selected=${i === this.chosen}>${written(ids.map((id) => vocabulary[id]))}</option>`,
            )}
          </select>
        </label>
        <button class="button main print" @click=${() => print()}>${text('lessons/sheet/print')}</button>
        <button class="button save" @click=${this.#save}>SVG</button>
        <span class="course">${this.#progress()}</span>
      </p>
      <div class="columns">
        ${columns.map(
          ({ height, drawn }) =>
            svg`<svg viewBox="0 0 ${WIDTH} ${height}" role="document" aria-label=${text('lessons/sheet/title')}>${drawn}</svg>`,
        )}
      </div>
    </section>`;
  }

  /** Both columns on one page, as a file. */
  #save = () => {
    const columns = [...this.querySelectorAll('.columns svg')].map((column, i) => {
      const copy = /** @type {SVGSVGElement} */ (column.cloneNode(true));
      const [, , , height] = (copy.getAttribute('viewBox') ?? '').split(' ').map(Number);
      const across = PAGE_WIDTH / 2 - MARGIN - 9;
      copy.setAttribute('x', String(i ? PAGE_WIDTH / 2 + 9 : MARGIN));
      copy.setAttribute('y', String(MARGIN));
      copy.setAttribute('width', String(across));
      copy.setAttribute('height', String((across * height) / WIDTH));
      for (const [name, colour] of Object.entries(PRINTED))
        for (const part of copy.querySelectorAll(`.${name}`)) part.setAttribute('fill', colour);
      return new XMLSerializer().serializeToString(copy);
    });
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}">${columns.join('')}</svg>`;
    saveFile('cheat-sheet.svg', new Blob([whole], { type: 'image/svg+xml' }));
  };
}

/** Words as a sentence. @param {string[]} tokens */
const written = (tokens) => tokens.join(' ').replace(' .', '.');

/** What a text of the map says behind its sign. @param {string} says */
const bare = (says) => says.replace(/^[^:]*:\s*/, '');

/** The colours of queries, keys, values and weights. @type {Record<string, string>} */
const COLOURS = { q: 'role-q', k: 'role-k', v: 'role-v', weights: 'role-a' };

customElements.define('gf-cheat-sheet', CheatSheet);
