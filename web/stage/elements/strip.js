// The steps in order: those before the present one as thumbnails, the later ones as chips.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { endOf } from '../../app/state/timeline.js';
import { fill } from '../draw/colour.js';
import { role, scaleOf, symbol } from '../draw/names.js';
import { matrices } from '../draw/tensor.js';
import { chip } from '../telling/number.js';
import { title } from '../telling/words.js';
import { DeferredElement } from './deferred.js';

/** px of the design */
const THUMB = { width: 54, height: 26, cell: 9 };
/** Columns of a thumbnail, which is narrower. */
const MAX_COLUMNS = 128;
/** @type {Record<import('../draw/colour.js').Theme, import('../draw/colour.js').Rgb>} of what no colour stands for */
const BARE = { light: [190, 190, 190], dark: [96, 96, 96] };

export class Strip extends DeferredElement {
  render() {
    const { line, moment, changes } = this.view;
    return html`<ol>
      ${line.stages.map((step, i) => {
        const { letter, below } = symbol(step);
        const place = i < moment.stage ? 'past' : i === moment.stage ? 'now' : 'later';
        return html`<li class=${place}>
          <button
            class=${step.removed ? 'gone' : changes.counts.has(step) ? 'changed' : ''}
            title=${step.removed ? `${title(step)}: ${text('stage/gone')}` : title(step)}
            aria-label=${`${letter}${below}: ${title(step)}`}
            aria-current=${place === 'now' ? 'step' : nothing}
            @click=${() => this.act({ do: 'goto', t: this.#placeOf(i) })}
          >
            ${chip(symbol(step), role(step))}
            ${place === 'past' ? html`<canvas data-thumb=${step.name} aria-hidden="true"></canvas>` : nothing}
          </button>
        </li>`;
      })}
    </ol>`;
  }

  /** A step is shown with all its numbers; once more, from its beginning. @param {number} i */
  #placeOf(i) {
    const { line, moment, state } = this.view;
    const end = endOf(line, i);
    return moment.stage === i && state.t === end ? line.first[i] : end;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const before = /** @type {import('../../app/state/view.js').View | undefined} */ (
      changed.get('view')
    );
    const { line, theme, moment, state } = this.view;
    /* Another panel may have hidden it. */
    const same =
      before?.line === line &&
      before.moment.stage === moment.stage &&
      before.state.scale === state.scale &&
      before.state.panel === state.panel;
    /* In a frame all is laid out anyhow. */
    if (!same || before.theme !== theme) requestAnimationFrame(this.#show);
  }

  /** Draws what came before, and brings the present step into sight. */
  #show = () => {
    const list = this.querySelector('ol');
    if (!list?.checkVisibility()) return;
    const { line, limitOf, theme, moment, state } = this.view;
    for (const canvas of this.querySelectorAll('canvas')) {
      const step = line.stages.find(({ name }) => name === canvas.dataset.thumb);
      if (step) thumbnail(canvas, step, limitOf(step), theme);
    }
    const now = this.querySelector('.now');
    const where = `${moment.stage} of ${line.stages.length} ${state.panel}`;
    if (now instanceof HTMLElement && this.changedSince(where)) {
      list.scrollLeft = now.offsetLeft - list.offsetLeft - list.clientWidth / 3;
    }
  };
}

/**
 * One pixel for a number, which the browser enlarges.
 * @param {HTMLCanvasElement} canvas
 * @param {import('../../app/session.js').Step} step
 * @param {number} limit
 * @param {'light' | 'dark'} theme
 * @param {{ cell: number, width: number, height: number }} [most] px of a cell, and of all, at most
 */
export function thumbnail(canvas, step, limit, theme, most = THUMB) {
  const all = matrices(step.shape);
  /* Of a wide one, every so manieth column. */
  const every = Math.ceil((all.columns * all.count) / MAX_COLUMNS);
  const { count, rows } = all;
  const columns = Math.floor(all.columns / every);
  const image = new ImageData(columns * count, rows);
  const pixels = image.data;
  const scale = scaleOf(step);
  for (let i = 0; i < image.width * rows; i++) {
    const [row, column] = [Math.floor(i / image.width), i % image.width];
    const matrix = Math.floor(column / columns);
    const value = step.data[(matrix * rows + row) * all.columns + (column % columns) * every];
    const isBare = !Number.isFinite(value);
    const [red, green, blue] = isBare ? BARE[theme] : fill(value, scale, limit, theme);
    pixels[4 * i] = red;
    pixels[4 * i + 1] = green;
    pixels[4 * i + 2] = blue;
    pixels[4 * i + 3] = 255;
  }
  /* To set its size makes a canvas anew, even to the same. */
  if (canvas.width !== image.width || canvas.height !== rows) {
    const width = Math.min(most.cell, most.width / image.width);
    const height = Math.min(most.cell, most.height / rows);
    canvas.style.width = `calc(${(width * image.width) / 16} * var(--rem))`;
    canvas.style.height = `calc(${(height * rows) / 16} * var(--rem))`;
    Object.assign(canvas, { width: image.width, height: rows });
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.putImageData(image, 0, 0);
}

customElements.define('gf-strip', Strip);
