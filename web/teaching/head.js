// The head of a lesson: its title, and the way to each of its scenes.
import { html } from 'lit';
import { text } from '../locale/text.js';
import { worded } from './telling.js';

/** @param {import('../../bindings/lessons/index.js').Lesson} lesson @param {number} now the scene of the address */
export const head = ({ name, title, scenes }, now) =>
  html`<header class="where">
    <a class="all" href="#chapter=learn">${text('lessons/all')}</a>
    <h2>${worded(title)}</h2>
    <nav aria-label=${text('lessons/scenes')}>
      ${scenes.map(
        (_, i) => html`<a
          href=${`#lesson=${name}&scene=${i + 1}`}
          class=${i + 1 < now ? 'past' : ''}
          aria-current=${i + 1 === now ? 'step' : 'false'}
          aria-label=${text('lessons/scene', { n: i + 1, all: scenes.length })}
        ></a>`,
      )}
    </nav>
  </header>`;
