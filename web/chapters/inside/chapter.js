import { brings } from '../../app/locale/text.js';
import { Page } from './page.js';
import { opening, parts } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/inside',
    import: 'default',
    eager: true,
  }),
);

/* Each import stands alone: where one expression chooses between two, Vite loads the styles of one of them for both. */
Page.loads = {
  stories: async () => {
    const [{ Inside }, { openExperiments }] = await Promise.all([
      import('./element.js'),
      import('../../workers/inside/open.js'),
    ]);
    Inside.openExperiments = openExperiments;
    Inside.loadOpening = () => import('./own-model.js');
    Inside.loadWriters = () => import('../../workers/inside/take.js');
    return Inside;
  },
  birth: async () => {
    const [{ Birth }, { openBirth }] = await Promise.all([
      import('./birth.js'),
      import('../../workers/birth/open.js'),
    ]);
    Birth.openBirth = openBirth;
    Birth.loadSteps = async () => (await import('../training/chapter.js')).opened();
    return Birth;
  },
};

/** @type {import('../../app/state/store.js').Chapter} */
export default {
  ...{ name: 'inside', opening, parts, element: 'gf-chapter-inside' },
  shortcuts: ['chapters/inside/shortcuts'],
};
