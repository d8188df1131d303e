import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'attention',
  opening,
  parts,
  element: 'gf-chapter-attention',
  shortcuts: ['shortcuts/lesson'],
};
