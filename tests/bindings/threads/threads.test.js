// A core on several threads: the bits of one thread, whatever is computed, and whatever happens to the threads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readModel, train } from '../../../bindings/index.js';
import { opener } from '../../../bindings/models/opener.js';
import { load } from '../../../bindings/models/threads/node/index.js';
import { threadOf } from '../../../bindings/models/threads/node/thread.js';
import { startTeam } from '../../../bindings/models/threads/team.js';
import { load as loadAlone } from '../../../bindings/models.js';
import { sample } from '../../support/sample.js';
import { blocksOf } from '../../support/stored.js';
import { collect } from '../model/small.js';
import { missing, tapeOf, tried } from './every-op.js';
import { randomTape } from './random-tape.js';

const root = path.resolve(import.meta.dirname, '../../..');

const alone = await loadAlone();
/** By the number of their threads; each is the same module, whose memory is shared. */
const teams = await Promise.all([2, 3, 4].map((threads) => load({ threads })));
after(() => {
  for (const gf of teams) gf.dispose();
});

const hex = (data) => Buffer.from(data.slice().buffer).toString('base64');

/** Every value and gradient of a tape, as bits. */
const bitsOf = ({ nodes }) =>
  nodes.map((node) => [
    node.name,
    node.stored ? '' : hex(node.data),
    node.kind === 'ids' || node.stored ? '' : hex(node.grad),
  ]);

/** What each core makes of it is the same. @param {(gf: typeof alone) => unknown} make */
async function agree(make) {
  const expected = await make(alone);
  for (const gf of teams) {
    assert.deepEqual(await make(gf), expected, `${gf.threads.count} threads`);
  }
}

test('as many threads as were asked for', () => {
  assert.deepEqual(
    teams.map(({ threads }) => threads),
    [2, 3, 4].map((count) => ({ count, reason: null })),
  );
});

describe('random tapes have the bits of one thread, again and again', () => {
  for (const seed of sample(
    Array.from({ length: 60 }, (_, i) => i + 1),
    6,
  )) {
    test(`seed ${seed}`, () =>
      agree((gf) => {
        const { tape, last, gradient } = randomTape(gf, seed);
        const runs = [0, 1].map(() => {
          tape.forward();
          tape.backward(last, gradient);
          return bitsOf(tape);
        });
        tape.dispose();
        return runs;
      }));
  }
});

test('every op is tried', () => assert.deepEqual(missing, []));

for (const op of sample(tried, 8)) {
  test(`${op} has the bits of one thread`, () =>
    agree((gf) => {
      const { tape, last, gradient } = tapeOf(gf, op);
      tape.forward();
      if (last.kind !== 'ids') tape.backward(last, gradient);
      const bits = bitsOf(tape);
      tape.dispose();
      return bits;
    }));
}

test('stored weights have the bits of one thread', () =>
  agree((gf) =>
    sample(['q4_1', 'q8_0', 'f16', 'q6_k'], 1).map((type) => {
      const [rows, columns] = [300, 512];
      const matrix = gf.stored({ type, rows, columns });
      matrix.put(blocksOf(type, rows, columns));
      const runs = [1, 30].map((tokens) => {
        const tape = gf.tape();
        const x = tape.input('x', [tokens, columns]);
        const y = tape.linear(x, tape.parameter('w', [columns, rows]), null, 'y');
        tape.bindStored('w', matrix);
        tape.plan();
        x.data.set(x.data.map((_, i) => Math.sin(i)));
        tape.forward();
        tape.backward(
          y,
          Float32Array.from({ length: tokens * rows }, (_, i) => Math.cos(i)),
        );
        const bits = [hex(y.data), hex(x.grad)];
        tape.dispose();
        return bits;
      });
      matrix.dispose();
      return runs;
    }),
  ));

/** On so much at a time that its steps are shared out. */
describe('what a shipped model computes, learns and generates has the bits of one thread', () => {
  for (const name of sample(['french-english', 'dates', 'reverse', 'stories'], 1)) {
    const file = readModel(
      readFileSync(path.join(root, `bindings/data/models/${name}.safetensors`)),
    );
    test(name, () =>
      agree(async (gf) => {
        const model = gf.open(file);
        const { kind, vocab, maxLength } = model.config;
        const rows = Array.from({ length: 16 }, (_, i) =>
          Array.from({ length: Math.min(20, maxLength) }, (_, t) => (5 * i + 3 * t) % vocab),
        );
        const batch = {
          target: rows,
          labels: rows,
          ...(kind === 'transformer' && { source: rows }),
        };
        const run = model.forward(batch);
        run.backward();
        const bits = bitsOf(run.tape);
        run.dispose();
        const steps = await collect(train(model, [batch, batch]));
        const losses = steps.map(({ loss }) => loss);
        const learned = [...model.parameters.values()].map(({ data }) => hex(data));
        const generated = await collect(model.generate(rows[1].slice(0, 5), { maxNewTokens: 6 }));
        model.dispose();
        return { bits, losses, learned, generated };
      }),
    );
  }
});

test('a model for inference, whose values share memory, has the bits of one thread', () =>
  agree(async (gf) => {
    const model = gf.model({
      kind: 'gpt',
      vocab: 2300,
      dModel: 160,
      heads: 4,
      kvHeads: 2,
      layers: 2,
      seed: 3,
    });
    const prompt = Array.from({ length: 40 }, (_, i) => (37 * i) % 2300);
    const generated = await collect(
      model.generate(prompt, { maxNewTokens: 5, temperature: 1, seed: 1 }),
    );
    model.dispose();
    return generated;
  }));

/** A product that is shared out, as bits.
 * @param {any} gf */
function product(gf) {
  const { tape, last, gradient } = randomTape(gf, 1);
  tape.forward();
  tape.backward(last, gradient);
  const bits = bitsOf(tape);
  tape.dispose();
  return bits;
}

test('dispose ends the threads; what runs then runs on one', async () => {
  const gf = await load({ threads: 2 });
  const expected = product(gf);
  gf.dispose();
  assert.deepEqual(gf.threads, { count: 1, reason: 'the other threads have ended' });
  assert.deepEqual(product(gf), expected);
  gf[Symbol.dispose]();
});

/** A team of three in Node, whose workers are at hand. @param {() => URL} scriptOf @param {object} [changes] of what they get
 * @param {number} [patience] */
async function team(scriptOf, changes, patience) {
  /** @type {Worker[]} */
  const workers = [];
  const started = await startTeam(
    3,
    () => {
      const worker = new Worker(scriptOf());
      workers.push(worker);
      const thread = threadOf(worker);
      return { ...thread, post: (post) => thread.post({ ...post, ...changes }) };
    },
    patience,
  );
  assert.ok(typeof started !== 'string');
  return { ...started, workers };
}
const SCRIPT = new URL('../../../bindings/models/threads/node/script.js', import.meta.url);

test('when a thread dies, the others do its work', async () => {
  const { engine, team: threads, workers } = await team(() => SCRIPT);
  const gf = opener(engine);
  const expected = product(gf);
  await workers[0].terminate();
  assert.equal(threads.count, 2);
  assert.equal(threads.reason, 'the other threads have ended');
  assert.deepEqual(product(gf), expected);
  assert.deepEqual(product(alone), expected);
  threads.end();
});

/** Runs until a thread has taken a part, which may not be the first time. @param {any} gf */
function runOften(gf) {
  for (let i = 0; i < 1000; i++) product(gf);
}

/* A stack with room for the function that takes parts, and none for what does them: the first part that a thread takes traps. */
const TRAPS = { stack: 64 };
/* Such a thread, which cannot say so any more: as one that the system has ended. */
const SILENT = new URL('silent.js', import.meta.url);

for (const [what, script, patience] of [
  ['traps', SCRIPT, 60],
  ['is gone', SILENT, 1],
]) {
  test(`when a thread ${what} in the middle of a run, the run fails, and so do later ones`, async () => {
    const { engine, team: threads } = await team(() => script, TRAPS, patience);
    const gf = opener(engine);
    const refused = {
      code: 'GF_ESTATE',
      message:
        /^(relu: )?a thread ended in the middle of a run, whose numbers are lost: load the core again$/,
    };
    assert.throws(() => runOften(gf), refused);
    assert.throws(() => gf.relu([1]), refused);
    threads.end();
  });
}

test('runs right after the end of the threads give none of them a part, which would be lost', async () => {
  const { engine, team: threads, workers } = await team(() => SILENT, TRAPS, 1);
  /* They end some time later, as late as can be. */
  for (const worker of workers) worker.terminate = async () => 0;
  threads.end();
  const gf = opener(engine);
  for (let i = 0; i < 10; i++) assert.deepEqual(product(gf), product(alone));
});

/** Scripts of which one is not there, or is not allowed. */
const WRONG = {
  missing: [() => new URL('missing.js', import.meta.url), /Cannot find module .*missing\.js/],
  'not allowed': [
    () => {
      throw new Error('worker-src');
    },
    /worker-src/,
  ],
};
for (const [what, [scriptOf, reason]] of Object.entries(WRONG)) {
  test(`a thread whose script is ${what} is done without`, async () => {
    let asked = 0;
    const { engine, team: threads } = await team(() => (asked++ ? SCRIPT : scriptOf()));
    assert.equal(threads.count, 2);
    assert.match(String(threads.reason), /^a thread could not be started \(.*\)$/);
    assert.match(String(threads.reason), reason);
    assert.deepEqual(product(opener(engine)), product(alone));
    threads.end();
  });
}

test('where memory cannot be shared it computes on one thread, and says why', async () => {
  globalThis.crossOriginIsolated = false;
  try {
    const gf = await load({ threads: 2 });
    const { count, reason } = gf.threads;
    assert.equal(count, 1);
    assert.match(String(reason), /not cross-origin isolated: .*Cross-Origin-Opener-Policy/);
    assert.deepEqual(product(gf), product(alone));
    gf.dispose();
  } finally {
    delete globalThis.crossOriginIsolated;
  }
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class {
    constructor() {
      throw new RangeError('no memory');
    }
  };
  try {
    const { threads } = await load({ threads: 2 });
    assert.deepEqual(threads, {
      count: 1,
      reason: 'WebAssembly cannot share memory between threads here',
    });
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test('one thread is one thread, and what is no number of threads is refused', async () => {
  assert.deepEqual((await load({ threads: 1 })).threads, { count: 1, reason: null });
  await assert.rejects(load({ threads: 0 }), RangeError);
  await assert.rejects(load({ threads: 65 }), RangeError);
  await assert.rejects(load({ threads: '2' }), TypeError);
  await assert.rejects(load({ thread: 2 }), TypeError);
  await assert.rejects(load({ simd: true }), TypeError);
});

test('a program ends by itself while its threads wait, and in the middle of their work', () => {
  for (const end of ['', 'process.exit(0);']) {
    const program = `
      import { load } from ${JSON.stringify(new URL('../../../bindings/models/threads/node/index.js', import.meta.url))};
      const gf = await load({ threads: 3 });
      const x = new Float32Array(9e4).fill(1 / 300);
      console.log(gf.matmul({ data: x, shape: [300, 300] }, { data: x, shape: [300, 300] }).data.length);
      ${end}`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', timeout: 60_000 },
    );
    assert.equal(status, 0, stderr);
    assert.equal(stdout, '90000\n');
  }
});
