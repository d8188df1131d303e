// Where the decoder looks while it writes an example: its cross-attention, head by head, as it forms.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { Base } from '../../elements/base.js';
import '../../elements/heatmap.js';
import { oneScreen, unitOf } from '../../elements/room.js';
import { seen } from './seen.js';
import { say, tell } from './words.js';

/** px of the design: what a map takes with its labels, and at most without them; a letter of a label. Of a page that
 * is one screen, at most so much of its height. */
const SHARE = 0.39;
const ROOM = { width: 172, gap: 14, height: 190, cell: 22, letter: 9.4 };

export class Maps extends Base {
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
    /** @type {{ of: unknown, steps: import('../../session.js').Step[] }[]} what was made of each evaluation */
    this.made = [];
    this.watch = new ResizeObserver(() => this.requestUpdate());
    /* Nothing here is edited or opened. */
    this.addEventListener('gf-act', (event) => event.stopPropagation());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch.disconnect();
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch.observe(this);
  }

  /** px that each map may take, as many side by side as there is room for. */
  get #width() {
    const room = Math.max(this.clientWidth, ROOM.width * unitOf(this));
    const columns = Math.floor(room / (ROOM.width * unitOf(this)));
    return room / columns - ROOM.gap * unitOf(this);
  }

  render() {
    const { started, sides, shown, pair } = this.now;
    const example = started?.examples[pair];
    if (!example) return nothing;
    const { sourceTokens, targetTokens } = example;
    const source = html`<span class="given">${example.source}</span>`;
    return html`<h2 class="label">${tell('maps/label', { source })}</h2>
      <div class="runs">
        ${sides.map(({ side, record }) => {
          const attention = record.evaluationAt(shown)?.attention[pair];
          const config = started.runs[side]?.config;
          if (!attention || !config) return nothing;
          const layers = this.#steps(attention, config, [targetTokens.length, sourceTokens.length]);
          return html`<div class="run-${side}" data-side=${side}>
            ${sides.length > 1 ? html`<h3>${side.toUpperCase()}</h3>` : nothing}
            <div class="maps">
            ${layers.map((step, layer) =>
              Array.from({ length: config.heads }, (_, head) =>
                this.#map(step, head, say('maps/head', { layer: layer + 1, head: head + 1 }), {
                  sourceTokens,
                  targetTokens,
                  side,
                }),
              ),
            )}
            </div>
          </div>`;
        })}
      </div>
      <p class="quiet">${say('maps/help')}</p>`;
  }

  /**
   * @param {import('../../session.js').Step} step
   * @param {number} head
   * @param {string} name
   * @param {{ sourceTokens: string[], targetTokens: string[], side: string }} labels
   */
  #map(step, head, name, { sourceTokens, targetTokens, side }) {
    const px = unitOf(this);
    const longest = Math.max(...targetTokens.map((token) => token.length));
    const margin = ROOM.letter * Math.min(9, longest) + 18;
    const height = oneScreen(this)
      ? Math.min(ROOM.height * px, SHARE * window.innerHeight)
      : ROOM.height * px;
    const cell = Math.min(
      ROOM.cell * px,
      (this.#width - margin * px) / sourceTokens.length,
      height / targetTokens.length,
    );
    const view = seen({ theme: this.now.theme });
    return html`<figure style=${styleMap({ '--side': `${margin * px}px` })}>
      <gf-heatmap
        .view=${view}
        .step=${step}
        .head=${head}
        .size=${{ width: cell, height: cell, mode: 'colours' }}
        .rowLabels=${targetTokens}
        .columnLabels=${sourceTokens}
        .run=${side}
        .name=${name}
      ></gf-heatmap>
      <figcaption>${name}</figcaption>
    </figure>`;
  }

  /**
   * What the heat maps take.
   * @param {Float32Array} attention
   * @param {globalThis.Record<string, any>} config
   * @param {number[]} shape
   */
  #steps(attention, { decoderLayers, heads }, shape) {
    const known = this.made.find(({ of }) => of === attention);
    if (known) return known.steps;
    const steps = layersOf(attention, { decoderLayers, heads }, shape);
    this.made = [{ of: attention, steps }, ...this.made].slice(0, 2);
    return steps;
  }
}

/**
 * The attention of each layer as a step of a trace.
 * @param {Float32Array} attention
 * @param {globalThis.Record<string, any>} config
 * @param {number[]} shape
 */
export function layersOf(attention, { decoderLayers, heads }, shape) {
  const size = heads * shape[0] * shape[1];
  return Array.from({ length: decoderLayers }, (_, layer) => ({
    name: `decoder.layers.${layer}.cross_attn.weights`,
    op: 'softmax',
    formula: '',
    kind: /** @type {const} */ ('op'),
    shape: [heads, ...shape],
    inputs: [],
    attributes: {},
    role: /** @type {const} */ ('weight'),
    parameter: null,
    from: 0,
    axes: /** @type {const} */ (['head', 'query', 'key']),
    sequences: /** @type {const} */ ([null, 'target', 'source']),
    stack: /** @type {const} */ ('decoder'),
    layer,
    part: /** @type {const} */ ('cross_attn'),
    heads,
    removal: null,
    bypassed: null,
    frozen: false,
    removed: false,
    data: attention.subarray(layer * size, (layer + 1) * size),
    grad: null,
  }));
}

customElements.define('gf-training-attention', Maps);
