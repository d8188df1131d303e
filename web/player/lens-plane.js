// One plane of the lenses: the arrows of queries and keys, or those of values with the words at its corners.
import { nothing, svg } from 'lit';
import { merged } from '../stage/elements/arrow-names.js';
import { tipOf } from './lenses.js';

/** @typedef {import('./lenses.js').Point} Point */
/** @typedef {import('./lenses.js').Arrow} Arrow */
/** side: on which side of its place its word stands, 1 for below, if that is not the outer one.
 * @typedef {Pick<import('./lenses.js').Corner, 'id' | 'word' | 'tip'> & { side?: 1 | -1 }} Corner */

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
  /* A line each unit, or each so many of them. */
  const step = Math.ceil(reach / 6);
  return { place, under, step };
}

/** @typedef {ReturnType<typeof planeOf>} Plane */

/** The axes alone. */
export const axes = svg`<path class="axis" d="M${MIDDLE} 0V${SIZE}M0 ${MIDDLE}H${SIZE}" />`;

/** @param {Point} tip */
const isVisible = ([x, y]) => Math.hypot(x, y) > VISIBLE;

/** Where the tip of an arrow lies in the drawing, and which way it points. @param {Plane} plane @param {Point} tip */
function drawn(plane, tip) {
  const [[x, y], [ox, oy]] = [plane.place(tip), plane.place([0, 0])];
  const length = Math.hypot(x - ox, y - oy) || 1;
  return { x, y, ox, oy, dx: (x - ox) / length, dy: (y - oy) / length };
}

/**
 * An arrow from the origin.
 * @param {Plane} plane @param {Pick<Arrow, 'tip'>} arrow
 * @param {{ role: string, beam?: boolean, faint?: boolean }} how beam: as broad as what it finds
 */
export function arrowOf(plane, { tip }, { role, beam = false, faint = false }) {
  if (!isVisible(tip)) return nothing;
  const { x, y, ox, oy, dx, dy } = drawn(plane, tip);
  /* Where the shaft ends, within the head. */
  const neck = beam ? 21 : 8;
  return svg`<g class="arrow role-${role} ${beam ? 'beam' : ''} ${faint ? 'faint' : ''}" aria-hidden="true">
    <path class="shaft" d="M${ox} ${oy}L${x - neck * dx} ${y - neck * dy}" />
    <path class="head" d=${beam ? 'M0 0L-22 17V-17Z' : 'M0 0L-15 7V-7Z'} transform=${`matrix(${[dx, dy, -dy, dx, x, y]})`} />
  </g>`;
}

/** How far from a tip its name begins; from one that is held, and from a word's place. */
export const [CLEAR, CLEAR_OF_GRIP] = [12, 20];

/**
 * What is to be known of an arrow so that its name can be placed.
 * @param {Plane} plane @param {Arrow[]} arrows
 * @param {{ role: string, letter: string, clear?: number, beam?: boolean, number?: (arrow: Arrow) => string }} how
 * @returns {import('../stage/elements/arrow-names.js').Named[]}
 */
export const named = (plane, arrows, { role, letter, clear = CLEAR, beam = false, number }) =>
  merged(arrows, tipOf, 'token')
    .filter(({ tip }) => isVisible(tip))
    .map((arrow) => ({
      ...{ role, letter, clear, broad: beam ? 22 : 8, name: arrow.token },
      ...{ tip: plane.place(arrow.tip), from: plane.place([0, 0]), number: number?.(arrow) },
    }));

/** Around a point of the drawing. @param {Point} point @param {number} reach */
export const boxAround = ([x, y], reach) => ({
  left: x - reach,
  right: x + reach,
  top: y - reach,
  bottom: y + reach,
});

/** Tokens whose row is zero. @param {Arrow[]} arrows */
export const silent = (arrows) =>
  arrows.filter(({ tip }) => !isVisible(tip)).map(({ token }) => token);

/** Where a word that an output can point at has its place, and where the word stands. @param {Plane} plane
 * @param {Corner} corner @param {number} type how large it is written */
function placesOf(plane, { tip, side = tip[1] < 0 ? 1 : -1 }, type) {
  const [x, y] = plane.place(tip);
  /* Where the corners are close, each word stands on its own side. */
  const aside = Math.abs(x - MIDDLE) < 2 * type ? Math.sign(tip[0]) * 1.6 * type : 0;
  return { x, y, centre: x + aside, middle: y + side * (14 + 0.6 * type) };
}

/**
 * A word that an output can point at.
 * @param {Plane} plane @param {Corner} corner @param {boolean} isNext @param {number} type
 */
export function cornerOf(plane, corner, isNext, type) {
  const { x, y, centre, middle } = placesOf(plane, corner, type);
  return svg`<g class="verb ${isNext ? 'likeliest' : ''}" data-gate=${`vocabulary:${corner.id}`} style=${`font-size: ${type}px`}>
    <rect class="place" x=${x - 7} y=${y - 7} width="14" height="14" />
    <text class="word" x=${centre} y=${middle} dy="0.35em" text-anchor="middle">${corner.word}</text>
  </g>`;
}

/** What no name of an arrow covers: the words, and their places. @param {Plane} plane @param {Corner[]} corners
 * @param {import('../stage/elements/lettering.js').Lettering} lettering */
export const takenBy = (plane, corners, lettering) =>
  corners.flatMap((corner) => {
    const { x, y, centre, middle } = placesOf(plane, corner, lettering.type);
    const [wide, high] = [lettering.widthOf(corner.word) / 2, 0.65 * lettering.type];
    return [
      boxAround([x, y], 9),
      { left: centre - wide, right: centre + wide, top: middle - high, bottom: middle + high },
    ];
  });

/** How far the sum of the values may lie from the output, which rounds otherwise. */
const OFF = 1e-3;

/**
 * Values, each as long as its weight says, laid end to end: the output is where they end, unless no sum is taken.
 * @param {Plane} plane @param {{ values: Arrow[], weights: number[], output: Arrow }} lenses @param {number} part of the way
 */
export function blendOf(plane, { values, weights, output }, part) {
  /** @type {Point[]} */
  const ends = [[0, 0]];
  for (const [i, { tip }] of values.entries()) {
    const [x, y] = ends[i];
    ends.push([x + weights[i] * tip[0], y + weights[i] * tip[1]]);
  }
  const last = /** @type {Point} */ (ends.at(-1));
  const isSum = Math.hypot(...last.map((x, i) => x - output.tip[i])) < OFF;
  const place = (/** @type {Point} */ end) => plane.place(end.map((x) => part * x));
  const chain = isSum ? ends.map(place) : [];
  const [x, y] = place(isSum ? last : output.tip);
  return svg`<g class="blend" aria-hidden="true">
    ${isSum ? svg`<path class="chain" d="M${chain.map((end) => end.join(' ')).join('L')}" />` : nothing}
    <circle class="end" cx=${x} cy=${y} r="11" />
  </g>`;
}
