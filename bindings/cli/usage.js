// What the commands share: flags, and what is told of wrong ones.

import { constants } from 'node:os';
import { getSystemErrorMap, parseArgs } from 'node:util';
import { didYouMean } from '../js/base/errors.js';
import { languages } from '../js/base/speech.js';

/** @typedef {import('./terminal.js').Terminal} Terminal */
/** @typedef {Record<string, string | boolean | undefined>} Flags */
/** @typedef {Record<string, { type: 'string' | 'boolean' }>} FlagTypes */

/** flags: those that were given, by name. words: the others, behind the command. terminal: where it reads and writes.
 * @typedef {{ flags: Flags, words: string[], terminal: Terminal }} Call */
/**
 * @typedef {object} Command
 * @property {string} help what --help prints
 * @property {FlagTypes} flags beside those that every command takes
 * @property {(call: Call) => Promise<number | void>} run resolves to the exit status, 0 if it says nothing
 */

/** Wrong words on the command line: told in one line. */
export class UsageError extends Error {}

/** A word that a command needs was not given: told with the command's help. */
export class Missing extends UsageError {
  /** @param {string} what the word, and what it can be */
  constructor(what) {
    super(`missing ${what}`);
  }
}

/** The words are right, and yet it cannot be done: a file that is not there, or not what it should be. */
export class Failure extends Error {}

const COMMON = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  debug: { type: 'boolean' },
});

/** Of commands that write files. */
export const FORCE = /** @type {const} */ ({ force: { type: 'boolean' } });

/** A flag as it is written; any other word that begins with a dash, such as "-1 + 1 =", is a text. */
const FLAG = /^-(-?[a-z][\w-]*(=.*)?|-?)$/is;

/** What stands for such a text while the flags are read: no word of a command line has a NUL. */
const TEXT = /^\0(\d+)$/;

/** @param {string} option that Node does not know @param {string[]} args @param {string[]} flagNames */
function unknownFlag(option, args, flagNames) {
  /* Of letters behind one dash Node names the first that it does not know. */
  const isIt = (/** @type {string} */ word) =>
    option.startsWith('--')
      ? word.startsWith(option)
      : /^-\w/.test(word) && word.includes(option[1]);
  const stray = (args.find(isIt) ?? option).replace(/=.*$/s, '');
  const stem = stray.replace(/^-+/, '');
  /* What was cut short, or goes on, is meant before what looks like it. */
  const begun = flagNames.find((flag) => flag.startsWith(stem) || stem.startsWith(`${flag}-`));
  const hint = begun ? ` (did you mean "${begun}"?)` : didYouMean(stem, flagNames);
  const flags = flagNames.map((flag) => `--${flag}`).join(', ');
  return new UsageError(
    `unknown flag "${stray}"${hint.replace('"', '"--') || `. Choose from ${flags}`}. ` +
      `Write a text that begins with a dash behind --: -- "${onOneLine(stray, 40)}"`,
  );
}

/** @param {string[]} args @param {FlagTypes} types */
export function parse(args, types) {
  const options = { ...COMMON, ...types };
  const end = args.indexOf('--');
  const words = args.map((word, i) =>
    word.startsWith('-') && !FLAG.test(word) && (end < 0 || i < end) ? `\0${i}` : word,
  );
  const back = (/** @type {unknown} */ value) =>
    typeof value === 'string' ? value.replace(TEXT, (_, i) => args[i]) : value;
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const flags = Object.entries(values).map(([name, value]) => [name, back(value)]);
    return {
      flags: /** @type {Flags} */ (Object.fromEntries(flags)),
      words: positionals.map((word) => String(back(word))),
    };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const bare = /^Option '(--[\w-]+)( <value>)?' argument (missing|is ambiguous)/.exec(
      message,
    )?.[1];
    if (bare) {
      throw new UsageError(`${bare} needs a value; one that begins with a dash: ${bare}=-x`);
    }
    const option = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (option) throw unknownFlag(option, args, Object.keys(options));
    throw new UsageError(message.split('\n')[0]);
  }
}

/** Refuses a name that is not there, and tells which are.
 * @param {string} what @param {string} name @param {Iterable<string>} choices
 * @returns {never} */
export function unknown(what, name, choices) {
  const names = [...choices];
  throw new UsageError(
    `unknown ${what} "${name}"${didYouMean(name, names)}. Choose from ${names.join(', ')}`,
  );
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

/** @param {Flags} flags @param {string} name */
export function number(flags, name) {
  const text = flags[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${name}: expected a number, received "${text}"`);
}

/** @param {Flags} flags @param {string} name
 * @returns {string | undefined} */
export function string(flags, name) {
  const text = flags[name];
  return typeof text === 'string' ? text : undefined;
}

/** Where something is written to. @param {Flags} flags @param {string} name
 * @returns {string | undefined} */
export function path(flags, name) {
  const value = string(flags, name);
  if (value === undefined || (value && value !== '-')) return value;
  throw new UsageError(`--${name}: expected a path, received "${value}"`);
}

/** A text of others on one line of a terminal: what would steer it is blank, the rest is cut.
 * @param {string} text @param {number} most */
export function onOneLine(text, most) {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** One of a few words.
 * @param {Flags} flags @param {string} name @param {readonly string[]} choices */
export function word(flags, name, choices) {
  const value = string(flags, name);
  if (value !== undefined && !choices.includes(value)) unknown(name, value, choices);
  return value;
}

const [first, ...others] = languages;
/** What help says of --lang: every language, English first. */
export const LANG = `${first} (default), ${new Intl.ListFormat('en', { type: 'disjunction' }).format(others)}`;

/** Without the flags that are not given, so that the defaults hold.
 * @param {Record<string, unknown>} options */
export const defined = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** The system's number for a full quota, for which Node has no words. */
const QUOTA = -(constants.errno.EDQUOT ?? Number.NaN);

/** What JavaScript throws at those who use it wrongly. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Why something failed, in the system's words without its codes. A bug stays what it is.
 * @param {string} what @param {unknown} error
 * @returns {Error} */
export function reasonOf(what, error) {
  const { code, errno, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (errno === undefined && BUGS.some((kind) => error instanceof kind))
    return /** @type {Error} */ (error);
  if (code === 'EISDIR') return new Failure(`${what}: it is a folder`);
  if (errno === QUOTA) return new Failure(`${what}: the quota of the disk is used up`);
  const [, words = message] = getSystemErrorMap().get(errno ?? 0) ?? [];
  return new Failure(`${what}: ${words}`);
}

/** Whether an error is one of ours, which says what is wrong; any other is a bug.
 * @param {unknown} error */
export const isRefusal = (error) =>
  error instanceof Failure ||
  error instanceof UsageError ||
  String(Object(error).code).startsWith('GF_');

/** Does something with what a file holds; whatever is wrong with it is told with the file's name, which may be one of
 * several, by the error.
 * @template T
 * @param {string | ((error: unknown) => string)} file @param {() => T} work
 * @returns {T} */
export function refusing(file, work) {
  try {
    return work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const name = typeof file === 'string' ? file : file(error);
    throw new Failure(`${sourceOf(name)}: ${/** @type {Error} */ (error).message}`);
  }
}

/** What a name on the command line reads from. @param {string} file */
export const sourceOf = (file) => (file === '-' ? 'standard input' : file);

/** What is wrong with a line, in words; undefined where nothing is.
 * @param {import('./lines.js').Line} line @param {string} limit how long it may be */
export function faultOf({ text, stray }, limit) {
  if (text === null) return `expected at most ${limit}`;
  if (stray === undefined) return undefined;
  return `byte ${stray + 1} is not UTF-8. Write the lines in UTF-8`;
}

/** The text of a line that has to be one.
 * @param {import('./lines.js').Line} line */
export function textOfLine(line) {
  const fault = faultOf(line, '1 MiB');
  if (line.text !== null && fault === undefined) return line.text;
  const sentence = `line ${line.line}: ${fault}`;
  throw line.text === null ? new UsageError(sentence) : new Failure(sentence);
}
