import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as attention from '../../web/chapters/attention/state.js';
import {
  BadHash,
  chapterOf,
  fromHash,
  History,
  openingOf,
  SPEEDS,
  toHash,
} from '../../web/store.js';
import { LEVELS } from '../../web/timeline.js';
import { NUDGES, withEdit } from '../../web/walk.js';

const chapter = { name: 'attention', ...attention };
const OPENING = openingOf(chapter);

const record = (parts) => fc.record(parts, { noNullPrototype: true });
const node = fc.constantFrom('x', 'w_q', 'scores', 'scores.scaled', 'pe.4', 'embedding.weight');
const index = fc.array(fc.nat(63), { minLength: 1, maxLength: 3 });
const cell = record({ node, index });
const value = fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.constant(-Infinity));
const sentence = record({
  text: fc.string({ minLength: 1, unit: 'grapheme' }),
  dModel: fc.integer({ min: 1, max: 64 }),
  dK: fc.integer({ min: 1, max: 64 }),
  heads: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat(4294967295),
  positions: fc.boolean(),
  causal: fc.boolean(),
});
const state = record({
  example: fc.constantFrom('i-love-robotics', 'three-tokens', 'two-heads'),
  sentence: fc.option(sentence),
  remove: fc.uniqueArray(fc.constantFrom('scale', 'mask', 'softmax', 'w_o')),
  edits: fc.array(record({ node, index, value })),
  t: fc.nat(1e5).map((t) => t / 100),
  path: fc.array(cell),
  open: fc.option(cell),
  level: fc.constantFrom(...LEVELS),
  speed: fc.constantFrom(...SPEEDS),
  theme: fc.constantFrom('auto', 'light', 'dark'),
  lang: fc.constantFrom('auto', 'en'),
  gradient: fc.boolean(),
  target: fc.option(cell),
  nudge: fc.constantFrom(...NUDGES),
  claim: fc.option(fc.constantFrom('scale', 'residual')),
});

describe('the address', () => {
  test('holds the whole state', () => {
    fc.assert(
      fc.property(state, (given) => {
        const back = fromHash(toHash(chapter, given), chapter);
        const expected = given.sentence ? { ...given, example: OPENING.example } : given;
        assert.deepEqual(back, expected);
      }),
    );
  });

  test('is just the example’s name while nothing else is chosen', () => {
    assert.equal(toHash(chapter, OPENING), '#example=i-love-robotics');
    assert.deepEqual(fromHash('', chapter), OPENING);
    assert.equal(fromHash('#example=three-tokens', chapter).example, 'three-tokens');
  });

  test('that cannot be read is refused, naming the part', () => {
    const bad = [
      '#v=2&example=three-tokens',
      '#nonsense',
      '#example=<script>',
      '#t=-1',
      '#t=1e99',
      '#edits=x:0,0=abc',
      '#path=__proto__',
      '#__proto__=1',
      '#constructor=1',
      '#sentence=8~8~1~1~p~',
      '#sentence=9999~8~1~1~p~hi',
      '#theme=%E0%A4%A',
    ];
    for (const hash of bad) {
      assert.throws(
        () => fromHash(hash, chapter),
        (error) => error instanceof BadHash && hash.includes(error.message),
        hash,
      );
    }
  });

  test('names the chapter, unless it is the first', () => {
    const other = { ...chapter, name: 'other' };
    assert.equal(toHash(other, OPENING), '#chapter=other&example=i-love-robotics');
    assert.equal(chapterOf('#v=1&chapter=other&t=2', ['attention', 'other']), 'other');
    assert.equal(chapterOf('#t=2', ['attention', 'other']), 'attention');
    assert.equal(fromHash('#v=1&chapter=other&t=2', other).t, 2);
    assert.throws(
      () => chapterOf('#chapter=<b>', ['attention', 'other']),
      (error) => error instanceof BadHash && error.message === 'chapter=<b>',
    );
  });

  test('may be anything: it is read or refused, never worse', () => {
    fc.assert(
      fc.property(fc.string(), (hash) => {
        try {
          assert.deepEqual(Object.keys(fromHash(hash, chapter)), Object.keys(OPENING));
        } catch (error) {
          assert.ok(error instanceof BadHash);
        }
      }),
    );
  });
});

describe('undo and redo', () => {
  const change = record({
    edits: fc.array(record({ node, index, value })),
    remove: fc.constant([]),
  });

  test('lead back through all changes and forth again', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 9 }), (states) => {
        const history = new History();
        for (const [k, before] of states.slice(0, -1).entries()) {
          history.record(states[k + 1], { ...before, t: k });
        }
        let now = states[states.length - 1];
        for (const expected of states.slice(0, -1).reverse()) {
          now = history.undo(now);
          assert.deepEqual(now, expected);
        }
        assert.equal(history.undo(now), undefined);
        for (const expected of states.slice(1)) {
          now = history.redo(now);
          assert.deepEqual(now, expected);
        }
        assert.equal(history.redo(now), undefined);
      }),
    );
  });

  test('a new change forgets what was undone', () => {
    const history = new History();
    history.record({ remove: ['scale'] }, { edits: [], remove: [] });
    const undone = history.undo({ edits: [], remove: ['scale'] });
    assert.deepEqual(undone, { remove: [] });
    history.record({ remove: ['mask'] }, { edits: [], ...undone });
    assert.equal(history.redo({ edits: [], remove: ['mask'] }), undefined);
  });

  test('a second edit of a cell replaces the first', () => {
    const first = { node: 'x', index: [0, 1], value: 1 };
    assert.deepEqual(withEdit([first], { ...first, value: 2 }), [{ ...first, value: 2 }]);
  });
});
