// The name of the run that a part of the page is about, behind the part's own, while there are two.
import { html, nothing } from 'lit';
import { typeset } from '../telling/number.js';
import { runName } from '../telling/words.js';

/** @param {import('../state/view.js').View} view */
export function runNameOf(view) {
  const name = view.intact ? runName(view) : '';
  return name ? html` <span class="branch">${typeset(name)}</span>` : nothing;
}
