// Compares what the heads of a model attend to with what the stories have decided.

import { atOnce } from '../../js/base/turn.js';
import { meansOf, summed } from '../inside/roles.js';
import { rangeError } from '../tasks/texts.js';
import { checkModel, checkStories } from './checks.js';
import { byKind } from './draw.js';
import { vocabulary } from './story.js';

/** @typedef {import('../inside/index.js').LinkedText} LinkedText */
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
  const { heads, relations } = meansOf(atOnce(summed('headJobs', model, linkedStories(stories))));
  const { layers, heads: columns } = model.config;
  /** @type {Grid['axes']} */
  const axes = [axis('layer', layers), axis('head', columns)];
  return byKind((kind) => {
    const values = Array.from({ length: relations[kind] ? layers : 0 }, (_, layer) =>
      heads.filter((one) => one.layer === layer).map((one) => one.relations[kind].attention),
    );
    return {
      grid: { axes, values, unit: 'attention' },
      even: relations[kind]?.even ?? Number.NaN,
    };
  });
}

/** Stories as a model reads them; a link leads from where it has to know a decided word to those that tell it, and its
 * relation is the kind of that word: for headRoles.
 * @param {readonly Story[]} stories
 * @returns {(LinkedText & { inputs: { target: number[] } })[]}
 * @example
 * import { heldOutStories, linkedStories } from 'glassformer/stories';
 *
 * const [{ inputs, links }] = linkedStories(heldOutStories(1, 1));
 * links.every(({ query }) => query < inputs.target.length); // = true */
export function linkedStories(stories) {
  checkStories('linkedStories', stories);
  return stories.map(({ tokens, decided }) => ({
    inputs: { target: vocabulary.encode(tokens) },
    links: decided.map(({ kind, position, from }) => ({
      relation: kind,
      query: position,
      keys: from,
    })),
  }));
}

/** @param {string} name @param {number} count */
const axis = (name, count) => ({
  name,
  labels: Array.from({ length: count }, (_, i) => String(i)),
});
