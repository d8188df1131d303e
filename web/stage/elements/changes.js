// How many numbers were edited, how many others that changed, and in which steps.
import { html, nothing } from 'lit';
import { count, list, text } from '../../app/locale/text.js';
import { plainSymbol } from '../telling/words.js';

/** @param {import('../../app/state/view.js').View} view */
export function changeCount({ changes: { counts }, state: { edits }, trace, old }) {
  if (counts.size === 0) return nothing;
  const n = edits.length;
  /* Of what is computed, the counts hold what was edited, too. */
  const computed = edits.filter(
    (cell) => trace.step(cell.node).kind === 'op' && old(cell) !== null,
  );
  const follow = [...counts.values()].reduce((sum, count) => sum + count, -computed.length);
  const steps = list([...new Set([...counts.keys()].map(plainSymbol))]);
  const sentence = text('page/changes', { n, follow: count(follow) });
  return html`<span class="changes" role="status" title=${steps}>${sentence}</span>`;
}
