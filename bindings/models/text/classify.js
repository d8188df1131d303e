// Texts in classes: a linear layer on the vectors of a model that stays as it is. Only the layer is trained, so the
// model's parameters need no memory for gradients, and each text goes through it once.

import {
  checkArray,
  checkInteger,
  checkListener,
  checkOptions,
  checkReal,
  checkText,
  readOptions,
} from '../../js/base/errors.js';
import { turns } from '../../js/base/turn.js';
import { INT32 } from '../../js/base/values.js';
import { numbers } from '../../js/eager/numbers.js';
import { products } from '../../js/eager/products.js';
import { softmax } from '../../js/eager/softmax.js';
import { weightsOf } from '../../js/model/model.js';
import { regression } from '../../js/model/regression.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { EMBEDDING, embed } from './embed.js';
import { CLASSIFYING, classifiedBy, classifyByHead } from './own-classes.js';
import { failure, rangeError, typeError } from './texts.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('./embed.js').EmbedOptions} EmbedOptions */
/** @typedef {import('./embed.js').Pooling} Pooling */
/** @typedef {import('./own-classes.js').Classified} Classified */
/** @typedef {import('./own-classes.js').ClassifyOptions} ClassifyOptions */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */
/** @typedef {ReturnType<typeof regression>} Regression */

/** A trained linear layer: plain data, which a worker can be sent and a file can keep.
 * @typedef {object} Classifier
 * @property {string[]} labels the classes, in the order of the columns of the weight
 * @property {number} width of the vectors that it reads: the model's dModel
 * @property {Float32Array} weight [width, labels]
 * @property {Float32Array} bias [labels]
 * @property {Pooling} pooling how the vectors were made
 * @property {boolean} normalize whether the vectors are divided by their lengths before */

/** text: or its ids. label: its class. @typedef {{ text: string | ArrayLike<number>, label: string }} LabelledText */

/** How far the training of a classifier is.
 * @typedef {object} ClassifierStep
 * @property {number} step 1 at the first; 0 while texts become vectors
 * @property {number} part 0 to 1 of all the work
 * @property {number} loss the mean over the examples, before the step
 * @property {number | undefined} validationLoss of the validation examples
 * @property {number | undefined} accuracy the part of the validation examples that is classified as labelled */

/** @typedef {object} ClassifierOptions
 * @property {readonly LabelledText[]} [validation] examples that are not trained on; the classifier of the step with their
 *   least loss is given back
 * @property {number} [steps] 200 by default, each over all examples
 * @property {number} [rate] the learning rate, 0.01 by default
 * @property {number} [weightDecay] of the weights (AdamW), 0.01 by default
 * @property {(step: ClassifierStep) => void} [onProgress] */

const STEPS = 200;
const RATE = 0.01;
const WEIGHT_DECAY = 0.01;
/** The share of the work that computing the vectors takes. */
const EMBEDDING_SHARE = 0.9;

/** @param {string} where @param {unknown} examples
 * @returns {LabelledText[]} */
function checkExamples(where, examples) {
  if (!Array.isArray(examples)) throw typeError('examples', { where, given: examples });
  for (const [i, example] of examples.entries()) {
    checkOptions(`${where}[${i}]`, example, ['text', 'label']);
    checkText(`${where}[${i}]: label`, example.label);
  }
  return examples;
}

/** @param {unknown} classifier @param {number} dModel
 * @returns {asserts classifier is Classifier} */
function checkClassifier(classifier, dModel) {
  const where = 'classify: classifier';
  const { labels, width, weight, bias } = Object(classifier);
  const fits =
    Array.isArray(labels) &&
    weight instanceof Float32Array &&
    bias instanceof Float32Array &&
    weight.length === width * labels.length &&
    bias.length === labels.length;
  if (!fits) throw typeError('classifier', { where, given: classifier });
  if (width !== dModel) throw rangeError('otherWidth', { where, width, dModel });
}

/** How many rows have their greatest number at their label.
 * @param {Float32Array} logits @param {readonly number[]} labels @param {number} classes */
const rightIn = (logits, labels, classes) =>
  labels.filter((label, i) => {
    const row = logits.subarray(i * classes, (i + 1) * classes);
    return row.every((value, id) => id === label || value < row[label]);
  }).length;

/** What is measured of a step. @typedef {Omit<ClassifierStep, 'step' | 'part'>} Measured */

/** The loss and the accuracy on examples that are not trained on.
 * @param {Regression} examples @param {{ weight: Float32Array, bias: Float32Array }} layer @param {readonly number[]} labels
 * @param {number} classes */
function validated({ tape, weight, bias, logits, loss }, layer, labels, classes) {
  weight.set(layer.weight);
  bias.set(layer.bias);
  tape.forward();
  const right = rightIn(/** @type {Float32Array} */ (valuesOf(logits)), labels, classes);
  return { validationLoss: valuesOf(loss)[0], accuracy: right / labels.length };
}

/** Trains the layer with AdamW; gives its numbers at the step of the least validation loss, or at the last one without
 * validation.
 * @param {string} where @param {Engine} engine @param {readonly (readonly Float32Array[])[]} vectors those to train on, and the
 *   others @param {readonly number[]} ids of their labels @param {number} classes
 * @param {{ steps: number, rate: number, weightDecay: number, signal?: AbortSignal,
 *   onStep: (step: number, measured: Measured) => void }} options */
async function fitted(where, engine, [trained, held], ids, classes, options) {
  const { steps, rate, weightDecay, signal, onStep } = options;
  const examples = regression(engine, trained, ids.slice(0, trained.length), classes);
  const heldIds = ids.slice(trained.length);
  /** @type {Regression | null} */
  let validation = null;
  const { adam } = numbers(engine);
  const parameters = [examples.weight, examples.bias];
  /** @type {{ value: Float32Array, m: Float32Array, v: Float32Array }[]} */
  let states = parameters.map(({ size }) => ({
    value: new Float32Array(size),
    m: new Float32Array(size),
    v: new Float32Array(size),
  }));
  let best = { loss: Number.POSITIVE_INFINITY, weight: states[0].value, bias: states[1].value };
  const turn = turns();
  try {
    if (held.length) validation = regression(engine, held, heldIds, classes);
    for (let step = 1; step <= steps; step++) {
      parameters.forEach((parameter, i) => {
        parameter.set(states[i].value);
      });
      examples.tape.forward();
      examples.tape.backward('loss');
      const [loss] = valuesOf(examples.loss);
      if (!Number.isFinite(loss)) {
        throw failure('GF_EDIVERGED', 'lossNotFinite', { where, value: loss, step });
      }
      states = parameters.map(({ grad }, i) =>
        adam(
          { ...states[i], grad: /** @type {Float32Array} */ (grad) },
          /* The bias does not decay. */
          { learningRate: rate, weightDecay: i ? 0 : weightDecay, decoupled: true, step },
        ),
      );
      const [weight, bias] = states.map(({ value }) => value);
      const measured = validation && validated(validation, { weight, bias }, heldIds, classes);
      const { validationLoss, accuracy } = measured ?? {};
      if (!measured || step === 1 || measured.validationLoss < best.loss) {
        best = { loss: Number(validationLoss), weight, bias };
      }
      onStep(step, { loss, validationLoss, accuracy });
      await turn();
      signal?.throwIfAborted();
    }
  } finally {
    examples.tape.dispose();
    validation?.tape.dispose();
  }
  return { weight: best.weight, bias: best.bias };
}

/** Trains a classifier on the vectors of a model, which stays as it is: each text is read once, and the model's parameters
 * get no memory for gradients.
 * @param {Model} model @param {Tokenizer} tokenizer @param {readonly LabelledText[]} examples
 * @param {Omit<EmbedOptions, 'onProgress'> & ClassifierOptions} [options]
 * @returns {Promise<Classifier>}
 * @example
 * import { classify, trainClassifier } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'bert', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const letters = [...'abcdefgh'];
 * model.tokenizer = {
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 * };
 * const examples = [
 *   { text: 'ab', label: 'low' },
 *   { text: 'ba', label: 'low' },
 *   { text: 'gh', label: 'high' },
 *   { text: 'hg', label: 'high' },
 * ];
 * const classifier = await trainClassifier(model, model.tokenizer, examples, { rate: 0.1 });
 * const [first] = await classify(model, model.tokenizer, ['hg'], classifier);
 * first.label; // = 'high'
 * model.dispose(); */
export async function trainClassifier(model, tokenizer, examples, options = {}) {
  const where = 'trainClassifier';
  const { engine } = weightsOf(where, model);
  const checked = readOptions(where, options, {
    ...EMBEDDING,
    validation: [checkExamples],
    steps: [checkInteger, 1, INT32],
    rate: [checkReal, 0, 100],
    weightDecay: [checkReal, 0, 1],
    onProgress: [checkListener],
  });
  const { pooling = 'mean', normalize = true, truncate = false, signal, onProgress } = checked;
  const { validation = [], steps = STEPS, rate = RATE, weightDecay = WEIGHT_DECAY } = checked;
  const all = [...checkExamples(`${where}: examples`, examples), ...validation];
  const labels = [...new Set(examples.map(({ label }) => label))].sort();
  if (labels.length < 2) throw rangeError('twoLabels', { where, n: labels.length });
  const ids = all.map(({ label }) => labels.indexOf(label));
  const unknown = ids.indexOf(-1);
  if (unknown >= 0) {
    throw rangeError('labelUnknown', { where: `${where}: validation`, value: all[unknown].label });
  }
  const unmeasured = { loss: Number.NaN, validationLoss: undefined, accuracy: undefined };
  const vectors = await embed(
    model,
    tokenizer,
    all.map(({ text }) => text),
    {
      pooling,
      normalize,
      truncate,
      signal,
      onProgress: (part) => onProgress?.({ step: 0, part: EMBEDDING_SHARE * part, ...unmeasured }),
    },
  );
  const [trained, held] = [vectors.slice(0, examples.length), vectors.slice(examples.length)];
  const layer = await fitted(where, engine, [trained, held], ids, labels.length, {
    ...{ steps, rate, weightDecay, signal },
    onStep: (step, numbers) =>
      onProgress?.({
        step,
        part: EMBEDDING_SHARE + (1 - EMBEDDING_SHARE) * (step / steps),
        ...numbers,
      }),
  });
  return { labels, width: model.config.dModel, ...layer, pooling, normalize };
}

/** The class of each text, and how likely each class is.
 * @param {Model} model @param {Tokenizer} tokenizer @param {readonly (string | ArrayLike<number>)[]} texts
 * @param {Classifier | readonly string[]} classifier that trainClassifier made with this model; or `checkpoint.labels`, for the
 *   classes of texts that the model's own file finds
 * @param {ClassifyOptions} [options] multiLabel: of the model's own classes alone
 * @returns {Promise<Classified[]>}
 * @example
 * import { classify } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'bert', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const layer = { width: 8, weight: new Float32Array(16), bias: Float32Array.of(0, Math.log(3)) };
 * const tokenizer = { encode: () => [1, 2], decode: () => '' };
 * const [{ label, probability }] = await classify(model, tokenizer, ['any text'], {
 *   labels: ['no', 'yes'],
 *   ...layer,
 *   pooling: 'mean',
 *   normalize: true,
 * });
 * label; // = 'yes'
 * probability; // = 0.75
 * model.dispose(); */
export async function classify(model, tokenizer, texts, classifier, options = {}) {
  const where = 'classify';
  const { engine } = weightsOf(where, model);
  if (Array.isArray(classifier)) {
    const classified = await classifyByHead(
      where,
      model,
      tokenizer,
      texts,
      classifier,
      options,
      'texts',
    );
    return classified.map(({ all: [one] }) => one);
  }
  checkClassifier(classifier, model.config.dModel);
  checkArray(`${where}: texts`, texts);
  const checked = readOptions(where, options, CLASSIFYING);
  const { labels, width, weight, bias, pooling, normalize } = classifier;
  const vectors = await embed(model, tokenizer, texts, { ...checked, pooling, normalize });
  if (!vectors.length) return [];
  const data = new Float32Array(vectors.length * width);
  for (const [i, vector] of vectors.entries()) data.set(vector, i * width);
  const logits = products(engine).linear(
    { data, shape: [vectors.length, width] },
    { data: weight, shape: [width, labels.length] },
    bias,
  );
  const { data: likely } = softmax(engine).softmax(logits);
  return classifiedBy((i) => `${where}: texts[${i}]`, labels, likely);
}
