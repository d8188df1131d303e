// Masks: which pairs an attention may see, by causality and by padding, and what both make of its scores.

import { html, nothing } from 'lit';
import { capital, text } from '../../app/locale/text.js';
import { size } from '../../stage/draw/crossing.js';
import { explained } from '../../stage/elements/explained.js';
import { Panel } from '../../stage/elements/panel.js';
import { oneScreen } from '../../stage/elements/room.js';
import { labelsOf } from './labels.js';
import { titleOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const MASK_TEXTS = {
  causal: 'chapters/transformer/masks/causal',
  padding: 'chapters/transformer/masks/padding',
};

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../stage/draw/blocks.js').Block} Block */

/** px of the design */
const CELL = { width: 48, height: 28, least: 9, high: 17, worded: 19 };
/* What labels and brackets take, of masks below each other and beside each other. */
const SIDE = { below: 72, beside: 140 };
/* What an attention takes beside its cells. */
const HEAD_PX = 76;
const OPERATOR_PX = 58;
const NARROW_PX = 520;

export class Masks extends Panel {
  static properties = {
    ...Panel.properties,
    reading: { attribute: false },
    blocks: { attribute: false },
    core: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import('./translator.js').Reading} */
    this.reading = /** @type {any} */ (null);
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {any} */
    this.core = null;
  }

  /** The attentions of the last layers: of the encoder, of the decoder, and across. */
  get attentions() {
    const kinds = ['encoder.self_attn', 'decoder.self_attn', 'decoder.cross_attn'];
    return kinds.flatMap((kind) => {
      const open = this.blocks.find(
        (block) => block.name === this.view.state.block && `${block.stack}.${block.kind}` === kind,
      );
      return open ?? this.blocks.findLast((block) => `${block.stack}.${block.kind}` === kind) ?? [];
    });
  }

  render() {
    const { state } = this.view;
    return html`<div class="panel">
      <p class="prose">${explained(text('chapters/transformer/masks/about'))}</p>
      ${
        this.reading.written && !state.beside
          ? html`<p class="prose">
            ${text('chapters/transformer/masks/alone')}
            <button @click=${() => this.act({ do: 'set', change: { beside: true } })}>
              ${text('chapters/transformer/masks/put')}
            </button>
          </p>`
          : nothing
      }
      <div class="room masks scroll">
        ${this.box.width > 0 ? this.attentions.map((block) => this.#attention(block)) : nothing}
      </div>
    </div>`;
  }

  /** @param {Block} block */
  #attention(block) {
    const { trace } = this.view;
    const weights = weightsOf(block);
    const masked = block.steps.find(({ op }) => op === 'mask');
    const [rows, columns] = weights.shape.slice(-2);
    const lengths = masked?.inputs[2] ? trace.step(masked.inputs[2]).data[0] : columns;
    const causal = masked?.attributes.causal === 1;
    const padded = lengths < columns;
    const gone = masked && masked.bypassed !== null;
    const seen = Array.from(
      { length: rows * columns },
      (_, i) => !masked || gone || masked.data[i] !== Number.NEGATIVE_INFINITY,
    ).filter(Boolean).length;
    const words = labelsOf(weights, this.view);
    const fit = this.#fit();
    const alone = (/** @type {'causal' | 'padding'} */ what, /** @type {object} */ how) =>
      this.#alone(what, this.#mask(rows, columns, how), { words, fit });
    const facts = text('chapters/transformer/masks/seen', { seen, all: rows * columns });
    return html`<section>
      <h3>${capital(titleOf(block))}</h3>
      <p class="quiet">${facts}</p>
      <div class="sum">
        ${causal ? alone('causal', { causal }) : nothing}
        ${causal && padded ? html`<span class="operator">+</span>` : nothing}
        ${padded ? alone('padding', { lengths: [lengths] }) : nothing}
        ${
          masked && (causal || padded)
            ? html`<span class="operator">→</span> ${this.#scores(masked, fit)}`
            : nothing
        }
        ${causal || padded ? nothing : html`<p>${text('chapters/transformer/masks/none')}</p>`}
      </div>
    </section>`;
  }

  /**
   * What the core's mask makes of zeros.
   * @param {number} rows
   * @param {number} columns
   * @param {{ causal?: boolean, lengths?: number[] }} how
   * @returns {number[][]}
   */
  #mask(rows, columns, how) {
    const data = new Float32Array(rows * columns);
    const masked = this.core.mask({ data, shape: [1, rows, columns] }, how).data;
    return Array.from({ length: rows }, (_, i) =>
      Array.from(masked.slice(i * columns, (i + 1) * columns)),
    );
  }

  /** The same cells for all masks, and for what they make of the scores. */
  #fit() {
    const { unit } = this;
    const { width: all, height: high } = this.box;
    const beside = all < NARROW_PX * unit ? 1 : 3;
    const shapes = this.attentions.map((block) => weightsOf(block).shape);
    const columns = Math.max(...shapes.map(([, , count]) => count));
    const side = beside > 1 ? SIDE.beside : SIDE.below;
    const room = (all - (side + (beside - 1) * OPERATOR_PX) * unit) / beside / columns;
    const width = Math.floor(Math.max(CELL.least, Math.min(room, CELL.width * unit)) * 2) / 2;
    const rows = shapes.reduce((sum, [, count]) => sum + count, 0);
    const most = oneScreen(this) ? (high - shapes.length * HEAD_PX * unit) / rows : width * 0.8;
    const height = Math.min(CELL.height * unit, Math.max(most, CELL.high * unit));
    return size(width, Math.floor(height * 2) / 2, unit);
  }

  /**
   * @param {'causal' | 'padding'} what
   * @param {number[][]} mask
   * @param {{ words: { rows: string[], columns: string[] }, fit: import('../../stage/draw/crossing.js').Size }} how
   */
  #alone(what, mask, { words, fit }) {
    const worded = fit.width >= CELL.worded * this.unit;
    const shown = (/** @type {number} */ value) => (value === 0 ? '0' : worded ? '−∞' : '');
    return html`<figure class="mask">
      <table
        aria-label=${text(MASK_TEXTS[what])}
        style="--cell-width:${fit.width}px;--cell-height:${fit.height}px"
      >
        <tbody>
          ${mask.map(
            (row, i) => html`<tr>
              <th scope="row">${words.rows[i]}</th>
              ${row.map(
                (value, j) => html`<td
                  class=${value === 0 ? '' : 'masked'}
                  title=${`${words.rows[i]} → ${words.columns[j]}: ${value === 0 ? '0' : '−∞'}`}
                >${shown(value)}</td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
      <figcaption>${text(MASK_TEXTS[what])}</figcaption>
    </figure>`;
  }

  /**
   * The masked scores of a head, as they are.
   * @param {Step} step
   * @param {import('../../stage/draw/crossing.js').Size} fit
   */
  #scores(step, fit) {
    const name = text('chapters/transformer/masks/scores');
    return html`<div>${this.matrix(step, fit, { name })}<p class="under">${name}</p></div>`;
  }
}

/** @param {Block} block of an attention */
const weightsOf = (block) =>
  /** @type {Step} */ (block.steps.find(({ role }) => role === 'weight'));

/** The first pair that is masked because one comes after the other.
 * @param {import('../../app/session.js').Trace} trace @returns {import('../../stage/draw/tensor.js').Cell | null} */
export function firstMasked({ steps }) {
  const mask = steps.findLast(({ attributes }) => attributes.causal === 1);
  const i = mask?.data.indexOf(Number.NEGATIVE_INFINITY) ?? -1;
  if (!mask || i < 0) return null;
  const [, rows, columns] = mask.shape;
  const row = Math.floor(i / columns);
  return { node: mask.name, index: [Math.floor(row / rows), row % rows, i % columns] };
}

customElements.define('gf-masks', Masks);
