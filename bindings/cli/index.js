// Finds the command, and tells what went wrong in one line.

import { readFileSync } from 'node:fs';
import { checkArray, checkText, typeError } from '../js/base/errors.js';
import { checkSignal } from '../js/base/turn.js';
import { ask } from './ask.js';
import { chat } from './chat.js';
import { check } from './check.js';
import { convert } from './convert.js';
import { embed } from './embed.js';
import { examples } from './examples.js';
import { figures } from './figures.js';
import { generate } from './generate.js';
import { insideCommand as inside } from './inside.js';
import { lesson } from './lesson.js';
import { map } from './map.js';
import { mark } from './mark.js';
import { quiz } from './quiz.js';
import { Terminal } from './terminal.js';
import { trace } from './trace.js';
import { train } from './train.js';
import { Failure, isRefusal, Missing, parse, reasonOf, UsageError, unknown } from './usage.js';

export { writeFiles } from './files.js';
export { linesOf } from './lines.js';

/** @typedef {import('./terminal.js').Streams} Streams */
/** @typedef {import('./terminal.js').Terminal} CommandTerminal */
/** @typedef {import('./terminal.js').Look} Look */
/** @typedef {import('./terminal.js').Output} Output */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./usage.js').Command} Command */
/** @typedef {import('./usage.js').Call} Call */
/** @typedef {import('./usage.js').Flags} Flags */
/** @typedef {import('./usage.js').FlagTypes} FlagTypes */

const HELP = `glassformer: a transformer you can see through

  glassformer examples          list the worked examples
  glassformer trace NAME        print every step of one, or of your own words
  glassformer train TASK        train a small transformer on a task
  glassformer ask TASK|FILE TEXT
                                ask a model of a task or a file
  glassformer generate FILE TEXT
                                continue a text with a language model
  glassformer chat FILE         chat with a language model
  glassformer embed FILE TEXT   print the vector that a model makes of a text
  glassformer convert IN OUT    store a model file in another format
  glassformer inside EXPERIMENT MODEL
                                experiment on a running model
  glassformer quiz RECIPE       write exercises for a class
  glassformer mark PROBLEM ANSWERS
                                mark what a learner wrote
  glassformer check FILE        find wrong numbers in a worked text
  glassformer lesson check FILE check a lesson
  glassformer map PROGRAM IN OUT
                                run a program over rows, in several workers
  glassformer figures FOLDER    write the files that course pages use

  glassformer help COMMAND      explain a command, with examples
  glassformer --version

Every command takes --json and --quiet. A dash, -, means standard input, except
for model files. Write a text that begins with a dash behind --.
A file that exists is replaced only with --force. Files are written whole, or
left as they were.
Exit status: 0 done, 1 failed, 2 usage error, 3 something wrong was found in a
text or a lesson, 70 a bug of Glassformer (--debug shows where it is),
130 interrupted, 141 the reader of the output is gone.
`;

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = Object.freeze({
  examples,
  trace,
  train,
  ask,
  generate,
  chat,
  embed,
  convert,
  quiz,
  mark,
  check,
  lesson,
  map,
  figures,
  inside,
});

const FAILED = 1;
const USAGE_ERROR = 2;
const BUG = 70;
const INTERRUPTED = 130;
const BROKEN_PIPE = 141;

const REPORT = 'https://github.com/glassformer/glassformer/issues';

/** What is refused because of the words, or of the model that they name; all else is the work's. */
const USAGE_CODES = ['GF_ETYPE', 'GF_ESHAPE', 'GF_ENAME', 'GF_ENODE', 'GF_ERANGE'];

const GLOBAL_FLAGS = ['--json', '--quiet', '--debug'];

function version() {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return `${JSON.parse(text).version}\n`;
}

/** @param {string} name */
function commandOf(name) {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name];
  return unknown('command', name, [...Object.keys(COMMANDS), 'help', '--help', '--version']);
}

/** @param {readonly string[]} argv @param {Terminal} terminal
 * @returns {Promise<number | void>} */
async function dispatch(argv, terminal) {
  /* Flags that every command takes may come before it. */
  const index = argv.findIndex((word) => !GLOBAL_FLAGS.includes(word));
  const [name, ...rest] = argv.slice(Math.max(index, 0));
  const args = [...argv.slice(0, Math.max(index, 0)), ...rest];
  if (index < 0 || name === '--help' || name === '-h') return terminal.print(HELP);
  if (name === '--version' || name === '-v') return terminal.print(version());
  if (name === 'help') {
    const [of = name] = rest;
    return terminal.print(of === name ? HELP : commandOf(of).help);
  }
  const command = commandOf(name);
  const { flags, words } = parse(args, command.flags);
  if (flags.help) return terminal.print(command.help);
  terminal.quiet = flags.quiet === true;
  try {
    return await command.run({ flags, words, terminal });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    throw new UsageError(`${error.message}. See glassformer ${name} --help`);
  }
}

/** The exit status of what can go wrong.
 * @param {unknown} error */
function statusOf(error) {
  if (!isRefusal(error)) return BUG;
  if (error instanceof Failure) return FAILED;
  return error instanceof UsageError || USAGE_CODES.includes(Object(error).code)
    ? USAGE_ERROR
    : FAILED;
}

/** What the system refuses, such as a disk that fails, is no bug: in the system's words.
 * @param {unknown} error */
function withReason(error) {
  const { errno, code, path, syscall } = /** @type {NodeJS.ErrnoException} */ (Object(error));
  return errno === undefined || code === 'EPIPE' ? error : reasonOf(path ?? String(syscall), error);
}

/** What is said of a bug, which no word on the command line and no file can excuse.
 * @param {unknown} error @param {readonly string[]} argv @param {Terminal} terminal */
function reportBug(error, argv, terminal) {
  const { message = String(error), stack = '' } = /** @type {Error} */ (Object(error));
  const shows = argv.includes('--debug');
  const more = shows ? '' : '. The same command with --debug shows where';
  terminal.complain(`this is a bug of Glassformer: ${message}. Please report it: ${REPORT}${more}`);
  if (shows) for (const line of stack.split('\n')) terminal.complain(line);
}

/** @param {unknown} argv @param {unknown} streams */
function checkCall(argv, streams) {
  checkArray('run: argv', argv);
  for (const [i, word] of argv.entries()) checkText(`run: argv[${i}]`, word);
  if (Object(streams) !== streams)
    throw typeError('object', { where: 'run: streams', given: streams });
  const { stdin, stdout, stderr, signal } = /** @type {Streams} */ (streams);
  if (!(Symbol.asyncIterator in Object(stdin))) {
    throw typeError('object', { where: 'run: stdin', given: stdin });
  }
  for (const [name, stream] of Object.entries({ stdout, stderr })) {
    const { write } = Object(stream);
    if (typeof write === 'function') continue;
    throw typeError('listener', { where: `run: ${name}: write`, given: write });
  }
  checkSignal('run: signal', signal);
}

/** Runs one command.
 * @param {readonly string[]} argv the words behind "glassformer"
 * @param {Streams} streams
 * @returns {Promise<number>} the exit status: 0 done, 1 something failed, 2 usage error, 3 something
 *   wrong was found in a text or a lesson, 70 a bug, 130 interrupted, 141 nobody reads the output
 * @example
 * import { run } from 'glassformer/cli';
 *
 * let text = '';
 * const status = await run(['examples'], {
 *   stdin: process.stdin,
 *   stderr: process.stderr,
 *   stdout: {
 *     write(part, done) {
 *       text += part;
 *       done();
 *     },
 *   },
 * });
 * status; // = 0
 * text.startsWith('i-love-robotics'); // = true */
export async function run(argv, streams) {
  checkCall(argv, streams);
  const terminal = new Terminal(streams);
  try {
    return (await dispatch(argv, terminal)) ?? 0;
  } catch (thrown) {
    const error = withReason(thrown);
    const { signal } = streams;
    if (signal?.aborted && error === signal.reason) return INTERRUPTED;
    /* The reader has seen enough: what it did not read is lost. */
    if (Object(error).code === 'EPIPE') return BROKEN_PIPE;
    const status = statusOf(error);
    if (status === BUG) reportBug(error, argv, terminal);
    else terminal.complain(/** @type {Error} */ (error).message);
    return status;
  }
}
