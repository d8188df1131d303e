import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../state/store.js').Chapter} */
export default {
  name: 'exercises',
  opening,
  parts,
  element: 'gf-chapter-exercises',
  shortcuts: ['shortcuts/exercises', 'shortcuts/lesson'],
  own: ['answers', 'checked', 'play'],
};
