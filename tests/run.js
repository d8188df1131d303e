// Runs the test files, shows each result and which files took longest, counts what was skipped for which reason, and ends
// with a line 'N passed, M failed'. A test that is skipped for any other reason fails.
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { full, isLater, number } from './support/sample.js';
import { REASONS } from './support/skips.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
/** Those that take longest come first, so that two of them end together. */
const LONG = [
  'web/transformer',
  'web/training',
  'web/looks',
  'web/languages',
  'exercises/mistakes',
  'exercises/properties',
  'web/page',
  'web/displayed',
  'parity',
  'self-test',
  'web/',
];
/** @param {string} name of a file */
const rank = (name) => LONG.findIndex((one) => name.startsWith(one)) + 1 || LONG.length + 1;
/** The page's files take longest, and take turns: each is run with one SAMPLE of three or so, with PAGES=all always, and
 * when it is asked for. @param {string} name of a file */
const hasTurn = (name) =>
  wanted.length > 0 || process.env.PAGES === 'all' || !name.startsWith('web/') || !isLater(name);
const every = readdirSync(here, { recursive: true })
  .filter((name) => name.endsWith('.test.js') && !name.includes('node_modules'))
  .filter((name) => wanted.every((word) => name.includes(word)));
const files = every
  .filter(hasTurn)
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  .map((name) => here + name);

/** Seconds of each file. @type {[string, number][]} */
const times = [];
let passed = 0;
let failed = 0;
/** How many tests were skipped, by the reason. @type {Map<string, number>} */
const skipped = new Map(Object.values(REASONS).map((reason) => [reason, 0]));
/** Tests that were skipped, or may fail, for a reason that nobody knows. @type {string[]} */
const holes = [];

/** Whether a test did not count: it was skipped, or its failure would not matter. */
function isSkipped({ name, file, skip, todo }) {
  if (skip === undefined && todo === undefined) return false;
  const count = skipped.get(skip);
  if (count === undefined) holes.push(`${file?.slice(here.length)}: ${name}: ${skip ?? 'todo'}`);
  else skipped.set(skip, count + 1);
  return true;
}
/** Whether an event tells about a test itself, not about the suite or the file around it. */
const isTest = ({ details, file, name }) => details.type !== 'suite' && !file?.endsWith(name);
/** Milliseconds for a file: what waits for something that never comes fails, too. */
const timeout = 30 * 60 * 1000;
/** A suite or file that fails of itself, such as one that does not even load. */
const fellOver = ({ details }) => details.error?.failureType !== 'subtestsFailed';
const results = run({ files, concurrency: 2, timeout })
  .on('test:pass', (event) => {
    if (!isSkipped(event) && isTest(event)) passed += 1;
  })
  .on('test:fail', (event) => {
    if (!isSkipped(event) && (isTest(event) || fellOver(event))) failed += 1;
  })
  .on('test:complete', ({ file, name, details }) => {
    if (file === name) times.push([name.slice(here.length), details.duration_ms / 1000]);
  });

/** @param {number} count @param {string} what */
const line = (count, what) => console.log(`${String(count).padStart(6)} ${what}`);

results.compose(spec).pipe(process.stdout);
results.on('end', () => {
  process.exitCode = failed || holes.length || !passed ? 1 : 0;
  process.on('exit', () => {
    const longest = times.sort(([, a], [, b]) => b - a).slice(0, 20);
    for (const [name, seconds] of longest)
      console.log(`${seconds.toFixed(1).padStart(6)} s ${name}`);
    for (const [reason, count] of skipped) if (count) line(count, `skipped: ${reason}`);
    const later = every.length - files.length;
    if (later) line(later, 'files of tests/web/ skipped: PAGES=all, or another SAMPLE, runs them');
    if (!full) console.log(`SAMPLE=${number}; SAMPLE=1, 2, ... run other parts, FULL=1 everything`);
    for (const hole of holes)
      console.log(`skipped for no reason of tests/support/skips.js: ${hole}`);
    console.log(`${passed} passed, ${failed + holes.length} failed`);
  });
});
