// Attribution patching: gradient times difference, one backward pass in place of a run for each place; and how far it is
// from true patching.

import { checkBoolean } from '../../js/base/errors.js';
import { gradientOf } from '../../js/tape/tensor.js';
import { bothRuns, gridOfRows, measured, nodesOf, touchedBy } from './ablate.js';
import { experiment } from './bench.js';
import { changesOf, valuesOn } from './replace.js';

/** @typedef {import('./ablate.js').PatchOptions} PatchOptions */
/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('./metric.js').Measured} Measured */
/** @typedef {import('./places.js').Region} Region */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** compare: whether true patching is computed beside it, which takes a run for each place; false by default.
 * @typedef {Pick<PatchOptions, 'from' | 'layers' | 'metric'> & { each: import('./places.js').Each, compare?: boolean }} AttributionPatchOptions */

/**
 * @typedef {object} AttributionPatching
 * @property {'attribution'} experiment
 * @property {Measured} metric what is measured
 * @property {number} before in the unchanged run
 * @property {number} other in the run that values are taken from
 * @property {Grid} grid gradient times difference of each place: what the metric would change by if it were linear
 * @property {Grid | null} truth by how much patching each place changes it; null without compare
 * @property {{ largest: number, mean: number } | null} error the largest and the mean distance of the two grids; null without compare
 */

const OPTIONS = ['from', 'each', 'layers', 'metric', 'compare'];

/** Attribution patching: the gradient of the metric times the difference that patching would make, for all places
 * from one backward pass; with compare, its error against true patching.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {AttributionPatchOptions & Listener} options
 * @returns {Promise<AttributionPatching>}
 * @example
 * import { attributionPatch } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 2, maxLength: 16 });
 * const from = { target: [1, 5, 3] };
 * const { grid, truth, error } = await attributionPatch(model, { target: [1, 2, 3] }, { from, each: 'head', compare: true });
 * truth && error && Math.abs(grid.values[1][0] - truth.values[1][0]) <= error.largest; // = true
 * model.dispose(); */
export function attributionPatch(model, inputs, options) {
  const where = 'attributionPatch';
  return experiment(where, options, OPTIONS, function* (use, options) {
    const { each, compare = false } = options;
    checkBoolean(`${where}: compare`, compare);
    const { bench, metric, trials, second, facts } = yield* bothRuns(
      use,
      where,
      model,
      inputs,
      options,
      true,
    );
    const rows = trials.rows ?? [];
    const nodes = nodesOf(touchedBy(trials));
    const values = valuesOn(nodes, second);
    const intact = bench.copies(nodes);
    yield* metric.derive();
    const gradients = new Map(
      nodes.map((node) => [node, /** @type {Float32Array} */ (gradientOf(node)).slice()]),
    );
    yield 0;
    /** @param {Region} region */
    const estimate = ({ node, cells }) => {
      const [slope, a, b] = [gradients, intact, values].map(
        (all) => /** @type {Float32Array} */ (all.get(node)),
      );
      return cells.reduce((sum, cell) => sum + slope[cell] * (b[cell] - a[cell]), 0);
    };
    const estimates = rows.map(({ regionsAt, count }) =>
      Array.from({ length: count }, (_, i) =>
        regionsAt(i).reduce((sum, one) => sum + estimate(one), 0),
      ),
    );
    const unit = `change of the ${facts.metric.kind}`;
    const result = {
      experiment: /** @type {const} */ ('attribution'),
      ...facts,
      grid: gridOfRows(rows, each, estimates, unit),
    };
    if (!compare) return { ...result, truth: null, error: null };
    const truth = yield* measured(rows, function* (regions) {
      yield* bench.running(changesOf(regions, values));
      return metric.read() - facts.before;
    });
    const distances = truth.flatMap((row, i) =>
      row.map((value, j) => Math.abs(value - estimates[i][j])),
    );
    const error = {
      largest: distances.reduce((most, value) => Math.max(most, value), 0),
      mean: distances.reduce((sum, value) => sum + value, 0) / distances.length,
    };
    return { ...result, truth: gridOfRows(rows, each, truth, unit), error };
  });
}
