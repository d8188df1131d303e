import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'positions',
  opening,
  parts,
  element: 'gf-chapter-positions',
  shortcuts: ['shortcuts/lesson', 'shortcuts/plot'],
};
