// What moves in figures, and the geometric view, in a file beside them.
import '../elements/arrows.js';
import '../elements/geometry.js';
import '../elements/motion.js';
import de from '../locale/de.json' with { type: 'json' };
import en from '../locale/en.json' with { type: 'json' };
import fr from '../locale/fr.json' with { type: 'json' };
import { merge } from '../locale/merge.js';

/** What only arrows say, by language. @type {Record<string, any>} */
const WORDS = import.meta.glob('../locale/{de,en,fr}.json', {
  query: '?plane',
  import: 'default',
  eager: true,
});

merge(de, WORDS['../locale/de.json']);
merge(en, WORDS['../locale/en.json']);
merge(fr, WORDS['../locale/fr.json']);
