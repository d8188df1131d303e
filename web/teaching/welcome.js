// The list of lessons, with what a first visitor is told, and the end of a lesson. No scene needs them.
import { html, nothing } from 'lit';
import { message, text } from '../locale/text.js';
import { explore } from '../state/choice.js';
import { typeset } from '../telling/number.js';
import './glance.js';
import { head } from './head.js';
import { NAMES } from './list.js';
import { progress } from './progress.js';
import { worded } from './telling.js';
import './list.css';

/** @typedef {import('../../bindings/lessons/index.js').Lesson} Lesson */
/** @typedef {import('./player.js').Player} Player */

/** A lesson from a file of the reader's own. @param {Player} player @param {Event} event */
async function open(player, event) {
  const field = /** @type {HTMLInputElement} */ (event.currentTarget);
  const [file] = field.files ?? [];
  field.value = '';
  if (!file) return;
  try {
    const { readLesson } = await import('./reader.js');
    const lesson = readLesson(await file.text());
    player.hush();
    player.own.set(lesson.name, lesson);
    player.ask({ lesson: lesson.name, scene: 1 });
  } catch (error) {
    player.say({
      text: text('lessons/unreadableFile', { name: file.name, message: message(error) }),
    });
  }
}

/** @param {Lesson} lesson @param {import('./progress.js').Progress} kept */
function entry({ name, title, minutes, scenes }, kept) {
  const { scene = 1, done = false } = kept[name] ?? {};
  const begun = scene > 1 && !done;
  return html`<li class=${done ? 'done' : ''}>
    <a href=${`#lesson=${name}${begun ? `&scene=${scene}` : ''}`}>
      <b>${worded(title)}</b>
      <span class="quiet">${
        done
          ? text('lessons/done')
          : begun
            ? text('lessons/resume', { n: scene, all: scenes.length })
            : text('lessons/minutes', { n: minutes })
      }</span>
    </a>
  </li>`;
}

/** @param {Player} player */
export function list(player) {
  const { all, session, notice } = player;
  const kept = progress();
  return html`<section class="lessons">
    <div class="welcome">
      <gf-glance .session=${session}></gf-glance>
      <p class="lead">${text('lessons/welcome/sentence')}</p>
      <p class="ways">
        <a class="button main" href=${`#lesson=${NAMES[0]}`}>${text('lessons/welcome/start', { n: all[0]?.minutes ?? 0 })}</a>
        <a class="button" href="#example=i-love-robotics" @click=${explore}>${text('lessons/welcome/explore')}</a>
      </p>
    </div>
    <h2>${text('lessons/title')}</h2>
    <ol>
      ${all.map((lesson) => entry(lesson, kept))}
    </ol>
    ${player.told('notice', notice)}
    <label class="button open"
      >${text('lessons/open')}
      <input
        class="hidden"
        type="file"
        accept=".json,application/json"
        @change=${(/** @type {Event} */ event) => open(player, event)}
      />
    </label>
  </section>`;
}

/** What was learned. @param {Lesson} lesson @param {number} now the scene of the address */
export function learned(lesson, now) {
  const { name, next, exercise } = lesson;
  return html`${head(lesson, now)}
    <section class="learned">
      <h2>${text('lessons/learned')}</h2>
      <ul>
        ${lesson.learned.map((one) => html`<li>${typeset(worded(one))}</li>`)}
      </ul>
      <footer>
        <a class="button" href=${`#lesson=${name}`}>${text('lessons/again')}</a>
        ${
          exercise
            ? html`<a class="button" href=${`#v=1&chapter=exercises&recipe=${exercise}`}>${text('lessons/exercise')}</a>`
            : nothing
        }
        ${
          next && NAMES.includes(next)
            ? html`<a class="button main" href=${`#lesson=${next}`}>${text('lessons/nextLesson')}</a>`
            : html`<a class="button main" href="#chapter=learn">${text('lessons/all')}</a>`
        }
      </footer>
    </section>`;
}
