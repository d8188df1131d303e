// Names of arrows keep apart from each other and from what is held, and each is read as the name of its own arrow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layOutLabels } from '../../web/stage/elements/label-layout.js';

const SIZE = 400;
const MIDDLE = [SIZE / 2, SIZE / 2];
const place = fc.double({ min: 26, max: 374, noNaN: true });
const name = fc.record({
  tip: fc.tuple(place, place),
  from: fc.constant(MIDDLE),
  width: fc.double({ min: 20, max: 130, noNaN: true }),
  height: fc.double({ min: 14, max: 36, noNaN: true }),
  clear: fc.double({ min: 6, max: 24, noNaN: true }),
});
const held = fc
  .tuple(place, place)
  .map(([x, y]) => ({ left: x - 15, right: x + 15, top: y - 15, bottom: y + 15 }));

const boxOf = ({ x, y }, { width, height }) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});
const areApart = (a, b) =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
/** How far a point lies from a box, by many points of it. */
function far({ left, right, top, bottom }, [x, y]) {
  const between = (low, high, at) => Math.min(high, Math.max(low, at));
  return Math.hypot(x - between(left, right, x), y - between(top, bottom, y));
}

test('no two names overlap, none leaves the drawing or covers what is held, and each is nearest to its tip or led to it', () => {
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 7 }),
      fc.array(held, { maxLength: 4 }),
      (names, taken) => {
        const lines = names.map(({ tip }) => ({ ends: [MIDDLE, tip], broad: 4 }));
        const places = layOutLabels(names, { size: SIZE, taken, lines });
        const boxes = places.map((one, i) => boxOf(one, names[i]));
        for (const [i, box] of boxes.entries()) {
          assert.ok(box.left >= 0 && box.top >= 0 && box.right <= SIZE && box.bottom <= SIZE);
          for (const other of [...boxes.slice(0, i), ...taken]) assert.ok(areApart(box, other));
          const own = far(box, names[i].tip);
          const { led } = places[i];
          if (led)
            assert.ok(
              Math.abs(Math.hypot(led[0] - names[i].tip[0], led[1] - names[i].tip[1]) - own) < 1e-9,
            );
          else for (const { tip } of names) assert.ok(far(box, tip) >= own);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a name that has room stands straight beyond its tip', () => {
  const [right, up] = [
    [300, 200],
    [200, 100],
  ].map((tip) => ({ tip, from: MIDDLE, width: 60, height: 20, clear: 10 }));
  assert.deepEqual(layOutLabels([right, up], { size: SIZE }), [
    { x: 340, y: 200, led: null },
    { x: 200, y: 80, led: null },
  ]);
});

test('a name keeps off the arrow that runs on beyond its own', () => {
  const tip = [260, 140];
  const beyond = { ends: [MIDDLE, [320, 80]], broad: 20 };
  const name = { tip, from: MIDDLE, width: 60, height: 20, clear: 10 };
  const [{ x, y }] = layOutLabels([name], { size: SIZE, lines: [beyond] });
  const box = boxOf({ x, y }, name);
  for (let part = 0; part <= 1; part += 0.01)
    assert.ok(far(box, [200 + 120 * part, 200 - 120 * part]) >= 10);
});

test('where there is no room at all there is no name', () => {
  const taken = [{ left: 0, right: SIZE, top: 0, bottom: SIZE }];
  const name = { tip: [300, 300], from: MIDDLE, width: 60, height: 20, clear: 10 };
  assert.deepEqual(layOutLabels([name], { size: SIZE, taken }), [null]);
});

test('a name gives up its best place where the one after it would have no good one', () => {
  const label = { from: [100, 100], width: 70, height: 20, clear: 10 };
  const [first, second] = [
    { ...label, tip: [130, 150] },
    { ...label, tip: [170, 180] },
  ];
  const [alone] = layOutLabels([first], { size: 200 });
  const [led] = layOutLabels([second], { size: 200, taken: [boxOf(alone, first)] });
  assert.ok(!alone.led && led.led);
  const together = layOutLabels([first, second], { size: 200 });
  assert.ok(together.every((place) => !place.led));
});
