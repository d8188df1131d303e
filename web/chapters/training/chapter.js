import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'training',
  opening,
  parts,
  element: 'gf-chapter-training',
  shortcuts: ['chapters/training/shortcuts', 'chapters/training/views/values', 'shortcuts/lesson'],
};
