// Whether generated/layout.js says what the C compiler says of src/glassformer.h in wasm.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as layout from '../bindings/generated/layout.js';

const CONSTANTS = Object.entries(layout);
/** PROBLEM_WHERE: where a field of gf_problem lies. */
const FIELD = /^(PROBLEM|DESCRIPTION|OP|OPERAND|ATTRIBUTE)_(\w+)$/;

/** @param {string[]} equal pairs of expressions of C */
function compile(equal) {
  const lines = equal.map((pair) => `_Static_assert(${pair}, "layout: ${pair}");`);
  return spawnSync(
    'clang-19',
    ['--target=wasm32-wasi', '--sysroot=/usr', '-Isrc', '-fsyntax-only', '-xc', '-'],
    {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      input: ['#include "glassformer.h"', '#include <stddef.h>', ...lines, ''].join('\n'),
    },
  );
}

test('structs and limits are those of the header', () => {
  const equal = CONSTANTS.map(([name, value]) => {
    const [, struct, field] = FIELD.exec(name)?.map((word) => word.toLowerCase()) ?? [];
    if (!struct) return `GF_${name} == ${value}`;
    return field === 'bytes'
      ? `sizeof(gf_${struct}) == ${value}`
      : `offsetof(gf_${struct}, ${field}) == ${value}`;
  });
  assert.ok(equal.length > 40, `${equal.length} facts`);
  const { status, stderr } = compile(equal);
  assert.equal(status, 0, stderr);
});

test('the compiler refuses a wrong offset', () => {
  const { status, stderr } = compile(['offsetof(gf_problem, about) == 12']);
  assert.notEqual(status, 0);
  assert.match(stderr, /layout: offsetof\(gf_problem, about\) == 12/);
});
