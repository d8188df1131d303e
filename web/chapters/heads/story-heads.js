// The heads of worked examples, and those of the model that learned stories, on a text of its words. A text with other
// words gets random weights, and the page says so.

import { html, nothing } from 'lit';
import { storyModel } from '#capabilities';
import { brings, text } from '../../app/locale/text.js';
import { OPENING_SENTENCE } from '../../app/state/walk.js';
import { Heads } from './element.js';
import { HEADS, LAYERS, LIMITS, NAME, opening } from './story-state.js';
import './stories.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/stories',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./story-state.js').State} State */

/** @param {Pick<State, 'example' | 'sentence'>} state */
const isStory = ({ example, sentence }) => example === NAME && !sentence;

export class StoryHeads extends Heads {
  constructor() {
    super();
    /** @type {import('../../workers/inside/story-model.js').StoryModel | null} */
    this.model = null;
    /** @type {Promise<boolean> | null} */
    this.loading = null;
  }

  get opening() {
    return opening;
  }

  get computed() {
    return [...super.computed, 'story', 'layer'];
  }

  get examples() {
    const title = text('chapters/stories/title');
    const story = { name: NAME, title, source: '', about: '', tokens: [] };
    return { [NAME]: story, ...super.examples };
  }

  /** @param {string} name */
  chosen(name) {
    return name === NAME ? { heads: HEADS } : super.chosen(name);
  }

  /** Done once the model that the state asks for is there. */
  async getUpdateComplete() {
    await this.loading;
    return super.getUpdateComplete();
  }

  /** The model, where its story is asked for. @param {any} state */
  loads(state) {
    if (!isStory(state) || this.model) return null;
    this.loading ??= this.#load();
    return this.loading;
  }

  async #load() {
    try {
      this.model = await storyModel(this.session);
    } catch {
      this.loading = null;
    }
    return this.model !== null;
  }

  /** Adds the model's next words. @param {any} state */
  open(state) {
    const opened = super.open(state);
    const { name, tokens } = opened.example;
    const next = name === NAME ? this.model?.next(tokens) : undefined;
    return { ...opened, example: { ...opened.example, next } };
  }

  /** @param {State} state @param {number} heads */
  exampleOf(state, heads) {
    if (!isStory(state)) return super.exampleOf(state, heads);
    if (heads !== HEADS) throw new RangeError(text('chapters/heads/refused', { width: 64, heads }));
    const model = /** @type {NonNullable<typeof this.model>} */ (this.model);
    const { unknown, tokens } = model.read(state.story);
    if (tokens.length > LIMITS.tokens)
      throw new RangeError(text('chapters/stories/long', { most: LIMITS.tokens }));
    if (unknown.length === 0) {
      return {
        ...model.example(state.story, state.layer),
        name: NAME,
        title: text('chapters/stories/title'),
      };
    }
    const sentence = { ...OPENING_SENTENCE, text: state.story, causal: true, heads };
    return this.session.exampleOf({ example: '', sentence });
  }

  /** @param {State} state @param {number} heads */
  possible(state, heads) {
    return isStory(state) ? heads === HEADS : super.possible(state, heads);
  }

  /** No code for a course page is offered for a story: a figure has no such model. */
  updated() {
    super.updated();
    const course = this.querySelector('gf-course');
    if (course) course.toggleAttribute('hidden', isStory(/** @type {State} */ (this.shown)));
  }

  /** @param {any} view */
  head(view) {
    const { state } = view;
    if (!isStory(state) || !this.model) return super.head(view);
    const { unknown } = this.model.read(state.story);
    return html`${super.head(view)}
      <div class="controls story">
        <label>
          <span class="hidden">${text('chapters/stories/text')}</span>
          <input
            maxlength=${LIMITS.characters}
            spellcheck="false"
            .value=${state.story}
            @change=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
              const { value } = currentTarget;
              if (value.trim()) this.#set({ story: value });
            }}
          />
        </label>
        <span id="layer-label">${text('chapters/stories/layer')}</span>
        <div class="stepper" role="group" aria-labelledby="layer-label">
          ${Array.from(
            { length: LAYERS },
            (_, layer) => html`<button
              aria-pressed=${state.layer === layer}
              @click=${() => this.#set({ layer })}
            >${layer + 1}</button>`,
          )}
        </div>
        ${
          unknown.length > 0
            ? html`<p class="notice" role="status">${text('chapters/stories/unknown', { words: unknown.join(', ') })}</p>`
            : nothing
        }
      </div>`;
  }

  /** @param {Partial<State>} change */
  #set(change) {
    this.act({ do: 'set', change: { ...change, edits: [], path: [], open: null } });
  }
}
