import { brings } from '../app/locale/text.js';
import { match, whole } from '../app/state/parts.js';
import { LEARN } from '../app/state/store.js';
import './player.js';

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?lessons',
    import: 'default',
    eager: true,
  }),
);

/** The lesson by its name or its address, or nothing for the list of them; the scene counts from 1, the one after the
 * last is the end. */
const opening = { lesson: '', scene: 1 };
const LESSON = /^(?:[a-z0-9-]{0,61}|https?:\/\/\S{1,2000}|[\w./-]{1,200}\.json)$/;
const parts = {
  lesson: {
    write: String,
    read: (/** @type {string} */ text) => match(text, LESSON)[0],
  },
  scene: whole(1, 99),
};

/** @type {import('../app/state/store.js').Chapter} */
export default {
  name: LEARN,
  opening,
  parts,
  element: 'gf-learn',
  shortcuts: ['lessons/shortcuts'],
};
