// The elementary functions against libm's float64: every 4099th input here, all of them with
// build/fmath-error alone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('exp, log, tanh, erf, the normal distribution, gelu, sin and cos keep their bounds', () => {
  const program = path.resolve(import.meta.dirname, '../build/fmath-error');
  const { status, stdout, stderr } = spawnSync(program, ['--every', '4099'], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
