// From the code of p to that of p + k by one matrix, and how exactly.
import { html, nothing } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { crossing } from '../../stage/draw/crossing.js';
import { full, inCells } from '../../stage/draw/format.js';
import { role, symbol } from '../../stage/draw/names.js';
import { explained } from '../../stage/elements/explained.js';
import { Panel } from '../../stage/elements/panel.js';
import { oneScreen, unitOf } from '../../stage/elements/room.js';
import { chip, plain } from '../../stage/telling/number.js';
import { plainSymbol } from '../../stage/telling/words.js';

/** @typedef {import('../../app/session.js').Step} Step */

/** Errors below this are rounding; a code's numbers are at most 1. */
const ROUNDING = 1e-5;
const FREE_HEIGHT_PX = 480;
/** px of the design: below this width the code of p stands above the matrix. */
const NARROW_PX = 520;
const SIDE_PX = 64;

export class Shift extends Panel {
  render() {
    const { trace } = this.view;
    const [shifted, ahead] = ['codes.shifted', 'codes.ahead'].map((name) => trace.step(name));
    const complete = [shifted, ahead].every((step) => this.view.known(step) === step.data.length);
    return html`<div class="panel">
      <p class="prose">${explained(text('chapters/positions/shift/about'))}</p>
      <div class="room">${this.box.width > 0 ? this.#crossing() : nothing}</div>
      ${
        complete
          ? this.#verdict(shifted, ahead)
          : html`<p class="verdict">${text('chapters/positions/shift/known')}</p>`
      }
    </div>`;
  }

  #crossing() {
    const { unit } = this;
    const { trace, state } = this.view;
    const [codes, map, shifted, ahead] = ['', '.shift', '.shifted', '.ahead'].map((end) =>
      trace.step(`codes${end}`),
    );
    const [count, channels] = codes.shape;
    const p = Math.min(state.at, count - 1);
    const narrow = this.box.width < NARROW_PX * unit;
    const height = oneScreen(this) ? this.box.height : FREE_HEIGHT_PX * unit;
    const width = this.box.width - (narrow ? SIDE_PX + 24 : 2 * SIDE_PX + 72) * unit;
    const sizes = crossing(
      { rows: 3, columns: channels, inner: channels, left: narrow ? 0 : channels },
      { width, height: height - (narrow ? 200 : 130) * unit },
      unit,
    );
    const row = (/** @type {Step} */ step, /** @type {string} */ name, size = sizes.result) =>
      this.matrix(step, size, { onlyRow: p, name });
    const label = (/** @type {Step} */ step, /** @type {string} */ of) =>
      html`<p class="name">${chip(symbol(step), role(step))} <span>${of}</span></p>`;
    return html`<div class="shift ${narrow ? 'narrow' : ''}">
      ${narrow ? [label(codes, String(p)), row(codes, `PE(${p})`)] : html`<span></span>`}
      ${label(map, `k = ${state.shift}`)}
      ${this.matrix(map, sizes.above, { name: plainSymbol(map) })}
      ${narrow ? nothing : html`<div class="left">${label(codes, String(p))} ${row(codes, `PE(${p})`, sizes.left)}</div>`}
      ${label(shifted, String(p))} ${row(shifted, plainSymbol(shifted))}
      ${narrow ? nothing : html`<span></span>`}
      ${label(ahead, String(p + state.shift))} ${row(ahead, `PE(${p + state.shift})`)}
      ${narrow ? nothing : html`<span></span>`}
      <p class="name">${text('chapters/positions/shift/error')}</p>
      ${this.#errors(shifted, ahead, p, sizes.result)}
    </div>`;
  }

  /**
   * @param {Step} shifted
   * @param {Step} ahead
   * @param {number} p
   * @param {import('../../stage/draw/crossing.js').Size} size
   */
  #errors(shifted, ahead, p, size) {
    const channels = shifted.shape[1];
    const computed = Math.min(this.view.known(shifted), this.view.known(ahead));
    const errors = Array.from({ length: channels }, (_, c) => {
      const cell = p * channels + c;
      return cell < computed ? Math.fround(shifted.data[cell] - ahead.data[cell]) : null;
    });
    const there = errors.filter((error) => error !== null);
    const { write } = inCells(there, size, { unit: unitOf(this) });
    const shown = (/** @type {number | null} */ error) =>
      error === null || size.mode === 'colours' ? '' : write(error);
    return html`<div class="errors">
      ${errors.map(
        (error) => html`<span
          style="width:${size.width}px"
          title=${error === null ? nothing : full(error)}
          >${shown(error)}</span
        >`,
      )}
    </div>`;
  }

  /**
   * @param {Step} shifted
   * @param {Step} ahead
   */
  #verdict(shifted, ahead) {
    const [n] = shifted.shape;
    let error = 0;
    for (const [i, value] of shifted.data.entries()) {
      error = Math.max(error, Math.abs(value - ahead.data[i]));
    }
    const same = error <= ROUNDING;
    const values = { n, error: plain(Math.fround(error)), k: this.view.state.shift };
    return html`<p class="verdict ${same ? '' : 'against'}">
      ${rich(same ? 'chapters/positions/shift/same' : 'chapters/positions/shift/differs', values)}
    </p>`;
  }
}

customElements.define('gf-shift', Shift);
