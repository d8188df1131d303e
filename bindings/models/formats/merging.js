// How pieces of a text become tokens: the best pair of neighbours is joined again and again.

/** A binary heap of pairs, the best first: the lowest rank, of equals the one further left. */
class Pairs {
  /** @type {number[]} */
  #ranks = [];
  /** @type {number[]} */
  #places = [];
  /** How often the place was offered: a later offer says that the pair is gone. @type {number[]} */
  #offers = [];

  get size() {
    return this.#ranks.length;
  }

  /** @param {number} a @param {number} b */
  #isBefore(a, b) {
    const [first, second] = [this.#ranks[a], this.#ranks[b]];
    return first < second || (first === second && this.#places[a] < this.#places[b]);
  }

  /** @param {number} a @param {number} b */
  #swap(a, b) {
    for (const row of [this.#ranks, this.#places, this.#offers]) {
      [row[a], row[b]] = [row[b], row[a]];
    }
  }

  /** @param {number} rank @param {number} place @param {number} offer */
  push(rank, place, offer) {
    let index = this.#ranks.push(rank) - 1;
    this.#places.push(place);
    this.#offers.push(offer);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** The best one, taken out. */
  pop() {
    const best = { rank: this.#ranks[0], place: this.#places[0], offer: this.#offers[0] };
    this.#swap(0, this.size - 1);
    for (const row of [this.#ranks, this.#places, this.#offers]) row.pop();
    for (let index = 0; ; ) {
      let child = 2 * index + 1;
      if (child + 1 < this.size && this.#isBefore(child + 1, child)) child += 1;
      if (child >= this.size || !this.#isBefore(child, index)) return best;
      this.#swap(index, child);
      index = child;
    }
  }
}

/** Joins neighbours until no pair has a rank, in time n log n.
 * @param {readonly string[]} pieces
 * @param {(left: string, right: string) => number | undefined} rankOf the lowest is joined first; undefined: never
 * @param {object} [more]
 * @param {(pieces: string[], at: number, rank: number) => void} [more.onJoin] is told the pieces after each step, which of
 *   them was made, and its rank
 * @param {(left: string, right: string) => string} [more.join] what two pieces make
 * @returns {string[]} */
export function joined(pieces, rankOf, { onJoin, join = (left, right) => left + right } = {}) {
  const texts = [...pieces];
  const next = Int32Array.from(texts, (_, i) => i + 1);
  const before = Int32Array.from(texts, (_, i) => i - 1);
  const offers = new Int32Array(texts.length);
  const pairs = new Pairs();
  /** @param {number} left */
  const offer = (left) => {
    const right = next[left];
    offers[left] += 1;
    if (right >= texts.length) return;
    const rank = rankOf(texts[left], texts[right]);
    if (rank !== undefined) pairs.push(rank, left, offers[left]);
  };
  /** The places of what is left, in order. */
  const remaining = () => {
    const places = [];
    for (let i = 0; i < texts.length; i = next[i]) places.push(i);
    return places;
  };
  for (let i = 0; i + 1 < texts.length; i++) offer(i);
  while (pairs.size) {
    const { rank, place: left, offer: count } = pairs.pop();
    /* Its left or its right was joined meanwhile. */
    if (offers[left] !== count) continue;
    const right = next[left];
    texts[left] = join(texts[left], texts[right]);
    offers[right] += 1;
    next[left] = next[right];
    if (next[left] < texts.length) before[next[left]] = left;
    if (before[left] >= 0) offer(before[left]);
    offer(left);
    if (onJoin) {
      const now = remaining();
      onJoin(
        now.map((i) => texts[i]),
        now.indexOf(left),
        rank,
      );
    }
  }
  return remaining().map((i) => texts[i]);
}
