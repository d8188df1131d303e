// The op table as the build sees it: the names of its rows.
import { readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

const table = readFileSync(new URL('src/ops.def', root), 'utf8');

/** What the core says in an error that any binding can bring about, by its name, in the order of the numbers.
 * @type {Record<string, string>} */
export const sentences = Object.fromEntries(
  [
    ...readFileSync(new URL('src/errors.def', root), 'utf8').matchAll(
      /^GF_SENTENCE\((\w+), "(.*)"\)$/gm,
    ),
  ].map(([, name, text]) => [name, text]),
);

/** The ops, in the order of src/ops.def. */
export const ops = [...table.matchAll(/^GF_OP\((\w+),/gm)].map(([, name]) => name);

/** log_softmax: logSoftmax. @param {string} name */
const camel = (name) => name.replace(/_./g, (letter) => letter[1].toUpperCase());

/** Those that take numbers and nothing else, by the name of their method.
 * @type {Record<string, { op: string, formula: string, operands: number }>} */
export const plainOps = Object.fromEntries(
  [
    ...table.matchAll(
      /^GF_OP\((\w+), \w+, FORMULA\("(.*)"\),\s+OPERANDS\((F32\(\w+\)(?:, F32\(\w+\))*)\)\)$/gm,
    ),
  ].map(([, op, formula, operands]) => [
    camel(op),
    { op, formula, operands: operands.split(', ').length },
  ]),
);
