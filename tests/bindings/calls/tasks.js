// The good call of what glassformer/tasks exports, of a task, and of a vocabulary.

import * as tasks from '../../../bindings/lab/tasks/index.js';
import {
  callback,
  index,
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

/** @param {any} good */
const pairOf = (good) => other(good, [wrong({}, 'undefined'), wrong({ ...good, source: 3 }, '3')]);

/** @param {Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const { reverse } = tasks.tasks;
  const all = { make: () => ({ on: tasks }) };
  const one = { make: () => ({ on: reverse }) };
  const task = other(reverse);
  const seed = integer(3, 0, UINT32);
  const side = word('source');
  const pair = { source: 'abc', target: 'cba' };
  const pairs = other(
    [pair],
    [wrong([null], 'null'), wrong([3], '3'), wrong([{ source: 3, target: 'a' }], '3')],
  );
  const model = tasks.untrained(gf, reverse, 1);
  const words = ['<pad>', '<start>', '<end>', '<unknown>', 'a'];
  const vocabulary = { make: () => ({ on: new tasks.Vocabulary(words) }) };
  const first = (stream) => {
    for (const item of stream) return item;
  };
  return [
    {
      ...all,
      name: 'senseExamples',
      args: [
        other('lit', [wrong(3, '3'), wrong('zug', '"zug"')]),
        optional(options({ seed: optional(seed), count: optional(integer(3, 1, 12_000)) })),
      ],
      call: (on, a) => on.senseExamples(...a),
    },
    {
      ...all,
      name: 'kindExamples',
      args: [optional(options({ seed: optional(seed) }))],
      call: (on, a) => on.kindExamples(...a),
    },
    { ...all, name: 'isHeldOut', args: [text('abc')], call: (on, a) => on.isHeldOut(...a) },
    {
      ...all,
      name: 'sentenceLinks',
      args: [text('le chat')],
      call: (on, a) => on.sentenceLinks(...a),
    },
    {
      ...all,
      name: 'linkedSentences',
      args: [
        other([{ source: 'le chat dort' }], [wrong([{ source: 3 }], '3'), wrong([null], 'null')]),
      ],
      call: (on, a) => on.linkedSentences(...a),
    },
    { ...all, name: 'idsOf', args: [task, pairOf(pair)], call: (on, a) => on.idsOf(...a) },
    {
      ...all,
      name: 'taskBatches',
      args: [
        task,
        options({
          tokens: optional(integer(20, 1, UINT32)),
          seed,
          from: optional(integer(1, 0, 30_000_000)),
        }),
      ],
      call: (on, a) => first(on.taskBatches(...a)),
    },
    { ...all, name: 'testBatch', args: [task, pairs], call: (on, a) => on.testBatch(...a) },
    {
      ...all,
      name: 'untrained',
      args: [other(gf), task, optional(seed)],
      call: (on, a) => facts(on.untrained(...a)),
    },
    {
      ...all,
      name: 'trained',
      args: [other(gf), task, other(model.save())],
      call: (on, a) => facts(on.trained(...a)),
    },
    {
      ...all,
      name: 'learn',
      args: [
        other(model),
        task,
        optional(
          options({
            steps: optional(
              less(integer(0, 0, 2 ** 31 - 1), (value) => value === Number.POSITIVE_INFINITY),
            ),
            seed: optional(seed),
            signal: optional(other(new AbortController().signal)),
          }),
        ),
      ],
      call: async (on, a) => {
        for await (const step of on.learn(...a)) return step.loss;
      },
    },
    ...['answer', 'answerTokens'].map((name) => ({
      ...all,
      name,
      args: [other(model), task, text('abc')],
      call: (on, a) => on[name](...a),
    })),
    {
      ...all,
      name: 'evaluate',
      args: [other(model), task, pairs, nullable(callback())],
      call: (on, a) => on.evaluate(...a),
    },
    ...['tokenize', 'detokenize'].map((name) => ({
      ...one,
      name,
      args: [side, name === 'tokenize' ? text('abc') : listOfTexts(['a', 'b'])],
      call: (on, a) => on[name](...a),
    })),
    { ...one, name: 'sample', args: [seed, seed], call: (on, a) => on.sample(...a) },
    {
      ...one,
      name: 'trainingPairs',
      args: [seed],
      call: (on, a) => first(on.trainingPairs(...a)),
    },
    {
      ...one,
      name: 'heldOut',
      args: [integer(3, 0, 10_000), seed, optional(word('sources'))],
      call: (on, a) => on.heldOut(...a),
    },
    ...['unknown', 'solve'].map((name) => ({
      ...one,
      name,
      args: [text('abc')],
      call: (on, a) => on[name](...a),
    })),
    ...['vocabulary', 'dictionary'].map((name) => ({
      ...one,
      name,
      call: (on) => on[name],
    })),
    {
      ...all,
      name: 'Vocabulary',
      args: [
        other(words, [
          wrong([], 'undefined'),
          wrong([...words, 'a'], '"a"'),
          wrong([...words, ''], '""'),
          wrong([...words, 3], '3'),
          wrong(['a', ...words], '"a"'),
        ]),
      ],
      call: (on, a) => new on.Vocabulary(...a),
    },
    {
      ...vocabulary,
      name: 'encode',
      args: [listOfTexts(['a', '<end>'])],
      call: (on, a) => on.encode(...a),
    },
    {
      ...vocabulary,
      name: 'decode',
      args: [other([4, 2], [wrong([5], '5'), wrong([-1], '-1'), wrong(['4'], '"4"')])],
      call: (on, a) => on.decode(...a),
    },
    { ...vocabulary, name: 'toJSON', call: (on) => on.toJSON() },
    { ...vocabulary, name: 'size', call: (on) => on.size },
  ];
}
