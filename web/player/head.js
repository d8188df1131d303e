// The head of a lesson: its title, and a list of its scenes by their names.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { choose, dismiss, leave, watch } from '../stage/elements/menu.js';
import { worded } from './telling.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** The link to the list of lessons. */
export const ALL = '#chapter=learn';
/** What addresses call the cheat sheet, which stands in the place of a lesson. */
export const SHEET = 'cheat-sheet';

/** The link to a scene. @param {string} key of the lesson @param {number} [scene] */
export const linkTo = (key, scene = 1) =>
  `#lesson=${encodeURIComponent(key)}${scene > 1 ? `&scene=${scene}` : ''}`;

/** The place that one of these links leads to; null for any other. @param {string} href */
export function placeOf(href) {
  const [, lesson, scene = '1'] = /^#lesson=([^&]*)(?:&scene=(\d+))?$/.exec(href) ?? [];
  if (lesson !== undefined) return { lesson: decodeURIComponent(lesson), scene: Number(scene) };
  return href === ALL ? { lesson: '', scene: 1 } : null;
}

/** The name of a scene, or else its number. @param {Lesson} lesson @param {number} n from 1 */
export function nameOf({ scenes }, n) {
  const { name } = scenes[n - 1];
  if (typeof name === 'string') return name;
  return name ? worded(name) : text('lessons/scene', { n, all: scenes.length });
}

/** What the browser calls the page. @param {import('./player.js').Player} player */
export function titleOf({ lesson, state }) {
  if (!lesson)
    return state?.lesson === SHEET
      ? text('page/documentTitle', { chapter: text('lessons/cheatSheet') })
      : null;
  const title = worded(lesson.title);
  const { scene } = state;
  const names = scene > lesson.scenes.length ? [title] : [nameOf(lesson, scene), title];
  return text('page/documentTitle', { chapter: names.join(' · ') });
}

/** What a scene computes, by its example, its chapter or its view. @type {ReadonlyMap<string | null, string>} */
const MODEL_TEXTS = new Map([
  ['pocket', 'lessons/models/pocket'],
  ['stories', 'lessons/models/stories'],
  ['transformer', 'lessons/models/translator'],
  ['training', 'lessons/models/copier'],
  ['birth', 'lessons/models/letters'],
]);

/** Which model a scene computes, and where its weights come from; undefined where no text says it.
 * @param {import('../../bindings/learn/lessons/index.js').Scene} scene */
function modelOf({ state, picture }) {
  if (picture.kind === 'learning') return 'lessons/models/learning';
  if (picture.kind === 'spread') return 'lessons/models/random';
  /* Codes of positions are the same in every model. */
  if (picture.kind === 'clocks' && !picture.adds) return undefined;
  const query = new URLSearchParams(state.slice(1));
  const chapter = query.get('chapter');
  if (chapter === 'inside') return MODEL_TEXTS.get(query.get('view') ?? 'stories');
  if (chapter === 'exercises' || query.has('matrices')) return 'lessons/models/hand';
  const named = query.get('example') ?? chapter;
  return !named && query.has('sentence') ? 'lessons/models/random' : MODEL_TEXTS.get(named);
}

/** @param {import('./player.js').Player} player */
export function head(player) {
  const { called, state, solved, shown } = player;
  const lesson = /** @type {Lesson} */ (player.lesson);
  const { title, scenes } = lesson;
  const now = state.scene;
  const isScene = now <= scenes.length;
  const model = isScene && shown && modelOf(shown);
  return html`<header class="where">
    ${player.linkOut(ALL, 'all', text('lessons/all'))}
    <h2>${worded(title)}</h2>
    ${model ? html`<p class="model">${text(model)}</p>` : nothing}
    <details
      class="scenes"
      @click=${choose}
      @focusout=${leave}
      @keydown=${dismiss}
      @toggle=${(/** @type {Event} */ event) => {
        watch(event);
        import('./scene-search.js').catch(() => {});
      }}
    >
      <summary style=${`--done:${now / scenes.length}`}>${
        isScene
          ? html`<span class="place">${now}/${scenes.length}</span> <span class="now">${nameOf(lesson, now)}</span>`
          : text('lessons/scenes')
      }</summary>
      <nav aria-label=${text('lessons/scenes')}>
        <gf-scene-search></gf-scene-search>
        <ol>
          ${scenes.map(
            (scene, i) => html`<li class=${scene.optional ? 'optional' : ''}>
              <a
                href=${linkTo(called, i + 1)}
                aria-current=${i + 1 === now ? 'step' : 'false'}
                >${nameOf(lesson, i + 1)}${
                  solved.has(scene)
                    ? html` <span class="tick" role="img" aria-label=${text('lessons/solved')}>✓</span>`
                    : nothing
                }</a
              >
            </li>`,
          )}
        </ol>
      </nav>
    </details>
  </header>`;
}
