// How words become phrases, and phrases sentences, in French and English at once. Agreement is settled
// while a phrase is built; elision, which needs the next word, in finish(), once all words are there.

import { some } from './lexicon.js';

/** @typedef {import('./lexicon.js').Adjective} Adjective */
/** @typedef {import('./lexicon.js').Count} Count */
/** @typedef {import('./lexicon.js').Determiner} Determiner */
/** @typedef {import('./lexicon.js').Noun} Noun */
/** @typedef {import('./lexicon.js').Person} Person */
/** @typedef {import('./lexicon.js').Verb} Verb */
/** @typedef {import('./task.js').Pair} Pair */

/** @typedef {{ french: string, english: string }} Phrase the same in both languages */
/** @typedef {Phrase & { person: Person, count: Count }} Subject a phrase that a verb agrees with */

/** @param {(string | false)[]} parts */
export const join = (...parts) => parts.filter(Boolean).join(' ');

/** By count.
 * @type {Person[]} */
const HE_THEY = [2, 5];

/** @param {Determiner} determiner @param {Noun} noun @param {Count} count
 * @param {{ described?: Adjective[], denied?: boolean }} [options] its adjectives; whether it is the
 * indefinite object of a negated verb
 * @returns {Subject} */
export function nounPhrase(determiner, noun, count, { described = [], denied = false } = {}) {
  const before = described.filter(({ place }) => place === 'before');
  const after = described.filter(({ place }) => place !== 'before');
  /** @param {Adjective[]} list */
  const agreeing = (list) => list.map(({ french }) => french[noun.gender][count]);
  const isDe = denied || (determiner === some && count === 1 && before.length > 0);
  return {
    french: join(
      isDe ? "de/d'" : determiner.french[noun.gender][count],
      ...agreeing(before),
      noun.french[count],
      ...agreeing(after),
    ),
    english: join(
      denied ? 'any' : determiner.english[count],
      ...described.map(({ english }) => english),
      noun.english[count],
    ),
    person: HE_THEY[count],
    count,
  };
}

/** Whether it is not counted: "du pain", some bread.
 * @param {Noun} noun */
export const isMass = (noun) => noun.french[1] === '-';

/** The counts in which both words have a form.
 * @param {Determiner} determiner @param {Noun} noun */
export const countsOf = (determiner, noun) =>
  /** @type {Count[]} */ ([0, 1]).filter(
    (count) => determiner.english[count] !== '-' && noun.english[count] !== '-',
  );

/** @param {Verb} verb @param {Person} person */
function denial({ name, english }, person) {
  if (name === 'be') return `${english[person]} not`;
  return `${person === 2 ? 'does' : 'do'} not ${name}`;
}

/** @param {Subject} subject @param {Verb} verb @param {boolean} negative @param {Phrase} [complement]
 * @returns {Pair} */
export function sentence(subject, verb, negative, complement = { french: '', english: '' }) {
  const { person } = subject;
  const french = verb.french[person];
  const english = verb.english[person];
  return finish({
    french: join(subject.french, negative ? `ne/n' ${french} pas` : french, complement.french),
    english: join(subject.english, negative ? denial(verb, person) : english, complement.english),
  });
}

/** @param {string} text @param {RegExp} vowel the beginning of a word that begins with a vowel sound */
function choose(text, vowel) {
  const words = text.split(' ');
  return words
    .map((word, i) => {
      const [plain, beforeVowel = plain] = word.split('/');
      return vowel.test(words[i + 1] ?? '') ? beforeVowel : plain;
    })
    .join(' ');
}

/** @param {Phrase} phrase
 * @returns {Pair} */
function finish({ french, english }) {
  return {
    source: choose(french, /^[aàâeéèêiîoôuûyh]/)
      .replaceAll('*', '')
      .replaceAll("' ", "'"),
    target: choose(english, /^[aeiou]/),
  };
}
