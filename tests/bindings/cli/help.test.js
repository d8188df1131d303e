// Every example that the help of the commands for teachers gives runs as it stands.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cli, succeeds } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-help-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name, text) => writeFileSync(join(folder, name), text);

write('glassformer', `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
chmodSync(join(folder, 'glassformer'), 0o755);
for (const lesson of ['lesson.md', 'lesson.tex', 'lesson.html']) write(lesson, '2 + 2 = 5\n');
write(
  'lesson.ipynb',
  JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'markdown', source: ['2 + 2 = 5\n'] }] }),
);
write('exam.txt', 'X = 1 0; 0 1\nW_Q = 1 2; 0 1\nW_K = 1 0; 3 1\nW_V = 1 0; 0 1');
write('answers.json', '{"cells": {"scores[0,0]": "4"}}');
write('class.json', '[{"cells": {}}, {"cells": {"scores[0,0]": "4/3"}}]');
const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };

for (const command of ['quiz', 'mark', 'check']) {
  test(command, async () => {
    const [, examples] = (await succeeds(command, '--help')).split('\nExamples\n');
    const lines = examples.trimEnd().split('\n');
    assert.ok(lines.length >= 3);
    for (const line of lines) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      assert.equal(status, command === 'check' ? 3 : 0, `${line}\n${stderr}`);
      assert.ok(stdout || line.includes('>'), line);
    }
  });
}
