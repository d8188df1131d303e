// The report of accessibility: every criterion of levels A and AA once, and tests that there are.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const report = read('docs/accessibility.md');

/** WCAG 2.1, levels A and AA: how many criteria each guideline has. */
const CRITERIA = {
  1.1: [1],
  1.2: [1, 2, 3, 4, 5],
  1.3: [1, 2, 3, 4, 5],
  1.4: [1, 2, 3, 4, 5, 10, 11, 12, 13],
  2.1: [1, 2, 4],
  2.2: [1, 2],
  2.3: [1],
  2.4: [1, 2, 3, 4, 5, 6, 7],
  2.5: [1, 2, 3, 4],
  3.1: [1, 2],
  3.2: [1, 2, 3, 4],
  3.3: [1, 2, 3, 4],
  4.1: [1, 2, 3],
};

test('every criterion stands there once', () => {
  const rows = [...report.matchAll(/^\| (\d\.\d)\.(\d+)(?: to \1\.(\d+))? /gm)];
  const stated = rows.flatMap(([, guideline, first, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, i) => `${guideline}.${Number(first) + i}`),
  );
  const wanted = Object.entries(CRITERIA).flatMap(([guideline, all]) =>
    all.map((one) => `${Number(guideline).toFixed(1)}.${one}`),
  );
  assert.equal(wanted.length, 50);
  assert.deepEqual(stated.sort(), wanted.sort());
});

test('each test that it names is there', () => {
  let named = 0;
  const missing = [];
  for (const { 1: file, index } of report.matchAll(/\b([a-z-]+) › /g)) {
    const [line] = report.slice(index + file.length + ' › '.length).split('\n');
    const tests = [...read(`tests/web/${file}.test.js`).matchAll(/test\(\s*(['`])(.*?)\1/g)];
    /* Of a name with values in it, what is the same for all. */
    const names = tests.map(([, , name]) =>
      name
        .replace(/^\$\{.*?\}:? ?/, '')
        .split('${')[0]
        .replace(/:? $/, ''),
    );
    named++;
    if (!names.some((name) => name && line.startsWith(name))) missing.push(`${file} › ${line}`);
  }
  assert.deepEqual(missing, []);
  assert.ok(named > 40, String(named));
});
