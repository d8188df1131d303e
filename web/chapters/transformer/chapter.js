import { brings } from '../../locale/text.js';
import './element.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../locale/en.json', {
    query: '?chapters/transformer',
    import: 'default',
    eager: true,
  }),
);

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'transformer',
  opening,
  parts,
  element: 'gf-chapter-transformer',
  shortcuts: ['chapters/transformer/keys', 'shortcuts/lesson'],
};
