// Tokens of a formula. Each is tied to the cell that it stands for.
import { mathml, nothing } from 'lit';
import { decimalsOf, display, full, point, shortest } from '../draw/format.js';
import { role, symbol } from '../draw/names.js';
import { cellKey, sameCell } from '../draw/tensor.js';

/** @typedef {unknown} Math */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** What a formula is shown in. @typedef {Pick<import('../../app/state/view.js').View, 'trace' | 'hover'>} Scene */

/**
 * The tokens that stand for what a trace computed.
 * @param {Scene} scene
 * @param {number} [more] digits
 */
export function tokensOf({ trace, hover }, more) {
  /** @param {string} node */
  const look = (node) => {
    const step = trace.step(node);
    return { ...symbol(step), kind: `role-${role(step)}` };
  };

  /**
   * The letter of a matrix.
   * @param {string} node
   */
  const matrix = (node) => {
    const { letter, below, kind } = look(node);
    const upright = letter.length > 1 ? 'normal' : nothing;
    const main = mathml`<mi class=${kind} mathvariant=${upright}>${letter}</mi>`;
    return below ? mathml`<msub>${main}<mi>${below}</mi></msub>` : main;
  };

  /**
   * A small letter with indices; those of a weight stand below its name.
   * @param {string} node
   * @param {Math[]} indices
   * @param {string} [link] the cell that it is
   * @param {boolean} [lit]
   */
  const element = (node, indices, link, lit = false) => {
    const { letter, below, kind } = look(node);
    const small = mathml`<mi class=${kind}>${letter.toLowerCase()}</mi>`;
    const places = mathml`<mrow>${indices.map((index, i) =>
      i > 0 ? mathml`<mo>,</mo>${index}` : index,
    )}</mrow>`;
    const token = `token ${lit ? 'hover' : ''}`;
    return letter === 'W' || letter === 'b'
      ? mathml`<msubsup class=${token} data-link=${link ?? nothing}>${small}${places}<mi>${below}</mi></msubsup>`
      : mathml`<msub class=${token} data-link=${link ?? nothing}>${small}${places}</msub>`;
  };

  /**
   * A cell by its indices, counted from 1 as in a textbook.
   * @param {Cell} cell
   */
  const cell = ({ node, index }) => {
    const places = index.map((i) => mathml`<mn>${i + 1}</mn>`);
    return element(node, places, cellKey({ node, index }), sameCell({ node, index }, hover));
  };

  /**
   * A cell by its number.
   * @param {import('../../app/session.js').Valued} cell
   * @param {boolean} [signed] a negative number goes into brackets
   */
  const value = ({ node, index, value: number }, signed = false) => {
    const shown = display(number, { decimals: decimalsOf(trace, node), more });
    const lit = sameCell({ node, index }, hover) ? 'hover' : '';
    return mathml`<mn
      class="token ${look(node).kind} ${lit}"
      data-node=${node}
      data-index=${index.join()}
      data-value=${shortest(number)}
      title=${`${node}[${index.join(', ')}] = ${full(number)}`}
      >${signed && shown.startsWith('−') ? `(${shown})` : shown}</mn>`;
  };

  return { matrix, element, cell, value };
}

/**
 * A number that is no cell.
 * @param {number} number
 * @param {number} [more] digits
 */
export const plainNumber = (number, more) =>
  mathml`<mn data-value=${shortest(number)} title=${full(number)}>${display(number, { more })}</mn>`;

/** Between the arguments of a function, where a comma may be the decimal mark. */
export const separator = () => mathml`<mo>${point() === ',' ? ';' : ','}</mo>`;
