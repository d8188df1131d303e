// Lessons in figures, in a file beside them: their player, the lessons themselves, and what these need of the chapters
// that are no figures.
import '../elements/plot.js';
import { merge } from '../locale/merge.js';
import { LANGUAGES } from '../locale/text.js';
import chapter from '../teaching/chapter.js';
import './lesson.css';

/** What only lessons say, by language. @type {Record<string, any>} */
const WORDS = import.meta.glob('../locale/*.json', {
  query: '?lessons',
  import: 'default',
  eager: true,
});

async function speak() {
  for (const [code, { load }] of Object.entries(LANGUAGES)) {
    const [{ default: words }] = await load();
    merge(words, WORDS[`../locale/${code}.json`]);
  }
}

export { chapter };
export const prepared = speak();
