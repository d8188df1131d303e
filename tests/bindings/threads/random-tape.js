// Tapes by chance, large enough that their steps are shared out among threads.

/** Whole numbers from a to b, the same ones of each seed. @param {number} seed */
function chance(seed) {
  let state = seed * 2654435761;
  return (a, b) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return a + Math.floor((state / 2 ** 32) * (b - a + 1));
  };
}

/** Projections, products and attention one after the other; x is a tensor [rows, columns]. */
const STEPS = [
  (t, x, name, between) =>
    t.linear(x, t.parameter(`${name}.w`, [x.shape[1], between(70, 300)]), null, name),
  (t, x, name, between) => {
    const n = between(70, 300);
    return t.linear(
      x,
      t.parameter(`${name}.w`, [x.shape[1], n]),
      t.parameter(`${name}.b`, [n]),
      name,
    );
  },
  (t, x, name, between) => t.matmul(x, t.input(`${name}.b`, [x.shape[1], between(70, 300)]), name),
  (t, x, name, between) =>
    t.matmulTransposed(x, t.input(`${name}.b`, [between(70, 300), x.shape[1]]), name),
  /* Both operands have one gradient. */
  (t, x, name) => t.matmulTransposed(x, x, name),
  (t, x, name) => {
    const square = t.matmulTransposed(x, x, `${name}.square`);
    return t.matmul(square, square, name);
  },
  (t, x, name) => {
    const square = t.matmulTransposed(x, x, `${name}.square`);
    return t.linear(square, square, null, name);
  },
  (t, x, name) => t.gelu(x, {}, name),
];

/** Attention of given heads, in steps or as one node. */
function attend(t, name, between) {
  const g = between(1, 3);
  const h = g * between(1, 3);
  const [b, tq, tk, d, e] = [
    between(1, 3),
    between(60, 120),
    between(60, 120),
    between(5, 40),
    between(5, 40),
  ];
  const mask = [null, null, t.input(`${name}.mask`, [tq, tk]), t.ids(`${name}.mask ids`, [tq, tk])];
  return t.attention(
    {
      query: t.input(`${name}.query`, [b, h, tq, d]),
      key: t.input(`${name}.key`, [b, g, tk, d]),
      value: t.input(`${name}.value`, [b, g, tk, e]),
      heads: h,
      kvHeads: g,
      causal: between(0, 1) === 1,
      alibi: between(0, 1) === 1,
      mask: mask[between(0, 3)],
      fused: between(0, 1) === 1,
      ...(between(0, 2) ? {} : { softcap: 20 }),
    },
    name,
  );
}

/** A planned tape, its leaves filled, its last node, and a gradient of that.
 * @param {any} gf @param {number} seed */
export function randomTape(gf, seed) {
  const between = chance(seed);
  const tape = gf.tape();
  let last = tape.input('x', [between(3, 200), between(40, 200)]);
  if (seed % 3 === 0) last = attend(tape, 'attention', between);
  else
    for (let i = 0; i < 3; i++) {
      last = STEPS[between(0, STEPS.length - 1)](tape, last, `step ${i}`, between);
    }
  tape.plan();
  for (const leaf of tape.nodes) {
    const { kind, shape, size } = leaf;
    const spread = 1 / Math.sqrt(shape.at(-1));
    const number = {
      ids: () => between(0, 3),
      input: () => (spread * between(-999, 999)) / 500,
    };
    number.parameter = number.input;
    if (number[kind]) leaf.data.set(Array.from({ length: size }, number[kind]));
  }
  const gradient = Float32Array.from({ length: last.size }, () => between(-999, 999) / 500);
  return { tape, last, gradient };
}
