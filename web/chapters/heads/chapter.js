import { brings } from '../../locale/text.js';
import './element.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../locale/en.json', {
    query: '?chapters/heads',
    import: 'default',
    eager: true,
  }),
);

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'heads',
  opening,
  parts,
  element: 'gf-chapter-heads',
  shortcuts: ['shortcuts/lesson'],
};
