// What a gate asks of the reader: to play, to remove steps, to choose a text, or to answer a question.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { typeset } from '../stage/telling/number.js';
import './gate-form.js';
import { SWITCH_TEXTS } from '../stage/telling/switch-texts.js';
import { nameOfBox } from './map.js';
import { endOf, startOf, textIn } from './scene.js';
import { scopeIn } from './telling.js';

/** @typedef {import('./scene.js').Gate} Gate */
/** @typedef {import('../app/state/view.js').View} View */

/** How much of a film or a walk is over, from 0 to 1. @param {Gate} gate @param {View} view
 * @param {import('./player.js').Player} player */
function playedOf(gate, view, { film, shown }) {
  if (film) return (film.t ?? 0) / film.length;
  if (!view.line || !shown) return 0;
  const from = startOf(shown, view)?.t ?? 0;
  return Math.max(0, (view.state.t - from) / (endOf(gate, view) - from));
}

/** @param {Gate} gate @param {View} view @param {import('./player.js').Player} player */
export function gatePrompt(gate, view, player) {
  const { names = [], texts } = gate;
  const { answers, passed } = player;
  if (gate.do === 'play') {
    const { playing, beat } = player;
    /* A training is over once. */
    const isOver = passed && 'steps' in view;
    const again = passed && !isOver ? text('lessons/replay') : text('lessons/play');
    return html`<div class="options">
        <button class=${passed ? '' : 'main'} ?disabled=${isOver} @click=${answers.play}>${playing ? text('timeline/pause') : again}</button>
      </div>
      ${
        passed
          ? nothing
          : html`<p class="beat">${beat ? typeset(nameOfBox(beat)) : nothing}</p>
              <i class="film-progress" style=${`--part:${playedOf(gate, view, player)}`}></i>`
      }`;
  }
  if (gate.do === 'remove') {
    return html`<div class="options" role="group" aria-label=${text('lessons/remove')}>
      ${names.map((name) => {
        const off = view.state.remove.includes(name);
        return html`<button
          aria-pressed=${off}
          @click=${() => player.change({ change: { remove: off ? [] : [name], open: null }, undoable: true })}
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
          @click=${() => player.change({ change: { [part]: words } })}
        >${words}</button>`,
      )}
    </div>`;
  }
  if (gate.do === 'drag' || gate.do === 'try' || gate.do === 'edit') return nothing;
  return html`<gf-gate
    .gate=${gate}
    .scope=${scopeIn(view)}
    .passed=${passed}
    @gf-answer=${answers.answered}
    @gf-again=${answers.again}
  ></gf-gate>`;
}
