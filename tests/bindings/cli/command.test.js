// The command itself: help, refusals, and how it behaves as a process among others.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../bindings/cli/index.js';
import { examples } from '../../../bindings/index.js';
import { sample, waits } from '../../support/sample.js';
import { call, cli, output, refuses, succeeds } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-cli-'));
after(() => rmSync(folder, { recursive: true }));

test('examples lists every name with its title', async () => {
  const lines = (await succeeds('examples')).trimEnd().split('\n');
  const all = Object.values(examples);
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    all.map(({ name, title }) => [name, title]),
  );
  const names = all.map(({ name }) => `${name}\n`).join('');
  assert.equal(await succeeds('examples', '--quiet'), names);
  assert.deepEqual(
    JSON.parse(await succeeds('examples', '--json')),
    all.map(({ name, title, source, about }) => ({ name, title, source, about })),
  );
});

test('--help names the commands, their flags and the exit status, in 80 columns but for examples', async () => {
  const help = await succeeds('--help');
  for (const args of [[], ['-h']]) assert.equal(await succeeds(...args), help);
  assert.match(help, /Exit status: 0 done, 1 .*, 2 .*, 3 [^.]*, 70 a bug [^.]*,\s130 interrupted/);
  const texts = [help];
  const names = [
    ...new Set([...help.matchAll(/^ {2}glassformer (\w+) /gm)].map(([, name]) => name)),
  ];
  assert.ok(names.length > 10);
  for (const name of names.filter((one) => one !== 'help')) {
    const text = await succeeds(name, '--help');
    assert.equal(await succeeds(name, '-h'), text);
    assert.ok(text.startsWith(`glassformer ${name}`));
    const exported = await import(`../../../bindings/cli/${name}.js`);
    const { flags } = exported[name] ?? exported[`${name}Command`];
    const declared = new Set([...Object.keys(flags), 'json', 'quiet']);
    for (const flag of declared) assert.match(text, new RegExp(`--${flag}\\b`), name);
    for (const [, flag] of text.matchAll(/^ +--([\w-]+)/gm)) assert.ok(declared.has(flag), flag);
    texts.push(text.replace(/\nExamples\n.*/s, ''));
  }
  for (const line of texts.join('').split('\n')) assert.ok(line.length <= 80, line);
  assert.equal(await succeeds('help', 'help'), await succeeds('help'));
  await refuses(['generate', 'a', 'b', '--temp', '1'], 2, /did you mean "--temperature"\?/);
  await refuses(['generate', 'a', 'b', '--max-tokens', '1'], 2, /did you mean "--max"\?/);
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url)));
  assert.equal(await succeeds('--version'), `${version}\n`);
});

test('figures writes complete files into a folder that it makes, and refuses one that it cannot write', async () => {
  const course = join(folder, 'course/assets');
  const names = (await succeeds('figures', course)).trimEnd().split('\n');
  assert.deepEqual(names.map((name) => name.slice(course.length + 1)).sort(), [
    'anywidget.js',
    'element.classic.js',
    'element.js',
    'embed.html',
    'french-english.js',
    'lessons.js',
    'motion.js',
    'stories.js',
  ]);
  for (const name of names)
    assert.doesNotMatch(readFileSync(name, 'utf8'), /\/\*figures\*\//, name);
  assert.equal(await succeeds('figures', '--quiet', course), '');
  writeFileSync(join(folder, 'taken'), '');
  await refuses(
    ['figures', join(folder, 'taken/x')],
    1,
    /cannot write .*taken\/x: not a directory/,
  );
  await refuses(['figures', 'a', 'b'], 2, /expected one folder, received a b/);
});

test('the examples of each --help run as they stand', async (t) => {
  if (waits(t)) return;
  writeFileSync(join(folder, 'glassformer'), `#!/bin/sh\nexec node '${cli}' "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  for (const name of sample(['examples', 'trace', 'train', 'ask', 'figures'], 3)) {
    const lines = (await succeeds(name, '--help')).split('\nExamples\n')[1].trimEnd().split('\n');
    assert.ok(lines.length >= 2);
    for (const line of lines) {
      const options = { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
      const text = execFileSync('sh', ['-ec', line], options);
      assert.ok(text.length > 3, line);
      if (line.endsWith('--json')) {
        for (const part of text.trimEnd().split('\n')) JSON.parse(part);
      }
    }
  }
});

for (const [args, pattern] of [
  [['trase'], /unknown command "trase" \(did you mean "trace"\?\)/],
  [['--verson'], /unknown command "--verson" \(did you mean "--version"\?\)/],
  [['examples', 'masked'], /examples takes no name, received "masked"/],
  [['examples', '--jsno'], /unknown flag "--jsno" \(did you mean "--json"\?\)/],
  [['train', 'copy', '--quite'], /unknown flag "--quite" \(did you mean "--quiet"\?\)/],
  [['ask', 'dates', '--modl', 'x'], /unknown flag "--modl" \(did you mean "--model"\?\)/],
  [['constructor'], /unknown command "constructor"/],
]) {
  test(`refused: ${args.join(' ')}`, () => refuses(args, 2, pattern));
}

test('as a function it refuses what are no words and no streams', async () => {
  const streams = { stdin: process.stdin, stdout: output(), stderr: output() };
  for (const [argv, given, told] of [
    ['examples', streams, /^run: argv: expected an array, received "examples"$/],
    [['examples', 5], streams, /^run: argv\[1\]: expected a string, received 5$/],
    [['examples'], undefined, /^run: streams: expected an object, received undefined$/],
    [['examples'], { ...streams, stdin: 'x' }, /^run: stdin: expected an object, received "x"$/],
    [['examples'], { ...streams, stdout: {} }, /^run: stdout: write: .* function, .* undefined$/],
    [['examples'], { ...streams, stderr: null }, /^run: stderr: write: .* function, .* undefined$/],
    [['examples'], { ...streams, signal: 5 }, /^run: signal: expected an AbortSignal, received 5$/],
  ])
    await assert.rejects(run(argv, given), { name: 'TypeError', code: 'GF_ETYPE', message: told });
});

test('a signal that came before ends it before it begins', async () => {
  const signal = AbortSignal.abort();
  const told = await call(['ask', 'reverse', '-'], { input: 'abc\n', signal });
  assert.deepEqual(told, { status: 130, stdout: '', stderr: '' });
});

test('a result that nobody can take is told of', async () => {
  const full = Object.assign(new Error('ENOSPC'), { errno: -constants.errno.ENOSPC });
  const stdout = { write: (_, done) => done(full) };
  await refuses(['examples'], 1, /cannot write the result: no space left on device/, { stdout });
});

test('what a file holds does not reach the terminal as its commands', async () => {
  const input = '\u001b[31m\n\u0007';
  await refuses(['trace', '-'], 1, /^glassformer: standard input: \P{Cc}+\n$/u, { input });
});

test('trace takes what has a dot or a slash for a file', async () => {
  await refuses(['trace', folder], 1, /cannot read .*: it is a folder/);
  await refuses(['trace', 'own.txt'], 1, /cannot read own\.txt: no such file/);
});

/** A process; what it writes is kept. */
function start(args, ...flags) {
  const child = spawn(process.execPath, [...flags, cli, ...args]);
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (chunk) => {
      told[name] += chunk;
    });
  }
  child.stdin.on('error', () => {});
  return { child, told, ended: once(child, 'close') };
}

test('as a process it tells on the right stream and exits with the status', async () => {
  for (const [args, status, stdout, stderr] of [
    [['examples'], 0, /^i-love-robotics/, /^$/],
    [['trase'], 2, /^$/, /^glassformer: unknown command [^\n]*\n$/],
    [['ask', 'reverse', 'abc', '--model', 'no.safetensors'], 1, /^$/, /^glassformer: cannot read/],
  ]) {
    const { told, ended } = start(args);
    assert.deepEqual(await ended, [status, null]);
    assert.match(told.stdout, stdout);
    assert.match(told.stderr, stderr);
  }
});

test('a reader that closes the pipe needs no sentence, but the status says that output was lost', async () => {
  const whole = start(['trace', 'ten-tokens', '--json']);
  whole.child.stdout.destroy();
  assert.deepEqual(await whole.ended, [141, null]);
  assert.equal(whole.told.stderr, '');

  const lines = start(['ask', 'reverse', '-']);
  lines.child.stdin.end('abc\n'.repeat(100_000));
  lines.child.stdout.once('data', () => lines.child.stdout.destroy());
  assert.deepEqual(await lines.ended, [141, null]);
  assert.equal(lines.told.stderr, '');
});

test('output that cannot be written fails with the reason of the system, and status 1', () => {
  for (const [to, reason] of [
    ['>/dev/full', 'no space left on device'],
    ['1</dev/null', 'bad file descriptor'],
  ]) {
    const command = `exec '${process.execPath}' '${cli}' trace masked ${to}`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    assert.equal(stderr, `glassformer: cannot write the result: ${reason}\n`);
    assert.equal(status, 1);
  }
});

test('ask - answers each line as it comes, and Ctrl+C ends the wait', async () => {
  const { child, told, ended } = start(['ask', 'reverse', '-']);
  for (const word of ['abc', 'stressed']) {
    child.stdin.write(`${word}\n`);
    await once(child.stdout, 'data');
  }
  assert.equal(told.stdout, 'cba\ndesserts\n');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  assert.equal(told.stderr, '');
});

/** Makes a process believe that somebody watches its standard error. */
const WATCHED = ['--import', 'data:text/javascript,process.stderr.isTTY = true'];

test('Ctrl+C ends a training with what was learned so far kept', async () => {
  const file = join(folder, 'interrupted.safetensors');
  const args = ['train', 'copy', '--steps', '1000000', '--out', file, '--state'];
  const { child, told, ended } = start(args, ...WATCHED);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  assert.equal(told.stdout, '');
  const [, wrote, step] = /wrote (.*)\ninterrupted after step (\d+)\n$/.exec(told.stderr);
  assert.equal(wrote, file);
  const { stdout } = await call(['train', 'copy', '--steps', '1', '--from', file, '--json']);
  assert.equal(JSON.parse(stdout).step, Number(step) + 1);
});

test('help, its short forms, and flags before the command', async () => {
  const help = await succeeds('--help');
  assert.equal(await succeeds('help'), help);
  assert.equal(await succeeds('--quiet'), help);
  assert.equal(await succeeds('help', 'trace'), await succeeds('trace', '--help'));
  assert.equal(await succeeds('-v'), await succeeds('--version'));
  assert.equal(await succeeds('--json', 'examples'), await succeeds('examples', '--json'));
  await refuses(
    ['help', 'trac'],
    2,
    /unknown command "trac" \(did you mean "trace"\?\)\. Choose from examples, trace,/,
  );
});
