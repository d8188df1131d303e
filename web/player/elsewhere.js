// Lessons from elsewhere: a file of the reader's, or an address, which is fetched only when the reader says so unless it is
// on the page's own host.
import { html, nothing } from 'lit';
import { message, text } from '../app/locale/text.js';
import { BadHash } from '../app/state/store.js';
import { ALL } from './head.js';
import { NAMES } from './list.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */
/** @typedef {import('./player.js').Player} Player */

/** Of a file that is read as a lesson: many times as many as ours have. */
const MAX_BYTES = 2 ** 20;

/** Opens a lesson from elsewhere. @param {Player} player @param {string} key @param {Lesson} lesson */
function opens(player, key, lesson) {
  const { state } = player;
  player.hush();
  player.imported.set(key, lesson);
  player.called = '';
  if (state.lesson === key) player.entering = player.go(key, state.scene);
  else player.ask({ lesson: key, scene: 1 });
}

/** The lesson in a file; throws a translated error if it is none. @param {string} name of the file, or its address
 * @param {ArrayBuffer | Uint8Array} bytes */
async function lessonIn(name, bytes) {
  const { readLesson } = await import('./reader.js');
  let json = '';
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(text('lessons/elsewhere/notText', { name }));
  }
  if (/^\s*</.test(json)) throw new Error(text('lessons/elsewhere/isPage', { name }));
  try {
    return readLesson(json);
  } catch (error) {
    throw new Error(text('lessons/unreadableFile', { name, message: message(error) }));
  }
}

/** @param {string} name */
const tooLarge = (name) =>
  new Error(text('lessons/elsewhere/tooLarge', { name, most: MAX_BYTES / 2 ** 20 }));

/** Opens a lesson from a file. @param {Player} player @param {File} file */
export async function open(player, file) {
  try {
    if (file.size > MAX_BYTES) throw tooLarge(file.name);
    const lesson = await lessonIn(file.name, await file.arrayBuffer());
    /* A fork that kept its name does not take the place of ours. */
    opens(player, NAMES.includes(lesson.name) ? `my-${lesson.name}` : lesson.name, lesson);
  } catch (error) {
    player.say({ text: message(error) });
  }
}

/** Whether a file is on the page's own host. @param {string} address */
const isBeside = (address) => new URL(address).origin === location.origin;

/** The error of a file that could not be loaded, as far as the browser gives a reason. @param {string} address
 * @param {any} failure */
function missing(address, { status, code, message: why }) {
  if (code === 'TOO_LONG') return tooLarge(address);
  if (status) return new Error(text('lessons/elsewhere/status', { name: address, status }));
  const isMixed = location.protocol === 'https:' && address.startsWith('http:');
  if (isMixed) return new Error(text('lessons/elsewhere/mixed', { name: address }));
  return status === null
    ? new Error(text('lessons/elsewhere/noAnswer', { name: address }))
    : new Error(why);
}

/** The reader that fetches a lesson, with the lesson's key, while it does.
 * @type {WeakMap<Player, { key: string, remote: import('../workers/remote/remote.js').Remote<any, any> }>} */
const asking = new WeakMap();

/** Fetches a lesson and opens it, if its reader still waits for it. The worker may ask other hosts.
 * @param {Player} player @param {string} key what the address of the page calls it @param {string} name its address */
async function fetchLesson(player, key, name) {
  const [{ Remote }, { openReader }] = await Promise.all([
    import('../workers/remote/remote.js'),
    import('../workers/reader/open.js'),
  ]);
  asking.get(player)?.remote.close();
  const remote = new Remote(openReader);
  const asked = { key, remote };
  asking.set(player, asked);
  const isAwaited = () => asking.get(player) === asked && player.state.lesson === key;
  player.hush();
  player.requestUpdate();
  try {
    const bytes = await remote
      .ask('download', { address: name, most: MAX_BYTES })
      .catch((failure) => Promise.reject(missing(name, failure)));
    const lesson = await lessonIn(name, bytes);
    if (isAwaited()) opens(player, key, lesson);
  } catch (error) {
    if (isAwaited()) player.say({ text: message(error) });
  }
  remote.close();
  if (asking.get(player) === asked) asking.delete(player);
  player.requestUpdate();
}

/** Offers a lesson by its address, which is fetched only when the reader says so. @param {Player} player @param {string} key
 * @param {string} address */
export function offer(player, key, address) {
  return html`<section class="lessons">
    <h2>${text('lessons/elsewhere/title')}</h2>
    ${isBeside(address) ? nothing : html`<p>${text('lessons/elsewhere/about')}</p>`}
    <p class="address">${address}</p>
    ${
      asking.get(player)?.key === key
        ? html`<p class="quiet" role="status">${text('lessons/elsewhere/fetching')}</p>`
        : player.told('notice', player.notice)
    }
    <p class="ways">
      <button class="main" @click=${() => fetchLesson(player, key, address)}>
        ${text('lessons/elsewhere/fetch')}
      </button>
      <a class="button" href=${ALL}>${text('lessons/all')}</a>
    </p>
  </section>`;
}

/** Fetches what whoever put the page on its host put beside it. @param {Player} player @param {string} key
 * @param {string} address */
export function prepare(player, key, address) {
  if (isBeside(address)) fetchLesson(player, key, address);
}

/** A scene of a lesson from elsewhere cannot be shown. @param {Player} player @param {unknown} error */
export function refuse(player, error) {
  const part = error instanceof BadHash && error.message;
  player.refused(part ? text('lessons/badState', { part }) : message(error));
}
