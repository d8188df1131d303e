// The views of the page, their choice, and the messages that stand in their place.
import { html, nothing } from 'lit';
import { message, text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { decidedBy } from './settings.js';
import { VIEWS } from './state.js';

/** @type {{ readonly [name: string]: string }} */
const VIEW_TEXTS = {
  run: 'chapters/training/views/run',
  batch: 'chapters/training/views/batch',
  values: 'chapters/training/views/values',
  update: 'chapters/training/views/update',
};

/** @typedef {import('./element.js').Training} Training */
/** @typedef {import('./element.js').Now} Now */

/** Which run is taken apart, and the views. @param {Training} host @param {Now} now */
export function shelf(host, { state, sides, side: apart }) {
  return html`<div class="shelf">
    ${
      sides.length > 1 && state.view !== 'run'
        ? html`<div class="stepper" role="group" aria-label=${text('chapters/training/opened/which')}>
            ${sides.map(
              ({ side }) => html`<button
                aria-pressed=${side === apart}
                @click=${() => change(host, { side })}
              >${side.toUpperCase()}</button>`,
            )}
          </div>`
        : nothing
    }
    <div class="tabs" role="group" aria-label=${text('chapters/training/bar/views')}>
      ${VIEWS.map(
        (view) => html`<button
          aria-pressed=${view === state.view}
          @click=${() => change(host, { view })}
        >${text(VIEW_TEXTS[view])}</button>`,
      )}
    </div>
  </div>`;
}

/** The trainer ended by itself. @param {import('../../workers/remote/failure.js').Ended} reason @param {() => void} restart */
export function lost(reason, restart) {
  const explanation = reason.message
    ? text('chapters/training/page/lostBy', { message: message(reason) })
    : text(reason.begun ? 'chapters/training/page/lost' : 'chapters/training/page/notStarted');
  return html`<p class="notice" role="alert">
    ${explanation} <button @click=${restart}>${reason.begun ? text('chapters/training/page/restart') : text('page/again')}</button>
  </p>`;
}

/** The training itself. @param {Now} now */
export function overview(now) {
  const measured = html`<section class="measured" aria-label=${text('chapters/training/curves/all')}><gf-curves .now=${now}></gf-curves></section>`;
  const attention = html`<section class="attention"><gf-training-attention .now=${now}></gf-training-attention></section>`;
  const { off } = now.state;
  /* Loaded with the first comparison that needs it. If that fails, the next time the page renders tries again. */
  if (decidedBy(off) === 'right') import('./judged.js').catch(() => {});
  if (now.alone) return html`<div class="overview alone">${measured} ${attention}</div>`;
  return html`<div class="overview">
    <aside class="left">
      ${now.untouched ? html`<p class="invitation">${text('chapters/training/invitation')}</p>` : nothing}
      <gf-training-setup .now=${now}></gf-training-setup>
    </aside>
    ${measured}
    <section class="answers">
      <gf-judged .now=${now}></gf-judged>
      <gf-predictions .now=${now}></gf-predictions>
      <gf-writer .now=${now}></gf-writer>
    </section>
    ${attention}
  </div>`;
}

/** One step, taken apart. @param {Training} host @param {Now} now */
export function openedStep(host, now) {
  const { state, side, shown, first } = now;
  const waiting = (/** @type {string} */ key) =>
    html`<p class="empty" role="status">${text(key, { step: shown })}</p>`;
  if (!host.isOpen || host.views !== 'here') {
    const record = now.course.records[side];
    const ended = record?.ended && shown > record.last;
    return waiting(
      ended
        ? 'chapters/training/opened/ended'
        : shown > first
          ? 'chapters/training/opened/wait'
          : 'chapters/training/opened/none',
    );
  }
  const view = {
    batch: () => html`<gf-batch .now=${now}></gf-batch>`,
    values: () => (now.nodes ? host.lesson.element : waiting('chapters/training/opened/wait')),
    update: () => html`<gf-adam .now=${now}></gf-adam>`,
  }[/** @type {'batch' | 'values' | 'update'} */ (state.view)];
  return html`<div class="opened">
    ${view()}
  </div>`;
}
