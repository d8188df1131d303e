// Size: what a transformer of sizes of one's choice consists of, as the core would build it.
import { html, nothing } from 'lit';
import { count, text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { typeset } from '../../stage/telling/number.js';
import { numberField } from './number-field.js';
import { SIZES } from './state.js';

/** @type {Readonly<Record<string, string>>} */
const FIELD_TEXTS = {
  layers: 'chapters/transformer/size/fields/layers',
  dModel: 'chapters/transformer/size/fields/dModel',
  heads: 'chapters/transformer/size/fields/heads',
  dFF: 'chapters/transformer/size/fields/dFF',
  vocab: 'chapters/transformer/size/fields/vocab',
};

/** @type {Readonly<Record<string, string>>} */
const COLUMN_TEXTS = {
  part: 'chapters/transformer/size/columns/part',
  parameters: 'chapters/transformer/size/columns/parameters',
  biases: 'chapters/transformer/size/columns/biases',
  times: 'chapters/transformer/size/columns/times',
  all: 'chapters/transformer/size/columns/all',
};

/** @type {Readonly<Record<string, string>>} */
const PART_TEXTS = {
  words: 'chapters/transformer/size/parts/words',
  encoderAttention: 'chapters/transformer/size/parts/encoderAttention',
  encoderForward: 'chapters/transformer/size/parts/encoderForward',
  encoderNorms: 'chapters/transformer/size/parts/encoderNorms',
  encoder: 'chapters/transformer/size/parts/encoder',
  decoderAttention: 'chapters/transformer/size/parts/decoderAttention',
  crossAttention: 'chapters/transformer/size/parts/crossAttention',
  decoderForward: 'chapters/transformer/size/parts/decoderForward',
  decoderNorms: 'chapters/transformer/size/parts/decoderNorms',
  decoder: 'chapters/transformer/size/parts/decoder',
};

/** @typedef {import('./count.js').Row} Row */
/** @typedef {{ rows: Row[], parameters: number }} Summary */
/** @typedef {{ name: string, has: (row: Row) => boolean, times: number, whole?: boolean }} Part whole: the sum of
 * those before */

/**
 * Of one layer, which stands for all of its stack.
 * @param {'encoder' | 'decoder'} of
 * @param {(row: Row) => boolean} [what]
 * @returns {(row: Row) => boolean}
 */
const layerOf =
  (of, what = () => true) =>
  (row) =>
    row.stack === of && row.layer === 0 && what(row);

const isSelf = (/** @type {Row} */ { part }) => part === 'self_attn';
const isCross = (/** @type {Row} */ { part }) => part === 'cross_attn';
const isForward = (/** @type {Row} */ { part }) => part === 'feed_forward';
const isNorm = (/** @type {Row} */ { role }) => role === 'norm';

/** @param {number} layers @returns {Part[]} */
const partsOf = (layers) => [
  { name: 'words', has: ({ role }) => role === 'embedding', times: 1 },
  { name: 'encoderAttention', has: layerOf('encoder', isSelf), times: layers },
  { name: 'encoderForward', has: layerOf('encoder', isForward), times: layers },
  { name: 'encoderNorms', has: layerOf('encoder', isNorm), times: layers },
  { name: 'encoder', has: layerOf('encoder'), times: layers, whole: true },
  { name: 'decoderAttention', has: layerOf('decoder', isSelf), times: layers },
  { name: 'crossAttention', has: layerOf('decoder', isCross), times: layers },
  { name: 'decoderForward', has: layerOf('decoder', isForward), times: layers },
  { name: 'decoderNorms', has: layerOf('decoder', isNorm), times: layers },
  { name: 'decoder', has: layerOf('decoder'), times: layers, whole: true },
];

/** @param {Summary} summary @param {(row: Row) => boolean} has */
const total = ({ rows }, has) =>
  rows.reduce((sum, row) => sum + (has(row) ? row.parameters : 0), 0);

/** What divides a number, in rising order. @param {number} n */
const divisorsOf = (n) =>
  Array.from({ length: n }, (_, k) => k + 1).filter((part) => n % part === 0);

/**
 * The divisor that is nearest to a number of heads; of two, the smaller one.
 * @param {number} heads
 * @param {number} dModel
 */
const dividing = (heads, dModel) =>
  divisorsOf(dModel).reduce((best, h) => (Math.abs(h - heads) < Math.abs(best - heads) ? h : best));

export class ModelSize extends Base {
  static properties = { view: { attribute: false }, core: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {any} */
    this.core = null;
    /** @type {{ key: string, counted: ReturnType<ModelSize['count']> }} */
    this.counted = { key: '', counted: /** @type {any} */ (null) };
  }

  /** @param {Record<string, number>} size */
  count({ layers, dModel, heads, dFF, vocab }) {
    const options = { kind: 'transformer', vocab, dModel, heads, layers, dFF, maxLength: 2 };
    const count = (/** @type {object} */ more = {}) =>
      /** @type {Summary} */ (this.core.summary({ ...options, ...more }));
    const one = count();
    const three = count({ sourceVocab: vocab, tied: false });
    return { one, three, bare: count({ bias: false }) };
  }

  render() {
    const { size: asked } = this.view.state;
    const size = { ...asked, heads: dividing(asked.heads, asked.dModel) };
    const key = JSON.stringify(size);
    if (this.counted.key !== key) this.counted = { key, counted: this.count(size) };
    return html`<div class="panel">
      ${size.heads === asked.heads ? nothing : this.#odd(asked, size)} ${this.#lead(size)}
      <div class="controls">
        ${Object.entries(SIZES).map(([name, [min, max]]) => this.#field(name, min, max))}
      </div>
      ${this.#table(size)}
    </div>`;
  }

  /**
   * @param {Record<string, number>} asked heads that do not divide d_model
   * @param {Record<string, number>} size what is shown instead
   */
  #odd({ dModel, heads }, size) {
    const divisors = divisorsOf(dModel).filter((h) => h <= SIZES.heads[1]);
    const values = { dModel, heads, divisors: divisors.join(', '), shown: size.heads };
    return html`<p class="verdict against" role="alert">
      ${typeset(text('chapters/transformer/size/odd', values))}
    </p>`;
  }

  /** @param {Record<string, number>} size */
  #lead({ dModel, heads }) {
    const { one, three } = this.counted.counted;
    const values = {
      dModel,
      heads,
      dk: dModel / heads,
      one: count(one.parameters),
      three: count(three.parameters),
    };
    return html`<p class="lead">${typeset(text('chapters/transformer/size/lead', values))}</p>
      <p class="prose">${typeset(text('chapters/transformer/size/tables', values))}</p>`;
  }

  /**
   * @param {string} name
   * @param {number} min
   * @param {number} max
   */
  #field(name, min, max) {
    const { size } = this.view.state;
    return html`<label
      ><span>${typeset(text(FIELD_TEXTS[name]))}</span>
      ${numberField({
        ...{ min, max, value: size[name] },
        set: (value) => this.act({ do: 'set', change: { size: { ...size, [name]: value } } }),
      })}
    </label>`;
  }

  /** @param {Record<string, number>} size */
  #table({ layers }) {
    const { one, bare } = this.counted.counted;
    const rows = partsOf(layers).map(({ name, has, times, whole }) => {
      const parameters = total(one, has);
      return html`<tr class=${whole ? 'whole' : ''}>
        <th scope="row">${text(PART_TEXTS[name])}</th>
        <td>${count(parameters)}</td>
        <td>${count(parameters - total(bare, has))}</td>
        <td>${count(times)}</td>
        <td>${count(times * parameters)}</td>
      </tr>`;
    });
    return factsTable(
      text('chapters/transformer/size/table'),
      ['part', 'parameters', 'biases', 'times', 'all'].map((name) => text(COLUMN_TEXTS[name])),
      rows,
      html`<tfoot>
        <tr>
          <th scope="row">${text('chapters/transformer/cost/all')}</th>
          <td></td>
          <td></td>
          <td></td>
          <td>${count(one.parameters)}</td>
        </tr>
      </tfoot>`,
    );
  }
}

customElements.define('gf-size', ModelSize);
