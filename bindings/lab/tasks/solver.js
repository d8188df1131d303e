// A model that learns a task: from text to ids and back.

import { checkCore, checkListener, checkOptions } from '../../js/base/errors.js';
import { withinFile } from '../../js/base/file.js';
import { batches } from '../../js/model/batches.js';
import { readModel } from '../../js/model/file.js';
import { train } from '../../js/model/train.js';
import { recipes } from './recipes.js';
import { Task } from './task.js';
import { rangeError, typeError } from './texts.js';
import { END, START } from './vocabulary.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/model/config/config.js').Config} Config */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./task.js').Pair} Pair */

/** @param {string} where @param {unknown} task */
function checkTask(where, task) {
  if (task instanceof Task) return;
  throw typeError('task', { where, given: task });
}

/** @param {string} where @param {any} model @param {unknown} task */
function checkLearner(where, model, task) {
  if (typeof model?.generate !== 'function') {
    throw typeError('model', { where, given: model });
  }
  checkTask(where, task);
  checkWriter(where, model.config, /** @type {Task} */ (task));
}

/** Checks that a model reads and writes the tokens of a task.
 * @param {string} where @param {Partial<Config>} config @param {Task} task */
function checkWriter(where, config, { name: task, vocabulary: { size } }) {
  const { kind = '', vocab = 0, sourceVocab, decoderLayers } = config;
  if (kind !== 'transformer') throw rangeError('otherKind', { where, kind, task });
  if (!decoderLayers) throw rangeError('noDecoder', { where, task });
  for (const rows of [vocab, sourceVocab || vocab]) {
    if (rows !== size) throw rangeError('otherVocabulary', { where, vocab: rows, task, size });
  }
}

/** Tokens of the longest text of a task: <end> follows it.
 * @param {Task} task */
const longestOf = ({ maxSource, maxTarget }) => Math.max(maxSource, maxTarget) + 1;

/** @param {string} where @param {unknown} pairs */
function checkPairs(where, pairs) {
  if (!Array.isArray(pairs)) throw typeError('pairs', { where, given: pairs });
  for (const [i, pair] of pairs.entries()) {
    checkOptions(`${where}: pairs[${i}]`, pair, ['source', 'target']);
  }
}

/** An untrained model of the size that the task's recipe tells.
 * @param {Glassformer} gf @param {Task} task @param {number} seed
 * @example
 * import { tasks, untrained } from 'glassformer/tasks';
 *
 * const model = untrained(gf, tasks.reverse, 1);
 * model.config.vocab === tasks.reverse.vocabulary.size; // = true */
export function untrained(gf, task, seed) {
  checkCore('untrained', gf);
  checkTask('untrained', task);
  return gf.model({
    kind: 'transformer',
    vocab: task.vocabulary.size,
    maxLength: longestOf(task),
    dropout: 0,
    seed,
    ...recipes[task.name].model,
  });
}

/** A model that was saved, if it fits the task.
 * @param {Glassformer} gf @param {Task} task @param {ArrayBuffer | Uint8Array} bytes of model.save()
 * @returns {Model}
 * @example
 * import { tasks, trained, untrained } from 'glassformer/tasks';
 *
 * const bytes = untrained(gf, tasks.reverse, 1).save();
 * trained(gf, tasks.reverse, bytes).step; // = 0 */
export function trained(gf, task, bytes) {
  checkCore('trained', gf);
  checkTask('trained', task);
  const read = readModel(bytes);
  withinFile('model', () => {
    checkWriter('', read.config, task);
    const { maxLength: n = 0 } = read.config;
    const longest = longestOf(task);
    if (n < longest) throw rangeError('shortModel', { n, task: task.name, longest });
  });
  return gf.open(read);
}

/** A pair as a model reads it.
 * @param {Task} task @param {Pair} pair
 * @example
 * import { idsOf, tasks } from 'glassformer/tasks';
 *
 * const { source, target } = idsOf(tasks.reverse, { source: 'abc', target: 'cba' });
 * source.toReversed().join() === target.join(); // = true */
export function idsOf(task, pair) {
  checkTask('idsOf', task);
  checkOptions('idsOf', pair, ['source', 'target']);
  return {
    source: task.vocabulary.encode(task.tokenize('source', pair.source)),
    target: task.vocabulary.encode(task.tokenize('target', pair.target)),
  };
}

/** @param {Task} task @param {number} seed */
function* items(task, seed) {
  for (const pair of task.trainingPairs(seed)) yield idsOf(task, pair);
}

/** Batches of the task's training pairs, without end, in an order that depends on the seed alone.
 * @param {Task} task
 * @param {{ tokens: number, seed: number, from?: number }} options as those of batches()
 * @example
 * import { taskBatches, tasks } from 'glassformer/tasks';
 *
 * const [batch] = taskBatches(tasks.reverse, { tokens: 100, seed: 1 });
 * batch.source?.length === batch.labels.length; // = true */
export function taskBatches(task, options) {
  checkTask('taskBatches', task);
  checkOptions('taskBatches', options, ['tokens', 'seed', 'from']);
  const { tokens, seed, from = 0 } = options;
  return batches(items(task, seed), { tokens, seed, start: START, end: END, from });
}

/** The pairs as one batch with labels, to test on.
 * @param {Task} task @param {readonly Pair[]} pairs
 * @example
 * import { START, tasks, testBatch } from 'glassformer/tasks';
 *
 * const batch = testBatch(tasks.reverse, [{ source: 'abc', target: 'cba' }]);
 * batch.target[0][0] === START; // = true */
export function testBatch(task, pairs) {
  checkTask('testBatch', task);
  checkPairs('testBatch', pairs);
  const ids = pairs.map((pair) => idsOf(task, pair));
  return {
    source: ids.map(({ source }) => source),
    target: ids.map(({ target }) => [START, ...target]),
    labels: ids.map(({ target }) => [...target, END]),
  };
}

const LEARNING = ['steps', 'seed', 'signal', 'validation', 'validateEvery', 'keepBest'];

/** Trains as the recipe says, step by step.
 * @param {Model} model @param {Task} task
 * @param {Pick<import('../../js/model/train.js').TrainOptions,
 *   'steps' | 'seed' | 'signal' | 'validation' | 'validateEvery' | 'keepBest'>} [options]
 * @example
 * import { learn, tasks, untrained } from 'glassformer/tasks';
 *
 * const model = untrained(gf, tasks.reverse, 1);
 * const losses = [];
 * for await (const { loss } of learn(model, tasks.reverse, { steps: 2 })) losses.push(loss);
 * losses.length; // = 2 */
export function learn(model, task, options = {}) {
  checkLearner('learn', model, task);
  checkOptions('learn', options, LEARNING);
  const recipe = recipes[task.name];
  const { steps = recipe.steps, seed = 1, ...rest } = options;
  const stream = taskBatches(task, { tokens: recipe.tokens, seed, from: model.step });
  return train(model, stream, { ...recipe.training, steps, seed, ...rest });
}

/** The tokens of the model's answer, greedily.
 * @param {Model} model @param {Task} task @param {string} source
 * @example
 * import { answerTokens, tasks, untrained } from 'glassformer/tasks';
 *
 * const tokens = await answerTokens(untrained(gf, tasks.reverse, 1), tasks.reverse, 'abc');
 * Array.isArray(tokens); // = true */
export async function answerTokens(model, task, source) {
  checkLearner('answer', model, task);
  const ids = task.vocabulary.encode(task.tokenize('source', source));
  /** @type {number[]} */
  const tokens = [];
  const limits = { start: START, stopTokens: [END], maxNewTokens: task.maxTarget + 1 };
  for await (const token of model.generate(ids, limits)) {
    if (token !== END) tokens.push(token);
  }
  return task.vocabulary.decode(tokens);
}

/** The model's answer, greedily.
 * @param {Model} model @param {Task} task @param {string} source
 * @example
 * import { readModel, train } from 'glassformer';
 * import { answer, tasks } from 'glassformer/tasks';
 * import { readFile } from 'node:fs/promises';
 *
 * const file = new URL(import.meta.resolve('glassformer/models/reverse.safetensors'));
 * const model = gf.open(readModel(await readFile(file)));
 * await answer(model, tasks.reverse, 'glass'); // = 'ssalg' */
export async function answer(model, task, source) {
  const tokens = await answerTokens(model, task, source);
  return task.detokenize('target', tokens);
}

/** How many of the pairs the model answers exactly, and the ones that it does not.
 * @param {Model} model @param {Task} task @param {readonly Pair[]} pairs
 * @param {(done: number) => void} [onProgress]
 * @example
 * import { evaluate, tasks, untrained } from 'glassformer/tasks';
 *
 * const pairs = tasks.reverse.heldOut(3, 1);
 * const { right, total } = await evaluate(untrained(gf, tasks.reverse, 1), tasks.reverse, pairs);
 * total; // = 3
 * right <= total; // = true */
export async function evaluate(model, task, pairs, onProgress) {
  checkLearner('evaluate', model, task);
  checkPairs('evaluate', pairs);
  checkListener('evaluate: onProgress', onProgress);
  /** @type {(Pair & { answer: string })[]} */
  const wrong = [];
  for (const [i, pair] of pairs.entries()) {
    const reply = await answer(model, task, pair.source);
    if (reply !== pair.target) wrong.push({ ...pair, answer: reply });
    onProgress?.(i + 1);
  }
  return { right: pairs.length - wrong.length, total: pairs.length, wrong };
}
