import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dice, hash } from '../../bindings/base/random.js';
import {
  END,
  isHeldOut,
  SPECIAL,
  START,
  taskBatches,
  tasks,
  testBatch,
  UNKNOWN,
  Vocabulary,
} from '../../bindings/tasks/index.js';
import * as lexicon from '../../bindings/tasks/lexicon.js';

const all = Object.values(tasks);
const french = tasks['french-english'];
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const places = { index: seeds, seed: seeds };

/** @template T
 * @param {Iterable<T>} stream @param {number} count */
function take(stream, count) {
  const taken = [];
  for (const item of stream) {
    if (taken.length === count) break;
    taken.push(item);
  }
  return taken;
}
const samples = (task, count) => Array.from({ length: count }, (_, i) => task.sample(i, 7));

// ---- What every task promises ----

test('the tasks are listed by name', () => {
  const names = ['copy', 'reverse', 'sort', 'addition', 'dates', 'french-english'];
  assert.deepEqual(Object.keys(tasks), names);
  for (const [name, task] of Object.entries(tasks)) {
    assert.equal(task.name, name);
    assert.ok(task.title && task.about);
  }
});

test('the hash is that of MurmurHash3, whose empty text of seed 1 gives 514e28b7', () => {
  assert.equal(hash(1 - 0x9e3779b9), 0x514e28b7);
  assert.notEqual(hash(1, 2), hash(2, 1));
  assert.notEqual(hash(0), hash(0, 0));
});

test('neighbours in a stream share no random number', () => {
  const thrown = Array.from({ length: 1000 }, (_, index) => {
    const one = dice(1, index);
    return [one(2 ** 32), one(2 ** 32), one(2 ** 32)];
  });
  assert.equal(new Set(thrown.flat()).size, 3000);
});

for (const task of all) {
  test(`${task.name}: a pair depends on seed and index alone`, () => {
    const first = samples(task, 50);
    assert.deepEqual(samples(task, 50).reverse(), first.toReversed());
    assert.notDeepEqual(
      first,
      first.map((_, i) => task.sample(i, 8)),
    );
    assert.deepEqual(take(task.trainingPairs(3), 50), take(task.trainingPairs(3), 50));
    assert.deepEqual(task.heldOut(20, 3), task.heldOut(20, 3));
    assert.notDeepEqual(task.heldOut(20, 3), task.heldOut(20, 4));
  });

  test(`${task.name}: what is held out never occurs in training, of whatever seeds`, () => {
    const heldOut = new Set(task.heldOut(500, 1).map(({ source }) => source));
    assert.equal(heldOut.size, 500);
    for (const seed of [1, 2, 0xffffffff]) {
      for (const { source } of take(task.trainingPairs(seed), 5000)) {
        assert.ok(!heldOut.has(source), source);
        assert.ok(!isHeldOut(source), source);
      }
    }
  });

  test(`${task.name}: one source in ten is held out`, () => {
    const sources = new Set(samples(task, 20_000).map(({ source }) => source));
    const share = [...sources].filter(isHeldOut).length / sources.size;
    assert.ok(share > 0.08 && share < 0.12, String(share));
  });

  test(`${task.name}: tokens are in the vocabulary, lengths within the limits, and both needed`, () => {
    const seen = new Set(SPECIAL);
    const longest = { source: 0, target: 0 };
    for (const pair of task.pairs ?? samples(task, 20_000)) {
      for (const side of /** @type {const} */ (['source', 'target'])) {
        const tokens = task.tokenize(side, pair[side]);
        assert.ok(!task.vocabulary.encode(tokens).includes(UNKNOWN), pair[side]);
        const text = task.detokenize(side, tokens);
        assert.equal(text.toLowerCase(), pair[side].toLowerCase());
        longest[side] = Math.max(longest[side], tokens.length);
        for (const token of tokens) seen.add(token);
      }
    }
    assert.deepEqual(longest, { source: task.maxSource, target: task.maxTarget });
    assert.deepEqual([...seen].sort(), [...task.vocabulary.tokens].sort());
  });

  test(`${task.name}: wrong arguments are told with the value received`, () => {
    const { name } = task;
    for (const [wrong, kind, message] of [
      [() => task.sample(-1, 0), RangeError, `${name}: sample: index: .* received -1`],
      [() => task.sample(0, 2 ** 32), RangeError, `${name}: sample: seed: .* received 4294967296`],
      [() => task.trainingPairs(0.5), RangeError, `${name}: trainingPairs: seed: .* received 0.5`],
      [() => task.heldOut('9', 0), TypeError, `${name}: heldOut: count: .* received "9"`],
      [() => task.heldOut(10_001, 0), RangeError, `from 0 to ${task.heldOutSize}, received 10001`],
      [() => task.heldOut(1, null), TypeError, `${name}: heldOut: seed: .* received null`],
      [() => task.tokenize('left', 'a'), RangeError, `${name}: tokenize: .* received "left"`],
      [() => task.tokenize('source', 5), TypeError, `${name}: tokenize: .* received 5`],
      [() => task.detokenize('source', 'a'), TypeError, `${name}: detokenize: .* received "a"`],
    ]) {
      assert.throws(wrong, (error) => {
        assert.ok(error instanceof kind, String(error));
        assert.match(error.message, new RegExp(message));
        return true;
      });
    }
  });
}

// ---- Vocabulary ----

test('a vocabulary turns tokens into ids and back, and survives JSON', () => {
  const vocabulary = new Vocabulary([...SPECIAL, 'le', 'chat']);
  assert.deepEqual(vocabulary.encode(['chat', 'le', 'hibou', '<end>']), [5, 4, UNKNOWN, 2]);
  assert.deepEqual(vocabulary.decode([5, 4, UNKNOWN, 2]), ['chat', 'le', '<unknown>', '<end>']);
  assert.deepEqual(vocabulary.decode(new Int32Array([4, 0])), ['le', '<pad>']);
  const again = new Vocabulary(JSON.parse(JSON.stringify(vocabulary)));
  assert.deepEqual(again.tokens, vocabulary.tokens);
  assert.equal(again.size, 6);
});

test('a vocabulary refuses what is none, with the value received', () => {
  const vocabulary = new Vocabulary([...SPECIAL, 'a']);
  for (const [wrong, kind, message] of [
    [() => new Vocabulary('abc'), TypeError, /expected an array of tokens, received "abc"/],
    [() => new Vocabulary(['a', 'b']), RangeError, /expected "<pad>" as token 0, received "a"/],
    [() => new Vocabulary([]), RangeError, /expected "<pad>" as token 0, received undefined/],
    [() => new Vocabulary([...SPECIAL, 'a', 'a']), RangeError, /token 5: received "a" twice/],
    [() => new Vocabulary([...SPECIAL, 7]), TypeError, /token 4: expected a text, received 7/],
    [() => vocabulary.encode('a'), TypeError, /encode: .* received "a"/],
    [() => vocabulary.decode([0, 5]), RangeError, /ids\[1\]: .* from 0 to 4, received 5/],
    [() => vocabulary.decode([0.5]), RangeError, /ids\[0\]: .* received 0.5/],
  ]) {
    assert.throws(wrong, (error) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    });
  }
});

// ---- Letters, numbers, dates ----

/** Checks a task's pairs anywhere in its streams. */
const everywhere = (task, check) =>
  fc.assert(
    fc.property(fc.record(places), ({ index, seed }) => check(task.sample(index, seed))),
    { numRuns: 2000 },
  );

test('copy, reverse and sort do what they say', () => {
  everywhere(tasks.copy, ({ source, target }) => {
    assert.match(source, /^[a-z]{1,10}$/);
    assert.equal(target, source);
  });
  everywhere(tasks.reverse, ({ source, target }) => {
    assert.equal(target.length, source.length);
    for (let i = 0; i < source.length; i++) assert.equal(target[i], source.at(-1 - i));
  });
  everywhere(tasks.sort, ({ source, target }) => {
    let rest = source;
    for (const letter of target) rest = rest.replace(letter, '');
    assert.equal(rest, '');
    assert.equal(target.length, source.length);
    for (let i = 1; i < target.length; i++) assert.ok(target[i - 1] <= target[i], target);
  });
});

test('every length is as likely as the others', () => {
  const counts = Array(11).fill(0);
  for (const { source } of samples(tasks.reverse, 20_000)) counts[source.length] += 1;
  for (const count of counts.slice(1)) assert.ok(Math.abs(count - 2000) < 200, String(counts));
});

test('sums are right', () => {
  everywhere(tasks.addition, ({ source, target }) => {
    const [, a, b] = /^(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})$/.exec(source) ?? assert.fail(source);
    assert.equal(target, String(BigInt(a) + BigInt(b)));
  });
});

test('dates are what Date reads, their weekdays and ordinals included', () => {
  const suffixes = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
  const rules = new Intl.PluralRules('en', { type: 'ordinal' });
  const forms = new Set();
  everywhere(tasks.dates, ({ source, target }) => {
    const [, day, suffix] = /(\d+)(st|nd|rd|th)/.exec(source) ?? [];
    if (suffix) assert.equal(suffix, suffixes[rules.select(Number(day))]);
    const plain = source
      .replace(/^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) /, '')
      .replace(/(\d)(st|nd|rd|th)/, '$1')
      .replace(/'(\d\d)/, (_, year) => (year < 50 ? 20 : 19) + year);
    const date = new Date(`${plain} UTC`);
    assert.equal(target, date.toISOString().slice(0, 10), source);
    const weekday = /^[A-Z][a-z]{2}(?= \d+ [A-Z])/.exec(source)?.[0];
    if (weekday) assert.equal(weekday, date.toUTCString().slice(0, 3));
    forms.add(
      source
        .replace(/\p{L}{3,}/gu, 'x')
        .replace(/\d+/g, '1')
        .replace(/1(st|nd|rd)/, '1th'),
    );
  });
  assert.deepEqual(
    [...forms].sort(),
    ['1 x 1', "1 x '1", '1/1/1', 'x 1 x 1', 'x 1, 1', 'x 1th, 1'].sort(),
  );
});

test('every day of the hundred years can come, and no other', () => {
  const days = samples(tasks.dates, 200_000).map(({ target }) => target);
  const inOrder = [...new Set(days)].sort();
  assert.deepEqual([inOrder[0], inOrder.at(-1)], ['1950-01-01', '2049-12-31']);
  assert.ok(inOrder.length > 36_000 && inOrder.length <= 36_525, String(inOrder.length));
});

// ---- French and English ----

test('a few thousand sentences, each with one translation', () => {
  const sources = new Set(french.pairs.map(({ source }) => source));
  assert.equal(sources.size, french.pairs.length);
  assert.ok(sources.size >= 3000 && sources.size <= 8000, String(sources.size));
  const heldOut = french.heldOut(french.heldOutSize, 1).map(({ source }) => source);
  assert.deepEqual(new Set(heldOut), new Set([...sources].filter(isHeldOut)));
});

test('fewer than 200 words of each language, each of them often in training', () => {
  const training = french.pairs.filter(({ source }) => !isHeldOut(source));
  for (const side of /** @type {const} */ (['source', 'target'])) {
    const counts = new Map();
    for (const pair of training) {
      for (const word of french.tokenize(side, pair[side])) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
    const all = new Set(french.pairs.flatMap((pair) => french.tokenize(side, pair[side])));
    assert.ok(all.size < 200, `${all.size}`);
    for (const word of all) assert.ok(counts.get(word) >= 5, `${word}: ${counts.get(word)}`);
  }
});

test('no word of the lexicon is idle, and no table names a word that is not there', () => {
  const { nouns, verbs, adjectives, places, frames, actions } = lexicon;
  const names = new Set(nouns.flatMap(({ name, kinds }) => [name, ...kinds]));
  for (const { subjects, objects = [], noun, does = [] } of [...places, ...frames, ...actions]) {
    for (const name of [...subjects, ...objects, noun ?? 'chat']) assert.ok(names.has(name), name);
    for (const name of does) assert.ok(verbs[name], name);
  }
  const forms = [nouns, Object.values(verbs), lexicon.pronouns, places].flat().map((x) => x.french);
  const adjectiveForms = Object.values(adjectives).map((x) => Object.values(x.french));
  const known = new Set(french.vocabulary.tokens);
  for (const form of [forms, adjectiveForms].flat(4).flatMap((cell) => cell.split('/'))) {
    assert.ok(form === '-' || known.has(form.replace('*', '')), form);
  }
});

test('typed text becomes the tokens that the sentences have', () => {
  for (const [side, text, tokens] of [
    ['source', "L’homme n'est pas là !", ["l'", 'homme', "n'", 'est', 'pas', 'là']],
    ['source', 'J’ai  un chat.', ["j'", 'ai', 'un', 'chat']],
    ['source', 'L’e\u0301cole', ["l'", '\u00e9cole']],
    ['source', '', []],
    ['target', 'I am a Student.', ['I', 'am', 'a', 'student']],
    ['target', "I don't", ['I', "don't"]],
  ]) {
    assert.deepEqual(french.tokenize(side, text), tokens);
  }
  assert.equal(french.detokenize('source', ["l'", 'homme', "n'", 'a', 'pas']), "l'homme n'a pas");
});

/* Written by hand, not taken from the grammar. */
const KNOWN = `
  le chat noir dort                              the black cat sleeps
  le petit chat noir dort                        the little black cat sleeps
  les petits chats noirs dorment                 the little black cats sleep
  une souris blanche dort                        a white mouse sleeps
  les souris grises jouent                       the grey mice play
  l'homme ne dort pas                            the man does not sleep
  un vieil homme chante                          an old man sings
  le vieil homme travaille                       the old man works
  de vieux hommes travaillent                    some old men work
  la vieille femme chante                        the old woman sings
  le hibou dort                                  the owl sleeps
  un hibou gris dort                             a grey owl sleeps
  ce hibou n'est pas vieux                       this owl is not old
  cet oiseau est bleu                            this bird is blue
  un bel oiseau noir chante                      a beautiful black bird sings
  de beaux oiseaux chantent                      some beautiful birds sing
  des oiseaux chantent                           some birds sing
  deux chevaux dorment                           two horses sleep
  le cheval blanc travaille                      the white horse works
  les grands chevaux noirs dorment               the big black horses sleep
  la grande fille joue                           the tall girl plays
  mes enfants sont fatigués                      my children are tired
  mon étudiante n'est pas fatiguée               my student is not tired
  mon école est grande                           my school is big
  ma maison est vieille                          my house is old
  mes pommes sont rouges                         my apples are red
  mon orange est bonne                           my orange is good
  cette maison est belle                         this house is beautiful
  ces livres ne sont pas vieux                   these books are not old
  les arbres sont grands                         the trees are tall
  les chats sont petits                          the cats are small
  l'eau est bonne                                the water is good
  je suis étudiant                               I am a student
  je suis étudiante                              I am a student
  il n'est pas professeur                        he is not a teacher
  elles sont étudiantes                          they are students
  nous ne sommes pas étudiants                   we are not students
  je suis heureuse                               I am happy
  tu es petite                                   you are small
  vous n'êtes pas tristes                        you are not sad
  elle est grande                                she is tall
  ils sont fatigués                              they are tired
  nous dormons                                   we sleep
  vous ne travaillez pas                         you do not work
  elle ne chante pas                             she does not sing
  tu joues dans le jardin                        you play in the garden
  le livre est sur la table                      the book is on the table
  les pommes ne sont pas sur la table            the apples are not on the table
  le chat dort sous l'arbre                      the cat sleeps under the tree
  les voitures sont devant l'école               the cars are in front of the school
  l'étudiante chante avec le professeur          the student sings with the teacher
  les enfants ne jouent pas devant la maison     the children do not play in front of the house
  la fille mange une pomme                       the girl eats an apple
  le garçon mange des oranges                    the boy eats some oranges
  elle ne mange pas d'oranges                    she does not eat any oranges
  la souris mange du fromage                     the mouse eats some cheese
  je ne mange pas de soupe                       I do not eat any soup
  nous mangeons de la soupe                      we eat some soup
  vous mangez de bonnes pommes rouges            you eat some good red apples
  le chat boit du lait                           the cat drinks some milk
  je bois de l'eau                               I drink some water
  les femmes ne boivent pas d'eau                the women do not drink any water
  j'aime les chats                               I like cats
  l'homme n'aime pas le fromage                  the man does not like cheese
  le chat regarde un oiseau                      the cat looks at a bird
  le chat ne regarde pas les hiboux              the cat does not look at the owls
  les étudiants écoutent le professeur           the students listen to the teacher
  nous regardons un vieil arbre                  we look at an old tree
  elle regarde de beaux arbres                   she looks at some beautiful trees
  je n'écoute pas l'oiseau                       I do not listen to the bird
  le professeur lit un livre                     the teacher reads a book
  vous lisez des livres                          you read some books
  j'ai un petit chat blanc                       I have a little white cat
  tu n'as pas de livres                          you do not have any books
  elle a une vieille voiture rouge               she has an old red car
  ils ont une grande maison blanche              they have a big white house
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));

test('sentences written by hand are translated as by hand', () => {
  const translations = new Map(french.pairs.map(({ source, target }) => [source, target]));
  for (const [source, target] of KNOWN) assert.equal(translations.get(source), target, source);
});

test('what French forbids does not occur', () => {
  /* Without accents and cedillas: é and ê are vowels as e is. */
  for (const source of french.pairs.map((pair) =>
    pair.source.normalize('NFD').replace(/\p{M}/gu, ''),
  )) {
    for (const wrong of [
      /* Elision, with the aspirated h of hibou as the exception. */
      /\b(le|la|je|ne|de|ma|ce|beau) (?!hibou)[aeiouh]/,
      /\b[ljnd]'(?![aeiouh])/,
      /\b(cet|bel|vieil) (?![aeiouh])/,
      /('|cet |bel |vieil )hibou/,
      /\bvieux (homme|enfant|oiseau|arbre|etudiant)\b/,
      /* Contraction, partitive. */
      /\bde les?\b/,
      /\bdu [aeiouh]/,
      /* Des before an adjective, an indefinite article after a negation. */
      /\bdes (petit|grand|jeune|vieux|vieille|beau|belle|bon)/,
      /\bpas (une? |des |du |de la |de l')/,
      /* One half of a negation. */
      /\bn(e |')(?!\w+ pas\b)/,
      /^(?!.*\bn(e |')).*\bpas\b/,
    ]) {
      assert.doesNotMatch(source, wrong);
    }
  }
});

/* A translator of its own: it reads French from left to right, with every form of every word listed.
 * D determiner, A adjective before the noun, B after it, N noun, P pronoun, V verb, R preposition, X ne,
 * Y pas. Then gender and number, or person; then form:English. */
const FORMS = new Map();
for (const line of `
  D ms le:the un:a du:some mon:my ce:this cet:this l':the del':some de:some d':some
  D fs la:the une:a dela:some ma:my mon:my cette:this l':the del':some de:some d':some
  D mp les:the des:some mes:my ces:these deux:two de:some d':some
  D fp les:the des:some mes:my ces:these deux:two de:some d':some
  A ms petit:little grand:big jeune:young vieux:old vieil:old beau:beautiful bel:beautiful bon:good
  A fs petite:little grande:big jeune:young vieille:old belle:beautiful bonne:good
  A mp petits:little grands:big jeunes:young vieux:old beaux:beautiful bons:good
  A fp petites:little grandes:big jeunes:young vieilles:old belles:beautiful bonnes:good
  B ms noir:black blanc:white rouge:red bleu:blue gris:grey heureux:happy triste:sad fatigué:tired
  B fs noire:black blanche:white rouge:red bleue:blue grise:grey heureuse:happy triste:sad fatiguée:tired
  B mp noirs:black blancs:white rouges:red bleus:blue gris:grey heureux:happy tristes:sad fatigués:tired
  B fp noires:black blanches:white rouges:red bleues:blue grises:grey heureuses:happy tristes:sad fatiguées:tired
  N ms garçon:boy homme:man enfant:child professeur:teacher étudiant:student chat:cat chien:dog cheval:horse
  N ms oiseau:bird hibou:owl pain:bread fromage:cheese lait:milk livre:book arbre:tree jardin:garden
  N fs fille:girl femme:woman étudiante:student souris:mouse pomme:apple orange:orange soupe:soup eau:water
  N fs fleur:flower voiture:car table:table maison:house école:school
  N mp garçons:boys hommes:men enfants:children professeurs:teachers étudiants:students chats:cats chiens:dogs
  N mp chevaux:horses oiseaux:birds hiboux:owls livres:books arbres:trees jardins:gardens
  N fp filles:girls femmes:women étudiantes:students souris:mice pommes:apples oranges:oranges fleurs:flowers
  N fp voitures:cars tables:tables maisons:houses écoles:schools
  P 1s je:I j':I
  P 2s tu:you
  P 3s il:he elle:she
  P 1p nous:we
  P 2p vous:you
  P 3p ils:they elles:they
  V 1s suis:be ai:have dors:sleep joue:play chante:sing travaille:work mange:eat bois:drink aime:like
  V 2s es:be as:have dors:sleep joues:play chantes:sing travailles:work manges:eat bois:drink aimes:like
  V 3s est:be a:have dort:sleep joue:play chante:sing travaille:work mange:eat boit:drink aime:like
  V 1p sommes:be avons:have dormons:sleep jouons:play chantons:sing travaillons:work mangeons:eat
  V 2p êtes:be avez:have dormez:sleep jouez:play chantez:sing travaillez:work mangez:eat buvez:drink
  V 3p sont:be ont:have dorment:sleep jouent:play chantent:sing travaillent:work mangent:eat
  V 1s regarde:look_at écoute:listen_to lis:read
  V 2s regardes:look_at écoutes:listen_to lis:read
  V 3s regarde:look_at écoute:listen_to lit:read
  V 1p buvons:drink aimons:like regardons:look_at écoutons:listen_to lisons:read
  V 2p aimez:like regardez:look_at écoutez:listen_to lisez:read
  V 3p boivent:drink aiment:like regardent:look_at écoutent:listen_to lisent:read
  R - dans:in sous:under sur:on devant:in_front_of avec:with
  X - ne:not n':not
  Y - pas:not
`
  .trim()
  .split('\n')) {
  const [kind, feature, ...entries] = line.trim().split(' ');
  for (const [form, english] of entries.map((entry) => entry.split(':'))) {
    FORMS.set(form, { ...FORMS.get(form), form, kind, [feature]: english });
  }
}

const BE = { '1s': 'am', '2s': 'are', '3s': 'is', '1p': 'are', '2p': 'are', '3p': 'are' };
const THIRD = { have: 'has', look_at: 'looks_at', listen_to: 'listens_to' };
const TALL = /^(girl|boy|wom[ae]n|m[ae]n|tree|I$|you|he$|she|we$|they)/;
/** What a pronoun may stand for. */
const GENDERS = { il: ['ms'], elle: ['fs'], ils: ['mp'], elles: ['fp'] };

/** The features that all words of a group share. */
const agreement = (words, features = ['ms', 'fs', 'mp', 'fp']) =>
  features.filter((feature) => words.every((word) => feature in word));

/** @param {string} head the English noun or pronoun */
const gloss = (word, feature, head) =>
  word[feature] === 'big' && TALL.test(head) ? 'tall' : word[feature];

/** @returns {string[]} English words of a noun phrase, the noun last */
function translatePhrase(words, { denied = false, general = false } = {}) {
  const [feature, ...others] = agreement(words);
  assert.ok(feature && !others.length, `no agreement: ${words.map(({ form }) => form).join(' ')}`);
  const noun = words.find(({ kind }) => kind === 'N');
  const [determiner, ...rest] = words.filter((word) => word !== noun);
  assert.ok(determiner.form !== 'mon' || feature === 'ms' || /^[éo]/.test(words[1].form));
  const adjectives = rest.map((word) => gloss(word, feature, noun[feature]));
  const article = denied && determiner[feature] === 'some' ? 'any' : determiner[feature];
  return [...(general ? [] : [article]), ...adjectives, noun[feature]];
}

/** @param {string} source */
function translate(source) {
  const words = french
    .tokenize('source', source.replace(/ de la /, ' dela ').replace(/ de l'/, " del' "))
    .map((form) => FORMS.get(form) ?? assert.fail(`${form} in ${source}`));
  const kinds = words.map(({ kind }) => kind).join('');
  const groups = /^(P|DA*NB*)(V|XVY)(R?)(DA*NB*|A|B|N|)$/d.exec(kinds) ?? assert.fail(source);
  const [subject, verbs, [preposition], complement] = groups.indices
    .slice(1)
    .map(([from, to]) => words.slice(from, to));

  const [first] = subject;
  const isPronoun = first.kind === 'P';
  const features = isPronoun
    ? (GENDERS[first.form] ?? ['ms', 'fs', 'mp', 'fp'])
    : agreement(subject);
  assert.ok(features.length, `the subject does not agree: ${source}`);
  const person = isPronoun ? Object.keys(BE).find((one) => one in first) : `3${features[0][1]}`;
  const number = person[1];
  const who = isPronoun ? [first[person]] : translatePhrase(subject);

  const denied = verbs.length === 3;
  const verb = verbs[denied ? 1 : 0][person];
  assert.ok(verb, `the verb does not agree: ${source}`);
  const does = () => {
    if (verb === 'be') return denied ? [BE[person], 'not'] : [BE[person]];
    if (denied) return [person === '3s' ? 'does' : 'do', 'not', verb];
    return [person === '3s' ? (THIRD[verb] ?? `${verb}s`) : verb];
  };
  const what = () => {
    if (complement.length === 0) return [];
    if (complement[0].kind === 'D') {
      return translatePhrase(complement, { denied, general: verb === 'like' });
    }
    const [word] = complement;
    const [feature] = agreement(
      [word],
      features.filter((one) => one[1] === number),
    );
    assert.ok(feature, `the predicate does not agree: ${source}`);
    if (word.kind === 'N') return number === 's' ? ['a', word[feature]] : [word[feature]];
    return [gloss(word, feature, who.at(-1)).replace('little', 'small')];
  };
  return [...who, ...does(), preposition?.['-'], ...what()]
    .filter(Boolean)
    .join(' ')
    .replaceAll('_', ' ')
    .replace(/\ba(?= [aeiou])/g, 'an');
}

test('every sentence agrees, and its translation is that of another translator', () => {
  for (const { source, target } of french.pairs) assert.equal(translate(source), target, source);
});

test('the other translator refuses what does not agree', () => {
  for (const wrong of [
    'la chat dort',
    'le chat noire dort',
    'le noir chat dort',
    'le chat dorment',
    'je dort',
    'la maison est blanc',
    'elle est étudiant',
    'mon pomme est rouge',
    'les souris dort',
  ]) {
    assert.throws(() => translate(wrong), assert.AssertionError, `accepted: ${wrong}`);
  }
});

// ---- What a model reads ----

test('batches of a task hold its training pairs, and are taken up anywhere', () => {
  const task = tasks.reverse;
  const options = { tokens: 60, seed: 3 };
  const drawn = take(taskBatches(task, options), 12);
  for (const { source, target, labels } of drawn) {
    for (const [i, ids] of source.entries()) {
      const text = task.detokenize('source', task.vocabulary.decode(ids));
      assert.ok(!isHeldOut(text), text);
      assert.deepEqual(target[i], [START, ...ids.toReversed()]);
      assert.deepEqual(labels[i], [...ids.toReversed(), END]);
    }
  }
  assert.deepEqual(take(taskBatches(task, { ...options, from: 7 }), 5), drawn.slice(7));
});

test('a test batch is the pairs in their order, with labels', () => {
  const { vocabulary } = tasks.addition;
  const { source, target, labels } = testBatch(tasks.addition, [
    { source: '1+2', target: '3' },
    { source: '90+10', target: '100' },
  ]);
  const read = (rows) => rows.map((ids) => vocabulary.decode(ids).join(' '));
  assert.deepEqual(read(source), ['1 + 2', '9 0 + 1 0']);
  assert.deepEqual(read(target), ['<start> 3', '<start> 1 0 0']);
  assert.deepEqual(read(labels), ['3 <end>', '1 0 0 <end>']);
});
