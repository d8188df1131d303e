// A model that works without one of its heads: whole answers, token by token, as ablate() changes single runs.

import { checkInteger, checkOptions, checkWord, typeError } from '../../js/base/errors.js';
import { architectureOf } from '../../js/model/config/architecture.js';
import { weightsOf } from '../../js/model/model.js';
import { failure } from '../../js/model/texts.js';

/** @typedef {import('./bench.js').Model} Model */

/** A head of a model that is not stored in few bits. stack: may be left out where there is one; part: 'self_attn' by default.
 * @typedef {{ stack?: 'encoder' | 'decoder', layer: number, head: number, part?: 'self_attn' | 'cross_attn' }} HeadPlace */

const PLACE = ['stack', 'layer', 'head', 'part'];

/** Does a work while one head of a model adds nothing to the stream: the rows of the output projection that read it are
 * zeros, which gives the bits of `ablate` with the value 'zero'. The weights come back when the work is done. Whatever else
 * runs the model meanwhile has no such head either.
 * @template T
 * @param {Model} model @param {HeadPlace} place @param {() => T | Promise<T>} work
 * @returns {Promise<T>} what the work gives
 * @example
 * import { withoutHead } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 2, maxLength: 16 });
 * const answer = () => model.generateSync([1, 2, 3], { maxNewTokens: 4 });
 * const tokens = await withoutHead(model, { stack: 'decoder', layer: 1, head: 0 }, answer);
 * tokens.length; // = 4
 * model.dispose(); */
export async function withoutHead(model, place, work) {
  const where = 'withoutHead';
  weightsOf(where, model);
  checkOptions(where, place, PLACE);
  const { heads } = model.config;
  const { stacks } = architectureOf(model.config);
  const only = stacks.length === 1 ? stacks[0].name : undefined;
  const { stack = only, layer, head, part = 'self_attn' } = place;
  checkWord(
    `${where}: stack`,
    stack,
    stacks.map((one) => one.name),
  );
  const { depth, sublayers } = /** @type {typeof stacks[number]} */ (
    stacks.find((one) => one.name === stack)
  );
  checkInteger(`${where}: layer`, layer, 0, model.config[depth] - 1);
  checkWord(
    `${where}: part`,
    part,
    sublayers.filter((one) => one !== 'feed_forward'),
  );
  checkInteger(`${where}: head`, head, 0, heads - 1);
  if (typeof work !== 'function')
    throw typeError('listener', { where: `${where}: work`, given: work });
  const name = `${stack}.layers.${layer}.${part}.out_proj.weight`;
  if (!model.parameters.has(name)) throw failure('GF_ESTATE', 'editStored', { where, name });
  const output = /** @type {import('../../js/model/weights.js').Parameter} */ (
    model.parameters.get(name)
  );
  const size = output.size / heads;
  const rows = output.data.slice(head * size, (head + 1) * size);
  output.data.fill(0, head * size, (head + 1) * size);
  try {
    return await work();
  } finally {
    output.data.set(rows, head * size);
  }
}
