// The code blocks of README.md run, and print what a reader would check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { blocks, root, write } from './support/markdown.js';

const printed = [
  /Float32Array\(9\) \[\s*5, 3, 4,\s+4, 4,\s+4, 3, 3, 2\s*\]/,
  /^the black cat sleeps\n\[ 1, 4, 4, 4 \]\n$/,
];
for (const [i, code] of blocks('README.md', 'js').entries()) {
  test(`JavaScript block ${i + 1} runs`, () => {
    const file = write(`readme-${i}.js`, code);
    assert.match(execFileSync(process.execPath, [file], { encoding: 'utf8' }), printed[i]);
  });
}

test('the C compiles, links and runs', () => {
  const file = write('readme.c', blocks('README.md', 'c')[0]);
  const program = file.replace('.c', '');
  const library = 'build/libglassformer.a';
  const strict = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-Isrc'];
  execFileSync('cc', [...strict, file, library, '-o', program], { cwd: root });
  // softmax([1, 0, 0]) starts with e / (e + 2)
  const printed = Number(execFileSync(program, { encoding: 'utf8' }));
  assert.ok(Math.abs(printed - Math.E / (Math.E + 2)) < 1e-5, `it prints ${printed}`);
});
