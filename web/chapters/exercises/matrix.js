// The matrices of a sheet as tables, with the headings of their rows and columns; what is asked in fields.
import { html, nothing } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { css, fill, ink } from '../../draw/colour.js';
import { symbol } from '../../draw/names.js';
import { text as say } from '../../locale/text.js';
import { chip } from '../../telling/number.js';

/** @typedef {import('../../../bindings/exercises/index.js').Matrix} Matrix */
/** @typedef {import('../../../bindings/exercises/index.js').Problem} Problem */

/** The roles of what attention consists of. @type {Record<string, 'q' | 'k' | 'v' | 'a'>} */
const ROLES = { q: 'q', w_q: 'q', k: 'k', w_k: 'k', v: 'v', w_v: 'v', weights: 'a' };
/** Adam has a v, too. */
const OTHERS = ['adam-step'];
const PROBABILITIES = ['weights', 'probabilities', 'targets', 'first', 'second'];

/** @param {Matrix} matrix @param {Problem} problem */
export function roleOf({ of }, { recipe }) {
  if (OTHERS.includes(recipe)) return 'x';
  return ROLES[of] ?? (of.split('.')[0] === 'scores' ? 'a' : 'x');
}

/** The letter of a tensor, as the other chapters write it, or the sheets.
 * @param {Matrix} matrix @param {Problem} problem */
export function letterOf({ of, title, symbol: own }, { recipe }) {
  const step = { name: of, role: null, parameter: null, op: '', shape: [], axes: [] };
  const known = symbol(/** @type {any} */ (step));
  if (known.letter !== of && !OTHERS.includes(recipe)) return known;
  if (!own && title) return null;
  const [letter, below = ''] = (own || of).split('_');
  return { letter, below };
}

/** What a row is called: its token, or its number. @param {Matrix} matrix @param {number} row */
export const rowOf = ({ rows }, row) => rows[row] || String(row);

/**
 * @param {Matrix} matrix
 * @param {Problem} problem
 * @param {'light' | 'dark'} theme
 * @param {(name: string, row: number, column: number) => unknown} [field] where a number is asked
 */
export function table(matrix, problem, theme, field) {
  const { of, title, columns, rows, cells } = matrix;
  const role = roleOf(matrix, problem);
  const letter = letterOf(matrix, problem);
  const values = cells
    .flat()
    .flatMap(({ value }) => (Number.isFinite(value) ? [Math.abs(Number(value))] : []));
  const limit = Math.max(...values, 1);
  const scale = PROBABILITIES.includes(of) ? 'probability' : 'signed';
  const looks = (/** @type {number} */ value) => {
    const colour = fill(value, scale, limit, theme);
    return styleMap({ background: css(colour), color: ink(colour) });
  };
  return html`<table class="sheet-matrix role-${role}">
    <caption>${letter ? chip(letter, role) : nothing} ${title}</caption>
    <thead>
      <tr>
        <td></td>
        ${columns.map((label) => html`<th scope="col">${label}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${cells.map(
        (row, i) => html`<tr>
          <th scope="row">
            ${rows.length > 1 ? rowOf(matrix, i) : html`<span class="hidden">${say('chapters/exercises/row', { row: i })}</span>`}
          </th>
          ${row.map(({ name, value, text }, j) => {
            if (name !== null) return html`<td>${field?.(name, i, j) ?? nothing}</td>`;
            const known = Number.isFinite(value);
            return html`<td style=${known ? looks(Number(value)) : nothing}>${text}</td>`;
          })}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
