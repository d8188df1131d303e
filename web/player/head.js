// The head of a lesson: its title, and the way to each of its scenes.
import { html } from 'lit';
import { text } from '../app/locale/text.js';
import { worded } from './telling.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** The link to the list of lessons. */
export const ALL = '#chapter=learn';

/** The link to a scene. @param {string} key of the lesson @param {number} [scene] */
export const linkTo = (key, scene = 1) =>
  `#lesson=${encodeURIComponent(key)}${scene > 1 ? `&scene=${scene}` : ''}`;

/** The place that one of these links leads to; null for any other. @param {string} href */
export function placeOf(href) {
  const [, lesson, scene = '1'] = /^#lesson=([^&]*)(?:&scene=(\d+))?$/.exec(href) ?? [];
  if (lesson !== undefined) return { lesson: decodeURIComponent(lesson), scene: Number(scene) };
  return href === ALL ? { lesson: '', scene: 1 } : null;
}

/** @param {import('./player.js').Player} player */
export function head(player) {
  const { called, state } = player;
  const { title, scenes } = /** @type {Lesson} */ (player.lesson);
  const now = state.scene;
  return html`<header class="where">
    ${player.linkOut(ALL, 'all', text('lessons/all'))}
    <h2>${worded(title)}</h2>
    <nav aria-label=${text('lessons/scenes')}>
      ${scenes.map(
        (_, i) => html`<a
          href=${linkTo(called, i + 1)}
          class=${i + 1 < now ? 'past' : ''}
          aria-current=${i + 1 === now ? 'step' : 'false'}
          aria-label=${text('lessons/scene', { n: i + 1, all: scenes.length })}
        ></a>`,
      )}
    </nav>
  </header>`;
}
