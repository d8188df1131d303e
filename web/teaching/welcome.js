// The list of lessons, with what a first visitor is told, and the way to lessons from elsewhere. No scene needs them.
import { html, nothing } from 'lit';
import { message, short, text } from '../locale/text.js';
import { explore } from '../state/choice.js';
import { BadHash } from '../state/store.js';
import './glance.js';
import { ALL, linkTo } from './head.js';
import { lessonOf, NAMES } from './list.js';
import { keptOf, progress } from './progress.js';
import { restart } from './restart.js';
import { worded } from './telling.js';
import './list.css';

/** @typedef {import('../../bindings/lessons/index.js').Lesson} Lesson */
/** @typedef {import('./player.js').Player} Player */

/** The lesson that an address leads to; null if it is none. @param {string} key */
const addressOf = (key) =>
  /^https?:|\.json$/.test(key) ? new URL(key, document.baseURI).href : null;

/** Loads what the list shows. @param {Player} player @param {string} key what is asked for */
export async function prepare(player, key) {
  player.all = addressOf(key)
    ? []
    : [...(await Promise.all(NAMES.map(lessonOf))), ...player.own.values()];
}

/** What stands where there is no lesson yet. @param {Player} player */
export const welcome = (player) =>
  addressOf(player.state.lesson) ? offer(player, player.state.lesson) : list(player);

/** Opens a lesson from elsewhere. @param {Player} player @param {string} key @param {Lesson} lesson */
function opens(player, key, lesson) {
  const { state } = player;
  player.hush();
  player.own.set(key, lesson);
  player.called = '';
  if (state.lesson === key) player.entering = player.go(key, state.scene);
  else player.ask({ lesson: key, scene: 1 });
}

/**
 * Takes a lesson over, and opens it.
 * @param {Player} player
 * @param {string} name of the file, or its address
 * @param {() => Promise<string>} read
 * @param {string} [key] what the address calls it, if not by its own name
 */
async function take(player, name, read, key) {
  try {
    const { readLesson } = await import('./reader.js');
    const lesson = readLesson(await read());
    /* A fork that kept its name does not take the place of ours. */
    const own = NAMES.includes(lesson.name) ? `my-${lesson.name}` : lesson.name;
    opens(player, key ?? own, lesson);
  } catch (error) {
    player.say({ text: text('lessons/unreadableFile', { name, message: message(error) }) });
  }
}

/** A scene of a lesson from elsewhere cannot be shown. @param {Player} player @param {unknown} error */
export function refuse(player, error) {
  const part = error instanceof BadHash && error.message;
  player.refused(part ? text('lessons/badState', { part }) : message(error));
}

/** A lesson from a file of the reader's own. @param {Player} player @param {Event} event */
function open(player, event) {
  const field = /** @type {HTMLInputElement} */ (event.currentTarget);
  const [file] = field.files ?? [];
  field.value = '';
  if (file) take(player, file.name, () => file.text());
}

/** @param {string} address */
async function fetched(address) {
  const { download } = await import('../reader/download.js');
  return new TextDecoder().decode(await download(address));
}

/** A lesson by its address, which is asked only when the reader says so. @param {Player} player @param {string} key */
function offer(player, key) {
  const address = /** @type {string} */ (addressOf(key));
  return html`<section class="lessons">
    <h2>${text('lessons/elsewhere/title')}</h2>
    <p>${text('lessons/elsewhere/about')}</p>
    <p class="address">${address}</p>
    ${player.told('notice', player.notice)}
    <p class="ways">
      <button class="main" @click=${() => take(player, address, () => fetched(address), key)}>
        ${text('lessons/elsewhere/fetch')}
      </button>
      <a class="button" href=${ALL}>${text('lessons/all')}</a>
    </p>
  </section>`;
}

/** @param {Player} player @param {Lesson} lesson */
function entry(player, { name, title, minutes, scenes }) {
  const { scene, done, solved } = keptOf(name);
  const begun = scene > 1 && !done;
  return html`<li class=${done ? 'done' : ''}>
    <a href=${linkTo(name, begun ? scene : 1)}>
      <b>${worded(title)}</b>
      <span class="quiet">${
        done
          ? text('lessons/done')
          : begun
            ? text('lessons/resume', { n: scene, all: scenes.length })
            : text('lessons/minutes', { n: minutes })
      }</span>
    </a>
    ${
      done || begun || solved.length
        ? html`<button @click=${() => restart(player, name)}>
            ${text('lessons/restart')}<span class="hidden">: ${worded(title)}</span>
          </button>`
        : nothing
    }
  </li>`;
}

/** Where the reader goes on: where the lesson was left that was read last; if that one is done, with the one after it.
 * @param {Lesson[]} all */
function goingOn(all) {
  const last = Object.keys(progress()).findLast((name) => NAMES.includes(name));
  const read = all.find(({ name }) => name === last);
  if (!read) return undefined;
  const { scene, done } = keptOf(read.name);
  const lesson = done ? all.find(({ name }) => name === read.next) : read;
  return lesson && { lesson, scene: done ? keptOf(lesson.name).scene : scene };
}

/** @param {Player} player */
function list(player) {
  const { all, session, notice, state } = player;
  const on = goingOn(all);
  return html`<section class="lessons">
    ${state.lesson ? html`<p class="none" role="alert">${text('lessons/none', { name: short(state.lesson) })}</p>` : nothing}
    <div class="welcome">
      <gf-glance .session=${session}></gf-glance>
      <p class="lead">${text('lessons/welcome/sentence')}</p>
      <p class="ways">
        ${
          on
            ? html`<a class="button main" href=${linkTo(on.lesson.name, on.scene)}>${text('lessons/welcome/continue', { title: worded(on.lesson.title) })}</a>`
            : html`<a class="button main" href=${linkTo(NAMES[0])}>${text('lessons/welcome/start', { n: all[0]?.minutes ?? 0 })}</a>`
        }
        <a class="button" href="#example=i-love-robotics" @click=${explore}>${text('lessons/welcome/explore')}</a>
      </p>
    </div>
    <h2>${text('lessons/title')}</h2>
    <ol>
      ${all.map((lesson) => entry(player, lesson))}
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
