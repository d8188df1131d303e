// Three pictures below the welcome, of what the lessons end in. Their numbers are computed by tests/web/ends.js.
import { html, svg } from 'lit';
import { text } from '../app/locale/text.js';
import './ends.css';
import { birth, diagonal, river } from './ends.json' with { type: 'json' };

/** Of each drawing, in its own units. */
const [WIDTH, HEIGHT] = [320, 200];

/** Where each picture leads. */
const LINKS = {
  river: '#chapter=inside',
  birth: '#chapter=inside&view=birth',
  diagonal: '#chapter=training&settings=steps:300,dropout:0,heads:1,smoothing:0',
};

/** The last word as a river that grows from below, and heads as arcs from the words that they read. */
function riverDrawing() {
  const { tokens, next, levels, arcs } = river;
  const [floor, top, centre, widest] = [176, 30, 286, 26];
  const most = Math.max(...levels.map(Math.abs));
  const x = (/** @type {number} */ j) => 26 + ((centre - 26) * j) / (tokens.length - 1);
  const y = (/** @type {number} */ level) => floor - ((floor - top) * (level + 1)) / levels.length;
  const half = (/** @type {number} */ level) =>
    Math.max(1, (widest * Math.abs(levels[level])) / most);
  const bank = (/** @type {1 | -1} */ side) =>
    levels.map((_, i) => `${centre + side * half(i)} ${y(i)}`);
  const strongest = Math.max(...arcs.map(({ value }) => Math.abs(value)));
  return [
    svg`<path class="river" d="M${centre - 1} ${floor}L${bank(-1).join('L')}L${bank(1).reverse().join('L')}L${centre + 1} ${floor}Z" />`,
    arcs.map(
      ({ level, key, value }) =>
        svg`<path class="arc ${value < 0 ? 'against' : ''}" stroke-width=${Math.max(1, (12 * Math.abs(value)) / strongest)}
          d="M${x(key)} ${floor}C${x(key)} ${y(level)} ${x(key)} ${y(level)} ${centre} ${y(level)}" />`,
    ),
    tokens.map((_, j) => svg`<circle cx=${x(j)} cy=${floor} r="2.5" />`),
    /* The two names, one to each side. */
    svg`<text x=${x(1) + 8} y=${floor + 20} text-anchor="end">${tokens[1]}</text>`,
    svg`<text x=${x(3) - 8} y=${floor + 20}>${tokens[3]}</text>`,
    svg`<text x=${centre} y=${floor + 20} text-anchor="end">… ${tokens.at(-1)}</text>`,
    svg`<text class="next" x=${centre} y="18" text-anchor="middle">${next}</text>`,
  ];
}

/** How far each head attends to what followed before, step by step: one of them rises. */
function birthDrawing() {
  const { change, induction } = birth;
  const [first] = induction;
  const curves = first.flatMap((heads, layer) =>
    heads.map((_, head) => induction.map((grid) => grid[layer][head])),
  );
  const born = change.layer * first[0].length + change.head;
  const [left, floor, top] = [10, 180, 14];
  const most = Math.max(...curves.flat());
  const pathOf = (/** @type {number[]} */ curve) =>
    curve
      .map((value, i) => {
        const x = left + ((WIDTH - 2 * left) * i) / (curve.length - 1);
        return `${x.toFixed(1)} ${(floor - ((floor - top) * Math.max(0, value)) / most).toFixed(1)}`;
      })
      .join('L');
  return [
    svg`<path class="axis" d="M${left} ${floor}H${WIDTH - left}" />`,
    curves.map((curve, i) => (i === born ? '' : svg`<path class="curve" d="M${pathOf(curve)}" />`)),
    svg`<path class="curve born" d="M${pathOf(curves[born])}" />`,
  ];
}

/** Each letter that is written as a row: how much attention goes to each letter of the source. */
function diagonalDrawing() {
  const { source, target, rows } = diagonal;
  const cell = 16;
  const [left, top] = [(WIDTH - cell * source.length) / 2, 30];
  const middle = (/** @type {number} */ i) => cell * (i + 0.5);
  return [
    rows.map((row, i) =>
      row.map(
        (weight, j) =>
          svg`<rect x=${left + cell * j} y=${top + cell * i} width=${cell - 1} height=${cell - 1} fill-opacity=${0.06 + 0.94 * weight} />`,
      ),
    ),
    source.map(
      (letter, j) =>
        svg`<text x=${left + middle(j)} y=${top - 8} text-anchor="middle">${letter}</text>`,
    ),
    target.map(
      (letter, i) =>
        svg`<text x=${left - 12} y=${top + middle(i)} dy="0.3em" text-anchor="middle">${letter}</text>`,
    ),
  ];
}

/** @param {string} link @param {string} title @param {string} says @param {unknown} drawing */
const card = (link, title, says, drawing) => html`<a href=${link}>
  ${svg`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${drawing}</svg>`}
  <b>${title}</b>
  <span>${says}</span>
</a>`;

export const ends = () => html`<section class="ends">
  <h2>${text('lessons/welcome/ends/title')}</h2>
  <div>
    ${card(LINKS.river, text('lessons/welcome/ends/river/title'), text('lessons/welcome/ends/river/is'), riverDrawing())}
    ${card(LINKS.birth, text('lessons/welcome/ends/birth/title'), text('lessons/welcome/ends/birth/is'), birthDrawing())}
    ${card(LINKS.diagonal, text('lessons/welcome/ends/diagonal/title'), text('lessons/welcome/ends/diagonal/is'), diagonalDrawing())}
  </div>
</section>`;
