// Where a training run drops numbers: in the embeddings, behind attention, and within and behind the feed-forward
// network. Shown while a step that drops is, with the blocks of the map that have one.
import { html } from 'lit';
import { count, text } from '../../app/locale/text.js';
import { isAttention } from '../../stage/draw/blocks.js';
import { word } from '../../stage/draw/names.js';

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {{ block: Block, step: Step, place: keyof typeof PLACE_TEXTS }} Dropout */

const PLACE_TEXTS = {
  embedding: 'chapters/training/dropouts/embedding',
  attention: 'chapters/training/dropouts/attention',
  within: 'chapters/training/dropouts/within',
  behind: 'chapters/training/dropouts/behind',
};

/** @param {Step} step */
export const isDropout = (step) => word(step) === 'dropout';

/** What a dropout's block says of its place; behind a sublayer it is the block before.
 * @param {Block} block @param {Block | undefined} before
 * @returns {Dropout['place']} */
function placeOf({ kind, layer }, before) {
  if (layer === null) return 'embedding';
  if (kind === 'feed_forward') return 'within';
  return before && isAttention(before) ? 'attention' : 'behind';
}

/** @param {Block[]} blocks @returns {Dropout[]} */
export const dropoutsIn = (blocks) =>
  blocks.flatMap((block, i) =>
    block.steps
      .filter(isDropout)
      .map((step) => ({ block, step, place: placeOf(block, blocks[i - 1]) })),
  );

/** The places with a way to the first step of each.
 * @param {Dropout[]} dropouts @param {Block} now @param {(dropout: Dropout) => void} go */
export const dropoutList = (dropouts, now, go) =>
  html`<nav class="dropouts" aria-label=${text('chapters/training/dropouts/label')}>
    <h3 class="label">${text('chapters/training/dropouts/label')}</h3>
    ${Object.entries(PLACE_TEXTS).map(([place, key]) => {
      const here = dropouts.filter((dropout) => dropout.place === place);
      const isNow = here.some(({ block }) => block === now);
      return html`<button aria-pressed=${isNow} ?disabled=${here.length === 0} @click=${() => go(here[0])}>
        ${text(key)} <span class="quiet">× ${count(here.length)}</span>
      </button>`;
    })}
  </nav>`;
