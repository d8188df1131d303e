// Links: any state of any chapter comes back to the bit, and no link does harm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { chapters as shelf } from '../../web/chapters/index.js';
import { pack, unpack } from '../../web/state/packed.js';
import { BadHash, chapterOf, fromHash, openingOf, toHash } from '../../web/state/store.js';
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
          // An example is not kept beside a sentence.
          const { example } = state.sentence ? chapter.opening : state;
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
      assert.match(hash, new RegExp(`^#chapter=${name}(&example=[\\w-]+)?$`));
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
    'just too much': z(deflateRawSync(Buffer.alloc(1e6 + 1, 'a'))),
  };
  for (const [what, hash] of Object.entries(bad)) {
    await assert.rejects(
      unpack(hash),
      (error) => error instanceof BadHash && error.message === hash.slice(5),
      what,
    );
  }
  assert.equal((await unpack(z(deflateRawSync(Buffer.alloc(1e6, 'a'))))).length, 1e6);
  for (const other of ['', '#v=1&t=3', '#z=abc', '#v=2&z=abc']) {
    assert.equal(await unpack(other), other);
  }
  // What is packed twice, or unknown, is as unknown as it is unpacked.
  for (const other of ['#z=abc', '#v=2&z=abc', `#v=1&z=${z(whole).slice(7)}`]) {
    assert.throws(() => fromHash(other, chapters.attention), BadHash);
  }
});
