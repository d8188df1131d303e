// The sentences of errors about JSON schemas, and what throws with them.

import { sentences } from '../../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  schemaKeyword: '{keyword} is not supported. Supported: {keywords}',
  schemaValue: 'expected {expected}',
  schemaEmpty: 'no value fits this schema',
  schemaLarge:
    'the schema has more than {most} states: lower minItems, maxItems, minLength and maxLength, or nest less',
  schemaCircle:
    'the reference leads back to itself, and recursive schemas are not supported: {way}',
  schemaDeep: 'expected a schema of at most {most} levels, without circles',
  schemaRoom:
    'a short text of the schema may need {n} tokens, and there is room for {most}: raise maxNewTokens',
  schemaToken: 'the tokenizer has no token for {byte}, which the schema needs here',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
