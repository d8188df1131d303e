// Runs every test file, shows each result, and ends with a line 'N passed, M failed'.
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here, { recursive: true })
  .filter((name) => name.endsWith('.test.js') && wanted.every((word) => name.includes(word)))
  .sort()
  .map((name) => here + name);

let passed = 0;
let failed = 0;
const isTest = (event) => event.details.type !== 'suite' && !event.file?.endsWith(event.name);
const results = run({ files, concurrency: 2 })
  .on('test:pass', (event) => {
    if (isTest(event)) passed += 1;
  })
  .on('test:fail', (event) => {
    failed += 1;
  });

results.compose(spec).pipe(process.stdout);
results.on('end', () => {
  process.exitCode = failed || !passed ? 1 : 0;
  process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
});
