// The pages of the documentation site: which files they are made from, in the order of the sidebar.

import { readFileSync } from 'node:fs';

/** @param {string} file */
const wordsIn = (file) =>
  JSON.parse(readFileSync(new URL(`../../bindings/words/${file}`, import.meta.url), 'utf8'));

/** The codes of the languages, English first. @type {string[]} */
export const LANGUAGES = wordsIn('languages.json').map(
  (/** @type {{ code: string }} */ { code }) => code,
);

/** The glossary in each language, as `make docs` writes it. @type {[text: string, file: string, page: string][]} */
const GLOSSARIES = LANGUAGES.map((code) => {
  const page = code === 'en' ? 'glossary' : `glossary.${code}`;
  return [wordsIn(`${code}/docs.json`).glossary.title, `docs/${page}.md`, page];
});

/** @typedef {{ text: string, file: string, page: string }} Page file: from the root of the repository; page: its address in
 *   the site, without its ending */

/** @type {[string, [text: string, file: string, page: string][]][]} */
const SECTIONS = [
  [
    'Begin',
    [
      ['Four ways in', 'docs/README.md', 'index'],
      ['For students', 'docs/for-students.md', 'for-students'],
      ['For teachers', 'docs/for-teachers.md', 'for-teachers'],
      ['A course', 'docs/syllabus.md', 'syllabus'],
      ...GLOSSARIES,
      ['Cite Glassformer', 'docs/cite.md', 'cite'],
    ],
  ],
  [
    'Teach',
    [
      ['Present', 'docs/presenting.md', 'presenting'],
      ['Exercises for a class', 'docs/teaching.md', 'teaching'],
      ['Gallery', 'docs/gallery.md', 'gallery'],
      ['Figures in course pages', 'docs/embedding.md', 'embedding'],
      ['Examples of your own', 'docs/own-examples.md', 'own-examples'],
      ['Write a lesson', 'docs/lessons.md', 'lessons'],
      ['How marks are made', 'docs/marking.md', 'marking'],
      ['Accessibility', 'docs/accessibility.md', 'accessibility'],
    ],
  ],
  [
    'Program',
    [
      ['JavaScript', 'bindings/README.md', 'javascript'],
      ['Install: bundlers, workers, edge', 'docs/npm.md', 'npm'],
      ['Model files', 'docs/files.md', 'files'],
      ['Inside a model', 'docs/inside.md', 'inside'],
      ['Python', 'bindings/python/README.md', 'python'],
      ['Programs for Node', 'docs/headless/README.md', 'headless'],
      ['On a cluster', 'docs/headless/cluster.md', 'cluster'],
      ['C, and how the core works', 'src/README.md', 'core'],
    ],
  ],
  [
    'The project',
    [
      ['Changes', 'CHANGELOG.md', 'changelog'],
      ['Migrate to a new version', 'MIGRATION.md', 'migration'],
      ['Security', 'SECURITY.md', 'security'],
      ['Contribute', 'CONTRIBUTING.md', 'contributing'],
      ['The bindings on one page', 'bindings/INSIDE.md', 'bindings'],
      ['The page’s code', 'web/README.md', 'web'],
      ['Speed, measured', 'tests/bench/README.md', 'bench'],
      ['Where the package runs', 'tests/consumers/README.md', 'consumers'],
    ],
  ],
];

export const sections = SECTIONS.map(([text, pages]) => ({
  text,
  pages: pages.map(([title, file, page]) => /** @type {Page} */ ({ text: title, file, page })),
}));

/** The file that is divided into a page for each entry of the package. */
export const API = 'docs/api.md';

/** The anchor of a heading, as GitHub makes it: the links in the files count on it.
 * @param {string} title */
export const anchorOf = (title) =>
  title
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The name of an entry's page: glassformer/tasks has api/glassformer-tasks.
 * @param {string} entry */
export const pageOfEntry = (entry) => `api/${entry.replaceAll('/', '-')}`;
