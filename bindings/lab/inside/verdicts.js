// What measured roles of heads say of three claims. Each verdict can come out negative: an untrained model shows it.

/** @typedef {import('./roles.js').HeadRole} HeadRole */
/** @typedef {import('./roles.js').Relation} Relation */

/** What the numbers say of a claim. @typedef {'holds' | 'partly' | 'fails'} Says */
/** Whether a head specialises in a relation, and the head that comes nearest.
 * @typedef {{ says: Says, layer: number, head: number }} RelationVerdict */
/** Whether each layer looks farther than the one before. layers: mean distance of each; farther: of each but the first,
 * in which part of the texts it looks farther than the one before.
 * @typedef {{ says: Says, layers: number[], farther: number[] }} ReachVerdict */
/** Whether layers come to the levels in their order. depth: of each level, the layer around which attention to it
 * centres, from 0; null where no head attends to it half as much again as even attention.
 * @typedef {{ says: Says, depth: Record<string, number | null> }} OrderVerdict */
/** relations: null where there are too few links to tell. order: null without levels.
 * @typedef {{ relations: Record<string, RelationVerdict | null>, reach: ReachVerdict, order: OrderVerdict | null }} Verdicts */
/** @typedef {{ heads: HeadRole[], even: { distance: number, previous: number }, relations: Record<string, Relation>,
 *   reach: number[][] }} Facts reach: of each text, the mean distance of each layer */

/** Fewer links than that may come out either way by chance. */
export const LEAST_LINKS = 30;
/** A head specialises if its largest weight is on a linked token this much more often than at the distance that most
 * links have: the rule of Voita et al. 2019, section 5.2.1. */
export const MARGIN = 0.1;
/** In part, if it attends there this many times as much as even attention. */
export const TIMES = 2;
/** In almost all texts a layer looks farther, or in two of three: by chance it is half of them. */
export const [ALMOST_ALL, MOST] = [0.9, 2 / 3];
/** A level counts where some head attends to one of its relations this many times as much as even attention: the heads of
 * untrained models attend up to a third more by chance. */
export const SOME = 1.5;
/** Layers between two levels that count as apart. */
export const APART = 0.1;

export const GRADES = /** @type {const} */ (['fails', 'partly', 'holds']);

/** @param {HeadRole[]} heads @param {string} name @param {Relation} relation
 * @returns {RelationVerdict | null} */
function ofRelation(heads, name, { count, even, fixed }) {
  if (count < LEAST_LINKS) return null;
  const graded = heads.map(({ layer, head, relations }) => {
    const { attention, largest } = relations[name];
    const isMore = attention >= TIMES * even;
    return { layer, head, attention, grade: isMore ? (largest >= fixed + MARGIN ? 2 : 1) : 0 };
  });
  const best = graded.reduce((a, b) =>
    b.grade > a.grade || (b.grade === a.grade && b.attention > a.attention) ? b : a,
  );
  return { says: GRADES[best.grade], layer: best.layer, head: best.head };
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {HeadRole[]} heads */
const layersOf = (heads) => [...new Set(heads.map(({ layer }) => layer))];

/** @param {Facts} facts
 * @returns {ReachVerdict} */
function ofReach({ heads, reach }) {
  const layers = layersOf(heads).map((layer) =>
    mean(heads.filter((one) => one.layer === layer).map(({ distance }) => distance)),
  );
  const share = (/** @type {(text: number[]) => boolean} */ is) =>
    reach.filter(is).length / reach.length;
  const farther = layers.slice(1).map((_, i) => share((text) => text[i + 1] > text[i]));
  const isFar = share((text) => text[text.length - 1] > text[0]) > MOST;
  const isEach = farther.length > 0 && farther.every((part) => part >= ALMOST_ALL);
  return { says: isEach ? 'holds' : isFar ? 'partly' : 'fails', layers, farther };
}

/** Attention to a relation of the best head of a layer, and even attention.
 * @param {Facts} facts @param {number} layer @param {string} name */
function bestOf({ heads, even, relations }, layer, name) {
  const ofLayer = heads.filter((one) => one.layer === layer);
  if (name === 'previous')
    return { most: Math.max(...ofLayer.map(({ previous }) => previous)), even: even.previous };
  const values = ofLayer.map((one) => one.relations[name].attention);
  return { most: Math.max(...values), even: relations[name].even };
}

/** The layer around which attention to a level centres, beyond even attention: the centre of gravity of Tenney et al. 2019.
 * @param {Facts} facts @param {readonly string[]} names */
function depthOf(facts, names) {
  const layers = layersOf(facts.heads).map((layer) =>
    names.map((name) => bestOf(facts, layer, name)),
  );
  const isSome = layers.flat().some(({ most, even }) => most >= SOME * even);
  if (!isSome) return null;
  const weights = layers.map((all) =>
    all.reduce((sum, { most, even }) => sum + Math.max(0, most - even), 0),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, layer) => sum + weight * layer, 0) / whole;
}

/** @param {Facts} facts @param {Readonly<Record<string, readonly string[]>>} levels
 * @returns {OrderVerdict} */
function ofOrder(facts, levels) {
  const depth = Object.fromEntries(
    Object.entries(levels).map(([level, names]) => [level, depthOf(facts, names)]),
  );
  const all = Object.values(depth);
  const isLater = (
    /** @type {number | null | undefined} */ a,
    /** @type {number | null | undefined} */ b,
  ) => typeof a === 'number' && typeof b === 'number' && b >= a + APART;
  const isEach = all.slice(1).every((later, i) => isLater(all[i], later));
  const says = isEach ? 'holds' : isLater(all[0], all.at(-1)) ? 'partly' : 'fails';
  return { says, depth };
}

/** @param {Facts} facts @param {Readonly<Record<string, readonly string[]>>} [levels]
 * @returns {Verdicts} */
export function verdictsOf(facts, levels) {
  const { heads, relations } = facts;
  return {
    relations: Object.fromEntries(
      Object.entries(relations).map(([name, one]) => [name, ofRelation(heads, name, one)]),
    ),
    reach: ofReach(facts),
    order: levels ? ofOrder(facts, levels) : null,
  };
}
