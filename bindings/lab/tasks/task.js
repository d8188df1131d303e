// What every task has in common: its tokens, its endless stream of pairs, and the split of that stream
// into pairs to train on and pairs held out.

import { checkInteger, checkText, checkUint32, checkWord } from '../../js/base/errors.js';
import { dice, isOneIn } from '../../js/base/random.js';
import { rangeError, typeError } from './texts.js';
import { SPECIAL, Vocabulary } from './vocabulary.js';

/** @typedef {import('../../js/base/random.js').Dice} Dice */
/** @typedef {'source' | 'target'} Side */
/** source: the question. target: the right answer, which the source determines. @typedef {{ source: string, target: string }} Pair */

/** What a task makes of a text: the right answer, or null if the text is none of its questions; and, where that can be
 * told, with how many of its tokens some question begins.
 * @typedef {{ answer: string | null, fits?: number }} Solution */
/** A word, or another token. kind: such as 'pronoun'. source, target: its forms there.
 * @typedef {{ kind: string, source: string[], target: string[] }} DictionaryEntry */
/** A pair, and the split that keeps it from training whatever its words are, if one does.
 * @typedef {Pair & { apart?: string | null }} Drawn */

/**
 * @typedef {object} Description
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {number} maxSource the longest source in tokens, without <start> and <end>
 * @property {number} maxTarget the longest target, likewise
 * @property {readonly string[]} words the tokens of both sides; read when they are first needed
 * @property {readonly string[]} [sourceWords] those of the source, where they are not all
 * @property {readonly string[]} [splits] what else is held out, beside single sources
 * @property {(text: string, side: Side) => string[]} split text into tokens
 * @property {(tokens: readonly string[]) => string} join tokens into text
 * @property {(dice: Dice) => Drawn} draw
 * @property {(tokens: readonly string[]) => Solution} solve
 * @property {() => DictionaryEntry[]} [dictionary] the words to choose from, where they are more than characters
 */

/** One source in so many is held out. */
const HELD_OUT_SHARE = 10;
/** The split of every task: sources that are held out each by itself. */
const SOURCES = 'sources';
/** Far below the number of held-out sources of any task, so that a search for them ends soon. */
const MAX_HELD_OUT = 10_000;

/** Whether a source is kept from training. The source alone decides, so no seed can mix the two.
 * @param {string} source
 * @example
 * import { isHeldOut, tasks } from 'glassformer/tasks';
 *
 * tasks.reverse.heldOut(3, 1).every(({ source }) => isHeldOut(source)); // = true */
export function isHeldOut(source) {
  checkText('isHeldOut', source);
  return isOneIn(HELD_OUT_SHARE, source);
}

/** @param {string} where @param {unknown} side */
function checkSide(where, side) {
  if (side === 'source' || side === 'target') return;
  throw rangeError('side', { where, given: side });
}

/** What keeps a pair from training, or null.
 * @param {Drawn} pair */
const splitOf = ({ source, apart }) => apart ?? (isHeldOut(source) ? SOURCES : null);

export class Task {
  #definition;
  /** @type {Set<string> | undefined} */
  #sourceWords;
  /** @type {Vocabulary | undefined} */
  #vocabulary;

  /** @param {Description} definition */
  constructor(definition) {
    const { name, title, about, maxSource, maxTarget, splits } = definition;
    this.#definition = definition;
    this.name = name;
    this.title = title;
    /** What it asks for, in a sentence. */
    this.about = about;
    /** Tokens of the longest source, without <start> and <end>. */
    this.maxSource = maxSource;
    /** Tokens of the longest target, likewise. */
    this.maxTarget = maxTarget;
    /** What is held out, each for a test of its own: single sources, and with some tasks whole kinds of them.
     * @type {readonly string[]} */
    this.splits = Object.freeze([SOURCES, ...(splits ?? [])]);
  }

  /** Of both sides: one table of embeddings may serve encoder, decoder and output. */
  get vocabulary() {
    this.#vocabulary ??= new Vocabulary([...SPECIAL, ...this.#definition.words]);
    return this.#vocabulary;
  }

  /** @param {Side} side @param {string} text
   * @returns {string[]} */
  tokenize(side, text) {
    checkSide(`${this.name}: tokenize`, side);
    return this.#split('tokenize', text, side);
  }

  /** Tokens of a text, composed: a letter and its accent are one character.
   * @param {string} where @param {string} text @param {Side} [side] */
  #split(where, text, side = 'source') {
    const composed = checkText(`${this.name}: ${where}`, text).normalize('NFC');
    return this.#definition.split(composed, side);
  }

  /** @param {Side} side @param {readonly string[]} tokens */
  detokenize(side, tokens) {
    checkSide(`${this.name}: detokenize`, side);
    const where = `${this.name}: detokenize`;
    if (!Array.isArray(tokens)) throw typeError('tokens', { where, given: tokens });
    for (const [i, token] of tokens.entries()) checkText(`${where}: tokens[${i}]`, token);
    return this.#definition.join(tokens);
  }

  /** What questions may be made of: words with their forms and translations, or single characters.
   * @returns {DictionaryEntry[]}
   * @example
   * import { tasks } from 'glassformer/tasks';
   *
   * const { dictionary } = tasks['french-english'];
   * dictionary.find(({ source }) => source.includes('chevaux'));
   * // = { kind: 'animal', source: ['cheval', 'chevaux'], target: ['horse', 'horses'] } */
  get dictionary() {
    const { dictionary, words } = this.#definition;
    if (dictionary) return dictionary();
    return words.map((word) => ({ kind: 'character', source: [word], target: [word] }));
  }

  /** The tokens of a text that no question of the task has, each once.
   * @param {string} text
   * @example
   * import { tasks } from 'glassformer/tasks';
   *
   * tasks['french-english'].unknown('le zug dort'); // = ['zug'] */
  unknown(text) {
    const tokens = this.#split('unknown', text);
    this.#sourceWords ??= new Set(this.#definition.sourceWords ?? this.#definition.words);
    const words = this.#sourceWords;
    return [...new Set(tokens.filter((token) => !words.has(token)))];
  }

  /** What the task's own rules make of a text: the right answer, or null if the text is none of its questions. Then
   * `fits` says with how many of its tokens some question begins, or is null where the task cannot tell.
   * @param {string} text
   * @example
   * import { tasks } from 'glassformer/tasks';
   *
   * const { 'french-english': french, reverse } = tasks;
   * french.solve('le chat noir dort').answer; // = 'the black cat sleeps'
   * french.solve('le chat noire dort'); // = { answer: null, fits: 2 }
   * reverse.solve('glass').answer; // = 'ssalg' */
  solve(text) {
    const tokens = this.#split('solve', text);
    const { answer, fits = null } = this.#definition.solve(tokens);
    return { answer, fits };
  }

  /** The pair at one place in the stream of a seed, be it held out or not.
   * @param {number} index 0 to 2^32 - 1 @param {number} seed likewise
   * @returns {Pair} */
  sample(index, seed) {
    checkUint32(`${this.name}: sample: index`, index);
    checkUint32(`${this.name}: sample: seed`, seed);
    const { source, target } = this.#definition.draw(dice(seed, index));
    return { source, target };
  }

  /** Pairs to train on, without end. None of their sources is ever held out.
   * @param {number} seed 0 to 2^32 - 1 */
  trainingPairs(seed) {
    checkUint32(`${this.name}: trainingPairs: seed`, seed);
    return this.#stream(seed, null);
  }

  /** Pairs to test on, with distinct sources.
   * @param {number} count 0 to 10,000 @param {number} seed 0 to 2^32 - 1
   * @param {string} [split] one of the task's splits, 'sources' by default */
  heldOut(count, seed, split = SOURCES) {
    checkInteger(`${this.name}: heldOut: count`, count, 0, MAX_HELD_OUT);
    checkUint32(`${this.name}: heldOut: seed`, seed);
    checkWord(`${this.name}: heldOut: split`, split, this.splits);
    /** @type {Map<string, Pair>} */
    const pairs = new Map();
    const stream = this.#stream(seed, split);
    while (pairs.size < count) {
      const pair = stream.next().value;
      pairs.set(pair.source, pair);
    }
    return [...pairs.values()];
  }

  /** @param {number} seed @param {string | null} wanted the split, or null for pairs to train on
   * @returns {Generator<Pair, never, undefined>} */
  *#stream(seed, wanted) {
    for (let index = 0; ; index++) {
      const drawn = this.#definition.draw(dice(seed, index));
      if (splitOf(drawn) === wanted) yield { source: drawn.source, target: drawn.target };
    }
  }
}

/** Characters as tokens, upper case folded into lower.
 * @param {string} text */
export const charactersOf = (text) => [...text.toLowerCase()];
