// Arrows of the plane, blended: each as far as its weight says, one after the other.
import { html, svg } from 'lit';
import { display } from '../draw/format.js';

/** @typedef {import('./arrows.js').Arrows} Arrows */

/** The arrows, each as far as its weight says, laid end to end.
 * @param {Arrows} plane @param {number[]} weights */
export function blend(plane, weights) {
  const seen = plane.arrows.map(({ row }) => plane.seen(row));
  const ends = [[0, 0]];
  for (const [i, tip] of seen.entries()) {
    const [x, y] = ends[i];
    ends.push([x + weights[i] * tip[0], y + weights[i] * tip[1]]);
  }
  const chain = ends.map((end) => plane.place(end));
  const [x, y] = chain[chain.length - 1];
  const corners = hullOf(seen).map((tip) => plane.place(tip).join(' '));
  return svg`<g class="blend" aria-hidden="true">
    <path class="hull" d="M${corners.join('L')}Z" />
    <path class="chain" d="M${chain.map((end) => end.join(' ')).join('L')}" />
    ${chain.slice(1).map(([cx, cy]) => svg`<circle cx=${cx} cy=${cy} r="3" />`)}
    <circle class="end" cx=${x} cy=${y} r="7" />
  </g>`;
}

/** Their sum, by its terms but those of nothing. @param {Arrows} plane @param {number[]} weights */
export function sum(plane, weights) {
  const { arrows } = plane;
  const terms = arrows.flatMap(({ name, sub, row, moves }, i) =>
    moves || row.some((x) => x !== 0) ? [{ name, sub, weight: weights[i] }] : [],
  );
  const row = arrows[0].row.map((_, c) =>
    arrows.reduce((all, { row }, i) => all + weights[i] * row[c], 0),
  );
  return html`<p class="product">
    ${terms.map(({ name, sub, weight }, i) => html`${i ? ' + ' : ''}<span class="summand"><b>${display(weight, { decimals: 4 })}</b> · <i>${sub?.letter}</i> ${name}</span>`)}
    = <b class="number">${plane.listed(row.map((value) => (plane.hides ? '?' : display(value))))}</b>
  </p>`;
}

/**
 * The corners of the smallest area without dents around some points, all the way around.
 * @param {number[][]} points
 */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (/** @type {number[][]} */ all) => {
    /** @type {number[][]} */
    const corners = [];
    for (const point of all) {
      while (corners.length > 1 && isRight(corners.at(-2), corners.at(-1), point)) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** Whether the way from a over b to c does not turn left.
 * @param {number[] | undefined} a @param {number[] | undefined} b @param {number[]} c */
const isRight = (a = [0, 0], b = [0, 0], c) =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0;
