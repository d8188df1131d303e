import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'heads',
  opening,
  parts,
  element: 'gf-chapter-heads',
  shortcuts: ['shortcuts/lesson'],
};
