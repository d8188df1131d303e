// What each head of each layer looks at in many texts: how far, at the word before, and along links that are known, such
// as from a verb to its subject. Beside each number stands that of a head that attends to all tokens alike; verdicts say
// whether a head specialises in a link, and whether later layers look farther.

import {
  checkArray,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../../js/base/errors.js';
import { attentionsOf } from './attention.js';
import { Bench, experiment } from './bench.js';
import { rowsOf } from './scores.js';
import { checkStack, headName } from './stream.js';
import { rangeError } from './texts.js';
import { verdictsOf } from './verdicts.js';

/** @typedef {import('./attention.js').Attention} Attention */
/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('../../js/tape/description.js').Stack} Stack */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./verdicts.js').Verdicts} Verdicts */

/** Tokens that belong together. relation: a name of your own, such as 'verb to subject'. query: the position that would attend,
 * from 0. keys: those that it would attend to.
 * @typedef {{ relation: string, query: number, keys: readonly number[] }} Link */
/** A text as a model reads it, and the links in it. @typedef {{ inputs: Inputs, links: readonly Link[] }} LinkedText */

/** stack: whose heads, the last one by default. levels: relations, or 'previous', in the order in which layers should
 * come to them.
 * @typedef {{ stack?: Stack, levels?: Readonly<Record<string, readonly string[]>> }} HeadRolesOptions */

/** Of one head along one relation. attention: to the linked tokens, a mean over the links; largest: on how many of the links
 * the largest weight of the row is on a linked token, from 0 to 1.
 * @typedef {{ attention: number, largest: number }} RelationScore */

/**
 * @typedef {object} HeadRole
 * @property {string} name
 * @property {number} layer
 * @property {number} head
 * @property {number} distance in tokens, weighted by attention: mean over all tokens
 * @property {number} previous attention to the token before: mean over the tokens that have one, 0 if none has
 * @property {Record<string, RelationScore>} relations
 */

/** What the links are like. count: how many there are. even: attention to linked tokens of a head that attends to all tokens alike. offset: the
 * distance that most of the links have, negative where the linked token comes before; fixed: how many have it, from 0 to
 * 1, which is `largest` of a head that always looks there.
 * @typedef {{ count: number, even: number, offset: number, fixed: number }} Relation */

/**
 * @typedef {object} HeadRoles
 * @property {'roles'} experiment
 * @property {Stack} stack
 * @property {number} texts how many texts were read
 * @property {HeadRole[]} heads
 * @property {{ distance: number, previous: number }} even of a head that attends to all tokens alike
 * @property {Record<string, Relation>} relations
 * @property {Verdicts} verdicts
 */

/** Sums of one head. @typedef {{ name: string, layer: number, head: number, distance: number, previous: number,
 *   relations: Record<string, { attention: number, largest: number }> }} HeadSums */
/** Sums over texts. reach: of each text, the mean distance of each layer.
 * @typedef {{ tokens: number, later: number, even: { distance: number, previous: number }, heads: HeadSums[],
 *   relations: Record<string, { count: number, even: number, offsets: Map<number, number> }>, reach: number[][] }} Sums */

const OPTIONS = ['stack', 'levels'];

/** @param {string} where @param {LinkedText} text @param {number} tokens */
function checkLinks(where, { links }, tokens) {
  checkArray(`${where}: links`, links);
  for (const [i, link] of links.entries()) {
    const place = `${where}: links[${i}]`;
    checkOptions(place, link, ['relation', 'query', 'keys']);
    checkText(`${place}: relation`, link.relation);
    checkInteger(`${place}: query`, link.query, 0, tokens - 1);
    checkArray(`${place}: keys`, link.keys);
    for (const [k, key] of link.keys.entries())
      checkInteger(`${place}: keys[${k}]`, key, 0, tokens - 1);
  }
}

/** How many tokens each row may attend to. @param {Tensor} masked what the softmax reads [1,H,Tq,Tk] */
const allowedOf = (masked) =>
  rowsOf(masked, 0).map((row) => row.filter((score) => score > Number.NEGATIVE_INFINITY).length);

/** Adds what is true of a text whatever a head does.
 * @param {Sums} sums @param {readonly Link[]} links @param {Tensor} masked */
function addText(sums, links, masked) {
  const rows = rowsOf(masked, 0);
  const allowed = allowedOf(masked);
  for (const [i, row] of rows.entries()) {
    const all = row.reduce(
      (sum, score, j) => (score > Number.NEGATIVE_INFINITY ? sum + Math.abs(i - j) : sum),
      0,
    );
    sums.even.distance += all / allowed[i];
    if (i > 0) sums.even.previous += 1 / allowed[i];
  }
  sums.tokens += rows.length;
  sums.later += rows.length - 1;
  for (const { relation, query, keys } of links) {
    sums.relations[relation] ??= { count: 0, even: 0, offsets: new Map() };
    const sum = sums.relations[relation];
    sum.count += 1;
    sum.even += keys.length / allowed[query];
    for (const key of keys) sum.offsets.set(key - query, (sum.offsets.get(key - query) ?? 0) + 1);
  }
}

/** Adds what a head does in a text.
 * @param {HeadSums} sums @param {readonly Link[]} links @param {Float32Array[]} rows of its weights
 * @returns {number} its mean distance here */
function addHead(sums, links, rows) {
  let distance = 0;
  for (const [i, row] of rows.entries()) {
    distance += row.reduce((sum, weight, j) => sum + weight * Math.abs(i - j), 0);
    if (i > 0) sums.previous += row[i - 1];
  }
  sums.distance += distance;
  for (const { relation, query, keys } of links) {
    sums.relations[relation] ??= { attention: 0, largest: 0 };
    const sum = sums.relations[relation];
    const row = rows[query];
    sum.attention += keys.reduce((total, key) => total + row[key], 0);
    if (keys.includes(row.indexOf(Math.max(...row)))) sum.largest += 1;
  }
  return distance / rows.length;
}

/** @param {Sums} sums @param {Bench} bench @param {readonly Link[]} links @param {Attention[]} attentions */
function addRun(sums, bench, links, attentions) {
  addText(sums, links, attentions[0].masked);
  let place = 0;
  const reach = attentions.map(({ layer, heads, weights }) => {
    let sum = 0;
    for (let head = 0; head < heads; head++, place++) {
      sums.heads[place] ??= {
        ...{ name: headName(bench, weights, head), layer, head },
        ...{ distance: 0, previous: 0, relations: {} },
      };
      sum += addHead(sums.heads[place], links, rowsOf(weights, head));
    }
    return sum / heads;
  });
  sums.reach.push(reach);
}

/** Runs the model on each text. @param {string} where @param {Model} model @param {readonly LinkedText[]} texts
 * @param {Stack} [stack]
 * @returns {Generator<number, Sums & { stack: Stack }>} */
export function* summed(where, model, texts, stack) {
  /** @type {Sums} */
  const sums = {
    ...{ tokens: 0, later: 0, even: { distance: 0, previous: 0 } },
    ...{ heads: [], relations: {}, reach: [] },
  };
  /** @type {Stack | undefined} */
  let chosen;
  for (const [i, text] of texts.entries()) {
    const place = `${where}: texts[${i}]`;
    checkOptions(place, text, ['inputs', 'links']);
    const bench = new Bench(place, model, text.inputs);
    try {
      chosen = checkStack(where, bench, { layer: 0, stack });
      const attentions = attentionsOf(bench).filter(
        (one) => one.stack === chosen && one.part === 'self_attn',
      );
      const last = attentions.at(-1)?.weights;
      if (!last)
        throw rangeError('noPartAt', { where, part: 'self_attn', layer: 0, stack: chosen });
      checkLinks(place, text, last.shape[2]);
      bench.tape.forward(undefined, last);
      addRun(sums, bench, text.links, attentions);
    } finally {
      bench.dispose();
    }
    yield (i + 1) / texts.length;
  }
  return { ...sums, stack: /** @type {Stack} */ (chosen) };
}

/** Means of the sums. @param {Sums} sums
 * @returns {Pick<HeadRoles, 'heads' | 'even' | 'relations'>} */
export function meansOf({ tokens, later, even, heads, relations }) {
  const ofRelations = Object.entries(relations).map(([name, { count, even: sum, offsets }]) => {
    const [[offset, most] = [0, 0]] = [...offsets].sort(
      ([a, x], [b, y]) => y - x || Math.abs(a) - Math.abs(b),
    );
    return [name, { count, even: sum / count, offset, fixed: most / count }];
  });
  return {
    heads: heads.map(({ distance, previous, relations: scores, ...place }) => ({
      ...place,
      distance: distance / tokens,
      previous: later > 0 ? previous / later : 0,
      relations: Object.fromEntries(
        Object.entries(scores).map(([name, { attention, largest }]) => {
          const { count } = relations[name];
          return [name, { attention: attention / count, largest: largest / count }];
        }),
      ),
    })),
    even: {
      distance: even.distance / tokens,
      previous: later > 0 ? even.previous / later : 0,
    },
    relations: Object.fromEntries(ofRelations),
  };
}

/** @param {string} where @param {HeadRolesOptions['levels']} levels @param {Record<string, Relation>} relations */
function checkLevels(where, levels, relations) {
  if (levels === undefined) return;
  checkOptions(`${where}: levels`, levels, Object.keys(Object(levels)));
  const names = ['previous', ...Object.keys(relations)];
  for (const [level, all] of Object.entries(levels)) {
    checkArray(`${where}: levels: "${level}"`, all);
    for (const [i, name] of all.entries())
      checkWord(`${where}: levels: "${level}"[${i}]`, name, names);
  }
}

/** What each head of each layer looks at in texts whose links are known: how far, at the token before, and along each
 * relation; and what that says: whether a head specialises in a relation, whether later layers look farther, and, with
 * `levels`, whether relations belong to layers in that order.
 * @param {Model} model @param {readonly LinkedText[]} texts one or more, each of one sequence
 * @param {HeadRolesOptions & Listener} [options]
 * @returns {Promise<HeadRoles>}
 * @example
 * import { headRoles } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 2, maxLength: 16 });
 * const links = [{ relation: 'first', query: 2, keys: [0] }];
 * const { heads, even, verdicts } = await headRoles(model, [{ inputs: { target: [1, 2, 3] }, links }]);
 * heads.length; // = 4
 * even; // = { distance: 0.5, previous: 0.41666666666666663 }
 * verdicts.relations.first; // = null
 * model.dispose(); */
export function headRoles(model, texts, options = {}) {
  const where = 'headRoles';
  return experiment(where, options, OPTIONS, function* (_, options) {
    checkArray(`${where}: texts`, texts);
    if (texts.length === 0) throw rangeError('emptySet', { where: `${where}: texts` });
    const { stack, ...sums } = yield* summed(where, model, texts, options.stack);
    const means = meansOf(sums);
    checkLevels(where, options.levels, means.relations);
    const facts = { ...means, reach: sums.reach };
    return {
      ...{ experiment: /** @type {const} */ ('roles'), stack, texts: texts.length },
      ...means,
      verdicts: verdictsOf(facts, options.levels),
    };
  });
}
