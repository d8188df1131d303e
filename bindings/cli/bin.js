#!/usr/bin/env node
// The command line: hands the words, the streams and Ctrl+C to run, and exits with what it says.

import { fstatSync } from 'node:fs';
import { quit, writeFully } from './files.js';
import { run } from './index.js';

const { stdin, stderr } = process;
const stop = new AbortController();
/* Whoever presses it again wants an end at once. */
process.on('SIGINT', () => (stop.signal.aborted ? quit('SIGINT') : stop.abort()));
/* A reader that has seen enough, such as head: run is told by the write itself. */
for (const stream of [process.stdout, stderr]) stream.on('error', () => {});

/* If it is closed (>&-), Node has opened /dev/null in its place before this program begins, as some programs do for
 * others whose output nobody wants. The two look alike, so a closed output is no error here. */
const OUTPUT = 1;
/* Node's own stream takes what a full disk takes of a text for the whole of it. */
const toFile = {
  write: (/** @type {string} */ text, /** @type {(error?: Error) => void} */ done) =>
    void writeFully(OUTPUT, Buffer.from(text)).then(() => done(), done),
};
const stdout = fstatSync(OUTPUT).isFile() ? toFile : process.stdout;

process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });
/* Nobody waits for what was not read. */
stdin.destroy();
