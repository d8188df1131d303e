// The known mistakes: each changes one thing of a recipe's program.

import { meanOf, sumOf } from '../../../js/base/sum.js';
import { shapeOf } from '../../../js/base/values.js';
import { agrees, TOLERANCE } from '../../../js/number/judge.js';
import { ln } from '../machine/ln.js';
import { rowOf, rowsOf } from '../machine/machine.js';
import { divided } from '../recipes/learning.js';
import {
  byRows,
  changed,
  copied,
  instead,
  leafBy,
  only,
  reads,
  rewritten,
  same,
  scaledBy,
  shapeIn,
  square,
  swapped,
  turned,
  where,
  whereBy,
} from './rewrite.js';

/** @typedef {import('../machine/machine.js').By} By */
/** @typedef {import('./rewrite.js').Sized} Sized */
/** @typedef {import('./rewrite.js').Mistaken} Mistaken */

/** Codes of positions by another rule.
 * @param {(gf: import('../../../js/glassformer.js').Glassformer, positions: number[], channels: number) => number[]} codes
 * @returns {Mistaken} */
const positionsBy = (codes) =>
  where('positions', (step, program) => ({
    name: step.name,
    of: step.of,
    shape: shapeIn(program, step.name),
    by: ([positions], gf) => codes(gf, Array.from(positions), step.with?.channels ?? 2),
  }));

/** What is hidden becomes 0. @type {By} */
const times = ([x, mask]) => Array.from(x, (value, i) => value * mask[i % mask.length]);

/** A mask by another rule. @param {(i: number, j: number, seen: number, program: Sized) => boolean} rule */
const maskBy = (rule) =>
  leafBy('mask', (/** @type {number[][]} */ mask, program) =>
    mask.map((row, i) => row.map((seen, j) => Number(rule(i, j, seen, program)))),
  );

/** @param {Sized} program */
const isCausal = ({ leaves }) =>
  rowsOf(leaves, 'mask')?.every((row, i) => row.every((seen, j) => seen === Number(j <= i))) ??
  false;

/** The parts of a logit are added up by other factors. @param {(parts: number, part: number) => number} factor
 * @returns {Mistaken} */
const ofParts = (factor) => (program) => {
  const parts = rowsOf(program.leaves, 'parts');
  if (!parts) return null;
  const all = [parts.map((_, part) => factor(parts.length, part))];
  return { ...program, leaves: { ...program.leaves, all } };
};

/** Projections by the weights of another one. @param {Readonly<Record<string, string>>} names of the leaves that are read instead
 * @returns {Mistaken} */
const projectedBy = (names) =>
  where('projection', (step, program) => {
    const of = step.of.map((name) => {
      const other = names[name];
      const isFit = program.leaves[other] && same(shapeIn(program, name), shapeIn(program, other));
      return isFit ? other : name;
    });
    return of.join() === step.of.join() ? undefined : { ...step, of };
  });

/** Mistakes that are named in the step in which they are made, and of which draws of numbers take no notice: at the end they may
 * give what another one gives. */
export const IN_STEP = ['q-k-exchanged', 'k-by-w-q', 'base-10'];

/** @param {number} base @returns {Mistaken} */
const powersOf = (base) =>
  where('softmax', (step) => [
    { name: `${step.name}.base`, op: 'scale', of: step.of, with: { factor: ln(base) } },
    { ...step, of: [`${step.name}.base`] },
  ]);

/** @type {Readonly<Record<string, Mistaken>>} */
export const MISCONCEPTIONS = {
  'q-k-exchanged': projectedBy({ w_q: 'w_k', w_k: 'w_q', b_q: 'b_k', b_k: 'b_q' }),
  'k-by-w-q': projectedBy({ w_k: 'w_q', b_k: 'b_q' }),
  'base-10': powersOf(10),
  'no-scaling': where('scaling', (step) => scaledBy(step, 1)),
  'scale-by-dk': where('scaling', (step) => scaledBy(step, 1 / (step.with?.dK ?? 1))),
  'scale-by-sqrt-dmodel': where('scaling', (step) => {
    const { dK, dModel } = /** @type {any} */ (step.with);
    if (!dModel || dModel === dK) return undefined;
    const root = Math.sqrt(dModel);
    return { ...scaledBy(step, 1 / root), within: divided(root) };
  }),
  'scale-forgotten': where('factor', (step) => scaledBy(step, 1)),
  'scale-inverted': where('factor', (step) => scaledBy(step, 1 / (step.with?.factor ?? 1))),
  'scale-by-root': (program) => {
    const { scale } = program.sizes ?? {};
    const scores = program.steps.find(({ does }) => does === 'scores');
    if (scale === undefined || !scores) return null;
    const root = Math.sqrt(Number(shapeIn(program, scores.of[1]).at(-1)));
    if (agrees(scale * root, 1, 0)) return null;
    const rooted = { with: { factor: 1 / root }, within: divided(root) };
    return rewritten(program, (step) => {
      if (step.does === 'factor') return { ...step, ...rooted };
      /* Without a scale nothing stands between the scores and what reads them. */
      if (scale !== 1 || !step.of.includes(scores.name)) return undefined;
      const name = `${scores.name}.root`;
      return [
        { name, op: 'scale', of: [scores.name], ...rooted },
        { ...step, of: step.of.map((of) => (of === scores.name ? name : of)) },
      ];
    });
  },
  'k-not-transposed': where('scores', (step, program) =>
    square(shapeIn(program, step.of[1])) &&
    same(shapeIn(program, step.of[0]), shapeIn(program, step.of[1]))
      ? { ...step, op: 'matmul' }
      : undefined,
  ),
  'scores-transposed': where('scores', (step, program) =>
    same(shapeIn(program, step.of[0]), shapeIn(program, step.of[1]))
      ? { ...step, of: [step.of[1], step.of[0]] }
      : undefined,
  ),
  'softmax-over-columns': where('softmax', (step, program) => {
    const shape = shapeIn(program, step.of[0]);
    return shape[0] > 1 ? turned(step, swapped(shape)) : undefined;
  }),
  'softmax-over-all': where('softmax', (step, program) => {
    const shape = shapeIn(program, step.of[0]);
    const whole = Number(shape.at(-2)) * Number(shape.at(-1));
    if (shape[0] === 1) return undefined;
    return instead(
      step,
      program,
      byRows(whole, (all, gf) => gf.softmax([Array.from(all)])[0]),
    );
  }),
  'no-exp': where('softmax', (step, program) => {
    const width = Number(shapeIn(program, step.of[0]).at(-1));
    return instead(
      step,
      program,
      byRows(width, (row) => {
        const shown = row.map((x) => (x === -Infinity ? 0 : x));
        const sum = sumOf(shown);
        /* Scores that cancel out leave float32's roundings, by which nothing is divided. */
        const least = TOLERANCE.float32Ways * sumOf(shown.map(Math.abs));
        return shown.map((x) => (Math.abs(sum) > least ? x / sum : Number.NaN));
      }),
    );
  }),
  'base-2': powersOf(2),
  'sum-not-normalised': where('softmax', (step) => ({ ...step, op: 'exp' })),
  'weights-transposed': where('mix', (step, program) => {
    const [weights, values] = step.of;
    const shape = shapeIn(program, weights);
    if (!square(shape)) return undefined;
    const [name, order] = [`${step.name}.turned`, swapped(shape)];
    return [
      { name, op: 'transpose', of: [weights], with: { order } },
      { ...step, of: [name, values] },
    ];
  }),
  'x-for-v': reads('mix', 'v', 'x'),
  'x-for-k': reads('scores', 'k', 'x'),
  'w-transposed': where('projection', (step, program) => {
    const [x, w, bias] = step.of;
    if (!square(shapeIn(program, w))) return undefined;
    if (!bias) return { ...step, op: 'matmulTransposed' };
    const name = `${step.name}.plain`;
    return [
      { name, op: 'matmulTransposed', of: [x, w] },
      { name: step.name, op: 'add', of: [name, bias] },
    ];
  }),
  'mask-zero': where('mask', (step, program) => ({
    ...instead(step, program, times),
    of: step.of,
  })),
  'mask-after-softmax': (program) => {
    const hidden = program.steps.find(({ does }) => does === 'mask');
    if (!hidden) return null;
    return rewritten(program, (step, all) => {
      if (step.does === 'mask') return instead(step, all, ([x]) => x);
      if (step.does !== 'softmax') return undefined;
      const { name } = step;
      return [
        { ...step, name: `${name}.all` },
        {
          name,
          of: [`${name}.all`, hidden.of[1]],
          by: times,
          shape: shapeIn(all, step.of[0]),
        },
      ];
    });
  },
  'mask-strict': only(
    isCausal,
    maskBy((i, j) => j < i),
  ),
  'mask-flipped': maskBy((i, j, seen, program) => !seen || (i === j && isCausal(program))),
  'mask-forgotten': where('mask', (step, program) => instead(step, program, ([x]) => x)),
  'heads-averaged': where('concat', (step, program) => {
    const [heads, tokens, width] = shapeIn(program, step.of[0]);
    return {
      ...instead(step, program, ([x]) =>
        Array.from({ length: tokens * heads * width }, (_, i) => {
          const [t, d] = [Math.floor(i / (heads * width)), i % width];
          let sum = 0;
          for (let h = 0; h < heads; h++) sum += x[(h * tokens + t) * width + d];
          return sum / heads;
        }),
      ),
      shape: [tokens, heads * width],
    };
  }),
  'heads-split-by-token': where('split', (step, program) => ({
    ...instead(step, program, ([x]) => x),
    shape: shapeIn(program, step.name),
  })),
  'no-w-o': where('out', (step, program) =>
    same(shapeIn(program, step.of[0]), shapeIn(program, step.name)) ? copied(step) : undefined,
  ),
  'positions-missing': (program) => {
    const flag = program.leaves.positions;
    const missing = flag ? leafBy('positions', () => [0]) : where('placed', copied);
    return flag?.[0] === 0 ? null : missing(program);
  },
  'position-from-1': leafBy('position', (/** @type {number[]} */ row) => row.map((p) => p + 1)),
  'sin-cos-swapped': positionsBy((gf, positions, channels) => {
    const codes = gf.position(positions, channels).flat();
    return codes.map((_, i) => codes[i ^ 1]);
  }),
  'exponent-i-for-2i': positionsBy((gf, positions, channels) =>
    gf.position(positions, 2 * channels).flatMap((row) => row.slice(0, channels)),
  ),
  'norm-over-tokens': (program) => {
    const norm = program.steps.find(({ does }) => does === 'norm');
    if (!norm) return null;
    const [x] = program.steps.find(({ does }) => does === 'mean')?.of ?? [];
    const [tokens, width] = shapeIn(program, x);
    /** @param {Float32Array} all @param {(column: number[]) => number[]} of */
    const columns = (all, of) => {
      const y = Array.from(all);
      for (let j = 0; j < width; j++) {
        const column = of(Array.from({ length: tokens }, (_, i) => all[i * width + j]));
        for (let i = 0; i < tokens; i++) y[i * width + j] = column[i];
      }
      return y;
    };
    return rewritten(program, (step) => {
      if (step.does !== 'norm') return undefined;
      return {
        name: step.name,
        of: [x, 'gain', 'bias'],
        shape: [tokens, width],
        by: ([all, gain, bias]) =>
          columns(/** @type {Float32Array} */ (all), (column) => {
            const mean = meanOf(column);
            const square = meanOf(column.map((value) => (value - mean) ** 2));
            return column.map((value) => (square ? (value - mean) / Math.sqrt(square) : 0));
          }).map((value, i) => value * gain[i % width] + bias[i % width]),
      };
    });
  },
  'norm-n-minus-1': where('variance', (step) => {
    const { width } = /** @type {{ width: number }} */ (step.with);
    return [
      { ...step, name: 'variance.n' },
      { name: step.name, op: 'scale', of: ['variance.n'], with: { factor: width / (width - 1) } },
    ];
  }),
  'no-root': where('norm', (step, program) => ({
    ...step,
    shape: shapeIn(program, step.of[0]),
    by: ([centred, variance, gain, bias]) => {
      const width = gain.length;
      return Array.from(
        centred,
        (x, i) => (x / variance[Math.floor(i / width)]) * gain[i % width] + bias[i % width],
      );
    },
  })),
  'no-gain-bias': only(
    ({ leaves }) => rowOf(leaves, 'gain')?.some((g) => g !== 1) ?? false,
    (program) => {
      const { gain, bias } = program.leaves;
      const plain = { gain: gain.map(() => 1), bias: bias.map(() => 0) };
      return { ...program, leaves: { ...program.leaves, ...plain } };
    },
  ),
  'norm-before-residual': (program) => {
    if (!program.steps.some(({ does }) => does === 'residual')) return null;
    const steps = program.steps
      .filter(({ does }) => does !== 'residual')
      .map((step) => ({
        ...step,
        name: step.name === 'norm' ? 'norm.sublayer' : step.name,
        of: step.of.map((name) => (name === 'residual' ? 'sublayer' : name)),
      }));
    return {
      ...program,
      steps: [
        ...steps,
        { name: 'residual', op: 'add', of: ['x', 'sublayer'] },
        { name: 'norm', op: 'add', of: ['x', 'norm.sublayer'] },
      ],
    };
  },
  'relu-forgotten': where('activation', copied),
  'no-bias': (program) =>
    rewritten(program, (step) =>
      ['biased', 'projection'].includes(step.does ?? '') && step.of.length > 2
        ? { ...step, of: step.of.slice(0, 2) }
        : undefined,
    ),
  'bias-by-row': where('projection', (step, program) => {
    const [x, w, bias] = step.of;
    const shape = shapeIn(program, step.name);
    if (!bias || !square(shape)) return undefined;
    const name = `${step.name}.plain`;
    /** @type {By} */
    const by = ([y, b]) => Array.from(y, (value, i) => value + b[Math.floor(i / b.length)]);
    return [
      { name, op: 'linear', of: [x, w] },
      { name: step.name, by, of: [name, bias], shape },
    ];
  }),
  'dropout-not-rescaled': where('dropout', (step) => scaledBy(step, 1)),
  'log-base-10': where('logarithm', (step) => [
    { ...step, name: `${step.name}.natural` },
    { name: step.name, op: 'scale', of: [`${step.name}.natural`], with: { factor: 1 / ln(10) } },
  ]),
  'sum-for-mean': whereBy('average', ([x]) => [sumOf(x)]),
  'label-shifted': leafBy('labels', (/** @type {number[]} */ labels) =>
    labels.map((_, i) => labels[(i + 1) % labels.length]),
  ),
  'smoothing-on-all': where('smoothing', (step) => {
    const others = Number(step.shape?.at(-1)) - 1;
    return {
      ...step,
      by: ([label, [smoothing]]) =>
        Array.from(label, (q) => (q ? 1 - smoothing : smoothing / others)),
    };
  }),
  'label-ignored': where('difference', copied),
  'softmax-elementwise': where('softmax.backward', ({ name }, program) => ({
    name,
    of: ['weights', 'gradient.weights'],
    by: ([a, gradient]) => Array.from(a, (share, i) => gradient[i] * share * (1 - share)),
    shape: shapeIn(program, 'weights'),
  })),
  'softmax-skipped': where('softmax.backward', ({ name }) =>
    copied({ name, of: ['gradient.weights'] }),
  ),
  'weights-not-transposed': where('gradient.v', (step) => ({
    ...step,
    of: ['weights', step.of[1]],
  })),
  'gradient-not-transposed': where('gradient.k', (step) => ({
    ...step,
    of: ['gradient.scores', step.of[1]],
  })),
  'gradient-unscaled': where('gradient.scaling', (step) => scaledBy(step, 1)),
  'gradient-sign': where('difference', ({ name, of: [probabilities] }) => [
    { name: `${probabilities}.minus`, op: 'scale', of: [probabilities], with: { factor: -1 } },
    { name, op: 'add', of: [`${probabilities}.minus`, 'label'] },
  ]),
  'adam-no-bias-correction': where('correction', (step) => scaledBy(step, 1)),
  'adam-eps-inside': whereBy('root', ([m, v, [epsilon]]) =>
    Array.from(m, (x, i) => x / Math.sqrt(v[i] + epsilon)),
  ),
  'adam-no-root': whereBy('root', ([m, v, [epsilon]]) =>
    Array.from(m, (x, i) => x / (v[i] + epsilon)),
  ),
  /* What the first step keeps of the moments is 0 anyway. */
  'adam-moments-reset': where('kept', (step, { leaves }) =>
    step.of[0] in leaves ? undefined : scaledBy(step, 0),
  ),
  'adam-correction-first': where('correction', (step) =>
    step.with?.first === undefined ? undefined : scaledBy(step, step.with.first),
  ),
  'warmup-power': whereBy('rate', ([steps, [dModel], [warmup]]) =>
    Array.from(
      steps,
      (n) => (1 / Math.sqrt(dModel)) * Math.min(1 / Math.sqrt(n), n / Math.sqrt(warmup)),
    ),
  ),
  'order-kept': whereBy('shuffle', ([, order]) => Array.from(order, (_, i) => i + 1)),
  'greedy-for-beam': where('beam', (step, program) => ({
    ...step,
    by: /** @type {By} */ (program.steps.find(({ does }) => does === 'greedy')?.by),
  })),
  'probabilities-added': whereBy('joint', ([first, second, words]) => [
    first[words[0]] + second[words[0] * first.length + words[1]],
  ]),
  'biases-not-counted': (program) =>
    program.leaves.bias && !program.leaves.tokens && program.leaves.d_ff
      ? { ...program, leaves: { ...program.leaves, bias: [0] } }
      : null,
  'heads-multiply': where('count', (step) =>
    step.name === 'attention' || step.name === 'projections'
      ? changed(step, (n, [, [heads]]) => n * heads)
      : undefined,
  ),
  'cost-without-square': where('count', (step) =>
    step.name === 'scores' || step.name === 'mix'
      ? changed(step, (n, operands) => n / operands[5][0])
      : undefined,
  ),
  'final-norm-forgotten': where('final-norm', (step) => scaledBy(step, 1)),
  'embedding-left-out': ofParts((_, part) => Number(part > 0)),
  'parts-averaged': ofParts((parts) => 1 / parts),
  'direct-effect-only': where('downstream.off', ({ name }) => copied({ name, of: ['hidden'] })),
  'other-head-off': leafBy('on', (/** @type {number[][]} */ on) =>
    on.map((row) => row.map((one) => 1 - one)),
  ),
  'effect-reversed': where('effect', (step) => [
    { ...step, name: `${step.name}.right` },
    { name: step.name, op: 'scale', of: [`${step.name}.right`], with: { factor: -1 } },
  ]),
  'attention-alone': where('choice', (step, { leaves }) => ({
    ...step,
    of: ['weights', 'name'],
    by: ([weights, [name]], gf) => {
      const width = Number(shapeOf(leaves.weights)[1]);
      return /** @type {By} */ (step.by)([weights.filter((_, i) => i % width === name)], gf);
    },
  })),
  'sign-ignored': where('choice', (step) => ({
    ...step,
    by: ([effects], gf) => /** @type {By} */ (step.by)([effects.map(Math.abs)], gf),
  })),
  'attention-ignored': where('effects', (step) => ({ ...step, of: ['writes', 'all'] })),
  'no-previous-head': reads('scores', 'previous', 'x'),
  'next-for-previous': leafBy('a_0', (/** @type {number[][]} */ rows) =>
    rows.map((row, i) => row.map((_, j) => Number(j === i + 1))),
  ),
  'value-of-previous': where('mix', (step, { steps }) =>
    steps.some(({ name }) => name === 'previous')
      ? { ...step, of: ['weights', 'previous'] }
      : undefined,
  ),
};
