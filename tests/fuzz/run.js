// Fuzzes the JavaScript targets: `node tests/fuzz/run.js SECONDS SEED [TARGET...]`, all of them together so many seconds, each
// as long as the others. Seed 0 stands for another one each time. What goes wrong is made as small as it gets and kept in
// corpus/, where the tests find it. `--list` names the targets.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { targets } from './targets.js';

const [seconds, seed, ...names] = process.argv.slice(2);
if (seconds === '--list') {
  console.log(Object.keys(targets).join('\n'));
  process.exit();
}
if (!(Number(seconds) > 0) || !(Number(seed) >= 0) || names.some((name) => !(name in targets))) {
  console.error(`usage: node tests/fuzz/run.js SECONDS SEED [${Object.keys(targets).join(' ')}]`);
  process.exit(2);
}

/** Milliseconds after which an input hangs, however busy the machine is. */
const HANG = 30_000;

const asked = names.length ? names : Object.keys(targets);
const share = Number(seconds) / asked.length;
for (const name of asked) {
  const { inputs, run } = targets[name];
  let slowest = 0;
  const found = await fc.check(
    fc.asyncProperty(inputs, async (input) => {
      const begin = performance.now();
      await run(input);
      const took = performance.now() - begin;
      slowest = Math.max(slowest, took);
      if (took > HANG) throw new Error(`took ${Math.round(took)} ms`);
    }),
    {
      numRuns: 1e9,
      ...(Number(seed) && { seed: Number(seed) }),
      interruptAfterTimeLimit: 1000 * share,
      markInterruptAsFailure: false,
    },
  );
  console.log(
    `${name}: ${found.numRuns} inputs in ${Math.round(share)} s, the slowest ${Math.round(slowest)} ms`,
  );
  if (!found.failed) continue;
  const [input] = /** @type {[any]} */ (found.counterexample);
  const text = `${JSON.stringify(input)}\n`;
  const folder = new URL(`corpus/${name}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(
    `${createHash('sha1').update(text).digest('hex').slice(0, 12)}.json`,
    folder,
  );
  writeFileSync(file, text);
  console.error(
    `${name}: ${file.pathname}\n${text}${/** @type {Error} */ (found.errorInstance)?.stack}`,
  );
  process.exitCode = 1;
}
