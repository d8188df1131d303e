// Sizes that no memory holds are refused: in a process with little memory, which must not end by them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const program = path.join(import.meta.dirname, 'calls/huge.js');

for (const group of ['eager', 'makers']) {
  test(group, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=400', program, group],
      { encoding: 'utf8', timeout: 120_000 },
    );
    const last = stdout.trim().split('\n').at(-1);
    assert.equal(status, 0, `the process ended at ${last}`);
    assert.equal(stderr, '');
    assert.match(String(last), /^\d+ calls/);
  });
}
