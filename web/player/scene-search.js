// Finds scenes of all lessons by their names, from the list of a lesson's own.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { Base } from '../stage/elements/base.js';
import { linkTo, nameOf } from './head.js';
import { lessonOf, NAMES } from './list.js';
import { worded } from './telling.js';

/** Of more scenes, so many are listed. */
const MOST = 12;

export class SceneSearch extends Base {
  static properties = { sought: { state: true }, all: { state: true } };

  constructor() {
    super();
    this.sought = '';
    /** @type {import('../../bindings/learn/lessons/index.js').Lesson[]} */
    this.all = [];
  }

  /** @param {{ currentTarget: HTMLInputElement }} event */
  #seek = async ({ currentTarget }) => {
    this.sought = currentTarget.value.trim().toLocaleLowerCase();
    if (!this.all.length) this.all = await Promise.all(NAMES.map(lessonOf)).catch(() => []);
  };

  /** The scenes whose name, or whose lesson's title, has the words. */
  get #matches() {
    if (!this.sought) return [];
    return this.all.flatMap((lesson) =>
      lesson.scenes.flatMap((_, i) => {
        const [title, name] = [worded(lesson.title), nameOf(lesson, i + 1)];
        const isMatch = `${title} ${name}`.toLocaleLowerCase().includes(this.sought);
        return isMatch ? [{ title, name, link: linkTo(lesson.name, i + 1) }] : [];
      }),
    );
  }

  render() {
    const matches = this.#matches;
    return html`<input
        type="search"
        placeholder=${text('lessons/search')}
        aria-label=${text('lessons/search')}
        @input=${this.#seek}
      />
      ${
        this.sought
          ? html`<ul aria-live="polite">
              ${matches
                .slice(0, MOST)
                .map(
                  ({ title, name, link }) =>
                    html`<li><a href=${link}>${name} <span class="quiet">${title}</span></a></li>`,
                )}
              ${matches.length || !this.all.length ? nothing : html`<li class="quiet">${text('lessons/notFound')}</li>`}
            </ul>`
          : nothing
      }`;
  }
}

customElements.define('gf-scene-search', SceneSearch);
