// What is checked of an experiment: the sum against the core's number, and what must change no bit. And how far it is.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { display, full } from '../../stage/draw/format.js';

/** @type {Readonly<Record<string, string>>} */
const EXACT_TEXTS = {
  sum: 'chapters/inside/exact/sum',
  sumFails: 'chapters/inside/exact/sumFails',
  nothing: 'chapters/inside/exact/nothing',
  nothingFails: 'chapters/inside/exact/nothingFails',
  everything: 'chapters/inside/exact/everything',
  everythingFails: 'chapters/inside/exact/everythingFails',
};

/** @type {Readonly<Record<string, string>>} */
const CHECK_TEXTS = {
  sum: 'chapters/inside/check/sum',
  logit: 'chapters/inside/check/logit',
  difference: 'chapters/inside/check/difference',
  bound: 'chapters/inside/check/bound',
};

/** Whether something is exact; nothing where it was not tried. @param {string} name @param {boolean | null} holds */
export const exact = (name, holds) =>
  holds === null
    ? nothing
    : html`<li class=${holds ? 'holds' : 'fails'}>${text(EXACT_TEXTS[`${name}${holds ? '' : 'Fails'}`])}</li>`;

/** The progress of what the reader waits for, and a button that ends it. @param {import('./experiment.js').Experiment} experiment */
export function progressOf({ busy, bar, result, halt }) {
  if (!busy) return nothing;
  return html`<p class="doing">
    <label>${text('chapters/inside/computing')} ${bar}</label>
    ${result ? html`<button @click=${halt}>${text('chapters/inside/stop')}</button>` : nothing}
  </p>`;
}

/** The sum and the core's number. @param {import('./experiment.js').Experiment} experiment @param {import('./experiment.js').Whole} whole */
export function checks(experiment, { sum }) {
  const difference = Math.abs(sum.sum - sum.total);
  const number = (/** @type {string} */ name, /** @type {number} */ value, more = 3) =>
    html`<div><dt>${text(CHECK_TEXTS[name], { n: sum.parts.length })}</dt>
      <dd title=${full(value)}>${display(value, { more })}</dd></div>`;
  return html`<section class="checked" aria-label=${text('chapters/inside/check/title')}>
    <dl>
      ${number('sum', sum.sum)} ${number('logit', sum.total)} ${number('difference', difference, 0)}
      ${number('bound', sum.bound, 0)}
    </dl>
    ${experiment.busy === 'run' ? progressOf(experiment) : html`<ul>${exact('sum', difference <= sum.bound)}</ul>`}
  </section>`;
}
