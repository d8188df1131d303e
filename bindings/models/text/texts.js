// The sentences of errors about texts that models read and write, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  tokenizer: 'expected a tokenizer: { encode, decode }',
  texts: 'expected a string or an array of strings',
  textsOrIds: 'expected an array of texts or their ids, such as [text]',
  textOrIds: 'expected a string or ids',
  oneText: 'expected one text or its ids: generateTexts takes several texts',
  messagesHere: 'expected a text or ids: session() of glassformer/chat takes messages',
  textEmpty: 'the text has no tokens',
  textTooLong:
    'the text has {n} tokens, and the model takes {most}: shorten it, or pass the option truncate',
  maskOfTokens: 'expected a 1 for each token, with zeros before or after them all, received {mask}',
  noMask:
    'the text has no mask: write [MASK] or <mask>, as the tokenizer has it, or pass the id of the mask',
  noPrediction: 'this model cannot fill masks: that needs a bert with logits',
  classifier: 'expected a classifier, as trainClassifier gives, or checkpoint.labels',
  noClasses: 'this model has no head for classes: make a classifier by trainClassifier',
  oneNumber: 'the head of this model gives one number, not classes: read it in the node "classes"',
  otherClasses: 'the head of this model finds other classes: call {call}',
  labelsOf: 'expected the {n} different labels of the checkpoint',
  otherWidth: 'the classifier reads vectors of {width}, the model gives {dModel}',
  examples: 'expected an array of { text, label }',
  twoLabels: 'expected examples of two labels or more, received {n}',
  lossNotFinite:
    'the loss is {value} at step {step}: choose a lower rate, or look for NaN in the parameters',
  vectorNotFinite:
    'channel {channel} of the vector is {value}: look for NaN or very large numbers in the parameters',
  labelUnknown: 'no example to train on has the label {value}',
  stopEmpty: 'expected a string of one character or more',
  poolingUnread:
    "the model's folder makes vectors by {value}, which embed does not: pass pooling for other vectors",
  notANumber: 'your function wrote {value} for token {id}',
  nothingLeft: 'no token is left to choose from: ban fewer, or write fewer -Infinity',
  schemaAlone: 'a schema says where the text begins and ends: leave {option} out',
  ownTokenizer:
    'a model that open() gives has its tokenizer: leave it out, or pass it as { tokenizer }',
  textAwaited: 'the text comes while the stream is read: const { text } = await …',
  whole:
    'an await before it has read the text to its end: leave that out, and for await gives the parts',
  asking: 'the session is still answering: read that answer to its end first',
  turnTooLong:
    'the message takes {n} tokens with the system message, and the session {most}: shorten it, or raise maxLength, where the model reads more',
  oneStack: 'a model with an encoder cannot slide its window: choose "end"',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
