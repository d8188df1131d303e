// What a reader worked out in a lesson: each question with the answer and what was said of it, to print at its end.
import { html, nothing } from 'lit';
import { language, text } from '../locale/text.js';
import { linkTo } from './head.js';
import { scopeIn, telling } from './telling.js';

/** @typedef {import('../../bindings/lessons/index.js').Lesson} Lesson */
/** @typedef {import('../../bindings/lessons/index.js').Scene} Scene */
/** @typedef {import('./gate-form.js').GateForm} GateForm */
/** @typedef {import('./player.js').Player} Player */
/** What was asked in a scene, what the reader answered, what was said of it; lang: the language of all this.
 * @typedef {{ asked: unknown, answer: readonly Node[], said: unknown, lang: string }} Worked */

/** What each player's reader worked out. @type {WeakMap<Player, Map<Scene, Worked>>} */
const all = new WeakMap();

/** @param {Player} player */
function workedIn(player) {
  const found = all.get(player) ?? new Map();
  all.set(player, found);
  return found;
}

/** @param {Element} button what stands on it, but for its place in an order */
function labelOf(button) {
  const label = document.createElement('span');
  label.append(...button.cloneNode(true).childNodes);
  label.querySelector('small')?.remove();
  return label;
}

/** What the reader wrote, chose or put in order; nothing where something else was to be done.
 * @param {Element} words of a scene @returns {Node[]} */
function answerIn(words) {
  const form = /** @type {GateForm | null} */ (words.querySelector('gf-gate'));
  if (!form) return [];
  const written = Array.from(form.querySelectorAll('input'), ({ value }) => value.trim());
  if (written.every(Boolean) && written.length) return written.map((one) => new Text(one));
  const buttons = [...form.querySelectorAll('.options button')];
  const chosen = form.order.length
    ? form.order.map((i) => buttons[i])
    : buttons.filter((button) => button.matches('.right'));
  return chosen.map(labelOf);
}

/** Writes down the scene that is solved, once what was answered is drawn. @param {Player} player */
export async function note(player) {
  const { shown, view, first, inside } = player;
  const words = inside.querySelector('.words');
  if (!shown?.gate || !view || !words) return;
  const { reply, holds } = player;
  if (!reply || !holds) return;
  await /** @type {GateForm | null} */ (words.querySelector('gf-gate'))?.updateComplete;
  const now = answerIn(words);
  const worked = workedIn(player);
  worked.set(shown, {
    asked: telling(shown.say, first ?? scopeIn(view)),
    answer: now.length ? now : (worked.get(shown)?.answer ?? []),
    said: reply,
    lang: language(),
  });
}

/** @param {Player} player */
export function solution(player) {
  const { called, lesson, solved } = player;
  const worked = workedIn(player);
  const { scenes } = /** @type {Lesson} */ (lesson);
  const asks = scenes.map((scene, i) => ({ scene, n: i + 1 })).filter(({ scene }) => scene.gate);
  const found = (/** @type {{ scene: Scene }} */ { scene }) =>
    solved.has(scene) ? worked.get(scene) : undefined;
  const links = (/** @type {string} */ what, /** @type {typeof asks} */ some) =>
    some.length
      ? html`<p class="open">${text(what)} ${some.map(({ n }) => html`<a href=${linkTo(called, n)}>${n}</a> `)}</p>`
      : nothing;
  const open = asks.filter((one) => !found(one));
  return html`<section class="solution">
    <h3>${text('lessons/solution')}</h3>
    <ol>
      ${asks.map((one) => {
        const what = found(one);
        return what ? html`<li value=${one.n}>${told(what)}</li>` : nothing;
      })}
    </ol>
    ${links(
      'lessons/earlier',
      open.filter(({ scene }) => solved.has(scene)),
    )}
    ${links(
      'lessons/unsolved',
      open.filter(({ scene }) => !solved.has(scene)),
    )}
  </section>`;
}

/** @param {Worked} found */
const told = ({ asked, answer, said, lang }) => html`<div lang=${lang}>
  <p>${asked}</p>
  ${
    answer.length
      ? html`<p class="answer">${text('lessons/answer')} ${answer.map((one, i) => [i ? '; ' : '', one])}</p>`
      : nothing
  }
  <p class="said">${said}</p>
</div>`;
