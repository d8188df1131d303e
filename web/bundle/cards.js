// What a link says of itself where it is shared: a picture, and of each lesson its title. Behind `#` no server sees which
// lesson a link means, so each has a small page of its own, `one-score.html`, which leads to it. The address of a picture
// has to be whole: SITE=https://… make site states where the site will lie.
import { readdirSync, readFileSync } from 'node:fs';
import { whole } from './lessons.js';
import { icon } from './palette.js';

const folder = new URL('../lessons/', import.meta.url);
const PICTURE = 'card.png';
const [WIDTH, HEIGHT] = [1200, 630];

/** Where the site will lie; relative addresses without it. */
const site = process.env.SITE ? new URL(`${process.env.SITE.replace(/\/$/, '')}/`).href : './';

/** @param {string} words */
const escaped = (words) =>
  words.replace(/[&<>"]/g, (sign) => `&#${/** @type {number} */ (sign.codePointAt(0))};`);

/** @param {Record<string, string>} properties of Open Graph */
const metas = (properties) =>
  Object.entries(properties)
    .map(([name, content]) => `<meta property="og:${name}" content="${escaped(content)}">`)
    .join('');

const picture = {
  image: `${site}${PICTURE}`,
  'image:width': String(WIDTH),
  'image:height': String(HEIGHT),
};
const large = '<meta name="twitter:card" content="summary_large_image">';

/** The page of a lesson, which leads to it. @param {any} lesson @param {string} lang @param {string} link */
const pageOf = ({ title, learned }, lang, link) => {
  const properties = {
    type: 'article',
    site_name: 'Glassformer',
    title: `${title[lang]} · Glassformer`,
    description: learned[0][lang],
    ...picture,
  };
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(properties.title)}</title>
<meta name="description" content="${escaped(properties.description)}">${metas(properties)}${large}
<link rel="icon" href="${escaped(icon)}">
<meta http-equiv="refresh" content="0; url=${link}"></head>
<body><p><a href="${link}">${escaped(title[lang])}</a></p></body></html>
`;
};

/** @returns {import('vite').Plugin} */
export const cards = () => ({
  name: 'cards',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page.replace('<meta name="twitter:card" content="summary">', `${metas(picture)}${large}`),
  },
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: PICTURE,
      source: readFileSync(new URL(`../${PICTURE}`, import.meta.url)),
    });
    for (const file of readdirSync(folder)) {
      const lesson = whole(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
      for (const lang of Object.keys(lesson.title)) {
        const isEnglish = lang === 'en';
        this.emitFile({
          type: 'asset',
          fileName: `${lesson.name}${isEnglish ? '' : `.${lang}`}.html`,
          source: pageOf(
            lesson,
            lang,
            `./#lesson=${lesson.name}${isEnglish ? '' : `&lang=${lang}`}`,
          ),
        });
      }
    }
  },
});
