// The known mistakes: each changes one thing of a recipe's program.

import { meanOf, sumOf } from '../../../js/base/sum.js';
import { shapeOf } from '../../../js/base/values.js';
import { ln } from '../machine/ln.js';
import { rowOf, rowsOf } from '../machine/machine.js';
import { divided } from '../recipes/learning.js';

/** @typedef {import('../machine/machine.js').Program} Program */
/** @typedef {import('../machine/machine.js').Step} Step */
/** @typedef {import('../machine/machine.js').By} By */
/** @typedef {Program & { sizes?: Record<string, number> }} Sized */

/** Steps in place of one step, of which the last has its name; undefined leaves it as it is.
 * @typedef {(step: Step, program: Sized) => Step[] | Step | undefined} Rewrite */

/** The program with some of its steps done otherwise; null if it has no such step.
 * @param {Sized} program @param {Rewrite} rewrite
 * @returns {Program | null} */
function rewritten(program, rewrite) {
  let isChanged = false;
  const steps = program.steps.flatMap((step) => {
    const other = rewrite(step, program);
    if (!other) return step;
    isChanged = true;
    return other;
  });
  return isChanged ? { ...program, steps } : null;
}

/** The program as somebody runs it who makes a mistake; null where it has no place for it.
 * @typedef {(program: Sized) => Program | null} Mistaken */

/** The steps that are for something, done otherwise.
 * @param {string} does @param {Rewrite} rewrite
 * @returns {Mistaken} */
const where = (does, rewrite) => (program) =>
  rewritten(program, (step, all) => (step.does === does ? rewrite(step, all) : undefined));

/** The steps that are for something, by another function of their operands.
 * @param {string} does @param {By} by */
const whereBy = (does, by) => where(does, (step) => ({ ...step, by }));

/** The step with each of its numbers changed. @param {Step} step @param {(x: number, operands: Parameters<By>[0]) => number} change
 * @returns {Step} */
const changed = (step, change) => ({
  ...step,
  by: (operands, gf) =>
    Array.from(/** @type {By} */ (step.by)(operands, gf), (x) => change(x, operands)),
});

/** The step's first operand as it is. @param {Step} step
 * @returns {Step} */
const copied = ({ name, of: [x] }) => ({ name, op: 'scale', of: [x], with: { factor: 1 } });

/** A leaf by another rule.
 * @param {string} name @param {(leaf: any, program: Sized) => import('../machine/machine.js').Leaf} rule
 * @returns {Mistaken} */
const leafBy = (name, rule) => (program) => {
  const leaf = program.leaves[name];
  return leaf ? { ...program, leaves: { ...program.leaves, [name]: rule(leaf, program) } } : null;
};

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

/** @param {Step} step @param {number} factor
 * @returns {Step} */
const scaledBy = (step, factor) => ({ ...step, with: { ...step.with, factor } });

/** The order of axes that exchanges rows and columns, of each head if there are heads.
 * @param {readonly number[]} shape */
const swapped = (shape) => (shape.length === 3 ? [0, 2, 1] : [1, 0]);

/** The step on turned rows and columns. @param {Step} step @param {readonly number[]} order
 * @returns {Step[]} */
function turned(step, order) {
  const [x] = step.of;
  return [
    { name: `${step.name}.turned`, op: 'transpose', of: [x], with: { order } },
    { ...step, name: `${step.name}.columns`, of: [`${step.name}.turned`] },
    { name: step.name, op: 'transpose', of: [`${step.name}.columns`], with: { order } },
  ];
}

/** The shape of a step or leaf, where it can be told from the program alone.
 * @param {Sized} program @param {string} name
 * @returns {readonly number[]} */
function shapeIn(program, name) {
  if (name in program.leaves) return shapeOf(program.leaves[name]);
  const step = program.steps.find((one) => one.name === name);
  if (!step) return [];
  const of = step.of.map((operand) => shapeIn(program, operand));
  if (step.shape) return step.shape;
  if (step.op === 'linear' || step.op === 'matmul') {
    return [...of[0].slice(0, -1), Number(of[1].at(-1))];
  }
  if (step.op === 'matmulTransposed') return [...of[0].slice(0, -1), Number(of[1].at(-2))];
  if (step.op === 'splitHeads') {
    const { heads } = /** @type {{ heads: number }} */ (step.with);
    return [heads, of[0][0], of[0][1] / heads];
  }
  if (step.op === 'concatHeads') return [of[0][1], of[0][0] * of[0][2]];
  if (step.op === 'position') return [...of[0], step.with?.channels ?? 0];
  return of[0];
}

/** @param {readonly number[]} a @param {readonly number[]} b */
const same = (a, b) => a.length === b.length && a.every((n, i) => n === b[i]);

/** @param {readonly number[]} shape */
const square = (shape) => shape.at(-1) === shape.at(-2);

/** The rows of an operand, each as what `of` makes of it.
 * @param {number} width @param {(row: Float32Array, gf: any) => ArrayLike<number>} of
 * @returns {By} */
const byRows =
  (width, of) =>
  ([x], gf) => {
    const y = [];
    for (let i = 0; i < x.length; i += width) {
      y.push(...Array.from(of(Float32Array.from(x.slice(i, i + width)), gf)));
    }
    return y;
  };

/** Other numbers than the step's operand, in its shape.
 * @param {Step} step @param {Sized} program @param {By} by
 * @returns {Step} */
const instead = ({ name, of, does }, program, by) => ({
  name,
  of: of.slice(0, 1),
  by,
  does,
  shape: shapeIn(program, of[0]),
});

/** What is hidden becomes 0. @type {By} */
const times = ([x, mask]) => Array.from(x, (value, i) => value * mask[i % mask.length]);

/** A mask by another rule. @param {(i: number, j: number, seen: number, program: Sized) => boolean} rule */
const maskBy = (rule) =>
  leafBy('mask', (/** @type {number[][]} */ mask, program) =>
    mask.map((row, i) => row.map((seen, j) => Number(rule(i, j, seen, program)))),
  );

/** @param {Sized} program */
const isCausal = ({ leaves }) => rowsOf(leaves, 'mask')?.[0].join() === '1,0,0';

/** The program if it is as asked, to go on with.
 * @param {(program: Sized) => boolean} asked @param {Mistaken} machine
 * @returns {Mistaken} */
const only = (asked, machine) => (program) => (asked(program) ? machine(program) : null);

/** A step reads another operand in place of one, if both have a shape.
 * @param {string} does @param {string} from @param {string} to */
const reads = (does, from, to) =>
  where(does, (step, program) => {
    if (!step.of.includes(from) || !same(shapeIn(program, from), shapeIn(program, to)))
      return undefined;
    return { ...step, of: step.of.map((name) => (name === from ? to : name)) };
  });

/** The parts of a logit are added up by other factors. @param {(parts: number, part: number) => number} factor
 * @returns {Mistaken} */
const ofParts = (factor) => (program) => {
  const parts = rowsOf(program.leaves, 'parts');
  if (!parts) return null;
  const all = [parts.map((_, part) => factor(parts.length, part))];
  return { ...program, leaves: { ...program.leaves, all } };
};

/** @type {Readonly<Record<string, Mistaken>>} */
export const MISCONCEPTIONS = {
  'no-scaling': where('scaling', (step) => scaledBy(step, 1)),
  'scale-by-dk': where('scaling', (step) => scaledBy(step, 1 / (step.with?.dK ?? 1))),
  'scale-by-sqrt-dmodel': where('scaling', (step) => {
    const { dK, dModel } = /** @type {any} */ (step.with);
    if (!dModel || dModel === dK) return undefined;
    const root = Math.sqrt(dModel);
    return { ...scaledBy(step, 1 / root), within: divided(root) };
  }),
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
        return shown.map((x) => x / sum);
      }),
    );
  }),
  'base-2': where('softmax', (step) => [
    { name: `${step.name}.base`, op: 'scale', of: step.of, with: { factor: Math.LN2 } },
    { ...step, of: [`${step.name}.base`] },
  ]),
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
  'w-transposed': where('projection', (step, program) =>
    square(shapeIn(program, step.of[1])) ? { ...step, op: 'matmulTransposed' } : undefined,
  ),
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
  'no-w-o': where('out', copied),
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
  'no-bias': where('biased', (step) => ({ ...step, of: step.of.slice(0, 2) })),
  'dropout-not-rescaled': where('dropout', (step) => scaledBy(step, 1)),
  'log-base-10': where('logarithm', (step) => [
    { ...step, name: `${step.name}.natural` },
    { name: step.name, op: 'scale', of: [`${step.name}.natural`], with: { factor: 1 / ln(10) } },
  ]),
  'sum-for-mean': whereBy('average', ([x]) => [sumOf(x)]),
  'label-shifted': leafBy('labels', (/** @type {number[]} */ labels) =>
    labels.map((_, i) => labels[(i + 1) % labels.length]),
  ),
  'smoothing-on-all': whereBy('smoothing', ([label, [smoothing]]) =>
    Array.from(label, (q) => (q ? 1 - smoothing : smoothing / 2)),
  ),
  'label-ignored': where('difference', copied),
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
