// Time passes once, however often it is started, and nobody listens twice.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Player } from '../../web/app/state/player.js';
import { sample } from '../support/sample.js';
import { follow, inBrowser, settled, until } from './browser.js';
import { calm, host, pageOf } from './host.js';

const browsing = inBrowser();

/** Frames that come when they are asked for. */
function frames(t) {
  let now = 1000;
  let waiting = [];
  const clock = t.mock.method(performance, 'now', () => now);
  globalThis.requestAnimationFrame = (frame) => waiting.push(frame);
  t.after(() => {
    clock.mock.restore();
    delete globalThis.requestAnimationFrame;
  });
  return (ms) => {
    now += ms;
    const due = waiting;
    waiting = [];
    for (const frame of due) frame(now);
    return due.length;
  };
}

test('a player has one loop, whoever starts and stops it', (t) => {
  const frame = frames(t);
  const passed = [];
  const player = new Player((ms) => passed.push(ms) < 6);
  for (let k = 0; k < 3; k++) player.start();
  assert.deepEqual([frame(10), frame(20)], [1, 1]);
  player.stop();
  player.start();
  player.stop();
  player.start();
  frame(30);
  assert.equal(frame(40), 1);
  assert.deepEqual(passed, [10, 20, 30, 40]);
  player.stop();
  assert.deepEqual([player.running, frame(50), frame(60)], [false, 1, 0]);
  player.start();
  while (player.running) frame(5);
  assert.deepEqual(passed, [10, 20, 30, 40, 5, 5]);
  assert.equal(frame(5), 0);
});

/** In the page: what passes of a lesson's walk in a frame of 100 ms that was started three times, in ms. */
async function passes(lesson) {
  const { requestAnimationFrame: own } = globalThis;
  const loops = [];
  globalThis.requestAnimationFrame = (frame) => loops.push(frame);
  const starts = [];
  for (let k = 0; k < 3; k++) {
    lesson.play();
    starts.push(loops.length);
  }
  const before = lesson.shown.t;
  const { duration } = lesson.line.moments[Math.floor(before) + 1];
  const now = performance.now() + 100;
  for (const frame of loops.splice(0)) frame(now);
  const after = lesson.shown.t;
  globalThis.requestAnimationFrame = own;
  lesson.pause();
  return { ms: (after - before) * duration, playing: lesson.playing };
}

describe('play() called three times', () => {
  test('plays as fast as called once, in a chapter', async () => {
    const { page, close } = await browsing.open('#v=1&example=three-tokens&t=12');
    const lesson = await page.$('gf-chapter-attention');
    const { ms, playing } = await lesson.evaluate(passes);
    assert.ok(ms > 50 && ms < 190, `${ms} ms of 100`);
    assert.equal(playing, false);
    await close();
  });

  test('and in a figure', async () => {
    const { page, close } = await host(browsing, pageOf('<gf-attention at="12"></gf-attention>'));
    await calm(page.locator('gf-attention'));
    const body = await page.evaluateHandle(() => document.querySelector('gf-attention').body);
    const { ms } = await body.evaluate(passes);
    assert.ok(ms > 50 && ms < 190, `${ms} ms of 100`);
    await close();
  });
});

test('what shows nothing yet does not play', async () => {
  const { page, complaints, close } = await browsing.open();
  const playing = await page.evaluate(() => {
    const lesson = document.createElement('gf-chapter-attention');
    lesson.play();
    lesson.pause();
    return lesson.playing;
  });
  assert.equal(playing, false);
  assert.deepEqual(complaints, []);
  await close();
});

/** In the page, before all else: knows who listens to what. */
function count() {
  /** @type {Map<EventTarget, Map<string, Set<unknown>>>} */
  const all = new Map();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const of = (target, type, options) => {
    const key = `${type} ${options === true || Boolean(options?.capture)}`;
    if (!all.has(target)) all.set(target, new Map());
    const types = all.get(target);
    if (!types.has(key)) types.set(key, new Set());
    return types.get(key);
  };
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? globalThis;
    if (!options?.once) of(target, type, options).add(listener);
    return addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? globalThis;
    of(target, type, options).delete(listener);
    return removeEventListener.call(target, type, listener, options);
  };
  /** How many listen to what is there: to elements of the page, and to what outlives them. */
  globalThis.listeners = () => {
    const counts = {};
    for (const [target, types] of all) {
      const lasts = [window, document].includes(target) || target instanceof MediaQueryList;
      if (!lasts && !(target instanceof Element && target.isConnected)) continue;
      for (const [key, { size }] of types) {
        const name = `${target.localName ?? target.constructor.name} ${key}`;
        counts[name] = (counts[name] ?? 0) + size;
      }
    }
    return Object.fromEntries(Object.entries(counts).filter(([, size]) => size > 0));
  };
}

describe('however often the chapters are entered and left, as many listen as the first time', () => {
  const TRAINING = 'v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:50&step=3';
  for (const view of sample(['run', 'update'], 1)) {
    test(`with ${view} in Training`, async () => {
      const round = [
        'chapter=heads',
        'chapter=positions',
        'chapter=transformer',
        `${TRAINING}&view=${view}`,
        'v=1&example=masked&t=40',
      ];
      const { page, complaints, close } = await browsing.open();
      await page.addInitScript(count);
      await page.reload();
      await page.waitForSelector('gf-stage .matrix');
      /** What each place of the round has. */
      const visit = async () => {
        const found = [];
        for (const hash of round) {
          await follow(page, `#${hash}`);
          if (hash.includes('training')) {
            await until(page, () => {
              const { now } = document.querySelector('gf-chapter-training');
              return now.last >= 3 && now.doing === '';
            });
          }
          if (hash.includes('transformer')) await page.waitForSelector('.translation ol button');
          await settled(page);
          found.push(await page.evaluate(() => globalThis.listeners()));
        }
        return found;
      };
      await visit();
      const second = await visit();
      assert.ok(
        Object.keys(second[3]).some((name) => /^gf-(adam|training-attention) gf-act/.test(name)),
      );
      await visit();
      assert.deepEqual(await visit(), second);
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});
