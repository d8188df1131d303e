// The op table as the build sees it: the names of its rows.
import { readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

const table = readFileSync(new URL('src/ops.def', root), 'utf8');

/** The sentences that a macro tells of, by their names, in the order of their numbers.
 * @param {string} macro
 * @returns {Record<string, string>} */
const sentencesOf = (macro) =>
  Object.fromEntries(
    [
      ...readFileSync(new URL('src/errors.def', root), 'utf8').matchAll(
        new RegExp(`^${macro}\\((\\w+), "(.*)"\\)$`, 'gm'),
      ),
    ].map(([, name, text]) => [name, text]),
  );

/** Those of every core; and those that come behind them where parameters may be stored. */
export const sentences = sentencesOf('GF_SENTENCE');
export const storedSentences = sentencesOf('GF_SENTENCE_STORED');

/** The ops, in the order of src/ops.def. */
export const ops = [...table.matchAll(/^GF_OP\((\w+),/gm)].map(([, name]) => name);

/** log_softmax: logSoftmax. @param {string} name */
const camel = (name) => name.replace(/_./g, (letter) => letter[1].toUpperCase());

/** The methods of those that take numbers and nothing else, and how many operands each has.
 * @type {Record<string, number>} */
export const plainOps = Object.fromEntries(
  [
    ...table.matchAll(
      /^GF_OP\((\w+), \w+, FORMULA\([^\n]*\),\s+OPERANDS\((F32\(\w+\)(?:, F32\(\w+\))*)\)\)$/gm,
    ),
  ].map(([, name, operands]) => [camel(name), operands.split(', ').length]),
);
