// The residual stream as a river: from below to above, at each position a thread, and the last one as wide as what has
// been written into it counts for the logit. Heads are arcs from the words that they read.
import { html, nothing, svg } from 'lit';
import { display } from '../../draw/format.js';
import { say } from './words.js';

/** @typedef {import('../../inside/experiments.js').Told} Told */

/** A level: what is added there, and what the stream counts for above it.
 * @typedef {{ layer: number | null, part: string, value: number, above: number }} Level */

/** The drawing is laid out for type of 16 px, and grows with what the reader chose. */
const REM = 16;
const [COLUMN, LEVEL, LEFT, RIGHT, BELOW, ABOVE] = [54, 58, 36, 270, 52, 36];
/** What a letter of a word takes. */
const LETTER = 8;
/** Half of the river where it is widest, and the widest arc. */
const [WIDEST, ARC] = [24, 14];
/** Arcs that would be thinner are left out. */
const THINNEST = 0.4;
const HEAD = 30;

/**
 * The levels of the stream: the embedding, then attention and feed-forward of each layer, then the last biases.
 * @param {Told['sum']} sum
 * @returns {Level[]}
 */
export function levelsOf({ parts }) {
  /** @type {Level[]} */
  const levels = [];
  for (const { layer, part: named, value } of parts) {
    const part = named ?? 'final';
    const last = levels.at(-1);
    if (last && last.layer === layer && last.part === part) {
      last.value += value;
      last.above += value;
    } else {
      levels.push({ layer, part, value, above: (last?.above ?? 0) + value });
    }
  }
  return levels;
}

/** @param {number} value */
const side = (value) => (value < 0 ? 'against' : 'for');
/** @param {number} value */
const signed = (value) => `${value < 0 ? '−' : '+'}${display(Math.abs(value))}`;

/**
 * @param {Told} told
 * @param {ReadonlySet<string>} off
 * @param {(head: string) => void} toggle
 */
export function river({ tokens, others, sum, alone, attention, word }, off, toggle) {
  const levels = levelsOf(sum);
  const longest = Math.max(...[...tokens, ...(others ?? [])].map((token) => token.length));
  const column = Math.max(COLUMN, (longest + 1) * LETTER);
  const width = LEFT + tokens.length * column + RIGHT;
  const height = ABOVE + levels.length * LEVEL + BELOW;
  const last = tokens.length - 1;
  const x = (/** @type {number} */ position) => LEFT + position * column + column / 2;
  const y = (/** @type {number} */ level) => height - BELOW - level * LEVEL - LEVEL / 2;
  const widest = Math.max(...levels.map(({ above }) => Math.abs(above)));
  const half = (/** @type {number} */ above) =>
    Math.max(1, (WIDEST * Math.abs(above)) / (widest || 1));
  const losses = alone.map((row) => row.map((value) => sum.total - value));
  const most = Math.max(...losses.flat().map(Math.abs)) || 1;
  const [top, low] = [ABOVE - 4, y(-0.5)];

  const arcs = levels.flatMap(({ layer, part }, level) => {
    if (layer === null || part !== 'self_attn') return [];
    return attention[layer].flatMap((weights, head) =>
      weights.flatMap((weight, key) => {
        const thick = (ARC * weight * Math.abs(losses[layer][head])) / most;
        if (key === last || thick < THINNEST) return [];
        const [from, to] = [y(level - 0.5), y(level)];
        const path = `M${x(key)} ${from}C${x(key)} ${to} ${x(key)} ${to} ${x(last)} ${to}`;
        const name = `${layer}.${head}`;
        const what = say('arc', { head, layer, word: tokens[key], weight: display(weight) });
        return svg`<path
          class="arc ${side(losses[layer][head])} ${off.has(name) ? 'off' : ''}"
          d=${path}
          stroke-width=${thick}
          @click=${() => toggle(name)}
        ><title>${what}</title></path>`;
      }),
    );
  });

  const banks = levels.map(({ above }, level) => {
    const before = level === 0 ? 1 : half(levels[level - 1].above);
    /* They overlap a little, so that no seam is seen. */
    const [from, to, middle] = [y(level - 0.5) + 0.5, y(level + 0.5), y(level)];
    const [a, b] = [before, half(above)];
    const centre = x(last);
    return svg`<path class="bank ${side(above)}" d=${[
      `M${centre - a} ${from}C${centre - a} ${middle} ${centre - b} ${middle} ${centre - b} ${to}`,
      `L${centre + b} ${to}C${centre + b} ${middle} ${centre + a} ${middle} ${centre + a} ${from}Z`,
    ].join('')} />`;
  });

  const labels = levels.map(({ layer, part, value }, level) => {
    const heads = layer !== null && part === 'self_attn' ? attention[layer].length : 0;
    const begin = x(last) + WIDEST + 22;
    return svg`<g>
      ${Array.from({ length: heads }, (_, head) => {
        const name = `${layer}.${head}`;
        const loss = losses[layer ?? 0][head];
        const radius = 4 + 8 * Math.sqrt(Math.abs(loss) / most);
        return svg`<circle
          class="head ${side(loss)} ${off.has(name) ? 'off' : ''}"
          cx=${begin + head * HEAD}
          cy=${y(level) - 8}
          r=${radius}
          @click=${() => toggle(name)}
        ><title>${say('without', { head, layer: String(layer), value: signed(-loss) })}</title></circle>`;
      })}
      <text x=${begin - 8} y=${y(level) + (heads ? 20 : 4)}>
        ${say(`levels/${part}`, { layer: layer ?? 0 })} <tspan class=${side(value)}>${signed(value)}</tspan>
      </text>
    </g>`;
  });

  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('river')}>
    <svg
      style="width: ${width / REM}rem; height: ${height / REM}rem"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${say('drawn', { word, value: display(sum.total) })}
    >
      ${tokens.map((token, i) => {
        return svg`${
          i === last
            ? nothing
            : svg`<line class="thread" x1=${x(i)} x2=${x(i)} y1=${top} y2=${low} />`
        }
          <text class="token" x=${x(i)} y=${height - 30}>${token}</text>
          ${
            others && others[i] !== token
              ? svg`<text class="token other" x=${x(i)} y=${height - 10}>${others[i]}</text>`
              : nothing
          }`;
      })}
      ${banks} ${arcs} ${labels}
      <text class="token said" x=${x(last)} y=${top - 10}>${word}</text>
    </svg>
  </div>`;
}
