// Every sentence of an error, by the name that the error carries as `detail`. What stands in braces is in its
// `params`; `where` goes before, `given` (as received) and `hint` behind. Other folders have more sentences in a
// texts.js of their own; the page's languages have the same names (words/).

import { TEXTS as ofCore } from '../../generated/sentences.js';

export const TEXTS = /** @type {const} */ ({
  ...ofCore,

  // ---- A value as a message shows it ----
  aFunction: 'a function',
  aPromise: 'a Promise',
  anIterator: 'an async iterator',
  anArray: 'an array of {n}',
  anInstance: 'an object {name}',
  aView: '{name} of {n}',
  aViewOfBytes: '{name} of {n} bytes',
  aDetached: 'a detached {name}',

  // ---- Around a sentence ----
  received: ', received {given}',
  didYouMean: '(did you mean "{name}"?)',
  called: '(here it is called {names})',
  known: '(known: {names})',
  layersTo: '(the layers are 0 to {last})',
  loadFirst: '(write {call}, with gf = await load())',
  passModel: '(pass its field model)',
  awaitIt: '(is an await missing?)',
  forAwait: '(read it with for await, or await)',

  // ---- Arguments ----
  options: 'expected an object of options',
  inputs: 'expected inputs, such as { target: [1, 2, 3] }',
  hooks:
    'expected functions by the names of steps, such as { "decoder.layers.0.residual2": (x) => {} }',
  unknownOption: 'unknown option "{key}"',
  boolean: 'expected true or false',
  booleanOrNumber: 'expected true, false or a number',
  number: 'expected a number',
  finite: 'expected a finite number',
  aboveZero: 'expected a number above 0',
  aboveZeroTo: 'expected a number above 0 to {high}',
  notZero: 'expected a number other than 0',
  zeroOrFrom: 'expected 0, or a number from {low} to {high}',
  numberFrom: 'expected a number from {low} to {high}',
  numberBelow: 'expected a number from {low} to below {high}',
  integerFrom: 'expected an integer from {low} to {high}',
  text: 'expected a string',
  word: 'expected one of {words}',
  name: 'expected a name',
  zeroCharacter: 'a name holds no zero character',
  listener: 'expected a function',
  signal: 'expected an AbortSignal',
  model: 'expected a model',
  object: 'expected an object',
  array: 'expected an array',
  names: 'expected an array of names',
  nodes: 'expected an array of nodes or names',
  floats: 'expected a Float32Array',
  loaded: 'expected what load() gives',
  ids: 'expected ids',
  vectors: 'expected vectors of {width}',

  // ---- Shapes and values ----
  shape: 'expected a shape such as [2, 3]',
  deeper: 'expected arrays nested at most {most} deep',
  shapeAs: 'expected the shape {expected}, received {shape}',
  values: 'expected nested arrays or { data, shape }',
  arrayFor: 'expected an array of {n}, for the shape {shape}',
  matrices: 'expected matrices, received the shape {shape}',
  axesOnce: 'expected each axis of {shape} once, received {axes}',
  noMemoryFor: 'out of memory for the shape {shape}',
  nestedTooLarge:
    'nested arrays of the shape {shape} need too much memory: pass typed arrays or { data, shape }, and the answer is one too',
  indexFromEnd: 'ids[{at}] is {id}; valid ids are {low} to {last}',
  logit:
    'the model gives token {id} the logit {value} at position {position}, so no token can be chosen: look for NaN or very large numbers in its parameters, and in what hooks write',
  nothingToChoose:
    'the model gives every token the logit -Infinity at position {position}, so no token can be chosen: look for very large numbers in its parameters',
  tooCold:
    'the logits at position {position}, divided by the temperature, are too large for float32: choose a temperature nearer to 1, or 0',
  scoreNaN:
    'score {i} is NaN, so none is the largest: look for NaN or very large numbers in the parameters',
  noMemory:
    'out of memory: {bytes} bytes wanted; the {end} there cannot grow so far. dispose() of runs and models that are no longer needed, or run with steps: false',
  noClass: '{value} is not one of the {classes} classes',

  // ---- Attention on plain data ----
  keysAndValues: 'expected as many keys as values, received k {k} and v {v}',
  headsOfShapes: 'expected {expected}, as the shapes say',
  bothPast: 'expected pastKey and pastValue, received one',
  batchForLengths: 'expected a batch, received a single sequence',
  offsets: 'expected a number or {batch}, one for each sequence',

  // ---- Tapes ----
  ofC: 'sentence {number} of src/errors.def',
  noNode: 'no node "{name}"',
  tensor: 'expected a Tensor',
  otherTape: 'the tensor "{name}" belongs to another tape',
  tapeDisposed: 'the tape is disposed of',
  planned: 'the tape is planned already',
  noValueBeforePlan: "no values before the tape's plan()",
  notKept: 'the plan reuses memory: this value is not kept',
  notComputed: 'not computed yet: call forward(), or freeze it to write values',
  notDerived: 'no gradient yet: call backward()',
  noGradientOfLeaf: '"{name}" is of a tape without gradients',
  noGradients: 'the plan reuses memory: no gradients',
  idsNoGradient: 'ids have no gradient, received "{name}"',
  gradientDue: '"{name}" is {shape}: pass its gradient',
  operandNumber: "expected an operand's number or null",
  biasAlone: 'received {bias} without {weights}',
  atAlone: 'the option at needs capacity',
  notAllocated: 'nothing is allocated at {at}',

  // ---- Loading ----
  module: 'expected a WebAssembly.Module or its bytes',
  core: 'expected one of glassformer/cores, alone',
  storedMatrix: 'expected what stored() gives',
  storedNot: '"{name}" is not stored',
  noScalar: 'every build needs SIMD: leave simd out',
  noSimd: 'no WebAssembly SIMD here: expected Chrome 91, Firefox 89, Safari 17, Node 20 or later',
  wasmRefused: "WebAssembly is refused here; a policy must allow 'wasm-unsafe-eval' ({reason})",
  notWasm: 'the {n} bytes are not WebAssembly: {begin} ({reason})',
  notWasmAt: 'the {n} bytes of {address} are not WebAssembly: {begin} ({reason})',
  emptyBytes: 'they are empty',
  beginWith: 'they begin with {start}',
  beginWithPage: 'they begin with {start}, an HTML page: is the address right?',
  otherModule: "the module is not glassformer's: it exports {names}",
  otherAbi: 'the module has ABI {abi}, this JavaScript needs {needed}',

  // ---- Models ----
  tooManyParameters:
    'the parameters take {bytes} bytes, WebAssembly {most} at most: lower vocab, dModel, dFF or layers',
  modelDisposed: 'the model is disposed of',
  noWords: 'the model has no tokenizer: set model.tokenizer',
  exactOnly: 'this model multiplies in integers: open it with arithmetic "exact" for this',
  noLoss: 'no loss without labels: give them to forward',
  readByForAwait: 'read it with for await, or await',
  noParameter: 'no parameter {value}',
  modelHasNo: 'this model has no {missing}',
  oneSided: 'a {kind} has one sequence, the target',
  onlyOf: 'only a {kind} has it',
  notDividing: '{part} {n} does not divide {whole} {size}',
  oddHeads: 'rotary positions need heads of even size',
  read: 'expected a Map, as readModel gives',
  readFirst:
    'expected what readModel or importModel gives: for a path, an address or bytes use open() of glassformer',
  steps: 'expected true, false or names',
  gradientsNeedSteps: 'gradients need all steps, received steps',
  oneSequence: 'expected one sequence, received {n}',
  sourcesAndTargets: 'received {sources} sources for {targets} targets',
  sequences: 'expected {n} sequences',
  tokensOf: 'expected {n} tokens',
  tooLong: 'expected at most {most} tokens (maxLength)',
  vector: 'expected a vector of {width}',
  maskShape: 'expected [{rows},{columns}] or [{size},{rows},{columns}]',
  doesNotWrite: 'this model cannot generate: it decodes no tokens',
  inPlace: 'your function changes the values in place and returns nothing, received {type}',
  hooksNeedMask: 'hooks need the causal mask, which this model leaves out',
  beamsAlone: 'a beam search has no temperature, topK, topP, onStep and hooks',
  startOfPrompt: 'a {kind} begins with the prompt',
  trainedMeanwhile: 'trained during generation: start again',

  // ---- Files ----
  notUnicode: '{value} is not valid Unicode',
  keptName: 'the format keeps this name for itself',
  nameTwice: 'the name is given twice',
  shapeOfNumbers: 'the shape {shape} does not fit {n} numbers',
  headerWould: 'names and metadata would take {length} bytes',
  tensorMissing:
    'the tensor "{name}" is missing: the config asks for {wanted} tensors, the file has {n}',
  tensorForm: 'expected { shape, data }',
  floatsOf: 'expected a Float32Array of {n} numbers',
  tensorExtra: 'the config asks for no tensor {value}',

  // ---- Traces ----
  noStep: 'no step {value}',

  // ---- Why a step cannot be removed ----
  modelNoPositions: 'this model has no positions',
  modelNoMask: 'this model has no mask',
  modelNoAttention: 'this model has no attention',
  modelNoNorms: 'this model has no norms',
  modelNoLayers: 'this model has no layers',
});
