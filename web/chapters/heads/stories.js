// Heads in the playground.
import { brings } from '../../app/locale/text.js';
import { StoryHeads } from './story-heads.js';
import { opening, parts } from './story-state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/heads',
    import: 'default',
    eager: true,
  }),
);

customElements.define('gf-chapter-heads', StoryHeads);

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'heads',
  opening,
  parts,
  element: 'gf-chapter-heads',
  shortcuts: ['shortcuts/lesson'],
};
