// Published cases: the project's own always, the shared ones where they are; and that the runner sees
// what is wrong.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { REASONS } from './support/skips.js';

const root = path.resolve(import.meta.dirname, '..');
const runner = path.join(root, 'tests/conformance/run.js');
const cases = path.join(root, 'tests/conformance/cases');
const shared = path.resolve(root, '../shared/conformance');

/** @param {string[]} folders */
function run(...folders) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [runner, ...folders], {
    encoding: 'utf8',
  });
  return { lines: stdout.trimEnd().split('\n'), stderr, status };
}

/** @param {string} folder */
const passes = (folder) => {
  const { lines, stderr, status } = run(folder);
  assert.equal(stderr, '');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('FAILED')),
    [],
  );
  assert.match(lines.at(-1), /^[1-9]\d* passed, 0 failed$/);
  assert.equal(status, 0);
  return Number.parseInt(lines.at(-1), 10);
};

test('the project’s own cases', () => {
  assert.ok(passes(cases) > 500);
});

test('the project’s own cases are those that their maker writes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  cpSync(path.join(root, 'tests/conformance/make'), path.join(folder, 'make'), { recursive: true });
  const maker = path.join(folder, 'make/make.js');
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  assert.equal(spawnSync(process.execPath, [maker], { encoding: 'utf8' }).stderr, '');
  const made = readdirSync(path.join(folder, 'cases'));
  const written = readdirSync(cases).filter((name) => name !== 'by-hand.json');
  assert.deepEqual(made, written);
  for (const name of made) {
    const [a, b] = [path.join(folder, 'cases'), cases].map((dir) =>
      readFileSync(path.join(dir, name), 'utf8'),
    );
    assert.equal(a, b, name);
  }
  rmSync(folder, { recursive: true });
});

for (const name of ['onnx', 'gold']) {
  const folder = path.join(shared, name);
  test(`the shared cases of ${name}`, { skip: !existsSync(folder) && REASONS.cases }, () => {
    assert.ok(passes(folder) > 50);
  });
}

/** What the runner says about one file. @param {string} text */
function judge(text) {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  mkdirSync(path.join(folder, 'inner'));
  writeFileSync(path.join(folder, 'inner/x.json'), text);
  const result = run(folder);
  rmSync(folder, { recursive: true });
  return result;
}

const tensor = (...data) => ({ dtype: 'float32', shape: [data.length], data });
const onnx = (op, inputs, outputs, attrs = {}) =>
  JSON.stringify({ op, cases: [{ name: 'one', op, attrs, inputs, outputs }] });
const gold = (given) => JSON.stringify({ cases: [{ name: 'one', ...given }] });

test('a right case passes, a wrong one of the same form does not', () => {
  const right = judge(onnx('Relu', [tensor(-1, 2)], [tensor(0, 2)]));
  assert.equal(right.lines.at(-1), '1 passed, 0 failed');
  assert.equal(right.status, 0);
});

for (const [what, text, pattern] of [
  [
    'a wrong number',
    onnx('Relu', [tensor(-1, 2)], [tensor(0, 2.1)]),
    /one: output 0\[1\] is 2 instead of 2.1/,
  ],
  [
    'a wrong infinity',
    onnx('Relu', [tensor(1)], [tensor('-Infinity')]),
    /is 1 instead of -Infinity/,
  ],
  ['a wrong NaN', onnx('Relu', [tensor(1)], [tensor('NaN')]), /is 1 instead of NaN/],
  [
    'a wrong shape',
    onnx('Relu', [tensor(1, 2)], [tensor(1)]),
    /the shape is \[2\] instead of \[1\]/,
  ],
  [
    'too few numbers',
    onnx('Relu', [tensor(1)], [{ ...tensor(), shape: [1] }]),
    /0 numbers do not fill/,
  ],
  [
    'an output that is not there',
    onnx('Relu', [tensor(1)], [null, tensor(1)]),
    /output 1 is not computed/,
  ],
  ['nothing expected', onnx('Relu', [tensor(1)], []), /expects nothing/],
  ['an unknown operator', onnx('Conv', [tensor(1)], [tensor(1)]), /unknown op Conv/],
  [
    'an operator of Object',
    onnx('constructor', [tensor(1)], [tensor(1)]),
    /unknown op constructor/,
  ],
  ['an unknown op', gold({ op: 'conv', x: tensor(1) }), /unknown op conv/],
  [
    'an unknown formula',
    gold({ op: 'grad:sum(conv(A))', A: tensor(1), expected_dA: tensor(1) }),
    /unknown function conv/,
  ],
  [
    'a formula that breaks off',
    gold({ op: 'grad:sum(relu(A)', A: tensor(1), expected_dA: tensor(1) }),
    /"\)" is missing/,
  ],
  [
    'a wrong gradient',
    gold({ op: 'grad:sum(relu(A))', A: tensor(1), expected_dA: tensor(2) }),
    /dA\[0\] is 1 instead of 2/,
  ],
  [
    'an unknown rule',
    gold({ op: 'rope', layout: 'half', head_dim: 2, positions: [0], x_rule: 'x = 1' }),
    /unknown rule "x = 1"/,
  ],
  ['a case without an op', gold({}), /names no op/],
  ['a case that is no object', '{"cases":[3]}', /names no op/],
  ['a file that is no JSON', '{', /malformed|JSON/],
  ['a file without cases', '{}', /there is no list of cases/],
  [
    'a refused call',
    onnx('Relu', [null], [tensor(1)]),
    /relu: x: expected nested arrays .* received null/,
  ],
]) {
  test(`the runner fails at ${what}`, () => {
    const { lines, stderr, status } = judge(text);
    assert.equal(stderr, '');
    assert.equal(lines.at(-1), '0 passed, 1 failed');
    assert.match(lines.at(-2), /^FAILED .*x\.json: /);
    assert.match(lines.at(-2), pattern);
    assert.equal(status, 1);
  });
}

test('a folder that is missing, or empty, fails', () => {
  assert.match(run('/nowhere/at/all').lines.at(-2), /FAILED .*no such file/);
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const { lines, status } = run(folder);
  assert.match(lines.at(-2), /there is no JSON file/);
  assert.equal(status, 1);
  rmSync(folder, { recursive: true });
  assert.equal(run().status, 2);
});
