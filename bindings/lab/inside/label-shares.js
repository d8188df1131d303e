// How much of the differences between vectors a label explains: the part of their variance that lies between those with
// the label and the rest. 1: the label decides the vector; 0: it says nothing. Shuffled labels show what chance explains.

import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
} from '../../js/base/errors.js';
import { shuffled } from '../../js/base/random.js';
import { asPart } from '../../js/base/turn.js';
import { UINT32 } from '../../js/base/values.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { checkPosition } from './metric.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./probe.js').ProbeExample} ProbeExample */

/**
 * @typedef {object} LabelShareOptions
 * @property {readonly string[]} nodes the steps whose vectors are compared
 * @property {boolean} [byPosition] whether the mean of each position is taken off first, so that a label that goes with
 *   positions explains nothing by them: false by default
 * @property {number} [shuffles] how often the labels are shuffled for `chance`: 20 by default
 * @property {number} [seed] of the shuffles
 */

/** Of one label and one step, or one of its heads.
 * @typedef {object} LabelShare
 * @property {string} node
 * @property {number | null} head null where the step has no heads
 * @property {string | number} label as the examples have it
 * @property {number | null} share of the variance that lies between the vectors with this label and all others, from 0
 *   to 1; null where the vectors do not differ
 * @property {number | null} chance the largest share that shuffled labels explain
 */

/** labels: those that occur, in the order found. counts: how many examples have each. vectors: of each head of each step, those of
 * the examples.
 * @typedef {{ experiment: 'labelShares', labels: (string | number)[], counts: number[], shares: LabelShare[],
 *   vectors: { node: string, head: number | null, rows: Float64Array[] }[] }} LabelShares */

const OPTIONS = ['nodes', 'byPosition', 'shuffles', 'seed'];
const MIN_EXAMPLES = 4;
const MAX_SHUFFLES = 1000;
/** Less than this part of the vectors' squared length is rounding. */
const ROUNDING = 1e-12;

/** The vectors of one position, of each step and head.
 * @param {Bench} bench @param {readonly string[]} nodes @param {(length: number) => number} positionIn */
function vectorsAt({ tape, where }, nodes, positionIn) {
  return nodes.flatMap((name) => {
    const node = tape.find(name);
    const { axes, kind, shape } = node;
    const heads = axes[1] === 'head' ? shape[1] : 1;
    const [length, width] = shape.slice(-2);
    if (kind !== 'op' || axes[axes.length - 2] !== 'token' || axes[axes.length - 1] !== 'channel')
      throw rangeError('vectorsOfTokens', { where, name, node: name });
    const position = positionIn(length);
    const data = floatsOf(node);
    return Array.from({ length: heads }, (_, head) => {
      const from = (head * length + position) * width;
      const row = Float64Array.from(data.subarray(from, from + width));
      return { node: name, head: axes[1] === 'head' ? head : null, position, row };
    });
  });
}

/** @param {string} where @param {Model} model @param {unknown} example @param {readonly string[]} nodes */
function* readExample(where, model, example, nodes) {
  checkOptions(where, example, ['inputs', 'label', 'position']);
  const { inputs, label, position } = /** @type {ProbeExample} */ (example);
  if (typeof label !== 'string' && typeof label !== 'number')
    throw typeError('label', { where: `${where}: label`, given: label });
  const bench = new Bench(where, model, inputs);
  try {
    yield* bench.running();
    const vectors = vectorsAt(bench, nodes, (length) =>
      checkPosition(`${where}: position`, position, length),
    );
    return { label, vectors };
  } finally {
    bench.dispose();
  }
}

/** The mean of some rows. @param {readonly Float64Array[]} rows @param {readonly number[]} places */
function meanOf(rows, places) {
  const mean = new Float64Array(rows[0].length);
  for (const i of places) for (const [c, x] of rows[i].entries()) mean[c] += x / places.length;
  return mean;
}

/** Rows without the mean of their group. @param {readonly Float64Array[]} rows @param {readonly unknown[]} groups */
function centred(rows, groups) {
  const out = rows.map((row) => row.slice());
  for (const group of new Set(groups)) {
    const places = [...groups.keys()].filter((i) => groups[i] === group);
    const mean = meanOf(rows, places);
    for (const i of places) for (const [c, x] of mean.entries()) out[i][c] -= x;
  }
  return out;
}

/** @param {ArrayLike<number>} row */
const square = (row) => Array.from(row).reduce((sum, x) => sum + x * x, 0);

/** The part of the rows' variance that lies between those of a label and the rest.
 * @param {readonly Float64Array[]} rows around 0 @param {readonly unknown[]} labels @param {unknown} label */
function shareOf(rows, labels, label) {
  const total = rows.reduce((sum, row) => sum + square(row), 0);
  const [inside, outside] = [true, false].map((is) =>
    [...labels.keys()].filter((i) => (labels[i] === label) === is),
  );
  const between = [inside, outside].reduce(
    (sum, places) => sum + places.length * square(meanOf(rows, places)),
    0,
  );
  return between / total;
}

/** @param {string} where @param {readonly ProbeExample[]} examples @param {LabelShareOptions} options */
function checkCall(where, examples, options) {
  const { nodes, byPosition = false, shuffles = 20, seed = 0 } = options;
  checkArray(`${where}: nodes`, nodes);
  if (nodes.length === 0) throw rangeError('noNodes', { where: `${where}: nodes` });
  for (const [i, name] of nodes.entries()) {
    const place = `${where}: nodes[${i}]`;
    checkText(place, name);
    if (nodes.indexOf(name) < i) throw rangeError('nodeTwice', { where: place, value: name });
  }
  checkBoolean(`${where}: byPosition`, byPosition);
  checkInteger(`${where}: shuffles`, shuffles, 1, MAX_SHUFFLES);
  checkInteger(`${where}: seed`, seed, 0, UINT32);
  checkArray(`${where}: examples`, examples);
  const n = examples.length;
  if (n < MIN_EXAMPLES)
    throw rangeError('fewExamples', { where: `${where}: examples`, least: MIN_EXAMPLES, n });
  return { nodes, byPosition, shuffles, seed };
}

/** How much of the differences between the vectors of a step a label explains, head by head where the step has heads;
 * and the most that shuffled labels explain.
 * @param {Model} model @param {readonly ProbeExample[]} examples @param {LabelShareOptions & Listener} options
 * @returns {Promise<LabelShares>}
 * @example
 * import { labelShares } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 4, dModel: 2, heads: 1, layers: 1, maxLength: 4 });
 * model.parameters.get('embedding.weight').data.set([3, 1, 3, -1, -3, 1, -3, -1]);
 * const examples = [0, 1, 2, 3].map((id) => ({ inputs: { target: [id] }, label: id < 2 ? 'low' : 'high' }));
 * const { shares } = await labelShares(model, examples, { nodes: ['decoder.embedding'] });
 * shares[0].share; // = 0.9
 * model.dispose(); */
export function labelShares(model, examples, options) {
  const where = 'labelShares';
  return experiment(where, options, OPTIONS, function* (_, options) {
    const { nodes, byPosition, shuffles, seed } = checkCall(where, examples, options);
    /** @type {{ label: string | number, vectors: ReturnType<typeof vectorsAt> }[]} */
    const read = [];
    for (const [i, example] of examples.entries()) {
      const place = `${where}: examples[${i}]`;
      const reading = readExample(place, model, example, nodes);
      read.push(yield* asPart(reading, (0.9 * i) / examples.length, 0));
      yield (0.9 * (i + 1)) / examples.length;
    }
    const all = read.map(({ label }) => label);
    const labels = [...new Set(all)];
    if (labels.length < 2)
      throw rangeError('classCount', { where: `${where}: examples`, n: labels.length });
    const mixed = Array.from({ length: shuffles }, (_, i) => shuffled(all, seed, i));
    /** @type {LabelShare[]} */
    const shares = [];
    const vectors = read[0].vectors.map(({ node, head }, k) => ({
      ...{ node, head },
      rows: read.map((one) => one.vectors[k].row),
    }));
    for (const [k, { node, head, rows }] of vectors.entries()) {
      const groups = read.map((one) => (byPosition ? one.vectors[k].position : 0));
      const centre = centred(rows, groups);
      const size = (/** @type {Float64Array[]} */ of) =>
        of.reduce((sum, row) => sum + square(row), 0);
      const isFlat = size(centre) <= ROUNDING * size(rows);
      for (const label of labels) {
        const of = (/** @type {readonly unknown[]} */ list) => shareOf(centre, list, label);
        shares.push({
          ...{ node, head, label },
          share: isFlat ? null : of(all),
          chance: isFlat ? null : Math.max(...mixed.map(of)),
        });
      }
      yield 0.9 + (0.1 * (k + 1)) / vectors.length;
    }
    const counts = labels.map((label) => all.filter((one) => one === label).length);
    return { experiment: /** @type {const} */ ('labelShares'), labels, counts, shares, vectors };
  });
}
