// A number of a tensor inside a line of text: tied to its cell, with the full float32 behind it.
import { html, nothing } from 'lit';
import { display, shortest } from '../draw/format.js';
import { role } from '../draw/names.js';

/**
 * @param {import('../session.js').Valued & { run?: string }} cell run: where it is not the page's own
 * @param {{ signed?: boolean, of?: Pick<import('../session.js').Step, 'role'> }} [options] signed: a negative
 *   number goes into brackets; of: the step, whose colour it has
 */
export function number({ node, index, value, run }, { signed = false, of } = {}) {
  const shown = display(value);
  return html`<span
    class="number role-${role(of ?? { role: null })}"
    data-node=${node}
    data-index=${index.join()}
    data-value=${shortest(value)}
    data-run=${run ?? nothing}
    title=${`${node}[${index.join(', ')}] = ${shortest(value)}`}
    >${signed && value < 0 ? `(${shown})` : shown}</span
  >`;
}

/**
 * The same for the cells of a trace, each in the colour of its step.
 * @param {import('../session.js').Trace} trace
 * @returns {typeof number}
 */
export const numbersOf =
  (trace) =>
  (cell, options = {}) =>
    number(cell, { ...options, of: trace.step(cell.node) });

/**
 * A number that is no cell of a tensor: a product, a partial sum, a total.
 * @param {number} value
 * @param {{ signed?: boolean }} [options]
 */
export function plain(value, { signed = false } = {}) {
  const shown = display(value);
  return html`<span class="number" title=${shortest(value)}
    >${signed && value < 0 ? `(${shown})` : shown}</span
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
    .map((part, at) => (at % 2 === 0 ? part : html`<i>${part[0]}</i><sub>${part.slice(2)}</sub>`));
}

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
