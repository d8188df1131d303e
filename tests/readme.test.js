// The code blocks of README.md run, and print what a reader would check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'build/readme');
mkdirSync(folder, { recursive: true });

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code,
  );

for (const [i, printed] of [
  /Float32Array\(9\) \[\s*5, 3, 4,\s+4, 4,\s+4, 3, 3, 2\s*\]/,
  /^the black cat sleeps\n\[ 1, 4, 4, 4 \]\n$/,
].entries()) {
  test(`JavaScript block ${i + 1} runs`, () => {
    /* Inside of the package, the name glassformer leads to the package itself. */
    const file = path.join(folder, `readme-${i}.js`);
    writeFileSync(file, blocks('js')[i]);
    assert.match(execFileSync(process.execPath, [file], { encoding: 'utf8' }), printed);
  });
}

test('the C compiles, links and runs', () => {
  const file = path.join(folder, 'readme.c');
  writeFileSync(file, blocks('c')[0]);
  const program = path.join(folder, 'readme');
  const library = path.join(root, 'build/libglassformer.a');
  const strict = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-Isrc'];
  execFileSync('cc', [...strict, file, library, '-o', program], { cwd: root });
  // softmax([1, 0, 0]) starts with e / (e + 2)
  const printed = Number(execFileSync(program, { encoding: 'utf8' }));
  assert.ok(Math.abs(printed - Math.E / (Math.E + 2)) < 1e-5, `it prints ${printed}`);
});
