// The matrices of a sheet as tables, with headings for rows and columns, and fields for the numbers that are asked.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { text as say } from '../../app/locale/text.js';
import { css, fill, ink } from '../../stage/draw/colour.js';
import { symbol } from '../../stage/draw/names.js';
import { chip } from '../../stage/telling/number.js';

/** @typedef {import('../../../bindings/learn/exercises/index.js').Matrix} Matrix */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */

/** The roles of what attention consists of. @type {Record<string, 'q' | 'k' | 'v' | 'a'>} */
const ROLES = { q: 'q', w_q: 'q', k: 'k', w_k: 'k', v: 'v', w_v: 'v', weights: 'a' };
/** Recipes whose names mean something else than those of attention: Adam has a v, too. */
const OTHER_RECIPES = ['adam-step'];
const PROBABILITIES = ['weights', 'probabilities', 'targets', 'first', 'second'];

/** @param {Matrix} matrix @param {Problem} problem */
function roleOf({ of }, { recipe }) {
  if (OTHER_RECIPES.includes(recipe)) return 'x';
  return ROLES[of] ?? 'x';
}

/** The letter of a tensor, as the other chapters write it, or the sheets.
 * @param {Matrix} matrix @param {Problem} problem */
function letterOf({ of, title, symbol: sign }, { recipe }) {
  const step = { name: of, role: null, parameter: null, op: '', shape: [], axes: [] };
  const usual = symbol(/** @type {any} */ (step));
  if (usual.letter !== of && !OTHER_RECIPES.includes(recipe)) return usual;
  if (!sign && title) return null;
  const [letter, below = ''] = (sign || of).split('_');
  return { letter, below };
}

/** The letter in its role's colour; nothing for a matrix that has none. @param {Matrix} matrix @param {Problem} problem */
export function chipOf(matrix, problem) {
  const letter = letterOf(matrix, problem);
  return letter ? chip(letter, roleOf(matrix, problem)) : nothing;
}

/** What a row is called: its token, or its number, which counts from 1. @param {Matrix} matrix @param {number} row */
const rowOf = ({ rows }, row) => rows[row] || String(row + 1);

const isWord = (/** @type {string} */ label) => label !== '' && Number.isNaN(Number(label));

/** Where a cell is, in words. @param {Matrix} matrix @param {{ row: number, column: number }} cell */
export function whereOf(matrix, { row, column }) {
  const label = { row: rowOf(matrix, row), column: matrix.columns[column] };
  const place = { name: matrix.title || matrix.of, ...label };
  if (!isWord(label.row)) return say('chapters/exercises/cellAt', place);
  return isWord(label.column)
    ? say('chapters/exercises/cellBetween', place)
    : say('chapters/exercises/cellOf', place);
}

/**
 * @param {Matrix} matrix
 * @param {Problem} problem
 * @param {'light' | 'dark'} theme
 * @param {(name: string, row: number, column: number) => unknown} [field] where a number is asked
 * @param {(cells: Matrix['cells'][number]) => boolean} [shows] whether a row is there
 */
export function table(matrix, problem, theme, field, shows = () => true) {
  const { of, title, columns, rows, cells } = matrix;
  const values = cells
    .flat()
    .flatMap(({ value }) => (Number.isFinite(value) ? [Math.abs(Number(value))] : []));
  const limit = Math.max(...values, 1);
  const scale = PROBABILITIES.includes(of) ? 'probability' : 'signed';
  const styleOf = (/** @type {number | null} */ value) => {
    if (!Number.isFinite(value)) return nothing;
    const colour = fill(Number(value), scale, limit, theme);
    return styleMap({ background: css(colour), color: ink(colour) });
  };
  return html`<table class="sheet-matrix role-${roleOf(matrix, problem)}">
    <caption>${chipOf(matrix, problem)} ${title}</caption>
    <thead>
      <tr>
        <td></td>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${cells.map((row, i) =>
        !shows(row)
          ? nothing
          : html`<tr>
          <th scope="row">
            ${rows.length > 1 ? rowOf(matrix, i) : html`<span class="hidden">${say('chapters/exercises/row', { row: i + 1 })}</span>`}
          </th>
          ${row.map(({ name, value, text }, j) =>
            name === null
              ? html`<td style=${styleOf(value)}>${text}</td>`
              : html`<td>${field?.(name, i, j) ?? nothing}</td>`,
          )}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
