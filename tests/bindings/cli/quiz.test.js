// glassformer quiz and mark: what they write, and what they refuse.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { formats, recipes } from '../../../bindings/learn/exercises/index.js';
import { call, refuses, succeeds } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-quiz-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);

test('quiz lists the recipes', async () => {
  const lines = (await succeeds('quiz')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    recipes().map(({ name }) => name),
  );
  const told = JSON.parse(await succeeds('quiz', '--json', '--lang', 'de'));
  assert.deepEqual(told, recipes({ lang: 'de' }));
});

for (const format of formats) {
  test(`quiz writes ${format}: the same seed, the same bytes`, async () => {
    const files = [];
    for (const name of ['a', 'b']) {
      const out = at(`${format}-${name}`);
      const { files: paths } = JSON.parse(
        await succeeds(
          'quiz',
          'weights',
          '--count',
          '3',
          '--format',
          format,
          '--out',
          out,
          '--json',
        ),
      );
      files.push(paths.map((path) => readFileSync(path, 'utf8')));
    }
    assert.deepEqual(files[0], files[1]);
    const other = at(`${format}-other`);
    await succeeds(
      'quiz',
      'weights',
      '--count',
      '3',
      '--seed',
      '9',
      '--format',
      format,
      '--out',
      other,
      '--quiet',
    );
    const [first] = readdirSync(folder).includes(`${format}-other`) ? [other] : [];
    assert.ok(first);
  });
}

test('a zip without a format is a SCORM package', async () => {
  const [usual, named] = [at('usual.zip'), at('named.zip')];
  const two = ['quiz', 'scores', '--count', '2', '--quiet'];
  await succeeds(...two, '--out', usual);
  await succeeds(...two, '--format', 'scorm12', '--out', named);
  assert.deepEqual(readFileSync(usual), readFileSync(named));
  assert.match(readFileSync(usual, 'latin1'), /imsmanifest\.xml/);
});

test('quiz says how a class comes to different numbers', async () => {
  for (const [format, said] of [
    [
      'qti',
      '3 quizzes, each with a question for each of 3 cells: assign each quiz to other learners',
    ],
    ['moodle', '3 questions with 3 cells each: add a random question to the quiz'],
    ['scorm12', '3 variants with 3 cells each: each learner gets one'],
    ['scorm2004', '3 variants with 3 cells each: each learner gets one'],
    ['html', ''],
  ]) {
    const args = ['--count', '3', '--format', format, '--out', at(`made-${format}`)];
    const { status, stderr } = await call(['quiz', 'softmax-row', ...args]);
    assert.deepEqual([status, stderr.trim()], [0, said]);
  }
});

test('an exam has a secret seed, which is told, and with it is written again', async () => {
  const one = at('secret.zip');
  const args = ['quiz', 'scores', '--exam', '--out'];
  const { status, stderr } = await call([...args, one]);
  assert.equal(status, 0);
  const [, seed] = /Keep this seed secret: (\d+)\./.exec(stderr);
  assert.ok(Number(seed) > 1000, seed);
  const again = at('secret-again.zip');
  await succeeds(...args, again, '--seed', seed);
  assert.deepEqual(readFileSync(again), readFileSync(one));
  const other = at('secret-other.zip');
  await call([...args, other]);
  assert.notDeepEqual(readFileSync(other), readFileSync(one));
});

test('an exam is a SCORM package, and its own', async () => {
  const [exam, usual] = [at('exam.zip'), at('no-exam.zip')];
  await succeeds('quiz', 'scores', '--exam', '--seed', '1', '--attempts', '2', '--out', exam);
  await succeeds('quiz', 'scores', '--out', usual);
  assert.notDeepEqual(readFileSync(exam), readFileSync(usual));
  await refuses(
    ['quiz', 'scores', '--exam'],
    2,
    /--exam: json cannot be one: use scorm12 or scorm2004/,
  );
  await refuses(['quiz', 'scores', '--exam', '--format', 'qti', '--out', exam], 2, /--exam: qti/);
  await refuses(
    ['quiz', 'scores', '--attempts', '2', '--out', exam],
    2,
    /--attempts: .* add --exam/,
  );
  await refuses(
    ['quiz', 'scores', '--exam', '--attempts', '0', '--out', exam],
    2,
    /--attempts: expected 1 to 99, received 0/,
  );
});

test('what quiz writes, mark reads: a learner who is right has all points', async () => {
  const text = await succeeds('quiz', 'causal-attention', '--seed', '3');
  const [problem] = JSON.parse(text);
  writeFileSync(at('problem.json'), text);
  const cells = Object.fromEntries(
    Object.entries(problem.solution).map(([cell, { value }]) => [
      cell,
      value === '-Infinity' ? '−∞' : value.toFixed(2).replace('.', ','),
    ]),
  );
  writeFileSync(at('answers.json'), JSON.stringify({ cells }));
  const max = 12;
  const right = await succeeds('mark', at('problem.json'), at('answers.json'), '--quiet');
  assert.equal(right, `${max} of ${max} points\n`);

  const wrong = { cells: { ...cells, 'scores[0,0]': 'abc', 'output[0,0]': '' } };
  writeFileSync(at('class.json'), JSON.stringify([{ cells }, wrong]));
  const told = JSON.parse(await succeeds('mark', at('problem.json'), at('class.json'), '--json'));
  assert.deepEqual(
    told.map(({ points }) => points),
    [12, 11.69],
  );
  assert.equal(told[1].cells['scores[0,0]'].state, 'unreadable');
  assert.equal(told[1].cells['output[0,0]'].state, 'empty');
  const lines = await succeeds('mark', at('problem.json'), at('class.json'), '--lang', 'fr');
  assert.match(lines, /Ce n’est pas un nombre/);

  const { stdout } = await call(['mark', '-', at('answers.json'), '--quiet'], { input: text });
  assert.equal(stdout, `${max} of ${max} points\n`);
  await refuses(['mark', '-', at('answers.json')], 1, /: standard input: mark: .* a problem/, {
    input: '{}',
  });
  await refuses(['mark', at('problem.json'), '-'], 1, /: standard input: mark: answers: /, {
    input: '{}',
  });
});

test('answers are paired by their seed, and named; without seeds there are as many as problems', async () => {
  await succeeds('quiz', 'weights', '--count', '3', '--out', at('three.json'));
  const problems = JSON.parse(readFileSync(at('three.json'), 'utf8'));
  const answersTo = (problem) =>
    Object.fromEntries(
      Object.entries(problem.solution).map(([cell, { value }]) => [cell, value.toFixed(2)]),
    );
  const write = (list) => writeFileSync(at('some.json'), JSON.stringify(list));
  const run = (...flags) => ['mark', at('three.json'), at('some.json'), ...flags];
  write([
    { name: 'Ada', seed: 3, cells: answersTo(problems[2]) },
    { seed: 1, cells: answersTo(problems[1]) },
  ]);
  const text = await succeeds(...run());
  assert.match(text, /^Ada: 4 of 4 points\n2: 0 of 4 points\n/);
  assert.match(text, /right in variant 2\.\n {4}Scores \[the, the\] /);
  const [first] = JSON.parse(await succeeds(...run('--json')));
  assert.deepEqual([first.name, first.points], ['Ada', 4]);
  write([{ cells: {} }, { cells: {} }]);
  await refuses(
    run(),
    1,
    /2 answers to 3 problems\. The number of its variant in each .*\{"variant": 1, "cells"/,
  );
  write([{ name: 'Ada', variant: 3, cells: answersTo(problems[2]) }]);
  assert.equal(await succeeds(...run('--csv')), 'name,points,max,percent\nAda,4,4,100\n');
  const LONG = 'Maria-Magdalena Schwarzenberg-Hohenstein';
  const twice = [1, 2, 3].map((variant) => ({
    name: variant < 3 ? 'Kim' : LONG,
    variant,
    cells: {},
  }));
  write(twice);
  assert.match(
    await succeeds(...run('--csv')),
    /\nKim \(1\),0,.*\nKim \(2\),0,.*\nMaria-Magdalena Schwarzenberg-Hohenstein,0,/,
  );
  write([{ variant: 4, cells: {} }]);
  await refuses(run(), 1, /no problem is variant 4; there are 1 to 3/);
  const same = {
    ...answersTo(problems[0]),
    'scores[0,0]': '77',
    'scores[0,1]': '76',
    'scores[1,1]': '75',
  };
  write(['Ada', 'Ben', 'Cleo'].map((name, i) => ({ name, variant: 1, cells: i < 2 ? same : {} })));
  const report = await succeeds(...run());
  assert.match(report, /\nThe same numbers, wrong ones too: Ada, Ben\n$/);
  assert.match(
    report,
    /Cleo: 0 of 4 points\n.*\n {2}Not answered yet\.\n {4}scores \(9\), scores\.scaled \(9\)/,
  );
  write([{ seed: 9, cells: {} }]);
  await refuses(run(), 1, /no problem has the seed 9; there are 1, 2, 3/);
  write([1, 2, 3].map(() => ({ cells: {}, sed: 1 })));
  await refuses(run(), 1, /some\.json: 1: mark: answers: unknown option "sed" .*"seed"/);
});

test('an answer without a value is told why', async () => {
  await succeeds('quiz', 'weights', '--seed', '1', '--out', at('why.json'));
  const cells = { 'scores[0,0]': '1e999', 'scores[0,1]': '1/0', 'scores[0,2]': '√(-1)' };
  writeFileSync(at('lacks.json'), JSON.stringify({ cells: { ...cells, 'scores[1,0]': '4x' } }));
  const text = await succeeds('mark', at('why.json'), at('lacks.json'));
  assert.match(text, /too large.*\n.*divides by zero.*\n.*no value.*\n.*from character 2 on/s);
});

test('each sentence is said once, with its cells; the hint names its cell', async () => {
  await succeeds('quiz', 'weights', '--seed', '1', '--out', at('one.json'));
  const [problem] = JSON.parse(readFileSync(at('one.json'), 'utf8'));
  const cells = Object.fromEntries(problem.asked.map((cell) => [cell, '77']));
  const all = Array.from({ length: 30 }, () => ({ cells: { ...cells, 'scores[0,0]': '78' } }));
  writeFileSync(at('all.json'), JSON.stringify(all));
  const lines = (await succeeds('mark', at('one.json'), at('all.json'))).split('\n');
  assert.ok(lines.length < 240, String(lines.length));
  assert.match(lines.join('\n'), /\n {2}Scores \[the, the\]: Look at row/);
});

test('answers are shown on one line, whatever they hold; a byte order mark is none of them', async () => {
  await succeeds('quiz', 'scores', '--out', at('steer.json'));
  const cells = { 'scores[0,0]': '\x1b[31m1\n2', 'scores[0,1]': '('.repeat(1e5) };
  writeFileSync(at('steered.json'), `\uFEFF${JSON.stringify({ cells })}`);
  const told = await succeeds('mark', at('steer.json'), at('steered.json'));
  assert.doesNotMatch(told.replace(/\n/g, ''), /\p{Cc}/u);
  assert.ok(told.length < 2000, `${told.length}`);
});

test('wrong words are refused in one line, with what is valid', async () => {
  await refuses(['quiz', 'scoers'], 2, /unknown recipe "scoers" \(did you mean "scores"\?\)/);
  await refuses(['quiz', 'scores', 'cost'], 2, /expected one recipe, received scores cost/);
  await refuses(['quiz', 'scores', '--format', 'pdf'], 2, /unknown format "pdf".*markdown/);
  await refuses(['quiz', 'scores', '--format', 'canvas'], 2, /"canvas"\. Write --format qti/);
  await refuses(['quiz', 'scores', '--level', 'hard'], 2, /unknown level "hard".*faded/);
  await refuses(['quiz', 'scores', '--lang', 'it'], 2, /unknown lang "it".*de/);
  await refuses(['quiz', 'scores', '--seed', 'x'], 2, /--seed: expected an integer, received "x"/);
  await refuses(['quiz', 'scores', '--seed=-1'], 2, /--seed: expected 0 to \d+, received -1/);
  await refuses(['quiz', 'scores', '--count', '0'], 2, /--count: expected 1 to 1000, received 0/);
  await refuses(['quiz', 'scores', '--digits', '7'], 2, /--digits: expected 0 to 6, received 7/);
  await refuses(['quiz', 'scores', '--format', 'html'], 2, /writes 2 files: give a folder/);
  await refuses(['quiz', 'scores', '--format', 'qti'], 2, /writes a zip: give its file with --out/);
  await refuses(['quiz', 'scores', '--count', '1000', '--format', 'qti'], 2, /give its file/);
  await refuses(['quiz', 'scores', '--out', '-'], 2, /--out: expected a path, received "-"/);
  await refuses(['quiz', 'scores', '--title', 'a\x1bb'], 2, /title: .*without control characters/);
  await refuses(['quiz', '__proto__'], 2, /unknown recipe "__proto__"/);
  await refuses(['mark'], 2, /expected PROBLEM.json ANSWERS.json, received nothing/);
  await refuses(['mark', '-', '-'], 2, /only one of the two files can be -/);
});

test('files that cannot be read or written are refused with status 1', async () => {
  const nowhere = at(join('no', 'folder', 'quiz.json'));
  await refuses(
    ['quiz', 'scores', '--out', nowhere],
    1,
    /cannot write .*no such file or directory/,
  );
  const problem = at('scores.json');
  await succeeds('quiz', 'scores', '--out', problem);
  await refuses(['mark', problem, at('nothing.json')], 1, /cannot read .*nothing\.json/);
  const broken = (name, text) => {
    writeFileSync(at(name), text);
    return at(name);
  };
  await refuses(['mark', problem, broken('a.json', '{')], 1, /a\.json: JSON: /);
  await refuses(['mark', problem, broken('b.json', '{}')], 1, /b\.json: mark: answers: expected/);
  await refuses(
    ['mark', problem, broken('l.json', '{"cells": []}')],
    1,
    /l\.json: mark: answers: expected/,
  );
  await refuses(
    ['mark', problem, broken('e.json', '[]')],
    1,
    /e\.json: expected answers, received none/,
  );
  await refuses(['mark', problem, '/dev/zero'], 1, /more than 67108864 bytes/);
  await refuses(['quiz', 'scores', '--out', folder], 1, /cannot write .*: it is a folder/);
  const stranger = broken('c.json', '{"cells": {"score[0,0]": "1"}}');
  await refuses(['mark', problem, stranger], 1, /c\.json: mark: answers: .*"score\[0,0\]"/);
  const list = broken('d.json', '[{"cells": {}}, {"cells": {}}]');
  const two = at('two.json');
  await succeeds('quiz', 'scores', '--count', '3', '--out', two);
  await refuses(['mark', two, list], 1, /2 answers to 3 problems/);
});

test('quiz takes the numbers of a file or of standard input, and refuses them by name', async () => {
  const file = at('exam.txt');
  writeFileSync(
    file,
    'X = 1 0; 0 1; 1 1\nW_Q = 1 2; 0 1\nW_K = 1 0; 3 1\nW_V = 1 0; 0 1\nscale = 1/3',
  );
  const { stdout, stderr } = await call(['quiz', 'attention', '--given', file]);
  const [{ given, sizes, indistinct }] = JSON.parse(stdout);
  assert.deepEqual(given.w_k, [
    [1, 0],
    [3, 1],
  ]);
  assert.deepEqual(sizes, { scale: 1 / 3 });
  assert.equal(stderr.includes('mistake'), indistinct.length > 0);
  /* What was written may be changed and given again. */
  const again = await call(['quiz', 'attention', '--given', '-'], { input: stdout });
  assert.equal(again.stdout, stdout);
  await refuses(
    ['quiz', 'attention', '--given', file, '--count', '2'],
    2,
    /make one exercise, not 2/,
  );
  writeFileSync(file, 'X = 1 0; 0 1\nW_Q = 1 2 3\nW_K = 1 0; 3 1\nW_V = 1 0; 0 1');
  await refuses(
    ['quiz', 'attention', '--given', file],
    1,
    /exam\.txt: .*w_q: expected the shape 2 × d_k, received 1 × 3: x is 2 × 2/,
  );
});
