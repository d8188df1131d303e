// Names of arrows keep apart from each other and from what is held.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layOutLabels } from '../../web/stage/elements/label-layout.js';

const REACH = 15;
const SIZE = 400;

const name = fc.record({
  x: fc.integer({ min: 14, max: 386 }),
  y: fc.integer({ min: 14, max: 386 }),
  anchor: fc.constantFrom('start', 'middle', 'end'),
  letters: fc.integer({ min: 3, max: 12 }),
  tip: fc.tuple(fc.integer({ min: 26, max: 374 }), fc.integer({ min: 26, max: 374 })),
  arrow: fc.record({ moves: fc.boolean() }),
});

/** Where a name stands: nine units a letter, a line of eighteen. */
function boxOf({ x, y, anchor, letters }) {
  const left = { start: x, middle: x - 4.5 * letters, end: x - 9 * letters }[anchor];
  return { left, right: left + 9 * letters, top: y - 13, bottom: y + 5 };
}

const areApart = (a, b) =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

test('names of arrows lie not over each other, not over what can be held, and not over the edge of the drawing', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
      const moved = layOutLabels(names, REACH, SIZE);
      const boxes = moved.map(boxOf);
      for (const [i, one] of boxes.entries()) {
        for (const other of boxes.slice(0, i)) assert.ok(areApart(one, other));
        for (const { tip, arrow } of names) {
          const [x, y] = tip;
          const held = { left: x - REACH, right: x + REACH, top: y - REACH, bottom: y + REACH };
          assert.ok(!arrow.moves || areApart(one, held));
        }
        assert.deepEqual({ ...moved[i], x: 0, y: 0 }, { ...names[i], x: 0, y: 0 });
        /* To the side only as far as the edge of the drawing. */
        const { left, right } = boxOf(names[i]);
        assert.ok(one.left >= 0 && one.right <= SIZE);
        if (left >= 0 && right <= SIZE) assert.equal(moved[i].x, names[i].x);
      }
    }),
    { numRuns: 500 },
  );
});

test('names that have room stay where they are', () => {
  const far = [20, 120, 220].map((y) => ({
    ...{ x: 50, y, anchor: 'start', letters: 4, tip: [50, y + 40], arrow: { moves: true } },
  }));
  assert.deepEqual(layOutLabels(far, REACH, SIZE), far);
});
