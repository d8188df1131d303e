// Files that are whole or as before: full disks, limits, signals, links, permissions; and output that is lost.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeFiles } from '../../../bindings/cli/index.js';
import { call, cli, refuses, succeeds } from './call.js';

const folder = fs.mkdtempSync(join(tmpdir(), 'glassformer-files-'));
after(() => fs.rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const read = (name) => fs.readFileSync(at(name), 'utf8');
const rests = (place = folder) => fs.readdirSync(place).filter((name) => /\.tmp$/.test(name));

const wrong = at('wrong.md');
fs.writeFileSync(wrong, '2 + 2 = 5\n');

test('a file that exists is replaced by --force alone, unless it is empty or the same', async () => {
  fs.writeFileSync(at('old.md'), 'old');
  await refuses(['check', wrong, '--fix', at('old.md')], 1, /old\.md: it exists\. Pass --force/);
  assert.equal(read('old.md'), 'old');
  const commands = [
    ['quiz', 'scores', '--out', at('old.md')],
    ['train', 'copy', '--steps', '1', '--csv', at('old.md')],
    ['train', 'copy', '--steps', '1', '--out', at('old.md')],
  ];
  for (const args of commands) await refuses(args, 1, /old\.md: it exists/);
  assert.equal(read('old.md'), 'old');
  fs.writeFileSync(at('empty.md'), '');
  for (let i = 0; i < 2; i++) {
    assert.equal((await call(['check', wrong, '--fix', at('empty.md')])).status, 3);
    assert.equal(read('empty.md'), '2 + 2 = 4\n');
  }
});

test('links stay links, permissions are kept, devices are written as they are', async () => {
  fs.writeFileSync(at('private.md'), 'old', { mode: 0o640 });
  fs.symlinkSync('private.md', at('link.md'));
  fs.symlinkSync('later.md', at('dangling.md'));
  await call(['check', wrong, '--fix', at('link.md'), '--force']);
  await call(['check', wrong, '--fix', at('dangling.md')]);
  for (const [link, file] of [
    ['link.md', 'private.md'],
    ['dangling.md', 'later.md'],
  ]) {
    assert.equal(fs.readlinkSync(at(link)), file);
    assert.equal(read(file), '2 + 2 = 4\n');
  }
  assert.equal(fs.statSync(at('private.md')).mode & 0o777, 0o640);
  assert.equal((await call(['check', wrong, '--fix', '/dev/null'])).status, 3);
  assert.ok(fs.statSync('/dev/null').isCharacterDevice());
  await refuses(
    ['check', wrong, '--fix', '/dev/full'],
    1,
    /cannot write \/dev\/full: no space left/,
  );
});

test('a limit on the size of files leaves the old file, no rest, and a sentence', async () => {
  const model = at('limited.safetensors');
  await succeeds('train', 'copy', '--steps', '1', '--out', model, '--quiet', '--json');
  const before = fs.readFileSync(model);
  const args = `train copy --steps 1 --from ${model} --out ${model} --quiet`;
  const limited = `ulimit -f 100; exec ${process.execPath} ${cli} ${args}`;
  const { status, stderr } = spawnSync('bash', ['-c', limited], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^glassformer: cannot write .*limited\.safetensors: file too large\n$/);
  assert.deepEqual(fs.readFileSync(model), before);
  assert.deepEqual(rests(), []);
});

/** A small disk; none where nobody may mount one. */
function disk(kilobytes) {
  const place = at(`disk${kilobytes}`);
  fs.mkdirSync(place);
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', place];
  const { status } = spawnSync('mount', options);
  return status === 0 ? place : undefined;
}

test('a full disk leaves files, folders and standard output as told', async () => {
  const place = disk(64);
  /* Only root mounts; the limit above tests the rest. */
  if (!place) return;
  try {
    const out = join(place, 'out.json');
    fs.writeFileSync(out, 'old');
    const many = ['quiz', 'attention', '--count', '40'];
    await refuses([...many, '--out', out, '--force'], 1, /out\.json: no space left on device/);
    assert.equal(fs.readFileSync(out, 'utf8'), 'old');
    await refuses(['figures', join(place, 'a/b')], 1, /element\.js: no space left on device/);
    assert.deepEqual(fs.readdirSync(place), ['out.json']);
    const fd = fs.openSync(join(place, 'printed'), 'w');
    const stdio = ['ignore', fd, 'pipe'];
    const { status, stderr } = spawnSync(process.execPath, [cli, ...many], { stdio });
    fs.closeSync(fd);
    assert.equal(status, 1);
    assert.match(String(stderr), /cannot write the result: no space left on device/);
  } finally {
    execFileSync('umount', [place]);
  }
});

test('of files that belong together all are written, or none', async () => {
  fs.mkdirSync(at('both'));
  const [one, two] = ['both/one', 'both/two'].map(at);
  fs.writeFileSync(one, 'old');
  fs.mkdirSync(two);
  const files = [
    [one, 'new'],
    [two, 'new'],
  ];
  await assert.rejects(writeFiles(files, { force: true }), /two: it is a folder/);
  assert.equal(fs.readFileSync(one, 'utf8'), 'old');
  const made = at('made/deep');
  const wrongFiles = [[join(made, 'x'), 'x'], files[1]];
  await assert.rejects(writeFiles(wrongFiles, { folder: made }), /two: it is a folder/);
  assert.ok(!fs.existsSync(at('made')));
  await writeFiles([[join(made, 'x'), 'x']], { folder: made });
  assert.equal(read('made/deep/x'), 'x');
  assert.deepEqual(rests(at('both')), []);
});

/** A run of map whose program never ends, once its output is begun. */
async function begun(out) {
  fs.writeFileSync(
    at('stuck.mjs'),
    'export default () => new Promise(() => setInterval(() => {}, 1e6));',
  );
  fs.writeFileSync(at('rows.jsonl'), '1\n');
  const args = [cli, 'map', at('stuck.mjs'), at('rows.jsonl'), out, '--force', '--workers', '1'];
  const watcher = fs.watch(folder);
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  while (rests().length === 0) await once(watcher, 'change');
  watcher.close();
  return child;
}

test('a signal leaves the old file; only one that ends a process at once leaves a rest beside it', async () => {
  const out = at('signals.jsonl');
  fs.writeFileSync(out, 'old');
  for (const [signal, ended] of [
    ['SIGTERM', [null, 'SIGTERM']],
    ['SIGHUP', [null, 'SIGHUP']],
    ['SIGINT', [130, null]],
  ]) {
    const child = await begun(out);
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), ended);
    assert.equal(fs.readFileSync(out, 'utf8'), 'old');
    assert.deepEqual(rests(), [], signal);
  }
  const child = await begun(out);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(fs.readFileSync(out, 'utf8'), 'old');
  const [rest, ...more] = rests();
  assert.deepEqual(more, []);
  assert.match(rest, /^\.glassformer-[0-9a-f]{16}\.tmp$/);
  fs.rmSync(at(rest));
});

test('UTF-16 is read by every command; a byte that is not UTF-8 is named with its place', async () => {
  const problem = await succeeds('quiz', 'softmax-row', '--seed', '7');
  const answers =
    '{"cells": {"weights[0,0]": "0.63", "weights[0,1]": "0.23", "weights[0,2]": "0.14"}}';
  const little = (text) => Buffer.from(text, 'utf16le');
  for (const encode of [
    (text) => Buffer.from(`\uFEFF${text}`),
    (text) => little(`\uFEFF${text}`),
    (text) => little(`\uFEFF${text}`).swap16(),
    little,
    (text) => little(text).swap16(),
  ]) {
    fs.writeFileSync(at('p.json'), encode(problem));
    fs.writeFileSync(at('a.json'), encode(answers));
    assert.match(await succeeds('mark', at('p.json'), at('a.json')), /^3 of 3 points/);
    const asked = await call(['ask', 'reverse', '-'], { input: [encode('abc\nstressed\n')] });
    assert.equal(asked.stdout, 'cba\ndesserts\n');
  }
  fs.writeFileSync(
    at('p.json'),
    Buffer.concat([Buffer.from('[\n"'), Buffer.of(0xe9), Buffer.from('"]')]),
  );
  for (const args of [
    ['mark', at('p.json'), at('a.json')],
    ['trace', at('p.json')],
    ['lesson', 'check', at('p.json')],
  ])
    await refuses(args, 1, /p\.json: byte 4, in line 2, is 0xe9, which is not UTF-8/);
  const lines = await call(['ask', 'reverse', '-'], { input: [Buffer.of(0xe9, 10), 'abc\n'] });
  assert.equal(lines.stdout, '\ncba\n');
  assert.match(lines.stderr, /line 1: byte 1 is not UTF-8/);
});

test('UTF-32 is refused by every command, with a byte order mark or without, in either order', async () => {
  for (const isLittle of [true, false]) {
    for (const mark of ['\uFEFF', '']) {
      const text = Array.from(`${mark}2 + 2 = 5\n`, (sign) => {
        const word = Buffer.alloc(4);
        word[isLittle ? 'writeUInt32LE' : 'writeUInt32BE'](sign.codePointAt(0));
        return word;
      });
      fs.writeFileSync(at('t.md'), Buffer.concat(text));
      const expected = /is UTF-32\. Save the file as UTF-8/;
      for (const command of [['check'], ['check', '--fix', at('new.md')], ['trace']])
        await refuses([...command, at('t.md')], 1, expected);
      await refuses(['ask', 'reverse', '-'], 1, expected, { input: [Buffer.concat(text)] });
      await refuses(['map', at('t.md'), '-'], 1, expected, { input: [Buffer.concat(text)] });
    }
  }
});

test('a text that begins with a dash is a text, or the refusal says how to write it', async () => {
  await refuses(['generate', 'none.gguf', '-1 + 1 ='], 1, /none\.gguf: no such file/);
  await refuses(['generate', 'none.gguf', '-hello'], 2, /unknown flag "-hello".* -- "-hello"/);
  await refuses(['--json', 'generate', 'none.gguf', '--', '-hello'], 1, /none\.gguf: no such file/);
  assert.match(await succeeds('trace', '--sentence', '- my words', '--json'), /"- my words"/);
});

test('a bug is told as a bug, with its own status; its stack comes with --debug', async () => {
  const stdout = {
    write() {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  await refuses(['examples'], 70, /this is a bug of Glassformer: Maximum call .*--debug/, {
    stdout,
  });
  const { status, stderr } = await call(['examples', '--debug'], { stdout });
  assert.equal(status, 70);
  assert.match(stderr, /files\.test\.js/);
});

test('what a terminal gets cannot steer it; a pipe gets every character', async () => {
  const hostile = 'a \x1b]0;x\x07 \u202e b \x9b c';
  for (const isTTY of [true, false]) {
    const { stdout } = await call(['trace', '--sentence', hostile, '--quiet'], {
      stdout: { isTTY },
    });
    assert.equal(/[^\P{Cc}\n]|\u202e/u.test(stdout), !isTTY);
  }
  const terminal = { isTTY: true, hasColors: () => true };
  const input = JSON.stringify({
    tokens: ['a\x1b[31mb'],
    inputs: { x: [[1]], w_q: [[1]], w_k: [[1]], w_v: [[1]] },
  });
  const { stdout } = await call(['trace', '-'], { stdout: terminal, input });
  assert.ok(stdout.includes('a␛[31mb') && stdout.includes('\x1b[1m'), 'colours, but ours alone');
  const file = at('a\u202e\x1b]0;b.json');
  await refuses(['trace', file], 1, /a<U\+202E> \]0;b\.json: no such file/);
});

test('the problems of a quiz are different, and a recipe that has too few says how many', async () => {
  const problems = JSON.parse(await succeeds('quiz', 'softmax-row', '--count', '30'));
  assert.equal(new Set(problems.map(({ given }) => JSON.stringify(given))).size, 30);
  await refuses(['quiz', 'softmax-row', '--count', '1000'], 2, /about \d+ different problems/);
});
