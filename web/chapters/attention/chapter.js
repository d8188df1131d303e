import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'attention',
  opening,
  parts,
  element: 'gf-chapter-attention',
  shortcuts: ['shortcuts/lesson'],
};
