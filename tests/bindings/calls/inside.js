// The good call of what glassformer/inside exports.

import * as inside from '../../../bindings/lab/inside/index.js';
import {
  callback,
  flag,
  integer,
  less,
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
import { lookAtModel } from './model.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

const VOCAB = 8;
const LENGTH = 8;
export const GPT = {
  ...{ kind: 'gpt', vocab: VOCAB, dModel: 4, heads: 2, layers: 2, dFF: 4, maxLength: LENGTH },
  seed: 1,
};
const LAYERS = 2 ** 15 - 1;

/** @param {Glassformer} gf
 * @returns {Row[]} */
export function rows(gf) {
  const make = () => {
    const model = gf.model(GPT);
    const dispose = () => model.dispose();
    return { on: model, look: () => lookAtModel(model), dispose, done: dispose };
  };
  const inputs = options({
    target: plus(
      tokens([1, 2, 3], VOCAB),
      wrong(
        [
          [1, 2],
          [3, 4],
        ],
        'received 2',
      ),
    ),
  });
  const run = { target: [1, 4, 3] };
  const layer = integer(1, 0, 1);
  const head = integer(1, 0, 1);
  const token = integer(2, 0, VOCAB - 1);
  const position = optional(integer(-1, -3, 2));
  const stack = optional(word('decoder'));
  const part = optional(word('self_attn'));
  const listening = {
    signal: optional(other(new AbortController().signal)),
    onProgress: optional(callback()),
  };
  const metric = optional(
    options({
      kind: optional(word('difference')),
      token: optional(token),
      against: optional(token),
      position,
    }),
  );
  const wrongLists = [wrong([3], '3'), wrong([null], 'null'), wrong({}, 'an object {}')];
  const layers = optional(
    other([0, 1], [wrong([-1], '-1'), wrong([1.5], '1.5'), wrong(['0'], '"0"')]),
  );
  const each = word('head');
  const from = options({ target: other(run.target, [wrong([1], 'array of 1', 'received 1')]) });
  const place = { layer: 1, head: 0 };
  const places = other(
    [place],
    [
      ...wrongLists,
      wrong([{ ...place, layer: LAYERS + 1 }], String(LAYERS + 1)),
      wrong([{ ...place, layer: 2 }], 'layer 2'),
      wrong([{ ...place, head: 2 }], 'received 2'),
      wrong([{ ...place, head: '0' }], '"0"'),
      wrong([{ ...place, stack: 'odd' }], '"odd"'),
      wrong([{ ...place, part: 'odd' }], '"odd"'),
      wrong([{ node: 'odd' }], 'odd'),
      wrong([{ node: 'decoder.layers.0.linear1', index: [0, 3] }], '3'),
      wrong([{ node: 'decoder.layers.0.linear1', index: 3 }], '3'),
      wrong([{ ...place, odd: 1 }], '"odd"'),
    ],
  );
  const value = optional(
    other({ mean: [run] }, [
      wrong({ mean: [] }, 'at least one run'),
      wrong({ mean: [3] }, '3'),
      wrong({ run: 3 }, '3'),
      wrong({ mean: [run], run }, 'an object {mean, run}'),
    ]),
  );
  const link = { relation: 'first', query: 2, keys: [0] };
  const linked = [{ inputs: run, links: [link] }];
  const withLink = (change) => [{ inputs: run, links: [{ ...link, ...change }] }];
  const sender = { layer: 0, head: 1 };
  const receivers = other(
    [{ layer: 1, head: 0, input: 'query' }],
    [
      ...wrongLists,
      wrong([], 'at least one receiver'),
      wrong([{ layer: 9 }], 'layer 9'),
      wrong([{ layer: 1, head: 2, input: 'query' }], 'received 2'),
      wrong([{ layer: 1, head: 0, input: 'odd' }], '"odd"'),
    ],
  );
  const example = (label) => ({ inputs: { target: [1, label] }, label, position: 1 });
  const examples = [1, 2, 1, 2, 1, 2].map(example);
  const withFirst = (one) => examples.with(0, { ...examples[0], ...one });

  /** What an experiment takes besides the model.
   * @type {Record<string, import('./kinds.js').Kind[]>} */
  const args = {
    ablate: [inputs, options({ at: optional(places), metric, value, ...listening })],
    patch: [inputs, options({ each: optional(each), layers, metric, from, ...listening })],
    attributionPatch: [
      inputs,
      options({ from, each: optional(each), layers, metric, compare: flag(true), ...listening }),
    ],
    logitAttribution: [
      inputs,
      optional(
        options({
          ...{ position, token: optional(token), against: optional(token), keys: flag(true) },
          products: optional(less(word('embedding'), (given) => typeof given === 'boolean')),
          ...listening,
        }),
      ),
    ],
    circuits: [
      options({
        ...{ layer, head, stack, part },
        tokens: nullable(
          other(
            [1, 2],
            [wrong([], 'received 0'), wrong([VOCAB], String(VOCAB)), wrong(['1'], '"1"')],
          ),
        ),
        ...listening,
      }),
    ],
    contexts: [
      inputs,
      inputs,
      optional(
        options({
          positions: optional(
            other([0, -1], [...wrongLists.slice(2), wrong([3, 0], '3'), wrong([0, '0'], '"0"')]),
          ),
          ...{ stack, ...listening },
        }),
      ),
    ],
    labelShares: [
      less(
        other(examples, [
          wrong(examples.slice(0, 3), 'received 3'),
          wrong(withFirst({ label: null }), 'null'),
          wrong(withFirst({ position: 2 }), 'received 2'),
          wrong(withFirst({ inputs: 3 }), '3'),
          wrong(
            examples.map((one) => ({ ...one, label: 1 })),
            'received 1',
          ),
        ]),
        (given) => given?.[0] === 'odd',
      ),
      options({
        nodes: other(
          ['decoder.embedding'],
          [
            ...wrongLists.slice(2),
            wrong([], 'at least one step'),
            wrong([3], '3'),
            wrong(['odd'], 'odd'),
            wrong(['decoder.layers.0.self_attn.scores'], 'decoder.layers.0.self_attn.scores'),
          ],
        ),
        byPosition: flag(true),
        shuffles: optional(integer(2, 1, 1000)),
        seed: optional(integer(3, 0, UINT32)),
        ...listening,
      }),
    ],
    neighbours: [
      options({
        token,
        top: optional(integer(2, 1, VOCAB)),
        among: optional(
          other(
            [1, 2],
            [wrong({}, 'an object {}'), wrong([VOCAB], String(VOCAB)), wrong(['1'], '"1"')],
          ),
        ),
        ...listening,
      }),
    ],
    symmetry: [inputs, optional(options(listening))],
    logitLens: [
      inputs,
      optional(
        options({
          position,
          token: optional(token),
          top: optional(integer(2, 1, 100)),
          ...listening,
        }),
      ),
    ],
    paths: [
      inputs,
      options({
        ...{ from, metric, receivers: optional(receivers) },
        sender: optional(
          other(sender, [wrong({ layer: 9 }, 'layer 9'), wrong({ head: 0 }, 'undefined')]),
        ),
        ...listening,
      }),
    ],
    probe: [
      less(
        other(examples, [
          ...[[3], [null]].map((list) => wrong(list, 'received 1')),
          wrong(examples.slice(0, 3), 'received 3'),
          wrong(withFirst({ label: null }), 'null'),
          wrong(withFirst({ position: 2 }), 'received 2'),
          wrong(withFirst({ inputs: 3 }), '3'),
          wrong(examples.slice(0, 1), 'received 1'),
        ]),
        (given) => given?.[0] === 'odd',
      ),
      options({
        node: word('decoder.embedding'),
        heldOut: optional(real(0.25, 1e-40, 0.9)),
        seed: optional(integer(3, 0, UINT32)),
        steps: optional(integer(5, 1, 100_000)),
        decay: optional(real(0.01, 0, 1e6)),
        ...listening,
      }),
    ],
    rollout: [inputs, optional(options({ flow: flag(true), ...listening }))],
    headScores: [
      inputs,
      optional(
        options({
          repeat: nullable(
            options({
              length: optional(integer(3, 2, LENGTH / 2)),
              seed: optional(integer(3, 0, UINT32)),
            }),
          ),
          ...listening,
        }),
      ),
    ],
    headRoles: [
      other(linked, [
        ...wrongLists,
        wrong([], 'at least one run'),
        wrong(withLink({ query: 3 }), '3'),
        wrong(withLink({ keys: [3] }), '3'),
        wrong(withLink({ keys: 0 }), '0'),
        wrong(withLink({ relation: 1 }), '1'),
        wrong([{ ...linked[0], odd: 1 }], '"odd"'),
      ]),
      optional(
        options({
          stack,
          levels: optional(
            other({ near: ['previous'], far: ['first'] }, [
              wrong({ near: 'previous' }, '"previous"'),
              wrong({ near: ['odd'] }, '"odd"'),
            ]),
          ),
          ...listening,
        }),
      ),
    ],
    withoutHead: [options({ layer, head, stack: word('decoder'), part }), callback()],
    why: [
      inputs,
      options({
        ...{ layer, head, stack, part },
        query: position,
        key: nullable(position),
        ...listening,
      }),
    ],
  };
  const { information, recurrence, ...experiments } = inside;
  const weights = [0.25, 0.75];
  return [
    ...Object.entries(experiments).map(([name, experiment]) => ({
      name,
      make,
      args: args[name],
      call: (on, given) => experiment(on, ...given),
    })),
    {
      ...{ name: 'information', make: () => ({ on: inside }) },
      args: [
        other(weights, [wrong([0.5, '0.5'], '"0.5"'), wrong([0.5, null], 'null')]),
        optional(real(0.01, 1e-40)),
      ],
      call: (on, given) => on.information(...given),
    },
    {
      ...{ name: 'recurrence', make: () => ({ on: inside }) },
      args: [
        other(gf),
        optional(
          options({
            gain: optional(real(1, 0, 4)),
            units: optional(integer(3, 1, 64)),
            steps: optional(integer(4, 1, 200)),
            seed: optional(integer(3, 0, UINT32)),
          }),
        ),
      ],
      call: (on, given) => {
        const network = on.recurrence(...given);
        const { steps } = network;
        network.dispose();
        return steps;
      },
    },
  ];
}
