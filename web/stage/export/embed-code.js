// Code that shows a figure in a course page, and the chapters and parts that figures have.

import { text } from '../../app/locale/text.js';
import { encode } from './formula.js';

/** The chapters that figures can show: those that need neither a worker nor files of the reader's own. */
export const FIGURES = ['attention', 'heads', 'transformer'];

/** The parts of a figure that an author can choose among, in the order of the page. */
export const PARTS = [
  'example',
  'map',
  'switches',
  'strip',
  'stage',
  'caption',
  'legend',
  'formula',
  'microscope',
  'timeline',
];

/** What is shown where the author does not say. */
export const USUAL = 'stage,caption,timeline';

/**
 * @param {string} list 'stage, timeline'; 'all' stands for all of them
 * @param {readonly string[]} words that it may name
 * @returns {Set<string>}
 */
export function wordsIn(list, words) {
  const named = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = named.find((word) => word !== 'all' && !words.includes(word));
  if (unknown !== undefined) {
    throw new RangeError(text('page/noneOf', { word: unknown, words: words.join(', ') }));
  }
  return new Set(named.includes('all') ? [...words, 'all'] : named);
}

/**
 * The present figure, and what an author wants of it.
 * @typedef {object} Wish
 * @property {string} page its address, hash and all
 * @property {string} chapter
 * @property {string} title
 * @property {string[]} show
 * @property {string[]} lock
 */

/** px that a frame has until it says how high it is: the usual parts of a figure take less. */
const HEIGHT = { usual: 480, whole: 640 };

/** @param {Wish} wish */
const heightOf = ({ chapter, show }) =>
  FIGURES.includes(chapter) && show.every((part) => USUAL.split(',').includes(part))
    ? HEIGHT.usual
    : HEIGHT.whole;

/** Whether an address means nothing on another machine. @param {string} page */
export function isLocal(page) {
  const { protocol, hostname } = new URL(page);
  return protocol === 'file:' || /^(localhost|127\..*|\[::1\]|.*\.localhost)$/.test(hostname);
}

/** The address of the frame: a figure, or of other chapters the page itself. @param {Wish} wish */
export function frameOf({ page, chapter, show, lock }) {
  const { href, hash } = new URL(page);
  if (!FIGURES.includes(chapter)) return href;
  const pairs = [hash.replace(/^#/, ''), `show=${show.join(',')}`, `lock=${lock.join(',')}`];
  const said = pairs.filter((pair) => pair !== '' && !pair.endsWith('='));
  return `${new URL('embed.html', href).href.replace(/#.*/, '')}#${said.join('&')}`;
}

/** What an author copies, in each form; null where there is none. @type {Record<string, (wish: Wish) => string | null>} */
export const writers = {
  link: ({ page }) => page,
  iframe: (wish) =>
    `<iframe src="${encode(frameOf(wish))}" title="${encode(wish.title)}" ` +
    `width="100%" height="${heightOf(wish)}" style="border: 0" loading="lazy"></iframe>`,
  element({ page, chapter, show, lock }) {
    if (!FIGURES.includes(chapter)) return null;
    const { hash, href } = new URL(page);
    const tag = chapter === 'transformer' ? 'gf-transformer' : 'gf-attention';
    const attributes = [
      hash && ` state="${encode(hash)}"`,
      ` show="${show.join(',')}"`,
      lock.length > 0 && ` lock="${lock.join(',')}"`,
    ];
    /* A module of another origin loads only where its host allows it, a classic script everywhere. */
    return (
      `<script defer src="${encode(new URL('element.classic.js', href).href)}"></script>\n` +
      `<${tag}${attributes.filter(Boolean).join('')}></${tag}>`
    );
  },
  markdown: ({ page, title }) =>
    `[${title.replace(/[[\]\\]/g, '\\$&')}](${page.replace(/[()]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)})`,
};
