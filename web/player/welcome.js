// The list of lessons, with a welcome to first visitors, and the way to lessons from elsewhere. No scene needs them.
import { html, nothing } from 'lit';
import { brings, message, short, text } from '../app/locale/text.js';
import { glyphOf } from './glyphs.js';
import { linkTo, SHEET } from './head.js';
import './hero.js';
import { NAMES, PARTS } from './list.js';
import { keptOf, openIn, progress } from './progress.js';
import { restart } from './restart.js';
import { worded } from './telling.js';
import './list.css';

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?lessons/welcome',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./progress.js').Brief} Brief */

/** @type {Record<string, Brief>} */
const BRIEFS = import.meta.glob('../lessons/*.json', {
  query: '?brief',
  import: 'default',
  eager: true,
});
const briefs = NAMES.map((name) => BRIEFS[`../lessons/${name}.json`]);
/** @typedef {import('./player.js').Player} Player */

/** @type {Readonly<Record<string, { title: string, is: string }>>} */
const PART_TEXTS = {
  attention: { title: 'lessons/parts/attention/title', is: 'lessons/parts/attention/is' },
  machine: { title: 'lessons/parts/machine/title', is: 'lessons/parts/machine/is' },
  learning: { title: 'lessons/parts/learning/title', is: 'lessons/parts/learning/is' },
  inside: { title: 'lessons/parts/inside/title', is: 'lessons/parts/inside/is' },
};

/** The address of a lesson from elsewhere; null for anything else. @param {string} key */
function addressOf(key) {
  if (!/^https?:|\.json$/.test(key)) return null;
  try {
    return new URL(key, document.baseURI).href;
  } catch {
    return null;
  }
}

/** What opens lessons from elsewhere, once it is needed. @type {typeof import('./elsewhere.js') | null} */
let elsewhere = null;

/** What is below the first screen comes after it. @type {typeof import('./ends.js') | null} */
let drawn = null;

/** Loads what the list shows. @param {Player} player @param {string} key what is asked for */
export async function prepare(player, key) {
  const address = addressOf(key);
  if (key === SHEET) await import('./cheat-sheet.js');
  if (address) {
    elsewhere = await import('./elsewhere.js');
    elsewhere.prepare(player, key, address);
  }
  player.all = address ? [] : [...briefs, ...player.imported.values()];
  if (address || drawn) return;
  import('./ends.js').then(
    (module) => {
      drawn = module;
      player.requestUpdate();
    },
    () => {},
  );
}

/** @param {Player} player @param {{ currentTarget: HTMLInputElement }} event */
async function open(player, { currentTarget: field }) {
  const [file] = field.files ?? [];
  field.value = '';
  if (!file) return;
  try {
    elsewhere ??= await import('./elsewhere.js');
    await elsewhere.open(player, file);
  } catch (error) {
    player.say({ text: message(error) });
  }
}

/** A scene of a lesson from elsewhere cannot be shown. @param {Player} player @param {unknown} error */
export const refuse = (player, error) => elsewhere?.refuse(player, error);

/** The list of lessons, the cheat sheet, or the offer to fetch a lesson. @param {Player} player */
export function welcome(player) {
  const { all, session, state } = player;
  if (state.lesson === SHEET)
    return html`<gf-cheat-sheet .session=${session} .lessons=${all}></gf-cheat-sheet>`;
  const address = addressOf(state.lesson);
  return address && elsewhere ? elsewhere.offer(player, state.lesson, address) : list(player);
}

/** The scene at which the reader of a lesson continues: at its end, the first that is not solved. @param {Brief} lesson */
function placeIn(lesson) {
  const { scene, solved } = keptOf(lesson.name, lesson);
  return (scene === lesson.scenes.length && openIn(lesson, solved)[0]) || scene;
}

/** @param {Player} player @param {Brief} lesson */
function entry(player, lesson) {
  const { name, title, minutes, scenes } = lesson;
  const { scene, done, solved } = keptOf(name, lesson);
  const begun = scene > 1 && !done;
  const n = placeIn(lesson);
  return html`<li class="lesson-row ${done ? 'done' : ''}">
    <a href=${linkTo(name, begun ? n : 1)}>
      <i>${done ? '✓' : NAMES.indexOf(name) + 1 || ''}</i>
      ${glyphOf(name)}
      <b>${worded(title)}</b>
      <span class="quiet">${
        done
          ? text('lessons/done')
          : begun
            ? text('lessons/resume', { n, all: scenes.length })
            : text('lessons/min', { n: minutes })
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

/** A part of the story: what it is about, how long it takes or how much of it is done, its lessons.
 * @param {Player} player @param {string} name @param {string[]} names */
function part(player, name, names) {
  const lessons = player.all.filter((lesson) => names.includes(lesson.name));
  const done = lessons.filter((lesson) => keptOf(lesson.name, lesson).done).length;
  const n = lessons.reduce((sum, { minutes }) => sum + minutes, 0);
  const { title, is } = PART_TEXTS[name];
  return html`<section class="unit" style=${`--done:${done / names.length}`}>
    <header>
      <h3>${text(title)}</h3>
      <p>${text(is)}</p>
      <p class="total">${done ? text('lessons/solvedOf', { n: done, all: names.length }) : text('lessons/minutes', { n })}</p>
    </header>
    <ol start=${NAMES.indexOf(names[0]) + 1}>
      ${lessons.map((lesson) => entry(player, lesson))}
    </ol>
  </section>`;
}

/** Where the reader continues: in the lesson that was read last, or if that is done, in the one after it.
 * @param {Brief[]} all */
function continuation(all) {
  /* Who only looked at a first scene has not begun. */
  const begun = all.filter((lesson) => {
    const { scene, done, solved } = keptOf(lesson.name, lesson);
    return NAMES.includes(lesson.name) && (scene > 1 || done || solved.length > 0);
  });
  const names = Object.keys(progress());
  const read = begun.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name)).at(-1);
  if (!read) return undefined;
  const { done } = keptOf(read.name, read);
  const lesson = done ? all.find(({ name }) => name === read.next) : read;
  return lesson && { lesson, scene: placeIn(lesson) };
}

/** The button that starts or goes on, and the way to the chapters. @param {Brief[]} all */
function waysOn(all) {
  const place = continuation(all);
  return html`<p class="ways">
    ${
      place
        ? html`<a class="button main" href=${linkTo(place.lesson.name, place.scene)}>${text('lessons/welcome/continue', { title: worded(place.lesson.title) })}</a>`
        : html`<a class="button main" href=${linkTo(NAMES[0])}>${text('lessons/welcome/start', { n: all[0]?.minutes ?? 0 })}</a>`
    }
    <a class="button" href="#example=pocket&t=263">${text('lessons/welcome/explore')}</a>
  </p>`;
}

/** @param {Player} player */
function list(player) {
  const { all, session, notice, state } = player;
  const imported = all.filter(({ name }) => !NAMES.includes(name));
  return html`<section class="lessons">
    ${state.lesson ? html`<p class="none" role="alert">${text('lessons/none', { name: short(state.lesson) })}</p>` : nothing}
    <div class="welcome">
      <p class="lead">${text('lessons/welcome/sentence')}</p>
      <gf-hero .session=${session} .ways=${waysOn(all)}></gf-hero>
      <p class="quiet">
        ${text('lessons/welcome/set', { n: session?.examples.pocket.vocabulary?.length ?? 0 })}
        <a href=${linkTo(NAMES[0], all[0]?.scenes.length ?? 1)}>${text('lessons/welcome/open')}</a>
      </p>
    </div>
    ${drawn?.ends() ?? nothing}
    <h2>${text('lessons/title')}</h2>
    ${Object.entries(PARTS).map(([name, names]) => part(player, name, names))}
    ${imported.length ? html`<ol>${imported.map((lesson) => entry(player, lesson))}</ol>` : nothing}
    ${player.told('notice', notice)}
    <p class="more">
      <a class="button" href=${linkTo(SHEET)}>${text('lessons/cheatSheet')}</a>
      <label class="button open"
      >${text('lessons/open')}
      <input
        class="hidden"
        type="file"
        accept=".json,application/json"
        @change=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => open(player, event)}
      />
      </label>
    </p>
  </section>`;
}
