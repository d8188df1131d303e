// Ablation and activation patching: values of one place, or of each of a kind, are replaced; what lies downstream is
// computed again, and measured.

import { checkArray, checkInteger, checkWord } from '../../js/base/errors.js';
import { asPart } from '../../js/base/turn.js';
import { alike, Bench, experiment, floatsOf } from './bench.js';
import { gridOf } from './lens.js';
import { Metric } from './metric.js';
import { EACH, region, regionsOf, rowsOf } from './places.js';
import { areSame, changesOf, replacing, secondRun, valuesOn } from './replace.js';
import { MAX_LAYER } from './stream.js';
import { typeError } from './texts.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('./metric.js').Measured} Measured */
/** @typedef {import('./metric.js').MetricOptions} MetricOptions */
/** @typedef {import('./places.js').Each} Each */
/** @typedef {import('./places.js').Place} Place */
/** @typedef {import('./places.js').Region} Region */
/** @typedef {import('./places.js').Row} Row */
/** @typedef {import('./replace.js').Value} Value */
/** @typedef {import('./replace.js').Values} Values */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** Which places: `at`, all of them together; or `each` of a kind, one after the other, in a grid.
 * @typedef {object} Where
 * @property {Each} [each]
 * @property {readonly number[]} [layers] with each: these layers alone
 * @property {readonly Place[]} [at]
 * @property {MetricOptions} [metric]
 */

/** A place with a value of its own. @typedef {Place & { value?: Value }} ChangedPlace */
/** @typedef {Where & { at?: readonly ChangedPlace[], value?: Value }} AblateOptions value: of the places that have none of
 *   their own; 'zero' by default */
/** @typedef {Where & { from: Inputs }} PatchOptions from: the run that values are taken from, of the same length */

/**
 * @typedef {object} Ablation
 * @property {'ablate'} experiment
 * @property {Measured} metric what is measured
 * @property {number} before in the unchanged run
 * @property {number | null} after with the places of `at`
 * @property {Grid | null} grid the metric with each place alone
 * @property {number} computed how many nodes were computed in all
 * @property {{ nothing: boolean }} check whether putting each value back where it was changed no bit of the logits
 */

/**
 * @typedef {object} Patching
 * @property {'patch'} experiment
 * @property {Measured} metric what is measured
 * @property {number} before in the unchanged run
 * @property {number} other in the run that values are taken from
 * @property {number | null} after with the places of `at`
 * @property {Grid | null} grid the metric with each place alone
 * @property {number} computed how many nodes were computed in all
 * @property {{ nothing: boolean, everything: boolean }} check whether patching a run into itself changed no bit of the
 *   logits, and whether patching everything gave the bits of the other run
 */

const OPTIONS = ['each', 'layers', 'at', 'metric'];

/** The places of an experiment: rows of places, or one list of regions.
 * @typedef {{ rows: Row[], places: null, regions: null, each: Each }
 *   | { rows: null, places: Region[][], regions: Region[], each: null }} Trials */

/** @param {Bench} bench @param {Where} options @param {readonly string[]} [more] what else a place may say
 * @returns {Trials} */
export function trialsOf(bench, { each, layers, at }, more) {
  const { where } = bench;
  if ((each === undefined) === (at === undefined)) throw typeError('eachOrAt', { where });
  if (at !== undefined) {
    checkArray(`${where}: at`, at);
    const places = Array.from(at, (place, i) =>
      regionsOf(`${where}: at[${i}]`, bench, place, more),
    );
    return { rows: null, places, regions: places.flat(), each: null };
  }
  checkWord(`${where}: each`, each, EACH);
  if (layers !== undefined) {
    checkArray(`${where}: layers`, layers);
    for (const [i, layer] of layers.entries()) {
      checkInteger(`${where}: layers[${i}]`, layer, 0, MAX_LAYER);
    }
  }
  const rows = rowsOf(bench, /** @type {Each} */ (each)).filter(
    ({ layer }) => layers?.includes(layer) ?? true,
  );
  return { rows, places: null, regions: null, each: /** @type {Each} */ (each) };
}

/** All regions that trials touch.
 * @param {Trials} trials */
export const touchedBy = ({ rows, regions }) =>
  regions ??
  rows.flatMap(({ regionsAt, count }) =>
    Array.from({ length: count }, (_, i) => regionsAt(i)).flat(),
  );

/** The nodes of regions, each once. @param {readonly Region[]} regions */
export const nodesOf = (regions) => [...new Set(regions.map(({ node }) => node))];

/** Measures each place of the rows. The last rows come first: each is then computed with no more than what lies
 * downstream of it.
 * @param {readonly Row[]} rows @param {(regions: Region[], row: number, place: number) => Generator<number, number>} measure
 * @returns {Generator<number, number[][]>} */
export function* measured(rows, measure) {
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  /** @type {number[][]} */
  const values = rows.map(() => []);
  let done = 0;
  for (let row = rows.length - 1; row >= 0; row--) {
    for (let place = 0; place < rows[row].count; place++) {
      const measuring = measure(rows[row].regionsAt(place), row, place);
      values[row].push(yield* asPart(measuring, done / all, 0));
      done += 1;
      yield done / all;
    }
  }
  return values;
}

/** @param {readonly Row[]} rows @param {Each} each @param {number[][]} values @param {string} unit
 * @returns {Grid} */
export function gridOfRows(rows, each, values, unit) {
  const layers = rows.map(({ label }) => label);
  const most = rows.reduce((count, row) => Math.max(count, row.count), 0);
  const places = Array.from({ length: most }, (_, i) => String(i));
  return gridOf(
    values,
    unit,
    ['layer', layers],
    each === 'layer' ? ['part', ['layer']] : [each, places],
  );
}

/** Tries the places with new values.
 * @param {Bench} bench @param {Metric} metric @param {Trials} trials @param {Values} values @param {string} unit
 * @returns {Generator<number, { after: number | null, grid: Grid | null, check: { nothing: boolean } }>} */
function* tried(bench, metric, trials, values, unit) {
  const { rows, regions, each } = trials;
  const all = touchedBy(trials);
  const logits = floatsOf(bench.logits).slice();
  const intact = bench.copies(nodesOf(all));
  yield* bench.running(changesOf(all, intact));
  const check = { nothing: alike(floatsOf(bench.logits), logits) };
  const unchanged = metric.read();
  function* measure(/** @type {readonly Region[]} */ some) {
    if (areSame(some, intact, values)) return unchanged;
    yield* bench.running(changesOf(some, values));
    return metric.read();
  }
  if (regions) return { after: yield* measure(regions), grid: null, check };
  const grid = yield* measured(rows, measure);
  return { after: null, grid: gridOfRows(rows, each, grid, unit), check };
}

/** New values for all that trials touch. Places that have the same value get theirs from one run.
 * @param {Model} model @param {Bench} bench @param {Trials} trials @param {AblateOptions} options
 * @returns {Generator<number, Values>} */
export function* valuesFor(model, bench, trials, { at = [], value }) {
  /** @type {Map<Value | undefined, Region[]>} */
  const groups = new Map();
  for (const [i, regions] of (trials.places ?? [touchedBy(trials)]).entries()) {
    const replacement = at[i]?.value ?? value;
    groups.set(replacement, [...(groups.get(replacement) ?? []), ...regions]);
  }
  /** @type {Map<Tensor, Float32Array>} */
  const all = new Map();
  for (const [replacement, regions] of groups) {
    const values = yield* replacing(model, bench, replacement)(nodesOf(regions));
    for (const { node, cells } of regions) {
      const from = /** @type {Float32Array} */ (values.get(node));
      const into = all.get(node) ?? from;
      for (const cell of cells) into[cell] = from[cell];
      all.set(node, into);
    }
  }
  return all;
}

/** Takes away what heads, neurons, layers, positions or any nodes computed: zeros stand in their place, or means
 * over a set, or another run's values. Only what lies downstream is computed again.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {AblateOptions & Listener} options
 * @returns {Promise<Ablation>}
 * @example
 * import { ablate } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 3, maxLength: 16 });
 * const { grid, check } = await ablate(model, { target: [1, 2, 3] }, { each: 'head' });
 * grid?.values.map((row) => row.length); // = [2, 2, 2]
 * check.nothing; // = true
 * const { before, after } = await ablate(model, { target: [1, 2, 3] }, { at: [{ layer: 2, head: 1 }] });
 * before === after; // = false
 * const run = { target: [1, 5, 3] };
 * const at = [{ layer: 0, head: 0 }, { layer: 0, head: 1, value: { run } }];
 * (await ablate(model, { target: [1, 2, 3] }, { at })).check.nothing; // = true
 * model.dispose(); */
export function ablate(model, inputs, options) {
  return experiment('ablate', options, [...OPTIONS, 'value'], (use, options) =>
    ablating(use, model, inputs, options),
  );
}

/** The work of ablate(), for who does it at once.
 * @param {(bench: Bench) => Bench} use @param {Model} model @param {Inputs} inputs @param {AblateOptions} options
 * @returns {Generator<number, Ablation>} */
export function* ablating(use, model, inputs, options) {
  const where = 'ablate';
  const metric = new Metric(where, options.metric);
  const bench = use(new Bench(where, model, inputs, metric.more));
  const trials = trialsOf(bench, options, ['value']);
  const measure = yield* metric.begin(bench);
  const before = metric.read();
  const values = yield* valuesFor(model, bench, trials, options);
  const outcome = yield* tried(bench, metric, trials, values, measure.kind);
  return { experiment: 'ablate', metric: measure, before, ...outcome, computed: bench.computed };
}

/** The two runs of a patching, this one and that which values are taken from, and the metric of each.
 * @param {(bench: Bench) => Bench} use @param {string} where @param {Model} model @param {Inputs} inputs
 * @param {PatchOptions} options @param {boolean} [derives] whether the first one has gradients
 * @returns {Generator<number, { bench: Bench, metric: Metric, trials: Trials, second: Bench,
 *   facts: { metric: Measured, before: number, other: number } }>} */
export function* bothRuns(use, where, model, inputs, options, derives) {
  const metric = new Metric(where, options.metric);
  const bench = use(new Bench(where, model, inputs, metric.more, derives));
  const trials = trialsOf(bench, options);
  const measure = yield* metric.begin(bench);
  const before = metric.read();
  const same = new Metric(where, { ...options.metric, token: measure.token });
  const second = use(secondRun(model, options.from, bench, 'from', same.more));
  yield* same.begin(second);
  return { bench, metric, trials, second, facts: { metric: measure, before, other: same.read() } };
}

/** Puts values of another run into this one, place by place, and measures what each does: activation patching.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {PatchOptions & Listener} options
 * @returns {Promise<Patching>}
 * @example
 * import { patch } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 3, maxLength: 16 });
 * const from = { target: [1, 5, 3] };
 * const told = await patch(model, { target: [1, 2, 3] }, { from, each: 'position' });
 * told.grid?.axes.map(({ name }) => name); // = ['layer', 'position']
 * told.grid?.values[0][1] === told.other; // = true
 * told.check; // = { nothing: true, everything: true }
 * model.dispose(); */
export function patch(model, inputs, options) {
  const where = 'patch';
  return experiment(where, options, [...OPTIONS, 'from'], function* (use, options) {
    const { bench, metric, trials, second, facts } = yield* bothRuns(
      use,
      where,
      model,
      inputs,
      options,
    );
    yield 0;
    const values = valuesOn(nodesOf(touchedBy(trials)), second);
    const outcome = yield* tried(bench, metric, trials, values, facts.metric.kind);
    const read = bench.nodes.filter(({ op, axes }) => op === 'embed' && axes[0] === 'batch');
    const whole = read.map((node) => region(node, []));
    yield* bench.running(changesOf(whole, valuesOn(read, second)));
    const everything = alike(floatsOf(bench.logits), floatsOf(second.logits));
    return {
      experiment: /** @type {const} */ ('patch'),
      ...facts,
      ...outcome,
      computed: bench.computed,
      check: { ...outcome.check, everything },
    };
  });
}
