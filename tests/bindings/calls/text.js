// The good call of what glassformer/text exports.

import { exportModel } from '../../../bindings/index.js';
import * as texts from '../../../bindings/models/text/index.js';
import { openCheckpoint } from '../../../bindings/models.js';
import { GPT } from './inside.js';
import {
  callback,
  flag,
  INT32,
  integer,
  less,
  listOfTexts,
  optional,
  options,
  other,
  plus,
  real,
  UINT32,
  word,
  wrong,
} from './kinds.js';
import { lookAtModel } from './model.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

const { vocab: VOCAB } = GPT;
const LETTERS = [...'abcdefg_'];
const tokenizer = {
  encode: (text) => Array.from(text, (letter) => Math.max(0, LETTERS.indexOf(letter))),
  decode: (ids) => Array.from(ids, (id) => LETTERS[id]).join(''),
};

/** A model whose file has classes of tokens.
 * @param {any} gf */
async function classifierOfTokens(gf) {
  const plain = { head: 'none', pooler: false, prediction: false, outputBias: false };
  const body = gf.model({ ...GPT, ...plain, kind: 'bert' });
  const { config, bytes } = exportModel(body, 'bert');
  body.dispose();
  const header = JSON.stringify({
    'classifier.weight': { dtype: 'F32', shape: [2, 4], data_offsets: [0, 32] },
    'classifier.bias': { dtype: 'F32', shape: [2], data_offsets: [32, 40] },
  });
  const head = new Blob([BigUint64Array.of(BigInt(header.length)), header, new Uint8Array(40)]);
  const id2label = { 0: 'no', 1: 'yes' };
  const checkpoint = await openCheckpoint([bytes, head], { config: { ...config, id2label } });
  return async () => {
    const model = await gf.openModel(checkpoint);
    return { on: model, look: () => lookAtModel(model), done: () => model.dispose() };
  };
}

/** @param {Glassformer} gf
 * @returns {Promise<Row[]>} */
export async function rows(gf) {
  /** @param {object} config */
  const making = (config) => () => {
    const model = gf.model({ ...GPT, ...config });
    const dispose = () => model.dispose();
    return { on: model, look: () => lookAtModel(model), dispose, done: dispose };
  };
  const gpt = making({});
  const bert = making({ kind: 'bert' });
  const classifying = await classifierOfTokens(gf);
  const alone = () => ({ on: null });
  const idList = [
    wrong([VOCAB], String(VOCAB)),
    wrong([-1], '-1'),
    wrong([1.5], '1.5'),
    wrong([], 'received'),
  ];
  const text = (good) =>
    less(
      other(good, [wrong('', '""'), ...idList]),
      (value) => typeof value === 'string' && value !== '',
    );
  const listOf = (good) =>
    less(
      other(good, [
        wrong([3], '3'),
        wrong([''], '""'),
        wrong([null], 'null'),
        wrong([[VOCAB]], String(VOCAB)),
      ]),
      (value) => Array.isArray(value) && typeof value[0] === 'string' && value[0] !== '',
    );
  const encoder = other(tokenizer);
  const signal = optional(other(new AbortController().signal));
  const listening = { signal, onProgress: optional(callback()) };
  const tokens = optional(
    other([1, 2], [wrong([VOCAB], String(VOCAB)), wrong([-1], '-1'), wrong(['1'], '"1"')]),
  );
  const generation = {
    maxNewTokens: optional(integer(3, 0, UINT32)),
    whenFull: optional(word('end')),
    temperature: optional(less(real(0.5, 1e-6, 1e6), (value) => value === 0)),
    topK: optional(integer(3, 0, UINT32)),
    topP: optional(real(0.9, 0, 1)),
    minP: optional(real(0.1, 0, 1)),
    seed: optional(integer(3, 0, UINT32)),
    repetitionPenalty: optional(real(1.1, 1e-40, 100)),
    frequencyPenalty: optional(real(0.1, -100, 100)),
    presencePenalty: optional(real(0.1, -100, 100)),
    banned: tokens,
    forced: tokens,
    process: optional(callback()),
    best: optional(integer(2, 0, VOCAB)),
    stopTokens: tokens,
    ...listening,
  };
  const hooks = optional(
    less(
      other({ 'decoder.norm': () => {} }, [
        wrong({ 'decoder.norm': 3 }, '3'),
        wrong({ 'decoder.nrm': () => {} }, 'did you mean'),
        wrong({ 'decoder.norm': () => [] }, 'returns nothing'),
      ]),
      /* One of no hooks, and one whose names are checked before all else. */
      (value) =>
        'odd' in Object(value) ||
        ({}.toString.call(value) === '[object Object]' && !Object.keys(value).length),
    ),
  );
  /* What is wrong with a schema is in schema.test.js. */
  const schema = { good: undefined, wrong: [wrong({ type: 'null' }, 'leave stop out')] };
  const stops = {
    schema,
    stop: optional(
      plus(
        less(listOfTexts(['zz']), (value) => value === 'odd'),
        ...['', ['']].map((value) => wrong(value, '""')),
      ),
    ),
  };
  const truncate = flag(true);
  const embedding = {
    pooling: optional(word('first')),
    normalize: flag(true),
    truncate,
    ...listening,
  };
  const collect = async (stream) => {
    const all = [];
    for await (const item of stream) all.push(item);
    return all;
  };
  const examples = [
    { text: 'ab', label: 'low' },
    { text: 'fg', label: 'high' },
  ];
  const wrongExamples = [
    wrong([3], '3'),
    wrong([null], 'null'),
    wrong([{ text: 3, label: 'low' }, examples[1]], '3'),
    wrong([{ text: 'ab', label: 3 }, examples[1]], '3'),
  ];
  const classifier = {
    ...{ labels: ['no', 'yes'], width: GPT.dModel, weight: new Float32Array(2 * GPT.dModel) },
    ...{ bias: new Float32Array(2), pooling: 'mean', normalize: true },
  };
  const vector = (good) =>
    other(good, [
      wrong([], 'array of 0'),
      wrong(good.with(0, Number.NaN), 'NaN'),
      wrong(good.with(0, '1'), '"1"'),
    ]);
  const padded = [
    wrong([3], '3'),
    wrong([[1.5]], '1.5'),
    wrong([['1']], '"1"'),
    wrong([[2 ** 31]], String(2 ** 31)),
  ];
  return [
    {
      name: 'generateTokens',
      make: gpt,
      args: [text([1, 2]), optional(options({ ...generation, hooks }))],
      call: (on, a) => collect(texts.generateTokens(on, ...a)),
    },
    {
      name: 'generateText',
      make: gpt,
      args: [encoder, text('ab'), optional(options({ ...generation, ...stops, hooks }))],
      call: (on, a) => collect(texts.generateText(on, ...a)),
    },
    {
      name: 'generateTexts',
      make: gpt,
      args: [encoder, listOf(['ab', 'c']), optional(options({ ...generation, ...stops }))],
      call: (on, a) => texts.generateTexts(on, ...a),
    },
    {
      name: 'fillMask',
      make: bert,
      args: [
        encoder,
        plus(less(text('a_c'), Array.isArray), wrong('abc', 'no mask'), wrong([VOCAB], 'no mask')),
        optional(
          options({
            best: optional(integer(3, 1, VOCAB)),
            mask: optional(integer(7, 0, VOCAB - 1)),
            signal,
          }),
        ),
      ],
      call: (on, a) => texts.fillMask(on, ...a),
    },
    {
      name: 'embed',
      make: gpt,
      args: [encoder, listOf(['ab', 'c']), optional(options(embedding))],
      call: (on, a) => texts.embed(on, ...a),
    },
    {
      name: 'trainClassifier',
      make: gpt,
      args: [
        encoder,
        other(examples, [...wrongExamples, wrong([], 'received 0')]),
        optional(
          options({
            ...embedding,
            validation: optional(other(examples, wrongExamples)),
            steps: optional(integer(2, 1, INT32)),
            rate: optional(real(0.01, 0, 100)),
            weightDecay: optional(real(0.01, 0, 1)),
          }),
        ),
      ],
      /* Many steps are many turns, which a signal ends. */
      call: (on, [encode, list, given]) => {
        const ending = new AbortController();
        const few = { signal: ending.signal, onProgress: ({ step }) => step > 3 && ending.abort() };
        const asked =
          typeof given?.steps === 'number' && given.steps > 100 ? { ...given, ...few } : given;
        return texts.trainClassifier(on, encode, list, asked);
      },
    },
    {
      name: 'classify',
      make: gpt,
      args: [
        encoder,
        listOf(['ab', 'c']),
        less(
          other(classifier, [
            wrong({ ...classifier, width: 5 }, 'an object'),
            wrong({ ...classifier, labels: 3 }, 'an object'),
            wrong({ ...classifier, pooling: 'odd' }, '"odd"'),
            wrong(['no', 'yes'], 'no head for classes'),
          ]),
          (given) => Array.isArray(given) && given.length === 1,
        ),
        optional(options({ truncate, ...listening })),
      ],
      call: (on, a) => texts.classify(on, ...a),
    },
    {
      name: 'classifyTokens',
      make: classifying,
      outlives: true,
      args: [
        encoder,
        listOf(['ab', 'c']),
        plus(
          less(other(['no', 'yes']), Array.isArray),
          wrong(['no', 'no'], 'received 1'),
          wrong(['no', 3], '3'),
        ),
        optional(options({ truncate, multiLabel: flag(true), ...listening })),
      ],
      call: (on, a) => texts.classifyTokens(on, ...a),
    },
    {
      name: 'nearest',
      make: alone,
      outlives: true,
      args: [
        vector([1, 0]),
        other(
          [
            [0, 2],
            [3, 3],
          ],
          [wrong([3], '3'), wrong([[1, 2, 3]], 'array of 3'), wrong([[1, Number.NaN]], 'NaN')],
        ),
        integer(1, 0, INT32),
      ],
      call: (_, a) => texts.nearest(...a),
    },
    {
      name: 'pad',
      make: alone,
      outlives: true,
      args: [
        other([[1, 2], [3]], padded),
        optional(
          options({ value: optional(integer(0, -(2 ** 31), INT32)), side: optional(word('left')) }),
        ),
      ],
      call: (_, a) => texts.pad(...a),
    },
    {
      name: 'unpad',
      make: alone,
      outlives: true,
      args: [
        other(
          [
            [1, 2],
            [3, 0],
          ],
          padded,
        ),
        other(
          [
            [1, 1],
            [1, 0],
          ],
          [
            ...padded,
            wrong([[1, 1]], 'received 1'),
            wrong([[1, 1], [1]], 'received 1'),
            wrong(
              [
                [1, 1],
                [0, 0],
              ],
              '0,0',
            ),
            wrong(
              [
                [1, 1],
                [11, 0],
              ],
              '11',
            ),
          ],
        ),
      ],
      call: (_, a) => texts.unpad(...a),
    },
  ];
}
