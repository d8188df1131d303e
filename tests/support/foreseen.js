// What an error of the package may be: a documented class, in words of its own.

import { GlassformerError } from '../../bindings/js/base/errors.js';

/** As bindings/README.md lists them. */
const CODES = [
  ...['GF_ESHAPE', 'GF_ENAME', 'GF_ENODE', 'GF_ERANGE', 'GF_EMEMORY', 'GF_ESTATE', 'GF_EID'],
  ...['GF_EDISPOSED', 'GF_EFILE', 'GF_EDIVERGED', 'GF_EMODULE'],
];
/** How the engine speaks where nobody looked. */
const UNFORESEEN =
  /^Cannot |is not (a function|iterable|a constructor)|^Invalid |undefined \(reading|out of bounds/;

/** Null if the error is one that callers may get; else what is wrong with it.
 * @param {unknown} error */
export function unforeseen(error) {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  if (error instanceof GlassformerError) {
    return CODES.includes(error.code) ? null : `has the code ${error.code}`;
  }
  const { code, detail } = /** @type {any} */ (error);
  const documented =
    (error.constructor === TypeError && code === 'GF_ETYPE') ||
    (error.constructor === RangeError && code === 'GF_ERANGE');
  if (documented && detail && !UNFORESEEN.test(error.message)) return null;
  return `was not foreseen: ${error.stack}`;
}
