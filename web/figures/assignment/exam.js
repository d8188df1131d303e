// The bar of an exam: how it stands, and the buttons that hand it in.
import { html, nothing } from 'lit';
import { count, text } from '../../app/locale/text.js';

/**
 * @typedef {object} Standing
 * @property {number} attempts
 * @property {number} used of them
 * @property {number | null} best score, 0 to 1
 * @property {number} max points
 * @property {number} empty cells
 * @property {boolean} isDone
 * @property {boolean} isAsking whether it is to be confirmed now
 */

/** @param {Standing} standing */
function sentence({ attempts, used, best, max, empty, isDone, isAsking }) {
  const values = { points: count((best ?? 0) * max), all: count(max), n: attempts - used };
  if (isDone) return text('assignment/exam/done', values);
  if (isAsking)
    return empty ? text('assignment/exam/sure', { n: empty }) : text('assignment/exam/full');
  return used
    ? text('assignment/exam/left', values)
    : text('assignment/exam/rule', { n: attempts });
}

/**
 * @param {Standing} standing
 * @param {{ ask: (isAsking: boolean) => void, handIn: () => void, finish: () => void }} actions
 */
export function examBar(standing, { ask, handIn, finish }) {
  const { used, isDone, isAsking } = standing;
  const button = (/** @type {string} */ words, /** @type {() => void} */ act, kind = '') =>
    html`<button class=${kind} @click=${act}>${words}</button>`;
  const buttons = isAsking
    ? [
        button(text('assignment/exam/back'), () => ask(false)),
        button(text('assignment/exam/now'), handIn, 'main'),
      ]
    : [
        used ? button(text('assignment/exam/finish'), finish) : nothing,
        button(text('assignment/exam/handIn'), () => ask(true), 'main'),
      ];
  return html`<p role="status">${sentence(standing)}</p>
    ${isDone ? nothing : buttons}`;
}
