// A number of a tensor inside a line of text: tied to its cell, with the full float32 behind it.
import { html, nothing } from 'lit';
import { decimalsOf, display, full, shortest } from '../draw/format.js';
import { role } from '../draw/names.js';

/** @typedef {import('../draw/format.js').As} As */

/**
 * @param {string} shown
 * @param {boolean} signed a negative number goes into brackets
 */
const bracketed = (shown, signed) => (signed && shown.startsWith('−') ? `(${shown})` : shown);

/**
 * @param {import('../../app/session.js').Valued & { run?: string }} cell run: where it is not the page's own
 * @param {{ signed?: boolean, of?: Pick<import('../../app/session.js').Step, 'role'>, as?: As, shown?: string }} [options]
 *   signed: a negative number goes into brackets; of: the step, whose colour it has; shown: what is written
 */
export function number(
  { node, index, value, run },
  { signed = false, of, as, shown = display(value, as) } = {},
) {
  return html`<span
    class="number role-${role(of ?? { role: null })}"
    data-node=${node}
    data-index=${index.join()}
    data-value=${shortest(value)}
    data-run=${run ?? nothing}
    title=${`${node}[${index.join(', ')}] = ${full(value)}`}
    >${bracketed(shown, signed)}</span
  >`;
}

/**
 * The same for the cells of a trace, each in the colour of its step, with as many decimals as the text prints.
 * @param {import('../../app/session.js').Trace} trace
 * @param {number} [more] digits
 * @returns {typeof number}
 */
export const numbersOf =
  (trace, more) =>
  (cell, options = {}) => {
    const as = { decimals: decimalsOf(trace, cell.node), more };
    return number(cell, { as, ...options, of: trace.step(cell.node) });
  };

/**
 * A number that is no cell of a tensor: a product, a partial sum, a total.
 * @param {number} value
 * @param {{ signed?: boolean, as?: As }} [options]
 */
export function plain(value, { signed = false, as } = {}) {
  return html`<span class="number" title=${full(value)}
    >${bracketed(display(value, as), signed)}</span
  >`;
}

/**
 * Words in which W_Q and d_k are set as in a formula.
 * @param {unknown} words
 */
export function typeset(words) {
  if (typeof words !== 'string') return words;
  return words
    .split(/\b([A-Za-z]_[A-Za-z\d]+)\b/)
    .map((part, i) => (i % 2 === 0 ? part : html`<i>${part[0]}</i><sub>${part.slice(2)}</sub>`));
}

/** The same where there is text alone: as typeset words read. @param {string} words */
export const untypeset = (words) => words.replace(/\b([A-Za-z])_([A-Za-z\d]+)\b/g, '$1$2');

/** @param {{ letter: string, below: string }} symbol */
export const letter = ({ letter: main, below }) =>
  html`<i>${main}</i>${below ? html`<sub>${below}</sub>` : nothing}`;

/**
 * The letter of a node as a chip in its role's colour.
 * @param {{ letter: string, below: string }} symbol
 * @param {string} kind the role
 * @param {boolean} [transposed]
 */
export function chip({ letter, below }, kind, transposed = false) {
  return html`<span class="chip role-${kind}"
    ><i>${letter}</i>${below ? html`<sub>${below}</sub>` : nothing}${
      transposed ? html`<sup>T</sup>` : nothing
    }</span
  >`;
}
