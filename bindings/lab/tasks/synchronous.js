// A grammar of two languages at once: each rule says how a phrase is built in both. The same rules draw
// sentences and read them, so that what is drawn, what is understood, and what it means cannot differ.

/** @typedef {import('../../js/base/random.js').Dice} Dice */

/** Words that are not yet fitted to their neighbours: "le/l'" chooses once the next word is there.
 * @typedef {object} Phrase
 * @property {string[]} source
 * @property {string[]} target
 * @property {string} shape one letter for each word of the grammar
 * @property {string} letters the same letters, one for each word of the source: "il y a" is one word of the grammar */
/** @typedef {{ source: string, target: string }} Entry a word in both languages */
/** Words that are read, how they are fitted to their neighbours, and how many of them some sentence begins with.
 * @typedef {{ words: readonly string[], fit: (word: string, next: string) => string, most: number }} Text */
/** @typedef {{ phrase: Phrase, end: number }} Reading a phrase, and where in the text it ends */
/**
 * @typedef {object} Rule
 * @property {(dice: Dice) => Phrase} draw
 * @property {(text: Text, from: number) => Iterable<Reading>} read all phrases that the text has there
 * @property {readonly Rule[]} rules those that it is made of
 * @property {readonly Entry[]} entries its own words
 */

/** @param {string} text */
const wordsOf = (text) => (text === '' ? [] : text.split(' '));

/** What "le/l'" may be.
 * @param {string} word */
export const alternatives = (word) => word.split('/');

/** One of several words.
 * @param {string} letter of its shape @param {readonly Entry[]} entries
 * @returns {Rule} */
export function word(letter, entries) {
  /** @param {Entry} entry @returns {Phrase} */
  const phraseOf = ({ source, target }) => {
    const words = wordsOf(source);
    const letters = letter.repeat(words.length);
    return { source: words, target: wordsOf(target), shape: letter, letters };
  };
  /** By the first word, as it may be written; made when the rule first reads, since most never do.
   * @type {Map<string, Phrase[]> | undefined} */
  let index;
  const makeIndex = () => {
    /** @type {Map<string, Phrase[]>} */
    const byFirst = new Map();
    for (const phrase of entries.map(phraseOf)) {
      for (const first of alternatives(phrase.source[0])) {
        byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
      }
    }
    return byFirst;
  };
  return {
    draw: (dice) => phraseOf(entries[dice(entries.length)]),
    *read(text, from) {
      index ??= makeIndex();
      for (const phrase of index.get(text.words[from]) ?? []) {
        const fits = phrase.source.every((one, i) => {
          const next = phrase.source[i + 1] ?? text.words[from + i + 1] ?? '';
          return text.fit(one, next) === text.words[from + i];
        });
        const end = from + phrase.source.length;
        if (!fits) continue;
        text.most = Math.max(text.most, end);
        yield { phrase, end };
      }
    },
    rules: [],
    entries,
  };
}

/** One rule after the other.
 * @param {readonly Rule[]} rules in the order of the source
 * @param {readonly number[]} [order] that of the target: which of the rules comes first, second, ...
 * @returns {Rule} */
export function sequence(rules, order = rules.map((_, i) => i)) {
  /** @param {readonly Phrase[]} parts */
  const join = (parts) => ({
    source: parts.flatMap(({ source }) => source),
    target: order.flatMap((i) => parts[i].target),
    shape: parts.map(({ shape }) => shape).join(''),
    letters: parts.map(({ letters }) => letters).join(''),
  });
  /** @param {Text} text @param {number} from @param {readonly Phrase[]} before
   * @returns {Generator<Reading>} */
  function* readings(text, from, before) {
    if (before.length === rules.length) {
      yield { phrase: join(before), end: from };
      return;
    }
    for (const { phrase, end } of rules[before.length].read(text, from)) {
      yield* readings(text, end, [...before, phrase]);
    }
  }
  return {
    draw: (dice) => join(rules.map((rule) => rule.draw(dice))),
    read: (text, from) => readings(text, from, []),
    rules,
    entries: [],
  };
}

/** One of several rules.
 * @param {readonly (readonly [number, Rule])[]} weighted each with how often it is drawn, in whole numbers
 * @returns {Rule} */
export function either(weighted) {
  const sum = weighted.reduce((total, [weight]) => total + weight, 0);
  return {
    draw(dice) {
      let rest = dice(sum);
      const [, chosen] = /** @type {readonly [number, Rule]} */ (
        weighted.find(([weight]) => {
          rest -= weight;
          return rest < 0;
        })
      );
      return chosen.draw(dice);
    },
    *read(text, from) {
      for (const [, rule] of weighted) yield* rule.read(text, from);
    },
    rules: weighted.map(([, rule]) => rule),
    entries: [],
  };
}

/** Every word that occurs in a rule, or in what it is made of.
 * @param {Rule} rule
 * @returns {Entry[]} */
export function entriesOf(rule) {
  const all = new Set([rule]);
  /* A set's loop also visits what is added on the way. */
  for (const { rules } of all) for (const part of rules) all.add(part);
  return [...all].flatMap(({ entries }) => entries);
}
