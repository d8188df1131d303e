// The map: a tiny block diagram of the whole computation; the lit box is where we are.
import { html, svg } from 'lit';
import { text } from '../../app/locale/text.js';
import { blockMap } from '../draw/map.js';
import { role, symbol } from '../draw/names.js';
import { title } from '../telling/words.js';
import { DeferredElement } from './deferred.js';

/** How much larger than designed the map may become. */
const MAX_SCALE = 1.25;
const BOX = { width: 46, height: 22, x: 64, y: 34 };

export class MapOfSteps extends DeferredElement {
  render() {
    const { line, trace } = this.view;
    const { blocks, wires, rows } = blockMap(line.stages, trace.steps);
    const width = 2 * BOX.x + BOX.width + 4;
    const height = (rows - 1) * BOX.y + BOX.height + 4;
    return html`<svg
      viewBox="-2 -2 ${width} ${height}"
      role="group"
      aria-label=${text('map/label')}
      style="--ratio:${width / height};--most:calc(${(MAX_SCALE * width) / 16} * var(--rem))"
    >
      ${wires.map(({ from, to }) => svg`<path class="wire" d=${path(from, to)} />`)}
      ${blocks.map((block) => this.#block(block))}
    </svg>`;
  }

  /** @param {import('../draw/map.js').Block} block */
  #block({ name, x, y }) {
    const { line, moment } = this.view;
    const step = this.view.trace.step(name);
    const { letter, below } = symbol(step);
    const index = line.stages.findIndex((step) => step.name === name);
    const place = index === moment.stage ? 'now' : index < moment.stage ? 'past' : 'later';
    const box = svg`<rect width=${BOX.width} height=${BOX.height} rx="3" />
      <text x=${BOX.width / 2} y=${BOX.height / 2 + 5}>
        <tspan class="letter">${letter}</tspan>${
          below ? svg`<tspan class="below" dy="3">${below}</tspan>` : ''
        }
      </text>`;
    const move = `translate(${x * BOX.x} ${y * BOX.y})`;
    // What is given is no stage to go to.
    if (index < 0)
      return svg`<g class="block past role-${role(step)}" transform=${move}>${box}</g>`;
    const go = () => this.act({ do: 'goto', t: line.first[index] });
    return svg`<g
      class="block ${place} role-${role(step)} ${step.removed ? 'gone' : ''}"
      transform=${move}
      role="button"
      tabindex="0"
      aria-label=${`${letter}${below}: ${title(step)}`}
      aria-current=${place === 'now' ? 'step' : 'false'}
      @click=${go}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Enter') return;
        event.stopPropagation();
        go();
      }}
    >
      <title>${title(step)}</title>
      ${box}
    </g>`;
  }
}

/**
 * @param {import('../draw/map.js').Block} from
 * @param {import('../draw/map.js').Block} to
 */
function path(from, to) {
  const x1 = from.x * BOX.x + BOX.width / 2;
  const y1 = from.y * BOX.y + BOX.height;
  const x2 = to.x * BOX.x + BOX.width / 2;
  const y2 = to.y * BOX.y;
  const turn = y2 - (BOX.y - BOX.height) / 2;
  return x1 === x2 ? `M${x1} ${y1}V${y2}` : `M${x1} ${y1}V${turn}H${x2}V${y2}`;
}

customElements.define('gf-map', MapOfSteps);
