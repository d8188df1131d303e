// Makes a story: two people, a thing that changes hands, and what they say and sing. It also records which words the story
// has decided before they occur.

import { pick } from '../../js/base/random.js';
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

/** @typedef {import('../../js/base/random.js').Dice} Dice */
/** @typedef {import('./lexicon.js').Person} Person */
/** @typedef {{ colour: string, noun: string }} Thing */
/** What decides the word. @typedef {'names' | 'pronouns' | 'objects' | 'quotes' | 'phrases'} Kind */

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

/** How many events a story has. */
const EVENTS = { fewest: 3, most: 5 };
/** How many syllables a song has. */
const SONG = { shortest: 3, longest: 5 };

/** So many different ones of a list.
 * @template T
 * @param {Dice} dice @param {readonly T[]} list @param {number} count */
function several(dice, list, count) {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(dice(left.length), 1)[0]);
}

/** A story while it is made: its words so far, who has the thing, and whom the last sentence is about. */
class Story {
  /** @type {string[]} */
  tokens = [SPECIAL[START]];
  /** @type {Decided[]} */
  decided = [];

  /** @param {Dice} dice */
  constructor(dice) {
    this.dice = dice;
    this.cast = several(dice, PEOPLE, 2);
    this.thing = { colour: pick(dice, COLOURS), noun: pick(dice, NOUNS) };
    this.owner = this.cast[0];
    /** Whom "she" means. */
    this.subject = this.owner;
  }

  /** @param {string[]} words */
  say(...words) {
    this.tokens.push(...words);
  }

  /** Says a word that is decided.
   * @param {Kind} kind @param {string} token @param {number[]} [from] */
  sayDecided(kind, token, from = this.placesOf(token)) {
    this.decided.push({ position: this.tokens.length - 1, kind, token, from });
    this.tokens.push(token);
  }

  /** @param {Person} person */
  name(person) {
    this.sayDecided('names', person.name);
  }

  /** The thing again, as much of it as is said.
   * @param {...keyof Thing} parts */
  describe(...parts) {
    for (const part of parts) this.sayDecided('objects', this.thing[part]);
  }

  /** @param {string} token */
  placesOf(token) {
    return this.tokens.flatMap((one, position) => (one === token ? [position] : []));
  }

  /** @param {Person} person */
  otherThan(person) {
    return this.cast[person === this.cast[0] ? 1 : 0];
  }

  /** Speech in quotes. @param {() => void} speech
   * @returns {number} where the opening quote is */
  quote(speech) {
    this.say(':', '"');
    const open = this.tokens.length - 1;
    speech();
    this.sayDecided('quotes', '"', [open]);
    return open;
  }

  begin() {
    const [{ name }, other] = this.cast;
    this.say(name, 'and', other.name, 'are', 'in', 'the', pick(this.dice, PLACES), '.');
    this.say(name, 'has', 'a', this.thing.colour, this.thing.noun, '.');
  }

  give() {
    this.subject = this.owner;
    this.owner = this.otherThan(this.owner);
    this.say(this.subject.name, 'gives', 'the');
    this.describe('noun');
    this.say('to');
    this.name(this.owner);
    this.say('.');
    if (this.dice(2)) return;
    this.say('Now');
    this.name(this.owner);
    this.say('has', 'the');
    this.describe('colour', 'noun');
    this.say('.');
    this.subject = this.owner;
  }

  speak() {
    this.subject = pick(this.dice, this.cast);
    this.say(this.subject.name, 'says');
    this.quote(() => {
      const speeches = [this.greet, this.tellColour];
      if (this.subject === this.owner) speeches.push(this.boast);
      pick(this.dice, speeches).call(this);
      this.say('.');
    });
  }

  greet() {
    this.say('Hello', ',');
    this.name(this.otherThan(this.subject));
  }

  tellColour() {
    this.say('The');
    this.describe('noun');
    this.say('is');
    this.describe('colour');
  }

  boast() {
    this.say('I', 'have', 'the');
    this.describe('colour', 'noun');
  }

  sing() {
    this.subject = pick(this.dice, this.cast);
    const length = SONG.shortest + this.dice(SONG.longest - SONG.shortest + 1);
    const song = [...several(this.dice, SYLLABLES, length), '.'];
    this.say(this.subject.name, 'sings');
    const first = this.quote(() => this.say(...song)) + 1;
    this.subject = this.otherThan(this.subject);
    this.name(this.subject);
    this.say('sings', 'it', 'too');
    this.quote(() => {
      for (const [i, word] of song.entries()) this.sayDecided('phrases', word, [first + i]);
    });
  }

  go() {
    const { subject } = this;
    const other = this.otherThan(subject);
    this.say('Then');
    this.sayDecided('pronouns', PRONOUNS[subject.gender].subject, this.placesOf(subject.name));
    if (this.dice(2)) {
      this.say(pick(this.dice, ACTIONS), '.');
      return;
    }
    this.say(pick(this.dice, GESTURES), 'at');
    this.sayDecided('pronouns', PRONOUNS[other.gender].object, this.placesOf(other.name));
    this.say('.');
  }

  ask() {
    this.say('Who', 'has', 'the');
    this.describe('noun');
    this.say('?');
    this.name(this.owner);
    this.say('has', 'it', '.');
    this.subject = this.owner;
  }
}

/** @param {Dice} dice
 * @returns {Drawn} */
export function draw(dice) {
  const story = new Story(dice);
  story.begin();
  const { give, speak, go, ask, sing } = story;
  const count = EVENTS.fewest + dice(EVENTS.most - EVENTS.fewest + 1);
  /* At most one song, so that stories stay short. */
  const song = dice(2) ? dice(count) : count;
  /** @type {() => void} */
  let last = sing;
  for (let i = 0; i < count; i++) {
    const others = [give, give, speak, speak, go, ask].filter((event) => event !== last);
    last = i === song ? sing : pick(dice, others);
    last.call(story);
  }
  const { tokens, decided, cast, thing } = story;
  return { tokens, decided, cast, thing };
}
