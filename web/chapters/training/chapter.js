import { brings } from '../../app/locale/text.js';
import { openTrainer } from '../../workers/trainer/open.js';
import { Training } from './element.js';
import './predictions.js';
import './setup.js';
import { opening, parts } from './state.js';
import './writer.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/training',
    import: 'default',
    eager: true,
  }),
);

/** What takes a step apart, for others that show one. */
export const opened = () =>
  Promise.all([import('./opened.js'), import('../../stage/elements/sheets.js')]);

Object.assign(Training, { openTrainer, loadSteps: opened });

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  name: 'training',
  opening,
  parts,
  element: 'gf-chapter-training',
  shortcuts: ['chapters/training/shortcuts', 'chapters/training/views/values', 'shortcuts/lesson'],
};
