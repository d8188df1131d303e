import './element.js';
import { opening, parts } from './state.js';

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'transformer',
  opening,
  parts,
  element: 'gf-chapter-transformer',
  shortcuts: ['chapters/transformer/keys', 'shortcuts/lesson'],
};
