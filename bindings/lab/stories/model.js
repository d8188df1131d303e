// A small GPT that learns the stories: its training, and how well it predicts the words that a story has decided.

import { checkCore, checkListener, checkOptions } from '../../js/base/errors.js';
import { withinFile } from '../../js/base/file.js';
import { turns } from '../../js/base/turn.js';
import { batches } from '../../js/model/batches.js';
import { readModel } from '../../js/model/file.js';
import { train } from '../../js/model/train.js';
import { rangeError } from '../tasks/texts.js';
import { END, START } from '../tasks/vocabulary.js';
import { checkModel, checkStories } from './checks.js';
import { byKind } from './draw.js';
import { likeliest } from './likeliest.js';
import { recipe } from './recipe.js';
import { detokenize, LONGEST, trainingStories, vocabulary } from './story.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./draw.js').Kind} Kind */
/** @typedef {import('./story.js').Story} Story */

/** A word that the model got wrong. source: the story before it. target: the right word. answer: the model's.
 * @typedef {{ source: string, target: string, answer: string }} WrongWord */
/** right: how many words of `total` the model got right. wrong: the others. @typedef {{ right: number, total: number, wrong: WrongWord[] }} Result */

/** As errors call it. */
const TASK = 'stories';

/** An untrained model of the size that the recipe tells.
 * @param {Glassformer} gf @param {number} seed
 * @example
 * import { untrained, vocabulary } from 'glassformer/stories';
 *
 * untrained(gf, 1).config.vocab === vocabulary.size; // = true */
export function untrained(gf, seed) {
  checkCore('untrained', gf);
  return gf.model({
    ...recipe.model,
    kind: 'gpt',
    vocab: vocabulary.size,
    maxLength: LONGEST,
    seed,
  });
}

/** A model that was saved, if it reads the words of the stories.
 * @param {Glassformer} gf @param {ArrayBuffer | Uint8Array} bytes of model.save()
 * @returns {Model}
 * @example
 * import { trained, untrained } from 'glassformer/stories';
 *
 * trained(gf, untrained(gf, 1).save()).step; // = 0 */
export function trained(gf, bytes) {
  checkCore('trained', gf);
  const read = readModel(bytes);
  withinFile('model', () => checkReader(read.config));
  return gf.open(read);
}

/** @param {Partial<import('../../js/model/config/config.js').Config>} config */
function checkReader({ kind, vocab = 0, maxLength: n = 0 }) {
  const { size } = vocabulary;
  if (kind !== 'gpt') throw rangeError('notGpt', { kind: String(kind), task: TASK });
  if (vocab !== size) throw rangeError('otherVocabulary', { vocab, task: TASK, size });
  if (n < LONGEST) throw rangeError('shortModel', { n, task: TASK, longest: LONGEST });
}

/** @param {number} seed */
function* items(seed) {
  for (const { tokens } of trainingStories(seed)) yield vocabulary.encode(tokens.slice(1));
}

const LEARNING = ['steps', 'seed', 'signal', 'validation', 'validateEvery', 'keepBest'];

/** Stories as one batch with labels, to test on.
 * @param {readonly Story[]} stories
 * @example
 * import { heldOutStories, testBatch } from 'glassformer/stories';
 *
 * const { target, labels } = testBatch(heldOutStories(3, 1));
 * target[0][1] === labels[0][0]; // = true */
export function testBatch(stories) {
  checkStories('testBatch', stories);
  const ids = stories.map(({ tokens }) => vocabulary.encode(tokens.slice(1)));
  return { target: ids.map((row) => [START, ...row]), labels: ids.map((row) => [...row, END]) };
}

/** Trains as the recipe says, step by step.
 * @param {Model} model
 * @param {Pick<import('../../js/model/train.js').TrainOptions,
 *   'steps' | 'seed' | 'signal' | 'validation' | 'validateEvery' | 'keepBest'>} [options]
 * @example
 * import { learn, untrained } from 'glassformer/stories';
 *
 * const losses = [];
 * for await (const { loss } of learn(untrained(gf, 1), { steps: 2 })) losses.push(loss);
 * losses.length; // = 2 */
export function learn(model, options = {}) {
  checkModel('learn', model);
  checkOptions('learn', options, LEARNING);
  const { steps = recipe.steps, seed = 1, ...rest } = options;
  const { tokens, training } = recipe;
  const stream = batches(items(seed), { tokens, seed, start: START, end: END, from: model.step });
  return train(model, stream, { ...training, steps, seed, ...rest });
}

/** How many of the words that stories have decided are the model's likeliest, by kind.
 * @param {Model} model @param {readonly Story[]} stories @param {(done: number) => void} [onProgress]
 * @returns {Promise<Record<Kind, Result>>}
 * @example
 * import { evaluate, heldOutStories, untrained } from 'glassformer/stories';
 *
 * const { names, quotes } = await evaluate(untrained(gf, 1), heldOutStories(5, 2));
 * names.right <= names.total; // = true
 * quotes.wrong.length === quotes.total - quotes.right; // = true */
export async function evaluate(model, stories, onProgress) {
  checkModel('evaluate', model);
  checkListener('evaluate: onProgress', onProgress);
  const results = byKind(() => /** @type {Result} */ ({ right: 0, total: 0, wrong: [] }));
  checkStories('evaluate', stories);
  const turn = turns();
  for (const [i, { tokens, decided }] of stories.entries()) {
    await turn();
    const answers = likeliest(model, tokens);
    for (const { position, kind, token } of decided) {
      const answer = answers[position];
      results[kind].total += 1;
      if (answer === token) results[kind].right += 1;
      else {
        const source = detokenize(tokens.slice(1, position + 1));
        results[kind].wrong.push({ source, target: token, answer });
      }
    }
    onProgress?.(i + 1);
  }
  return results;
}
