// Whether the guarded core traps where something steps beyond its memory: a block of the heap, and a value of a tape.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const file = new URL('../../build/wasm/guard.wasm', import.meta.url);
const { exports: core } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
const base = Math.ceil(core.__heap_base.value / 16) * 16;
const trap = { name: 'RuntimeError' };

test('a step beyond a block', () => {
  core.__asan_poison_memory_region(base + 16, 32);
  core.gf_multiply(base, 4, 1);
  assert.throws(() => core.gf_multiply(base, 5, 1), trap);
});

test('a step from one value of a tape into the next', () => {
  const tape = base + 64;
  const shape = tape + core.gf_tape_bytes(4);
  const name = shape + 16;
  const plan = Math.ceil((name + 16) / 16) * 16;
  core.memory.grow(1);
  new Int32Array(core.memory.buffer, shape, 1).set([5]);
  core.gf_tape_create(tape, core.gf_tape_bytes(4));
  for (const letter of ['a', 'b']) {
    new Uint8Array(core.memory.buffer, name, 2).set([letter.charCodeAt(0), 0]);
    core.gf_input(tape, 1, shape, name);
  }
  core.gf_plan(tape, plan);
  const value = core.gf_node_value(tape, 0);
  core.gf_multiply(value, 5, 1);
  assert.throws(() => core.gf_multiply(value, 6, 1), trap);
});
