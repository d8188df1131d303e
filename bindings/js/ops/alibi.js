// ALiBi: scores that fall with the distance.

import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Subtracts from each score its distance times the head's ALiBi slope: x [...,H,Tq,Tk]
   * @param {Tensor} x @param {Tensor | null} at ids [1]: how many keys come before the first query
   * @param {string} name */
  alibi(x, at, name) {
    return this.push('alibi', { x, at }, {}, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const [heads, queries, keys] = x.shape.slice(-3);
  const head = Math.floor(question.offset / (queries * keys)) % heads;
  const past = question.operands[1]?.data[0] ?? 0;
  const place = past + (Math.floor(question.offset / keys) % queries);
  /* What the core takes from nothing at a distance of one. */
  const slopes = question.gf.alibi({ data: new Float32Array(2 * heads), shape: [heads, 1, 2] });
  return {
    x: cell(x, question.offset),
    slope: -slopes.data[2 * head + 1],
    distance: Math.abs(place - (question.offset % keys)),
  };
};

/** y = x less something fixed
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [({ offset }) => [copied(offset)]];

/** @param {import('./kit/code.js').Line} line */
const python = ({ inputs: [x, offset] }) => `by_distance(${x}, ${offset ? `${offset}[0]` : 0})`;

/** The beginning of the function in both languages. */
const SLOPES = `def by_distance(x, at):
    heads, queries, keys = x.shape[-3:]
    power = 2 ** int(math.log2(heads))
    first = [(h + 1) / power for h in range(power)]
    more = [(2 * h + 1) / (2 * power) for h in range(heads - power)]`;

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: python,
  pytorch: python,
  javascript: ({ inputs: [x, offset] }) =>
    `gf.alibi(${x}${offset ? `, { offset: ${offset}[0] }` : ''})`,
  helpers: {
    numpy: {
      by_distance: `${SLOPES}
    slopes = 2.0 ** (-8 * np.array(first + more))
    distance = np.abs(np.arange(queries)[:, None] + at - np.arange(keys))
    return x - (slopes[:, None, None] * distance).astype(np.float32)`,
    },
    pytorch: {
      by_distance: `${SLOPES}
    slopes = 2.0 ** (-8 * torch.tensor(first + more, dtype=torch.float64))
    distance = (torch.arange(queries)[:, None] + at - torch.arange(keys)).abs()
    return x - (slopes[:, None, None] * distance).float()`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value, plainNumber }) => ({
  symbols: (step) =>
    mathml`${operand(step, 0)}<mo>−</mo><mi>m</mi><mo>|</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>|</mo>`,
  indices: ({ x, index }) => {
    const [i, j] = index.slice(-2);
    return [
      cell(x),
      mathml`<mo form="infix">−</mo><mi>m</mi><mo>|</mo><mn>${i + 1}</mn><mo>−</mo><mn>${j + 1}</mn><mo>|</mo>`,
    ];
  },
  numbers: ({ x, slope, distance }) => [
    value(x),
    mathml`<mo form="infix">−</mo>${plainNumber(slope)}<mo>·</mo><mn>${distance}</mn>`,
  ],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ x, slope, distance }) => [
    'alibi',
    { x: number(x), slope: plain(slope), distance: String(distance) },
  ];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, slope, distance }) => [valued(x), `- ${exact(slope)} × ${distance}, the distance`];
