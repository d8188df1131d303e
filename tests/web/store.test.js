import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PARTS } from '../../bindings/learn/lessons/scene.js';
import {
  BadHash,
  chapterOf,
  fromHash,
  History,
  openingOf,
  toHash,
} from '../../web/app/state/store.js';
import { withEdit } from '../../web/app/state/walk.js';
import * as attention from '../../web/chapters/attention/state.js';
import { chapters, edit } from './states.js';

const chapter = { name: 'attention', ...attention };
const OPENING = openingOf(chapter);

describe('the address', () => {
  test('has the parts that the check of lessons knows', () => {
    const common = ['v', 'chapter', 'theme', 'lang', 'speed', 'mode', 'round'];
    const own = Object.values(chapters).flatMap(({ parts }) => Object.keys(parts));
    assert.deepEqual([...PARTS], [...new Set([...common, ...own])].sort());
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
  const change = fc.record(
    { edits: fc.array(edit), remove: fc.constant([]) },
    { noNullPrototype: true },
  );

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
