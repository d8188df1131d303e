// The documentation site: `make site` builds it beside the playground. BASE is the path at which the playground is served, ORIGIN
// its host, such as https://example.org.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, LANGUAGES, pageOfEntry, sections } from '../pages.js';
import { entries, pagesOfSite } from '../prepare.js';

const root = path.resolve(import.meta.dirname, '../../..');
const srcDir = path.join(root, 'build/docs-pages');
const { description, repository, version } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
const code = repository.url.replace(/^git\+|\.git$/g, '');
const playground = process.env.BASE || '/';
/** The host, if it is known: addresses for others are absolute then, and there is a map of the site. */
const host = process.env.ORIGIN ?? '';

rmSync(srcDir, { recursive: true, force: true });
for (const [page, text] of pagesOfSite(code)) {
  mkdirSync(path.dirname(path.join(srcDir, page)), { recursive: true });
  writeFileSync(path.join(srcDir, page), text);
}

/** The address at which `make play` serves the playground: what the files link to. */
const LOCAL = 'http://localhost:8080/';

/** The lessons as learning resources, which search engines and catalogues of courses read (schema.org). */
const course = {
  '@context': 'https://schema.org',
  '@type': 'Course',
  name: 'Attention and the transformer, number by number',
  description,
  inLanguage: LANGUAGES,
  isAccessibleForFree: true,
  license: 'https://spdx.org/licenses/MIT',
  provider: { '@type': 'Organization', name: 'The Glassformer authors', url: code },
  hasPart: readdirSync(path.join(root, 'web/lessons'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(path.join(root, 'web/lessons', file), 'utf8')))
    .map(({ name, title, minutes, learned }) => ({
      '@type': 'LearningResource',
      name: title.en,
      teaches: learned.map(({ en }) => en),
      timeRequired: `PT${minutes}M`,
      learningResourceType: 'interactive lesson',
      url: `${host}${playground}#lesson=${name}`,
    })),
};

/** How the search reads words and orders answers. VitePress sends these functions to the page as texts: each stands alone.
 * @type {import('minisearch').SearchOptions & { processTerm: unknown, tokenize: unknown }} */
const searching = {
  /* d_k is a word. */
  tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u),
  /* Words that are on every page say nothing. */
  processTerm: (term) =>
    /^(a|an|and|are|by|can|do|does|for|how|i|in|is|it|my|of|on|or|the|to|what|when|where|why|with|you|your)$/i.test(
      term,
    )
      ? null
      : term.toLowerCase(),
  prefix: (term) => term.length > 3,
  fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  /* A word that only resembles the one that was typed says little. */
  weights: { fuzzy: 0.1, prefix: 0.375 },
  boost: { title: 2, text: 1, titles: 2 },
  /* The course comes before guides, these before lists and what other readers look for. */
  boostDocument: (id) =>
    /\/(changelog|contributing|web|bindings|bench|consumers|glossary\.\w\w)\.html/.test(id)
      ? 0.2
      : /\/(api\/|accessibility)/.test(id)
        ? 0.4
        : /syllabus/.test(id)
          ? 1.6
          : 1,
};

/** @param {import('vitepress').MarkdownRenderer} md */
function linkPlayground(md) {
  const { link_open: render } = md.renderer.rules;
  md.renderer.rules.link_open = (tokens, index, ...others) => {
    const href = tokens[index].attrGet('href') ?? '';
    if (!href.startsWith(LOCAL)) {
      return render
        ? render(tokens, index, ...others)
        : others[2].renderToken(tokens, index, others[0]);
    }
    const link = md.utils.escapeHtml(playground + href.slice(LOCAL.length));
    /* With a target of its own the browser follows it, not the site's router. */
    return `<a href="${link}" target="_self">`;
  };
}

export default defineConfig({
  srcDir,
  outDir: path.join(root, 'build/docs-site'),
  cacheDir: path.join(root, 'build/docs-cache'),
  base: `${playground}docs/`,
  title: 'Glassformer',
  description,
  lang: 'en',
  ...(host && { sitemap: { hostname: `${host}${playground}docs/` } }),
  transformHead: ({ page }) =>
    page === 'index.md'
      ? [['script', { type: 'application/ld+json' }, JSON.stringify(course)]]
      : [],
  /* A page moves with its version of the program. */
  lastUpdated: false,
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    config: linkPlayground,
  },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: { tokenize: searching.tokenize, processTerm: searching.processTerm },
          searchOptions: searching,
        },
      },
    },
    nav: [
      /* An address that begins with a slash would get the base of the documentation before it. */
      { text: 'Playground', link: '/../', target: '_self' },
      { text: version, link: '/changelog' },
    ],
    sidebar: [
      ...sections.map(({ text, pages }) => ({
        text,
        items: pages.map(({ text: title, page }) => ({ text: title, link: `/${page}` })),
      })),
      {
        text: 'API',
        items: entries().map(({ entry }) => ({ text: entry, link: `/${pageOfEntry(entry)}` })),
      },
    ],
    socialLinks: [{ icon: 'github', link: code }],
  },
});
