// What the browser keeps of lessons: whatever stands there, whoever else writes there, and where nothing can be kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keptOf, progress, reached } from '../../web/player/progress.js';
import { follow, inBrowser, settled } from './browser.js';

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

/** A reader of a lesson of five scenes. */
function reader(name = 'one-score') {
  const scenes = Array.from({ length: 5 }, (_, i) => ({ state: `#${i}` }));
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
      assert.deepEqual(keptOf('one-score'), NOTHING);
      assert.deepEqual(keptOf('constructor'), NOTHING);
      const one = reader();
      one.goes(2, 1);
      one.goes(3, 2);
      assert.deepEqual(keptOf('one-score'), { scene: 3, done: false, solved: [1, 2] });
    });
  }

  test('what another window solved stays, also in the same lesson', () => {
    renew();
    const [one, other] = [reader(), reader()];
    one.goes(2, 1);
    other.goes(5, 3, 4);
    one.goes(3, 2);
    assert.deepEqual(keptOf('one-score'), { scene: 3, done: false, solved: [1, 2, 3, 4] });
    other.goes(6, 5);
    one.goes(1);
    assert.deepEqual(keptOf('one-score'), { scene: 1, done: true, solved: [1, 2, 3, 4, 5] });
  });

  test('who skips to the end has not done a lesson; who has solved each question has', () => {
    renew();
    const one = reader();
    for (const n of [2, 4]) one.lesson.scenes[n - 1].gate = { do: 'play' };
    one.goes(6);
    assert.deepEqual(keptOf('one-score'), { scene: 5, done: false, solved: [] });
    one.goes(3, 2);
    one.goes(6);
    assert.equal(keptOf('one-score').done, false);
    one.goes(5, 4);
    assert.equal(keptOf('one-score').done, false, 'its end was not reached again');
    one.goes(6);
    assert.equal(keptOf('one-score').done, true);
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
    assert.deepEqual(keptOf('one-score'), { scene: 2, done: false, solved: [1] });
    storage.setItem = setItem;
    one.goes(4);
    assert.deepEqual(keptOf('one-score'), { scene: 4, done: false, solved: [1, 2] });
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
