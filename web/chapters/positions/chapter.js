import { brings } from '../../app/locale/text.js';
import './element.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/positions',
    import: 'default',
    eager: true,
  }),
);

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'positions',
  opening,
  parts,
  element: 'gf-chapter-positions',
  shortcuts: ['shortcuts/lesson', 'shortcuts/plot'],
};
