// The residual stream as a river: from below to above, at each position a thread, and the last one as wide as what has
// been written into it counts for the logit. Heads are arcs from the words that they read; below each lies a ring, the same
// head in the other text, which can be dragged onto it. The river is that of the changed run, over the banks of the intact one.
import { html, nothing, svg } from 'lit';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { isStop } from '../../stage/draw/names.js';
import { changeOf, LEVEL_TEXTS, numbered, signed } from './words.js';

/** @typedef {import('../../workers/inside/experiments.js').Whole} Whole */
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
 * @typedef {object} Actions
 * @property {(head: string) => void} press
 * @property {(place: string) => void} patch takes what a place gives from the other text, or puts it back
 * @property {(place: string) => void} silence switches a place off, or puts it back
 * @property {(part: string) => void} open
 * @property {(part: Partial<State>) => void} change
 * @property {import('./drag.js').Drag} drag
 */

/** The drawing is laid out for type of 16 px, and grows with what the reader chose. */
const REM = 16;
const [LEFT, RIGHT, BELOW, ABOVE] = [68, 236, 48, 32];
/** Of a model of few layers: the height of a level, and of one of heads, with words, a row of dots and a row of rings; the widest arc;
 * from dot to dot; half of the largest dot. */
const WIDE = { level: 30, heads: 78, arc: 20, step: 34, dot: 13 };
/** Of one of many: words stand beside the dots, and there are no rings. */
const DENSE = { level: 17, heads: 24, arc: 9, step: 16, dot: 7 };
/** Half of a dot, as a part of the largest, where there is next to no effect. */
const LEAST_DOT = 1 / 6;
export const FEW_LAYERS = 6;
/** What a letter of a word takes, and a wide one; and the least of a column. */
const [LETTER, WIDE_LETTER, GAP, COLUMN] = [7.2, 12.5, 10, 25];
/** From this one on it is seen well what an arc reads. */
const THICK_ARC = 1.5;
/** On a narrow screen and on a slide a lesson leaves out the words that both texts have: what stands for them, and the edges that
 * are left. */
const FOLDED = { text: '…', left: 58, right: 206 };
/** How wide that is. */
export const FOLDS = { phone: COLUMN, slide: 120 };
/** How wide a word is. @param {string} word */
const widthOf = (word) =>
  Array.from(word).reduce(
    (sum, letter) => sum + (/[mwMW@]/.test(letter) ? WIDE_LETTER : LETTER),
    0,
  );
/** Half of the river where it is widest. */
const MAX_HALF_WIDTH = 24;
/** From the river to the dots. */
const DOTS_FROM_RIVER = MAX_HALF_WIDTH + 24;
/** Between arcs of one level. */
const ARC_GAP = 3;
/** Arcs that would be thinner are left out, and those have the number of their head that have room for it. */
const MIN_ARC = 0.5;
const NUMBERED_ARC = 5;
/** From the river to that number. */
const NUMBER_FROM_RIVER = 18;

/**
 * The levels of the stream: the embedding, then attention and feed-forward of each layer, then the last biases.
 * @param {Whole['sum']} sum
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
 * @param {Whole} result */
function bothOf({ sum, intact }) {
  const before = levelsOf(intact);
  const after = levelsOf(sum);
  const levels = before.map((level) => {
    const match = after.find(({ layer, part }) => layer === level.layer && part === level.part);
    return match ?? { ...level, value: 0, above: 0 };
  });
  return { before, levels };
}

/** @param {number} value */
const side = (value) => (value < 0 ? 'against' : 'for');

/** How a value differs from another; null while it is not computed. @param {number | null} value @param {number} intact */
export const differenceOf = (value, intact) => (value === null ? null : value - intact);

/** @param {number} intact @param {((number | null)[][] | null)[]} tables */
export const largestChange = (intact, ...tables) =>
  Math.max(...tables.flat(2).map((value) => Math.abs(differenceOf(value, intact) ?? 0)));

/** Where all that can be touched lies.
 * @param {Whole} result @param {Level[]} levels @param {typeof WIDE} size @param {number | null} fold */
function layoutOf({ tokens, others, alone }, levels, size, fold) {
  const seen = tokens.map(
    (token, i) => fold === null || (others[i] ?? token) !== token || i === tokens.length - 1,
  );
  const widths = tokens.map((token, i) => Math.max(widthOf(token), widthOf(others[i] ?? '')));
  let right = fold === null ? LEFT : FOLDED.left;
  const x = widths.map((wide, i) => {
    const isFirst = seen[i - 1] ?? true;
    const width = seen[i] ? Math.max(COLUMN, wide + GAP) : isFirst ? Number(fold) : 0;
    right += width;
    return right - width / 2;
  });
  const heights = levels.map(({ part, layer }) =>
    layer !== null && part === 'self_attn' ? size.heads : size.level,
  );
  const height = heights.reduce((all, one) => all + one, ABOVE + BELOW);
  let below = height - BELOW;
  /** The lower end, the middle and the upper end of each level. */
  const y = heights.map((size) => {
    below -= size;
    return { from: below + size, middle: below + size / 2, to: below };
  });
  const dots = DOTS_FROM_RIVER + alone[0].length * size.step;
  const labels = fold === null ? RIGHT : FOLDED.right;
  const width = right + Math.max(labels, dots + (size === DENSE ? labels : 0));
  return { x, y, width, height, seen };
}

/** What all parts of the drawing need: levels, places, scales.
 * @param {Whole} result
 * @param {State} state
 * @param {Actions} actions
 * @param {number | null} fold
 */
function sceneOf(result, { off, from, open }, actions, fold) {
  const { tokens, intact, alone, contrast, opened, target } = result;
  const { before, levels } = bothOf(result);
  const size = alone.length > FEW_LAYERS ? DENSE : WIDE;
  const thickest = thickestOf(intact);
  /** How thick the arc of a head is. @param {number} value */
  const thickOf = (value) => Math.min(size.arc, (size.arc * Math.abs(value)) / thickest);
  const read = opened.parts.flatMap(({ key, value }) =>
    key !== undefined && thickOf(value) >= THICK_ARC ? [key] : [],
  );
  const layout = layoutOf(result, levels, size, fold);
  const widest = Math.max(...[...before, ...levels].map(({ above }) => Math.abs(above))) || 1;
  const effectOf = (/** @type {number | null} */ value) => differenceOf(value, intact.total);
  const effects = alone.map((row) => row.map(effectOf));
  return {
    ...{ result, actions, before, levels, size, open, effects, effectOf },
    ...layout,
    ...{ read, thickOf },
    last: tokens.length - 1,
    centre: layout.x[tokens.length - 1],
    isDense: size === DENSE,
    /* A dot of one experiment is as large as one of the other that changes as much. */
    most: largestChange(intact.total, alone, contrast) || 1,
    /** What the other text changes altogether. */
    whole: Math.abs(Number(target) - intact.total || 1),
    half: (/** @type {number} */ above) => Math.max(1, (MAX_HALF_WIDTH * Math.abs(above)) / widest),
    changed: (/** @type {string} */ place) =>
      off.includes(place) ? 'off' : from.includes(place) ? 'patched' : '',
  };
}

/** @typedef {ReturnType<typeof sceneOf>} Scene */

/** What a place does alone: for the logit, against it, or not computed yet. @param {number | null} effect */
const sideOf = (effect) => (effect === null ? 'unknown' : side(-effect));

/** What the head that counts most adds: the same before a change and after it. @param {Whole['sum']} intact */
const thickestOf = ({ parts }) =>
  Math.max(...parts.map(({ source, value }) => (source === 'head' ? Math.abs(value) : 0))) || 1;

/** Lights all that is drawn of a head while a pointer is at any of it. @param {PointerEvent} event */
function link({ type, currentTarget }) {
  const { dataset, ownerSVGElement } = /** @type {SVGElement} */ (currentTarget);
  for (const one of ownerSVGElement?.querySelectorAll(`[data-head="${dataset.head}"]`) ?? [])
    one.classList.toggle('lit', type === 'pointerenter');
}

/** From each word up to where the highest arc leaves its thread, as thick as the thickest of its arcs.
 * @param {Scene} scene */
function stemsOf({ result, levels, thickOf, x, y, read }) {
  const { parts } = result.opened;
  return read
    .filter((key, i) => read.indexOf(key) === i)
    .map((key) => {
      const arcs = parts.filter((part) => part.key === key);
      const ends = levels.flatMap(({ layer, part }, level) =>
        part === 'self_attn' &&
        arcs.some((one) => one.layer === layer && thickOf(one.value) >= THICK_ARC)
          ? [y[level].from]
          : [],
      );
      const thick = Math.max(...arcs.map(({ value }) => thickOf(value)));
      return svg`<line class="stem" x1=${x[key]} x2=${x[key]} y1=${Math.min(...ends)} y2=${y[0].from} stroke-width=${thick} />`;
    });
}

/** Heads as arcs from the words that they read. Arcs of one level lie beside each other.
 * @param {Scene} scene */
function arcsOf({ result, levels, thickOf, x, y, last, half, changed, open, actions }) {
  const { opened, tokens } = result;
  return levels.flatMap(({ layer, part: kind }, level) => {
    if (kind !== 'self_attn') return [];
    const { from: start, middle: height } = y[level];
    const parts = opened.parts.flatMap((part) => {
      const thick = thickOf(part.value);
      const { key } = part;
      const isSeen = key !== undefined && key !== last && thick >= MIN_ARC;
      return isSeen && part.layer === layer ? [{ ...part, key, thick }] : [];
    });
    /* How much of the level is taken. */
    let taken = -parts.reduce((all, { thick }) => all + thick + ARC_GAP, -ARC_GAP) / 2;
    return parts.map(({ name, layer, head, key, value, weight, thick }) => {
      const aside = taken + thick / 2;
      taken += thick + ARC_GAP;
      /* They part behind the word. */
      const [left, middle] = [x[key] + aside / 2, height + aside];
      const title = text('chapters/inside/arc', {
        ...{ ...numbered({ layer, head }), word: tokens[key] },
        ...{ value: signed(value), weight: display(/** @type {number} */ (weight)) },
      });
      const place = `${layer}.${head}`;
      const beside = x[last] - half(levels[level].above) - NUMBER_FROM_RIVER;
      return svg`<path
        class="arc ${side(value)} ${changed(place)} ${open === name ? 'open' : ''}"
        data-head=${place}
        d=${`M${left} ${start}C${left} ${middle} ${left} ${middle} ${x[last]} ${middle}`}
        stroke-width=${thick}
        @click=${() => actions.open(name)}
        @pointerenter=${link}
        @pointerleave=${link}
      ><title>${title}</title></path>
      ${thick < NUMBERED_ARC ? nothing : svg`<text class="row number" x=${beside} y=${middle + 4}>${Number(head) + 1}</text>`}`;
    });
  });
}

/** What heads of the other text write, as bands from their dots into the river: what they read stands in no word here.
 * @param {Scene} scene */
function bandsOf(scene) {
  const { result, levels, size, y, centre, changed, actions } = scene;
  const thickest = thickestOf(result.intact);
  return levels.flatMap(({ layer, part: kind }, level) => {
    if (kind !== 'self_attn') return [];
    return result.sum.parts.flatMap(({ name, layer: of, head, value }) => {
      if (of !== layer || head === null || changed(`${layer}.${head}`) !== 'patched') return [];
      const from = centre + DOTS_FROM_RIVER + Number(head) * size.step;
      const height = y[level].middle + (scene.isDense ? 0 : HEADS.dot);
      const title = text('chapters/inside/band', {
        ...numbered({ layer, head }),
        value: signed(value),
      });
      return svg`<path
        class="arc band ${side(value)}"
        d=${`M${from} ${height}C${from - 16} ${height} ${centre + 24} ${y[level].middle} ${centre} ${y[level].middle}`}
        stroke-width=${Math.max(1, (size.arc * Math.min(thickest, Math.abs(value))) / thickest)}
        @click=${() => actions.open(name)}
      ><title>${title}</title></path>`;
    });
  });
}

/** Both banks of the river at a level, with a stroke across or without.
 * @param {Scene} scene @param {Level[]} levels @param {number} level @param {'L' | 'M'} across */
function banksAt({ y, centre, half }, levels, level, across) {
  const { from: start, middle, to } = y[level];
  /* They overlap by more than a pixel of the smallest type, so that no seam is seen. */
  const begin = start + 2;
  const [a, b] = [level === 0 ? 1 : half(levels[level - 1].above), half(levels[level].above)];
  return [
    `M${centre - a} ${begin}V${start}C${centre - a} ${middle} ${centre - b} ${middle} ${centre - b} ${to}`,
    `${across}${centre + b} ${to}C${centre + b} ${middle} ${centre + a} ${middle} ${centre + a} ${start}V${begin}`,
  ].join('');
}

/** The river of the changed run, and the banks of the intact one.
 * @param {Scene} scene */
function banksOf(scene) {
  const { result, levels, before } = scene;
  const banks = levels.map(
    ({ above }, level) =>
      svg`<path class="bank ${side(above)}" d=${`${banksAt(scene, levels, level, 'L')}Z`} />`,
  );
  const shores =
    result.sum === result.intact
      ? nothing
      : before.map(
          (_, level) => svg`<path class="shore" d=${banksAt(scene, before, level, 'M')} />`,
        );
  return svg`${banks} ${shores}`;
}

/** Feed-forwards are dots in the river, by what they add.
 * @param {Scene} scene */
function beadsOf({ levels, size, centre, y, changed, actions }) {
  const largest = Math.max(...levels.map(({ value }) => Math.abs(value))) || 1;
  return levels.flatMap(({ layer, part, value }, level) => {
    if (part !== 'feed_forward') return [];
    const place = `${layer}.ff`;
    return svg`<circle
      class="bead ${side(value)} ${changed(place)}"
      data-place=${place}
      cx=${centre}
      cy=${y[level].middle}
      r=${(size.dot / 3) * (1 + Math.sqrt(Math.abs(value) / largest))}
      @click=${() => actions.press(place)}
    ><title>${text('chapters/inside/bead', { ...numbered({ layer }), value: signed(value) })}</title></circle>`;
  });
}

/** The stream of the other text can enter each layer, at each position.
 * @param {Scene} scene */
function knotsOf({ result, levels, x, y, effectOf, whole, changed, actions }) {
  return (result.words ?? []).flatMap((row, layer) => {
    const level = levels.findIndex((one) => one.layer === layer && one.part === 'self_attn');
    return row.map((value, position) => {
      const effect = effectOf(value);
      const place = `${layer}@${position}`;
      return svg`<circle
        class="knot ${sideOf(effect)} ${changed(place)}"
        data-place=${place}
        cx=${x[position]}
        cy=${y[level].from}
        r=${2 + 5 * Math.sqrt(Math.min(1, Math.abs(effect ?? 0) / whole))}
        @click=${() => actions.patch(place)}
      ><title>${text('chapters/inside/stream/one', { ...numbered({ layer }), word: result.others[position], value: changeOf(effect) })}</title></circle>`;
    });
  });
}

/** From the middle of a level to its words and the numbers of its heads above it, and to the dots and rings below it. */
const HEADS = { words: 27, number: 10, dot: 10, ring: 31 };

/** A head's dot beside its level, and its ring, the same head in the other text.
 * @param {Scene} scene @param {number} layer @param {number} head @param {number} middle of the level */
function headAt(scene, layer, head, middle) {
  const { result, size, centre: river, isDense, effects, most, changed, actions } = scene;
  const name = `${layer}.${head}`;
  const effect = effects[layer][head];
  const centre = river + DOTS_FROM_RIVER + head * size.step;
  /* Its area says how much. */
  const radius = size.dot * Math.max(LEAST_DOT, Math.sqrt(Math.abs(effect ?? 0) / most));
  const height = isDense ? middle : middle + HEADS.dot;
  const title = text('chapters/inside/change', {
    ...numbered({ layer, head }),
    value: changeOf(effect),
  });
  const press = () => actions.press(name);
  return svg`${isDense ? nothing : svg`<text class="row number" x=${centre} y=${middle - HEADS.number}>${head + 1}</text>`}
    <circle
      class="reach"
      data-head=${name}
      cx=${centre}
      cy=${height}
      r=${size.step / 2}
      @click=${press}
      @pointerenter=${link}
      @pointerleave=${link}
    ><title>${title}</title></circle>
    <circle
      class="head ${sideOf(effect)} ${changed(name)}"
      data-place=${name}
      data-head=${name}
      cx=${centre}
      cy=${height}
      r=${radius}
      @click=${press}
    ><title>${title}</title></circle>
    ${
      result.words &&
      !isDense &&
      svg`<circle
        class="ring"
        data-drag=${name}
        cx=${centre}
        cy=${middle + HEADS.ring}
        r="6"
        @pointerdown=${actions.drag.grip}
        @touchstart=${actions.drag.still}
      ><title>${text('chapters/inside/ring', numbered({ layer, head }))}</title></circle>`
    }`;
}

/** The names and values of the levels, with the heads of each.
 * @param {Scene} scene */
function labelsOf(scene) {
  const { result, levels, before, centre, size, y, isDense, actions } = scene;
  const { alone, sum, intact } = result;
  const begin = centre + DOTS_FROM_RIVER;
  const x = isDense ? begin + alone[0].length * size.step : begin - 8;
  return levels.map(({ layer, part, value, most }, level) => {
    const heads = layer !== null && part === 'self_attn' ? alone[layer].length : 0;
    const { middle } = y[level];
    return svg`<g>
      ${Array.from({ length: heads }, (_, head) => headAt(scene, Number(layer), head, middle))}
      <text class="level" x=${x} y=${heads && !isDense ? middle - HEADS.words : middle + 4} @click=${() => actions.open(most)}>
        ${text(LEVEL_TEXTS[part], numbered({ layer }))}
        <tspan class=${side(value)}>${signed(value)}</tspan>
        ${sum === intact ? nothing : svg`<title>${text('chapters/inside/before')}: ${signed(before[level].value)}</title>`}
      </text>
    </g>`;
  });
}

/** Of many layers all have their heads' numbers above them.
 * @param {Scene} scene */
const numbersOf = ({ result, isDense, centre, size }) =>
  isDense
    ? result.alone[0].map(
        (_, head) =>
          svg`<text class="row number" x=${centre + DOTS_FROM_RIVER + head * size.step} y=${ABOVE - 8}>${head + 1}</text>`,
      )
    : nothing;

/** Both texts below the river, and what the model says above it.
 * @param {Scene} scene */
function textsOf({ result, x, height, last, seen, actions: { drag } }) {
  const { tokens, others, words, word, says } = result;
  const other = (/** @type {number} */ i, /** @type {boolean} */ differs) => {
    const isHeld = words && differs;
    return svg`<text
      class="token other ${differs ? 'differs' : ''}"
      data-drag=${isHeld ? `@${i}` : nothing}
      x=${x[i]}
      y=${height - 9}
      @pointerdown=${isHeld ? drag.grip : null}
      @touchstart=${isHeld ? drag.still : null}
    >${others[i]}${isHeld ? svg`<title>${text('chapters/inside/drag', { word: others[i] })}</title>` : nothing}</text>`;
  };
  return svg`
    <text class="row" x="0" y=${height - 31}>${text('chapters/inside/rows/prompt')}</text>
    <text class="row" x="0" y=${height - 9}>${text('chapters/inside/rows/second')}</text>
    ${tokens.map((token, i) => {
      if (!seen[i])
        return seen[i - 1] === false
          ? nothing
          : svg`<text class="token other" x=${x[i]} y=${height - 31}>${FOLDED.text}</text>`;
      const differs = others[i] !== undefined && others[i] !== token;
      return svg`<text class="token ${differs ? 'differs' : ''}" x=${x[i]} y=${height - 31}>${token}</text>
        ${others[i] !== undefined && other(i, differs)}`;
    })}
    <text class="token said" x=${x[last]} y=${ABOVE - 14}>
      ${says === word ? word : `${word} → ${says}`}
    </text>`;
}

/** The text whose words are left out, with those that the other text has not.
 * @param {Whole} result */
const storyOf = ({ tokens, others }) =>
  tokens.map((token, i) => [
    i > 0 && !isStop(token) ? ' ' : '',
    (others[i] ?? token) === token ? token : html`<b>${token}</b>`,
  ]);

/**
 * @param {Whole} result
 * @param {State} state
 * @param {Actions} actions
 * @param {number | null} fold how wide is what stands for the words that both texts have; null where these are not left out
 */
export function river(result, state, actions, fold) {
  const scene = sceneOf(result, state, actions, fold);
  const { x, y, width, height, last, seen } = scene;
  return html`${fold === null ? nothing : html`<p class="whole">${storyOf(result)}</p>`}
  <div class="scroll" tabindex="0" role="region" aria-label=${text('chapters/inside/river')}>
    <svg
      style="--width: ${width / REM}rem; --height: ${height / REM}rem"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${text('chapters/inside/drawn', { word: result.word, value: display(result.sum.total) })}
    >
      ${result.tokens.map((_, i) =>
        i === last || !seen[i]
          ? nothing
          : svg`<line class="thread" x1=${x[i]} x2=${x[i]} y1=${ABOVE - 4} y2=${y[0].from} />`,
      )}
      ${banksOf(scene)} ${stemsOf(scene)} ${arcsOf(scene)} ${bandsOf(scene)} ${beadsOf(scene)} ${knotsOf(scene)} ${numbersOf(scene)}
      ${labelsOf(scene)} ${textsOf(scene)}
    </svg>
  </div>`;
}
