// Memory: what is disposed of comes back, what does not fit is refused, and growth in the middle of any call
// leaves no stale view.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  forwardInTurns,
  GlassformerError,
  traceModel,
  traceModelInTurns,
} from '../../bindings/index.js';
import { failure } from '../../bindings/js/base/errors.js';
import { turn } from '../../bindings/js/base/turn.js';
import { generateTokens } from '../../bindings/models/text/generate.js';
import { load } from '../../bindings/models.js';
import { heaps, reclaim, usedOf } from '../support/heap.js';
import { full } from '../support/sample.js';
import { TINY } from './calls/model.js';
import { tableOf } from './calls/table.js';
import { goodCallOf } from './calls/wrong.js';

const PAGE = 65536;
const wasm = readFileSync(new URL('../../bindings/generated/glassformer.wasm', import.meta.url));

/** What was called of the core, in all engines. */
const called = new Set();

/** The core's exports, each of whose functions tells that it was called, and that it left the memory as large
 * as it was: only an allocation cuts views off.
 * @param {any} exports */
const watched = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([name, member]) => {
      if (typeof member !== 'function') return [name, member];
      const call = (...args) => {
        const { buffer } = exports.memory;
        const result = member(...args);
        assert.equal(exports.memory.buffer, buffer, `${name} grew the memory`);
        called.add(name);
        return result;
      };
      return [name, call];
    }),
  );

/** An engine, and its memory.
 * @param {BufferSource} [bytes] */
async function loadWithMemory(bytes = wasm) {
  const { instantiate } = WebAssembly;
  /** @type {any} */
  let exports;
  WebAssembly.instantiate = async (module) => {
    exports = watched((await instantiate(module)).exports);
    return { exports };
  };
  try {
    const gf = await load({ module: bytes });
    return { gf, memory: /** @type {WebAssembly.Memory} */ (exports.memory) };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** The core with a memory that can have no more pages than these.
 * @param {number} most below 2^14 */
function withMaximum(most) {
  const number = (at) => {
    let [value, size] = [0, 0];
    do value |= (wasm[at + size] & 127) << (7 * size);
    while (wasm[at + size++] & 128);
    return { value, size };
  };
  for (let at = 8; at < wasm.length; ) {
    const { value, size } = number(at + 1);
    const body = at + 1 + size;
    if (wasm[at] === 5) {
      const least = number(body + 2);
      const two = (n) => [(n & 127) | 128, n >> 7];
      const section = [1, 1, ...two(least.value), ...two(most)];
      return Buffer.concat([
        wasm.subarray(0, at),
        Buffer.from([5, section.length, ...section]),
        wasm.subarray(body + value),
      ]);
    }
    at = body + value;
  }
  throw new Error('no memory section');
}

/* One after the other, for each is caught on its way. */
const sized = await loadWithMemory();
const limited = await loadWithMemory(withMaximum(48));
const grown = await loadWithMemory();

const refusal = (error) => error instanceof GlassformerError && error.code === 'GF_EMEMORY';
const square = [
  [1, 0, 2],
  [0, 1, 1],
  [1, 1, 0],
];

describe('what exceeds the address space is refused, and the next good call is right', () => {
  const { gf, memory } = sized;
  const expected = gf.softmax(square);
  /** Leaves, and whether the plan reuses memory: near 2^31 numbers, and near 2^32 bytes of all values, or
   * of all values and gradients. */
  const plans = [
    [[2 ** 29]],
    [[2 ** 29 - 1]],
    [[2 ** 29 - 4]],
    [[2 ** 29 - 8]],
    [[2 ** 29 + 1]],
    [[2 ** 30]],
    [[2 ** 31 - 1]],
    [[46340, 46340]],
    [[32768, 32768]],
    [[32768, 65535]],
    [[1290, 1290, 1290]],
    [[215, 215, 215, 215]],
    [[2 ** 28], [2 ** 28]],
    [[2 ** 28 - 1], [2 ** 28]],
    [[2 ** 27], [2 ** 27], [2 ** 27], [2 ** 27]],
    [[2 ** 31 - 1], [2 ** 31 - 1], [2 ** 31 - 1]],
  ];
  for (const leaves of plans) {
    for (const reuse of [false, true]) {
      const numbers = leaves.map((shape) => shape.reduce((a, b) => a * b));
      const bytes = numbers.reduce((sum, n) => sum + 16 * Math.ceil(n / 4), 0) * (reuse ? 1 : 2);
      const fits = bytes < 2 ** 32 - 2 ** 22;
      const how = `${reuse ? ', reusing memory,' : ''} ${fits ? 'asks for all of it' : 'is refused'}`;
      test(`a plan of ${JSON.stringify(leaves)}${how}`, () => {
        const { used } = heaps;
        const size = memory.buffer.byteLength;
        const tape = gf.tape();
        for (const [i, shape] of leaves.entries()) tape.input(`x${i}`, shape);
        /* A gigabyte or two would really be taken. */
        let asked = 0;
        heaps.before = (wanted) => {
          asked = wanted;
          if (fits) throw failure('GF_EMEMORY', 'noMemory', { bytes: wanted, end: size });
        };
        try {
          assert.throws(() => tape.plan({ reuse }), refusal);
        } finally {
          heaps.before = () => {};
        }
        /* Sizes that wrap ask for nothing, or for all that a heap could never give. */
        assert.equal(asked, bytes < 2 ** 32 ? bytes : 0);
        tape.dispose();
        assert.ok(heaps.used <= used);
        assert.equal(memory.buffer.byteLength, size);
        assert.deepEqual(gf.softmax(square), expected);
      });
    }
  }
  /** More than 2^31 - 1 numbers in one node, in a model, in an answer. */
  const wide = { ...TINY, vocab: 2 ** 24, dModel: 2 ** 10, heads: 1 };
  const calls = {
    'a leaf of 2^32 numbers': () => gf.tape().input('x', [65536, 65536]),
    'a leaf of 2^31': () => gf.tape().input('x', [32768, 65536]),
    'a leaf of 2^124': () => gf.tape().input('x', Array(4).fill(2 ** 31 - 1)),
    'a product of 2^32': () => {
      const tape = gf.tape();
      tape.matmul(tape.input('a', [65536, 1]), tape.input('b', [1, 65536]), 'y');
    },
    'a plan in which a step has 2^30, and neither what it reads nor what reads it': () => {
      const tape = gf.tape();
      tape.topK(tape.matmul(tape.input('a', [65536, 1]), tape.input('b', [1, 16384]), 'x'), 1, 'y');
      tape.plan({ reuse: true });
    },
    'sinusoids of 2^31': () => gf.position([0, 1], 2 ** 30),
    'random numbers of 2^93': () => gf.uniform(Array(3).fill(2 ** 31 - 1)),
    'random numbers of 2^30': () => gf.normal([2 ** 30]),
    'one-hots of 2^32': () => gf.oneHot([0, 1], 2 ** 31 - 1),
    'a model of 2^34 numbers': () => gf.model(wide),
    'a model of 2^30': () => gf.model({ ...wide, vocab: 2 ** 20 }),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(name, () => {
      const size = memory.buffer.byteLength;
      assert.throws(call, refusal);
      assert.equal(memory.buffer.byteLength, size);
      assert.deepEqual(gf.softmax(square), expected);
    });
  }
});

test('where the memory may not grow, all that fits works, and goes on working', () => {
  const { gf, memory } = limited;
  const model = gf.model(TINY);
  const batch = { source: [3, 4], target: [1, 3], labels: [3, 2] };
  const run = model.forward(batch);
  const expected = [run.loss, gf.softmax(square)];
  const tapes = [];
  assert.throws(() => {
    for (;;) {
      const tape = gf.tape();
      tapes.push(tape);
      tape.input('x', [10, 10]);
      tape.plan();
    }
  }, refusal);
  assert.equal(memory.buffer.byteLength, 48 * PAGE);
  for (const call of [
    () => gf.uniform([300, 300]),
    () => gf.model({ ...TINY, dFF: 20_000 }),
    () => gf.softmax({ data: new Float32Array(90_000), shape: [300, 300] }),
    () =>
      gf.adam(Object.fromEntries(['value', 'grad', 'm', 'v'].map((s) => [s, Array(9e4).fill(1)]))),
    () =>
      model.forward({
        ...batch,
        source: Array(300).fill([3, 4]),
        target: Array(300).fill([1, 3]),
        labels: Array(300).fill([3, 2]),
      }),
  ]) {
    assert.throws(call, refusal, String(call));
  }
  run.forward();
  assert.deepEqual(run.loss, expected[0]);
  for (const tape of tapes) tape.dispose();
  assert.deepEqual([model.forward(batch).loss, gf.softmax(square)], expected);
});

const table = await tableOf(grown.gf);
const rowCount = Object.values(table).flat().length;

/** The good call, and before each of its allocations whatever is to happen there.
 * @param {import('./calls/wrong.js').Row} row @param {(number: number) => void} before */
async function watching(row, before) {
  reclaim(grown.gf);
  let number = 0;
  const start = () => {
    heaps.before = () => before(number++);
  };
  try {
    return await goodCallOf(row, start);
  } finally {
    heaps.before = () => {};
  }
}

/** How often each allocates. */
const needs = new Map();
for (const row of Object.values(table).flat()) {
  let count = 0;
  await watching(row, () => count++);
  needs.set(row, count);
}

describe('for each call of the API', () => {
  for (const [group, rows] of Object.entries(table)) {
    for (const row of rows) {
      const times = Math.ceil((full ? 10_000 : 2_500) / rowCount);
      test(`${group}: ${row.name}: ${times} times leave the memory as large as it was`, async () => {
        const again = async (count) => {
          for (let i = 0; i < count; i++) await goodCallOf(row);
        };
        await again(times);
        const { used } = heaps;
        const size = grown.memory.buffer.byteLength;
        await again(times);
        /* What others forgot may have been collected meanwhile. */
        assert.ok(heaps.used <= used, `${heaps.used - used} ranges more`);
        assert.equal(grown.memory.buffer.byteLength, size);
      });

      test(`${group}: ${row.name}: growth at each allocation changes nothing`, async () => {
        const expected = await goodCallOf(row);
        let times = 0;
        reclaim(grown.gf);
        heaps.before = () => {
          grown.memory.grow(1);
          times += 1;
        };
        try {
          /* So that views from before are stale even where the call itself allocates nothing. */
          assert.equal(await goodCallOf(row, heaps.before), expected);
        } finally {
          heaps.before = () => {};
        }
        assert.ok(times > 0);
      });

      const needed = needs.get(row);
      if (needed === 0) continue;
      test(`${group}: ${row.name}: a refused allocation is told, and leaves nothing behind`, async () => {
        const expected = await goodCallOf(row);
        for (let number = 0; number < needed; number++) {
          reclaim(grown.gf);
          const { used } = heaps;
          const refused = watching(row, (at) => {
            if (at === number) throw failure('GF_EMEMORY', 'noMemory', { bytes: 1, end: 2 });
          });
          await assert.rejects(refused, (error) => refusal(error) && error.detail === 'noMemory');
          reclaim(grown.gf);
          assert.equal(heaps.used, used, `allocation ${number}`);
          assert.equal(await goodCallOf(row), expected);
        }
      });
    }
  }

  test('half of them allocate', () => {
    const allocating = [...needs.values()].filter((count) => count > 0).length;
    assert.ok(allocating > rowCount / 2, `${allocating} of ${rowCount}`);
  });
});

describe('runs that nobody disposed of leave memory for others', () => {
  const { gf, memory } = limited;
  const batch = { source: [3, 4], target: [1, 3], labels: [3, 2] };
  const waits = { 'does not pause': () => {}, 'awaits nothing': () => null, pauses: turn };
  for (const [loop, wait] of Object.entries(waits)) {
    test(`in a loop that ${loop}; one that is held comes back as it was`, async () => {
      const model = gf.model(TINY);
      const held = model.forward(batch);
      held.backward();
      const bits = () => [...held.logits.data, ...held.tensor('decoder.input').grad, held.loss];
      const expected = bits();
      const view = held.logits.data;
      for (let i = 0; i < (full ? 1000 : 200); i++) {
        const run = model.forward(batch);
        assert.equal(run.loss, expected.at(-1));
        run.tensor('decoder.input').data.fill(i);
        await wait();
      }
      assert.equal(memory.buffer.byteLength, 48 * PAGE);
      assert.equal(view.length, 0);
      assert.deepEqual(bits(), expected);
      held.forward();
      held.backward();
      assert.deepEqual(bits(), expected);
      held.dispose();
      assert.throws(() => held.logits.data, { code: 'GF_EDISPOSED' });
      model.dispose();
    });
  }

  for (const make of [forwardInTurns, traceModel, traceModelInTurns]) {
    test(`in a loop of ${make.name}; a trace that is held works on`, async () => {
      const model = gf.model(TINY);
      const held = traceModel(model, batch);
      held.gradient('loss', [0]);
      const bits = () => [held.step('logits').data, held.step('decoder.input').grad];
      const expected = structuredClone(bits());
      for (let i = 0; i < (full ? 1000 : 200); i++) await make(model, batch);
      assert.equal(memory.buffer.byteLength, 48 * PAGE);
      held.gradient('loss', [0]);
      assert.deepEqual(bits(), expected);
      const { actual } = held.nudge(
        { node: 'decoder.input', index: [0, 0] },
        { node: 'loss', index: [0] },
        0.01,
      );
      assert.notEqual(actual, 0);
      held.edit('decoder.input', [0, 0], 5);
      assert.notDeepEqual(held.step('logits').data, expected[0]);
      held.dispose();
      model.dispose();
    });
  }
});

/** Calls what other entries call of the core, and what large nodes alone need.
 * @param {any} gf */
function callRest(gf) {
  const tape = gf.tape();
  const matrix = gf.stored({ type: 'f16', rows: 1, columns: 1 }).put(Uint16Array.of(0x3c00));
  const w = tape.parameter('w', [1, 1]);
  tape.linear(tape.input('x', [1, 1]), w, null, 'y');
  tape.bindStored(w, matrix);
  assert.throws(() => tape.bindStored(w, matrix), /stored as f16 already/);
  assert.deepEqual([...w.stored.data], [1]);
  tape.plan();
  const { address, engine } = tape.block;
  for (const id of [0, 1, 2]) assert.equal(engine.core.gf_forward_part(address, id, 0, 1), 0);
  assert.equal(engine.core.gf_backward_part(address, 2, 0, 1), 0);
  const copy = gf.tape();
  const name = engine.name('copy', 'w');
  assert.equal(engine.core.gf_copy(copy.block.address, address, 0, engine.integers([-1]), name), 0);
  assert.ok(engine.core.gf_build_variant(copy.block.address, 0, 0, 0) < 0, 'a model is missing');
  for (const one of [tape, copy, matrix]) one.dispose();
}

test('so is each function that the core exports', async () => {
  /* What glassformer/text alone calls. */
  const model = grown.gf.model(TINY);
  const { token } = (await generateTokens(model, [1], { maxNewTokens: 1, best: 2 }).next()).value;
  model.dispose();
  assert.equal(typeof token, 'number');
  callRest(grown.gf);
  const exported = readFileSync(
    new URL('../../bindings/js/runtime/exports.txt', import.meta.url),
    'utf8',
  );
  assert.deepEqual(
    exported
      .trim()
      .split('\n')
      .filter((name) => !called.has(name)),
    [],
  );
});

test('a view of the core’s numbers may be an argument, wherever the memory grows', async () => {
  const { gf, memory } = await loadWithMemory();
  const tape = gf.tape();
  const x = tape.input('x', [2]);
  tape.plan();
  x.set([1, 2]);
  const calls = [
    (/** @type {any} */ value) => gf.softmax(value),
    (/** @type {any} */ value) =>
      gf.adam({ value, grad: x.data, m: [0, 0], v: [0, 0] }, { learningRate: 0.5 }).value,
  ];
  for (const call of calls) {
    const expected = call(x.data.slice());
    heaps.before = () => memory.grow(1);
    try {
      assert.deepEqual(call(x.data), expected);
    } finally {
      heaps.before = () => {};
    }
  }
  tape.dispose();
});

test('what is kept of a text is freed with the model, and where the memory is full', async () => {
  const gf = await load();
  const TINY_GPT = { kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 24 };
  const write = async (model, prompt) => {
    for await (const _ of generateTokens(model, prompt, { maxNewTokens: 4 }));
  };
  const used = usedOf(gf);
  const model = gf.model(TINY_GPT);
  const of = usedOf(gf);
  await write(model, [1, 2, 3, 4, 5]);
  assert.ok(usedOf(gf) > of);
  reclaim(gf);
  assert.equal(usedOf(gf), of);
  await write(model, [1, 2, 3, 4, 5]);
  model.dispose();
  assert.equal(usedOf(gf), used);
});
