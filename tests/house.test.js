// Whether the house is in order: what is written once is nowhere copied by hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test("the header says of each op what the op's file says", () => {
  const { status, stderr } = spawnSync('node', ['bindings/build/header.js', '--check'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
