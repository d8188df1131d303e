import { brings } from '../../locale/text.js';
import './element.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/training',
    import: 'default',
    eager: true,
  }),
);

/** What takes a step apart, for others that show one. */
export const opened = () => import('./opened.js');

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'training',
  opening,
  parts,
  element: 'gf-chapter-training',
  shortcuts: ['chapters/training/shortcuts', 'chapters/training/views/values', 'shortcuts/lesson'],
};
