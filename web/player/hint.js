// Hints that climb: after the lesson's own words come the numbers that an answer is computed from, then their products.
import { html, nothing } from 'lit';
import { text } from '../app/locale/text.js';
import { derivation } from '../stage/telling/derivation.js';
import { cellsIn, scopeIn } from './telling.js';

/** The hint after so many wrong answers; nothing for an expression, or a number that is computed from nothing.
 * @param {import('../app/state/view.js').View} view @param {string} path of the number @param {number} tries */
export function hintAfter(view, path, tries) {
  const [cell] = cellsIn(path, scopeIn(view));
  const explained = cell && view.session?.explain(view.trace, cell);
  if (!explained) return nothing;
  /* The result is not given away. */
  const forms = derivation({ ...view, explained, focus: cell, adding: true });
  if (forms.numbers.length === 0) return nothing;
  const line = (/** @type {unknown[]} */ pieces) =>
    html`<div>${pieces.map((piece) => html`<math>${piece}</math> `)}</div>`;
  return html`<div class="hint">
    ${text(tries > 2 ? 'lessons/hint/products' : 'lessons/hint/operands')}
    ${line(forms.indices)} ${tries > 2 ? line(forms.numbers) : nothing}
  </div>`;
}
