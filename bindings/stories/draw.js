// How a story is made: two people, a thing that changes hands, and what is said and sung. What the story has
// decided before a word stands there is written down with it.

import { pick } from '../base/random.js';
import { SPECIAL, START } from '../tasks/vocabulary.js';
import {
  ACTIONS,
  COLOURS,
  GESTURES,
  NOUNS,
  PEOPLE,
  PLACES,
  PRONOUNS,
  SYLLABLES,
} from './lexicon.js';

/** @typedef {import('../base/random.js').Dice} Dice */
/** @typedef {import('./lexicon.js').Person} Person */
/** @typedef {{ colour: string, noun: string }} Thing */
/** @typedef {'names' | 'pronouns' | 'objects' | 'quotes' | 'phrases'} Kind */

/** A word that the words before it decide.
 * @typedef {object} Decided
 * @property {number} position of the token before it, from which a model predicts it
 * @property {Kind} kind
 * @property {string} token the right one
 * @property {number[]} from the positions that tell it: of the same word; of the person's name for a pronoun; of the
 *   opening quote for a closing one; of the same place in the phrase that is repeated
 */
/** @typedef {{ tokens: string[], decided: Decided[], cast: readonly Person[], thing: Thing }} Drawn */

/** @type {readonly Kind[]} */
export const KINDS = Object.freeze(['names', 'pronouns', 'objects', 'quotes', 'phrases']);

/** Something for each kind.
 * @template T
 * @param {(kind: Kind) => T} make
 * @returns {Record<Kind, T>} */
export const byKind = (make) =>
  /** @type {any} */ (Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])));

const EVENTS = { fewest: 3, most: 5 };
const SONG = { shortest: 3, longest: 5 };

/** So many different ones of a list.
 * @template T
 * @param {Dice} dice @param {readonly T[]} list @param {number} count */
function several(dice, list, count) {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(dice(left.length), 1)[0]);
}

/** The story as it is being told. */
class Telling {
  /** @type {string[]} */
  tokens = [SPECIAL[START]];
  /** @type {Decided[]} */
  decided = [];

  /** @param {string[]} words */
  say(...words) {
    this.tokens.push(...words);
  }

  /** Says a word that is decided.
   * @param {Kind} kind @param {string} token @param {number[]} [from] */
  must(kind, token, from = this.placesOf(token)) {
    this.decided.push({ position: this.tokens.length - 1, kind, token, from });
    this.tokens.push(token);
  }

  /** @param {string} token */
  placesOf(token) {
    return this.tokens.flatMap((one, position) => (one === token ? [position] : []));
  }
}

/** @param {Dice} dice
 * @returns {Drawn} */
export function draw(dice) {
  const telling = new Telling();
  const cast = several(dice, PEOPLE, 2);
  const thing = { colour: pick(dice, COLOURS), noun: pick(dice, NOUNS) };
  /** @param {Person} person */
  const otherThan = (person) => cast[person === cast[0] ? 1 : 0];
  let owner = cast[0];
  /** Whom the last sentence is about, whom "she" means. */
  let subject = owner;

  telling.say(cast[0].name, 'and', cast[1].name, 'are', 'in', 'the', pick(dice, PLACES), '.');
  telling.say(owner.name, 'has', 'a', thing.colour, thing.noun, '.');

  /** The thing again, as much of it as is said.
   * @param {...keyof Thing} parts */
  const must = (...parts) => {
    for (const part of parts) telling.must('objects', thing[part]);
  };

  /** @param {() => void} speech */
  const quote = (speech) => {
    telling.say(':', '"');
    const open = telling.tokens.length - 1;
    speech();
    telling.must('quotes', '"', [open]);
    return open;
  };

  const give = () => {
    subject = owner;
    owner = otherThan(owner);
    telling.say(subject.name, 'gives', 'the');
    must('noun');
    telling.say('to');
    telling.must('names', owner.name);
    telling.say('.');
    if (dice(2)) return;
    telling.say('Now');
    telling.must('names', owner.name);
    telling.say('has', 'the');
    must('colour', 'noun');
    telling.say('.');
    subject = owner;
  };

  const greet = () => {
    telling.say('Hello', ',');
    telling.must('names', otherThan(subject).name);
  };
  const describe = () => {
    telling.say('The');
    must('noun');
    telling.say('is');
    must('colour');
  };
  const boast = () => {
    telling.say('I', 'have', 'the');
    must('colour', 'noun');
  };
  const speak = () => {
    subject = pick(dice, cast);
    telling.say(subject.name, 'says');
    quote(() => {
      pick(dice, subject === owner ? [greet, describe, boast] : [greet, describe])();
      telling.say('.');
    });
  };

  const sing = () => {
    subject = pick(dice, cast);
    const length = SONG.shortest + dice(SONG.longest - SONG.shortest + 1);
    const song = [...several(dice, SYLLABLES, length), '.'];
    telling.say(subject.name, 'sings');
    const first = quote(() => telling.say(...song)) + 1;
    subject = otherThan(subject);
    telling.must('names', subject.name);
    telling.say('sings', 'it', 'too');
    quote(() => {
      for (const [i, word] of song.entries()) telling.must('phrases', word, [first + i]);
    });
  };

  const go = () => {
    const other = otherThan(subject);
    telling.say('Then');
    telling.must('pronouns', PRONOUNS[subject.gender].subject, telling.placesOf(subject.name));
    if (dice(2)) {
      telling.say(pick(dice, ACTIONS), '.');
      return;
    }
    telling.say(pick(dice, GESTURES), 'at');
    telling.must('pronouns', PRONOUNS[other.gender].object, telling.placesOf(other.name));
    telling.say('.');
  };

  const ask = () => {
    telling.say('Who', 'has', 'the');
    must('noun');
    telling.say('?');
    telling.must('names', owner.name);
    telling.say('has', 'it', '.');
    subject = owner;
  };

  const count = EVENTS.fewest + dice(EVENTS.most - EVENTS.fewest + 1);
  /* At most one song, so that stories stay short. */
  const song = dice(2) ? dice(count) : count;
  /** @type {() => void} */
  let last = sing;
  for (let i = 0; i < count; i++) {
    const others = [give, give, speak, speak, go, ask].filter((event) => event !== last);
    last = i === song ? sing : pick(dice, others);
    last();
  }
  return { tokens: telling.tokens, decided: telling.decided, cast, thing };
}
