// glassformer check: what it prints and writes, its exit status, and what it refuses.

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../bindings/cli/index.js';
import { call, output, refuses } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-check-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);

test('check lists wrong numbers, and exits 3', async () => {
  const [file, out] = [at('lesson.md'), at('fixed.md')];
  writeFileSync(file, 'So 2 + 2 = 5 and √4 = 2.\n');
  const { status, stdout } = await call(['check', file, '--fix', out]);
  assert.equal(status, 3);
  assert.equal(
    stdout,
    '1. 1:12  The text prints 5; it is 4.\nWrong numbers: 1 of 2 that were checked.\n',
  );
  assert.equal(readFileSync(out, 'utf8'), 'So 2 + 2 = 4 and √4 = 2.\n');
  assert.equal((await call(['check', out])).status, 0);
  const told = JSON.parse((await call(['check', file, '--json'])).stdout);
  assert.deepEqual(Object.keys(told), [
    'checked',
    'flags',
    'truncated',
    'relations',
    'notUnderstood',
  ]);
  assert.equal((await call(['check', '-', '--quiet'], { input: '1 + 1 = 3' })).stdout, '1\n');
});

test('check tells what is wrong in three languages', async () => {
  const input =
    'exp(1) = 2.71\nQ = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 1]]\nscores = Q K^T = [[4, 3], [7, 4]]\nscaled scores: [[2.00, 1.50], [3.50, 2.00]]\nx = [1, 2, ...]\n';
  for (const [lang, wrong, truncated, rest, total] of [
    [
      'en',
      'The text prints 2.00; it is 2.83. The scores are divided by d_k',
      'The text prints 2.71, truncated; rounded, it is 2.72.',
      'Not understood, line 6: x = [1, 2, ...] (nothing before explains these numbers)',
      'Wrong numbers: 4 of 9',
    ],
    [
      'fr',
      'Le texte donne 2.00 ; il faut 2.83. Les scores sont divisés par d_k',
      'Le texte donne 2.71, tronqué\u00a0; arrondi, c’est 2.72.',
      'Non compris, ligne 6\u00a0: x = [1, 2, ...] (rien avant n’explique ces nombres)',
      'Nombres faux\u00a0: 4 sur 9',
    ],
    [
      'de',
      'Im Text steht 2.00; richtig ist 2.83. Die Scores sind durch d_k geteilt',
      'Im Text steht 2.71, abgeschnitten; gerundet ist es 2.72.',
      'Nicht verstanden, Zeile 6: x = [1, 2, ...] (nichts davor erklärt diese Zahlen)',
      'Falsche Zahlen: 4 von 9',
    ],
  ]) {
    const { stdout } = await call(['check', '-', '--lang', lang], { input });
    const lines = stdout.trimEnd().split('\n');
    assert.equal(
      lines[0].slice(lines[0].indexOf('  ') + 2, lines[0].indexOf('  ') + 2 + wrong.length),
      wrong,
    );
    assert.equal(lines[4], `   1:10  ${truncated}`);
    assert.equal(lines[5], rest);
    assert.ok(lines[6].startsWith(total), lines[6]);
  }
});

test('a number that is cut off is noted, or wrong', async () => {
  const input = 'x = 2 / 3 = 0.66';
  const lenient = await call(['check', '-'], { input });
  assert.equal(lenient.status, 0);
  assert.match(
    lenient.stdout,
    /^ {3}1:13 {2}The text prints 0\.66, truncated; rounded, it is 0\.67\.$/m,
  );
  const strict = await call(['check', '-', '--rounding', 'strict'], { input });
  assert.equal(strict.status, 3);
  assert.match(strict.stdout, /The text prints 0\.66; it is 0\.67\. The number is cut off/);
});

test('the changed lines are shown, and whoever watches is asked', async () => {
  const [file, out] = [at('asked.md'), at('asked.out')];
  writeFileSync(file, 'so\n2 + 2 = 5\n');
  const typed = async (answer, ...more) => {
    const stdin = Object.assign(
      (async function* typed() {
        yield Buffer.from(answer);
      })(),
      { isTTY: true },
    );
    const [stdout, stderr] = [output(), output()];
    await run(['check', file, '--fix', out, ...more], { stdin, stdout, stderr });
    return stderr.text;
  };
  assert.match(
    await typed('n\n'),
    /@@ 2 @@\n- 2 \+ 2 = 5\n\+ 2 \+ 2 = 4\nWrite .*\? .*is not written/,
  );
  assert.equal(existsSync(out), false);
  await typed('y\n');
  assert.equal(readFileSync(out, 'utf8'), 'so\n2 + 2 = 4\n');
  assert.doesNotMatch(await typed('', '--yes', '--force'), /Write/);
});

test('each encoding is written back as it was, but for the numbers', async () => {
  const wrong = '2 + 2 = 5';
  for (const [name, before, after] of [
    ['utf8', Buffer.from('\uFEFF\r\n£ '), Buffer.from(' ü\r\n')],
    ['latin1', Buffer.from('Prüfung: \r\n', 'latin1'), Buffer.from(' §\xff', 'latin1')],
    ['bytes', Buffer.from([0xc3, 0x28, 0x20]), Buffer.from([0x0a, 0xff, 0x00])],
  ]) {
    const [file, out] = [at(name), at(`${name}.out`)];
    writeFileSync(file, Buffer.concat([before, Buffer.from(wrong), after]));
    assert.equal((await call(['check', file, '--fix', out])).status, 3);
    const due = Buffer.concat([before, Buffer.from('2 + 2 = 4'), after]);
    assert.deepEqual(readFileSync(out), due, name);
  }
  const file = at('utf16');
  writeFileSync(file, `\uFEFF${wrong}\r\n`, 'utf16le');
  const before = readFileSync(file);
  await refuses(['check', file, '--fix', file], 1, /cannot write .*utf16: it exists. Pass --force/);
  assert.deepEqual(readFileSync(file), before);
  const told = await call(['check', file, '--fix', file, '--force']);
  assert.equal(told.status, 3);
  assert.equal(
    told.stderr,
    `@@ 1 @@\n- \uFEFF2 + 2 = 5\n+ \uFEFF2 + 2 = 4\nreplaced ${file} by its corrected text\n`,
  );
  assert.equal(readFileSync(file, 'utf16le'), '\uFEFF2 + 2 = 4\r\n');
});

test('a byte of another encoding makes no other signs of the rest', async () => {
  const [file, out] = [at('stray'), at('stray.out')];
  const textOf = (product) =>
    Buffer.concat([
      Buffer.from('2 × 3 = 6\nCaf'),
      Buffer.of(0xe9),
      Buffer.from(` 2 × 3 = ${product} é 😀`),
    ]);
  writeFileSync(file, textOf(7));
  const { stdout } = await call(['check', file, '--fix', out]);
  assert.match(stdout, /^1\. 2:14 /);
  assert.deepEqual(readFileSync(out), textOf(6));
});

test('what a text holds cannot steer the terminal', async () => {
  const { stdout } = await call(['check', '-'], {
    input: '[1, \x1b[31m\u202e...]\n3 - \x07\n1 = -\n5',
  });
  assert.match(stdout, /Not understood/);
  assert.doesNotMatch(stdout.replace(/\n/g, ''), /[\p{Cc}\p{Cf}]/u);
});

test('wrong words are refused with status 2, with what is valid', async () => {
  await refuses(['check'], 2, /expected one FILE, received nothing/);
  await refuses(['check', 'a', 'b'], 2, /expected one FILE, received a b/);
  await refuses(['check', 'a', '--fixx'], 2, /unknown flag "--fixx" \(did you mean "--fix"\?\)/);
  await refuses(['check', 'a', '--fix'], 2, /--fix needs a value/);
  await refuses(['check', 'a', '--fix', '-'], 2, /--fix: expected a path, received "-"/);
  await refuses(['check', 'a', '--fix='], 2, /--fix: expected a path, received ""/);
  await refuses(['check', 'a', '--lang', 'it'], 2, /unknown lang "it". Choose from en, fr, de/);
});

test('files that cannot be read or written are refused with status 1', async () => {
  mkdirSync(at('sub'));
  symlinkSync('loop', at('loop'));
  await refuses(['check', at('none.md')], 1, /cannot read .*none\.md: no such file/);
  await refuses(['check', at('sub')], 1, /cannot read .*: it is a folder/);
  await refuses(['check', at('loop')], 1, /cannot read .*: too many symbolic links/);
  await refuses(['check', '/dev/zero'], 1, /\/dev\/zero: more than 67108864 bytes/);
  await refuses(['check', '-'], 1, /standard input: .* at most 1048576 characters/, {
    input: 'a'.repeat(2 ** 20 + 1),
  });
  for (const out of [at('none/out.md'), at('sub'), at('loop')]) {
    await refuses(['check', '-', '--fix', out], 1, /cannot write /, { input: '' });
  }
  assert.equal((await call(['check', '/dev/null'])).status, 0);
});
