// The map: the model as the paper draws it. The lit box is where we are; a click goes there. The layers that are not open
// fold into lines, which unfold into their numbers.
import { html, nothing, svg } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { isAttention, layersOf } from '../../stage/draw/blocks.js';
import { stacks } from '../../stage/draw/stacks.js';
import { Base } from '../../stage/elements/base.js';
import './map.css';
import { keysIn } from './layer-keys.js';
import { END } from './state.js';
import { shortTitle, titleOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const STACK_TEXTS = {
  encoder: 'chapters/transformer/stacks/encoder',
  decoder: 'chapters/transformer/stacks/decoder',
};

/** @type {Readonly<Record<string, string>>} */
const END_TEXTS = {
  source: 'chapters/transformer/ends/source',
  target: 'chapters/transformer/ends/target',
  tokens: 'chapters/transformer/ends/tokens',
};

/* An opened step of a training has the map, too. */
brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/transformer',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {import('../../stage/draw/stacks.js').Box} Box */
/** @typedef {import('../../stage/draw/stacks.js').Fold} Fold */
/** @typedef {import('../../stage/draw/stacks.js').Wire} Wire */
/** What can be pressed: its column, and where it stands in units. block: unless layers are folded; unfolded: of several layers.
 * @typedef {{ name: string, label: string, title: string, column: number, x: number, y: number, width: number,
 *   press: () => void, block?: Block, unfolded?: boolean }} Key */

/** Units of the figure. */
const BOX = { width: 100, height: 21, x: 128, y: 30 };
const EDGE = { x: 10, top: 18, bottom: 18 };
/** About how wide a letter is: a label that is too long for its box is set closer. */
const LETTER = 6.6;
const SKIP_X = 7;

export class ModelMap extends Base {
  static properties = {
    view: { attribute: false },
    blocks: { attribute: false },
    lit: { attribute: false },
    unfolded: { state: true },
    cursor: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {Block[]} */
    this.blocks = [];
    /** Names of blocks that have what is looked at. @type {ReadonlySet<string>} */
    this.lit = new Set();
    /** @type {Record<string, number>} the layers that were open last, by stack */
    this.last = {};
    /** The line that shows its layers. @type {string | null} */
    this.unfolded = null;
    /** The box that the tab key comes to. @type {string | null} */
    this.cursor = null;
    /** Whether the focus goes there as soon as it is drawn. */
    this.comes = false;
  }

  get open() {
    return /** @type {Block} */ (
      this.blocks.find(({ name }) => name === this.view.state.block) ?? this.blocks[0]
    );
  }

  /** Which layer of each stack is open: that of the open block, or the one that was open last. */
  get layers() {
    return Object.fromEntries(
      /** @type {const} */ (['encoder', 'decoder']).map((stack) => {
        const top = layersOf(this.blocks, stack) - 1;
        return [stack, Math.min(this.last[stack] ?? top, top)];
      }),
    );
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const { stack, layer } = this.open;
    if (!changed.has('view') || layer === null) return;
    if (this.last[stack] !== layer) this.unfolded = null;
    this.last[stack] = layer;
  }

  updated() {
    if (!this.comes) return;
    /** @type {SVGElement | null} */
    const box = this.querySelector(`[data-block="${this.cursor}"]`);
    this.comes = !box;
    box?.focus();
  }

  render() {
    const { boxes, frames, wires, columns, rows } = stacks(this.blocks, this.layers, this.unfolded);
    const width = (columns - 1) * BOX.x + BOX.width + 2 * EDGE.x;
    this.height = (rows - 1) * BOX.y + BOX.height + EDGE.top + EDGE.bottom;
    const keys = boxes.flatMap((box) => this.#keysOf(box));
    /* Where the cursor was may be folded away. */
    const { name } = keys.find((key) => key.name === this.cursor) ?? this.open;
    return html`<svg
      viewBox="0 0 ${width} ${this.height}"
      role="group"
      aria-label=${text('map/label')}
      style="--wide:${width}"
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#pressed(event, keys)}
    >
      ${frames.map((frame) => this.#frame(frame))}
      ${wires.map((wire) => svg`<path class="wire ${wire.kind}" d=${this.#path(wire)} />`)}
      ${keys.map((key) => this.#key(key, name))}
      ${this.#ends(boxes)}
    </svg>`;
  }

  /** Left and top of a box, or of its lowest row. @param {{ x: number, y: number, rows?: number }} place */
  #corner({ x, y, rows = 1 }) {
    const bottom = /** @type {number} */ (this.height) - EDGE.bottom - BOX.height;
    return { x: EDGE.x + x * BOX.x, y: bottom - (y + rows - 1) * BOX.y };
  }

  /** What of a box can be pressed. @param {Box} box @returns {Key[]} */
  #keysOf(box) {
    const [block] = box.blocks;
    const one = { ...this.#corner(box), column: box.x, width: BOX.width };
    const { fold } = box;
    if (!fold) {
      const [label, title] = [shortTitle(block), titleOf(block)];
      return [{ ...one, name: block.name, label, title, block, press: () => this.#go(block) }];
    }
    const { name, stack, from, to, unfolded } = fold;
    const label = text('chapters/transformer/fold', {
      n: to - from + 1,
      from: from + 1,
      to: to + 1,
    });
    const where = text(STACK_TEXTS[stack]);
    const title = text('chapters/transformer/ofStack', { where, title: label });
    const line = { ...one, name, label, title };
    if (from === to) return [{ ...line, press: () => this.#come(this.#twin(stack, from)) }];
    const press = () => {
      this.unfolded = unfolded ? null : name;
      this.cursor = name;
    };
    const corner = (/** @type {number} */ y) => this.#corner({ x: box.x, y });
    const twin = (/** @type {number} */ layer) => this.#twin(stack, layer);
    const come = (/** @type {Block} */ block) => this.#come(block);
    const numbers = unfolded ? keysIn(box, fold, { corner, twin, come }) : [];
    return [{ ...line, unfolded, press }, ...numbers];
  }

  /** @param {Key} key @param {string} reached what the tab key comes to */
  #key({ x, y, width, name, label, title, block, unfolded, press }, reached) {
    const now = block && block === this.open;
    const gone = block?.steps.some(({ bypassed }) => bypassed !== null);
    return svg`<g
      class="block ${now ? 'now' : ''} ${gone ? 'gone' : ''} ${block?.kind ?? 'folded'} ${this.lit.has(name) ? 'lit' : ''}"
      transform="translate(${x} ${y})"
      role="button"
      tabindex=${name === reached ? '0' : '-1'}
      data-block=${name}
      aria-label=${title}
      aria-current=${now ? 'step' : 'false'}
      aria-expanded=${unfolded ?? nothing}
      @click=${press}
      @focus=${() => {
        this.cursor = name;
      }}
    >
      <title>${title}</title>
      <rect width=${width} height=${BOX.height} rx="3" />
      <text
        x=${width / 2}
        y=${BOX.height / 2 + 4}
        textLength=${label.length * LETTER > width - 6 ? width - 6 : nothing}
        lengthAdjust="spacingAndGlyphs"
      >${label}</text>
    </g>`;
  }

  /** @param {import('../../stage/draw/stacks.js').Frame} frame */
  #frame({ x, from, to, stack }) {
    const top = this.#corner({ x, y: to });
    const high = (to - from) * BOX.y + BOX.height;
    const layer = /** @type {number} */ (this.layers[stack]) + 1;
    return svg`<g class="layer">
      <rect x=${top.x - 11} y=${top.y - 5} width=${BOX.width + 25} height=${high + 9} rx="5" />
      <text class="place" transform="translate(${top.x + BOX.width + 11.5} ${top.y + high}) rotate(-90)">
        ${text('chapters/transformer/place', { layer, n: layersOf(this.blocks, stack) })}
      </text>
    </g>`;
  }

  /** @param {Wire} wire */
  #path({ from, to, kind }) {
    const a = this.#corner(from);
    const b = this.#corner({ x: to.x, y: to.y });
    const middle = BOX.width / 2;
    if (kind === 'memory') {
      const turn = a.x + BOX.width + (BOX.x - BOX.width) / 2 - 1;
      const y = b.y + BOX.height / 2;
      const up = a.y - 10;
      return `M${a.x + middle} ${a.y}V${up}H${turn}V${y}H${b.x}`;
    }
    if (kind === 'flow') return `M${a.x + middle} ${a.y}V${b.y + BOX.height}`;
    const out = a.y - (BOX.y - BOX.height) / 2;
    return `M${b.x + middle} ${out}H${b.x - SKIP_X}V${b.y + BOX.height / 2}H${b.x}`;
  }

  /** What enters below and leaves above. @param {Box[]} boxes */
  #ends(boxes) {
    const lowest = boxes.filter(({ y }) => y === 0);
    return lowest.map((box) => {
      const { x: left, y } = this.#corner({ x: box.x, y: 0 });
      const side = lowest.length > 1 ? ['source', 'target'][box.x] : 'tokens';
      return svg`<text class="end" x=${left + BOX.width / 2} y=${y + BOX.height + 14}>
        ${text(END_TEXTS[side])}
      </text>`;
    });
  }

  /** The block of a layer that is what the open one is in its own; its attention, if that is elsewhere.
   * @param {import('../../stage/draw/blocks.js').Stack} stack
   * @param {number} layer
   */
  #twin(stack, layer) {
    const blocksOf = (/** @type {number | null} */ of) =>
      this.blocks.filter((block) => block.stack === stack && block.layer === of);
    const [here, there] = [blocksOf(this.open.layer), blocksOf(layer)];
    return there[here.indexOf(this.open)] ?? there.find(isAttention) ?? there[0];
  }

  /** Goes to a block that is folded away: the focus comes along. @param {Block} block */
  #come(block) {
    this.cursor = block.name;
    this.comes = true;
    this.#go(block);
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
   * @param {Key[]} keys
   */
  #pressed(event, keys) {
    const { block: name } = /** @type {SVGElement} */ (event.target).dataset;
    const focused = keys.find((key) => key.name === name);
    if (!focused || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') focused.press();
    else if (event.key === 'Escape' && this.unfolded) {
      this.#focus(keys.find(({ unfolded }) => unfolded) ?? focused);
      this.unfolded = null;
    } else {
      const way = {
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
      }[event.key];
      if (!way) return;
      const near = nearest(keys, focused, way);
      if (near) this.#focus(near);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Key} key */
  #focus({ name }) {
    this.cursor = name;
    this.comes = true;
  }
}

/**
 * The nearest key in a row, or in the column beside; or above or below.
 * @param {Key[]} keys
 * @param {Key} from
 * @param {number[]} way
 * @returns {Key | undefined}
 */
function nearest(keys, from, [across, down]) {
  const beside = (/** @type {Key} */ { x, width }) => x + width / 2 - from.x - from.width / 2;
  const isAhead = (/** @type {Key} */ key) => {
    if (key.column !== from.column) return key.column === from.column + across;
    return down ? (key.y - from.y) * down > 0 : key.y === from.y && beside(key) * across > 0;
  };
  const far = (/** @type {Key} */ key) => 1000 * Math.abs(key.y - from.y) + Math.abs(beside(key));
  return keys.filter(isAhead).toSorted((a, b) => far(a) - far(b))[0];
}

customElements.define('gf-model-map', ModelMap);
