// The end of a lesson: what was learned, and where to go on.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { explained } from '../stage/elements/explained.js';
import { ALL, head, linkTo, nameOf, SHEET } from './head.js';
import { NAMES } from './list.js';
import { openIn, solvedIn } from './progress.js';
import { restart } from './restart.js';
import { solution } from './solution.js';
import { worded } from './telling.js';
import './list.css';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */

/** The scenes that are not solved yet: whoever skips them has not done the lesson. @param {import('./player.js').Player} player */
function unsolved(player) {
  const lesson = /** @type {Lesson} */ (player.lesson);
  const open = openIn(lesson, solvedIn(player, lesson));
  if (!open.length) return nothing;
  return html`<div class="unsolved">
    <p>${text('lessons/unsolved')}</p>
    <ol>
      ${open.map((n) => html`<li value=${n}><a href=${linkTo(player.called, n)}>${nameOf(lesson, n)}</a></li>`)}
    </ol>
  </div>`;
}

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
        ${player.linkOut(linkTo(SHEET), 'button', text('lessons/cheatSheet'))}
        ${page ? player.linkOut(page, 'button', text('lessons/page')) : nothing}
        ${
          next && NAMES.includes(next)
            ? html`<a class="button main" href=${linkTo(next)}>${text('lessons/nextLesson')}</a>`
            : player.linkOut(ALL, 'button main', text('lessons/all'))
        }
      </footer>
      ${unsolved(player)} ${solution(player)}
    </section>`;
}
