// Decoders with a head that finds classes in place of the one that predicts tokens: of a text, by its last token, or of each
// token.

import { labelled } from './table.js';

/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./config.js').ModelConfig} ModelConfig */

/** The head of classes of a text. It has no bias. */
const OF_TEXTS = 'score';
/** How the names of heads that predict tokens end. */
const PREDICTING = /ForCausalLM$|LMHeadModel$/;

/** @param {ModelConfig} config @param {import('./table.js').Settings} written */
const named = ({ classes, classesUnbiased }, { architectures }) => {
  const [called] = /** @type {string[]} */ (architectures);
  const end = classesUnbiased ? 'ForSequenceClassification' : 'ForTokenClassification';
  return {
    architectures: [called.replace(PREDICTING, end)],
    ...labelled(classes),
  };
};

/** The family with these heads.
 * @param {Family} family @param {string} ofTokens what the head of classes of tokens is called
 * @returns {Family} */
export const classifying = (family, ofTokens) => ({
  ...family,
  read: (given, file) => {
    const isOfTokens = file.has(`${ofTokens}.bias`);
    const head = file.find(`${isOfTokens ? ofTokens : OF_TEXTS}.weight`);
    return {
      ...family.read(given, file),
      ...(head && { classes: head.tensor.shape[0], ...(!isOfTokens && { classesUnbiased: true }) }),
    };
  },
  write: (config) => {
    const written = family.write(config);
    return { ...written, ...(config.classes && named(config, written)) };
  },
  fixed: (config) => ({
    ...family.fixed(config),
    ...(config.classes && {
      head: 'none',
      classes: config.classes,
      classesUnbiased: config.classesUnbiased,
    }),
  }),
  rows: (config) => [
    ...family.rows(config),
    ['classes.{p}', `${config.classesUnbiased ? OF_TEXTS : ofTokens}.{p}`, 'transposed'],
  ],
});
