// What a reader worked out in a lesson: each question with the answer and what was said of it, to print at its end.
import { html, nothing } from 'lit';
import { language, text } from '../app/locale/text.js';
import { linkTo, nameOf } from './head.js';

/** @typedef {import('../../bindings/learn/lessons/index.js').Lesson} Lesson */
/** @typedef {import('../../bindings/learn/lessons/index.js').Scene} Scene */
/** @typedef {import('./gate-form.js').GateForm} GateForm */
/** @typedef {import('./player.js').Player} Player */
/** What was asked in a scene, what the reader answered, and the reply; lang: the language of all this.
 * @typedef {{ asked: unknown, answer: readonly Node[], said: unknown, lang: string }} Worked */

/** What each player's reader worked out. @type {WeakMap<Player, Map<Scene, Worked>>} */
const all = new WeakMap();

/** @param {Player} player */
function workedIn(player) {
  const scenes = all.get(player) ?? new Map();
  all.set(player, scenes);
  return scenes;
}

/** The label of a button, without its place in an order. @param {Element} button */
function labelOf(button) {
  const label = document.createElement('span');
  label.append(...button.cloneNode(true).childNodes);
  label.querySelector('small')?.remove();
  return label;
}

/** What the reader wrote, chose or put in order; nothing where something else was to be done.
 * @param {GateForm | null} form @returns {Node[]} */
function answerIn(form) {
  if (!form) return [];
  const written = Array.from(form.querySelectorAll('input'), ({ value }) => value.trim());
  if (written.every(Boolean) && written.length) return written.map((one) => new Text(one));
  const buttons = [...form.querySelectorAll('.options button')];
  const chosen = form.order.length
    ? form.order.map((i) => buttons[i])
    : buttons.filter((button) => button.matches('.right'));
  return chosen.map(labelOf);
}

/** Writes down a scene that is solved, once what was answered is drawn.
 * @param {Player} player @param {Scene} scene @param {Pick<Worked, 'asked' | 'said'>} words */
export async function note(player, scene, words) {
  const { form } = player;
  await form?.updateComplete;
  const now = answerIn(form);
  const worked = workedIn(player);
  const answer = now.length ? now : (worked.get(scene)?.answer ?? []);
  worked.set(scene, { ...words, answer, lang: language() });
}

/** @param {Player} player */
export function solution(player) {
  const { called, solved } = player;
  const worked = workedIn(player);
  const lesson = /** @type {Lesson} */ (player.lesson);
  const asks = lesson.scenes
    .map((scene, i) => ({ scene, n: i + 1, done: solved.has(scene) ? worked.get(scene) : null }))
    .filter(({ scene }) => scene.gate);
  /* Solved at another visit. */
  const earlier = asks.filter(({ scene, done }) => !done && solved.has(scene));
  return html`<section class="solution">
    <h3>${text('lessons/solution')}</h3>
    <ol>
      ${asks.map(({ n, done }) => (done ? html`<li><b>${nameOf(lesson, n)}</b>${answered(done)}</li>` : nothing))}
    </ol>
    ${
      earlier.length
        ? html`<p class="open">${text('lessons/earlier')} ${earlier.map(({ n }) => html`<a href=${linkTo(called, n)}>${nameOf(lesson, n)}</a> `)}</p>`
        : nothing
    }
  </section>`;
}

/** @param {Worked} worked */
const answered = ({ asked, answer, said, lang }) => html`<div lang=${lang}>
  <p>${asked}</p>
  ${
    answer.length
      ? html`<p class="answer">${text('lessons/answer')} ${answer.map((one, i) => [i ? '; ' : '', one])}</p>`
      : nothing
  }
  <p class="said">${said}</p>
</div>`;
