// Where the decoder looks while it writes an example: its cross-attention, head by head, as it forms.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import '../../stage/elements/heatmap.js';
import { rich, text } from '../../app/locale/text.js';
import { oneScreen, unitOf } from '../../stage/elements/room.js';
import { TrainingPart } from './part.js';
import { heatmapView } from './seen.js';

/** px of the design: what a map takes without its labels, at least and at most; a letter of a label, and what surrounds
 * it. Of a page that is one screen, at most so much of its height. */
const SCREEN_PART = 0.39;
const MAP_PX = { width: 96, gap: 14, height: 190, cell: 22, letter: 8.8, around: 18 };
/** A lesson looks at the map and the loss alone. */
const ALONE_PX = { height: 400, cell: 36 };
/** Before a training they are all that is seen. */
const UNTOUCHED_PX = { ...MAP_PX, width: 240, height: 250, cell: 24 };
/** Letters of the longest label that is shown whole. */
const MAX_LABEL_LENGTH = 18;

export class Maps extends TrainingPart {
  constructor() {
    super();
    /** @type {{ of: unknown, steps: import('../../app/session.js').Step[] }[]} what was made of each evaluation */
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

  /** px that each map may take, as many side by side as there is room for.
   * @param {number} least with its labels @param {number} maps how many there are */
  #width(least, maps) {
    const room = Math.max(this.clientWidth, least);
    return room / Math.min(maps, Math.floor(room / least)) - MAP_PX.gap * unitOf(this);
  }

  render() {
    const { started, sides, shown, pair } = this.now;
    const example = started?.examples[pair];
    if (!example) return nothing;
    const { sourceTokens, targetTokens } = example;
    const rowLabels = rowsOf(targetTokens);
    const longest = Math.max(...rowLabels.map((label) => label.length));
    const side =
      (MAP_PX.letter * Math.min(MAX_LABEL_LENGTH, longest) + MAP_PX.around) * unitOf(this);
    const { width } = this.now.untouched ? UNTOUCHED_PX : MAP_PX;
    const least = side + width * unitOf(this);
    const source = html`<span class="given">${example.source}</span>`;
    return html`<h2 class="label">${rich('chapters/training/maps/label', { source })}</h2>
      <div class="runs">
        ${sides.map(({ side: run, record }) => {
          const attention = record.evaluationAt(shown)?.attention[pair];
          const config = started.runs[run]?.config;
          if (!attention || !config) return nothing;
          const layers = this.#steps(attention, config, [targetTokens.length, sourceTokens.length]);
          const room = { width: this.#width(least, layers.length * config.heads) - side };
          return html`<div class="run-${run}" data-side=${run}>
            ${sides.length > 1 ? html`<h3>${run.toUpperCase()}</h3>` : nothing}
            <div class="maps" style=${styleMap({ '--least': `${least}px`, '--side': `${side}px` })}>
            ${layers.map((step) =>
              Array.from({ length: config.heads }, (_, head) =>
                this.#map(step, head, { rowLabels, columnLabels: sourceTokens, run, room }),
              ),
            )}
            </div>
          </div>`;
        })}
      </div>
      <p class="quiet">${text('chapters/training/maps/help')}</p>`;
  }

  /**
   * @param {import('../../app/session.js').Step} step
   * @param {number} head
   * @param {{ rowLabels: string[], columnLabels: string[], run: string, room: { width: number } }} how
   */
  #map(step, head, { rowLabels, columnLabels, run, room }) {
    const name = text('chapters/training/maps/head', {
      layer: Number(step.layer) + 1,
      head: head + 1,
    });
    const px = unitOf(this);
    const { alone, untouched } = this.now;
    const most = alone ? ALONE_PX : untouched ? UNTOUCHED_PX : MAP_PX;
    const height = oneScreen(this)
      ? Math.min(most.height * px, SCREEN_PART * window.innerHeight)
      : most.height * px;
    const cell = Math.min(
      most.cell * px,
      room.width / columnLabels.length,
      height / rowLabels.length,
    );
    return html`<figure>
      <gf-heatmap
        .view=${heatmapView({ theme: this.now.theme })}
        .step=${step}
        .head=${head}
        .size=${{ width: cell, height: cell, mode: 'colours' }}
        .rowLabels=${rowLabels}
        .columnLabels=${columnLabels}
        .run=${run}
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
    const cached = this.made.find(({ of }) => of === attention);
    if (cached) return cached.steps;
    const steps = layersOf(attention, { decoderLayers, heads }, shape);
    this.made = [{ of: attention, steps }, ...this.made].slice(0, 2);
    return steps;
  }
}

/** What a row reads, and what it predicts. @param {string[]} tokens of the target, to its end */
const rowsOf = (tokens) => tokens.map((token, i) => `${tokens[i - 1] ?? '<start>'} → ${token}`);

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
