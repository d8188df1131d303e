// The core's work besides the numbers grows with the nodes of a tape, not with their square.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const program = path.resolve(import.meta.dirname, '../build/work');

/** @type {Map<string, [layers: number, steps: number][]>} */
const tasks = new Map();
for (const line of execFileSync(program, { encoding: 'utf8' }).trim().split('\n')) {
  const [task, ...counts] = line.split(' ');
  tasks.set(task, [...(tasks.get(task) ?? []), counts.map(Number)]);
}

test('every task was counted', () => {
  assert.deepEqual(
    [...tasks.keys()],
    ['build', 'grow', 'find', 'rewind', 'bind', 'plan', 'reuse', 'decode'],
  );
});

for (const [task, counts] of tasks) {
  test(`${task}: twice the layers are twice the work`, () => {
    assert.equal(counts.length, 3);
    for (let i = 1; i < counts.length; i++) {
      const [[fewer, before], [more, after]] = counts.slice(i - 1, i + 1);
      assert.equal(more, 2 * fewer);
      assert.ok(after < 2.2 * before, `${before} steps for ${fewer} layers, ${after} for ${more}`);
    }
  });
}
