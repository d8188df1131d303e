// What measurements of vectors say about a claim. Pure: numbers in, verdicts out.

/** @typedef {'holds' | 'partly' | 'fails'} Says */
/** A share of the variance, and the most that chance explains. @typedef {{ share: number, chance: number }} Share */

/** More than this part of the variance is most of it. */
const MOST = 0.5;
/** Less than this part of it is next to nothing, even where it is more than chance. */
const SOME = 0.1;

/**
 * "One word in two contexts gets two vectors, by what it means." Each pair is one word: the trained model, and an untrained
 * one. It holds where the meaning explains most of the differences; in part where it explains more than chance does, and
 * more than in the untrained model.
 * @param {readonly { trained: Share, untrained: Share }[]} words
 * @returns {Says}
 */
export function sensesVerdict(words) {
  const shown = words.filter(
    ({ trained, untrained }) => trained.share > Math.max(trained.chance, untrained.share),
  );
  if (shown.length === 0) return 'fails';
  return shown.length === words.length && shown.every(({ trained }) => trained.share > MOST)
    ? 'holds'
    : 'partly';
}

/**
 * "One value matrix holds verbs, another adjectives." The shares of each head, in the same order. It holds where two
 * different heads have each most of their variance between verbs, or adjectives, and the rest; in part where the heads with
 * the largest shares differ, and both have some, above chance.
 * @param {readonly Share[]} verbs @param {readonly Share[]} adjectives
 * @returns {{ says: Says, verb: number, adjective: number }} verb, adjective: the heads with the largest shares
 */
export function valuesVerdict(verbs, adjectives) {
  const best = (/** @type {readonly Share[]} */ heads) =>
    heads.reduce((most, { share }, i) => (share > heads[most].share ? i : most), 0);
  const [verb, adjective] = [best(verbs), best(adjectives)];
  const [one, other] = [verbs[verb], adjectives[adjective]];
  const chance = Math.max(...[...verbs, ...adjectives].map((head) => head.chance));
  const least = Math.min(one.share, other.share);
  const shown = verb !== adjective && least > Math.max(SOME, chance);
  const most = shown && least > MOST;
  return { says: most ? 'holds' : shown ? 'partly' : 'fails', verb, adjective };
}

/** Almost all words. */
const ALL = 0.9;

/**
 * "Similar words are closer": of how many words the nearest one is of the same kind, its own forms aside. It holds for almost
 * all of them; in part where they are more than in the untrained table.
 * @param {number} trained @param {number} untrained parts of all words
 * @returns {Says}
 */
export function neighboursVerdict(trained, untrained) {
  if (trained <= untrained) return 'fails';
  return trained >= ALL ? 'holds' : 'partly';
}

/** A share of the weight that is rounding, and one that is not small. */
const [NONE, MUCH] = [0.01, 0.1];

/**
 * "The weights are redundant: each relevance is captured twice". Of each head, which part of the weight between two tokens
 * goes one way only. It holds where none does; in part where some heads have little of it.
 * @param {readonly number[]} shares
 * @returns {Says}
 */
export function symmetryVerdict(shares) {
  if (shares.every((share) => share < NONE)) return 'holds';
  return shares.every((share) => share > MUCH) ? 'fails' : 'partly';
}
