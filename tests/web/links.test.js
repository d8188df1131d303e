// Links: any state of any chapter comes back to the bit, and no link does harm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { MAX } from '../../web/app/state/limits.js';
import { pack, unpack } from '../../web/app/state/packed.js';
import {
  BadHash,
  chapterOf,
  fromHash,
  LongHash,
  openingOf,
  toHash,
} from '../../web/app/state/store.js';
import { chapters as shelf } from '../../web/chapters/index.js';
import { cellKey } from '../../web/stage/draw/tensor.js';
import { chapters, states } from './states.js';

const names = shelf.map(({ name }) => name);

/** Bit for bit: deepStrictEqual tells -0 from 0. */
const same = assert.deepStrictEqual;

describe('any state survives its link to the bit', () => {
  for (const name of names) {
    test(name, async () => {
      const chapter = chapters[name];
      const keys = Object.keys(openingOf(chapter)).sort();
      let packed = 0;
      await fc.assert(
        fc.asyncProperty(states[name], async (state) => {
          same(Object.keys(state).sort(), keys);
          const plain = toHash(chapter, state);
          const hash = await pack(plain);
          assert.ok(hash === plain ? plain.length <= 2000 : hash.length < plain.length);
          if (hash !== plain) packed++;
          // As an address holds it.
          const received = new URL(hash, 'https://host.edu/').hash;
          assert.equal(received, hash);
          const back = await unpack(received);
          assert.equal(chapterOf(back, names), name);
          // An example is not kept beside a sentence or matrices of one’s own.
          const { example } = state.sentence || state.matrices ? chapter.opening : state;
          same(fromHash(back, chapter), 'example' in state ? { ...state, example } : state);
        }),
        { numRuns: 200, seed: 1 },
      );
      assert.ok(packed > 10, `${packed} of 200 were packed`);
    });
  }

  test('an opening needs no more than its chapter’s name', () => {
    for (const name of names.slice(1)) {
      const hash = toHash(chapters[name], openingOf(chapters[name]));
      /* The bare name of this one leads to a trained model. */
      if (name === 'heads') assert.equal(hash, '#v=1&chapter=heads&heads=3');
      else assert.match(hash, new RegExp(`^#chapter=${name}(&example=[\\w-]+)?$`));
    }
  });

  test('half a character is replaced by the sign for such', () => {
    const state = { ...openingOf(chapters.training), text: 'a\ud800b' };
    const back = fromHash(toHash(chapters.training, state), chapters.training);
    assert.equal(back.text, 'a\ufffdb');
  });
});

test('what cannot be unpacked is refused, naming the part', async () => {
  const z = (bytes) => `#v=1&z=${Buffer.from(bytes).toString('base64url')}`;
  const whole = deflateRawSync(`#v=1&t=${'1'.repeat(3000)}`);
  const bad = {
    nothing: '#v=1&z=',
    'no base64': '#v=1&z=%%%',
    garbage: z('garbage, and more of it'),
    'cut off': z(whole.subarray(0, whole.length - 3)),
    'no text': z(deflateRawSync(Buffer.from([0xff, 0xfe, 0xfd]))),
    'a bomb': z(deflateRawSync(Buffer.alloc(2 ** 26, 'a'))),
    'just too much': z(deflateRawSync(Buffer.alloc(1e5 + 1, 'a'))),
  };
  for (const [what, hash] of Object.entries(bad)) {
    await assert.rejects(
      unpack(hash),
      (error) => error instanceof BadHash && error.message === hash.slice(5),
      what,
    );
  }
  assert.equal((await unpack(z(deflateRawSync(Buffer.alloc(1e5, 'a'))))).length, 1e5);
  for (const other of ['', '#v=1&t=3', '#z=abc', '#v=2&z=abc']) {
    assert.equal(await unpack(other), other);
  }
  // What is packed twice, or unknown, is as unknown as it is unpacked.
  for (const other of ['#z=abc', '#v=2&z=abc', `#v=1&z=${z(whole).slice(7)}`]) {
    assert.throws(() => fromHash(other, chapters.attention), BadHash);
  }
});

describe('a link that asks for too much', () => {
  const { attention } = chapters;
  /** What is read of it, and what is told to be dropped. */
  const read = (hash, chapter = attention) => {
    const dropped = [];
    return { state: fromHash(hash, chapter, (...lost) => dropped.push(lost)), dropped };
  };
  const cell = (k) => `x:${Math.floor(k / 100)},${k % 100}`;

  test('has its last edit of each cell, in their order', () => {
    const all = Array.from({ length: 9000 }, (_, k) => `${cell((k * 7) % 5)}=${k}`);
    const { state, dropped } = read(`#v=1&edits=${all.join('~')}`);
    const last = [8995, 8996, 8997, 8998, 8999].map((k) => ({
      node: 'x',
      index: [0, (k * 7) % 5],
      value: k,
    }));
    assert.deepEqual(state.edits, last);
    assert.deepEqual(dropped, []);
  });

  test('has the last of its edits, and says how many there were', () => {
    const all = Array.from({ length: 2000 }, (_, k) => `${cell(k)}=${k}`);
    const { state, dropped } = read(`#v=1&edits=${all.join('~')}`);
    assert.deepEqual(
      state.edits.map(({ value }) => value),
      Array.from({ length: MAX.edits }, (_, k) => 2000 - MAX.edits + k),
    );
    assert.deepEqual(dropped, [['edits', 2000, MAX.edits]]);
  });

  test('has a path that does not come back to a cell', () => {
    const path = (text) => read(`#path=${text}`).state.path.map(cellKey).join('~');
    assert.equal(path('x:0~q:0~k:0~q:0~v:0'), 'x:0~q:0~v:0');
    assert.equal(path('x:0~q:0~x:0'), 'x:0');
    assert.equal(path('x:0~x:0~x:0'), 'x:0');
    const long = Array.from({ length: 3000 }, (_, k) => cell(k));
    const { state, dropped } = read(`#path=${long.join('~')}`);
    assert.deepEqual(state.path.map(cellKey), long.slice(-MAX.path));
    assert.deepEqual(dropped, [['path', 3000, MAX.path]]);
    assert.equal(
      path(Array(200).fill(long.slice(0, 50).join('~')).join('~')),
      long.slice(0, 50).join('~'),
    );
  });

  test('leaves each step out once', () => {
    const { state, dropped } = read(`#remove=${Array(5000).fill('scale,mask').join(',')}`);
    assert.deepEqual(state.remove, ['scale', 'mask']);
    assert.deepEqual(dropped, []);
  });

  test('has no words, names, places or numbers of any length', () => {
    const many = 'a'.repeat(5000);
    for (const bad of [
      `example=${many}`,
      `sentence=8~8~1~1~p~${many}`,
      `remove=${many}`,
      `open=${many}:0,0`,
      `target=x:${'0,'.repeat(9)}0`,
      `edits=x:0,${'9'.repeat(500)}=1`,
    ]) {
      assert.throws(() => read(`#v=1&${bad}`), { name: 'Error', message: bad }, bad.slice(0, 40));
    }
    const { transformer } = chapters;
    for (const bad of [`block=${many}`, `size=${'9'.repeat(400)}.1.1.1.1`]) {
      assert.throws(() => read(`#v=1&${bad}`, transformer), BadHash, bad.slice(0, 40));
    }
  });

  test('is not read if it is longer than any state, packed or not', async () => {
    const most = `#v=1&edits=${'x:0,0=1~'.repeat(12_000)}x:0,0=1`;
    assert.deepEqual(read(most).state.edits.length, 1);
    const long = most.padEnd(1e5 + 1, '0');
    assert.throws(
      () => read(long),
      (error) => error instanceof LongHash && error.size === 100_001,
    );
    assert.equal(await unpack(long), long);
    const packed = await pack(long);
    assert.ok(packed.length < 2000, `${packed.length} characters`);
    await assert.rejects(unpack(packed), BadHash);
    await assert.rejects(unpack(`#v=1&z=${'A'.repeat(1e5)}`), LongHash);
  });
});
