// How far a reader has come, kept in the browser; where that keeps nothing, a notice says so once. A figure keeps
// nothing: its state says where the reader is, and the page around it gets an event.
import { keepsProgress } from '#capabilities';
import { text } from '../app/locale/text.js';

const KEY = 'glassformer.lessons';

/** Of a lesson, as its scenes are numbered now, from 1. scene: where the reader was last; solved: scenes whose gate was opened.
 * @typedef {{ scene: number, done: boolean, solved: number[] }} Kept */
/** By the lessons' names; what was read last stands at the end. Scenes are stored by their names, so that a lesson may gain
 * some. @typedef {Record<string, unknown>} Progress */

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */
/** What a list says of a lesson, and progress is kept by: what its scenes are called, and which of them
 * must be solved.
 * @typedef {Pick<Lesson, 'name' | 'title' | 'minutes' | 'next'> & { scenes: Pick<Lesson['scenes'][number], 'name' | 'gate' | 'optional'>[] }} Brief */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns {Progress} empty where nothing is kept, or what is kept cannot be read */
export function progress() {
  if (!keepsProgress) return {};
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return isRecord(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** The scenes of a lesson that ask for something, but those beside its story, and are not solved, from 1; solved: those that are.
 * @param {Pick<Brief, 'scenes'>} lesson @param {readonly number[]} solved */
export const openIn = ({ scenes }, solved) =>
  scenes.flatMap(({ gate, optional }, i) =>
    gate && !optional && !solved.includes(i + 1) ? [i + 1] : [],
  );

/** What each scene is stored by: its name, whatever the language; its number where it has none, or shares it.
 * @param {Pick<Brief, 'scenes'>} lesson */
const idsOf = ({ scenes }) => {
  const names = scenes.map(({ name }) =>
    typeof name === 'object' ? Object.values(name)[0] : name,
  );
  return names.map((name, i) => (name && names.indexOf(name) === i ? name : i + 1));
};

/** Scenes were stored by their numbers once: in these lessons they have others now. */
const RENUMBERED = ['where-am-i', 'how-it-learns', 'a-head-is-born'];

/** What is kept of a lesson; what others wrote there counts where it makes sense.
 * @param {string} called what addresses call it @param {Pick<Brief, 'scenes'>} lesson @returns {Kept} */
export function keptOf(called, lesson) {
  const all = progress();
  const { scene, done, solved } = Object(Object.hasOwn(all, called) ? all[called] : undefined);
  const ids = idsOf(lesson);
  /* From 1; 0 for none of its scenes. */
  const numberOf = (/** @type {any} */ id) => {
    const isOld = typeof id === 'number' && !RENUMBERED.includes(called);
    return ids.indexOf(isOld ? ids[id - 1] : id) + 1;
  };
  return {
    scene: numberOf(scene) || 1,
    done: done === true,
    solved: Array.isArray(solved) ? solved.map(numberOf).filter(Boolean) : [],
  };
}

/** Whether all could be kept: not in a private window, a frame without storage, or where there is no room.
 * @param {Progress} all */
export function store(all) {
  if (!keepsProgress) return true;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** What was kept last. */
let last = '';
/** Whether the reader knows that nothing is kept. */
let isWarned = false;

/** @typedef {import('./player.js').Player} Player */

/** Keeps how far the reader of a lesson is, or reports it to the page around. @param {Player} player */
export function reached(player) {
  const { lesson, called, state } = player;
  if (!lesson || called !== state.lesson) return;
  if (keepsProgress) keep(player, lesson);
  else report(player, lesson);
}

/** What each player reported last. @type {WeakMap<Player, string>} */
const reports = new WeakMap();

/** @param {Player} player @param {Lesson} lesson */
function report(player, lesson) {
  const { called, state, placed, failure } = player;
  if (failure) return;
  const scenes = lesson.scenes.length;
  const isEnd = state.scene > scenes;
  if (!isEnd && placed !== lesson.scenes[state.scene - 1]) return;
  const scene = Math.min(state.scene, scenes);
  const done = isEnd && openIn(lesson, solvedIn(player, lesson)).length === 0;
  const detail = { lesson: called, scene, scenes, passed: isEnd || player.passed, done };
  const now = JSON.stringify(detail);
  if (now === reports.get(player)) return;
  reports.set(player, now);
  player.dispatchEvent(new CustomEvent('gf-progress', { detail, bubbles: true, composed: true }));
}

/** The scenes that the reader has solved, from 1. @param {Player} player @param {Lesson} lesson */
export const solvedIn = ({ solved }, { scenes }) =>
  scenes.flatMap((one, i) => (solved.has(one) ? [i + 1] : []));

/** Who skips to the end has not done the lesson. @param {Player} player @param {Lesson} lesson */
function keep(player, lesson) {
  const { called, state } = player;
  const { length } = lesson.scenes;
  const scene = Math.min(state.scene, length);
  const solvedHere = solvedIn(player, lesson);
  const now = JSON.stringify([called, state.scene, solvedHere]);
  if (now === last) return;
  /* The same lesson may be open in another window: what was solved there stays. */
  const { [called]: before, ...others } = progress();
  const kept = keptOf(called, lesson);
  const ids = idsOf(lesson);
  const all = [...new Set([...kept.solved, ...solvedHere])].sort((a, b) => a - b);
  const isDone = kept.done || (state.scene > length && openIn(lesson, all).length === 0);
  const entry = {
    ...(isRecord(before) && before),
    scene: ids[scene - 1],
    done: isDone,
    solved: all.map((n) => ids[n - 1]),
  };
  if (store({ ...others, [called]: entry })) last = now;
  else if (!isWarned) {
    isWarned = true;
    player.say({ text: text('lessons/notKept') });
  }
}
