// The residual stream as a river: from below to above, at each position a thread, and the last one as wide as what has
// been written into it counts for the logit. Heads are arcs from the words that they read; below each lies a ring, the same
// head in the other text, which can be dragged onto it. The river is that of the changed run, over the banks of the intact one.
import { html, nothing, svg } from 'lit';
import { display } from '../../draw/format.js';
import { text } from '../../locale/text.js';
import { changeOf, LEVEL_TEXTS, signed } from './words.js';

/** @typedef {import('../../inside/experiments.js').Whole} Told */
/** @typedef {import('./state.js').State} State */

/** A level: what is added there, and what the stream counts for above it.
 * @typedef {object} Level
 * @property {number | null} layer
 * @property {string} part
 * @property {number} value
 * @property {number} above
 * @property {string} most the name of its largest part
 */

/** What a click or a drop asks for.
 * @typedef {object} Hears
 * @property {(head: string) => void} press
 * @property {(place: string) => void} patch
 * @property {(part: string) => void} open
 * @property {import('./drag.js').Drag} drag
 */

/** The drawing is laid out for type of 16 px, and grows with what the reader chose. */
const REM = 16;
const [LEFT, RIGHT, BELOW, ABOVE] = [68, 236, 48, 32];
/** Of a model of few layers: the height of a level, and of one of heads, with a row of dots, a row of rings, words; the widest arc;
 * from dot to dot; half of a dot where it is smallest, and what is added where it is largest. */
const WIDE = { level: 30, heads: 74, arc: 20, step: 34, dot: 4, grows: 8 };
/** Of one of many: words stand beside the dots, and there are no rings. */
const DENSE = { level: 17, heads: 24, arc: 9, step: 16, dot: 2.5, grows: 4.5 };
export const FEW_LAYERS = 6;
/** What a letter of a word takes, and the least of a column. */
const [LETTER, GAP, COLUMN] = [7.2, 12, 26];
/** Half of the river where it is widest. */
const WIDEST = 24;
/** From the river to the dots. */
const BESIDE = WIDEST + 24;
/** Between arcs of one level. */
const APART = 3;
/** Arcs that would be thinner are left out. */
const THINNEST = 0.5;

/**
 * The levels of the stream: the embedding, then attention and feed-forward of each layer, then the last biases.
 * @param {Told['sum']} sum
 * @returns {Level[]}
 */
export function levelsOf({ parts }) {
  /** @type {(Level & { size: number })[]} */
  const levels = [];
  for (const { layer, part: named, value, name } of parts) {
    const part = named ?? 'final';
    const last = levels.at(-1);
    const size = Math.abs(value);
    if (!last || last.layer !== layer || last.part !== part) {
      levels.push({ layer, part, value, above: (last?.above ?? 0) + value, most: name, size });
      continue;
    }
    last.value += value;
    last.above += value;
    if (size > last.size) Object.assign(last, { most: name, size });
  }
  return levels;
}

/** The levels of the changed run, where those of the intact one lie. Below a stream that was replaced nothing counts.
 * @param {Told} told */
function bothOf({ sum, intact }) {
  const before = levelsOf(intact);
  const after = levelsOf(sum);
  const levels = before.map((level) => {
    const own = after.find(({ layer, part }) => layer === level.layer && part === level.part);
    return own ?? { ...level, value: 0, above: 0 };
  });
  return { before, levels };
}

/** @param {number} value */
const side = (value) => (value < 0 ? 'against' : 'for');

/** Where all that can be touched lies.
 * @param {Told} told @param {Level[]} levels @param {typeof WIDE} size */
function layoutOf({ tokens, others, alone }, levels, size) {
  const lengths = tokens.map((token, i) => Math.max(token.length, others[i]?.length ?? 0));
  let right = LEFT;
  const x = lengths.map((length) => {
    const width = Math.max(COLUMN, length * LETTER + GAP);
    right += width;
    return right - width / 2;
  });
  const heights = levels.map(({ part, layer }) =>
    layer !== null && part === 'self_attn' ? size.heads : size.level,
  );
  const height = heights.reduce((all, one) => all + one, ABOVE + BELOW);
  let below = height - BELOW;
  /** The lower end, the middle and the upper end of each level. */
  const y = heights.map((own) => {
    below -= own;
    return { from: below + own, middle: below + own / 2, to: below };
  });
  const dots = BESIDE + alone[0].length * size.step;
  return { x, y, width: right + Math.max(RIGHT, dots + (size === DENSE ? RIGHT : 0)), height };
}

/**
 * @param {Told} told
 * @param {State} state
 * @param {Hears} hears
 */
export function river(told, { off, from, open }, { press, patch, open: openPart, drag }) {
  const { tokens, others, sum, intact, opened, alone, words, word, says } = told;
  const { before, levels } = bothOf(told);
  const size = alone.length > FEW_LAYERS ? DENSE : WIDE;
  const { x, y, width, height } = layoutOf(told, levels, size);
  const last = tokens.length - 1;
  const widest = Math.max(...[...before, ...levels].map(({ above }) => Math.abs(above))) || 1;
  const half = (/** @type {number} */ above) => Math.max(1, (WIDEST * Math.abs(above)) / widest);
  const effectOf = (/** @type {number | null} */ value) =>
    value === null ? null : value - intact.total;
  const effects = alone.map((row) => row.map(effectOf));
  const most = Math.max(...effects.flat().map((effect) => Math.abs(effect ?? 0))) || 1;
  /** What a place alone does: nothing that is known, yet. @param {number | null} effect */
  const known = (effect) => (effect === null ? 'unknown' : side(-effect));
  const [top, low] = [ABOVE - 4, y[0].from];
  const changed = (/** @type {string} */ place) =>
    off.includes(place) ? 'off' : from.includes(place) ? 'patched' : '';
  /** @param {any} part @param {{ from: number, start: number, to: number, middle: number }} way */
  const arc = (
    { name, layer, head, key, value, weight, thick },
    { from: left, start, to, middle },
  ) => {
    const what = text('chapters/inside/arc', {
      ...{ head, layer, word: tokens[key], value: signed(value) },
      weight: display(weight),
    });
    return svg`<path
      class="arc ${side(value)} ${changed(`${layer}.${head}`)} ${open === name ? 'open' : ''}"
      d=${`M${left} ${start}C${left} ${middle} ${left} ${middle} ${to} ${middle}`}
      stroke-width=${thick}
      @click=${() => openPart(name)}
    ><title>${what}</title></path>`;
  };
  /* The same before a change and after it. */
  const thickest =
    Math.max(
      ...intact.parts.map(({ source, value }) => (source === 'head' ? Math.abs(value) : 0)),
    ) || 1;

  /* Arcs of one level lie beside each other: how much of it is taken. */
  const arcs = levels.flatMap(({ layer }, level) => {
    const { from: start, middle } = y[level];
    const own = opened.parts.flatMap((part) => {
      const thick = Math.min(size.arc, (size.arc * Math.abs(part.value)) / thickest);
      const { key } = part;
      const isSeen = key !== undefined && key !== last && thick >= THINNEST;
      return isSeen && part.layer === layer ? [{ ...part, key, thick }] : [];
    });
    let taken = -own.reduce((all, { thick }) => all + thick + APART, -APART) / 2;
    return levels[level].part !== 'self_attn'
      ? []
      : own.map((part) => {
          const aside = taken + part.thick / 2;
          taken += part.thick + APART;
          return arc(part, {
            from: x[part.key] + aside,
            start,
            to: x[last],
            middle: middle + aside,
          });
        });
  });

  const centre = x[last];
  /** Both banks of the river at a level, with a stroke across or without. @param {Level[]} own @param {number} level @param {'L' | 'M'} across */
  const banksOf = (own, level, across) => {
    const { from: start, middle, to } = y[level];
    /* They overlap by more than a pixel of the smallest type, so that no seam is seen. */
    const begin = start + 2;
    const [a, b] = [level === 0 ? 1 : half(own[level - 1].above), half(own[level].above)];
    return [
      `M${centre - a} ${begin}V${start}C${centre - a} ${middle} ${centre - b} ${middle} ${centre - b} ${to}`,
      `${across}${centre + b} ${to}C${centre + b} ${middle} ${centre + a} ${middle} ${centre + a} ${start}V${begin}`,
    ].join('');
  };
  const banks = levels.map(
    ({ above }, level) =>
      svg`<path class="bank ${side(above)}" d=${`${banksOf(levels, level, 'L')}Z`} />`,
  );
  const shores =
    sum === intact
      ? nothing
      : before.map((_, level) => svg`<path class="shore" d=${banksOf(before, level, 'M')} />`);

  /* Feed-forwards are dots in the river, by what they add. */
  const largestValue = Math.max(...levels.map(({ value }) => Math.abs(value))) || 1;
  const beads = levels.flatMap(({ layer, part, value }, level) => {
    if (part !== 'feed_forward') return [];
    const place = `${layer}.ff`;
    return svg`<circle
      class="bead ${side(value)} ${changed(place)}"
      data-place=${place}
      cx=${x[last]}
      cy=${y[level].middle}
      r=${size.dot + (size.grows / 2) * Math.sqrt(Math.abs(value) / largestValue)}
      @click=${() => press(place)}
    ><title>${text('chapters/inside/bead', { layer: Number(layer), value: signed(value) })}</title></circle>`;
  });

  /* The stream of the other text can enter each layer, at each position. */
  const knots = (words ?? []).flatMap((row, layer) => {
    const level = levels.findIndex((one) => one.layer === layer && one.part === 'self_attn');
    return row.map((value, position) => {
      const effect = effectOf(value);
      const place = `${layer}@${position}`;
      return svg`<circle
        class="knot ${known(effect)} ${changed(place)}"
        data-place=${place}
        cx=${x[position]}
        cy=${y[level].from}
        r=${2 + 5 * Math.sqrt(Math.min(1, Math.abs(effect ?? 0) / Math.abs(Number(told.target) - intact.total || 1)))}
        @click=${() => patch(place)}
      ><title>${text('chapters/inside/stream/one', { layer, word: others[position], value: changeOf(effect) })}</title></circle>`;
    });
  });

  const begin = x[last] + BESIDE;
  const isDense = size === DENSE;
  const beside = isDense ? begin + alone[0].length * size.step : begin - 8;
  const labels = levels.map(({ layer, part, value, most: largest }, level) => {
    const heads = layer !== null && part === 'self_attn' ? alone[layer].length : 0;
    const at = y[level].middle;
    const dotAt = isDense ? at : at - 11;
    return svg`<g>
      ${Array.from({ length: heads }, (_, head) => {
        const name = `${layer}.${head}`;
        const effect = effects[Number(layer)][head];
        const centre = begin + head * size.step;
        const radius = size.dot + size.grows * Math.sqrt(Math.abs(effect ?? 0) / most);
        return svg`${isDense ? nothing : svg`<text class="row number" x=${centre} y=${at - 26}>${head}</text>`}
          <circle
            class="head ${known(effect)} ${changed(name)}"
            data-place=${name}
            cx=${centre}
            cy=${dotAt}
            r=${radius}
            @click=${() => press(name)}
          ><title>${text('chapters/inside/change', { head, layer: Number(layer), value: changeOf(effect) })}</title></circle>
          ${
            words &&
            !isDense &&
            svg`<circle
              class="ring"
              data-drag=${name}
              cx=${centre}
              cy=${at + 11}
              r="6"
              @pointerdown=${drag.grip}
              @touchstart=${drag.still}
            ><title>${text('chapters/inside/ring', { head, layer: Number(layer) })}</title></circle>`
          }`;
      })}
      <text class="level" x=${beside} y=${at + (heads && !isDense ? 31 : 4)} @click=${() => openPart(largest)}>
        ${text(LEVEL_TEXTS[part], { layer: layer ?? 0 })}
        <tspan class=${side(value)}>${signed(value)}</tspan>
        ${sum === intact ? nothing : svg`<title>${text('chapters/inside/before')}: ${signed(before[level].value)}</title>`}
      </text>
    </g>`;
  });
  /* Of many layers all have their heads' numbers above them. */
  const numbers = isDense
    ? alone[0].map(
        (_, head) =>
          svg`<text class="row number" x=${begin + head * size.step} y=${top - 4}>${head}</text>`,
      )
    : nothing;

  return html`<div class="scroll" tabindex="0" role="region" aria-label=${text('chapters/inside/river')}>
    <svg
      style="width: ${width / REM}rem; height: ${height / REM}rem"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${text('chapters/inside/drawn', { word, value: display(sum.total) })}
    >
      ${tokens.map((_, i) =>
        i === last
          ? nothing
          : svg`<line class="thread" x1=${x[i]} x2=${x[i]} y1=${top} y2=${low} />`,
      )}
      ${banks} ${shores} ${arcs} ${beads} ${knots} ${numbers} ${labels}
      <text class="row" x="0" y=${height - 31}>${text('chapters/inside/rows/prompt')}</text>
      <text class="row" x="0" y=${height - 9}>${text('chapters/inside/rows/second')}</text>
      ${tokens.map((token, i) => {
        const differs = others[i] !== undefined && others[i] !== token;
        return svg`<text class="token ${differs ? 'differs' : ''}" x=${x[i]} y=${height - 31}>${token}</text>
          ${
            others[i] !== undefined &&
            svg`<text
              class="token other ${differs ? 'differs' : ''}"
              data-drag=${words && differs ? `@${i}` : nothing}
              x=${x[i]}
              y=${height - 9}
              @pointerdown=${words && differs ? drag.grip : null}
              @touchstart=${words && differs ? drag.still : null}
            >${others[i]}${words && differs ? svg`<title>${text('chapters/inside/drag', { word: others[i] })}</title>` : nothing}</text>`
          }`;
      })}
      <text class="token said" x=${x[last]} y=${top - 10}>
        ${says === word ? word : `${word} → ${says}`}
      </text>
    </svg>
  </div>`;
}
