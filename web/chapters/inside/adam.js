// The step of Adam that a head is born by, as the chapter on training shows steps. It comes when one is opened.
import { brings } from '../../locale/text.js';
import '../training/adam.js';
import '../training/opened.css';

brings(
  import.meta.glob('../../locale/en.json', {
    query: '?chapters/training',
    import: 'default',
    eager: true,
  }),
);
