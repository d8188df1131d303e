// The good call of what glassformer/stories exports.

import * as stories from '../../../bindings/lab/stories/index.js';
import {
  callback,
  integer,
  less,
  listOfTexts,
  nullable,
  optional,
  options,
  other,
  text,
  UINT32,
  word,
  wrong,
} from './kinds.js';
import { facts } from './makers.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

/** @param {Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const all = { make: () => ({ on: stories }) };
  const seed = integer(3, 0, UINT32);
  const model = stories.untrained(gf, 1);
  const small = stories.unborn(gf, 1);
  /* What a model needs for its gradients stays with it from its first run on. */
  for (const made of [model, small]) made.forward({ target: [0] }).dispose();
  const steps = integer(1, 1, 2 ** 31 - 1);
  const signal = optional(other(new AbortController().signal));
  const told = stories.heldOutStories(1, 2);
  const [{ decided }] = told;
  const withDecided = (one) => [{ ...told[0], decided: [{ ...decided[0], ...one }] }];
  const some = other(told, [
    wrong([null], 'null'),
    wrong([3], '3'),
    wrong([{ tokens: 3, decided: [] }], '3'),
    wrong([{ ...told[0], decided: null }], 'null'),
    wrong(withDecided({ position: -1 }), '-1'),
    wrong(withDecided({ position: 1000 }), '1000'),
    wrong(withDecided({ kind: 'verbs' }), '"verbs"'),
    wrong(withDecided({ token: 3 }), '3'),
    wrong(withDecided({ from: 3 }), '3'),
    wrong(withDecided({ from: [0.5] }), '0.5'),
  ]);
  const point = (score) => ({ step: 1, loss: 1, induction: [[score]], copying: [[0]] });
  const points = other(
    [point(0), point(1)],
    [
      wrong([], '0'),
      wrong([point(0)], '1'),
      wrong([null, null], 'null'),
      wrong([{}, {}], 'undefined'),
      wrong([point(0), { ...point(1), induction: [] }], 'undefined'),
      wrong([point(0), { ...point(1), induction: [['x']] }], '"x"'),
      wrong([{ ...point(0), step: Number.NaN }, point(1)], 'NaN'),
    ],
  );
  const first = (stream) => {
    for (const item of stream) return item;
  };
  const firstOf = async (stream) => {
    for await (const item of stream) return item;
  };
  return [
    { ...all, name: 'linkedStories', args: [some], call: (on, a) => on.linkedStories(...a) },
    { ...all, name: 'headJobs', args: [other(model), some], call: (on, a) => on.headJobs(...a) },
    {
      ...all,
      name: 'evaluate',
      args: [other(model), some, nullable(callback())],
      call: (on, a) => on.evaluate(...a),
    },
    {
      ...all,
      name: 'learn',
      args: [
        other(model),
        optional(
          options({
            steps: optional(
              less(integer(0, 0, 2 ** 31 - 1), (value) => value === Number.POSITIVE_INFINITY),
            ),
            seed: optional(seed),
            signal,
          }),
        ),
      ],
      call: (on, a) => firstOf(on.learn(...a)),
    },
    {
      ...all,
      name: 'layerExample',
      args: [other(model), text('Ben has a ball.'), integer(1, 0, 2)],
      call: (on, a) => on.layerExample(...a),
    },
    {
      ...all,
      name: 'likeliest',
      args: [other(model), listOfTexts(['<start>', 'Ben'])],
      call: (on, a) => on.likeliest(...a),
    },
    { ...all, name: 'testBatch', args: [some], call: (on, a) => on.testBatch(...a) },
    {
      ...all,
      name: 'trained',
      args: [other(gf), other(model.save())],
      call: (on, a) => facts(on.trained(...a)),
    },
    {
      ...all,
      name: 'untrained',
      args: [other(gf), optional(seed)],
      call: (on, a) => facts(on.untrained(...a)),
    },
    {
      ...all,
      name: 'unborn',
      args: [other(gf), optional(seed), optional(options({ layers: optional(integer(1, 1, 8)) }))],
      call: (on, a) => facts(on.unborn(...a)),
    },
    {
      ...all,
      name: 'birth',
      args: [
        other(small),
        optional(
          options({ steps: optional(steps), every: optional(steps), seed: optional(seed), signal }),
        ),
      ],
      /* What it trains and measures costs much, and is tested elsewhere: its arguments are checked at once. */
      call: (on, a) => typeof on.birth(...a).next,
    },
    { ...all, name: 'changeOf', args: [points], call: (on, a) => on.changeOf(...a) },
    {
      ...all,
      name: 'repeats',
      args: [seed, optional(integer(3, 0, 2 ** 31 - 1))],
      call: (on, a) => first(on.repeats(...a)),
    },
    {
      ...all,
      name: 'trainingStories',
      args: [seed],
      call: (on, a) => first(on.trainingStories(...a)),
    },
    {
      ...all,
      name: 'heldOutStories',
      args: [integer(2, 0, 10_000), seed, optional(word('casts'))],
      call: (on, a) => on.heldOutStories(...a),
    },
    { ...all, name: 'story', args: [seed, seed], call: (on, a) => on.story(...a) },
    ...['tokenize', 'storyInputs'].map((name) => ({
      ...all,
      name,
      args: [text('Ben has a ball.')],
      call: (on, a) => on[name](...a),
    })),
    {
      ...all,
      name: 'detokenize',
      args: [listOfTexts(['Ben', '.'])],
      call: (on, a) => on.detokenize(...a),
    },
  ];
}
