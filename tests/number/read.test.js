// Numbers as people write them, read in JavaScript and in Python, against what Python's own arithmetic makes of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNumber } from '../../bindings/js/number/read.js';

const FOLDER = new URL('../../bindings/python/glassformer/', import.meta.url).pathname;
/** Written by make.py: [text, value, decimals, significant, grouped?], [text, { at }] or [text, null]. */
const CASES = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));

/** Prints what _number.py reads in each text, as cases.json has it. It needs no package. */
const PROGRAM = `
import json, math, sys
sys.path.insert(0, sys.argv[1])
from _number import Unreadable, read_number

def row(read):
    if read is None or isinstance(read, Unreadable):
        return [read and {"at": read.at, **({"why": read.why} if read.why else {})}]
    value = read.value if math.isfinite(read.value) else f"{'-' * (read.value < 0)}Infinity"
    return [value, *read[1:3], *([] if read.grouped is None else [read.grouped])]

print(json.dumps([row(read_number(text)) for text in json.load(sys.stdin)]))
`;

/** @param {readonly string[]} texts */
function readByPython(texts) {
  const options = {
    input: JSON.stringify(texts),
    maxBuffer: 2 ** 28,
    encoding: /** @type {const} */ ('utf8'),
  };
  const { stdout, stderr } = spawnSync('python3', ['-c', PROGRAM, FOLDER], options);
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

/** @param {string} text */
function readByJavaScript(text) {
  const read = readNumber(text);
  if (read === null || 'at' in read) return [read];
  const { value, decimals, significant, grouped } = read;
  const row = [Number.isFinite(value) ? value : String(value), decimals, significant];
  return grouped === undefined ? row : [...row, grouped];
}

/** Whether two readings are the same, but for the last bits of a function or a power. */
function isSame([a, ...rest], [b, ...others]) {
  const isNear =
    typeof a === 'number' && typeof b === 'number'
      ? Math.abs(a - b) <= 1e-14 * Math.max(1, Math.abs(b))
      : JSON.stringify(a) === JSON.stringify(b);
  return isNear && JSON.stringify(rest) === JSON.stringify(others);
}

test('every case is read alike in JavaScript, in Python, and as it is meant', () => {
  const byPython = readByPython(CASES.map(([text]) => text));
  assert.ok(CASES.length >= 500);
  for (const [i, [text, ...expected]] of CASES.entries()) {
    for (const [language, read] of Object.entries({
      JavaScript: readByJavaScript(text),
      Python: byPython[i],
    })) {
      assert.ok(
        isSame(read, expected),
        `${language}: ${JSON.stringify(text)}: ${JSON.stringify(read)}, not ${JSON.stringify(expected)}`,
      );
    }
  }
});

const PIECE = fc.constantFrom(
  ...'01234567890123456789',
  ...".,+-−–*·×/÷:^()√∞eE%=≈½π \u202f'x\0",
  ...[
    'sqrt',
    'inf',
    'exp',
    'e^',
    'ln',
    'sin',
    'tanh(',
    'log',
    'log10(',
    '**',
    'pi',
    '²',
    '⁻',
    '⁻³',
  ],
  ...['\\frac', '\\sqrt{', '\\cdot', '{', '}', '{,}', '$', '\\'],
  ...['1,480', '1.480', '1 000', '…', '...', '·10^', '·10⁻³', '－', '％'],
);

test('JavaScript and Python read any text alike', () => {
  const texts = fc.sample(
    fc.array(PIECE, { maxLength: 10 }).map((pieces) => pieces.join('')),
    { numRuns: 20_000, seed: 1 },
  );
  const byPython = readByPython(texts);
  for (const [i, text] of texts.entries()) {
    const read = readByJavaScript(text);
    assert.ok(
      isSame(read, byPython[i]),
      `${JSON.stringify(text)}: ${JSON.stringify([read, byPython[i]])}`,
    );
  }
});

test('no text takes long: deep and long ones are unreadable', () => {
  for (const sign of ['(', '-', '√', '1^', '2(', 'ln(']) {
    for (const count of [1e6, 66]) assert.ok('at' in Object(readNumber(sign.repeat(count))), sign);
  }
  assert.deepEqual(readNumber('1'.repeat(201)), { at: 200 });
});
