import { brings } from '../../app/locale/text.js';
import './element.js';
import './machine.js';
import './quiz-button.js';
import { opening, parts } from './state.js';
import './text.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/exercises',
    import: 'default',
    eager: true,
  }),
);

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'exercises',
  opening,
  parts,
  element: 'gf-chapter-exercises',
  shortcuts: ['shortcuts/exercises', 'shortcuts/lesson'],
  own: ['cells', 'answers', 'checked', 'play'],
};
