// What page and worker say to each other, by web/workers/remote: questions, their answers, and the progress in between.

/** @typedef {'a' | 'b'} Side the runs that are trained side by side, from one seed */

/**
 * @typedef {object} Plan what is trained
 * @property {string} task
 * @property {number} seed of the pairs and their order
 * @property {number} tokens of a batch, at most
 * @property {number} steps in all
 * @property {number} every how many steps the held-out pairs are tried
 * @property {Partial<Record<Side, Recipe>>} runs
 */
/**
 * @typedef {object} Recipe
 * @property {Partial<import('./core.js').ModelOptions>} model
 * @property {import('./core.js').TrainOptions} training
 * @property {{ before: number, training: import('./core.js').TrainOptions }} [early] how the steps before one are taken,
 *   where they are taken otherwise
 * @property {number} [reach] how long a source may be in training: a share of the task's longest, 1 by default
 */

/**
 * @typedef {object} Place the state that a question is about
 * @property {Side} side
 * @property {number | null} step after so many steps; null: as it is now
 */

/**
 * How a text is written: greedily, by chance, or by beam search.
 * @typedef {{ temperature?: number, topK?: number, seed?: number, beams?: number }} Way
 */

/** @typedef {{
 *   start: { plan: Plan },
 *   load: { plan: Plan, bytes: Uint8Array },
 *   train: { to: number },
 *   open: { side: Side, step: number },
 *   trace: { row: number },
 *   update: { parameter: string, index: number[] },
 *   write: { at: Place, text: string, way: Way },
 *   save: { at: Place },
 * }} Questions
 */

/** @typedef {{
 *   start: Started,
 *   load: Started,
 *   train: { step: number },
 *   open: Opened | null,
 *   trace: { steps: Step[] },
 *   update: import('./core.js').Update,
 *   write: Written | null,
 *   save: Uint8Array | null,
 * }} Answers
 * null: cancelled.
 */

/**
 * @typedef {object} Started
 * @property {number} first the step from which on is trained: 0, or that of an opened file
 * @property {string[]} vocabulary token by id
 * @property {Example[]} examples held-out pairs to look at
 * @property {number} heldOut how many held-out pairs are tried
 * @property {number[]} lengths of their sources, in tokens
 * @property {Partial<Record<Side, Made>>} runs
 */
/**
 * @typedef {object} Example
 * @property {string} source
 * @property {string} target
 * @property {string[]} sourceTokens
 * @property {string[]} targetTokens the right answer, <end> included
 */
/**
 * @typedef {object} Made
 * @property {number} size how many numbers are learned
 * @property {(Pick<Step, 'name' | 'role' | 'parameter'> & { shape: number[] })[]} parameters
 * @property {Readonly<Record<string, any>>} config
 * @property {number[]} rates the learning rate of each step that is planned
 * @property {number} longest tokens of the longest source that it is trained on
 */

/**
 * @typedef {object} Progress
 * @property {Partial<Record<Side, RunProgress>>} runs
 */
/**
 * @typedef {object} RunProgress
 * @property {StepFacts[]} steps those that were taken since the last time
 * @property {Evaluation[]} evaluations likewise
 * @property {Failure | null} ended why no further step can be taken
 */
/**
 * @typedef {object} StepFacts
 * @property {number} step
 * @property {number} loss
 * @property {number} learningRate
 * @property {number} gradientNorm
 * @property {number} tokens
 * @property {number} milliseconds
 */
/**
 * @typedef {object} Evaluation
 * @property {number} step after so many steps
 * @property {number} loss of the held-out pairs, without smoothing
 * @property {number} right how many of them are answered exactly
 * @property {number} share of their tokens that are right
 * @property {Uint8Array} answered 1 for each of the pairs that is right
 * @property {Float32Array} certain the probability of the likeliest token, for each token of all targets
 * @property {Uint8Array} hits 1 for each of these tokens that is the right one
 * @property {string[][]} answers to the examples, their tokens
 * @property {Float32Array[]} attention of each example: [layers, heads, target, source] of the decoder's
 *   cross-attention
 */

/** How far a replay is. @typedef {{ done: number, of: number }} Replay */

/**
 * @typedef {object} Opened one step, taken apart
 * @property {Side} side
 * @property {number} step
 * @property {number} loss
 * @property {number} learningRate
 * @property {number} gradientNorm
 * @property {number} clipping
 * @property {number} tokens
 * @property {number} from the checkpoint that it was replayed from
 * @property {BatchFacts} batch
 */
/**
 * @typedef {object} BatchFacts
 * @property {number} rows
 * @property {number} source columns, padding included
 * @property {number} target
 * @property {Int32Array} sourceIds [rows, source]
 * @property {Int32Array} targetIds [rows, target]
 * @property {Int32Array} labels [rows, target]; below 0 where nothing is asked
 * @property {Int32Array} sourceLengths
 * @property {Int32Array} targetLengths
 * @property {Float32Array} losses [rows, target], of each label; their mean is the loss
 * @property {Float32Array} chances [rows, target], what the model gives each label; 0 for padding
 */

/**
 * A node of the opened step, of one sequence of its batch: plain data, copied.
 * @typedef {import('../../app/session.js').Step} Step
 */

/**
 * @typedef {object} Written
 * @property {string} text
 * @property {string[]} tokens
 * @property {number[]} logProbs of each token; none of a beam search
 * @property {{ text: string, logProb: number, score: number }[]} beams best first; of a beam search
 */

/** @typedef {import('../../../bindings/js/base/passed.js').Passed} Failure */
/** Messages beside the answers. @typedef {{ progress: Progress } | { replay: Replay }} Telling */

/**
 * How a step is taken, 1 being the first.
 * @param {Recipe} recipe
 * @param {number} step
 */
export const trainingAt = ({ training, early }, step) =>
  early && step < early.before ? early.training : training;
