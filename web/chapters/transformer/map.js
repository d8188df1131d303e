// The map: the model as the paper draws it. The lit box is where we are; a click goes there.
import { html, nothing, svg } from 'lit';
import { isAttention, layersOf } from '../../draw/blocks.js';
import { stacks } from '../../draw/stacks.js';
import { Base } from '../../elements/base.js';
import { brings, text } from '../../locale/text.js';
import './map.css';
import { END } from './state.js';
import { shortTitle, titleOf } from './words.js';

/* An opened step of a training has the map, too. */
brings(
  import.meta.glob('../../locale/en.json', {
    query: '?chapters/transformer',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../draw/blocks.js').Block} Block */
/** @typedef {import('../../draw/stacks.js').Place} Place */
/** @typedef {import('../../draw/stacks.js').Wire} Wire */

/** Units of the figure. */
const BOX = { width: 90, height: 21, x: 112, y: 30 };
const EDGE = { x: 12, top: 18, bottom: 16 };
const SKIP = 7;

export class ModelMap extends Base {
  static properties = {
    view: { attribute: false },
    blocks: { attribute: false },
    chosen: { state: true },
    cursor: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Record<string, number>} the layers that were chosen last, by stack */
    this.chosen = {};
    /** The box that the tab key comes to. @type {string | null} */
    this.cursor = null;
  }

  get open() {
    return /** @type {Block} */ (
      this.blocks.find(({ name }) => name === this.view.state.block) ?? this.blocks[0]
    );
  }

  /** Which layer of each stack is shown: that of the open block, or the one that was chosen last. */
  get layers() {
    const { open } = this;
    return Object.fromEntries(
      ['encoder', 'decoder'].map((stack) => {
        const last = layersOf(this.blocks, /** @type {any} */ (stack)) - 1;
        const own = open.stack === stack ? open.layer : null;
        return [stack, Math.min(own ?? this.chosen[stack] ?? last, last)];
      }),
    );
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const { open } = this;
    if (!changed.has('view') || open.layer === null) return;
    if (this.chosen[open.stack] !== open.layer) {
      this.chosen = { ...this.chosen, [open.stack]: open.layer };
    }
  }

  render() {
    const { places, frames, wires, columns } = stacks(this.blocks, this.layers);
    const rows = Math.max(...places.map(({ y }) => y)) + 1;
    const width = (columns - 1) * BOX.x + BOX.width + 2 * EDGE.x;
    const height = (rows - 1) * BOX.y + BOX.height + EDGE.top + EDGE.bottom;
    this.height = height;
    return html`<svg
        viewBox="0 0 ${width} ${height}"
        role="group"
        aria-label=${text('map/label')}
        style="--wide:${width}"
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, places)}
      >
        ${frames.map((frame) => this.#frame(frame))}
        ${wires.map((wire) => svg`<path class="wire ${wire.kind}" d=${this.#path(wire)} />`)}
        ${places.map((place) => this.#box(place))}
        ${this.#ends(places)}
      </svg>
      ${this.#layers(frames)}`;
  }

  /** Left and top of a box. @param {{ x: number, y: number }} place */
  #corner({ x, y }) {
    const bottom = /** @type {number} */ (this.height) - EDGE.bottom - BOX.height;
    return { x: EDGE.x + x * BOX.x, y: bottom - y * BOX.y };
  }

  /** @param {import('../../draw/stacks.js').Frame} frame */
  #frame({ x, from, to, stack }) {
    const top = this.#corner({ x, y: to });
    const high = (to - from) * BOX.y + BOX.height;
    const count = layersOf(this.blocks, stack);
    return svg`<g class="layer">
      <rect x=${top.x - 11} y=${top.y - 5} width=${BOX.width + 22} height=${high + 9} rx="5" />
      <text class="times" transform="translate(${top.x + BOX.width + 8.5} ${top.y + high}) rotate(-90)">
        ${text('chapters/transformer/times', { n: count })}
      </text>
    </g>`;
  }

  /** @param {Wire} wire */
  #path({ from, to, kind }) {
    const a = this.#corner(from);
    const b = this.#corner(to);
    const middle = BOX.width / 2;
    if (kind === 'memory') {
      const turn = a.x + BOX.width + (BOX.x - BOX.width) / 2 - 1;
      const y = b.y + BOX.height / 2;
      const up = a.y - 10;
      return `M${a.x + middle} ${a.y}V${up}H${turn}V${y}H${b.x}`;
    }
    if (kind === 'flow') return `M${a.x + middle} ${a.y}V${b.y + BOX.height}`;
    const out = a.y - (BOX.y - BOX.height) / 2;
    return `M${b.x + middle} ${out}H${b.x - SKIP}V${b.y + BOX.height / 2}H${b.x}`;
  }

  /** @param {Place} place */
  #box(place) {
    const { block } = place;
    const { x, y } = this.#corner(place);
    const now = block === this.open;
    const gone = block.steps.some(({ bypassed }) => bypassed !== null);
    const stop = (this.cursor ?? this.open.name) === block.name ? '0' : '-1';
    const title = titleOf(block);
    const go = () => this.#go(block);
    return svg`<g
      class="block ${now ? 'now' : ''} ${gone ? 'gone' : ''} ${block.kind}"
      transform="translate(${x} ${y})"
      role="button"
      tabindex=${stop}
      data-block=${block.name}
      aria-label=${title}
      aria-current=${now ? 'step' : 'false'}
      @click=${go}
      @focus=${() => {
        this.cursor = block.name;
      }}
    >
      <title>${title}</title>
      <rect width=${BOX.width} height=${BOX.height} rx="3" />
      <text x=${BOX.width / 2} y=${BOX.height / 2 + 3.5}>${shortTitle(block)}</text>
    </g>`;
  }

  /** What enters below and leaves above. @param {Place[]} places */
  #ends(places) {
    const of = (/** @type {number} */ x) => places.filter((place) => place.x === x);
    const columns = [...new Set(places.map(({ x }) => x))];
    return columns.map((x) => {
      const [first] = of(x);
      const { x: left, y } = this.#corner(first);
      const side = columns.length > 1 ? ['source', 'target'][x] : 'tokens';
      return svg`<text class="end" x=${left + BOX.width / 2} y=${y + BOX.height + 12}>
        ${text(`chapters/transformer/ends/${side}`)}
      </text>`;
    });
  }

  /** Which layer of a stack is shown, where there are several. @param {import('../../draw/stacks.js').Frame[]} frames */
  #layers(frames) {
    const many = frames.filter(({ stack }) => layersOf(this.blocks, stack) > 1);
    if (many.length === 0) return nothing;
    return html`<div class="layers">
      ${many.map(
        ({ stack }) => html`<label>
          ${text(`chapters/transformer/layer/${stack}`)}
          <select
            @change=${(/** @type {Event} */ event) =>
              this.#choose(
                stack,
                Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value),
              )}
          >
            ${Array.from(
              { length: layersOf(this.blocks, stack) },
              (_, layer) =>
                html`<option value=${layer} ?selected=${layer === this.layers[stack]}>
                  ${layer + 1}
                </option>`,
            )}
          </select>
        </label>`,
      )}
    </div>`;
  }

  /**
   * Another layer; if the open block is in that stack, the same one of that layer.
   * @param {string} stack
   * @param {number} layer
   */
  #choose(stack, layer) {
    this.chosen = { ...this.chosen, [stack]: layer };
    const { open } = this;
    if (open.stack !== stack || open.layer === null) return;
    const blocksOf = (/** @type {number | null} */ of) =>
      this.blocks.filter((block) => block.stack === stack && block.layer === of);
    const block = blocksOf(layer)[blocksOf(open.layer).indexOf(open)];
    if (block) this.#go(block);
  }

  /** @param {Block} block */
  #go(block) {
    const { panel } = this.view.state;
    const stays = panel === 'attention' && isAttention(block);
    this.act({
      do: 'set',
      change: { block: block.name, panel: stays ? panel : 'stage', t: END, path: [], open: null },
    });
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Place[]} places
   */
  #key(event, places) {
    const at = places.find(({ block }) => block.name === (this.cursor ?? this.open.name));
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.#go(at.block);
    else {
      const [across, up] =
        { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[
          event.key
        ] ?? [];
      if (across === undefined) return;
      const near = places
        .filter(({ x }) => x === at.x + across)
        .toSorted((a, b) => Math.abs(a.y - at.y - up) - Math.abs(b.y - at.y - up));
      if (near[0]) this.#focus(near[0].block.name);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} name */
  async #focus(name) {
    this.cursor = name;
    await this.updateComplete;
    /** @type {SVGElement | null} */ (this.querySelector(`[data-block="${name}"]`))?.focus();
  }
}

customElements.define('gf-model-map', ModelMap);
