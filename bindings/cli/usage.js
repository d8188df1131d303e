// What the commands share: flags, and what is told of wrong ones.

import { parseArgs } from 'node:util';
import { didYouMean } from '../errors.js';

/** @typedef {Record<string, string | boolean | undefined>} Flags */

/** Wrong words on the command line: told in one line. */
export class UsageError extends Error {}

/** @param {string[]} args @param {Record<string, { type: 'string' | 'boolean' }>} options */
export function parse(args, options) {
  const all = { ...options, help: { type: /** @type {const} */ ('boolean') } };
  try {
    const { values, positionals } = parseArgs({ args, options: all, allowPositionals: true });
    return { flags: /** @type {Flags} */ (values), words: positionals };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (!unknown) throw new UsageError(message.split('\n')[0]);
    const known = Object.keys(all).map((flag) => `--${flag}`);
    throw new UsageError(`unknown flag "${unknown}"${didYouMean(unknown, known)}`);
  }
}

/** @param {Flags} flags @param {string} name */
export function integer(flags, name) {
  const text = flags[name];
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(String(text))) {
    throw new UsageError(`--${name}: expected an integer, received "${text}"`);
  }
  return Number(text);
}

/** Without the flags that are not given, so that the defaults hold.
 * @param {Record<string, unknown>} options */
export const defined = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
