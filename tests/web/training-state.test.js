import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { tasks as all } from '../../bindings/lab/tasks/index.js';
import { BadHash, fromHash } from '../../web/app/state/store.js';
import { calibrationOf } from '../../web/chapters/training/calibration.js';
import { Course } from '../../web/chapters/training/live.js';
import { Record } from '../../web/chapters/training/record.js';
import {
  canLeave,
  conflictOf,
  otherThanUsual,
  planOf,
  RANGES,
  settingsOf,
  switches,
  tasks,
} from '../../web/chapters/training/settings.js';
import { opening, parts } from '../../web/chapters/training/state.js';
import { sentenceOf } from '../../web/chapters/training/telling.js';
import { verdict } from '../../web/chapters/training/verdict.js';
import { Local } from '../../web/workers/remote/local.js';
import { Trainer } from '../../web/workers/trainer/trainer.js';

const chapter = { name: 'training', opening, parts };
const gf = await load();
const SMALL = { steps: 40, tokens: 96, dModel: 16, heads: 2, dFF: 24, warmup: 10 };

// ---- Links ----

test('links that cannot be read are refused', () => {
  for (const bad of [
    'task=chess',
    'settings=heads',
    'settings=heads:9',
    'settings=rate:-1',
    'settings=rate:fast',
    'settings=__proto__:1',
    'off=toString',
    'step=-1',
    'step=20001',
    'view=all',
    'weight=w',
    `text=${'x'.repeat(121)}`,
    'temperature=0',
    'beams=1',
    'run=1',
  ]) {
    assert.throws(() => fromHash(`#v=1&chapter=training&${bad}`, chapter), BadHash, bad);
  }
});

// ---- Settings and plans ----

test('every task has settings that the trainer can take', () => {
  assert.deepEqual(tasks, Object.keys(all));
  for (const task of tasks) {
    const usual = settingsOf({ task, settings: {} });
    assert.equal(conflictOf(usual), null);
    assert.deepEqual(otherThanUsual(task, usual), {});
    assert.deepEqual(otherThanUsual(task, { ...usual, seed: 9 }), { seed: 9 });
    for (const [name, range] of Object.entries(RANGES)) {
      const value = usual[name];
      if ('choices' in range) assert.ok(range.choices.includes(value), name);
      else assert.ok(value >= range.low && value <= range.high, name);
    }
  }
  assert.equal(conflictOf({ ...settingsOf({ task: 'copy', settings: {} }), heads: 5 }), 'heads');
  const odd = { dModel: 12, heads: 4, positions: 'rotary' };
  assert.equal(conflictOf({ ...settingsOf({ task: 'copy', settings: odd }) }), 'rotary');
});

test('B differs from A in the one thing that it lacks', () => {
  const differences = (a, b) =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
      (key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]),
    );
  const due = {
    warmup: ['early'],
    norm: ['remove'],
    residual: ['remove'],
    scale: ['remove'],
    positions: ['positions'],
    layers: ['layers', 'decoderLayers'],
    heads: ['heads'],
    biases: ['bias'],
    length: ['reach'],
    smoothing: ['labelSmoothing'],
    dropout: ['dropout'],
    clip: ['clip'],
  };
  assert.deepEqual(switches, Object.keys(due));
  for (const off of switches) {
    const { runs } = planOf({ task: 'copy', settings: { clip: 1 }, off });
    const found = [
      ...differences(runs.a.model, runs.b.model),
      ...differences(runs.a.training, runs.b.training),
      ...differences({ ...runs.a, model: 0, training: 0 }, { ...runs.b, model: 0, training: 0 }),
    ];
    assert.deepEqual(found, due[off], off);
  }
});

test('what is compared is there, unless it was taken away', () => {
  for (const off of switches) {
    assert.ok(
      canLeave(off, settingsOf({ task: 'addition', settings: { dropout: 0.1 }, off })),
      off,
    );
  }
  const { runs } = planOf({ task: 'copy', settings: {}, off: 'layers' });
  assert.deepEqual([runs.a.model.layers, runs.b.model.layers], [2, 1]);
  assert.deepEqual(otherThanUsual('copy', { layers: 2 }, 'layers'), {});
  const [one, unclipped] = [{ layers: 1 }, { clip: 0 }];
  assert.deepEqual(Object.keys(planOf({ task: 'copy', settings: one, off: 'layers' }).runs), ['a']);
  assert.ok(!canLeave('clip', settingsOf({ task: 'copy', settings: unclipped, off: 'clip' })));
});

test('without a warm-up, the rate is at its peak while A’s rises, and from then on the same', async () => {
  for (const schedule of ['noam', 'inverse-sqrt', 'cosine', 'linear', 'constant']) {
    const settings = { ...SMALL, schedule, rate: 0.5, warmup: 25, steps: 400 };
    const plan = planOf({ task: 'copy', settings, off: 'warmup' });
    const trainer = new Trainer(gf, () => {});
    const { runs } = await trainer.start({ plan });
    const [a, b] = [runs.a.rates, runs.b.rates];
    const { rate, warmup, total } = plan.runs.a.training;
    /* The core’s rates are float32. */
    const isNear = (one, other) => Math.abs(one - other) <= 1e-7 * other;
    for (let t = 1; t <= 400; t++) {
      const due = rateAt(t, { schedule, rate, warmup, total, d: SMALL.dModel });
      assert.ok(isNear(a[t - 1], due), `${schedule} ${t}`);
      if (t >= 25) assert.equal(b[t - 1], a[t - 1], `${schedule} ${t}`);
      else assert.ok(isNear(b[t - 1], a[24]) && a[t - 1] < b[t - 1], `${schedule} ${t}`);
    }
  }
});

/** The rate of a step, as the paper and the textbooks give it. */
function rateAt(t, { schedule, rate, warmup: w, total: T, d }) {
  if (schedule === 'noam') return rate * d ** -0.5 * Math.min(t ** -0.5, w ? t * w ** -1.5 : 1);
  if (t < w) return (rate * t) / w;
  if (schedule === 'inverse-sqrt') return rate * Math.sqrt(Math.max(1, w) / t);
  const done = (t - w) / (T - w);
  if (schedule === 'cosine') return (rate / 2) * (1 + Math.cos(Math.PI * done));
  return schedule === 'linear' ? rate * (1 - done) : rate;
}

// ---- What was told ----

const evaluation = (step, loss, answers = [], right = 0) => ({
  step,
  loss,
  right,
  share: 0,
  answers,
  attention: [],
});
const recordOf = (losses) => {
  const record = new Record(0);
  record.add({
    steps: losses.slice(1).map((loss, i) => ({ step: i + 1, loss })),
    evaluations: losses.map((loss, step) =>
      evaluation(step, loss, [loss > 2 ? ['x'] : ['a', 'b', 'c']]),
    ),
    ended: null,
  });
  return record;
};

test('a record knows what was told of each step', () => {
  const record = recordOf([4, 3, 1, 3, 1, 0.5]);
  assert.equal(record.last, 5);
  assert.equal(record.at(2).loss, 1);
  assert.equal(record.at(6), undefined);
  assert.equal(record.evaluationAt(4).step, 4);
  assert.equal(record.evaluationAt(99).step, 5);
  assert.equal(record.since(0, record.evaluationAt(5)), 4);
  assert.equal(record.since(0, record.evaluationAt(3)), 3);
  assert.equal(record.since(0, record.evaluationAt(1)), 0);
});

test('the verdict: which is ahead, and since when', () => {
  const a = recordOf([4, 3, 2, 1]);
  const b = recordOf([4, 3.5, 2.5, 2]);
  const told = verdict(a, b, 3);
  assert.deepEqual([told.step, told.better, told.earlier], [3, 'a', 2]);
  assert.deepEqual([verdict(b, a, 3).better, verdict(b, a, 3).earlier], ['b', 2]);
  assert.deepEqual([verdict(a, b, 1).better, verdict(a, b, 1).earlier], ['a', null]);
  assert.equal(verdict(a, recordOf([4, 3, 2, 1.01]), 3).better, null);
  assert.equal(verdict(a, b, 0), null);
  assert.equal(verdict(a, recordOf([4]), 3), null);
  assert.equal(verdict(a, recordOf([4, 9, 80, 700]), 3).earlier, null, 'a began below that');
});

test('where right answers decide, a lower loss does not', () => {
  const [a, b] = [recordOf([4, 3, 0.09]), recordOf([4, 3, 0.05])];
  const decided = (...right) => {
    for (const [i, record] of [a, b].entries())
      record.evaluations.forEach((tried, step) => {
        tried.right = right[i][step];
      });
    const { better, earlier } = verdict(a, b, 2, 'right');
    return [better, earlier];
  };
  assert.equal(verdict(a, b, 2).better, 'b');
  assert.deepEqual(decided([0, 55, 63], [0, 3, 54]), ['a', 1]);
  assert.deepEqual(decided([0, 3, 57], [0, 3, 62]), ['b', null]);
  assert.deepEqual(decided([0, 3, 63], [0, 3, 63]), [null, null]);
  assert.deepEqual(decided([0, 0, 0], [0, 0, 0]), [null, null]);
});

test('calibration: classes of a tenth, and how far apart they are', () => {
  /* 0.95 and 0.97, one of two right; 0.6, right; 0.05, wrong. */
  const certain = Float64Array.of(0.95, 0.97, 0.6, 0.05);
  const { bins, mean, error } = calibrationOf({ certain, hits: Uint8Array.of(1, 0, 1, 0) });
  assert.deepEqual(
    bins.map(({ right, count }) => [right, count]),
    [
      [0, 1],
      [1, 1],
      [0.5, 2],
    ],
  );
  assert.ok(Math.abs(bins[2].sure - 0.96) < 1e-12 && Math.abs(mean - 0.6425) < 1e-12);
  assert.ok(Math.abs(error - (0.05 + 0.4 + 2 * 0.46) / 4) < 1e-12);
  const [bin] = calibrationOf({ certain: Float32Array.of(1), hits: Uint8Array.of(1) }).bins;
  assert.deepEqual(bin, { sure: 1, right: 1, count: 1 });
  assert.equal(
    calibrationOf({ certain: Float32Array.of(Number.NaN), hits: Uint8Array.of(0) }),
    null,
  );
});

/** What the page says of a run whose second step is shown. */
function saidOf(settings, off = null, b = recordOf([4, 3, 2]), more = {}) {
  const sides = [
    { side: 'a', record: recordOf([4, 3, 2]) },
    { side: 'b', record: b },
  ];
  const [a, held] = [
    [0.1, 0.2, 0.15],
    [0.2, 0.2, 0.15],
  ].map((rates) => ({ rates, size: 9 }));
  return sentenceOf({
    sides: off ? sides : sides.slice(0, 1),
    started: { heldOut: 2, vocabulary: Array(30), runs: { a, b: held }, ...more },
    first: 0,
    shown: 2,
    state: { task: 'copy', settings, off },
  });
}

test('why the loss of a batch and that of held-out pairs differ is said, if they do', () => {
  assert.match(saidOf({ dropout: 0.1, smoothing: 0.1 }), /includes dropout and smoothed labels;/);
  assert.match(saidOf({ dropout: 0.1, smoothing: 0 }), /includes dropout;/);
  assert.match(saidOf({ dropout: 0, smoothing: 0.1 }), /includes smoothed labels;/);
  assert.doesNotMatch(saidOf({ dropout: 0, smoothing: 0 }), /includes/);
});

test('while a model is made anew, the sentence is not about the last one', () => {
  assert.equal(
    sentenceOf({ doing: 'start', started: { heldOut: 2, runs: {} }, sides: [] }),
    'Making the model anew…',
  );
});

test('runs with and without a warm-up say from which step on their rates are the same', () => {
  const said = saidOf({ warmup: 2 }, 'warmup');
  assert.match(
    said,
    /^From step 2 on, both runs have the same learning rate\. .* its peak, 0\.2\./,
  );
  assert.doesNotMatch(saidOf({ warmup: 2 }, 'scale'), /peak/);
});

test('with smoothed labels the least loss is said: −ln (0.9 + 0.1 / 30)', () => {
  assert.match(saidOf({}, 'smoothing'), /has a held-out loss of 0\.102, so right answers decide/);
});

test('where the losses say one and the right answers the other, both are said', () => {
  const [a, b] = [recordOf([4, 3, 2]), recordOf([4, 3, 1.5])];
  const said = (/** @type {number} */ right) => {
    a.evaluations[2].right = right;
    const sides = [
      { side: 'a', record: a },
      { side: 'b', record: b },
    ];
    const state = { task: 'copy', settings: {}, off: 'scale' };
    return sentenceOf({ sides, started: { heldOut: 2, runs: {} }, first: 0, shown: 2, state });
  };
  assert.match(said(0), /So far B, the run without it, is ahead\./);
  assert.match(said(1), /So far B has the lower loss, but A has more right answers\. This is/);
  assert.doesNotMatch(said(1), /ahead/);
});

test('what both runs begin with is said as it is', () => {
  const untried = new Record(0);
  const begun = (off, b) => saidOf({}, off, untried, { runs: { a: { size: 9 }, b } });
  assert.match(
    begun('scale', { size: 9 }),
    /^A and B start with the same weights and see the same/,
  );
  assert.match(begun('layers', { size: 5 }), /runs without further layers, so it has fewer param/);
  assert.match(begun('length', { size: 9, longest: 5 }), /no source longer than 5 tokens\.$/);
});

test('answers are counted apart for sources as long as in training, and longer ones', () => {
  const b = recordOf([4, 3, 2]);
  const answered = { a: Uint8Array.of(1, 1, 1, 0, 1), b: Uint8Array.of(1, 1, 0, 0, 0) };
  const a = recordOf([4, 3, 2]);
  for (const [record, each] of [
    [a, answered.a],
    [b, answered.b],
  ])
    for (const tried of record.evaluations)
      Object.assign(tried, { answered: each, right: each.filter(Boolean).length });
  const sides = [
    { side: 'a', record: a },
    { side: 'b', record: b },
  ];
  const started = { heldOut: 5, lengths: [1, 5, 3, 6, 10], runs: { b: { longest: 5 } } };
  const state = { task: 'copy', settings: {}, off: 'length' };
  const said = sentenceOf({ sides, started, first: 0, shown: 2, state });
  assert.match(said, /A has 3 and B 2 of 3 held-out pairs right whose source has up to 5 tokens/);
  assert.match(said, /Of 2 longer ones, which B never saw, A has 1 right and B 0\./);
  assert.match(said, /So far A is ahead\./);
});

test('a run that diverges is said to, and why one stopped, in words for readers', () => {
  assert.doesNotMatch(saidOf({}, 'norm'), /diverges|reached/);
  assert.doesNotMatch(saidOf({}, 'norm', recordOf([4, 90, 390])), /diverges/);
  const wild = recordOf([4, 90, 9.83e15]);
  assert.match(saidOf({}, 'norm', wild), /B diverges: .* 100 times that of step 0 or more\./);
  assert.doesNotMatch(saidOf({}, 'norm', wild), /A diverges|reached/);
  wild.ended = { message: "train: the gradient's norm is NaN", params: { norm: Number.NaN } };
  assert.match(saidOf({}, 'norm', wild), /B stopped at step 3: the norm of its gradient is NaN\./);
  assert.doesNotMatch(saidOf({}, 'norm', wild), /train:/);
});

// ---- What is wanted ----

const plan = planOf({ task: 'copy', settings: SMALL, off: null });
const nothing = { plan, file: null, to: 0, open: null, row: null, weight: null };

/** A course with a trainer on the same thread; asked: what the worker was asked. */
function started() {
  const asked = [];
  const ports = [];
  const open = () => {
    const port = new Local(async (tell) => new Trainer(gf, tell));
    const { postMessage } = port;
    port.postMessage = (said) => {
      asked.push(said.call ?? 'cancel');
      postMessage.call(port, said);
    };
    ports.push(port);
    return port;
  };
  const course = new Course(open, () => {});
  return { course, asked, ports };
}

describe('a course asks for what is wanted, and for no more', () => {
  test('the way to a weight of a step', async () => {
    const { course, asked } = started();
    const weight = { node: 'embedding.weight', index: [4, 2] };
    const wanted = { ...nothing, to: 12, open: { side: 'a', step: 9 }, row: 1, weight };
    course.want(wanted);
    await course.rest();
    assert.deepEqual(asked, ['start', 'train', 'open', 'trace', 'update']);
    assert.equal(course.last, 12);
    assert.equal(course.opened.step, 9);
    assert.equal(course.update.step, 9);
    assert.ok(course.nodes.length > 50);
    course.want(wanted);
    await course.rest();
    assert.equal(asked.length, 5);
    course.want({ ...wanted, weight: { ...weight, index: [4, 3] } });
    await course.rest();
    assert.deepEqual(asked.slice(5), ['update']);
    course.want({ ...wanted, open: { side: 'a', step: 3 }, row: null, weight: null });
    await course.rest();
    assert.deepEqual(asked.slice(6), ['open']);
    assert.equal(course.nodes, null);
  });

  test('what is wanted no more is cancelled', async () => {
    const { course, asked } = started();
    course.want({ ...nothing, to: 1e6 });
    while (course.last < 3) await new Promise((resolve) => setImmediate(resolve));
    course.want(nothing);
    await course.rest();
    assert.deepEqual(asked, ['start', 'train', 'cancel']);
    assert.ok(course.last < 1e6);
    assert.equal(course.doing, '');
  });

  test('another plan begins anew; one that cannot be is told once, and the last one stays', async () => {
    const { course, asked } = started();
    course.want({ ...nothing, to: 5 });
    await course.rest();
    const impossible = planOf({ task: 'copy', settings: { ...SMALL, heads: 3 }, off: null });
    course.want({ ...nothing, plan: impossible, to: 5 });
    await course.rest();
    assert.match(course.failure.error.message, /heads 3 does not divide/);
    assert.equal(course.last, 5);
    course.want({ ...nothing, plan: impossible, to: 5 });
    await course.rest();
    assert.deepEqual(asked, ['start', 'train', 'start']);
    const other = planOf({ task: 'sort', settings: SMALL, off: 'norm' });
    course.want({ ...nothing, plan: other, to: 2 });
    await course.rest();
    assert.equal(course.failure, null);
    assert.deepEqual(Object.keys(course.records), ['a', 'b']);
    assert.equal(course.last, 2);
    course.restart();
    course.want({ ...nothing, plan: other });
    await course.rest();
    assert.equal(course.last, 0);
  });

  test('a trainer that is lost ends the wait, and another one begins anew when it is asked to', async () => {
    const { course, asked, ports } = started();
    course.want({ ...nothing, to: 1e6 });
    while (course.last < 3) await new Promise((resolve) => setImmediate(resolve));
    ports[0].dispatchEvent(Object.assign(new Event('error'), { message: 'boom' }));
    await course.rest();
    assert.equal(course.lost.message, 'boom');
    assert.equal(course.doing, '');
    await assert.rejects(course.ask('save', { at: { side: 'a', step: null } }), {
      message: 'boom',
    });
    course.want({ ...nothing, to: 5 });
    await course.rest();
    assert.deepEqual(asked, ['start', 'train']);
    course.restart();
    course.want({ ...nothing, to: 5 });
    await course.rest();
    assert.equal(course.lost, null);
    assert.deepEqual(asked.slice(2), ['start', 'train']);
    assert.equal(course.last, 5);
    assert.equal(ports.length, 2);
    course.close();
  });

  test('closing settles what is waited for', async () => {
    const { course } = started();
    course.want({ ...nothing, to: 1e6 });
    const saving = course.ask('save', { at: { side: 'a', step: null } });
    course.close();
    await assert.rejects(saving, { name: 'Ended' });
    course.want(nothing);
    await course.rest();
  });
});
