// Names at the tips of arrows, and the paper below them.
import { nothing, svg } from 'lit';
import { display } from '../draw/format.js';
import { layOutLabels } from './label-layout.js';
import '../../style/arrow-names.css';

/** @typedef {import('./label-layout.js').Point} Point */
/** @typedef {import('./label-layout.js').Box} Box */
/** @typedef {import('./lettering.js').Lettering} Lettering */
/** An arrow that has a name. number: what stands behind it; clear: how far from the tip it begins; broad: the shaft; away: what
 * the name keeps away from, if that is not where the arrow begins.
 * @typedef {{ tip: Point, from: Point, away?: Point, role: string, letter: string, name: string, number?: string, clear: number,
 *   broad: number }} Named */

/** Things that are the same, as one, by all their names; first: which of them comes first.
 * @template {Record<string, any>} T @param {readonly T[]} all @param {(one: T) => string} keyOf @param {keyof T & string} name
 * @returns {(T & { first: number })[]} */
export const merged = (all, keyOf, name) =>
  all.flatMap((one, first) => {
    const same = all.filter((other) => keyOf(other) === keyOf(one));
    return same[0] === one
      ? [{ ...one, first, [name]: same.map((other) => other[name]).join(', ') }]
      : [];
  });

/** A line of type is so much higher than its letters. */
const LINE = 1.3;
/** Room at both ends of a name. */
const SPARE = 3;
/** What a name costs that an axis runs through: it rather turns around its tip. */
const ON_AXIS = 14;

/**
 * @param {Named[]} names
 * @param {{ size: number, lettering: Lettering, taken?: Box[], marks?: Mark[], origin?: Point }} drawing taken: what no name
 *   covers; origin: where the axes meet, if there are axes
 */
export function namesOf(names, { size, lettering, taken, marks = [], origin }) {
  const labels = names.map(({ tip, from, away = from, letter, name, number = '', clear }) => ({
    ...{ tip, from: away, clear },
    width: lettering.widthOf(`${letter} ${name}${number && ` ${number}`}`) + 2 * SPARE,
    height: LINE * lettering.type,
  }));
  const lines = [
    ...names.map(({ from, tip, broad }) => ({ ends: /** @type {const} */ ([from, tip]), broad })),
    ...marks.map((mark) => lineOf(mark, lettering)),
    ...(origin ? axesAt(origin, size) : []),
  ];
  const places = layOutLabels(labels, { size, taken, lines });
  return svg`<g class="arrow-names" style=${`font-size: ${lettering.type}px`} aria-hidden="true">
    ${places.map((place, i) => place && nameAt(place, names[i]))}
  </g>`;
}

/** @param {import('./label-layout.js').Place} place @param {Named} named */
const nameAt = (
  { x, y, led },
  { tip, role, letter, name, number },
) => svg`<g class=${`named role-${role}`}>
    ${led ? svg`<path class="lead" d="M${tip.join(' ')}L${led.join(' ')}" />` : nothing}
    <text x=${x} y=${y} dy="0.35em" text-anchor="middle"
      ><tspan class="letter">${letter}</tspan><tspan> ${name}</tspan>${
        number === undefined ? nothing : svg`<tspan class="score"> ${number}</tspan>`
      }</text>
  </g>`;

/** A number or a name beside an axis: where it begins, ends or has its middle.
 * @typedef {{ text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end' }} Mark */
/** What points left, right, down and up in a plane. @typedef {readonly [string, string, string, string]} Ends */

/** What names keep off where they can. @param {Mark} mark @param {Lettering} lettering */
function lineOf({ text, x, y, anchor }, { small }) {
  const half = (small * text.length) / 3;
  const middle = x + half * { start: 1, middle: 0, end: -1 }[anchor];
  return {
    ends: /** @type {const} */ ([
      [middle - half, y],
      [middle + half, y],
    ]),
    broad: small,
  };
}

/** Both axes. @param {Point} origin @param {number} size @returns {import('./label-layout.js').Line[]} */
const axesAt = ([x, y], size) => [
  {
    ends: [
      [0, y],
      [size, y],
    ],
    broad: 1,
    cost: ON_AXIS,
  },
  {
    ends: [
      [x, 0],
      [x, size],
    ],
    broad: 1,
    cost: ON_AXIS,
  },
];

/** At the ends of the axes, on their sides without numbers. @param {Ends} ends @param {Point} origin @param {number} size
 * @param {number} small @returns {Mark[]} */
export function namesAt([left, right, down, up], [ox, oy], size, small) {
  const [above, beside] = [oy - 0.8 * small, ox + 0.5 * small];
  return [
    { text: left, x: 0, y: above, anchor: 'start' },
    { text: right, x: size, y: above, anchor: 'end' },
    { text: down, x: beside, y: size - 0.7 * small, anchor: 'start' },
    { text: up, x: beside, y: 0.7 * small, anchor: 'start' },
  ];
}

/** @param {Mark[]} marks */
export const textsOf = (marks) =>
  marks.map(
    ({ text, x, y, anchor }) =>
      svg`<text x=${x} y=${y} dy="0.35em" text-anchor=${anchor}>${text}</text>`,
  );

/**
 * Lines a step apart, and numbers at both axes: few enough that they can be read.
 * @param {{ size: number, step: number, place: (point: [number, number]) => Point, lettering: Lettering, ends?: Ends }} of
 */
export function paperOf({ size, step, place, lettering: { small }, ends }) {
  const [ox, oy] = place([0, 0]);
  const unit = place([step, 0])[0] - ox;
  /* As many steps as lie within, left of the origin and right of it, below and above. */
  const steps = (/** @type {number} */ from, /** @type {number} */ to) => {
    const [low, high] = [Math.ceil(from / unit), Math.floor(to / unit)];
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i).filter(
      (n) => n && n * unit > from + 1 && n * unit < to - 1,
    );
  };
  const [across, up] = [steps(-ox, size - ox), steps(oy - size, oy)];
  const every = Math.max(...across, ...up) > 3 || unit < 3 * small ? 2 : 1;
  const isMarked = (/** @type {number} */ n) => n % every === 0;
  const number = (/** @type {number} */ n) => display(Number((n * step).toPrecision(6)));
  /** @type {Mark[]} */
  const marks = [
    ...across.filter(isMarked).map((n) => ({
      ...{
        text: number(n),
        x: ox + n * unit,
        y: oy + 0.8 * small,
        anchor: /** @type {const} */ ('middle'),
      },
    })),
    ...up.filter(isMarked).map((n) => ({
      ...{
        text: number(n),
        x: ox - 0.4 * small,
        y: oy - n * unit,
        anchor: /** @type {const} */ ('end'),
      },
    })),
    ...(ends ? namesAt(ends, [ox, oy], size, small) : []),
  ];
  const drawn = svg`<g class="paper" style=${`font-size: ${small}px`} aria-hidden="true">
    ${across.map((n) => svg`<path d="M${ox + n * unit} 0V${size}" />`)}
    ${up.map((n) => svg`<path d="M0 ${oy - n * unit}H${size}" />`)}
    <path class="axis" d="M${ox} 0V${size}M0 ${oy}H${size}" />
    ${textsOf(marks)}
  </g>`;
  return { drawn, marks };
}
