// Tokens of a formula. Each is tied to the cell that it stands for.
import { mathml, nothing } from 'lit';
import { display, shortest } from '../draw/format.js';
import { role, stem, symbol } from '../draw/names.js';
import { cellKey, sameCell } from '../draw/tensor.js';

/** @typedef {unknown} Math */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/**
 * The letter of a matrix.
 * @param {string} node
 */
export function matrix(node) {
  const { letter, below } = symbol(node);
  const upright = letter.length > 1 ? 'normal' : nothing;
  const main = mathml`<mi class="role-${role(node)}" mathvariant=${upright}>${letter}</mi>`;
  return below ? mathml`<msub>${main}<mi>${below}</mi></msub>` : main;
}

/**
 * A small letter with indices; those of a weight stand below its name.
 * @param {string} node
 * @param {Math[]} indices
 * @param {string} [link] the cell that it is
 * @param {boolean} [lit]
 */
export function element(node, indices, link, lit = false) {
  const { letter, below } = symbol(node);
  const small = mathml`<mi class="role-${role(node)}">${letter.toLowerCase()}</mi>`;
  const places = mathml`<mrow>${indices.map((index, at) =>
    at > 0 ? mathml`<mo>,</mo>${index}` : index,
  )}</mrow>`;
  const kind = `token ${lit ? 'hover' : ''}`;
  return /^[wb]_|weight$/.test(stem(node))
    ? mathml`<msubsup class=${kind} data-link=${link ?? nothing}>${small}${places}<mi>${below}</mi></msubsup>`
    : mathml`<msub class=${kind} data-link=${link ?? nothing}>${small}${places}</msub>`;
}

/**
 * A cell by its indices, counted from 1 as in a textbook.
 * @param {Cell} cell
 * @param {Cell | null} hover
 */
export function cell({ node, index }, hover) {
  const places = index.map((i) => mathml`<mn>${i + 1}</mn>`);
  return element(node, places, cellKey({ node, index }), sameCell({ node, index }, hover));
}

/**
 * A cell by its number.
 * @param {import('../session.js').Valued} cell
 * @param {Cell | null} hover
 * @param {boolean} [signed] a negative number goes into brackets
 */
export function value({ node, index, value: number }, hover, signed = false) {
  const shown = display(number);
  const lit = sameCell({ node, index }, hover) ? 'hover' : '';
  return mathml`<mn
    class="token role-${role(node)} ${lit}"
    data-node=${node}
    data-index=${index.join()}
    data-value=${shortest(number)}
    title=${`${node}[${index.join(', ')}] = ${shortest(number)}`}
    >${signed && number < 0 ? `(${shown})` : shown}</mn>`;
}

/**
 * A number that is no cell.
 * @param {number} number
 */
export const plainNumber = (number) =>
  mathml`<mn title=${shortest(number)}>${display(number)}</mn>`;
