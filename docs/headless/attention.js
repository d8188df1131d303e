// Attention over a file of any length, line by line: memory stays the same, and the output is read no
// faster than it is wanted.
//
//   node docs/headless/attention.js docs/headless/attention.jsonl > attention.out.jsonl
//   cat more.jsonl | node docs/headless/attention.js --strict | head -3
//
// In: JSON Lines; each line has q, k, v and whatever else gf.attention takes, such as heads and causal.
// Out: for each line its number, output and weights. A line that is wrong is told on standard error with
// its number; the rest is computed, and the exit status is 1. --strict ends at the first one.

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { load } from 'glassformer';
import { linesOf } from 'glassformer/cli';

const { values, positionals } = parseArgs({
  options: { strict: { type: 'boolean' } },
  allowPositionals: true,
});
const gf = await load();

/** Bytes that a line may have; of a longer one only its length is kept. */
const LONGEST = 2 ** 24;

async function* attend(input) {
  for await (const { line, text, bytes } of linesOf(input, { limit: LONGEST })) {
    if (text?.trim() === '') continue;
    try {
      if (text === null) throw new RangeError(`${bytes} bytes; at most ${LONGEST} are read`);
      const { output, weights } = gf.attention(JSON.parse(text));
      yield `${JSON.stringify({ line, output, weights })}\n`;
    } catch (error) {
      console.error(`line ${line}: ${error.message}`);
      process.exitCode = 1;
      if (values.strict) return;
    }
  }
}

const input = positionals.length ? createReadStream(positionals[0]) : process.stdin;
try {
  await pipeline(input, attend, process.stdout);
} catch (error) {
  /* A reader that has seen enough, such as head, is no failure. */
  if (error.code !== 'EPIPE') {
    console.error(error.message);
    process.exitCode = 1;
  }
}
