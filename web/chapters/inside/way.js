// The question of the chapter, and the steps to an answer: those that were taken are marked, and the next one is told.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { FEW_LAYERS } from './river.js';

/** @type {Readonly<Record<string, string>>} */
const STEP_TEXTS = {
  find: 'chapters/inside/way/find/text',
  add: 'chapters/inside/way/add/text',
  send: 'chapters/inside/way/send/text',
  'prove text': 'chapters/inside/way/prove/text',
  'prove alone': 'chapters/inside/way/prove/alone',
  'prove press': 'chapters/inside/way/prove/press',
};

/** @type {Readonly<Record<string, string>>} */
const NAME_TEXTS = {
  find: 'chapters/inside/way/find/name',
  prove: 'chapters/inside/way/prove/name',
  add: 'chapters/inside/way/add/name',
  send: 'chapters/inside/way/send/name',
};

/** @param {import('./experiment.js').Whole} whole */
const valuesOf = ({ word, instead }) => ({
  word,
  instead: instead === '' ? text('chapters/inside/another') : instead,
});

/** @param {import('./experiment.js').Whole} whole */
export const question = (whole) =>
  html`<h1>${text(whole.words ? 'chapters/inside/question' : 'chapters/inside/questionAlone', { ...valuesOf(whole), n: whole.alone.flat().length })}</h1>`;

/**
 * @param {import('./experiment.js').Whole} whole
 * @param {{ open: string, isChanged: boolean, isSent: boolean }} done what the reader has done so far
 * @param {() => void} send shares a link
 */
export function way(whole, { open, isChanged, isSent }, send) {
  const { word, says, sum, alone, words } = whole;
  const proof = !words ? 'alone' : alone.length > FEW_LAYERS ? 'press' : 'text';
  const values = valuesOf(whole);
  const done = {
    find: / head /.test(open) || isChanged,
    prove: isChanged && says !== word,
    add: open !== '',
    send: isSent,
  };
  const now = Object.entries(done).find(([, isDone]) => !isDone)?.[0] ?? 'send';
  return html`<p class="way">
      ${text(STEP_TEXTS[now === 'prove' ? `prove ${proof}` : now], { ...values, n: sum.parts.length })}
      ${now === 'send' ? html`<button @click=${send}>${text('page/share')}</button>` : nothing}
    </p>
    <ol class="way">
      ${Object.entries(done).map(
        ([
          step,
          isDone,
        ]) => html`<li class=${isDone ? 'done' : ''} aria-current=${step === now ? 'step' : nothing}>
          ${text(NAME_TEXTS[step])}${isDone ? html` <span aria-label=${text('chapters/inside/done')}>✓</span>` : nothing}
        </li>`,
      )}
    </ol>`;
}
