// Makes the pages of the site from the files of the repository: links between files become links between pages, what is not
// on the site is linked in the repository, and the API has a page for each entry of the package.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { API, anchorOf, pageOfEntry, sections } from './pages.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');

/** A part of docs/api.md. @typedef {{ entry: string, page: string, text: string }} Entry */

/** Applies a function to what is outside of blocks of code.
 * @param {string} text @param {(prose: string) => string} change */
const inProse = (text, change) =>
  text
    .split(/(^ *```.*?^ *```$)/gms)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join('');

/** The entries of the package, each with the part of docs/api.md that is about it. */
export function entries() {
  const [, ...parts] = read(API).split(/^(?=## )/m);
  return parts.map((text) => {
    const [, entry] = /** @type {RegExpExecArray} */ (/^## (.+)$/m.exec(text));
    return { entry, page: pageOfEntry(entry), text: text.replaceAll(/^##/gm, '#') };
  });
}

/** A counter of anchors, as GitHub counts them: the second of a name has -1. */
function anchors() {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return (/** @type {string} */ title) => {
    const anchor = anchorOf(title);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count ? `${anchor}-${count}` : anchor;
  };
}

/** Where each anchor of docs/api.md is on the site.
 * @param {Entry[]} all */
function anchorsOfApi(all) {
  /** @type {Map<string, string>} */
  const places = new Map();
  const inFile = anchors();
  inFile('API');
  for (const { page, text } of all) {
    const inPage = anchors();
    inProse(text, (prose) => {
      for (const [, title] of prose.matchAll(/^#+ (.+)$/gm)) {
        places.set(inFile(title), `${page}.html#${inPage(title)}`);
      }
      return prose;
    });
  }
  return places;
}

/** @param {string} repository where what is not on the site can be read */
export function pagesOfSite(repository) {
  const all = entries();
  const places = anchorsOfApi(all);
  const listed = sections.flatMap(({ pages }) => pages);
  const addresses = new Map(listed.map(({ file, page }) => [file, `${page}.html`]));
  addresses.set(API, 'api/index.html');

  /** Where a link of a file leads, from the page that the file becomes.
   * @param {string} file @param {string} page @param {string} link */
  const target = (file, page, link) => {
    if (/^[a-z]+:/.test(link)) return link;
    const [to, anchor] = link.split('#');
    const found = to ? path.posix.join(path.posix.dirname(file), to) : file;
    const address =
      (found === API && anchor && places.get(anchor)) ||
      (addresses.has(found) && `${addresses.get(found)}${anchor ? `#${anchor}` : ''}`);
    if (!address) return `${repository}/blob/main/${found}${anchor ? `#${anchor}` : ''}`;
    const up = '../'.repeat(page.split('/').length - 1);
    return up + address || './';
  };
  /** @param {string} file @param {string} page @param {string} text */
  const linked = (file, page, text) =>
    inProse(text, (prose) =>
      prose
        .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, text, link) => {
          const to = path.posix.join(path.posix.dirname(file), link);
          const { text: title } = listed.find(({ file: other }) => other === to) ?? {};
          /* A file has a name, a page a title. */
          return `[${title && text.endsWith('.md') ? title : text}](${target(file, page, link)})`;
        })
        .replaceAll(
          /^(\[[^\]]+\]): (\S+)/gm,
          (_, name, link) => `${name}: ${target(file, page, link)}`,
        )
        .replaceAll('{{', '&#123;&#123;'),
    );

  /** @type {Map<string, string>} */
  const made = new Map();
  for (const { file, page } of listed) made.set(`${page}.md`, linked(file, page, read(file)));
  for (const { page, text } of all) made.set(`${page}.md`, linked(API, page, text));
  const [about] = read(API).split(/^(?=## )/m);
  const list = all.map(({ entry, page }) => `- [${entry}](${path.posix.basename(page)}.html)`);
  made.set('api/index.md', `${linked(API, 'api/index', about)}\n${list.join('\n')}\n`);
  return made;
}
