// glassformer map: a program of the user's over the rows of a file, by several workers.

import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Draft } from './files.js';
import { CORES, Pool } from './pool.js';
import { FORCE, faultOf, integer, Missing, reasonOf, UsageError } from './usage.js';

/** Each worker has memory of its own. */
const MAX_WORKERS = 256;
/** Bytes that a row may have. */
const MAX_ROW_BYTES = 2 ** 26;
/** Characters after which results are written. */
const WRITE_LENGTH = 2 ** 20;

const HELP = `glassformer map PROGRAM [IN [OUT]]

Runs a program over each line of a JSON Lines file, in several workers. PROGRAM
is a module whose default export is a function. It takes a row, parsed, and
returns a result or a promise of one. Each worker loads the module once. After
gf = await load(), for example:

  export default ({ q, k, v }) => gf.attention({ q, k, v }).weights;

IN is a file; without it, or with -, rows come from standard input. Results go
to OUT, or to standard output, in the order of the rows: a line for each row.
Memory does not grow with the file. Standard error names each row that fails,
whose line of the output is {"line": 7, "error": "..."}; the exit status is then
1. If a worker dies, another takes its place and tries the row once more. A row
also fails if its promise can never settle, or if it is not JSON, not UTF-8, or
longer than 64 MiB. So does a row with an integer that no number of JavaScript
equals, such as an id of 64 bits. If a row throws after its result, in a timer
for example, standard error names it, and the exit status is 1. Such an error is
heard until a second after the last row.

In results, typed arrays become arrays, and NaN, Infinity and -Infinity become
strings such as "-Infinity", as in glassformer trace --json; -0 becomes 0.
Properties that are undefined are left out. What JSON cannot hold, such as a Map
or a BigInt, makes the row fail.

  --workers N   how many: by default, as many as the machine has cores
  --force       replace OUT if it exists, even if it is IN
  --json        at the end one object: rows, failed, seconds, workers
  --quiet       nothing but the results and errors

Examples
  glassformer map attend.mjs rows.jsonl weights.jsonl --workers 4
  cat rows.jsonl | glassformer map attend.mjs | head -3
`;

/** The rows of a file that are not blank; one that cannot be read comes with what is wrong with it.
 * @param {AsyncIterable<import('./lines.js').Line>} lines
 * @returns {AsyncGenerator<import('./pool.js').Given>} */
async function* rowsOf(lines) {
  for await (const read of lines) {
    const { line, text, bytes } = read;
    const error = faultOf(read, `64 MiB in a row, received ${bytes} bytes`);
    if (error !== undefined) yield { line, error };
    else if (text?.trim()) yield { line, text };
  }
}

/** Lines in few pieces, since a write costs more than a short line; all of them may be longer than a string can be.
 * @param {string[]} lines */
function* joined(lines) {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < WRITE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

/** Where results go: what writes one, and what ends it. A file appears when it is whole.
 * @param {string | undefined} to @param {boolean} force @param {import('./terminal.js').Terminal} terminal */
async function outputTo(to, force, terminal) {
  if (to === undefined) {
    const print = (/** @type {string} */ text) => terminal.print(text);
    return { print, keep: async () => {}, drop: () => {} };
  }
  const draft = await Draft.open(to, { force, signal: terminal.signal });
  return {
    print: (/** @type {string} */ text) => draft.write(text),
    keep: () => draft.keep(),
    drop: () => draft.drop(),
  };
}

/** @type {import('./usage.js').Command} */
export const map = {
  help: HELP,
  flags: { workers: { type: 'string' }, ...FORCE },
  async run({ flags, words, terminal }) {
    const [program, from = '-', to, ...more] = words;
    if (!program) throw new Missing('program');
    if (more.length)
      throw new UsageError(`expected a program and two files, received "${more[0]}" too`);
    const workers = integer(flags, 'workers') ?? CORES;
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new UsageError(`--workers: expected 1 to ${MAX_WORKERS}, received ${workers}`);
    }
    await access(program).catch((error) => {
      throw reasonOf(`cannot read ${program}`, error);
    });
    const begin = performance.now();
    const output = await outputTo(to, flags.force === true, terminal);
    const pool = new Pool(pathToFileURL(path.resolve(program)).href, workers, {
      say: (text) => terminal.note(text.replace(/\n$/, '')),
      late: (line, error) => {
        failed += 1;
        const row = line === undefined ? 'the program' : `line ${line}, after its result`;
        terminal.complain(`${row}: ${error}`);
      },
      signal: terminal.signal,
    });
    let [rows, failed] = [0, 0];
    try {
      const lines = terminal.lines(from, { limit: MAX_ROW_BYTES });
      for await (const outcomes of pool.map(rowsOf(lines))) {
        const texts = outcomes.map(({ line, outcome }) => {
          if ('text' in outcome) return outcome.text;
          failed += 1;
          terminal.complain(`line ${line}: ${outcome.error}`);
          return JSON.stringify({ line, error: outcome.error });
        });
        rows += outcomes.length;
        for (const text of joined(texts)) await output.print(text);
        terminal.progress(`${rows} rows`);
      }
      await pool.finish();
      await output.keep();
    } catch (error) {
      output.drop();
      throw error;
    } finally {
      await pool.end();
    }
    const seconds = (performance.now() - begin) / 1000;
    if (flags.json) await terminal.print(`${JSON.stringify({ rows, failed, seconds, workers })}\n`);
    else
      terminal.note(`${rows} rows, ${failed} failed, ${seconds.toFixed(1)} s, ${workers} workers`);
    return failed ? 1 : 0;
  },
};
