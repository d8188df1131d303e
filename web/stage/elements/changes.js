// How many numbers the edits changed, and in which steps.
import { html, nothing } from 'lit';
import { count, list, text } from '../../app/locale/text.js';
import { plainSymbol } from '../telling/words.js';

/** @param {import('../../app/state/view.js').View} view */
export function changeCount({ changes: { counts } }) {
  if (counts.size === 0) return nothing;
  const n = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const steps = list([...new Set([...counts.keys()].map(plainSymbol))]);
  /* Which form a text has is told by the number itself. */
  const sentence = text('page/changes', { n }).replace(String(n), count(n));
  return html`<span class="changes" role="status" title=${steps}>${sentence}</span>`;
}
