// Compares what the heads of a model attend to with what the stories have decided.

import { valuesOf } from '../../js/tape/tensor.js';
import { attentionsOf } from '../inside/attention.js';
import { rangeError } from '../tasks/texts.js';
import { checkModel, checkStories } from './checks.js';
import { byKind } from './draw.js';
import { vocabulary } from './story.js';

/** @typedef {import('../inside/index.js').Grid} Grid */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./draw.js').Kind} Kind */
/** @typedef {import('./story.js').Story} Story */

/** grid: by layer and head; even: what a head has that attends to all positions alike.
 * @typedef {{ grid: Grid, even: number }} Job */

/** How much each head attends to the words that tell a decided one, from where the model has to know it: for each kind
 * of decided words the mean over all of them.
 * @param {Model} model @param {readonly Story[]} stories one or more
 * @returns {Record<Kind, Job>}
 * @example
 * import { headJobs, heldOutStories, untrained } from 'glassformer/stories';
 *
 * const { phrases } = headJobs(untrained(gf, 1), heldOutStories(5, 2));
 * phrases.grid.values.length; // = 3
 * phrases.even < 0.1; // = true */
export function headJobs(model, stories) {
  checkModel('headJobs', model);
  checkStories('headJobs', stories);
  if (!stories.length) throw rangeError('stories', { where: 'headJobs: stories', given: stories });
  const sums = byKind(() => ({ count: 0, even: 0, values: /** @type {number[][]} */ ([]) }));
  for (const { tokens, decided } of stories) {
    const run = model.forward({ target: vocabulary.encode(tokens), gradients: false });
    try {
      const layers = attentionsOf(run.tape).map(({ weights }) => weights);
      for (const { kind, position, from } of decided) {
        const sum = sums[kind];
        sum.count += 1;
        sum.even += from.length / (position + 1);
        for (const [layer, weights] of layers.entries()) {
          const [, heads, queries, keys] = weights.shape;
          const data = valuesOf(weights);
          sum.values[layer] ??= new Array(heads).fill(0);
          for (let head = 0; head < heads; head++) {
            const row = (head * queries + position) * keys;
            sum.values[layer][head] += from.reduce((total, key) => total + data[row + key], 0);
          }
        }
      }
    } finally {
      run.dispose();
    }
  }
  const { layers, heads } = model.config;
  /** @type {Grid['axes']} */
  const axes = [axis('layer', layers), axis('head', heads)];
  return byKind((kind) => {
    const { count, even, values } = sums[kind];
    const means = values.map((row) => row.map((value) => value / count));
    return { grid: { axes, values: means, unit: 'attention' }, even: even / count };
  });
}

/** @param {string} name @param {number} count */
const axis = (name, count) => ({
  name,
  labels: Array.from({ length: count }, (_, i) => String(i)),
});
