import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { tasks as all } from '../../bindings/lab/tasks/index.js';
import { BadHash, fromHash } from '../../web/app/state/store.js';
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
    warmup: ['rate', 'warmup'],
    norm: ['remove'],
    residual: ['remove'],
    scale: ['remove'],
    positions: ['positions'],
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
    ];
    assert.deepEqual(found, due[off], off);
  }
  const none = settingsOf({ task: 'copy', settings: {} });
  assert.ok(!canLeave('clip', none));
  assert.deepEqual(Object.keys(planOf({ task: 'copy', settings: {}, off: 'clip' }).runs), ['a']);
});

test('without a warm-up, the highest rate is the same, and begins at once', () => {
  for (const schedule of ['noam', 'inverse-sqrt', 'cosine', 'linear', 'constant']) {
    const settings = { schedule, rate: 0.5, warmup: 25, steps: 400 };
    const { runs } = planOf({ task: 'copy', settings, off: 'warmup' });
    const [a, b] = [runs.a.training, runs.b.training].map(({ rate, warmup, total }) =>
      Array.from({ length: 400 }, (_, i) =>
        rateAt(i + 1, { schedule, rate, warmup, total, d: runs.a.model.dModel }),
      ),
    );
    const [most, other] = [a, b].map((rates) => Math.max(...rates));
    /* A rate that falls from its peak has fallen by one step of 400 where the first step is taken. */
    assert.ok(Math.abs(most - other) < 0.005 * most, `${schedule}: ${most}, ${other}`);
    assert.equal(a.indexOf(most), 24);
    assert.equal(b.indexOf(other), 0);
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

const evaluation = (step, loss, answers = []) => ({
  step,
  loss,
  right: 0,
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

/** What the page says of a run whose second step is shown. */
function saidOf(settings, off = null, b = recordOf([4, 3, 2])) {
  const sides = [
    { side: 'a', record: recordOf([4, 3, 2]) },
    { side: 'b', record: b },
  ];
  const rates = [0.1, 0.2, 0.15];
  return sentenceOf({
    sides: off ? sides : sides.slice(0, 1),
    started: { heldOut: 2, runs: { a: { rates } } },
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

test('runs with and without a warm-up say at which step each has the highest rate', () => {
  const said = saidOf({ warmup: 2 }, 'warmup');
  assert.match(said, /^Both runs reach the same peak rate of 0\.2: A at step 2, B at step 1\./);
  assert.doesNotMatch(saidOf({ warmup: 2 }, 'scale'), /peak/);
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

const gf = await load();
const SMALL = { steps: 40, tokens: 96, dModel: 16, heads: 2, dFF: 24, warmup: 10 };
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
