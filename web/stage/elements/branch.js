// The name of the page's run, for the headings of its parts, while the intact run stands beside it.
import { html, nothing } from 'lit';
import { typeset } from '../telling/number.js';
import { runName } from '../telling/words.js';

/** @param {import('../../app/state/view.js').View} view */
export function runNameOf(view) {
  const name = view.intact ? runName(view) : '';
  return name ? html` <span class="branch">${typeset(name)}</span>` : nothing;
}
