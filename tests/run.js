// Runs the test files, shows each result and which files took longest, and ends with a line 'N passed, M failed'.
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { isLater } from './support/sample.js';

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
/** The page's files take longest, and take turns: each is run with one commit of three or so, with PAGES=all always, and
 * when it is asked for. @param {string} name of a file */
const hasTurn = (name) =>
  wanted.length > 0 || process.env.PAGES === 'all' || !name.startsWith('web/') || !isLater(name);
const files = readdirSync(here, { recursive: true })
  .filter((name) => name.endsWith('.test.js') && !name.includes('node_modules'))
  .filter((name) => wanted.every((word) => name.includes(word)))
  .filter(hasTurn)
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  .map((name) => here + name);

/** Seconds of each file. @type {[string, number][]} */
const times = [];
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
  })
  .on('test:complete', ({ file, name, details }) => {
    if (file === name) times.push([name.slice(here.length), details.duration_ms / 1000]);
  });

results.compose(spec).pipe(process.stdout);
results.on('end', () => {
  process.exitCode = failed || !passed ? 1 : 0;
  process.on('exit', () => {
    const longest = times.sort(([, a], [, b]) => b - a).slice(0, 20);
    for (const [name, seconds] of longest)
      console.log(`${seconds.toFixed(1).padStart(6)} s ${name}`);
    console.log(`${passed} passed, ${failed} failed`);
  });
});
