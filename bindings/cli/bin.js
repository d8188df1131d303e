#!/usr/bin/env node
// The command line: hands the words, the streams and Ctrl+C to run, and exits with what it says.

import { run } from './index.js';

const { stdin, stdout, stderr } = process;
const stop = new AbortController();
/* Once: whoever presses it again wants an end at once. */
process.once('SIGINT', () => stop.abort());
/* A reader that has seen enough, such as head: run is told by the write itself. */
for (const stream of [stdout, stderr]) stream.on('error', () => {});

process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });
/* Nobody waits for what was not read. */
stdin.destroy();
