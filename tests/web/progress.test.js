// What the browser keeps of lessons: whatever stands there, whoever else writes there, and where nothing can be kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keptOf, progress, reached } from '../../web/player/progress.js';
import { follow, inBrowser, settled } from './browser.js';
import { lessons } from './learner.js';

const KEY = 'glassformer.lessons';
const NOTHING = { scene: 1, done: false, solved: [] };

/** A storage in memory. */
class Storage {
  #all = new Map();
  getItem(key) {
    return this.#all.get(key) ?? null;
  }
  setItem(key, value) {
    this.#all.set(key, String(value));
  }
}

/** Scenes that have the names, or none. */
const scenesOf = (...names) => names.map((name, i) => ({ state: `#${i}`, ...(name && { name }) }));
const FIVE = scenesOf('', '', '', '', '');
const kept = (name) => keptOf(name, { scenes: FIVE });

/** A reader of a lesson, of five scenes if not said otherwise. */
function reader(name = 'one-score', scenes = structuredClone(FIVE)) {
  const said = [];
  return {
    lesson: { scenes },
    called: name,
    state: { lesson: name, scene: 1 },
    solved: new WeakSet(),
    said,
    say: ({ text }) => said.push(text),
    /** Is in a scene, having solved some. */
    goes(scene, ...solved) {
      this.state = { lesson: name, scene };
      for (const n of solved) this.solved.add(scenes[n - 1]);
      reached(this);
    },
  };
}

describe('what is kept of lessons', () => {
  let real;
  before(() => {
    real = globalThis.localStorage;
  });
  after(() => {
    globalThis.localStorage = real;
  });
  const renew = () => {
    globalThis.localStorage = new Storage();
    return globalThis.localStorage;
  };

  for (const text of [
    '{',
    'null',
    '5',
    '"x"',
    '[]',
    '{"one-score":null}',
    '{"one-score":"x"}',
    '{"one-score":{"scene":"abc","done":"no","solved":5}}',
    '{"one-score":{"scene":-3,"done":1,"solved":["1",2.5,-1,null]}}',
    '{"one-score":{"scene":1.5,"solved":{"length":3}}}',
    '{"one-score":{"scene":1e9,"solved":[1e300]}}',
    '{"__proto__":{"scene":4,"done":true}}',
  ]) {
    test(`${text} is as nothing, and does not keep a reader from going on`, () => {
      renew().setItem(KEY, text);
      assert.deepEqual(kept('one-score'), NOTHING);
      assert.deepEqual(kept('constructor'), NOTHING);
      const one = reader();
      one.goes(2, 1);
      one.goes(3, 2);
      assert.deepEqual(kept('one-score'), { scene: 3, done: false, solved: [1, 2] });
    });
  }

  test('what another window solved stays, also in the same lesson', () => {
    renew();
    const [one, other] = [reader(), reader()];
    one.goes(2, 1);
    other.goes(5, 3, 4);
    one.goes(3, 2);
    assert.deepEqual(kept('one-score'), { scene: 3, done: false, solved: [1, 2, 3, 4] });
    other.goes(6, 5);
    one.goes(1);
    assert.deepEqual(kept('one-score'), { scene: 1, done: true, solved: [1, 2, 3, 4, 5] });
  });

  test('who skips to the end has not done a lesson; who has solved each question has', () => {
    renew();
    const one = reader();
    for (const n of [2, 4]) one.lesson.scenes[n - 1].gate = { do: 'play' };
    one.goes(6);
    assert.deepEqual(kept('one-score'), { scene: 5, done: false, solved: [] });
    one.goes(3, 2);
    one.goes(6);
    assert.equal(kept('one-score').done, false);
    one.goes(5, 4);
    assert.equal(kept('one-score').done, false, 'its end was not reached again');
    one.goes(6);
    assert.equal(kept('one-score').done, true);
  });

  test('what is solved stays with its scene, in another language and where the lesson has gained some', () => {
    renew();
    reader('mine', scenesOf({ en: 'One' }, { en: 'Two' }, { en: 'Three' })).goes(3, 2, 3);
    const french = { en: 'Two', fr: 'Deux' };
    const grown = scenesOf({ en: 'New' }, { en: 'One' }, french, '', { en: 'Three' });
    assert.deepEqual(keptOf('mine', { scenes: grown }), { scene: 5, done: false, solved: [3, 5] });
    /* A scene that is gone, and one for all languages. */
    const left = scenesOf('Two', 'Four');
    assert.deepEqual(keptOf('mine', { scenes: left }), { scene: 1, done: false, solved: [1] });
  });

  test('scenes of one name, or without one, do not share what is solved', () => {
    renew();
    reader('mine', scenesOf('Same', 'Same', '')).goes(3, 2);
    const { scene, solved } = keptOf('mine', { scenes: scenesOf('Same', 'Same', '') });
    assert.deepEqual({ scene, solved }, { scene: 3, solved: [2] });
  });

  test('what was stored by numbers is read where they are the same, and stored by names from then on', () => {
    const lesson = lessons.find((one) => one.name === 'one-score');
    const before = { scene: 3, done: true, solved: [3, 7] };
    renew().setItem(KEY, JSON.stringify({ 'a-head-is-born': before, 'one-score': before }));
    assert.deepEqual(keptOf('one-score', lesson).solved, [3, 7]);
    reader('one-score', lesson.scenes).goes(5);
    const names = [3, 7].map((n) => lesson.scenes[n - 1].name.en);
    assert.deepEqual(progress()['one-score'].solved, names);
    /* The birth stands at its beginning since then. */
    const born = lessons.find((one) => one.name === 'a-head-is-born');
    assert.deepEqual(keptOf('a-head-is-born', born), { scene: 1, done: true, solved: [] });
  });

  test('no two scenes of a lesson of ours have one name', () => {
    for (const { name, scenes } of lessons)
      assert.equal(new Set(scenes.map((one) => one.name.en)).size, scenes.length, name);
  });

  test('what is not understood stays', () => {
    renew().setItem(KEY, '{"other":{"new":1},"one-score":{"scene":2,"notes":"mine"}}');
    reader().goes(4);
    const { other, 'one-score': own } = progress();
    assert.deepEqual(other, { new: 1 });
    assert.equal(own.notes, 'mine');
    assert.equal(own.scene, 4);
  });

  test('where there is no room for more, what is kept stays, the reader is told once, and it is tried again', () => {
    const storage = renew();
    reader().goes(3);
    reader().goes(2, 1);
    const { setItem } = storage;
    storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const one = reader();
    one.goes(3, 1);
    one.goes(4, 2);
    assert.equal(one.said.length, 1);
    assert.match(one.said[0], /stores nothing/);
    assert.deepEqual(kept('one-score'), { scene: 2, done: false, solved: [1] });
    storage.setItem = setItem;
    one.goes(4);
    assert.deepEqual(kept('one-score'), { scene: 4, done: false, solved: [1, 2] });
  });
});

describe('a page whose browser stores nothing', () => {
  const browsing = inBrowser();

  test('plays lessons, says so once, and is quiet then', async () => {
    const { page, complaints, close } = await browsing.open('#chapter=learn', {
      alone: true,
      ready: 'gf-learn ol',
    });
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await page.reload();
    await page.waitForSelector('gf-learn ol');
    await follow(page, '#lesson=one-score');
    const notice = page.locator('gf-learn .notice');
    await notice.waitFor();
    assert.match(await notice.innerText(), /stores nothing/);
    await follow(page, '#lesson=one-score&scene=2');
    await page.locator('gf-learn .say p').waitFor();
    await settled(page);
    assert.equal(await notice.count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
