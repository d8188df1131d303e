// One plane of the lenses: the arrows of queries and keys, or those of values with the words at its corners.
import { nothing, svg } from 'lit';
import { text } from '../app/locale/text.js';
import { display } from '../stage/draw/format.js';

/** @typedef {import('./lenses.js').Point} Point */
/** @typedef {import('./lenses.js').Arrow} Arrow */
/** @typedef {import('./lenses.js').Corner} Corner */

/** Of the drawing, in its own units. */
export const SIZE = 400;
const MIDDLE = SIZE / 2;
/** A shorter arrow is a point. */
const VISIBLE = 0.05;

/** A plane: how much of it is seen, and where a point of it lies in the drawing. @param {number} reach */
export function planeOf(reach) {
  const unit = MIDDLE / reach;
  const place = (/** @type {readonly number[]} */ [x, y]) =>
    /** @type {Point} */ ([MIDDLE + unit * x, MIDDLE - unit * y]);
  /** The same of a pointer. @param {SVGSVGElement} drawing @param {PointerEvent} event @returns {Point} */
  const under = (drawing, { clientX, clientY }) => {
    const box = drawing.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top].map((px) => (px * SIZE) / box.width);
    return [(x - MIDDLE) / unit, (MIDDLE - y) / unit];
  };
  return { place, under };
}

/** @typedef {ReturnType<typeof planeOf>} Plane */

export const paper = svg`<g class="paper" aria-hidden="true">
  <path class="axis" d="M${MIDDLE} 0V${SIZE}M0 ${MIDDLE}H${SIZE}" />
</g>`;

/** @param {Point} tip */
const isVisible = ([x, y]) => Math.hypot(x, y) > VISIBLE;

/** @typedef {import('../stage/elements/label-layout.js').Label} Label */

/** Where the tip of an arrow lies in the drawing, and which way it points. @param {Plane} plane @param {Point} tip */
function drawn(plane, tip) {
  const [[x, y], [ox, oy]] = [plane.place(tip), plane.place([0, 0])];
  const length = Math.hypot(x - ox, y - oy) || 1;
  return { x, y, ox, oy, dx: (x - ox) / length, dy: (y - oy) / length };
}

/**
 * Where the name of an arrow stands.
 * @param {Plane} plane @param {Arrow} arrow
 * @param {{ letter: string, along?: number, beside?: number }} how along: as a part of its length; beside: how far from it
 * @returns {Label}
 */
export function labelOf(plane, { tip, token }, { letter, along = 1, beside = 0 }) {
  const { x, y, ox, oy, dx, dy } = drawn(plane, tip);
  const clear = along === 1 ? 16 : 0;
  const side = along === 1 ? dx : -Math.sign(beside) * dy;
  return {
    x: ox + along * (x - ox) + clear * dx - beside * dy,
    y: oy + along * (y - oy) + clear * dy + beside * dx,
    anchor: side < -0.3 ? 'end' : side > 0.3 ? 'start' : 'middle',
    letters: letter.length + 1 + token.length,
  };
}

/**
 * An arrow from the origin, with its name.
 * @param {Plane} plane @param {Arrow} arrow
 * @param {{ role: string, letter: string, beam?: boolean, along?: number, beside?: number, number?: number | null, faint?: boolean,
 *   label?: Label }} how
 *   beam: as broad as what it finds; number: what stands behind its name
 */
export function arrowOf(plane, arrow, how) {
  const { tip, token } = arrow;
  if (!isVisible(tip)) return nothing;
  const { role, letter, beam = false, number = null, faint = false } = how;
  const { x, y, ox, oy, dx, dy } = drawn(plane, tip);
  const { x: tx, y: ty, anchor } = how.label ?? labelOf(plane, arrow, how);
  return svg`<g class="arrow role-${role} ${beam ? 'beam' : ''} ${faint ? 'faint' : ''}" aria-hidden="true">
    <path class="shaft" d="M${ox} ${oy}L${x - 8 * dx} ${y - 8 * dy}" />
    <path class="head" d="M0 0L-15 7V-7Z" transform=${`matrix(${[dx, dy, -dy, dx, x, y]})`} />
    <text x=${tx} y=${ty} dy="0.35em" text-anchor=${anchor}
      ><tspan class="letter">${letter}</tspan><tspan> ${token}</tspan>${
        number === null
          ? nothing
          : svg`<tspan class="score-word"> ${text('lessons/lens/score', { n: '' })}</tspan><tspan class="score" dx="6">${display(number)}</tspan>`
      }</text>
  </g>`;
}

/** Tokens whose row is zero: they say nothing. @param {Plane} plane @param {Arrow[]} arrows @param {string} role */
export function silent(plane, arrows, role) {
  const names = arrows.filter(({ tip }) => !isVisible(tip)).map(({ token }) => token);
  if (!names.length) return nothing;
  const [x, y] = plane.place([0, 0]);
  return svg`<g class="arrow silent role-${role}" aria-hidden="true">
    <circle cx=${x} cy=${y} r="5" />
    <text class="names" x=${x} y=${y + 28} text-anchor="middle">${names.join(' ')}</text>
  </g>`;
}

/**
 * A word that an output can point at.
 * @param {Plane} plane @param {Corner} corner @param {boolean} isNext
 */
export function cornerOf(plane, { word, id, tip: [a, b] }, isNext) {
  const [x, y] = plane.place([a, b]);
  const below = b < 0 ? 34 : -22;
  return svg`<g class="verb ${isNext ? 'likeliest' : ''} ${b < 0 ? 'low' : ''}" data-gate=${`vocabulary:${id}`}>
    <rect class="place" x=${x - 7} y=${y - 7} width="14" height="14" />
    <text class="word" x=${x} y=${y + below} text-anchor="middle">${word}</text>
  </g>`;
}

/**
 * Values, each as long as its weight says, laid end to end: the output is where they end.
 * @param {Plane} plane @param {Arrow[]} values @param {number[]} weights @param {number} part of the way
 */
export function blendOf(plane, values, weights, part) {
  /** @type {Point[]} */
  const ends = [[0, 0]];
  for (const [i, { tip }] of values.entries()) {
    const [x, y] = ends[i];
    ends.push([x + weights[i] * tip[0], y + weights[i] * tip[1]]);
  }
  const chain = ends.map((end) => plane.place(end.map((x) => part * x)));
  const [x, y] = chain[chain.length - 1];
  return svg`<g class="blend" aria-hidden="true">
    <path class="chain" d="M${chain.map((end) => end.join(' ')).join('L')}" />
    <circle class="end" cx=${x} cy=${y} r="11" />
  </g>`;
}
