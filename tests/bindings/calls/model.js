// The good call of each method of a model, and of what it gives: runs, traces, inspections, parameters.

import {
  forwardInTurns,
  inspect,
  traceModel,
  traceModelInTurns,
  train,
} from '../../../bindings/index.js';
import {
  callback,
  flag,
  INT32,
  index,
  integer,
  less,
  node,
  nullable,
  optional,
  options,
  other,
  plus,
  real,
  tokens,
  UINT32,
  word,
  wrong,
} from './kinds.js';
import { lookAt, seen } from './tape.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('./kinds.js').Kind} Kind */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

const VOCAB = 7;
const LENGTH = 8;
export const TINY = {
  kind: 'transformer',
  vocab: VOCAB,
  maxLength: LENGTH,
  dModel: 4,
  heads: 2,
  layers: 1,
  dFF: 4,
  dropout: 0,
  seed: 1,
};

const source = [
  [3, 4, 5],
  [4, 5, 6],
];
const target = [
  [1, 3],
  [1, 4],
];
const labels = [
  [3, 2],
  [4, 2],
];
export const batch = { source, target, labels };

const seed = optional(integer(3, 0, UINT32));
const signal = optional(other(new AbortController().signal));
const listener = optional(callback());
const removals = optional(
  other(['residual'], [wrong(['odds'], '"odds"'), wrong([3], '3'), wrong([null], 'null')]),
);
const mask = (good) =>
  optional(
    other(good, [
      wrong([], 'array of 0'),
      wrong([[true]], 'array of 1'),
      wrong([...good, good[0]], `array of ${good.length + 1}`),
      wrong(good.with(-1, [true]), 'array of 1'),
      wrong(good.with(-1, good[0].with(-1, 'odd')), '"odd"'),
      wrong(good.with(-1, good[0].with(-1, null)), 'null'),
      wrong(good.with(-1, good[0].with(-1, Symbol('odd'))), 'Symbol(odd)'),
      wrong([good], 'array of 1'),
    ]),
  );
const one = (good) => plus(tokens(good, VOCAB), wrong([[1], []], 'of 0'));
const ids = (good) => plus(one(good), wrong(good.slice(1), `${good.length - 1}`));
const masks = {
  sourceMask: mask(Array(3).fill([true, true, false])),
  targetMask: mask([
    [true, false],
    [true, true],
  ]),
  memoryMask: mask(Array(2).fill([true, false, true])),
};
const inputs = {
  source: ids(source),
  target: ids(target),
  labels: optional(plus(ids(labels), wrong([[3], [4]], 'received 1'))),
  tokenTypes: { good: undefined, wrong: [wrong(target, 'only a bert')] },
  ...masks,
};
/** What is not one of many is its own kind: some values name no option. */
const forward = {
  ...inputs,
  training: flag(true),
  seed,
  step: seed,
  remove: removals,
  gradients: flag(true),
  steps: optional(less(other(true), (value) => typeof value === 'boolean' || Array.isArray(value))),
};

/** All that can be seen of a model.
 * @param {any} model */
export const lookAtModel = (model) => [
  model.config,
  model.step,
  [...model.parameters.values()].map((parameter) => {
    const { name, data, m, v } = parameter;
    return [name, data, seen(() => parameter.grad), m, v];
  }),
];

export const training = {
  steps: optional(less(integer(2, 0, INT32), (value) => value === Number.POSITIVE_INFINITY)),
  optimizer: optional(word('adamw')),
  schedule: optional(word('cosine')),
  rate: optional(real(0.01)),
  warmup: optional(integer(1, 0, INT32)),
  total: optional(integer(5, 1, INT32)),
  betas: optional(
    other(
      [0.9, 0.99],
      [
        wrong([0.9], 'array of 1'),
        wrong([0.9, 1], 'received 1'),
        wrong([-1, 0.9], '-1'),
        wrong([0.9, Number.NaN], 'NaN'),
        wrong([0.9, '1'], '"1"'),
      ],
    ),
  ),
  epsilon: optional(real(1e-6, 0, 1)),
  weightDecay: optional(real(0.1, 0, 1)),
  clip: optional(less(real(1, 1e-30), (value) => value === Number.POSITIVE_INFINITY)),
  accumulate: optional(integer(1, 1, 10_000)),
  labelSmoothing: optional(real(0.1, 0, 1)),
  shift: optional(integer(3, 0, 2 ** 19)),
  dropout: optional(real(0.1, 0, 0.99)),
  seed,
  restart: flag(false),
  validateEvery: optional(integer(1, 1, INT32)),
  keepBest: flag(false),
  signal,
};

/** Batches of which one is wrong. */
export const wrongBatches = [
  wrong([null], 'null'),
  wrong([3], '3'),
  wrong(['odd'], '"odd"'),
  wrong([{ source, target }], 'labels are missing'),
  wrong([{ ...batch, labels: [[3, 2]] }], 'received 1'),
  wrong(
    [
      {
        ...batch,
        labels: [
          [3, 2],
          [VOCAB, 2],
        ],
      },
    ],
    `received ${VOCAB}`,
  ),
  wrong([{ ...batch, target: [[1, 3]] }], 'received 2 sources for 1 targets'),
  wrong([{ ...batch, sources: source }], '"sources"'),
  wrong([{ ...batch, targetMask: [[true]] }], 'array of 1'),
];

const generation = {
  maxNewTokens: optional(integer(4, 0, UINT32)),
  temperature: optional(real(0.5, 1e-6, 1e6, () => true)),
  topK: optional(integer(3, 0, UINT32)),
  topP: optional(real(0.9, 0, 1)),
  seed,
  start: optional(
    less(
      plus(tokens(1, VOCAB), wrong([[1], [2]], 'received 2')),
      (v) => Number.isInteger(v) && v >= 0 && v < VOCAB,
    ),
  ),
  stopTokens: optional(
    other([2], [wrong([VOCAB], `${VOCAB}`), wrong([-1], '-1'), wrong(['2'], '"2"')]),
  ),
  remove: removals,
  signal,
  onStep: listener,
};
const searching = {
  maxNewTokens: generation.maxNewTokens,
  beams: optional(integer(3, 1, 1024)),
  lengthPenalty: optional(real(0.6, 0, 100)),
  start: generation.start,
  stopTokens: generation.stopTokens,
  remove: removals,
  signal,
};
/* 0 is a temperature of its own: the best token. */
generation.temperature = less(generation.temperature, (value) => value === 0);

const edit = { node: 'decoder.layers.0.linear1', index: [0, 1], value: 0.5 };
const editList = other(
  [edit],
  [
    wrong([3], '3'),
    wrong([{ ...edit, node: 'odds' }], '"odds"'),
    wrong([{ ...edit, index: [9, 9] }], '[9,9]'),
    wrong([{ ...edit, value: 'odd' }], '"odd"'),
    wrong([{ ...edit, odd: 1 }], '"odd"'),
    wrong([{ ...edit, node: 'embedding.weight' }], 'embedding.weight'),
  ],
);
const traced = {
  remove: removals,
  edits: optional(editList),
  sequence: optional(integer(0, 0, 0)),
  gradients: flag(true),
};
const single = { source: one(source[0]), target: one(target[0]), labels: optional(ids(labels[0])) };

const collect = async (steps) => {
  const all = [];
  for await (const step of steps) all.push(step);
  return all;
};

/** @param {Glassformer} gf
 * @returns {Record<string, Row[]>} */
export function rows(gf) {
  const fresh = () => {
    const model = gf.model(TINY);
    /* So that there are gradients to look at. */
    const run = model.forward(batch);
    run.backward();
    run.dispose();
    const dispose = () => model.dispose();
    return { on: model, look: () => lookAtModel(model), dispose, done: dispose };
  };
  /** What a model gave, both alive. */
  const of = (make, look) => () => {
    const subject = fresh();
    const model = subject.on;
    const on = make(model);
    return {
      ...subject,
      on,
      look: () => [lookAtModel(model), look?.(on)],
      done: () => {
        on.dispose?.();
        model.dispose();
      },
      dispose: () => {
        on.dispose?.();
        model.dispose();
      },
    };
  };
  const model = { make: fresh };
  const running = {
    make: of(
      (model) => model.forward(batch),
      (run) => lookAt(run.tape),
    ),
  };
  const tracing = {
    make: of(
      (model) => traceModel(model, { source: source[0], target: target[0] }),
      (trace) => trace.steps,
    ),
  };
  const inspecting = { make: of((model) => inspect(model, [batch])) };
  const parameter = {
    make: of((model) => model.parameters.get('encoder.layers.0.linear1.weight')),
  };
  const facts = (run) => {
    const shown = lookAt(run.tape).map(({ name, numbers }) => [name, numbers]);
    run.dispose();
    return shown;
  };
  const steps = (trace) => {
    const shown = trace.steps.map(({ name, data }) => [name, data]);
    trace.dispose();
    return shown;
  };
  const withoutSpeed = (all) => all.map(({ tokensPerSecond, ...step }) => step);
  const step = node('decoder.layers.0.linear1');
  const cell = options({ node: step, index: index([1, 3]) });
  const goal = options({ node: node('logits'), index: index([1, 2]) });

  return {
    model: [
      {
        ...model,
        name: 'forward',
        args: [
          options(forward, [
            wrong({ ...batch, gradients: false, steps: ['odd'] }, '"odd"'),
            wrong({ ...batch, gradients: true, steps: false }, 'gradients need all steps'),
          ]),
        ],
        call: (on, a) => facts(on.forward(...a)),
      },
      {
        ...model,
        name: 'generate',
        args: [one(source[0]), optional(options(generation))],
        call: (on, a) => collect(on.generate(...a)),
      },
      {
        ...model,
        name: 'generateSync',
        args: [one(source[0]), optional(options(generation))],
        call: (on, a) => on.generateSync(...a),
      },
      {
        ...model,
        name: 'search',
        args: [one(source[0]), optional(options(searching))],
        call: (on, a) => on.search(...a),
      },
      {
        ...model,
        name: 'searchSync',
        args: [one(source[0]), optional(options(searching))],
        call: (on, a) => on.searchSync(...a),
      },
      {
        ...model,
        name: 'count',
        args: [less(word('abc'), (value) => typeof value === 'string')],
        call: (on, a) => {
          on.tokenizer = { encode: (letters) => Array.from(letters, () => 3), decode: () => '' };
          return on.count(...a);
        },
      },
      {
        ...model,
        name: 'summary',
        args: [
          optional(
            options({
              batch: optional(integer(2, 1, INT32)),
              source: optional(integer(3, 1, LENGTH)),
              target: optional(integer(4, 1, LENGTH)),
            }),
          ),
        ],
        call: (on, a) => on.summary(...a),
      },
      {
        ...model,
        name: 'save',
        args: [optional(options({ training: flag(true) }))],
        call: (on, a) => on.save(...a),
      },
      ...['size', 'step', 'arithmetic'].map((name) => ({
        ...model,
        name,
        outlives: true,
        call: (on) => on[name],
      })),
      {
        ...model,
        name: 'parameters',
        args: [node('encoder.layers.0.linear1.bias')],
        call: (on, [name]) => on.parameters.get(name).data,
      },
    ],
    parameter: ['data', 'grad', 'm', 'v'].map((name) => ({
      ...parameter,
      name,
      call: (on) => on[name],
    })),
    run: [
      { ...running, name: 'tensor', args: [step], call: (on, [a]) => on.tensor(a).shape },
      ...['logits', 'loss'].map((name) => ({
        ...running,
        name,
        call: (on) => on[name].shape ?? on[name],
      })),
      {
        ...running,
        name: 'steps',
        args: [optional(integer(0, 0, 1))],
        call: (on, a) => on.steps(...a),
      },
      {
        ...running,
        name: 'bypass',
        args: [node('encoder.layers.0.residual1'), optional(nullable(integer(0, 0, 1)))],
        call: (on, a) => {
          on.bypass(...a);
          on.forward();
          return on.logits.data;
        },
      },
      {
        ...running,
        name: 'freeze',
        args: [step, flag(true)],
        call: (on, a) => {
          on.freeze(...a);
          on.forward();
          return on.logits.data;
        },
      },
      {
        ...running,
        name: 'forward',
        args: [optional(step), optional(node('logits'))],
        call: (on, a) => {
          on.forward(...a);
          return on.logits.data;
        },
      },
      {
        ...running,
        name: 'backward',
        args: [
          optional(node('loss')),
          optional(
            other(
              [2],
              [
                wrong([null], 'null'),
                wrong([1, 2], 'array of 2'),
                wrong([Symbol('odd')], 'Symbol(odd)'),
                wrong({ data: [1, 2] }, 'array of 2'),
                wrong({ data: [1], shape: [1, 1] }, '[1,1]'),
              ],
            ),
          ),
        ],
        call: (on, a) => {
          on.backward(...a);
          return lookAt(on.tape);
        },
      },
    ],
    modelTrace: [
      {
        ...tracing,
        name: 'step',
        outlives: true,
        args: [step],
        call: (on, [a]) => on.step(a).data,
      },
      {
        ...tracing,
        name: 'edit',
        args: [step, index([1, 3]), less(real(0.5), (value) => typeof value === 'number')],
        call: (on, a) => {
          on.edit(...a);
          return on.steps.map(({ data }) => data);
        },
      },
      {
        ...tracing,
        name: 'edits',
        args: [editList],
        call: (on, a) => {
          on.edits(...a);
          return on.steps.map(({ data }) => data);
        },
      },
      {
        ...tracing,
        name: 'gradient',
        args: [node('logits'), index([1, 2])],
        call: (on, a) => {
          on.gradient(...a);
          return on.steps.map(({ grad }) => grad);
        },
      },
      {
        ...tracing,
        name: 'gradientInTurns',
        args: [node('logits'), index([1, 2]), optional(options({ signal }))],
        call: async (on, a) => {
          await on.gradientInTurns(...a);
          return on.steps.map(({ grad }) => grad);
        },
      },
      {
        ...tracing,
        name: 'nudge',
        args: [cell, goal, real(0.01)],
        call: (on, a) => on.nudge(...a),
      },
    ],
    /* Functions beside load, on a model of their own each. */
    onModels: [
      {
        ...model,
        name: 'traceModel',
        args: [options(single), optional(options(traced))],
        call: (on, a) => steps(traceModel(on, ...a)),
      },
      {
        ...model,
        name: 'forwardInTurns',
        args: [
          options(single),
          optional(options({ gradients: flag(true), signal, onProgress: listener })),
        ],
        call: async (on, a) => facts(await forwardInTurns(on, ...a)),
      },
      {
        ...model,
        name: 'traceModelInTurns',
        args: [options(single), optional(options({ ...traced, signal, onProgress: listener }))],
        call: async (on, a) => steps(await traceModelInTurns(on, ...a)),
      },
      {
        ...model,
        name: 'train',
        args: [other([batch, batch], wrongBatches), optional(options(training))],
        call: async (on, a) => withoutSpeed(await collect(train(on, ...a))),
      },
    ],
    inspection: [
      {
        ...inspecting,
        name: 'update',
        args: [node('encoder.layers.0.linear1.weight'), index([1, 2])],
        call: (on, a) => on.update(...a),
      },
    ],
  };
}
