// glassformer trace: what it prints, from where, and how wide.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { examples, load, sentence, traceExample } from '../../../bindings/index.js';
import { call, refuses, succeeds } from './call.js';

/** The lines of one step's part. */
const part = (text, name) =>
  text
    .split('\n\n')
    .find((block) => block.startsWith(`${name} [`))
    .trimEnd()
    .split('\n');

test('trace prints each step with its formula and an aligned table', async () => {
  const text = await succeeds('trace', 'i-love-robotics');
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

test('what the text got wrong is marked, with the cause in words', async () => {
  const text = await succeeds('trace', 'three-tokens');
  const scores = part(text, 'scores');
  assert.match(scores[2], /0\.625 +0\.700\* +0\.375/);
  assert.equal(scores.at(-1), '  * [2,2]: the text prints 0.405; it is 0.45');
  assert.equal(
    part(text, 'scores.scaled').at(-1),
    '  * [2,2]: the text prints 0.286; it is 0.3182 (from an earlier wrong number)',
  );
  assert.deepEqual(part(await succeeds('trace', 'i-love-robotics'), 'output').slice(-3), [
    '  * [1,0]: the text prints 1.332; it is 1.333 (from a number that was rounded)',
    '    [1,1]: the text prints 0.666, truncated; it is 0.6667',
    '    [1,2]: the text prints 0.666, truncated; it is 0.6667',
  ]);
  const beside = (await succeeds('trace', 'hi-how'))
    .trimEnd()
    .replace(/\n {4}(?=\d)/g, ' ')
    .split('\n')
    .slice(-5);
  assert.equal(beside[0], '    sqrt(2) = 1.414');
  assert.equal(
    beside[4],
    '    exp(scores.scaled[1,1]): the text prints 2.86, from its own numbers; it is 2.848',
  );
  const wrongAside = structuredClone(examples['hi-how']);
  wrongAside.asides[4].printed = '2.87';
  const { stdout } = await call(['trace', '-'], { input: JSON.stringify(wrongAside) });
  assert.match(
    stdout,
    /\n {2}\* exp\(scores.scaled\[1,1\]\): the text prints 2.87; it is 2.848\n$/,
  );
  assert.doesNotMatch(await succeeds('trace', 'positions'), /\*|the text prints \d/);
});

test('masked scores are -inf, heads have a table each, wide tables are folded', async () => {
  assert.equal(
    part(await succeeds('trace', 'masked'), 'scores.masked')[2],
    '  0 The      1   -inf   -inf',
  );
  const heads = part(await succeeds('trace', 'two-heads'), 'weights');
  assert.equal(heads.filter((line) => /^ {2}head \d$/.test(line)).length, 2);
  const wide = (await succeeds('trace', 'ten-tokens')).split('\n').slice(3);
  assert.ok(wide.every((line) => line.length <= 80));
  const columns = part(await succeeds('trace', 'ten-tokens'), 'x')
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
    const json = JSON.parse(await succeeds('trace', name, '--json'));
    assert.deepEqual(json, JSON.parse(JSON.stringify(traceExample(gf, name))));
    for (const { shape, data } of Object.values(json.nodes)) {
      assert.equal(
        data.length,
        shape.reduce((a, b) => a * b),
      );
    }
  }
  const { nodes, mismatches } = JSON.parse(await succeeds('trace', 'three-tokens', '--json'));
  assert.equal(nodes.scores.data[8], Math.fround(0.45));
  assert.deepEqual(Object.keys(mismatches[0]), ['node', 'index', 'printed', 'computed', 'cause']);
  const masked = JSON.parse(await succeeds('trace', 'masked', '--json'));
  assert.equal(masked.nodes['scores.masked'].data[1], '-Infinity');
});

test('--cell tells of rotated queries and of distances, too', async () => {
  const told = async (options, cell) => {
    const input = JSON.stringify(sentence('one two', { dModel: 4, ...options }));
    const { stdout, stderr } = await call(['trace', '-', '--cell', cell], { input });
    assert.equal(stderr, '');
    return stdout.split('\n');
  };
  const rotated = await told({ positions: 'rotary' }, 'q.rotated/1,0');
  assert.match(rotated[1], /^ +q\[1,0\] = \S+ × rotation\[1,0,0\] = 0\.5403/);
  assert.match(rotated[2], /^ +- q\[1,1\] = \S+ × rotation\[1,0,1\] = 0\.8414/);
  const biased = await told({ positions: 'alibi', heads: 2 }, 'scores.biased/1,0,1');
  assert.match(biased[1], /^ +scores\.scaled\[1,0,1\] = /);
  assert.match(biased[2], /^ +- 0\.00390625 × 1, the distance$/);
});

test('--cell tells how one cell arose', async () => {
  const lines = async (...args) => (await succeeds('trace', ...args)).trimEnd().split('\n');
  /* In float32 0.4 + 0.3 is 0.70000005: nothing is rounded for show. */
  assert.deepEqual(await lines('three-tokens', '--cell', 'scores/0,1'), [
    'scores[0,1] = 0.70000005   (matmul)',
    '                              product  sum so far',
    '  q[0,0] × k[1,0]    1 × 0.4      0.4         0.4',
    '  q[0,1] × k[1,1]  0.5 × 0.6      0.3  0.70000005',
  ]);
  const [, , ...products] = await lines('three-tokens', '--cell', 'output/0,0');
  for (const line of products) {
    const [a, b, product] = line.match(/ [\d.]+(?= |$)/g).map(Number);
    assert.equal(Math.fround(product), Math.fround(Math.fround(a) * Math.fround(b)), line);
  }
  assert.deepEqual(await lines('masked', '--cell', 'scores.masked/0,1'), [
    'scores.masked[0,1] = -inf   (mask)',
    '  masked (causal): scores.scaled[0,1] = 0 becomes -inf',
  ]);
  assert.match(
    (await lines('hi-how', '--cell', 'weights/0,1')).at(-1),
    /^ {2}0\.5367\d* \/ 1\.5367\d* = /,
  );
  const json = JSON.parse(
    await succeeds('trace', 'three-tokens', '--cell', 'scores/0,1', '--json'),
  );
  assert.equal(json.terms.length, 2);
  const masked = await succeeds('trace', 'masked', '--cell', 'scores.masked/0,1', '--json');
  assert.equal(JSON.parse(masked).value, '-Infinity');
  const cells = ['x/0,0', 'position/1,2', 'embedding/0,0', 'scores.scaled/0,0,1', 'concat/1,1'];
  for (const cell of [...cells, 'q/0,0', 'output/1,7']) {
    const words = ['--sentence', 'one two', '--heads', '2', '--cell', cell];
    assert.match((await lines(...words))[0], new RegExp(`^${cell.replace('/', '\\[')}\\] = `));
  }
});

test('--sentence takes one’s own words', async () => {
  const options = ['--heads', '2', '--d-model', '4', '--seed', '5', '--causal'];
  const text = await succeeds('trace', '--sentence', 'my own words', ...options);
  assert.equal(part(text, 'x')[0], 'x [3,4]  add(embedding, position): y = a + b');
  assert.equal(part(text, 'scores.masked')[0].split(' ')[1], '[2,3,3]');
  const other = await succeeds('trace', '--sentence', 'my own words', '--seed', '6');
  assert.notDeepEqual(part(other, 'embedding')[2], part(text, 'embedding')[2]);
});

test('--remove leaves steps out', async () => {
  const text = await succeeds('trace', 'masked', '--remove', 'scale,mask');
  assert.equal(part(text, 'scores.scaled')[0], 'scores.scaled [3,3]  removed: a copy of scores');
  assert.equal(
    part(text, 'scores.masked')[0],
    'scores.masked [3,3]  removed: a copy of scores.scaled',
  );
});

test('the numbers take the width of the terminal, and prose at most 100 columns', async () => {
  for (const columns of [60, 80, 200]) {
    const { stdout } = await call(['trace', 'ten-tokens'], { stdout: { columns } });
    const longest = Math.max(...stdout.split('\n').map((line) => line.length));
    assert.ok(longest <= columns, `${columns}: a line of ${longest}`);
    assert.ok(longest > columns - 15, `${columns}: no line longer than ${longest}`);
    const [prose] = stdout.split('\nx [');
    assert.ok(prose.split('\n').every((line) => line.length <= 100));
  }
});

const ink = (code, end) => new RegExp(`\\x1b\\[${code}m([^\\x1b]*)\\x1b\\[${end}m`, 'g');
const inked = (text, code, end) => [...text.matchAll(ink(code, end))].map(([, inside]) => inside);

test('a terminal with colours has bold names and red errors; the text is the same', async () => {
  const plain = await succeeds('trace', 'three-tokens');
  for (const stdout of [{}, { isTTY: true }, { isTTY: true, hasColors: () => false }]) {
    assert.equal((await call(['trace', 'three-tokens'], { stdout })).stdout, plain);
  }
  const terminal = { isTTY: true, columns: 80, hasColors: () => true };
  const { stdout } = await call(['trace', 'three-tokens'], { stdout: terminal });
  assert.equal(stripVTControlCharacters(stdout), plain);
  const names = [
    'x',
    'w_q',
    'w_k',
    'w_v',
    'q',
    'k',
    'v',
    'scores',
    'scores.scaled',
    'weights',
    'output',
  ];
  assert.deepEqual(inked(stdout, 1, 22).slice(1), names);
  const red = inked(stdout, 31, 39).map((text) => text.trim());
  assert.equal(red.filter((text) => text === '*').length, 23, 'a remark for each mismatch');
  assert.equal(red.filter((text) => /^\d.*\*$/.test(text)).length, 23, 'a cell for each mismatch');
  assert.ok(inked(stdout, 2, 22).includes('[3,3]'));
});

const own = {
  tokens: ['a', 'b'],
  inputs: {
    q: [
      [1, 2],
      [3, 4],
    ],
    k: [
      [1, 0],
      [0, 1],
    ],
    v: [[1], [2]],
  },
};

test('an example of one’s own comes from a file or from standard input', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassformer-cli-'));
  const file = join(folder, 'own.json');
  writeFileSync(file, JSON.stringify(own));
  const text = await succeeds('trace', file);
  assert.deepEqual(part(text, 'scores').slice(1), [
    '       0 a  1 b',
    '  0 a    1    2',
    '  1 b    3    4',
  ]);
  assert.match(text, /^q \[2,2\]/, 'nothing about it, and no empty lines');
  /* In two parts, cut within a letter of two bytes. */
  const all = new TextEncoder().encode(JSON.stringify({ title: 'Größe', ...own }));
  const cut = all.indexOf(0xc3) + 1;
  const bytes = await call(['trace', '-'], { input: [all.slice(0, cut), all.slice(cut)] });
  assert.equal(bytes.stdout, `Größe\n\n${text}`);
  await refuses(['trace', join(folder, 'no.json')], 1, /cannot read .*no\.json: no such file/);
  rmSync(folder, { recursive: true });
});

for (const [input, pattern] of [
  ['{', /standard input: .*JSON/],
  ['', /standard input: .*JSON/],
  ['{"inputs": 1,}', /standard input: example: expected JSON \(.*JSON.*\), received "{/],
  [
    '['.repeat(1e6) + ']'.repeat(1e6),
    /standard input: example: expected JSON with at most 100 levels of arrays and objects/,
  ],
  ['null', /standard input: trace: example: expected an object/],
  ['{}', /standard input: trace: example.inputs: q is missing: give q, or x and w_q/],
  ['{"inputs":{"q":[[1]],"k":[[1,2]],"v":[[1]]}}', /as many channels in k as in q, 1, received 2/],
]) {
  test(`an example that is not right: ${input.slice(0, 40)}`, () =>
    refuses(['trace', '-'], 1, pattern, { input }));
}

test('a sentence comes from standard input', async () => {
  const { stdout } = await call(['trace', '--sentence', '-'], { input: ['my own', ' words\n'] });
  assert.equal(stdout, await succeeds('trace', '--sentence', 'my own words'));
});

test('--quiet leaves out what the example is about', async () => {
  const text = await succeeds('trace', 'masked');
  assert.equal(await succeeds('trace', 'masked', '--quiet'), text.slice(text.indexOf('x [3,4]')));
});

for (const [args, pattern] of [
  [
    ['trace', 'three-tokns'],
    /unknown example "three-tokns" \(did you mean "three-tokens"\?\)\. Choose from i-love-robotics, /,
  ],
  [['trace'], /missing example\. Choose from i-love-robotics, /],
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
  [
    ['trace', 'masked', '--remove', 'scle'],
    /unknown removal "scle" \(did you mean "scale"\?\)\. Choose from embedding, /,
  ],
  [['trace', 'hi-how', '--remove', 'mask'], /"mask" cannot be removed: there is no mask/],
  [['trace', 'hi-how', '--cell', 'scores'], /expected NODE\/I,J .* received "scores"/],
  [['trace', 'hi-how', '--cell', 'scores/9,9'], /\[9,9\] is not a cell of \[2,2\]/],
  [
    ['trace', 'hi-how', '--cell', 'score/0,0'],
    /unknown step "score" \(did you mean "scores"\?\)\. Choose from .*weights/,
  ],
]) {
  test(`refused: ${args.join(' ').slice(0, 60)}`, () => refuses(args, 2, pattern));
}

test('steps of more numbers than a call has room for arguments are printed, too', async () => {
  const column = Array.from({ length: 400 }, (_, i) => [(i % 7) / 4]);
  const input = JSON.stringify({ inputs: { q: column, k: column, v: column } });
  const { status, stdout, stderr } = await call(['trace', '-'], { input });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^weights \[400,400\] /m);
  assert.match(stdout, /^output \[400,1\] /m);
});

test('what --json prints of an example is an example: a trace of it is the same', async () => {
  for (const name of ['three-tokens', 'masked', 'two-heads', 'schedule']) {
    const json = await succeeds('trace', name, '--json');
    const again = await call(['trace', '-', '--json'], { input: json });
    assert.equal(again.stderr, '');
    assert.equal(again.stdout, json, name);
  }
});
