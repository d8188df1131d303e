// What the JavaScript fuzzer tries: inputs from outside, each taken or refused in the documented way.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  examples,
  exportModel,
  importModel,
  load,
  readModel,
  traceExample,
} from '../../bindings/index.js';
import { BadQuestion, questionOf } from '../../web/embed/protocol.js';
import { unpack } from '../../web/state/packed.js';
import { BadHash, chapterOf, fromHash, toHash } from '../../web/state/store.js';
import { unforeseen } from '../support/foreseen.js';
import { chapters } from '../web/states.js';

/** @typedef {{ inputs: import('fast-check').Arbitrary<any>, run: (input: any) => unknown }} Target
 * inputs are plain JSON, so that one that goes wrong can be kept as a file */

/** Does it, unless it is refused: as this, or as the package refuses.
 * @template T
 * @param {() => T} call @param {Function} [kind]
 * @returns {T | undefined} */
function unless(call, kind) {
  try {
    return call();
  } catch (error) {
    assert.ok(kind ? error instanceof kind : !unforeseen(error), error.stack);
    return undefined;
  }
}

/** What may stand anywhere in a JSON file. */
const odd = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, '', 'x', [], {}, [[]], [[1]]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A JSON value with some of its parts replaced, left out or given twice.
 * @param {any} value @param {{ place: number, odd: any }[]} changes */
function changed(value, changes) {
  const whole = [structuredClone(value)];
  for (const { place, odd } of changes) {
    /** @type {[any, string][]} */
    const places = [];
    const walk = (/** @type {any} */ at) => {
      for (const key of Object.keys(at)) {
        places.push([at, key]);
        if (typeof at[key] === 'object' && at[key]) walk(at[key]);
      }
    };
    walk(whole);
    const [parent, key] = places[place % places.length];
    parent[key] = structuredClone(odd);
  }
  return whole[0];
}
const changes = fc.array(fc.record({ place: fc.nat(), odd }), { minLength: 1, maxLength: 3 });

const gf = await load();
const small = gf.model({
  kind: 'gpt',
  vocab: 5,
  dModel: 4,
  heads: 1,
  layers: 1,
  dFF: 4,
  maxLength: 6,
});
const saved = small.save();
const foreign = exportModel(small, 'gpt2');

/** Bytes of a file, some of them changed, some at the end cut off. */
const bytes = fc.record({
  file: fc.nat(1),
  at: fc.array(fc.tuple(fc.nat(saved.length), fc.nat(255)), { maxLength: 4 }),
  cut: fc.oneof(fc.constant(0), fc.nat(saved.length)),
  header: fc.option(changes),
});

/** @type {Record<string, Target>} */
export const targets = {
  safetensors: {
    inputs: bytes,
    run({ file, at, cut, header }) {
      let data = Uint8Array.from([saved, foreign.bytes][file]);
      if (header) {
        const length = new DataView(data.buffer).getUint32(0, true);
        const text = new TextDecoder().decode(data.subarray(8, 8 + length));
        const json = new TextEncoder().encode(JSON.stringify(changed(JSON.parse(text), header)));
        const rest = data.subarray(8 + length);
        data = new Uint8Array(8 + json.length + rest.length);
        new DataView(data.buffer).setUint32(0, json.length, true);
        data.set(json, 8);
        data.set(rest, 8 + json.length);
      }
      for (const [place, byte] of at) data[place % data.length] = byte;
      data = data.subarray(0, data.length - Math.min(cut, data.length));
      const read = unless(() =>
        file ? importModel({ config: foreign.config, bytes: data }) : readModel(data),
      );
      if (read) unless(() => gf.open(read))?.dispose();
    },
  },

  config: {
    inputs: changes,
    run(how) {
      const config = changed(foreign.config, how);
      const files = { config, bytes: foreign.bytes };
      const read = unless(() => importModel(files));
      if (read) unless(() => gf.open(read))?.dispose();
    },
  },

  link: {
    inputs: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.tuple(
            fc.oneof(
              fc.constantFrom(
                ...Object.values(chapters).flatMap(({ parts }) => Object.keys(parts)),
              ),
              fc.constantFrom('v', 'z', 'chapter', 'theme', 'lang', 'speed', '__proto__'),
            ),
            fc.oneof(
              fc.string({ unit: 'binary' }),
              fc.constantFrom(
                ...Object.keys(chapters),
                '1',
                '0',
                'q:1,2',
                '-1',
                '1e9',
                '%',
                'x:0,0:3',
              ),
              fc.stringMatching(/^[\w.:,;%=-]*$/),
            ),
          ),
        )
        .map((pairs) => `#${pairs.map((pair) => pair.join('=')).join('&')}`),
    ),
    async run(given) {
      let hash;
      try {
        hash = await unpack(given);
      } catch (error) {
        assert.ok(error instanceof BadHash, String(error.stack));
        return;
      }
      const name = unless(() => chapterOf(hash, Object.keys(chapters)), BadHash);
      const state = name && unless(() => fromHash(hash, chapters[name]), BadHash);
      if (!state) return;
      assert.equal(Object.getPrototypeOf(state), Object.prototype);
      const again = fromHash(toHash(chapters[name], state), chapters[name]);
      assert.deepEqual(again, fromHash(toHash(chapters[name], again), chapters[name]));
    },
  },

  message: {
    inputs: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          glassformer: fc.oneof(fc.constant(1), odd),
          type: fc.oneof(
            fc.constantFrom('getState', 'setState', 'play', 'pause', 'seek', 'theme', 'lang'),
            odd,
          ),
          id: odd,
          state: fc.oneof(fc.string(), odd),
          at: odd,
          theme: fc.oneof(fc.constant('dark'), odd),
          lang: fc.oneof(fc.constant('fr'), odd),
        },
        { requiredKeys: [] },
      ),
    ),
    run(data) {
      const question = unless(() => questionOf(data), BadQuestion);
      if (question) assert.equal(typeof question.type, 'string');
    },
  },

  example: {
    inputs: fc.record({ name: fc.constantFrom(...Object.keys(examples)), changes }),
    run({ name, changes: how }) {
      const example = changed(examples[name], how);
      const trace = unless(() => traceExample(gf, example));
      trace?.dispose();
    },
  },
};
