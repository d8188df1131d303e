// The good call of what the package exports beside load(), and of what makes models.

import * as root from '../../../bindings/index.js';
import { openTokenizer } from '../../../bindings/models/formats/tokenizer.js';
import {
  flag,
  index,
  integer,
  less,
  node,
  nullable,
  optional,
  options,
  other,
  plus,
  Ref,
  real,
  text,
  thing,
  UINT32,
  word,
  wrong,
} from './kinds.js';
import { batch, TINY, training, wrongBatches } from './model.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

const example = 'three-tokens';

/** What is no file of ours. */
const wrongBytes = [
  wrong(new Uint8Array(0), 'received 0'),
  wrong(new Uint8Array(7), 'received 7'),
  wrong(new Uint8Array(8), 'its end'),
  wrong(new Uint8Array(8).fill(255), '18446744073709551615'),
  wrong(detachedBytes(), 'detached'),
];

function detachedBytes() {
  const bytes = new Uint8Array(20);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

const tokenizerFiles = {
  tokenizer: {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab: { '[UNK]': 0, love: 1, robotics: 2 }, unk_token: '[UNK]' },
  },
  config: {},
};

const ids = other(
  [1, 2],
  [wrong([-1], '-1'), wrong([1.5], '1.5'), wrong(['1'], '"1"'), wrong([null], 'null')],
);

/** @param {Glassformer} gf
 * @returns {Record<string, Row[]>} */
export function rows(gf) {
  const alone = { make: () => ({ on: root }) };
  const made = gf.model(TINY);
  /* The memory of a model's gradients is the model's. */
  root.inspect(made, [batch]).dispose();
  const bytes = made.save();
  const { config: theirs, bytes: file } = root.exportModel(made);
  const engine = (good) => other(good, [wrong({}, 'an object {}')]);

  const traced = () => {
    const trace = root.traceExample(gf, example);
    return {
      on: trace,
      look: () => [trace.steps, trace.mismatches, trace.asides],
      dispose: () => trace.dispose(),
      done: () => trace.dispose(),
    };
  };
  const graded = () => {
    const subject = traced();
    subject.on.gradient('output', [0, 0]);
    return { ...subject, on: root, refs: { trace: subject.on } };
  };
  const cell = options({ node: node('output'), index: index([0, 0]) });
  const edit = { node: 'x', index: [0, 1], value: 0.5 };
  const editList = other(
    [edit],
    [
      wrong([3], '3'),
      wrong([{ ...edit, node: 'odds' }], '"odds"'),
      wrong([{ ...edit, node: Symbol('odd') }], 'Symbol(odd)'),
      wrong([{ ...edit, index: [9, 9] }], '[9,9]'),
      wrong([{ ...edit, value: 'odd' }], '"odd"'),
      wrong([{ ...edit, odd: 1 }], '"odd"'),
    ],
  );
  const traceOptions = options({
    remove: optional(
      other(
        ['scale'],
        [
          wrong(['odds'], '"odds"'),
          wrong([3], '3'),
          wrong([Symbol('odd')], 'Symbol(odd)'),
          wrong(['mask'], '"mask"'),
        ],
      ),
    ),
    edits: optional(editList),
  });
  /* Three nodes, x among them, for what is said about one. */
  const inputs = { q: [[1, 2]], k: [[1, 2]], v: [[1, 2]] };
  const own = { name: 'own', title: '', source: '', about: '', inputs };
  const wrongExamples = [
    wrong({ ...own, odd: 1 }, '"odd"'),
    wrong({ ...own, inputs: null }, 'null'),
    wrong({ ...own, inputs: {} }, 'q is missing'),
    wrong({ ...own, inputs: { ...inputs, odd: [[1]] } }, '"odd"'),
    wrong({ ...own, inputs: { ...inputs, k: [[1, 2, 3]] } }, 'in k as in q'),
    wrong({ ...own, inputs: { ...inputs, q: [['odd', 2]] } }, '"odd"'),
    wrong({ ...own, inputs: { ...inputs, q: 3 } }, '3'),
    wrong({ ...own, inputs: { ...inputs, q: { shape: 3, uniform: {} } } }, '3'),
    wrong({ ...own, inputs: { ...inputs, q: { shape: [1, 2], uniform: 3 } } }, '3'),
    wrong({ ...own, inputs: { ...inputs, q: { shape: [1, 2] } } }, 'undefined'),
    wrong({ ...own, attention: 3 }, '3'),
    wrong({ ...own, attention: { heads: 0 } }, 'heads 0'),
    wrong({ ...own, attention: { heads: 'odd' } }, '"odd"'),
    wrong({ ...own, attention: { causal: 3 } }, '3'),
    wrong({ ...own, attention: { positions: 'odd' } }, '"odd"'),
    wrong({ ...own, printed: { odd: [['1']] } }, '"odd"'),
    wrong({ ...own, printed: 3 }, '3'),
    wrong({ ...own, printed: { scores: [['odd']] } }, 'odd'),
    wrong({ ...own, printed: { scores: [['1', '2']] } }, 'array of 2'),
    wrong({ ...own, asides: 3 }, '3'),
    wrong({ ...own, asides: [3] }, '3'),
    wrong({ ...own, asides: [{ fn: 'odd', printed: '1' }] }, '"odd"'),
    wrong({ ...own, asides: [{ fn: 'exp', of: 'odd', printed: '1' }] }, '"odd"'),
    wrong({ ...own, asides: [{ fn: 'sqrt', value: 4, printed: 3 }] }, '3'),
    wrong({ ...own, positions: 3 }, '3'),
    wrong({ ...own, positions: [3] }, '3'),
    wrong({ ...own, positions: [{ node: 'p', positions: 3, channels: 4 }] }, '3'),
    wrong({ ...own, positions: [{ node: 'p', positions: [1], channels: 'odd' }] }, '"odd"'),
    wrong({ ...own, norm: 3 }, '3'),
    wrong({ ...own, norm: { epsilon: -1 }, inputs: { x: [[1, 2]] } }, '-1'),
    wrong({ ...own, norm: { epsilon: 1 } }, 'x'),
    wrong({ ...own, schedule: 3 }, '3'),
    wrong({ ...own, schedule: { kind: 'odd', steps: [1] } }, '"odd"'),
    wrong({ ...own, schedule: { kind: 'noam', dModel: 8, warmup: 2, steps: 3 } }, '3'),
  ];

  const pair = { source: [3, 4], target: [4, 3] };
  const wrongPairs = [3, null, { target: 3 }, { source: 3, target: [1] }, {}].map((item) =>
    wrong([item], item instanceof Object ? 'an object {' : String(item)),
  );

  return {
    functions: [
      {
        ...alone,
        name: 'load',
        args: [
          optional(
            options({ simd: { good: true, wrong: flag(true).wrong } }, [
              wrong({ simd: false }, 'needs SIMD'),
              wrong({ core: 3 }, '3'),
              wrong({ module: 3 }, '3'),
              wrong({ module: null }, 'null'),
              wrong({ module: new Uint8Array(0) }, 'empty'),
              wrong({ module: new TextEncoder().encode('<html>') }, 'HTML'),
              wrong({ module: detachedBytes() }, 'detached'),
            ]),
          ),
        ],
        call: async (on, a) => Object.keys(await on.load(...a)),
      },
      {
        ...alone,
        name: 'open',
        args: [
          other(bytes, [
            wrong(new Uint8Array(7), 'at byte 7'),
            wrong(new Uint8Array(20), 'received'),
          ]),
          optional(
            options(
              {
                stored: flag(true),
                arithmetic: optional(word('exact')),
                signal: optional(thing(new AbortController().signal)),
              },
              [
                wrong({ arithmetic: 'integer' }, 'stores no integers'),
                wrong({ gf: {} }, 'an object {}'),
              ],
            ),
          ),
        ],
        call: async (on, a) => {
          const { model } = await on.open(...a);
          const { size } = model;
          model.dispose();
          return size;
        },
      },
      {
        ...alone,
        name: 'sentence',
        args: [
          plus(text('I love robotics'), wrong('', 'received 0')),
          optional(
            options({
              dModel: optional(integer(4, 1, 1024)),
              dK: optional(integer(4, 1, 1024)),
              heads: optional(integer(2, 1, 2)),
              seed: optional(integer(3, 0, UINT32)),
              positions: optional(less(word('learned'), (value) => typeof value === 'boolean')),
              causal: flag(true),
            }),
          ),
        ],
        call: (on, a) => on.sentence(...a),
      },
      {
        ...alone,
        name: 'batches',
        args: [
          other([pair, pair], [wrong([], 'array of 0'), ...wrongPairs]),
          optional(
            options({
              tokens: optional(integer(6, 1, UINT32)),
              seed: optional(integer(3, 0, UINT32)),
              start: nullable(integer(1, 0, UINT32)),
              end: nullable(integer(2, 0, UINT32)),
              from: optional(integer(1, 0, Number.MAX_SAFE_INTEGER)),
              window: optional(integer(4, 1, 100_000)),
            }),
          ),
        ],
        call: (on, a) => on.batches(...a).next().value,
      },
      {
        ...alone,
        name: 'readModel',
        args: [other(bytes, [...wrongBytes, wrong(file, 'undefined')])],
        call: (on, a) => on.readModel(...a),
      },
      {
        ...alone,
        name: 'importModel',
        args: [
          options(
            {
              config: less(
                other(theirs, [wrong({ ...theirs, model_type: 'odd' }, '"odd"')]),
                (value) => value?.odd === 1,
              ),
              bytes: other(file, wrongBytes),
            },
            Object.keys(theirs)
              .filter(
                (key) => Number.isInteger(theirs[key]) && key !== 'rotaryBase' && key !== 'dropout',
              )
              .flatMap((key) =>
                [-1, Number.NaN, 1.5, 'odd', 2 ** 32].map((value) =>
                  wrong(
                    { config: { ...theirs, [key]: value }, bytes: file },
                    String(value).slice(0, 7),
                  ),
                ),
              ),
          ),
        ],
        call: (on, a) => on.importModel(...a),
      },
      {
        ...alone,
        name: 'exportModel',
        args: [other(made), optional(word('torch'))],
        call: (on, a) => on.exportModel(...a),
      },
      {
        ...alone,
        name: 'inspect',
        args: [
          other(made),
          other([batch], [...wrongBatches, wrong([], 'array of 0')]),
          optional(options({ ...training, accumulate: optional(integer(1, 1, 1)) })),
        ],
        call: (on, a) => {
          const inspection = on.inspect(...a);
          const { loss, gradientNorm, learningRate } = inspection;
          inspection.dispose();
          return [loss, gradientNorm, learningRate];
        },
      },
      {
        ...alone,
        name: 'traceExample',
        args: [engine(gf), word(example), optional(traceOptions)],
        call: (on, a) => {
          const trace = on.traceExample(...a);
          const seen = trace.toJSON();
          trace.dispose();
          return seen;
        },
      },
      {
        ...alone,
        name: 'traceExample',
        args: [engine(gf), other(own, wrongExamples)],
        call: (on, a) => {
          const trace = on.traceExample(...a);
          const seen = trace.toJSON();
          trace.dispose();
          return seen;
        },
      },
      {
        make: graded,
        outlives: true,
        name: 'explain',
        args: [other(new Ref('trace')), node('output'), index([0, 0]), engine(gf)],
        call: (on, a) => on.explain(...a),
      },
      {
        make: graded,
        outlives: true,
        name: 'chain',
        args: [other(new Ref('trace')), cell, node('v'), index([0, 0]), engine(gf)],
        call: (on, a) => on.chain(...a),
      },
    ],
    trace: [
      {
        make: traced,
        name: 'step',
        outlives: true,
        args: [node('scores')],
        call: (on, [a]) => on.step(a),
      },
      { make: traced, name: 'tokens', outlives: true, call: (on) => on.tokens },
      { make: traced, name: 'toJSON', outlives: true, call: (on) => on.toJSON() },
      {
        make: traced,
        name: 'edit',
        args: [node('x'), index([0, 1]), less(real(0.5), (value) => typeof value === 'number')],
        call: (on, a) => {
          on.edit(...a);
          return on.steps;
        },
      },
      {
        make: traced,
        name: 'edits',
        args: [editList],
        call: (on, a) => {
          on.edits(...a);
          return on.steps;
        },
      },
      {
        make: traced,
        name: 'gradient',
        args: [node('output'), index([0, 1])],
        call: (on, a) => {
          on.gradient(...a);
          return on.steps;
        },
      },
      {
        make: traced,
        name: 'nudge',
        args: [options({ node: node('x'), index: index([0, 1]) }), cell, real(0.01)],
        call: (on, a) => on.nudge(...a),
      },
    ],
    tokenizer: [
      {
        make: () => ({ on: openTokenizer }),
        name: 'openTokenizer',
        args: [
          options({
            tokenizer: other(tokenizerFiles.tokenizer),
            config: optional(thing({})),
          }),
          optional(options({ timeout: optional(integer(9000, 1, 2 ** 31 - 1)) })),
        ],
        call: (open, a) => open(...a).encode('love'),
      },
      ...[
        { name: 'encode', args: [text('Love robotics')] },
        { name: 'decode', args: [ids] },
        { name: 'tokens', args: [ids] },
      ].map((row) => ({
        ...row,
        make: () => ({ on: openTokenizer(tokenizerFiles) }),
        call: (on, a) => on[row.name](...a),
      })),
    ],
  };
}
