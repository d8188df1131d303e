// Words of the French-English task in sentences, with what is true of them: examples for experiments such as probe() and
// labelShares().

import { checkInteger, checkOptions, checkText } from '../../js/base/errors.js';
import { UINT32 } from '../../js/base/values.js';
import { frenchEnglish } from './french-english.js';
import { rangeError } from './texts.js';

/** source: a sentence. word: one of its words. position: of the word. label: what is true of it there.
 * @typedef {{ source: string, word: string, position: number, label: string }} WordExample */

/** seed: of the sentences; 0 by default. count: of a word's sentences at one position with one meaning, at most; 10 by
 * default.
 * @typedef {{ seed?: number, count?: number }} SenseOptions */

/** Sentences that are drawn in search of a word. */
const DRAWN = 12_000;
/** Sentences whose words are taken. */
const SENTENCES = 400;
/** A position with fewer sentences of each meaning is left out. */
const LEAST = 3;
const NOUNS = ['person', 'animal', 'food', 'thing', 'place'];

/** Whether an English word, or several, stand in a translation. @param {readonly string[]} english @param {string} meaning */
const says = (english, meaning) => ` ${english.join(' ')} `.includes(` ${meaning} `);

/** What a word means in each of its entries, and a function that says which of them a sentence has.
 * @param {string} word */
function sensesOf(word) {
  const entries = frenchEnglish.dictionary.filter(({ source }) => source.includes(word));
  if (entries.length === 0) throw rangeError('noSuchWord', { where: 'senseExamples', word });
  const labels = entries.map(({ target }) => target[0]);
  if (entries.length === 1) {
    /* A word of one meaning is for comparison: every other sentence gets a label that means nothing. */
    const names = [labels[0], `${labels[0]} (2)`];
    let turn = 0;
    return { labels: names, senseIn: () => names[turn++ % 2] };
  }
  /** @param {readonly string[]} english */
  const senseIn = (english) => {
    const those = entries.flatMap(({ target }, i) =>
      target.some((meaning) => says(english, meaning)) ? [labels[i]] : [],
    );
    return those.length === 1 ? those[0] : null;
  };
  return { labels, senseIn };
}

/** Sentences with one word, labelled with what it means there, by its first translation: as many of each meaning at each
 * position, so that the position does not tell the meaning. The sentences of a word with one meaning get two labels in
 * turn, which mean nothing.
 * @param {string} word of French @param {SenseOptions} [options]
 * @returns {WordExample[]}
 * @example
 * import { senseExamples } from 'glassformer/tasks';
 *
 * const examples = senseExamples('lit', { count: 5 });
 * [...new Set(examples.map(({ label }) => label))].sort(); // = ['bed', 'read']
 * examples.every(({ source }) => / lit\b/.test(` ${source}`)); // = true */
export function senseExamples(word, options = {}) {
  const where = 'senseExamples';
  checkText(`${where}: word`, word);
  checkOptions(where, options, ['seed', 'count']);
  const { seed = 0, count = 10 } = options;
  checkInteger(`${where}: seed`, seed, 0, UINT32);
  checkInteger(`${where}: count`, count, 1, DRAWN);
  const { labels, senseIn } = sensesOf(word);
  /** By position and meaning. @type {Map<number, Map<string, Set<string>>>} */
  const groups = new Map();
  for (let index = 0; index < DRAWN; index++) {
    const { source, target } = frenchEnglish.sample(index, seed);
    if (!source.includes(word)) continue;
    const words = frenchEnglish.tokenize('source', source);
    const position = words.indexOf(word);
    if (position < 0 || words.lastIndexOf(word) !== position) continue;
    const label = senseIn(frenchEnglish.tokenize('target', target));
    if (label === null) continue;
    const group = groups.get(position) ?? new Map(labels.map((one) => [one, new Set()]));
    group.get(label)?.add(source);
    groups.set(position, group);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .flatMap(([position, group]) => {
      const most = Math.min(count, ...[...group.values()].map(({ size }) => size));
      if (most < Math.min(LEAST, count)) return [];
      return [...group].flatMap(([label, sources]) =>
        [...sources].slice(0, most).map((source) => ({ source, word, position, label })),
      );
    });
}

/** The kind of each word that is of one kind alone. @returns {Map<string, string>} */
function kinds() {
  const all = new Map();
  for (const { kind, source } of frenchEnglish.dictionary) {
    const label = NOUNS.includes(kind) ? 'noun' : kind;
    for (const word of source) all.set(word, (all.get(word) ?? label) === label ? label : null);
  }
  return all;
}

/** Verbs, adjectives and nouns, each word once, in the first of some sentences that has it; words of two kinds, such as
 * porte, are left out.
 * @param {{ seed?: number }} [options] of the sentences; 0 by default
 * @returns {WordExample[]}
 * @example
 * import { kindExamples } from 'glassformer/tasks';
 *
 * const examples = kindExamples();
 * [...new Set(examples.map(({ label }) => label))].sort(); // = ['adjective', 'noun', 'verb']
 * examples.length > 100; // = true */
export function kindExamples(options = {}) {
  checkOptions('kindExamples', options, ['seed']);
  const { seed = 0 } = options;
  checkInteger('kindExamples: seed', seed, 0, UINT32);
  const all = kinds();
  /** @type {Map<string, WordExample>} */
  const examples = new Map();
  for (let index = 0; index < SENTENCES; index++) {
    const { source } = frenchEnglish.sample(index, seed);
    for (const [position, word] of frenchEnglish.tokenize('source', source).entries()) {
      const label = all.get(word);
      if (examples.has(word) || !label || !['verb', 'adjective', 'noun'].includes(label)) continue;
      examples.set(word, { source, word, position, label });
    }
  }
  return [...examples.values()];
}
