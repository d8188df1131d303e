// Runs every test file, shows each result, and ends with a line 'N passed, M failed'.
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here, { recursive: true })
  .filter((name) => name.endsWith('.test.js') && !name.includes('node_modules'))
  .filter((name) => wanted.every((word) => name.includes(word)))
  .sort()
  .map((name) => here + name);

let passed = 0;
let failed = 0;
/** Whether an event tells about a test itself, not about the suite or the file around it. */
const isTest = ({ details, file, name }) => details.type !== 'suite' && !file?.endsWith(name);
/** Milliseconds for a file: what waits for something that never comes fails, too. */
const timeout = 30 * 60 * 1000;
/** A suite or file that fails of itself, such as one that does not even load. */
const fellOver = ({ details }) => details.error?.failureType !== 'subtestsFailed';
const results = run({ files, concurrency: 2, timeout })
  .on('test:pass', (event) => {
    if (isTest(event) && event.skip === undefined) passed += 1;
  })
  .on('test:fail', (event) => {
    if (isTest(event) || fellOver(event)) failed += 1;
  });

results.compose(spec).pipe(process.stdout);
results.on('end', () => {
  process.exitCode = failed || !passed ? 1 : 0;
  process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
});
