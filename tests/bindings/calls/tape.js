// The good call of each method of a tape and of a tensor.

import { plainOps } from '../../../bindings/build/table.js';
import { load } from '../../../bindings/index.js';
import {
  boolean,
  filled,
  INT32,
  index,
  integer,
  newName,
  node,
  nullable,
  optional,
  options,
  other,
  Ref,
  real,
  shape,
  tensor,
  word,
  wrong,
} from './kinds.js';

/** @typedef {import('./wrong.js').Row} Row */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */

/** Tensors that belong elsewhere: to another tape, another engine, a tape that is gone.
 * @param {Glassformer} gf */
async function strangers(gf) {
  const [foreign, gone] = [(await load()).tape(), gf.tape()];
  const all = [
    [gf.tape(), 'stranger'],
    [foreign, 'foreign'],
    [gone, 'gone'],
  ].map(([tape, name]) => wrong(tape.input(name, [2, 3]), `"${name}"`));
  gone.dispose();
  return all;
}

/** What is there, or why it is not.
 * @param {() => unknown} look */
export const seen = (look) => {
  try {
    return look();
  } catch (error) {
    return /** @type {any} */ (error).code;
  }
};

/** What a tensor says of itself. */
const DESCRIPTION = [
  ...['role', 'parameter', 'axes', 'sequences', 'stack', 'layer', 'part', 'heads', 'removal'],
];

/** All that can be seen of a tape.
 * @param {any} tape */
export const lookAt = (tape) =>
  tape.nodes.map((node) => {
    const { name, op, shape, attributes, bypassed, frozen } = node;
    const inputs = node.inputs.map((input) => input?.name);
    const numbers = [seen(() => node.data), seen(() => node.grad)];
    const about = DESCRIPTION.map((field) => node[field]);
    return { name, op, shape, attributes, inputs, bypassed, frozen, about, numbers };
  });

const LEAVES = {
  input: { x: [2, 3], s: [1, 2, 2, 2], b2: [2], turns: [2, 1, 2] },
  parameter: { w: [3, 2], b: [2], g: [3], square: [2, 2] },
  ids: { t: [2], at: [1], key: [2] },
};

/** The numbers 1 to 6 for the parameter w, as float16.
 * @param {Glassformer} gf */
const halves = (gf) =>
  gf
    .stored({ type: 'f16', rows: 2, columns: 3 })
    .put(Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600));

/** A tape of leaves, open to nodes.
 * @param {Glassformer} gf */
function draft(gf) {
  const tape = gf.tape();
  /** @type {Record<string, any>} */
  const refs = {};
  for (const [kind, all] of Object.entries(LEAVES)) {
    for (const [name, shape] of Object.entries(all)) refs[name] = tape[kind](name, shape);
  }
  const dispose = () => tape.dispose();
  return { on: tape, refs, look: () => lookAt(tape), dispose, done: dispose };
}

/** Plans it, fills it with numbers that depend on the place alone, and runs it.
 * @param {any} tape */
function run(tape) {
  tape.plan();
  for (const leaf of tape.nodes.filter(({ op }) => op === 'leaf')) {
    leaf.data.set(leaf.data.map((_, i) => (leaf.kind === 'ids' ? i % 2 : (i % 5) / 4 - 0.4)));
  }
  tape.forward();
}

/** The same with a product and what follows.
 * @param {Glassformer} gf */
function built(gf) {
  const subject = draft(gf);
  const { on, refs } = subject;
  refs.q = on.linear(refs.x, refs.w, null, 'q');
  refs.y = on.scale(refs.q, 2, 'y');
  return subject;
}

/** The same, planned and run; then x was changed.
 * @param {Glassformer} gf */
function ready(gf) {
  const subject = built(gf);
  const { on, refs } = subject;
  run(on);
  on.backward('y', { data: [1, 2, 3, 4] });
  refs.x.data.fill(3);
  return subject;
}

/** @param {Glassformer} gf
 * @returns {Promise<{ tape: Row[], tensor: Row[] }>} */
export async function rows(gf) {
  const others = await strangers(gf);
  const ref = (name) => tensor(new Ref(name), others);
  const maybe = (name) => nullable(ref(name));
  const pick = (name) => node(new Ref(name), others);
  const fresh = newName('made', 'x');
  const matrix = halves(gf);
  const epsilon = real(1e-5, 0);

  /** A tensor, or a number. */
  const ofNumber = {
    ...ref('g'),
    wrong: ref('g').wrong.filter(({ value }) => !Number.isFinite(value)),
  };

  /** What each builder takes before the name. */
  const builders = {
    input: [],
    parameter: [],
    ids: [],
    embed: [ref('w'), ref('t')],
    position: [ref('t'), integer(4, 1, 2 ** 30 - 1), options({ halves: optional(boolean(true)) })],
    rotation: [ref('t'), integer(4, 2, 2 ** 30 - 1), real(100, 1e-30)],
    rope: [ref('square'), ref('turns'), options({ interleaved: optional(boolean(true)) })],
    alibi: [ref('s'), maybe('at')],
    ...Object.fromEntries(['add', 'sub', 'mul', 'div'].map((op) => [op, [ref('x'), ofNumber]])),
    scale: [ref('x'), real(2)],
    linear: [ref('x'), ref('w'), maybe('b')],
    matmul: [ref('x'), ref('w')],
    matmulTransposed: [ref('square'), ref('square')],
    softmax: [ref('x')],
    logSoftmax: [ref('x')],
    layerNorm: [ref('x'), maybe('g'), maybe('g'), epsilon],
    rmsNorm: [ref('x'), maybe('g'), epsilon],
    topK: [ref('x'), integer(2, 1, 3)],
    topKIds: [ref('x'), integer(2, 1, 3)],
    relu: [ref('x')],
    gelu: [ref('x'), options({ approximate: optional(word('tanh')) })],
    silu: [ref('x'), real(2)],
    sigmoid: [ref('x')],
    tanh: [ref('x')],
    erf: [ref('x')],
    exp: [ref('x')],
    softcap: [ref('x'), real(2, 1e-30)],
    swiglu: [ref('x'), ref('x'), real(2)],
    dropout: [ref('x'), ref('key'), real(0.5, 0, 0.99)],
    crossEntropy: [
      ref('x'),
      ref('t'),
      options({
        weights: maybe('g'),
        reduction: optional(word('sum')),
        ignoreIndex: optional(integer(-7, -(2 ** 31), INT32)),
        labelSmoothing: optional(real(0.1, 0, 1)),
      }),
    ],
    splitHeads: [ref('square'), integer(2, 1, 2)],
    concatHeads: [ref('s')],
    transpose: [
      ref('x'),
      other(
        [1, 0],
        [wrong([0, 0], '[0,0]'), wrong([1], '[1]'), wrong([1, 2], '[1,2]'), wrong([1, -1], '-1')],
      ),
    ],
    concat: [ref('x'), ref('x'), integer(1, 0, 1)],
    mseLoss: [ref('x'), ref('x')],
    stack: [
      other([new Ref('x'), new Ref('x')], [wrong([], '0'), wrong(3, '3'), wrong([3, 3], '3')]),
      integer(1, -3, 2),
    ],
    reshape: [ref('x'), other([-1], [wrong([5], '[5]'), wrong([0.5], '0.5'), wrong(3, '3')])],
    slice: [ref('x'), integer(1, -2, 1), integer(0, 0, 1), integer(2, 1, 3)],
    pow: [ref('x'), real(2)],
    ...Object.fromEntries(
      ['sum', 'mean', 'amax'].map((name) => [
        name,
        [
          ref('x'),
          options({
            axis: optional(integer(0, -2, 1)),
            keepDims: optional(boolean(true)),
          }),
        ],
      ]),
    ),
    gather: [ref('x'), ref('t'), integer(1, 0, 1)],
    cache: [ref('s'), ref('key'), integer(4, 2, INT32)],
    mask: [
      ref('s'),
      options({
        causal: optional(boolean(true)),
        offset: optional(integer(0, 0, INT32)),
        mask: maybe('square'),
        lengths: maybe('at'),
      }),
    ],
  };
  builders.cache[1] = ref('at');
  /* An op that takes numbers alone needs no row. */
  for (const [name, { operands }] of Object.entries(plainOps))
    builders[name] ??= Array(operands).fill(ref('x'));

  /** Weights that a bias stands beside. */
  const needed = (name, leaf = 'w') => {
    const { good, wrong: all } = ref(leaf);
    const without = (value) => value === null || value === undefined;
    return {
      good,
      wrong: all.map(({ value, words }) =>
        without(value) ? wrong(value, `without ${name}`) : wrong(value, ...words),
      ),
    };
  };
  const attention = options({
    query: ref('x'),
    key: ref('x'),
    value: ref('x'),
    wQ: needed('wQ'),
    wK: needed('wK'),
    wV: needed('wV'),
    wO: needed('wO', 'square'),
    bQ: maybe('b'),
    bK: maybe('b'),
    bV: maybe('b'),
    bO: maybe('b'),
    heads: optional(integer(1, 1, 2)),
    kvHeads: optional(integer(1, 0, 1)),
    causal: optional(boolean(true)),
    offset: optional(integer(0, 0, INT32)),
    mask: maybe('square'),
    lengths: nullable(other(undefined, others)),
    rotation: maybe('turns'),
    interleaved: optional(boolean(true)),
    alibi: optional(boolean(false)),
    at: nullable(other(undefined, others)),
    capacity: optional(integer(0, -(2 ** 31), INT32)),
    fused: optional(boolean(false)),
    softcap: optional(real(2, 1e-30)),
    scale: optional(real(2, -3e38, 3e38, (value) => value !== 0)),
  });

  const open = { make: () => draft(gf), states: { GF_ESTATE: () => ready(gf) } };
  const planned = { make: () => ready(gf), states: { GF_ESTATE: () => built(gf) } };
  const push = (name) => (on, args) => {
    const made = on[name](...args);
    run(on);
    return [made.name, made.op, made.shape, made.data];
  };
  const leaves = { input: 1, parameter: 1, ids: 1 };

  /** @type {Row[]} */
  const tape = [
    ...Object.entries(builders).map(([name, args]) => ({
      ...open,
      name,
      args: name in leaves ? [fresh, shape([2, 3])] : [...args, fresh],
      call: push(name),
    })),
    {
      ...open,
      name: 'attention',
      args: [attention, optional(newPath('made'))],
      call: push('attention'),
    },
    {
      ...open,
      name: 'plan',
      args: [
        optional(
          options({
            reuse: optional(boolean(true)),
            keep: optional(
              other(
                ['x'],
                [
                  wrong(['xx'], '"xx"'),
                  wrong([3], '3'),
                  wrong([null], 'null'),
                  ...others.map(({ value, words }) => wrong([value], ...words)),
                ],
              ),
            ),
          }),
        ),
      ],
      call: (on, args) => {
        on.plan(...args);
        return lookAt(on);
      },
    },
    {
      ...open,
      name: 'bindStored',
      args: [pick('w'), other(matrix), optional(options({ along: optional(integer(0, 0, 1)) }))],
      call: (on, args) => {
        on.bindStored(...args);
        return on.weight('w', [2, 1]);
      },
    },
    {
      name: 'weight',
      make: () => {
        const subject = draft(gf);
        subject.on.bindStored('w', matrix);
        return subject;
      },
      args: [pick('w'), index([2, 1])],
      call: (on, args) => on.weight(...args),
    },
    {
      ...planned,
      name: 'forward',
      args: [optional(pick('q')), optional(pick('y'))],
      call: (on, args) => {
        on.forward(...args);
        return lookAt(on);
      },
      states: { GF_ESTATE: () => built(gf), GF_EID: () => lost(gf) },
    },
    {
      ...planned,
      name: 'backward',
      args: [
        pick('y'),
        must(
          filled([
            [1, 2],
            [3, 4],
          ]),
        ),
      ],
      call: (on, args) => {
        on.backward(...args);
        return lookAt(on);
      },
    },
    {
      ...planned,
      name: 'bypass',
      args: [pick('y'), optional(nullable(integer(0, 0, 0)))],
      states: {},
      call: (on, args) => {
        on.bypass(...args);
        on.forward();
        return lookAt(on);
      },
    },
    {
      ...planned,
      name: 'freeze',
      args: [pick('q'), optional(boolean(true))],
      states: {},
      call: (on, args) => {
        on.freeze(...args);
        on.forward();
        return lookAt(on);
      },
    },
    {
      ...planned,
      name: 'describe',
      args: [
        pick('q'),
        options({
          role: nullable(word('query')),
          parameter: nullable(word('weight')),
          axes: nullable(
            other(
              ['token', null],
              [wrong(['tokens'], '"tokens"'), wrong(['key', 'key', 'key'], '3')],
            ),
          ),
          sequences: nullable(other([null, 'source'], [wrong(['sauce'], '"sauce"')])),
          stack: nullable(word('encoder')),
          layer: nullable(integer(1, 0, 2 ** 15 - 1)),
          part: nullable(word('self_attn')),
          heads: optional(integer(2, 0, INT32)),
          removal: nullable(options({ name: word('scale'), operand: nullable(integer(0, 0, 5)) })),
        }),
      ],
      states: {},
      call: (on, args) => {
        on.describe(...args);
        return lookAt(on);
      },
    },
    { ...planned, name: 'find', args: [node('q')], states: {}, call: (on, [a]) => on.find(a).id },
    ...['zeroGrad', 'refresh'].map((name) => ({
      ...planned,
      name,
      states: {},
      call: (on) => {
        on[name]();
        return lookAt(on);
      },
    })),
  ];

  const tensorOf = (subject) => ({ ...subject, on: subject.refs.x });
  const both = {
    make: () => tensorOf(ready(gf)),
    states: { GF_ESTATE: () => tensorOf(draft(gf)) },
  };
  const six = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  /** @type {Row[]} */
  const tensors = [
    {
      ...both,
      name: 'set',
      args: [filled(six)],
      call: (on, args) => {
        on.set(...args);
        return on.data;
      },
    },
    { ...both, name: 'toArray', call: (on) => on.toArray() },
    ...['data', 'grad'].map((name) => ({ ...both, name, call: (on) => on[name] })),
    ...[...DESCRIPTION, 'bypassed', 'frozen'].map((name) => ({
      ...both,
      name,
      states: {},
      call: (on) => on[name],
    })),
    { ...both, name: 'arithmetic', states: {}, outlives: true, call: (on) => on.arithmetic },
  ];
  return { tape, tensor: tensors };
}

/** What cannot be left out, though that is no value received.
 * @param {import('./kinds.js').Kind} kind */
const must = ({ good, wrong: all }) => ({
  good,
  wrong: [...all.filter(({ value }) => value !== undefined), wrong(undefined, 'pass its gradient')],
});

/** A path may be empty. @param {string} good */
function newPath(good) {
  const { wrong } = newName(good, 'x');
  return { good, wrong: wrong.filter(({ value }) => value !== '' && value !== 'x') };
}

/** A tape whose ids name no row.
 * @param {Glassformer} gf */
function lost(gf) {
  const subject = draft(gf);
  const { on, refs } = subject;
  refs.q = on.embed(refs.w, refs.t, 'q');
  refs.y = on.scale(refs.q, 2, 'y');
  on.plan();
  refs.t.set([0, 3]);
  return subject;
}
