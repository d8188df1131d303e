// glassformer map: results in the order of the rows, whatever becomes of the workers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../bindings/cli/index.js';
import { load } from '../../../bindings/index.js';
import { call, cli, refuses } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-map-'));
after(() => rmSync(folder, { recursive: true }));

const place = (name) => join(folder, name);
function write(name, text) {
  writeFileSync(place(name), text);
  return place(name);
}
const jsonl = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const read = (name) => readFileSync(place(name), 'utf8').trimEnd().split('\n').map(JSON.parse);
const numbers = Array.from({ length: 200 }, (_, i) => i);
const rows = write('rows.jsonl', jsonl(numbers));

/** Runs a program over the rows by two workers. @param {string} program */
const mapped = (program) => call(['map', program, rows, '--workers', '2', '--quiet']);

test('attention of each row, by two workers, is that of one call after the other', async () => {
  const index = new URL('../../../bindings/index.js', import.meta.url);
  const program = write(
    'attend.mjs',
    `import { load } from '${index}';
const gf = await load();
export default ({ q }) => gf.attention({ q, k: q, v: q }).output;`,
  );
  const gf = await load();
  const given = numbers.map((n) => ({
    q: [
      [n, 1],
      [2, n / 7],
      [0, -n],
    ],
  }));
  const told = await call([
    'map',
    program,
    write('q.jsonl', jsonl(given)),
    place('out.jsonl'),
    '--workers',
    '2',
    '--json',
  ]);
  assert.equal(told.stderr, '');
  assert.equal(told.status, 0);
  const { rows: count, failed, workers } = JSON.parse(told.stdout);
  assert.deepEqual([count, failed, workers], [numbers.length, 0, 2]);
  const due = given.map(({ q }) => gf.attention({ q, k: q, v: q }).output);
  assert.deepEqual(read('out.jsonl'), due);
});

test('results come in the order of the rows, though later ones are ready first', async () => {
  /* Of each four the first waits until another row has come to the same worker, or none is left. */
  const program = write(
    'late.mjs',
    `export default async (row) => {
  if (row % 4 === 0) for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  return row;
};`,
  );
  const { status, stdout } = await call(['map', program, rows, '--workers', '3', '--quiet']);
  assert.equal(status, 0);
  assert.deepEqual(stdout.trimEnd().split('\n').map(Number), numbers);
});

test('a row that fails is told with its line, and the others are there', async () => {
  const program = write(
    'some.mjs',
    `export default (row) => {
  if (row === 7) throw new RangeError('seven is too much');
  return row === 9 ? undefined : row;
};`,
  );
  const { status, stdout, stderr } = await mapped(program);
  assert.equal(status, 1);
  const lines = stdout.trimEnd().split('\n').map(JSON.parse);
  assert.equal(lines.length, numbers.length);
  const nothing =
    'result is undefined, which JSON cannot hold. Return numbers, strings, arrays and plain objects';
  assert.deepEqual(
    [lines[7], lines[9]],
    [
      { line: 8, error: 'seven is too much' },
      { line: 10, error: nothing },
    ],
  );
  assert.equal(
    stderr,
    `glassformer: line 8: seven is too much\nglassformer: line 10: ${nothing}\n`,
  );
  assert.deepEqual(
    lines.filter((line) => typeof line === 'number'),
    numbers.filter((n) => n !== 7 && n !== 9),
  );
});

test('a worker that dies once loses nothing; a row that kills two is told and passed over', async () => {
  const program = write(
    'fatal.mjs',
    `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
export default (row) => {
  appendFileSync(${JSON.stringify(place('tried'))}, row + '\\n');
  if (row === 50 && !existsSync(${JSON.stringify(place('once'))})) {
    writeFileSync(${JSON.stringify(place('once'))}, '');
    process.exit(3);
  }
  if (row === 60) setTimeout(() => { throw new Error('out of the blue'); });
  return row === 60 ? new Promise(() => {}) : row;
};`,
  );
  const { status, stdout, stderr } = await mapped(program);
  assert.equal(status, 1);
  assert.equal(stderr, 'glassformer: line 61: out of the blue\n');
  const lines = stdout.trimEnd().split('\n').map(JSON.parse);
  const due = numbers.map((n) => (n === 60 ? { line: 61, error: 'out of the blue' } : n));
  assert.deepEqual(lines, due);
  const tried = readFileSync(place('tried'), 'utf8').trimEnd().split('\n').map(Number);
  const twice = numbers.filter((n) => tried.filter((one) => one === n).length === 2);
  assert.deepEqual(twice, [50, 60]);
  assert.equal(tried.length, numbers.length + 2);
});

test('no more rows are read than the workers have room for while nobody takes the results', async () => {
  const program = write('same.mjs', 'export default (row) => row;');
  let given = 0;
  async function* endless() {
    for (;;) yield new TextEncoder().encode(`${given++}\n`);
  }
  let taken = '';
  let close;
  let ended;
  await new Promise((resolve) => {
    const stdout = {
      write(text, done) {
        taken += text;
        close = done;
        resolve();
      },
    };
    const stderr = { write: (_, done) => done() };
    ended = run(['map', program, '--workers', '2', '--quiet'], {
      stdin: endless(),
      stdout,
      stderr,
    });
  });
  for (let i = 0; i < 100; i++) await new Promise(setImmediate);
  assert.match(taken, /^0\n/);
  assert.ok(given <= 40, `${given} rows were read`);
  /* The reader has seen enough. */
  close(Object.assign(new Error('closed'), { code: 'EPIPE' }));
  assert.equal(await ended, 141);
});

test('what a program prints goes beside the results; Ctrl+C ends a run, and leaves no half file', async () => {
  const talk = write(
    'talk.mjs',
    `export default (row) => { console.log('at', row); return row; };`,
  );
  const one = write('one.jsonl', '5\n');
  const { stdout, stderr } = await call(['map', talk, one, '--workers', '1']);
  assert.equal(stdout, '5\n');
  assert.match(stderr, /^at 5$/m);
  const stuck = write(
    'stuck.mjs',
    'export default () => new Promise(() => setInterval(() => {}, 1e6));',
  );
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  const told = await call(['map', stuck, rows, place('half.jsonl')], { signal: stop.signal });
  assert.equal(told.status, 130);
  assert.ok(readdirSync(folder).every((name) => !/half|\.tmp$/.test(name)));
});

test('wrong words are refused with status 2, programs and files that do not load with status 1', async () => {
  const fine = write('fine.mjs', 'export default (row) => row;');
  await refuses(['map'], 2, /missing program/);
  await refuses(['map', fine, rows, place('o'), 'p'], 2, /received "p" too/);
  await refuses(
    ['map', fine, rows, '--workers', '0'],
    2,
    /--workers: expected 1 to 256, received 0/,
  );
  /* Also where there is no row. */
  for (const input of [rows, write('none.jsonl', '')]) {
    await refuses(['map', place('no.mjs'), input], 1, /cannot read .*no\.mjs: no such file/);
  }
  await refuses(
    ['map', write('lost.mjs', "import './nowhere.mjs';"), rows],
    1,
    /the program does not load: Cannot find module/,
  );
  await refuses(
    ['map', write('none.mjs', 'export const a = 1;'), rows],
    1,
    /default export that is a function/,
  );
  await refuses(
    ['map', write('gone.mjs', 'process.exit(4);'), rows],
    1,
    /does not load: the worker ended with status 4/,
  );
  await refuses(['map', fine, place('no.jsonl')], 1, /cannot read .*no\.jsonl: no such file/);
  await refuses(
    ['map', fine, rows, join(folder, 'no', 'out')],
    1,
    /cannot write .*out: no such file/,
  );
});

test('a row that cannot be read fails as a row: too long, no UTF-8, no JSON', async () => {
  const length = write('length.mjs', 'export default (row) => row.length;');
  const input = [
    '"a"\n"',
    ...Array.from({ length: 65 }, () => 'x'.repeat(2 ** 20)),
    '"\n"b',
    Uint8Array.of(0xe9),
    'c"\n{\n"four"\n',
  ];
  const { status, stdout } = await call(['map', length, '--workers', '1'], { input });
  assert.equal(status, 1);
  const [first, long, stray, broken, fifth] = stdout.trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual([first, fifth], [1, 4]);
  const bytes = 65 * 2 ** 20 + 2;
  assert.deepEqual(
    [long, stray],
    [
      { line: 2, error: `expected at most 64 MiB in a row, received ${bytes} bytes` },
      { line: 3, error: 'byte 3 is not UTF-8. Write the lines in UTF-8' },
    ],
  );
  assert.equal(broken.line, 4);
  assert.match(broken.error, /row: .*JSON/);
});

test('a row whose integer would become another fails; in strings and near it nothing does', async () => {
  const same = write('same.mjs', 'export default (row) => row;');
  const rows = [
    '[9007199254740993, 1]',
    '{"id": -1234567890123456789}',
    '"9007199254740993 \\" 9007199254740993"',
    '[9007199254740992, 1234567890123456800, 1e300, 0.12345678901234567890, 12345678901234567e1]',
    `"${'x\\n'.repeat(1e7)}"`,
  ];
  const { stdout } = await call(['map', same, '--workers', '1'], { input: rows.join('\n') });
  const [first, second, ...others] = stdout.trimEnd().split('\n').map(JSON.parse);
  assert.match(first.error, /row: 9007199254740993 .*nearest is 9007199254740992\)/);
  assert.match(second.error, /row: -1234567890123456789 /);
  assert.deepEqual(others, rows.slice(2).map(JSON.parse));
});

test('a result is what the program returned, or the row fails with the path of what JSON would lose', async () => {
  const values = write(
    'values.mjs',
    `class Hidden { #x = 1; }
class Open { x = 1; }
const circle = { list: [] };
circle.list.push(circle);
let deep = 1;
for (let i = 0; i < 1e5; i++) deep = [deep];
const results = [
  { a: Float32Array.of(0.5, -0, Infinity), b: new Uint8Array(2) },
  [NaN, [-Infinity]], { a: undefined, b: new Date(0), open: new Open() },
  { a: [1, { b: 12n }] }, [[1, undefined]], { m: new Map([[1, 2]]) }, new Set([1]), [() => 1],
  { e: [0, new Error('x')] }, new Hidden(), { big: BigInt64Array.of(1n) }, circle, deep, [, 1],
];
export default (row) => results[row];`,
  );
  const input = Array.from({ length: 14 }, (_, i) => `${i}\n`).join('');
  const { status, stdout } = await call(['map', values, '--workers', '1'], { input });
  assert.equal(status, 1);
  const lines = stdout.trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual(lines.slice(0, 3), [
    { a: [0.5, 0, 'Infinity'], b: [0, 0] },
    ['NaN', ['-Infinity']],
    { b: '1970-01-01T00:00:00.000Z', open: { x: 1 } },
  ]);
  const beginnings = [
    'result.a[1].b is a BigInt, which JSON cannot hold. ',
    'result[0][1] is undefined, ',
    'result.m is of the class Map, ',
    'result is of the class Set, ',
    'result[0] is a function, ',
    'result.e[1] is of the class Error, ',
    'result is of the class Hidden, ',
    'result.big[0] is a BigInt, ',
    'result.list[0] is one of those that hold it',
    `result${'[0]'.repeat(100)} is deeper than 100 levels`,
    'result[0] is undefined, ',
  ];
  for (const [i, { line, error }] of lines.slice(3).entries()) {
    assert.equal(line, i + 4);
    assert.equal(error.slice(0, beginnings[i].length), beginnings[i]);
  }
});

test('an error that comes after the result of its row is told with its line, and blames no other row', async () => {
  /* The second row goes on until the worker dies by the first one's error, and the third is the last. */
  const program = write(
    'after.mjs',
    `import { existsSync, writeFileSync } from 'node:fs';
const again = existsSync(${JSON.stringify(place('began'))});
export default (row) => {
  if (row === 1) setTimeout(() => { throw new Error('the timer of one'); });
  if (row === 2 && !again) {
    writeFileSync(${JSON.stringify(place('began'))}, '');
    return new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  }
  if (row === 3) setImmediate(async () => { throw new Error('the promise of three'); });
  return row;
};`,
  );
  const input = '1\n2\n3\n';
  const { status, stdout, stderr } = await call(['map', program, '--workers', '1', '--json'], {
    input,
  });
  assert.match(stdout, /^1\n2\n3\n\{"rows":3,"failed":2,/);
  assert.equal(
    stderr,
    'glassformer: line 1, after its result: the timer of one\n' +
      'glassformer: line 3, after its result: the promise of three\n',
  );
  assert.equal(status, 1);
  const exits = write(
    'exits.mjs',
    'export default (row) => { setImmediate(() => process.exit(row)); return row; };',
  );
  const told = await call(['map', exits, '--workers', '1', '--quiet'], { input: '4\n' });
  assert.equal(told.stdout, '4\n');
  assert.equal(
    told.stderr,
    'glassformer: line 1, after its result: the worker ended with status 4\n',
  );
  assert.equal(told.status, 1);
});

test('a promise that nothing can settle fails its row; an endless program ends with Ctrl+C or with the rows', async () => {
  const program = write(
    'never.mjs',
    'export default (row) => row % 2 ? new Promise(() => {}) : row;',
  );
  const told = await call(['map', program, '--workers', '2', '--quiet'], { input: '0\n1\n2\n3\n' });
  const error = 'the promise of the program never settles';
  assert.deepEqual(told.stdout.trimEnd().split('\n').map(JSON.parse), [
    0,
    { line: 2, error },
    2,
    { line: 4, error },
  ]);
  assert.equal(told.status, 1);
  const busy = write('busy.mjs', 'setInterval(() => {}, 1);\nexport default (row) => row;');
  const done = await call(['map', busy, '--workers', '1'], { input: '5\n' });
  assert.deepEqual([done.status, done.stdout], [0, '5\n']);
  const loop = write('loop.mjs', 'export default () => { console.log("in"); for (;;); };');
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  const { status } = await call(['map', loop, '--workers', '1'], {
    input: '5\n',
    signal: stop.signal,
  });
  assert.equal(status, 130);
});

test('a program with an error of syntax, or that never loads, is refused with the reason', async () => {
  await refuses(
    ['map', write('syntax.mjs', 'export default (row) => {\n  return row +;\n};'), rows],
    1,
    /does not load: Unexpected token ';'\. Run it with node to see where/,
  );
  await refuses(
    ['map', write('waits.mjs', 'await new Promise(() => {});\nexport default () => 1;'), rows],
    1,
    /does not load: it awaits what never comes/,
  );
});

test('the process ends by itself', () => {
  const fine = place('fine.mjs');
  const text = execFileSync(process.execPath, [cli, 'map', fine, '--quiet'], {
    input: '1\n\n2\n',
    encoding: 'utf8',
  });
  assert.equal(text, '1\n2\n');
});
