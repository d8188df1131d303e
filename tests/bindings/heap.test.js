import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { Heap } from '../../bindings/js/runtime/heap.js';

const PAGE = 65536;
const memoryOf = (initial, maximum) => new WebAssembly.Memory({ initial, maximum });

test('ranges are aligned, inside the memory, and never overlap', () => {
  const step = fc.record({ bytes: fc.integer({ min: 0, max: 20000 }), free: fc.nat() });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 999 }),
      (steps, base) => {
        const memory = memoryOf(1, 40);
        const heap = new Heap(memory, base);
        const live = [];
        for (const { bytes, free } of steps) {
          if (free % 3 === 0 && live.length) {
            heap.free(live.splice(free % live.length, 1)[0].at);
            continue;
          }
          const at = heap.alloc(bytes);
          assert.equal(at % 16, 0);
          assert.ok(at >= base && at + bytes <= memory.buffer.byteLength);
          for (const other of live) {
            assert.ok(at + bytes <= other.at || other.at + other.bytes <= at);
            assert.notEqual(at, other.at);
          }
          live.push({ at, bytes });
        }
      },
    ),
  );
});

test('what is freed, in any order, becomes one range again', () => {
  const order = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(order, (picks) => {
      const memory = memoryOf(1, 1);
      const heap = new Heap(memory, 1000);
      const whole = PAGE - 1008;
      const live = picks.map((pick) => heap.alloc((pick % 300) + 1));
      for (const pick of picks) heap.free(live.splice(pick % live.length, 1)[0]);
      assert.equal(heap.alloc(whole), 1008);
    }),
  );
});

test('freed room is used again before the memory grows, and so is the end of the last page', () => {
  const memory = memoryOf(1, 10);
  const heap = new Heap(memory, 16);
  const [a, b] = [heap.alloc(20000), heap.alloc(20000)];
  heap.free(a);
  assert.equal(heap.alloc(20000), a);
  assert.equal(memory.buffer.byteLength, PAGE);
  assert.equal(heap.alloc(PAGE + 20000), b + 20000);
  assert.equal(memory.buffer.byteLength, 2 * PAGE);
});

test('a refused growth is a GlassformerError, and the heap stays usable', () => {
  const heap = new Heap(memoryOf(1, 2), 16);
  assert.throws(
    () => heap.alloc(3 * PAGE),
    (error) =>
      error instanceof GlassformerError &&
      error.code === 'GF_EMEMORY' &&
      /196608 bytes wanted/.test(error.message),
  );
  assert.equal(heap.alloc(PAGE), 16);
  assert.throws(() => heap.alloc(PAGE), GlassformerError);
});

test('freeing what is not allocated is refused', () => {
  const heap = new Heap(memoryOf(1, 1), 16);
  const at = heap.alloc(100);
  heap.free(at);
  assert.throws(() => heap.free(at), /heap: nothing is allocated at 16/);
});

test('what views may show is not used again before they are cut off, nor does the memory grow for it', () => {
  const small = memoryOf(1, 2);
  const only = new Heap(small, 16);
  const first = only.alloc(40000);
  const shown = new Uint8Array(small.buffer, first, 9);
  only.free(first, true);
  assert.notEqual(only.alloc(20000), first);
  assert.equal(shown.length, 9);
  assert.equal(only.alloc(30000), first);
  assert.deepEqual([shown.length, small.buffer.byteLength], [0, PAGE]);

  const step = fc.record({ bytes: fc.integer({ min: 4, max: 20000 }), pick: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const memory = memoryOf(1, 40);
      const heap = new Heap(memory, 16);
      const live = [];
      const views = [];
      for (const { bytes, pick } of steps) {
        if (pick % 3 === 0 && live.length) {
          const { at, view } = live.splice(pick % live.length, 1)[0];
          heap.free(at, view !== null);
          continue;
        }
        const at = heap.alloc(bytes);
        const view = pick % 2 ? new Uint8Array(memory.buffer, at, bytes) : null;
        for (const old of views) {
          if (!old.view.length) continue;
          assert.ok(at + bytes <= old.at || old.at + old.bytes <= at, 'a view shows another range');
        }
        if (view) views.push({ at, bytes, view });
        live.push({ at, bytes, view });
      }
      /* Nothing is lost: all of it together is one range again. */
      for (const { at, view } of live) heap.free(at, view !== null);
      const { byteLength } = memory.buffer;
      heap.alloc(byteLength - 16);
      assert.equal(memory.buffer.byteLength, byteLength);
    }),
  );
});
