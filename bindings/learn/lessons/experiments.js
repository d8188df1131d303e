// What a scene of the chapter Inside reads: what each head of the model of the stories adds to a logit difference, and what
// changes without it.

import { ablating } from '../../lab/inside/ablate.js';
import { attributing } from '../../lab/inside/attribution.js';
import { atOnce } from '../../lab/inside/bench.js';
import { likeliest, storyInputs, vocabulary } from '../../lab/stories/index.js';
import { experimentSteps } from './inside-steps.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./scope.js').Numbers} Numbers */

/** @param {string} [written] heads by layer and head: 0.3,1.2 */
const headsIn = (written = '') =>
  written
    .split(',')
    .filter((place) => /^\d+\.\d+$/.test(place))
    .map((place) => {
      const [layer, head] = place.split('.').map(Number);
      return { layer, head };
    });

/** @param {Model} model @param {Record<string, string>} parts of a link
 * @returns {{ steps: Numbers[], words: Record<string, readonly string[]> }} */
export function experimentOf(model, { prompt = '', other = '', word, instead, off, from }) {
  const [inputs, run] = [prompt, other].map((text) => storyInputs(text));
  const tokens = vocabulary.decode(inputs.target);
  const says = /** @type {string} */ (likeliest(model, tokens).at(-1));
  const idOf = (/** @type {string} */ one) => vocabulary.encode([one])[0];
  const token = idOf(word || says);
  const against = instead ? idOf(instead) : undefined;
  const which = { token, ...(against !== undefined && { against }) };
  const metric =
    against === undefined
      ? /** @type {const} */ ({ kind: 'logit', token })
      : /** @type {const} */ ({ kind: 'difference', token, against });
  const fits = inputs.target.length === run.target.length;
  const { total, parts } = atOnce((use) => attributing(use, model, inputs, which));
  const { layers, heads } = model.config;
  const gridOf = (/** @type {(layer: number, head: number) => number} */ value) =>
    Array.from({ length: layers }, (_, layer) =>
      Array.from({ length: heads }, (_, head) => value(layer, head)),
    );
  /** @param {import('../../lab/inside/index.js').AblateOptions['value']} value */
  const changes = (value) => {
    const options = { each: /** @type {const} */ ('head'), metric, value };
    const { grid } = atOnce((use) => ablating(use, model, inputs, options));
    return (grid?.values ?? []).map((row) => row.map((one) => Number(one) - total));
  };
  const [gone, put] = [headsIn(off), fits ? headsIn(from) : []];
  const places = [...gone, ...put.map((place) => ({ ...place, value: { run } }))];
  const options = { at: places, metric };
  const changed = places.length > 0 && atOnce((use) => ablating(use, model, inputs, options));
  const isIn = (
    /** @type {typeof gone} */ list,
    /** @type {number} */ layer,
    /** @type {number} */ head,
  ) => list.some((one) => one.layer === layer && one.head === head);
  const steps = experimentSteps({
    intact: total,
    margin: changed ? Number(changed.after) : total,
    direct: gridOf((layer, head) => {
      const part = parts.find((one) => one.layer === layer && one.head === head);
      return part?.source === 'head' ? part.value : 0;
    }),
    removed: changes('zero'),
    replaced: fits ? changes({ run }) : null,
    off: gridOf((layer, head) => (isIn(gone, layer, head) ? 1 : isIn(put, layer, head) ? 2 : 0)),
  });
  return { steps, words: { tokens, next: [says, word || says, instead ?? ''] } };
}
