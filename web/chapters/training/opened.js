// The elements that take one step apart, loaded when a step is first opened.
import { brings } from '../../app/locale/text.js';
import './adam.js';
import './batch.js';
import './walkthrough.js';
import './opened.css';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/training/adam',
    import: 'default',
    eager: true,
  }),
);
brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/training/batch',
    import: 'default',
    eager: true,
  }),
);
