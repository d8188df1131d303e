// Whether generated/layout.js says what the C compiler says of src/glassformer.h in wasm.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as layout from '../bindings/generated/layout.js';

const STRUCTS = Object.entries(layout).filter(([, value]) => typeof value === 'object');
const LIMITS = Object.entries(layout).filter(([, value]) => typeof value === 'number');

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
  const equal = STRUCTS.flatMap(([name, { bytes, ...offsets }]) => {
    const type = `gf_${name.toLowerCase()}`;
    return [
      `sizeof(${type}) == ${bytes}`,
      ...Object.entries(offsets).map(([field, at]) => `offsetof(${type}, ${field}) == ${at}`),
    ];
  }).concat(LIMITS.map(([name, value]) => `GF_${name} == ${value}`));
  assert.ok(equal.length > 40, `${equal.length} facts`);
  const { status, stderr } = compile(equal);
  assert.equal(status, 0, stderr);
});

test('the compiler refuses a wrong offset', () => {
  const { status, stderr } = compile(['offsetof(gf_problem, about) == 12']);
  assert.notEqual(status, 0);
  assert.match(stderr, /layout: offsetof\(gf_problem, about\) == 12/);
});
