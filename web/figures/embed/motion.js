// Motion in figures, and the geometric view, in a file next to them.
import '../../stage/elements/arrows.js';
import '../../stage/elements/geometry.js';
import '../../stage/elements/motion.js';
import { mergeAll } from '../../app/locale/merge.js';

/* What only arrows say, in every language. */
mergeAll(
  import.meta.glob('../../../bindings/words/*/page.json', { import: 'default', eager: true }),
  import.meta.glob('../../../bindings/words/*/page.json', {
    query: '?plane',
    import: 'default',
    eager: true,
  }),
);
