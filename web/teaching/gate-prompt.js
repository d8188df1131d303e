// What a gate puts before the reader: a button to play, steps to remove, texts to choose from, or a question.
import { html, nothing } from 'lit';
import { text } from '../locale/text.js';
import { typeset } from '../telling/number.js';
import './gate-form.js';
import { SWITCH_TEXTS } from '../telling/switch-texts.js';
import { textIn } from './scene.js';
import { scopeIn } from './telling.js';

/** @typedef {import('./scene.js').Gate} Gate */
/** @typedef {import('../state/view.js').View} View */
/**
 * @typedef {object} Answering
 * @property {boolean} passed
 * @property {() => void} play
 * @property {(asked: import('../shell/shell.js').Asked) => void} change
 * @property {(event: CustomEvent<import('./gate-form.js').Verdict>) => void} answered
 */

/** @param {Gate} gate @param {View} view @param {Answering} answering */
export function asking(gate, view, { passed, play, change, answered }) {
  const { names = [], texts } = gate;
  if (gate.do === 'play') {
    return html`<div class="options">
      <button class="main" ?disabled=${view.playing} @click=${play}>${text('lessons/play')}</button>
    </div>`;
  }
  if (gate.do === 'remove') {
    return html`<div class="options" role="group" aria-label=${text('lessons/remove')}>
      ${names.map((name) => {
        const off = view.state.remove.includes(name);
        return html`<button
          aria-pressed=${off}
          @click=${() => change({ change: { remove: off ? [] : [name], open: null }, undoable: true })}
        >${typeset(text(off ? 'lessons/restoreOf' : 'lessons/removeOf', { what: text(SWITCH_TEXTS[name].name) }))}</button>`;
      })}
    </div>`;
  }
  if (texts) {
    const { state } = view;
    const part = textIn(state);
    return html`<div class="options" role="group" aria-label=${text('lessons/options')}>
      ${texts.map(
        (words) => html`<button
          lang=${part === 'text' ? 'fr' : 'en'}
          aria-pressed=${state[part] === words}
          @click=${() => change({ change: { [part]: words } })}
        >${words}</button>`,
      )}
    </div>`;
  }
  if (gate.do === 'drag' || gate.do === 'edit') return nothing;
  return html`<gf-gate
    .gate=${gate}
    .scope=${scopeIn(view)}
    .passed=${passed}
    @gf-answer=${answered}
  ></gf-gate>`;
}
