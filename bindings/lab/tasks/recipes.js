// How the models of the built-in tasks are made: their size, and the training that brings them there.

/** @typedef {import('../../js/model/config/config.js').ModelOptions} ModelOptions */
/** @typedef {import('../../js/model/train.js').TrainOptions} TrainOptions */

/**
 * @typedef {object} Recipe
 * @property {number} steps
 * @property {number} tokens of a batch
 * @property {Partial<ModelOptions>} model
 * @property {TrainOptions} training
 */

const SMALL = { dModel: 48, heads: 4, dFF: 96, layers: 2, decoderLayers: 2 };
/** The stories are learned so, too. @type {TrainOptions} */
export const TRAINING = { schedule: 'cosine', rate: 0.003, warmup: 200, clip: 1 };

/** @param {number} steps @param {Partial<ModelOptions>} [model] @param {TrainOptions} [training]
 * @returns {Recipe} */
const recipe = (steps, model = {}, training = {}) => ({
  steps,
  tokens: 1024,
  model: { ...SMALL, ...model },
  training: { ...TRAINING, ...training },
});

/** By the task's name.
 * @type {Readonly<Record<string, Recipe>>} */
export const recipes = Object.freeze({
  copy: recipe(1000),
  reverse: recipe(3000),
  sort: recipe(2000),
  addition: recipe(6000, { dModel: 64, dFF: 128 }),
  dates: recipe(2000),
  'french-english': recipe(4000, { dModel: 64, dFF: 128 }, { shift: 16 }),
});
