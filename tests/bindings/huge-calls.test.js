// Huge and odd values are refused or taken: in a process with little memory, which must neither end by them nor hang.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { load } from '../../bindings/models.js';
import { sample, tries } from '../support/sample.js';
import { tableOf } from './calls/table.js';

const program = path.join(import.meta.dirname, 'calls/huge.js');

const groups = Object.keys(await tableOf(await load()));
for (const group of sample(groups, tries(groups.length))) {
  test(group, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=400', program, group],
      { encoding: 'utf8', timeout: 300_000, maxBuffer: 2 ** 28 },
    );
    const last = stdout.trim().split('\n').at(-1);
    assert.equal(status, 0, `the process ended at ${last}`);
    assert.equal(stderr, '');
    assert.match(String(last), /^\d+ calls/);
  });
}
