// Every sentence of the French-English task, each once.

import {
  actions,
  adjectives,
  frames,
  my,
  nouns,
  partitive,
  places,
  pronouns,
  some,
  the,
  these,
  two,
  verbs,
} from './lexicon.js';
import { countsOf, isMass, join, nounPhrase, sentence } from './phrases.js';

/** @typedef {import('./lexicon.js').Adjective} Adjective */
/** @typedef {import('./lexicon.js').Determiner} Determiner */
/** @typedef {import('./lexicon.js').Noun} Noun */
/** @typedef {import('./lexicon.js').Verb} Verb */
/** @typedef {import('./phrases.js').Phrase} Phrase */
/** @typedef {import('./phrases.js').Subject} Subject */
/** @typedef {import('./task.js').Pair} Pair */

/** @param {Noun} noun @param {string[]} list kinds and names */
const isAmong = ({ name, kinds }, list) =>
  list.includes(name) || kinds.some((kind) => list.includes(kind));

/** @param {string[]} list kinds and names */
const nounsAmong = (list) => nouns.filter((noun) => isAmong(noun, list));

/** A noun with each of the determiners, in singular and plural where they exist.
 * @param {Determiner[]} determiners @param {Noun} noun @param {Adjective[]} [described] */
const phrasesOf = (determiners, noun, described) =>
  determiners.flatMap((determiner) =>
    countsOf(determiner, noun).map((count) => nounPhrase(determiner, noun, count, { described })),
  );

/** The determiners that point at someone or something.
 * @param {Noun} noun */
const pointing = (noun) => (noun.kinds.includes('mine') ? [the, these, my] : [the, these]);

/** The ways to describe a noun: with one adjective, or with two of which the second is a colour.
 * @param {Noun} noun
 * @returns {Adjective[][]} */
function descriptions(noun) {
  const own = noun.adjectives.map((name) => adjectives[name]);
  const before = own.filter(({ place }) => place === 'before');
  const colours = own.filter(({ place }) => place === 'colour');
  return [...own.map((one) => [one]), ...before.flatMap((a) => colours.map((b) => [a, b]))];
}

/** @param {Subject} subject @param {Verb} verb @param {Phrase} [complement] */
const affirmedAndDenied = (subject, verb, complement) =>
  [false, true].map((negative) => sentence(subject, verb, negative, complement));

/** Le chat est noir. Ces pommes ne sont pas rouges.
 * @returns {Generator<Pair>} */
function* qualities() {
  for (const noun of nouns) {
    for (const subject of phrasesOf(pointing(noun), noun)) {
      for (const { french, predicate } of noun.adjectives.map((name) => adjectives[name])) {
        const complement = { french: french[noun.gender][subject.count], english: predicate };
        yield* affirmedAndDenied(subject, verbs.be, complement);
      }
    }
  }
}

/** Je suis fatiguée. Ils ne sont pas tristes.
 * @returns {Generator<Pair>} */
function* states() {
  for (const pronoun of pronouns) {
    for (const name of ['little', 'tall', 'young', 'happy', 'sad', 'tired']) {
      const { french, predicate } = adjectives[name];
      const forms = pronoun.genders.map((gender) => french[gender][pronoun.count]);
      for (const form of new Set(forms)) {
        yield* affirmedAndDenied(pronoun, verbs.be, { french: form, english: predicate });
      }
    }
  }
}

/** Je suis étudiant. Elles ne sont pas étudiantes. French has no article here, English has one.
 * @returns {Generator<Pair>} */
function* professions() {
  for (const pronoun of pronouns) {
    for (const { gender, french, english } of nounsAmong(['profession'])) {
      if (!pronoun.genders.includes(gender)) continue;
      yield* affirmedAndDenied(pronoun, verbs.be, {
        french: french[pronoun.count],
        english: join(pronoun.count === 0 && 'a/an', english[pronoun.count]),
      });
    }
  }
}

/** Le petit chat noir dort. Mes enfants ne chantent pas. Tu joues.
 * @returns {Generator<Pair>} */
function* doings() {
  for (const { verb, subjects } of actions) {
    for (const pronoun of pronouns) yield* affirmedAndDenied(pronoun, verb);
    for (const noun of nounsAmong(subjects)) {
      for (const subject of phrasesOf(pointing(noun), noun)) {
        yield* affirmedAndDenied(subject, verb);
      }
      /* Affirmed only: "des chats ne dorment pas" would sound odd. */
      for (const subject of [
        ...phrasesOf([some, two], noun),
        ...descriptions(noun).flatMap((described) => phrasesOf([the, some], noun, described)),
      ]) {
        yield sentence(subject, verb, false);
      }
    }
  }
}

/** Le livre n'est pas sur la table. Nous jouons dans le jardin.
 * @returns {Generator<Pair>} */
function* whereabouts() {
  for (const { french, english, noun: name, does, subjects } of places) {
    const [ground] = nounsAmong([name]);
    const at = nounPhrase(the, ground, 0);
    const place = { french: join(french, at.french), english: join(english, at.english) };
    const present = nounsAmong(subjects).filter((noun) => noun !== ground);
    for (const verb of does.map((name) => verbs[name])) {
      const able = actions.find((action) => action.verb === verb)?.subjects ?? subjects;
      const doers = present.filter((noun) => isAmong(noun, able));
      for (const subject of [
        ...(subjects.includes('human') ? pronouns : []),
        ...doers.flatMap((noun) => phrasesOf([the], noun)),
      ]) {
        yield* affirmedAndDenied(subject, verb, place);
      }
    }
  }
}

/** What one may do to a thing, and not do: the object, and whether the verb is negated.
 * @param {string[]} takes @param {Noun} noun
 * @returns {Generator<[Phrase, boolean]>} */
function* objectsOf(takes, noun) {
  const count = isMass(noun) ? 0 : 1;
  for (const negative of [false, true]) {
    if (takes.includes('definite')) {
      for (const object of phrasesOf([the], noun)) yield [object, negative];
    }
    if (takes.includes('general')) {
      yield [{ ...nounPhrase(the, noun, count), english: noun.english[count] }, negative];
    }
  }
  if (takes.includes('indefinite')) {
    const article = isMass(noun) ? partitive : some;
    for (const object of phrasesOf([article], noun)) yield [object, false];
    yield [nounPhrase(article, noun, count, { denied: true }), true];
  }
}

/** Elle aime les pommes. Le chat boit du lait. Je n'ai pas de livres.
 * @returns {Generator<Pair>} */
function* dealings() {
  for (const { verb, subjects, takes, objects } of frames) {
    for (const noun of nounsAmong(objects)) {
      const others = nounsAmong(subjects).filter((other) => other !== noun);
      const doers = [...pronouns, ...others.flatMap((other) => phrasesOf([the], other))];
      for (const [object, negative] of objectsOf(takes, noun)) {
        for (const doer of doers) yield sentence(doer, verb, negative, object);
      }
    }
  }
}

/** J'ai un petit chat noir. Elle mange de belles pommes.
 * @returns {Generator<Pair>} */
function* belongings() {
  for (const { verb, objects } of frames.filter(({ takes }) => takes.includes('described'))) {
    for (const noun of nounsAmong(objects).filter((noun) => !isMass(noun))) {
      for (const object of descriptions(noun).flatMap((own) => phrasesOf([some], noun, own))) {
        for (const pronoun of pronouns) yield sentence(pronoun, verb, false, object);
      }
    }
  }
}

/** @returns {Pair[]} */
export const sentences = () => [
  ...qualities(),
  ...states(),
  ...professions(),
  ...doings(),
  ...whereabouts(),
  ...dealings(),
  ...belongings(),
];
