// The cases: what the published ones leave out. Small shapes, every attribute, every rank.

const f32 = (shape, low = -2, high = 2) => ({ dtype: 'float32', shape, low, high });
const int = (shape, low, high) => ({ dtype: 'int64', shape, low, high });
const bool = (shape) => ({ dtype: 'bool', shape, low: 0, high: 2 });
const floats = (shape, ...data) => ({ dtype: 'float32', shape, data });
const ints = (shape, ...data) => ({ dtype: 'int64', shape, data });
const bools = (shape, ...data) => ({ dtype: 'bool', shape, data });

/** The same operator on several ranks. */
const ranks = (attrs = {}) =>
  [[], [1], [7], [3, 5], [2, 3, 4, 2], [2, 1, 3, 2, 2]].map((shape) => ({
    name: `rank_${shape.length}_${shape.join('x')}${Object.values(attrs).map((v) => `_${v}`)}`,
    attrs,
    inputs: [f32(shape, -4, 4)],
  }));

/** Every axis of several shapes, from the front and from the back. */
const axes = (shapes, more = {}) =>
  shapes.flatMap((shape) =>
    Array.from({ length: 2 * shape.length }, (_, i) => i - shape.length).map((axis) => ({
      name: `${shape.join('x')}_axis_${axis}`,
      attrs: { axis, ...more },
      shape,
      inputs: [f32(shape)],
    })),
  );

const norms = (bias) =>
  axes([[5], [3, 4], [2, 3, 2, 3]]).flatMap(({ name, attrs, shape, inputs }) => {
    const inner = shape.slice(attrs.axis < 0 ? attrs.axis + shape.length : attrs.axis);
    const parameters = [f32(inner, 0.5, 2), f32(inner, -1, 1)];
    return [
      {
        name,
        attrs,
        inputs: [...inputs, ...parameters.slice(0, bias ? 2 : 1)],
        outputs: bias ? 3 : 1,
      },
      {
        name: `${name}_epsilon_gain_only`,
        attrs: { ...attrs, epsilon: 0.3 },
        inputs: [...inputs, parameters[0]],
      },
    ];
  });

/** Reductions, weights and ignored classes on one shape. */
const losses = (shapes, outputs) =>
  shapes.flatMap((shape) => {
    const [n, classes, ...rest] = shape;
    const targets = () => int([n, ...rest], 0, classes);
    return ['mean', 'sum', 'none'].flatMap((reduction) =>
      [
        ['plain', {}, []],
        ['weight', {}, [f32([classes], 0.1, 2)]],
        ['ignored', { ignore_index: 1 }, []],
        ['weight_ignored', { ignore_index: 0 }, [f32([classes], 0.1, 2)]],
      ].map(([name, attrs, weight]) => ({
        name: `${shape.join('x')}_${reduction}_${name}`,
        attrs: { reduction, ...attrs },
        inputs: [f32(shape), targets(), ...weight],
        outputs,
      })),
    );
  });

/** B, H, G, Tq, Tk, D, Dv as tensors of rank 4 and of rank 3. */
function qkv(rank, [b, h, g, tq, tk, d, dv]) {
  const x = (count, time, width) =>
    f32(rank === 4 ? [b, count, time, width] : [b, time, count * width], -1.5, 1.5);
  return [x(h, tq, d), x(g, tk, d), x(g, tk, dv)];
}

const SIZES = [2, 4, 2, 3, 5, 4, 3];
const attention = [3, 4].flatMap((rank) => {
  const heads = rank === 3 ? { q_num_heads: 4, kv_num_heads: 2 } : {};
  const past = [f32([2, 2, 4, 4], -1.5, 1.5), f32([2, 2, 4, 3])];
  const none = [null, null];
  return [
    ['gqa', {}, []],
    ['causal', { is_causal: 1 }, []],
    ['scale_softcap', { scale: 0.7, softcap: 1.2 }, []],
    ['scale_negative', { scale: -0.5 }, []],
    ...[0, 1, 2, 3].map((mode) => [
      `mode_${mode}_everything`,
      { qk_matmul_output_mode: mode, softcap: 2, is_causal: 1, scale: 0.6 },
      [f32([2, 1, 3, 9]), ...past],
    ]),
    ['mask_1d', {}, [f32([5])]],
    ['mask_2d', {}, [f32([3, 5])]],
    ['mask_3d_heads', {}, [f32([4, 3, 5])]],
    ['mask_3d_one', {}, [f32([1, 3, 5])]],
    ['mask_4d', {}, [f32([2, 4, 3, 5])]],
    ['mask_4d_one_query', {}, [bool([2, 1, 1, 5])]],
    ['mask_bool_batch', { is_causal: 1 }, [bool([2, 1, 3, 5])]],
    ['mask_bool_short', {}, [bool([3, 3])]],
    ['mask_short', { is_causal: 1 }, [f32([2, 4, 3, 4])]],
    [
      'mask_minus_infinity',
      { softcap: 1 },
      [floats([3, 5], 0, -Infinity, 1, 0, 0, ...Array(5).fill(-Infinity), 0, 0, 0, 0, -Infinity)],
    ],
    [
      'mask_nothing_left',
      { qk_matmul_output_mode: 3 },
      [bools([3, 5], ...Array(5).fill(1), ...Array(10).fill(0))],
    ],
    ['past', {}, [null, ...past]],
    ['past_causal', { is_causal: 1 }, [null, ...past]],
    ['past_mask_short', { is_causal: 1 }, [bool([3, 7]), ...past]],
    ['nonpad', {}, [null, ...none, ints([2], 2, 5)]],
    ['nonpad_none', {}, [null, ...none, ints([2], 0, 3)]],
    ['nonpad_causal', { is_causal: 1 }, [null, ...none, ints([2], 4, 5)]],
    ['nonpad_causal_fewer_than_queries', { is_causal: 1 }, [null, ...none, ints([2], 1, 2)]],
    ['nonpad_causal_mask', { is_causal: 1 }, [f32([3, 5]), ...none, ints([2], 3, 4)]],
    [
      'nonpad_causal_bool',
      { is_causal: 1, softcap: 3 },
      [bool([2, 4, 3, 5]), ...none, ints([2], 5, 4)],
    ],
  ].map(([name, attrs, more]) => ({
    name: `${rank}d_${name}`,
    attrs: { ...heads, ...attrs },
    inputs: [...qkv(rank, SIZES), ...more],
    outputs: 4,
  }));
});

const rotary = [0, 1].flatMap((interleaved) =>
  [
    ['4d', {}, f32([2, 3, 4, 6]), 3],
    ['4d_part', { rotary_embedding_dim: 4 }, f32([2, 3, 4, 6]), 2],
    ['3d', { num_heads: 3 }, f32([2, 4, 18]), 3],
    ['3d_part', { num_heads: 3, rotary_embedding_dim: 2 }, f32([2, 4, 18]), 1],
  ].flatMap(([name, attrs, x, pairs]) => [
    {
      name: `${name}_interleaved_${interleaved}_positions`,
      attrs: { interleaved, ...attrs },
      inputs: [x, f32([9, pairs], -1, 1), f32([9, pairs], -1, 1), int([2, 4], 0, 9)],
    },
    {
      name: `${name}_interleaved_${interleaved}_caches`,
      attrs: { interleaved, ...attrs },
      inputs: [x, f32([2, 4, pairs], -1, 1), f32([2, 4, pairs], -1, 1)],
    },
  ]),
);

const adamInputs = (count) => [
  ...Array(2 * count).fill(f32([3])),
  ...Array(count).fill(f32([3])),
  ...Array(count).fill(f32([3], 0.1, 2)),
];

export const cases = {
  Relu: ranks(),
  Sigmoid: ranks(),
  Tanh: ranks(),
  Erf: ranks(),
  Exp: ranks(),
  Gelu: [...ranks(), ...ranks({ approximate: 'none' }), ...ranks({ approximate: 'tanh' })],
  Swish: [...ranks(), ...ranks({ alpha: 1.7 })],
  SwiGLU: [[5], [3, 4], [2, 2, 3]].flatMap((shape) =>
    [{}, { alpha: 1.5 }].map((attrs) => ({
      name: `${shape.join('x')}_${attrs.alpha ?? 1}`,
      attrs,
      inputs: [f32(shape), f32(shape)],
    })),
  ),
  Softmax: [
    ...axes([[6], [3, 5], [2, 3, 4], [2, 2, 2, 3, 2]]),
    {
      name: 'minus_infinity',
      inputs: [floats([2, 3], -Infinity, 1, 2, -Infinity, -Infinity, -Infinity)],
    },
    { name: 'large', inputs: [floats([2, 2], 1e4, 1e4 + 1, -1e4, 0)] },
  ],
  LogSoftmax: [
    ...axes([[6], [3, 5], [2, 3, 4], [2, 2, 2, 3, 2]]),
    { name: 'large', inputs: [floats([2, 2], 1e4, 1e4 + 1, -1e4, 0)] },
  ],
  LayerNormalization: norms(true),
  RMSNormalization: norms(false),
  ReduceLogSumExp: [
    { name: 'all', inputs: [f32([2, 3, 2])] },
    { name: 'all_dropped', attrs: { keepdims: 0 }, inputs: [f32([2, 3, 2])] },
    { name: 'none', attrs: { noop_with_empty_axes: 1 }, inputs: [f32([2, 3]), ints([0])] },
    ...[[0], [1], [-1], [0, 2], [-2, -1], [2, 0]].flatMap((list) =>
      [0, 1].map((keepdims) => ({
        name: `axes_${list}_keep_${keepdims}`,
        attrs: { keepdims },
        inputs: [f32([2, 3, 4]), ints([list.length], ...list)],
      })),
    ),
    { name: 'infinite', inputs: [floats([2, 2], -Infinity, -Infinity, Infinity, 1), ints([1], 1)] },
  ],
  TopK: axes([[6], [3, 5], [2, 3, 4]]).flatMap(({ name, attrs, shape }) => {
    const k = Math.min(2, shape.at(attrs.axis));
    return [0, 1].flatMap((largest) => [
      {
        name: `${name}_largest_${largest}`,
        attrs: { ...attrs, largest },
        inputs: [f32(shape), ints([1], k)],
        outputs: 2,
      },
      {
        name: `${name}_largest_${largest}_equals`,
        attrs: { ...attrs, largest },
        inputs: [int(shape, 0, 2), ints([1], k)],
        outputs: 2,
      },
    ]);
  }),
  MatMul: [
    [[3], [3]],
    [[3], [3, 2]],
    [[2, 3], [3]],
    [
      [2, 3],
      [3, 4],
    ],
    [[4, 2, 3], [3]],
    [[3], [2, 3, 4]],
    [
      [2, 1, 3, 2],
      [4, 2, 3],
    ],
    [
      [4, 2, 3],
      [3, 2],
    ],
    [
      [2, 3],
      [4, 3, 2],
    ],
    [
      [2, 2, 1, 3, 2],
      [3, 2, 2],
    ],
    [
      [1, 1],
      [1, 1],
    ],
  ].map(([a, b]) => ({ name: `${a.join('x')}_by_${b.join('x')}`, inputs: [f32(a), f32(b)] })),
  Gemm: [0, 1].flatMap((transA) =>
    [0, 1].flatMap((transB) =>
      [null, [], [1], [4], [1, 4], [3, 1], [3, 4]].map((c) => ({
        name: `${transA}${transB}_c_${c ? c.join('x') : 'none'}`,
        attrs: { transA, transB, alpha: 0.7, beta: -1.3 },
        inputs: [
          f32(transA ? [2, 3] : [3, 2]),
          f32(transB ? [4, 2] : [2, 4]),
          ...(c ? [f32(c)] : []),
        ],
      })),
    ),
  ),
  Transpose: [
    { name: 'default_1', inputs: [f32([3])] },
    { name: 'default_3', inputs: [f32([2, 3, 4])] },
    { name: 'default_5', inputs: [f32([2, 1, 3, 2, 2])] },
    { name: 'perm_5', attrs: { perm: [4, 0, 2, 1, 3] }, inputs: [f32([2, 1, 3, 2, 2])] },
    { name: 'empty', attrs: { perm: [1, 0] }, inputs: [f32([0, 3])] },
  ],
  Gather: [
    { name: 'scalar', attrs: { axis: 1 }, inputs: [f32([2, 3, 2]), ints([], -1)] },
    ...axes([[4], [3, 4], [2, 3, 2, 2, 2]]).flatMap(({ name, attrs, shape }) =>
      [[2], [2, 2]].map((ids) => ({
        name: `${name}_ids_${ids.join('x')}`,
        attrs,
        inputs: [f32(shape), int(ids, -shape.at(attrs.axis), shape.at(attrs.axis))],
      })),
    ),
  ],
  Where: [
    [[2, 3], [3], []],
    [[1], [2, 3], [2, 1]],
    [
      [3, 1],
      [1, 4],
      [2, 3, 4],
    ],
    [[], [2], [2]],
  ].map(([c, x, y], i) => ({ name: `broadcast_${i}`, inputs: [bool(c), f32(x), f32(y)] })),
  Trilu: [0, 1].flatMap((upper) =>
    [-6, -1, 0, 2, 6].flatMap((k) =>
      [
        [4, 3],
        [1, 1],
        [2, 3, 4],
        [2, 1, 2, 2],
      ].map((shape) => ({
        name: `upper_${upper}_k_${k}_${shape.join('x')}`,
        attrs: { upper },
        inputs: [f32(shape), ints([], k)],
      })),
    ),
  ),
  OneHot: [-1, 0, 1, 2, -2].map((axis) => ({
    name: `axis_${axis}`,
    attrs: { axis },
    inputs: [int([2, 3], -5, 6), ints([], 4), floats([2], -1, 3)],
  })),
  NegativeLogLikelihoodLoss: losses(
    [
      [4, 3],
      [2, 3, 4],
      [2, 3, 2, 2],
      [2, 4, 2, 1, 3],
    ],
    1,
  ),
  SoftmaxCrossEntropyLoss: losses(
    [
      [4, 3],
      [2, 3, 4],
      [2, 3, 2, 2],
      [2, 4, 2, 1, 3],
    ],
    2,
  ),
  RotaryEmbedding: rotary,
  Attention: attention,
  Adam: [
    {
      name: 'first',
      attrs: { epsilon: 1e-3 },
      inputs: [floats([], 0.1), ints([], 0), ...adamInputs(1)],
      outputs: 3,
    },
    {
      name: 'later',
      attrs: { epsilon: 1e-3, norm_coefficient: 0.1 },
      inputs: [floats([], 0.1), ints([], 3), ...adamInputs(1)],
      outputs: 3,
    },
    {
      name: 'two_post',
      attrs: {
        alpha: 0.8,
        beta: 0.95,
        epsilon: 1e-2,
        norm_coefficient: 0.01,
        norm_coefficient_post: 0.2,
      },
      inputs: [floats([], 0.5), ints([], 12), ...adamInputs(2)],
      outputs: 6,
    },
  ],
  Dropout: [
    { name: 'nothing_said', inputs: [f32([3, 4])], outputs: 2 },
    { name: 'ratio', inputs: [f32([3, 4]), floats([], 0.9)], outputs: 2 },
    { name: 'not_training', inputs: [f32([2, 3, 4]), floats([], 0.3), bools([], 0)], outputs: 2 },
    {
      name: 'training',
      attrs: { seed: 3 },
      inputs: [f32([20, 30]), floats([], 0.3), bools([], 1)],
      outputs: 2,
    },
  ],
};
