import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { examples, load, traceExample } from '../../bindings/index.js';

const cli = fileURLToPath(new URL('../../bindings/cli.js', import.meta.url));
const run = (...args) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });

function succeeds(...args) {
  const { status, stdout, stderr } = run(...args);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout;
}

test('examples lists every name with its title', () => {
  const lines = succeeds('examples').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    Object.values(examples).map(({ name, title }) => [name, title]),
  );
});

/** The lines of one step's part. */
const part = (text, name) =>
  text
    .split('\n\n')
    .find((block) => block.startsWith(`${name} [`))
    .trimEnd()
    .split('\n');

test('trace prints each step with its formula and an aligned table', () => {
  const text = succeeds('trace', 'i-love-robotics');
  assert.deepEqual(part(text, 'q'), [
    'q [3,3]  linear(x, w_q): y = x w + b',
    '              0  1  2',
    '  0 I         2  0  1',
    '  1 love      1  1  1',
    '  2 robotics  1  1  0',
  ]);
  assert.deepEqual(part(text, 'scores.scaled'), [
    'scores.scaled [3,3]  scale(0.5774, scores): y = factor x',
    '                0 I  1 love  2 robotics',
    '  0 I         2.887   1.732       2.309',
    '  1 love      2.309   2.309       2.309',
    '  2 robotics  1.732   1.732       1.155',
  ]);
  const order = ['x', 'w_q', 'q', 'scores', 'scores.scaled', 'weights', 'output'];
  const places = order.map((name) => text.indexOf(`\n${name} [`));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

test('what the text got wrong is marked, with the cause in words', () => {
  const text = succeeds('trace', 'three-tokens');
  const scores = part(text, 'scores');
  assert.match(scores[2], /0\.625 +0\.700\* +0\.375/);
  assert.equal(scores.at(-1), '  * [2,2]: the text prints 0.405; it is 0.45');
  assert.equal(
    part(text, 'scores.scaled').at(-1),
    '  * [2,2]: the text prints 0.286; it is 0.3182 (this follows from an earlier wrong number)',
  );
  assert.equal(
    part(succeeds('trace', 'i-love-robotics'), 'output').at(-1),
    '  * [1,0]: the text prints 1.332; it is 1.333 (the text carried a rounded number forward)',
  );
  const beside = succeeds('trace', 'hi-how').trimEnd().split('\n').slice(-5);
  assert.equal(beside[0], '    sqrt(2) = 1.414');
  assert.equal(beside[4], '  * exp(scores.scaled[1,1]): the text prints 2.86; it is 2.848');
  assert.doesNotMatch(succeeds('trace', 'the-cat-sat'), /\*|the text prints \d/);
});

test('masked scores are -inf, heads have a table each, wide tables are folded', () => {
  assert.equal(
    part(succeeds('trace', 'masked'), 'scores.masked')[2],
    '  0 The      1   -inf   -inf',
  );
  const heads = part(succeeds('trace', 'two-heads'), 'weights');
  assert.equal(heads.filter((line) => /^ {2}head \d$/.test(line)).length, 2);
  const wide = succeeds('trace', 'ten-tokens').split('\n').slice(3);
  assert.ok(wide.every((line) => line.length <= 104));
  const columns = part(succeeds('trace', 'ten-tokens'), 'x')
    .filter((line) => /^ +\d+( +\d+)*$/.test(line))
    .flatMap((line) => line.trim().split(/ +/).map(Number));
  assert.deepEqual(
    columns,
    Array.from({ length: 64 }, (_, j) => j),
  );
});

test('--json is the trace as data', async () => {
  const gf = await load();
  for (const name of Object.keys(examples)) {
    const json = JSON.parse(succeeds('trace', name, '--json'));
    assert.deepEqual(json, JSON.parse(JSON.stringify(traceExample(gf, name))));
    for (const { shape, data } of Object.values(json.nodes)) {
      assert.equal(
        data.length,
        shape.reduce((a, b) => a * b),
      );
    }
  }
  const { nodes, mismatches } = JSON.parse(succeeds('trace', 'three-tokens', '--json'));
  assert.equal(nodes.scores.data[8], Math.fround(0.45));
  assert.deepEqual(Object.keys(mismatches[0]), ['node', 'index', 'printed', 'computed', 'cause']);
  const masked = JSON.parse(succeeds('trace', 'masked', '--json'));
  assert.equal(masked.nodes['scores.masked'].data[1], '-Infinity');
});

test('--cell tells how one cell arose', () => {
  const lines = (...args) =>
    succeeds('trace', ...args)
      .trimEnd()
      .split('\n');
  /* In float32 0.4 + 0.3 is 0.70000005: nothing is rounded for show. */
  assert.deepEqual(lines('three-tokens', '--cell', 'scores/0,1'), [
    'scores[0,1] = 0.70000005   (matmul)',
    '                              product  sum so far',
    '  q[0,0] × k[1,0]    1 × 0.4      0.4         0.4',
    '  q[0,1] × k[1,1]  0.5 × 0.6      0.3  0.70000005',
  ]);
  assert.deepEqual(lines('masked', '--cell', 'scores.masked/0,1'), [
    'scores.masked[0,1] = -inf   (mask)',
    '  masked (causal): scores.scaled[0,1] = 0 becomes -inf',
  ]);
  assert.match(lines('hi-how', '--cell', 'weights/0,1').at(-1), /^ {2}0\.5367\d* \/ 1\.5367\d* = /);
  const json = JSON.parse(succeeds('trace', 'three-tokens', '--cell', 'scores/0,1', '--json'));
  assert.equal(json.terms.length, 2);
  const cells = ['x/0,0', 'position/1,2', 'embedding/0,0', 'scores.scaled/0,0,1', 'concat/1,1'];
  for (const cell of [...cells, 'q/0,0', 'output/1,7']) {
    const words = ['--sentence', 'one two', '--heads', '2', '--cell', cell];
    assert.match(lines(...words)[0], new RegExp(`^${cell.replace('/', '\\[')}\\] = `));
  }
});

test('--sentence takes one’s own words', () => {
  const options = ['--heads', '2', '--d-model', '4', '--seed', '5', '--causal'];
  const text = succeeds('trace', '--sentence', 'my own words', ...options);
  assert.equal(part(text, 'x')[0], 'x [3,4]  add(embedding, position): y = a + b');
  assert.equal(part(text, 'scores.masked')[0].split(' ')[1], '[2,3,3]');
  const other = succeeds('trace', '--sentence', 'my own words', '--seed', '6');
  assert.notDeepEqual(part(other, 'embedding')[2], part(text, 'embedding')[2]);
});

test('--remove leaves steps out', () => {
  const text = succeeds('trace', 'masked', '--remove', 'scale,mask');
  assert.equal(part(text, 'scores.scaled')[0], 'scores.scaled [3,3]  removed: a copy of scores');
  assert.equal(
    part(text, 'scores.masked')[0],
    'scores.masked [3,3]  removed: a copy of scores.scaled',
  );
});

test('--help of everything, and --version', () => {
  for (const args of [['--help'], []]) assert.match(succeeds(...args), /glassformer trace NAME/);
  assert.match(succeeds('examples', '--help'), /^glassformer examples\n/);
  const help = succeeds('trace', '--help');
  for (const flag of ['sentence', 'heads', 'd-model', 'seed', 'causal', 'remove', 'cell', 'json']) {
    assert.ok(help.includes(`--${flag}`), flag);
  }
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
  assert.equal(succeeds('--version'), `${version}\n`);
});

for (const [args, pattern] of [
  [['trase'], /unknown command "trase" \(did you mean "trace"\?\)/],
  [['--verson'], /unknown command "--verson" \(did you mean "--version"\?\)/],
  [['trace', 'three-tokns'], /there is no example "three-tokns" \(did you mean "three-tokens"\?\)/],
  [['trace'], /which example\?/],
  [['trace', 'masked', 'hi-how'], /expected one example, received masked hi-how/],
  [['trace', 'masked', '--jsno'], /unknown flag "--jsno" \(did you mean "--json"\?\)/],
  [['trace', 'masked', '-j'], /unknown flag "-j"/],
  [['trace', 'masked', '--json=yes'], /--json/],
  [['trace', '--sentence'], /--sentence/],
  [['trace', '--sentence', '--causal'], /--sentence/],
  [['trace', '--sentence', ''], /1 to 24 words and marks, received 0/],
  [['trace', '--sentence', 'a '.repeat(25)], /received 25/],
  [['trace', 'masked', '--sentence', 'a'], /"masked" or --sentence, received both/],
  [['trace', '--sentence', 'a', '--heads', 'two'], /--heads: expected an integer, received "two"/],
  [['trace', '--sentence', 'a', '--heads', '3'], /expected a divisor of 8, received 3/],
  [['trace', '--sentence', 'a', '--seed', '1.5'], /--seed: .* received "1.5"/],
  [['trace', 'masked', '--seed', '3'], /--seed goes with --sentence only/],
  [['trace', 'masked', '--remove', 'scle'], /unknown "scle" \(did you mean "scale"\?\)/],
  [['trace', 'hi-how', '--remove', 'mask'], /"mask" cannot be removed: there is no mask/],
  [['trace', 'hi-how', '--cell', 'scores'], /expected NODE\/I,J .* received "scores"/],
  [['trace', 'hi-how', '--cell', 'scores/9,9'], /\[9,9\] is no cell of \[2,2\]/],
  [['trace', 'hi-how', '--cell', 'score/0,0'], /no step "score" \(did you mean "scores"\?\)/],
  [['examples', 'masked'], /examples takes no name, received "masked"/],
]) {
  test(`refused: ${args.join(' ').slice(0, 60)}`, () => {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^glassformer: [^\n]+\n$/, 'one line');
    assert.match(stderr, pattern);
  });
}

test('a reader that closes the pipe is no error to talk about', async () => {
  const child = spawn(process.execPath, [cli, 'trace', 'ten-tokens', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(told, '');
  assert.equal(status, 0);
});
