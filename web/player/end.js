// The end of a lesson: what was learned, and where to go on.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { explained } from '../stage/elements/explained.js';
import { ALL, head, linkTo } from './head.js';
import { NAMES } from './list.js';
import { restart } from './restart.js';
import { solution } from './solution.js';
import { worded } from './telling.js';
import './list.css';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** @param {import('./player.js').Player} player */
export function learned(player) {
  const { next, exercise, page, learned: all } = /** @type {Lesson} */ (player.lesson);
  return html`${head(player)}
    <section class="learned">
      <h2>${text('lessons/learned')}</h2>
      <ul>
        ${all.map((one) => html`<li>${explained(worded(one))}</li>`)}
      </ul>
      <footer>
        <button class="button again" @click=${() => restart(player, player.called)}>
          ${text('lessons/again')}
        </button>
        <button class="button print" @click=${() => print()}>${text('lessons/print')}</button>
        ${
          exercise
            ? player.linkOut(
                `#v=1&chapter=exercises&recipe=${exercise}`,
                'button',
                text('lessons/exercise'),
              )
            : nothing
        }
        ${page ? player.linkOut(page, 'button', text('lessons/page')) : nothing}
        ${
          next && NAMES.includes(next)
            ? html`<a class="button main" href=${linkTo(next)}>${text('lessons/nextLesson')}</a>`
            : player.linkOut(ALL, 'button main', text('lessons/all'))
        }
      </footer>
      ${solution(player)}
    </section>`;
}
