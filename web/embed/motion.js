// Motion in figures, and the geometric view, in a file next to them.
import '../elements/arrows.js';
import '../elements/geometry.js';
import '../elements/motion.js';
import { mergeAll } from '../locale/merge.js';

/* What only arrows say, in every language. */
mergeAll(
  import.meta.glob('../../bindings/words/*/page.json', { import: 'default', eager: true }),
  import.meta.glob('../../bindings/words/*/page.json', {
    query: '?plane',
    import: 'default',
    eager: true,
  }),
);
