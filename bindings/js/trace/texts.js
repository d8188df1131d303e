// The sentences of errors about examples and traces, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  trace: 'expected a trace',
  idsFixed: 'ids cannot move, received "{name}"',
  divisor: 'expected a divisor of {of}',
  shapeFromHere: 'expected numbers of the shape {expected} here',
  noRule: 'there is no rule for "{op}"',
  noGradientOf: 'the steps hold no gradient of {node}{index}',
  unknownRemoval: 'unknown {value}',
  notRemovable: '"{name}" cannot be removed: {reason}',
  rowsNamed: '{n} rows are named, the shape is {shape}',
  rotaryPos: 'rotary positions need pos',
  rotaryPairs: 'rotary positions rotate pairs of channels; a head has {width}',
  neither: '{name} is missing: give {name}, or x and w_{name}',
  alibiHeads: 'ALiBi needs at least two heads, one slope for each',
  shiftPairs: 'a shift rotates pairs of channels, there are {channels}',
  words: 'expected 1 to {most} words and marks, received {n}',
  printedNumber: 'expected a printed number such as "0.42"',
  unknownFn: 'unknown fn "{fn}"',
  writtenNumber: 'expected a number such as 0.5 or 1/3, received {value}',
  exampleText:
    'expected JSON, or matrices with their names, such as x = 1 0; 0 1, received {value}',
  exampleName:
    'an example has no numbers {value}. It has x, w_q, w_k, w_v, w_o, q, k, v, scores and mask',
  missingInput: '{name} is missing',
  adamLength: 'expected {n} numbers, as many as theta has, received {length}',
  exampleNoAttention: 'there is no attention in this example',
  exampleNoMask: 'there is no mask in this example',
  exampleNoOutput: 'there is no w_o in this example',
  exampleVectors: 'x is given as vectors',
  exampleUnplaced: 'x is given without positions',
  exampleUnweighted: '{names}: given without weights',
  exampleHeads: 'x has {channels} channels, which {heads} heads do not divide',
  exampleRows: 'expected as many rows in {name} as {of} has channels, {channels}, received {rows}',
  exampleMix: 'there are {queries} queries, but {values} values',
  exampleKeys: 'expected as many channels in k as in q, {queries}, received {keys}',
  exampleValues: 'expected as many rows in v as in k, {keys}, received {values}',
  exampleSquare: 'w_o is not square: {shape}',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
