#!/usr/bin/env node
// The command line: finds the command, and tells what went wrong in one line.

import { readFileSync } from 'node:fs';
import { list, trace } from './cli/trace.js';
import { ask, train } from './cli/train.js';
import { UsageError } from './cli/usage.js';
import { didYouMean, GlassformerError } from './errors.js';

const HELP = `glassformer: a transformer you can see through

  glassformer examples            list the worked examples
  glassformer trace NAME          print every step of one
  glassformer trace --sentence "my own words"
  glassformer train TASK          train a small transformer: french-english, dates, reverse, ...
  glassformer ask TASK TEXT       let a trained one answer: ask french-english "le chat noir dort"
  glassformer COMMAND --help      more about a command
  glassformer --version
`;

/** @type {Record<string, (args: string[]) => string | Promise<string>>} */
const COMMANDS = { examples: list, trace, train, ask };

/** @param {string[]} args
 * @returns {Promise<string>} what goes to standard output */
async function run([command, ...rest]) {
  if (command === undefined || command === '--help') return HELP;
  if (command === '--version') {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    return `${JSON.parse(text).version}\n`;
  }
  if (Object.hasOwn(COMMANDS, command)) return COMMANDS[command](rest);
  const known = [...Object.keys(COMMANDS), '--help', '--version'];
  throw new UsageError(`unknown command "${command}"${didYouMean(command, known)}`);
}

/** What the arguments are to blame for; anything else is a bug, and shows its stack.
 * @param {unknown} error
 * @returns {error is Error} */
const isExpected = (error) =>
  error instanceof UsageError || error instanceof GlassformerError || error instanceof RangeError;

process.stdout.on('error', (error) => {
  /* A reader that has seen enough, such as head. */
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  process.exit(2);
});

run(process.argv.slice(2)).then(
  (text) => process.stdout.write(text),
  (error) => {
    if (!isExpected(error)) throw error;
    process.stderr.write(`glassformer: ${error.message}\n`);
    process.exitCode = 2;
  },
);
