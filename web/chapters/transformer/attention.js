// Attention maps: what each head of the open attention attends to; and lines for the mean of all heads, which cross where a
// noun and its adjective change places.
import { html, nothing } from 'lit';
import { capital, text } from '../../app/locale/text.js';
import { size } from '../../stage/draw/crossing.js';
import { meanOfHeads } from '../../stage/draw/mean-heads.js';
import { Panel } from '../../stage/elements/panel.js';
import { oneScreen } from '../../stage/elements/room.js';
import { labelsOf } from './labels.js';
import { lines } from './lines.js';
import { titleOf } from './words.js';

/** @typedef {import('../../app/session.js').Step} Step */

/** px of the design */
const GAP_PX = 28;
const CAPTION_PX = 28;
const LABELS = { side: 144, head: 66, upright: 24, least: 16, lean: 74 };
const CELL = { width: 64, height: 34, leastWidth: 4, leastHeight: 9 };

export class AttentionMaps extends Panel {
  static properties = {
    ...Panel.properties,
    reading: { attribute: false },
    block: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('./translator.js').Reading} */
    this.reading = /** @type {any} */ (null);
    /** @type {import('../../stage/draw/blocks.js').Block} */
    this.block = /** @type {any} */ (null);
  }

  get step() {
    return /** @type {Step} */ (this.block.steps.find(({ role }) => role === 'weight'));
  }

  render() {
    const { block } = this;
    const about =
      block.kind === 'cross_attn'
        ? 'chapters/transformer/maps/cross'
        : 'chapters/transformer/maps/self';
    const rows = this.predicts ? text('chapters/transformer/maps/rows') : '';
    return html`<div class="panel">
      <h2>${capital(titleOf(block))}</h2>
      <p class="prose">${text(about)} ${rows}</p>
      ${this.#lines()}
      <div class="room maps">${this.box.width > 0 ? this.#heads() : nothing}</div>
    </div>`;
  }

  /** Whether each row predicts a token: in a decoder that writes. */
  get predicts() {
    return this.block.stack === 'decoder' && this.reading.written !== null;
  }

  /** What the rows and columns are. */
  get words() {
    return labelsOf(this.step, this.view);
  }

  #lines() {
    const { words, reading, block } = this;
    const read = reading.own && block.stack === 'decoder' ? reading.own : undefined;
    return lines({
      above: words.columns,
      below: words.rows.slice(0, read),
      weights: meanOfHeads(this.step),
    });
  }

  /** One map for each head; those beside each other share labels, and so do those below each other. */
  #heads() {
    const { step, box, unit, words } = this;
    const [heads, rows, columns] = step.shape;
    const free = !oneScreen(this);
    const longest = (/** @type {string[]} */ list) => Math.max(...list.map((word) => word.length));
    const side = Math.min(LABELS.side, 26 + 8 * longest(words.rows)) * unit;
    /* Labels stand aslant where they are wider than a cell, and where that is too narrow, not at all. */
    const head = (/** @type {number} */ width) => {
      if (width < LABELS.least * unit) return 0;
      const upright = width >= 8.5 * longest(words.columns) * unit;
      const aslant = Math.min(LABELS.head, 14 + 7 * longest(words.columns));
      return (upright ? LABELS.upright : aslant) * unit;
    };
    const least = CELL.leastHeight * unit;
    /* So far the last of them leans out of its column. */
    const lean = Math.min(LABELS.lean, 6 * Number(words.columns.at(-1)?.length)) * unit;
    /* As many beside each other as makes the cells largest, if that fits the height. */
    const fits = Array.from({ length: heads }, (_, k) => k + 1).map((across) => {
      const down = Math.ceil(heads / across);
      const width = Math.min(
        ((box.width - side - lean) / across - GAP_PX * unit) / columns,
        CELL.width * unit,
      );
      const room = (box.height - head(width)) / down - CAPTION_PX * unit;
      const height = free ? CELL.height * unit : Math.min(room / rows, CELL.height * unit);
      const area = Math.min(width, 2 * height) * (height < least ? 0.5 : 1);
      return { across, width, height, area };
    });
    const best = fits.reduce((a, b) => (b.area >= a.area ? b : a));
    const half = (/** @type {number} */ px) => Math.floor(px * 2) / 2;
    const fit = size(
      half(Math.max(CELL.leastWidth, best.width)),
      half(Math.max(least, best.height)),
      unit,
    );
    const above = head(fit.width);
    return html`<div
      class="multiples"
      style="grid-template-columns:repeat(${best.across}, auto);--side:${side}px;padding:0 ${lean}px 0 ${side}px"
    >
      ${Array.from({ length: heads }, (_, h) => {
        const name = text('stage/head', { h: h + 1 });
        const inner = h % best.across > 0 ? 'inner' : '';
        /* Where the page scrolls, those above may be out of sight. */
        const lower = h >= best.across && !free ? 'lower' : '';
        return html`<div class="${inner} ${lower}" style=${lower ? '' : `padding-top:${above}px`}>
          ${this.matrix(step, fit, {
            head: h,
            name,
            rowLabels: words.rows,
            columnLabels: above > 0 ? words.columns : null,
          })}
          <p class="under">${name}</p>
        </div>`;
      })}
    </div>`;
  }
}

customElements.define('gf-attention-maps', AttentionMaps);
