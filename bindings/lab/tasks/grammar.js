// The sentences of the French-English task: one set of rules draws them, reads them, and translates them.

import {
  ASPIRATED,
  actions,
  adjectives,
  determiners,
  frames,
  nouns,
  places,
  pronouns,
  states,
  verbs,
} from './lexicon.js';
import { alternatives, either, entriesOf, sequence, word } from './synchronous.js';

/** @typedef {import('./lexicon.js').Count} Count */
/** @typedef {import('./lexicon.js').Determiner} Determiner */
/** @typedef {import('./lexicon.js').Gender} Gender */
/** @typedef {import('./lexicon.js').Group} Group */
/** @typedef {import('./lexicon.js').Noun} Noun */
/** @typedef {import('./lexicon.js').Person} Person */
/** @typedef {import('./lexicon.js').Sort} Sort */
/** @typedef {import('./lexicon.js').Verb} Verb */
/** @typedef {import('./synchronous.js').Entry} Entry */
/** @typedef {import('./synchronous.js').Phrase} Phrase */
/** @typedef {import('./synchronous.js').Rule} Rule */
/** @typedef {import('./synchronous.js').Text} Text */

/** Nouns that agree with the same words.
 * @typedef {{ group: Group, sort: Sort, gender: Gender, count: Count, nouns: Noun[] }} Cell */
/** Positions of a noun phrase that change its determiner: behind a preposition, as the object of a negated
 * verb, or of a verb whose objects are general.
 * @typedef {'place' | 'denied' | 'general' | null} Position */

/** The letters of a sentence's structure.
 * @type {Readonly<Record<string, string>>} */
export const KINDS = Object.freeze({
  P: 'pronoun',
  D: 'determiner',
  N: 'noun',
  A: 'adjective before the noun',
  B: 'adjective after the noun',
  C: 'adjective behind "être"',
  V: 'verb',
  X: 'ne',
  Y: 'pas',
  S: 'state',
  R: 'preposition',
  T: 'très',
  I: 'il y a',
});

const COUNTS = /** @type {const} */ ([0, 1]);
const PERSONS = /** @type {const} */ ([0, 1, 2, 3, 4, 5]);
/** By count. */
const HE_THEY = /** @type {const} */ ([2, 5]);
/** General objects lose it in English. */
const [THE] = determiners;

/** The cells of the nouns that are of one of these groups and kinds.
 * @param {readonly string[]} wanted
 * @returns {Cell[]} */
function cellsOf(wanted) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const noun of nouns) {
    const { group, sort, gender, kinds } = noun;
    if (![group, ...kinds].some((name) => wanted.includes(name))) continue;
    for (const count of COUNTS.filter((count) => noun.french[count] !== '-')) {
      const key = [group, sort, gender, count].join();
      const cell = cells.get(key) ?? { group, sort, gender, count, nouns: [] };
      cell.nouns.push(noun);
      cells.set(key, cell);
    }
  }
  return [...cells.values()];
}

/** A determiner in both languages; null if it cannot be used there.
 * @param {Determiner} determiner @param {Cell} cell @param {Position} position
 * @param {boolean} described by an adjective before the noun
 * @returns {Entry | null} */
function determinerAt(determiner, cell, position, described) {
  const { french, english, sorts, indefinite } = determiner;
  const { sort, gender, count } = cell;
  const entry = { source: french[gender][count], target: english[count] };
  if (!sorts.includes(sort) || entry.source === '-') return null;
  if (indefinite) return indefiniteAt(entry, cell, position, described);
  const isOfAll = position === 'general' && isUncounted(cell);
  return isOfAll && determiner === THE ? { ...entry, target: '' } : entry;
}

/** Whether a noun phrase is of an amount or of several: du pain, des pommes. @param {Cell} cell */
const isUncounted = ({ sort, count }) => sort === 'mass' || count === 1;

/** What becomes of an indefinite determiner: "de" before what is denied or described, or null where French has none.
 * @param {Entry} entry @param {Cell} cell @param {Position} position @param {boolean} described
 * @returns {Entry | null} */
function indefiniteAt(entry, cell, position, described) {
  if (position === 'general' || (position === 'place' && cell.sort === 'mass')) return null;
  if (position === 'denied') return { source: "de/d'", target: isUncounted(cell) ? 'any' : 'a/an' };
  return described && cell.count === 1 ? { ...entry, source: "de/d'" } : entry;
}

/** @param {Cell} cell @param {Position} position @param {boolean} described */
const determinerOf = (cell, position, described) =>
  either(
    determiners.flatMap((determiner) => {
      const entry = determinerAt(determiner, cell, position, described);
      return entry ? [[determiner.weight, one('D', entry.source, entry.target)]] : [];
    }),
  );

/** @param {Cell} cell @param {'before' | 'after'} place */
const adjectivesOf = ({ group, gender, count }, place) =>
  adjectives
    .filter((one) => one.place === place && one.groups.includes(group))
    .map(({ french, english }) => ({ source: french[gender][count], target: english }));

/** A noun with its determiner and up to two adjectives. English puts both before the noun.
 * @param {Cell} cell @param {Position} [position]
 * @returns {Rule} */
function nounPhrase(cell, position = null) {
  const { count } = cell;
  /* "Pas de souris" might be one mouse or many. */
  const isClear = position !== 'denied' || count === 1;
  const clear = cell.nouns.filter(({ french }) => isClear || french[0] !== french[1]);
  const noun = words('N', clear, ({ french, english }) => [french[count], english[count]]);
  const determiner = determinerOf(cell, position, false);
  const described = determinerOf(cell, position, true);
  const before = word('A', adjectivesOf(cell, 'before'));
  const after = word('B', adjectivesOf(cell, 'after'));
  return either([
    [4, sequence([determiner, noun])],
    [3, sequence([described, before, noun])],
    [3, sequence([determiner, noun, after], [0, 2, 1])],
    [2, sequence([described, before, noun, after], [0, 1, 3, 2])],
  ]);
}

/** The phrases that are built, by what they are about. @type {Map<string, Rule>} */
const built = new Map();

/** A phrase about any of the nouns of these groups and kinds.
 * @param {readonly string[]} wanted @param {{ position?: Position, count?: Count }} [how] count: of that alone
 * @returns {Rule} */
function nounPhrases(wanted, { position = null, count } = {}) {
  const key = [...wanted, position, count].join();
  const rule =
    built.get(key) ??
    either(
      cellsOf(wanted)
        .filter((cell) => count === undefined || cell.count === count)
        .map((cell) => [cell.nouns.length, nounPhrase(cell, position)]),
    );
  built.set(key, rule);
  return rule;
}

/** Words that stand alone in many phrases. @type {Map<string, Rule>} */
const alone = new Map();

/** @param {string} letter @param {string} source @param {string} target */
function one(letter, source, target) {
  const key = [letter, source, target].join();
  const rule = alone.get(key) ?? word(letter, [{ source, target }]);
  alone.set(key, rule);
  return rule;
}

/** One of several words, each in both languages. @template T
 * @param {string} letter @param {readonly T[]} list @param {(item: T) => [source: string, target: string]} of */
const words = (letter, list, of) =>
  word(
    letter,
    list.map(of).map(([source, target]) => ({ source, target })),
  );

/** As the lexicon has words that are the same everywhere.
 * @param {{ french: string, english: string }} entry
 * @returns {[string, string]} */
const inBoth = ({ french, english }) => [french, english];

const NE = one('X', "ne/n'", '');

/** A verb that agrees with its subject, negated or not. English negates all but "be" with "do".
 * @param {readonly Verb[]} list @param {Person} person @param {boolean} negative
 * @returns {Rule} */
function verb(list, person, negative) {
  const isBe = list.includes(verbs.be);
  const forms = words('V', list, ({ name, french, english }) => [
    french[person],
    negative && !isBe ? name : english[person],
  ]);
  if (!negative) return forms;
  if (isBe) return sequence([NE, forms, one('Y', 'pas', 'not')]);
  const pas = one('Y', 'pas', person === 2 ? 'does not' : 'do not');
  return sequence([NE, forms, pas], [0, 2, 1]);
}

/** A verb as it is, more often than negated.
 * @param {readonly Verb[]} list @param {Person} person @param {(negative: boolean) => Rule[]} rest what follows it
 * @returns {Rule} */
const affirmedOrDenied = (list, person, rest = () => []) =>
  either([
    [2, sequence([verb(list, person, false), ...rest(false)])],
    [1, sequence([verb(list, person, true), ...rest(true)])],
  ]);

/** In the garden, under a big tree, with my sister. */
const place = () =>
  either(
    places.map(({ prepositions, nouns: kinds }) => [
      prepositions.length,
      sequence([words('R', prepositions, inBoth), nounPhrases(kinds, { position: 'place' })]),
    ]),
  );

const ALL = ['human', 'animal', 'food', 'thing', 'tall'];
const ANIMATE = ['human', 'animal'];

/** @param {Person} person */
const pronoun = (person) => {
  const distinct = new Map(pronouns.filter((one) => one.person === person).map(inBoth));
  return words('P', [...distinct], (entry) => entry);
};

/** Who does something: a pronoun, or a noun of these groups.
 * @param {Person} person @param {readonly string[]} groups
 * @returns {Rule} */
function doer(person, groups) {
  const count = COUNTS.find((one) => HE_THEY[one] === person);
  if (count === undefined) return pronoun(person);
  return either([
    [1, pronoun(person)],
    [4, nounPhrases(groups, { count })],
  ]);
}

/** Each person with what it does; most sentences are about somebody or something.
 * @param {(person: Person) => Rule[]} rules */
const byPerson = (rules) =>
  either(PERSONS.map((person) => [person === 2 || person === 5 ? 5 : 1, sequence(rules(person))]));

/** Une pomme, du pain; behind a negated verb: de pomme, de pain.
 * @param {import('./lexicon.js').Frame} frame @param {boolean} negative */
const object = ({ objects, general }, negative) =>
  nounPhrases(objects, { position: general ? 'general' : negative ? 'denied' : null });

/** Elle mange une pomme. Nous n'avons pas de chien.
 * @param {Person} person @param {Rule[]} rest */
const dealing = (person, ...rest) =>
  either(
    frames.map((frame) => [
      2 + frame.verbs.length,
      affirmedOrDenied(frame.verbs, person, (negative) => [object(frame, negative), ...rest]),
    ]),
  );

/** An adjective behind "être" agrees with the subject.
 * @param {{ group: Group, gender: Gender, count: Count }} subject */
function predicate({ group, gender, count }) {
  const fitting = adjectives.filter(({ groups }) => groups.includes(group));
  const adjective = words('C', fitting, (one) => [one.french[gender][count], one.predicate]);
  return either([
    [3, adjective],
    [1, sequence([one('T', 'très', 'very'), adjective])],
  ]);
}

/** La grande maison est rouge. */
const qualities = () =>
  either(
    cellsOf(ALL).map((cell) => [
      cell.nouns.length,
      sequence([
        nounPhrase(cell),
        affirmedOrDenied([verbs.be], HE_THEY[cell.count], () => [predicate(cell)]),
      ]),
    ]),
  );

/** Each pronoun in each gender that it may have. */
const people = pronouns.flatMap(({ genders, ...pronoun }) =>
  genders.map((gender) => ({ ...pronoun, gender, group: /** @type {Group} */ ('human') })),
);

/** @param {(typeof people)[number]} who @param {Rule} complement */
const being = ({ french, english, person }, complement) =>
  sequence([one('P', french, english), affirmedOrDenied([verbs.be], person, () => [complement])]);

/** Je suis fatiguée. */
const moods = () => either(people.map((who) => [1, being(who, predicate(who))]));

/** Je suis étudiant. French has no article here, English has one. */
const professions = () =>
  either(
    people.map((who) => {
      const { count, gender } = who;
      const all = nouns.filter(
        (noun) => noun.kinds.includes('profession') && noun.gender === gender,
      );
      const profession = words('N', all, ({ french, english }) => [
        french[count],
        count === 0 ? `a/an ${english[0]}` : english[1],
      ]);
      return [1, being(who, profession)];
    }),
  );

/** J'ai faim. What one has in French, and is in English. */
const feelings = () =>
  byPerson((person) => {
    const has = one('V', verbs.have.french[person], verbs.be.english[person]);
    return [
      doer(person, ANIMATE),
      either([
        [2, has],
        [1, sequence([NE, has, one('Y', 'pas', 'not')])],
      ]),
      words('S', states, inBoth),
    ];
  });

/** Le petit chat noir dort dans la maison. */
const doings = () =>
  byPerson((person) => [
    doer(person, ANIMATE),
    either([
      [4, affirmedOrDenied(actions, person)],
      [8, affirmedOrDenied([...actions, verbs.live], person, () => [place()])],
      [7, dealing(person)],
      [12, dealing(person, place())],
    ]),
  ]);

/** Le livre n'est pas sur la table. */
const whereabouts = () =>
  byPerson((person) => [doer(person, ALL), affirmedOrDenied([verbs.be], person, () => [place()])]);

/** Il y a un chat dans le jardin. Il n'y a pas de pain. */
const presences = () =>
  either(
    COUNTS.map((count) => {
      const be = verbs.be.english[HE_THEY[count]];
      const there = sequence([one('I', 'il y a', `there ${be}`), nounPhrases(ALL, { count })]);
      const notThere = sequence([
        one('I', "il n' y a pas", `there ${be} not`),
        nounPhrases(ALL, { position: 'denied', count }),
      ]);
      return [
        1,
        either([
          [2, there],
          [1, notThere],
          [4, sequence([there, place()])],
          [2, sequence([notThere, place()])],
        ]),
      ];
    }),
  );

/** @type {Rule | undefined} */
let grammar;

/** Every sentence, the longer ones too; built when it is first needed. */
function sentences() {
  grammar ??= either([
    [5, qualities()],
    [2, moods()],
    [1, professions()],
    [1, feelings()],
    [16, doings()],
    [3, whereabouts()],
    [2, presences()],
  ]);
  return grammar;
}

/** French words of a sentence: longer ones are not part of the grammar. */
export const MAX_WORDS = 14;

/** A word as it is written before the next one. @param {string} word @param {string} next */
function fitFrench(word, next) {
  const [plain, beforeVowel = plain] = alternatives(word);
  const begins = /^[aàâeéèêiîoôœuûyh]/.test(next) && !ASPIRATED.includes(next);
  return begins ? beforeVowel : plain;
}

/** @param {string} word @param {string} next */
function fitEnglish(word, next) {
  const [plain, beforeVowel = plain] = alternatives(word);
  return /^[aeiou]/.test(next) ? beforeVowel : plain;
}

/** @param {readonly string[]} words @param {(word: string, next: string) => string} fit */
const fitted = (words, fit) => words.map((word, i) => fit(word, words[i + 1] ?? ''));

/** @typedef {{ french: string[], english: string[], structure: string, letters: string }} Sentence structure: one
 * letter of KINDS for each word of the grammar; letters: one for each French word */

/** @param {Phrase} phrase
 * @returns {Sentence} */
const sentenceOf = ({ source, target, shape, letters }) => ({
  french: fitted(source, fitFrench),
  english: fitted(target, fitEnglish),
  structure: shape,
  letters,
});

/** @param {import('../../js/base/random.js').Dice} dice
 * @returns {Sentence} */
export function draw(dice) {
  for (;;) {
    const phrase = sentences().draw(dice);
    if (phrase.source.length <= MAX_WORDS) return sentenceOf(phrase);
  }
}

/** All that French words may say: one sentence, or none, since no two of the grammar are alike.
 * @param {readonly string[]} words @param {Text} [text]
 * @returns {Generator<Sentence>} */
export function* readings(words, text = textOf(words)) {
  for (const { phrase, end } of sentences().read(text, 0)) {
    if (end === words.length) yield sentenceOf(phrase);
  }
}

/** @param {readonly string[]} words
 * @returns {Text} */
const textOf = (words) => ({ words, fit: fitFrench, most: 0 });

/** What the grammar makes of French words: the sentence, or null, and with how many of the words some sentence begins.
 * @param {readonly string[]} words
 * @returns {{ sentence: Sentence | null, fits: number }} */
export function read(words) {
  const text = textOf(words.slice(0, MAX_WORDS));
  const [sentence = null] = readings(words, text);
  return { sentence, fits: sentence ? words.length : text.most };
}

/** @type {{ french: string[], english: string[] } | undefined} */
let vocabularies;

/** Every word that occurs, as it is written; collected when it is first needed. */
export function vocabulary() {
  const entries = vocabularies ? [] : entriesOf(sentences());
  const written = (/** @type {'source' | 'target'} */ side) => {
    /* Most words occur in many phrases. */
    const cells = new Set(entries.map((entry) => entry[side]));
    const forms = new Set([...cells].flatMap((cell) => cell.split(' ').flatMap(alternatives)));
    return [...forms].filter(Boolean).sort();
  };
  vocabularies ??= { french: written('source'), english: written('target') };
  return vocabularies;
}
