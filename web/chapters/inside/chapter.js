import { brings } from '../../app/locale/text.js';
import './page.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/inside',
    import: 'default',
    eager: true,
  }),
);

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  ...{ name: 'inside', opening, parts, element: 'gf-chapter-inside' },
  shortcuts: ['chapters/inside/shortcuts'],
};
