// The sentences of errors about files, batches, training and traces of models, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  saveGives: 'it gives bytes, for writeFile(path, model.save()): expected no path',
  notOurs: 'expected a file of model.save()',
  importReads: '(importModel reads the checkpoints of others)',
  distinctTexts: 'expected distinct texts',
  amongTokens: 'expected one of the tokens',
  asManyTokens: 'expected {n} of them, as many as the model has',
  noPairs: 'expected pairs of ids',
  item: 'expected pairs { source, target }, or lists of ids such as [[1, 2], [3, 4]]',
  twoTokens: 'a target needs two tokens, start and end included',
  farFrom: 'reading {pairs} pairs again gave {n} batches: pass pairs that begin there instead',
  batches: 'expected batches to iterate over',
  twoNumbers: 'expected two numbers',
  labelsMissing: 'labels are missing',
  labelsIgnored:
    'all {n} labels are {ignored}, which count for nothing: a step needs one that counts',
  lossOfModel:
    'a model learns by the cross entropy of its labels: for another loss build a tape that ends in it, and call train(tape, …, { loss })',
  scheduleEnds: 'the schedule {schedule} needs total, or steps',
  scheduleOver:
    'the schedule {schedule} ends before step {step}, at which the training begins: raise it, or restart',
  trainedAlready:
    'it is already being trained: end that loop first, by break, return() or its signal',
  largeByDefault:
    'the model would have {millions} million parameters, by its defaults dModel: {dModel} and layers: {layers}: give both, or smaller ones, such as dModel: 64, heads: 4, layers: 2',
  nothingTrained:
    'no parameter of the tape has a gradient: make some by tape.parameter(), and plan() without reuse',
  storedNotTrained:
    'the matrices of this model stay as its file stores them: open it without stored to train it',
  diverged: "the gradient's norm is {norm} at step {step}: try a smaller rate, or clip",
  batchesOfStep: 'expected an array of {n} batches, one for each round of accumulate',
  otherGradients: 'the model has other gradients by now: call inspect() again',
  editStored:
    '"{name}" stays as its file stores it, in few bits: open the model without stored to change it',
  editParameter: '"{name}" belongs to the model: write into model.parameters.get("{name}").data',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
