// What came before as thumbnails, what comes later folded to chips.
import { html, nothing } from 'lit';
import { drawHeatmap } from '../draw/heatmap.js';
import { role, scaleOf, symbol } from '../draw/names.js';
import { matrices } from '../draw/tensor.js';
import { text } from '../locale/text.js';
import { title } from '../telling/words.js';
import { Base } from './base.js';
import { chip } from './number.js';

/** px of the design */
const THUMB = { width: 54, height: 26 };
/** Columns of a thumbnail. */
const MOST = 512;

export class Strip extends Base {
  static properties = { view: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../view.js').View} */
    this.view = /** @type {any} */ (null);
  }

  render() {
    const { line, moment } = this.view;
    return html`<ol>
      ${line.stages.map((step, at) => {
        const { letter, below } = symbol(step.name);
        const place = at < moment.stage ? 'past' : at === moment.stage ? 'now' : 'later';
        return html`<li class=${place}>
          <button
            class=${step.removed ? 'gone' : ''}
            title=${step.removed ? `${title(step)}: ${text('stage/gone')}` : title(step)}
            aria-label=${`${letter}${below}: ${title(step)}`}
            aria-current=${place === 'now' ? 'step' : nothing}
            @click=${() => this.act({ do: 'goto', t: line.first[at] })}
          >
            ${chip(symbol(step.name), role(step.name))}
            ${place === 'past' ? html`<canvas data-thumb=${step.name} aria-hidden="true"></canvas>` : nothing}
          </button>
        </li>`;
      })}
    </ol>`;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const before = /** @type {import('../view.js').View | undefined} */ (changed.get('view'));
    const { line, limit, theme, moment, state } = this.view;
    /* Another panel may have hidden it. */
    const same =
      before?.line === line &&
      before.moment.stage === moment.stage &&
      before.state.panel === state.panel;
    if (same && before.theme === theme) return;
    for (const canvas of this.querySelectorAll('canvas')) {
      const step = line.stages.find(({ name }) => name === canvas.dataset.thumb);
      if (step) draw(canvas, step, limit, theme);
    }
    const now = this.querySelector('.now');
    const list = this.querySelector('ol');
    if (
      now instanceof HTMLElement &&
      list &&
      this.sight(`${moment.stage} of ${line.stages.length} ${state.panel}`)
    ) {
      list.scrollLeft = now.offsetLeft - list.offsetLeft - list.clientWidth / 3;
    }
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import('../session.js').Step} step
 * @param {number} limit
 * @param {'light' | 'dark'} theme
 */
function draw(canvas, step, limit, theme) {
  const all = matrices(step.shape);
  /* Of a wide one, every so manieth column. */
  const every = Math.ceil((all.columns * all.count) / MOST);
  const { count, rows } = all;
  const columns = Math.floor(all.columns / every);
  const width = Math.min(9, THUMB.width / (columns * count));
  const height = Math.min(9, THUMB.height / rows);
  canvas.style.width = `calc(${(width * columns * count) / 16} * var(--rem))`;
  canvas.style.height = `calc(${(height * rows) / 16} * var(--rem))`;
  drawHeatmap(
    canvas,
    {
      rows,
      columns: columns * count,
      width,
      height,
      at: (row, column) =>
        step.data[
          (Math.floor(column / columns) * rows + row) * all.columns + (column % columns) * every
        ],
      scale: scaleOf(step),
      limit,
      theme,
    },
    2 * (window.devicePixelRatio || 1),
  );
}

customElements.define('gf-strip', Strip);
