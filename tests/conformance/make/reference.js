// The ONNX operators in float64, as their definitions say: (attributes, inputs) -> outputs.
import {
  at,
  erf,
  front,
  indices,
  line,
  logSumExp,
  map,
  put,
  sigmoid,
  softmax,
  sum,
  tensor,
} from './tensor.js';

const common = (...shapes) => {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, i) =>
    Math.max(...shapes.map((shape) => shape[shape.length - rank + i] ?? 1)),
  );
};

/** The numbers that a norm takes together: all axes from one on. */
const inner = (x, index, axis) => {
  const tail = x.shape.slice(axis);
  return [...indices(tail)].map((rest) => at(x, [...index.slice(0, axis), ...rest]));
};

const mean = (list) => sum(list) / list.length;

function matmul(a, b) {
  const [left, right] = [
    a.shape.length === 1 ? [1, ...a.shape] : a.shape,
    b.shape.length === 1 ? [...b.shape, 1] : b.shape,
  ];
  const [x, y] = [
    { ...a, shape: left },
    { ...b, shape: right },
  ];
  const batch = common(left.slice(0, -2), right.slice(0, -2));
  const full = tensor([...batch, left.at(-2), right.at(-1)], (index) => {
    const [lead, i, j] = [index.slice(0, -2), index.at(-2), index.at(-1)];
    return sum(
      Array.from(
        { length: left.at(-1) },
        (_, k) => at(x, [...lead, i, k]) * at(y, [...lead, k, j]),
      ),
    );
  });
  const shape = [
    ...batch,
    ...(a.shape.length === 1 ? [] : [left.at(-2)]),
    ...(b.shape.length === 1 ? [] : [right.at(-1)]),
  ];
  return { ...full, shape };
}

/** What a loss makes of the rows' losses and weights. */
function reduce({ reduction = 'mean' }, losses, weights) {
  if (reduction === 'none') return losses;
  const total = sum(losses.data);
  return { shape: [], data: [reduction === 'sum' ? total : total / sum(weights.data)] };
}

function nll(attrs, x, targets, weight) {
  const weightOf = (index) => {
    const id = at(targets, index);
    if (id === attrs.ignore_index) return 0;
    return weight ? weight.data[id] : 1;
  };
  const weights = tensor(targets.shape, weightOf);
  const losses = tensor(targets.shape, (index) => {
    if (weightOf(index) === 0) return 0;
    const [n, ...rest] = index;
    return -weightOf(index) * at(x, [n, at(targets, index), ...rest]);
  });
  return reduce(attrs, losses, weights);
}

const logSoftmax = (x, axis) =>
  tensor(x.shape, (index) => at(x, index) - logSumExp(line(x, index, axis)));

/** [B,T,H*D] as [B,H,T,D]. */
function heads(x, count) {
  if (x.shape.length === 4) return x;
  const [batch, time, width] = x.shape;
  const size = width / count;
  return tensor([batch, count, time, size], ([b, h, t, d]) => at(x, [b, t, h * size + d]));
}

function joined(x, rank) {
  if (rank === 4) return x;
  const [batch, count, time, size] = x.shape;
  return tensor([batch, time, count * size], ([b, t, c]) =>
    at(x, [b, Math.floor(c / size), t, c % size]),
  );
}

const behind = (past, x) => {
  if (!past) return x;
  const length = past.shape[2];
  const shape = put(x.shape, 2, length + x.shape[2]);
  return tensor(shape, ([b, h, t, d]) =>
    t < length ? at(past, [b, h, t, d]) : at(x, [b, h, t - length, d]),
  );
};

function attention(attrs, [Q, K, V, mask, pastKey, pastValue, nonpad]) {
  const q = heads(Q, attrs.q_num_heads);
  const k = behind(pastKey, heads(K, attrs.kv_num_heads));
  const v = behind(pastValue, heads(V, attrs.kv_num_heads));
  const [batch, count, queries, size] = q.shape;
  const [, groups, keys] = k.shape;
  const group = (h) => Math.floor(h / (count / groups));
  const scale = attrs.scale ?? 1 / Math.sqrt(size);
  const shape = [batch, count, queries, keys];
  const raw = tensor(
    shape,
    ([b, h, i, j]) =>
      scale *
      sum(Array.from({ length: size }, (_, d) => at(q, [b, h, i, d]) * at(k, [b, group(h), j, d]))),
  );
  const capped = attrs.softcap
    ? map(raw, (x) => attrs.softcap * Math.tanh(x / attrs.softcap))
    : raw;
  const bias = (index) => {
    const [b, , i, j] = index;
    const before = pastKey ? pastKey.shape[2] : nonpad ? nonpad.data[b] - queries : 0;
    if (attrs.is_causal && j > i + before) return Number.NEGATIVE_INFINITY;
    if (nonpad && j >= nonpad.data[b]) return Number.NEGATIVE_INFINITY;
    if (!mask) return 0;
    if (mask.shape.at(-1) > 1 && j >= mask.shape.at(-1)) return Number.NEGATIVE_INFINITY;
    const value = at(mask, index);
    if (mask.dtype !== 'bool') return value;
    return value ? 0 : Number.NEGATIVE_INFINITY;
  };
  const masked = tensor(shape, (index) => at(capped, index) + bias(index));
  const weights = tensor(shape, (index) => softmax(line(masked, index, 3))[index[3]]);
  const mixed = tensor([batch, count, queries, v.shape[3]], ([b, h, i, d]) =>
    sum(
      Array.from(
        { length: keys },
        (_, j) => at(weights, [b, h, i, j]) * at(v, [b, group(h), j, d]),
      ),
    ),
  );
  const qk = [raw, capped, masked, weights][attrs.qk_matmul_output_mode ?? 0];
  return [joined(mixed, Q.shape.length), k, v, qk];
}

function rotary(attrs, [x, cosines, sines, positions]) {
  const { interleaved = 0, rotary_embedding_dim: dimensions = 0, num_heads: count } = attrs;
  const apart = heads(x, count);
  const width = dimensions || apart.shape[3];
  const turned = tensor(apart.shape, (index) => {
    const [b, h, t, d] = index;
    if (d >= width) return at(apart, index);
    const pair = interleaved ? Math.floor(d / 2) : d % (width / 2);
    const isFirst = interleaved ? d % 2 === 0 : d < width / 2;
    const [u, w] = interleaved ? [2 * pair, 2 * pair + 1] : [pair, pair + width / 2];
    const place = positions ? [at(positions, [b, t]), pair] : [b, t, pair];
    const [c, s] = [at(cosines, place), at(sines, place)];
    const [xu, xw] = [at(apart, [b, h, t, u]), at(apart, [b, h, t, w])];
    return isFirst ? c * xu - s * xw : c * xw + s * xu;
  });
  return joined(turned, x.shape.length);
}

const SCALE = Math.sqrt(2 / Math.PI);

export const reference = {
  Relu: (_, [x]) => [map(x, (v) => Math.max(0, v))],
  Sigmoid: (_, [x]) => [map(x, sigmoid)],
  Tanh: (_, [x]) => [map(x, Math.tanh)],
  Erf: (_, [x]) => [map(x, erf)],
  Exp: (_, [x]) => [map(x, Math.exp)],
  Gelu: ({ approximate }, [x]) => [
    map(x, (v) =>
      approximate === 'tanh'
        ? (v / 2) * (1 + Math.tanh(SCALE * (v + 0.044715 * v ** 3)))
        : (v / 2) * (1 + erf(v / Math.SQRT2)),
    ),
  ],
  Swish: ({ alpha = 1 }, [x]) => [map(x, (v) => v * sigmoid(alpha * v))],
  SwiGLU: ({ alpha = 1 }, [a, b]) => [
    tensor(a.shape, (index) => at(a, index) * sigmoid(alpha * at(a, index)) * at(b, index)),
  ],
  Softmax: ({ axis = -1 }, [x]) => {
    const along = front(axis, x.shape.length);
    return [tensor(x.shape, (index) => softmax(line(x, index, along))[index[along]])];
  },
  LogSoftmax: ({ axis = -1 }, [x]) => [logSoftmax(x, front(axis, x.shape.length))],
  LayerNormalization({ axis = -1, epsilon = 1e-5 }, [x, gain, bias]) {
    const first = front(axis, x.shape.length);
    const shape = x.shape.map((d, i) => (i < first ? d : 1));
    const center = tensor(shape, (index) => mean(inner(x, index, first)));
    const inverse = tensor(shape, (index) => {
      const squares = inner(x, index, first).map((v) => (v - at(center, index)) ** 2);
      return 1 / Math.sqrt(mean(squares) + epsilon);
    });
    const y = tensor(x.shape, (index) => {
      const z = (at(x, index) - at(center, index)) * at(inverse, index);
      return z * at(gain, index) + (bias ? at(bias, index) : 0);
    });
    return [y, center, inverse];
  },
  RMSNormalization({ axis = -1, epsilon = 1e-5 }, [x, gain]) {
    const first = front(axis, x.shape.length);
    return [
      tensor(x.shape, (index) => {
        const squares = inner(x, index, first).map((v) => v * v);
        return (at(x, index) / Math.sqrt(mean(squares) + epsilon)) * at(gain, index);
      }),
    ];
  },
  ReduceLogSumExp({ keepdims = 1, noop_with_empty_axes: keep = 0 }, [x, axes]) {
    const rank = x.shape.length;
    let over = (axes?.data ?? []).map((axis) => front(axis, rank));
    if (!over.length && !keep) over = x.shape.map((_, i) => i);
    const shape = x.shape.map((d, i) => (over.includes(i) ? 1 : d));
    const y = tensor(shape, (index) =>
      logSumExp(
        [...indices(x.shape)]
          .filter((one) => one.every((i, axis) => over.includes(axis) || i === index[axis]))
          .map((one) => at(x, one)),
      ),
    );
    return [keepdims ? y : { ...y, shape: shape.filter((_, i) => !over.includes(i)) }];
  },
  TopK({ axis = -1, largest = 1 }, [x, k]) {
    const along = front(axis, x.shape.length);
    const found = (index) => {
      const row = line(x, index, along).map((value, i) => ({ value, i }));
      return row.sort((a, b) => (largest ? b.value - a.value : a.value - b.value) || a.i - b.i)[
        index[along]
      ];
    };
    const shape = put(x.shape, along, k.data[0]);
    return [tensor(shape, (index) => found(index).value), tensor(shape, (index) => found(index).i)];
  },
  MatMul: (_, [a, b]) => [matmul(a, b)],
  Gemm({ alpha = 1, beta = 1, transA = 0, transB = 0 }, [a, b, c]) {
    const turn = (x) => tensor([...x.shape].reverse(), ([i, j]) => at(x, [j, i]));
    const y = matmul(transA ? turn(a) : a, transB ? turn(b) : b);
    return [tensor(y.shape, (index) => alpha * at(y, index) + (c ? beta * at(c, index) : 0))];
  },
  Transpose({ perm }, [x]) {
    const order = perm ?? [...x.shape.keys()].reverse();
    return [
      tensor(
        order.map((axis) => x.shape[axis]),
        (index) =>
          at(
            x,
            x.shape.map((_, axis) => index[order.indexOf(axis)]),
          ),
      ),
    ];
  },
  Gather({ axis = 0 }, [x, ids]) {
    const along = front(axis, x.shape.length);
    const rank = ids.shape.length;
    return [
      tensor([...x.shape.slice(0, along), ...ids.shape, ...x.shape.slice(along + 1)], (index) => {
        const id = front(at(ids, index.slice(along, along + rank)), x.shape[along]);
        return at(x, [...index.slice(0, along), id, ...index.slice(along + rank)]);
      }),
    ];
  },
  Where: (_, [c, x, y]) => [
    tensor(common(c.shape, x.shape, y.shape), (index) =>
      at(c, index) ? at(x, index) : at(y, index),
    ),
  ],
  Trilu: ({ upper = 1 }, [x, k]) => {
    const shift = k?.data[0] ?? 0;
    return [
      tensor(x.shape, (index) => {
        const [i, j] = index.slice(-2);
        return (upper ? j >= i + shift : j <= i + shift) ? at(x, index) : 0;
      }),
    ];
  },
  OneHot({ axis = -1 }, [ids, depth, values]) {
    const along = front(axis, ids.shape.length + 1);
    const [off, on] = values.data;
    return [
      tensor(ids.shape.toSpliced(along, 0, depth.data[0]), (index) =>
        front(at(ids, index.toSpliced(along, 1)), depth.data[0]) === index[along] ? on : off,
      ),
    ];
  },
  NegativeLogLikelihoodLoss: (attrs, [x, targets, weight]) => [nll(attrs, x, targets, weight)],
  SoftmaxCrossEntropyLoss(attrs, [x, targets, weight]) {
    const log = logSoftmax(x, 1);
    return [nll(attrs, log, targets, weight), log];
  },
  RotaryEmbedding: (attrs, inputs) => [rotary(attrs, inputs)],
  Attention: attention,
  Adam(attrs, [rate, time, ...rest]) {
    const {
      alpha = 0.9,
      beta = 0.999,
      epsilon = 0,
      norm_coefficient: decay = 0,
      norm_coefficient_post: post = 0,
    } = attrs;
    const count = rest.length / 4;
    const t = time.data[0];
    const r = t > 0 ? (rate.data[0] * Math.sqrt(1 - beta ** t)) / (1 - alpha ** t) : rate.data[0];
    const all = Array.from({ length: count }, (_, i) => {
      const [x, g, v, h] = [0, 1, 2, 3].map((kind) => rest[kind * count + i]);
      const grad = tensor(x.shape, (index) => decay * at(x, index) + at(g, index));
      const m = tensor(x.shape, (index) => alpha * at(v, index) + (1 - alpha) * at(grad, index));
      const s = tensor(x.shape, (index) => beta * at(h, index) + (1 - beta) * at(grad, index) ** 2);
      const y = tensor(
        x.shape,
        (index) =>
          (1 - post) * (at(x, index) - (r * at(m, index)) / (Math.sqrt(at(s, index)) + epsilon)),
      );
      return [y, m, s];
    });
    return [0, 1, 2].flatMap((kind) => all.map((one) => one[kind]));
  },
  Dropout: (_, [x]) => [x, map(x, () => 1)],
};
