// The models that glassformer inside can run: how each reads a text and names its tokens.

import { readFile } from 'node:fs/promises';
import { load, readModel } from '../index.js';
import { readSafetensors } from '../js/formats/safetensors.js';
import {
  heldOutStories,
  linkedStories,
  storyInputs,
  tokenize,
  vocabulary,
} from '../lab/stories/index.js';
import { linkedSentences, START, sentenceLevels } from '../lab/tasks/index.js';
import { VOCABULARY, vocabularyIn, vocabularyTokenizer } from '../models/open/vocabulary.js';
import { MAX_TOKEN_CHARACTERS, opened, quotedWords, shippedFile, unknownWords } from './models.js';
import { COURSES, courseOf, openModel, STORIES, taskOf } from './tasks.js';
import { onOneLine, reasonOf, refusing, UsageError } from './usage.js';

/** @typedef {import('../js/model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('./terminal.js').Terminal} Terminal */

/** What experiments need of a model: texts to inputs, tokens to texts.
 * @typedef {object} Subject
 * @property {Model} model
 * @property {(prompt: string, target: string) => Inputs} read
 * @property {(id: number) => string} nameOf
 * @property {(text: string) => number[]} idsOf
 * @property {Linked} [linked] texts whose links are known
 */
/** texts: how many, and their seed.
 * @typedef {{ texts: (count: number, seed: number) => import('../lab/inside/index.js').LinkedText[],
 *   options: import('../lab/inside/index.js').HeadRolesOptions }} Linked */

/** How the vocabulary of a file reads texts.
 * @param {string} said what the file has of it @param {Model} model
 * @returns {Omit<Subject, 'model'>} */
function wordsOf(said, { config }) {
  const tokenizer = vocabularyTokenizer(vocabularyIn(said, config), config);
  const nameOf = (/** @type {number} */ id) => tokenizer.tokens([id])[0];
  const checked = (/** @type {string} */ text, /** @type {boolean} */ special) => {
    refuseWords(unknownWords(tokenizer, text));
    return tokenizer.encode(text, { special });
  };
  const idsOf = (/** @type {string} */ text) => checked(text, false);
  const two = config.kind === 'transformer';
  return {
    idsOf,
    nameOf,
    read: (prompt, target) =>
      two
        ? { source: idsOf(prompt), target: [START, ...idsOf(target)] }
        : { target: checked(prompt, true) },
  };
}

/** A file of ours. @param {string} name
 * @returns {Promise<Subject>} */
async function ownModel(name) {
  const bytes = await readFile(name).catch((error) => {
    throw reasonOf(`cannot read ${name}`, error);
  });
  const gf = await load();
  const model = refusing(name, () => gf.open(readModel(bytes)));
  const said = readSafetensors(bytes, name).metadata[VOCABULARY];
  if (said !== undefined) return { model, ...refusing(name, () => wordsOf(said, model)) };
  const two = model.config.kind === 'transformer';
  const idsOf = (/** @type {string} */ text) => {
    const words = text.split(/[\s,]+/).filter(Boolean);
    const stray = words.find((word) => !/^\d+$/.test(word));
    if (stray === undefined) return words.map(Number);
    throw new UsageError(
      `${name} takes ids such as "3 1 4", received "${onOneLine(stray, MAX_TOKEN_CHARACTERS)}"`,
    );
  };
  /* What is written begins with the start token, as in the models that are shipped. */
  const begun = (/** @type {number[]} */ ids) => (ids[0] === START ? ids : [START, ...ids]);
  return {
    model,
    idsOf,
    nameOf: String,
    read: (prompt, target) =>
      two ? { source: idsOf(prompt), target: begun(idsOf(target)) } : { target: idsOf(prompt) },
  };
}

/** @param {string} name
 * @returns {Promise<Subject>} */
async function shippedModel(name) {
  const file = shippedFile(name);
  if (!file) throw new UsageError(`no model of ${name} is shipped: give a file of train --out`);
  const model = await openModel(await load(), courseOf(name), file);
  const linked = LINKED[name];
  return { model, linked, ...(name === STORIES ? STORY_READING : readingOf(taskOf(name))) };
}

/** What generated texts say of their own words. @type {Record<string, Linked>} */
const LINKED = {
  [STORIES]: {
    texts: (count, seed) => linkedStories(heldOutStories(count, seed)),
    options: {},
  },
  'french-english': {
    texts: (count, seed) => linkedSentences(taskOf('french-english').heldOut(count, seed)),
    options: { stack: 'encoder', levels: sentenceLevels },
  },
};

/** The ids of words that the model knows.
 * @param {import('../lab/tasks/vocabulary.js').Vocabulary} vocabulary @param {string[]} words */
function knownIds(vocabulary, words) {
  const ids = vocabulary.encode(words);
  refuseWords(words.filter((word, i) => vocabulary.tokens[ids[i]] !== word));
  return ids;
}

/** @param {string[]} words that a model does not know */
function refuseWords(words) {
  if (words.length) throw new UsageError(`the model does not know ${quotedWords(words)}`);
}

/** How the stories are read. @type {Omit<Subject, 'model'>} */
const STORY_READING = {
  idsOf: (text) => knownIds(vocabulary, tokenize(text)),
  nameOf: (id) => vocabulary.decode([id])[0],
  read(prompt) {
    STORY_READING.idsOf(prompt);
    return storyInputs(prompt);
  },
};

/** @param {import('../lab/tasks/task.js').Task} task
 * @returns {Omit<Subject, 'model' | 'linked'>} */
function readingOf(task) {
  const { vocabulary } = task;
  const idsOf = (/** @type {string} */ text, /** @type {'source' | 'target'} */ side = 'target') =>
    knownIds(vocabulary, task.tokenize(side, text));
  return {
    idsOf,
    nameOf: (id) => vocabulary.decode([id])[0],
    read: (prompt, target) => ({
      source: idsOf(prompt, 'source'),
      target: [START, ...idsOf(target)],
    }),
  };
}

/** @param {string} name @param {Terminal} terminal
 * @returns {Promise<Subject>} */
async function foreignModel(name, terminal) {
  const { model, tokenizer } = await opened(name, terminal);
  const idsOf = (/** @type {string} */ text) => tokenizer.encode(text);
  return {
    model,
    idsOf,
    nameOf: (id) => tokenizer.decode([id]) || `#${id}`,
    read: (prompt) => ({ target: idsOf(prompt) }),
  };
}

/** @param {string} place the name of a task, a file or a folder @param {Terminal} terminal */
export function subjectOf(place, terminal) {
  if (COURSES.includes(place)) return shippedModel(place);
  if (place.endsWith('.safetensors')) return ownModel(place);
  return foreignModel(place, terminal);
}
