// Decoders with a head that finds classes in place of the one that predicts tokens: of a text, by its last token, or of each
// token.

/** @typedef {import('./table.js').Family} Family */

/** The head of classes of a text. It has no bias. */
const OF_TEXTS = 'score';

/** The family with these heads.
 * @param {Family} family @param {string} ofTokens what the head of classes of tokens is called
 * @returns {Family} */
export const classifying = (family, ofTokens) => ({
  ...family,
  read(given, file) {
    const isOfTokens = file.has(`${ofTokens}.bias`);
    const head = file.find(`${isOfTokens ? ofTokens : OF_TEXTS}.weight`);
    return {
      ...family.read(given, file),
      ...(head && { classes: head.tensor.shape[0], ...(!isOfTokens && { classesUnbiased: true }) }),
    };
  },
  write(config) {
    const written = family.write(config);
    if (!config.classes) return written;
    const [called] = /** @type {string[]} */ (written.architectures);
    const end = config.classesUnbiased ? 'ForSequenceClassification' : 'ForTokenClassification';
    const numbers = Array.from({ length: config.classes }, (_, i) => [i, `LABEL_${i}`]);
    return {
      ...written,
      architectures: [called.replace(/ForCausalLM$|LMHeadModel$/, end)],
      id2label: Object.fromEntries(numbers),
    };
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
