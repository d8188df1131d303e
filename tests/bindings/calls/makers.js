// The good call of what load() gives to make tapes and models.

import { readModel } from '../../../bindings/index.js';
import {
  boolean,
  callback,
  flag,
  index,
  integer,
  optional,
  options,
  other,
  real,
  UINT32,
  word,
  wrong,
} from './kinds.js';
import { TINY } from './model.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

const SOME = 2 ** 24;

/** A size of a model: near its end there is no memory for it. */
const size = (good, low, high = SOME) => optional(integer(good, low, high));
const never = optional(boolean(false));

const config = {
  kind: word('transformer'),
  vocab: optional(integer(7, 0, SOME)),
  sourceVocab: size(0, 0),
  maxLength: size(8, 1),
  dModel: { good: 4, wrong: size(4, 1).wrong.filter(({ value }) => value !== undefined) },
  heads: optional(integer(2, 1, 2)),
  kvHeads: optional(integer(1, 0, 2)),
  dFF: size(4, 1),
  layers: size(1, 0, 1024),
  decoderLayers: size(1, 0, 1024),
  positions: optional(word('learned')),
  norm: optional(word('rms')),
  preNorm: flag(true),
  finalNorm: flag(true),
  embeddingNorm: flag(true),
  activation: optional(word('gelu')),
  bias: flag(true),
  tied: flag(true),
  outputBias: flag(true),
  scaleEmbedding: flag(true),
  pooler: { good: undefined, wrong: [...never.wrong, wrong(true, 'true')] },
  prediction: { good: undefined, wrong: [...never.wrong, wrong(true, 'true')] },
  interleaved: flag(true),
  rotaryBase: optional(real(100, 1e-30, 1e30)),
  epsilon: optional(real(1e-5, 0, 1)),
  dropout: optional(real(0.1, 0, 0.99)),
  remove: optional(other(['scale'], [wrong(['odds'], '"odds"'), wrong([3], '3')])),
  seed: optional(integer(3, 0, UINT32)),
};

/** @param {any} model */
export const facts = (model) => {
  const seen = [model.config, model.parameters];
  model.dispose();
  return seen;
};

/** @param {Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const core = { make: () => ({ on: gf }) };
  const made = gf.model(TINY);
  const bytes = made.save();
  made.dispose();
  const read = readModel(bytes);
  return [
    {
      ...core,
      name: 'tape',
      call: (on) => {
        const tape = on.tape();
        const count = tape.nodes.length;
        tape.dispose();
        return count;
      },
    },
    {
      ...core,
      name: 'model',
      args: [options(config)],
      call: (on, a) => facts(on.model(...a)),
    },
    {
      ...core,
      name: 'summary',
      args: [
        options(config),
        optional(
          options({
            batch: optional(integer(2, 1, 2 ** 31 - 1)),
            source: optional(integer(3, 1, 8)),
            target: optional(integer(4, 1, 8)),
          }),
        ),
      ],
      call: (on, a) => on.summary(...a),
    },
    {
      ...core,
      name: 'stored',
      args: [
        options({
          type: word('f16'),
          rows: integer(2, 1, 2 ** 31 - 1),
          columns: integer(3, 1, 2 ** 31 - 1),
        }),
      ],
      call: (on, a) => {
        const matrix = on.stored(...a);
        matrix.dispose();
        return [matrix.type, matrix.rows, matrix.columns, matrix.bytes];
      },
    },
    ...['open', 'openInTurns'].map((name) => ({
      ...core,
      name,
      args: [
        options(
          {
            config: other(read.config, [wrong({ ...read.config, dModel: 8 }, '[7,8]')]),
            step: optional(integer(0, 0, UINT32)),
            parameters: other(read.parameters, [
              wrong(new Map(), 'missing'),
              wrong(new Map([...read.parameters, ['odd', { shape: [1], data: [1] }]]), '"odd"'),
              ...[3, null, {}, { shape: [3, 3], data: [] }, { shape: [4], data: 3 }].map((value) =>
                wrong(
                  new Map([...read.parameters, ['encoder.layers.0.norm1.bias', value]]),
                  'encoder.layers.0.norm1.bias',
                ),
              ),
            ]),
          },
          [wrong({ bytes }, '"bytes"')],
        ),
        ...(name === 'open'
          ? []
          : [
              optional(
                options({
                  signal: optional(other(new AbortController().signal)),
                  onProgress: optional(callback()),
                }),
              ),
            ]),
      ],
      call: async (on, a) => facts(await on[name](...a)),
    })),
  ];
}
