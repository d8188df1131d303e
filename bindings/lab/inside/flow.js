// Attention flow: how much can get from a token to a position, if each weight is a pipe that holds as much (Abnar and
// Zuidema 2020, "Quantifying Attention Flow"). The largest flow is found by Dinic's algorithm; that no larger one exists is
// shown by a cut: pipes without which nothing gets through, and which hold no more.

import { asPart } from '../../js/base/turn.js';

/** A capacity below this is a rounding error. */
const EPSILON = 1e-12;

/** Pipes of a network, each followed by the way back.
 * @typedef {{ to: number[], room: number[], from: number[][] }} Network from: the pipes of each place */

/** Position p above l layers is place l · T + p.
 * @param {readonly number[][][]} layers by layer, position and what that reads @param {number} length
 * @returns {Network} */
function networkOf(layers, length) {
  /** @type {Network} */
  const network = {
    to: [],
    room: [],
    from: Array.from({ length: (layers.length + 1) * length }, () => []),
  };
  const { to, room, from } = network;
  for (const [l, rows] of layers.entries()) {
    for (const [i, row] of rows.entries()) {
      for (const [j, weight] of row.entries()) {
        if (weight <= 0) continue;
        const [low, high] = [l * length + j, (l + 1) * length + i];
        from[low].push(to.length);
        from[high].push(to.length + 1);
        to.push(high, low);
        room.push(weight, 0);
      }
    }
  }
  return network;
}

/** Whether something gets through; NaN, an unknown amount, counts as open. @param {number} room */
const isOpen = (room) => !(room <= EPSILON);

/** How many pipes each place is away from the first, where there is room; -1 where none leads.
 * @param {Network} network @param {number} start */
function distances({ to, room, from }, start) {
  const far = from.map(() => -1);
  far[start] = 0;
  const reached = [start];
  for (const place of reached) {
    for (const pipe of from[place]) {
      if (!isOpen(room[pipe]) || far[to[pipe]] >= 0) continue;
      far[to[pipe]] = far[place] + 1;
      reached.push(to[pipe]);
    }
  }
  return far;
}

/** Pauses again and again. A flow through a pipe of NaN is NaN.
 * @param {Network} network @param {number} start @param {number} end
 * @returns {Generator<number, { flow: number, cut: number }>} the largest flow, and what the pipes of the smallest cut hold */
function* largest({ to, room, from }, start, end) {
  const left = { to, room: [...room], from };
  let flow = 0;
  let far = distances(left, start);
  for (; far[end] >= 0; far = distances(left, start)) {
    const next = from.map(() => 0);
    /** @param {number} place @param {number} most @returns {number} what gets on from there */
    const push = (place, most) => {
      if (place === end) return most;
      for (; next[place] < from[place].length; next[place]++) {
        const pipe = from[place][next[place]];
        if (!isOpen(left.room[pipe]) || far[to[pipe]] !== far[place] + 1) continue;
        const got = push(to[pipe], Math.min(most, left.room[pipe]));
        if (got === 0) continue;
        left.room[pipe] -= got;
        left.room[pipe ^ 1] += got;
        return got;
      }
      return 0;
    };
    for (let got = push(start, Number.POSITIVE_INFINITY); got !== 0; ) {
      flow += got;
      if (Number.isNaN(flow)) return { flow, cut: flow };
      got = push(start, Number.POSITIVE_INFINITY);
    }
    yield 0;
  }
  let cut = 0;
  for (const [place, pipes] of from.entries()) {
    for (const pipe of pipes) if (far[place] >= 0 && far[to[pipe]] < 0) cut += room[pipe];
  }
  return { flow, cut };
}

/** The largest flow from each token to each position through layers. Tells what part of the positions is done.
 * @param {readonly number[][][]} layers by layer, position and what that reads
 * @returns {Generator<number, { values: number[][], cut: number }>} cut: how far a flow is from its smallest cut, at most */
export function* flowThrough(layers) {
  const { length } = layers[0];
  const network = networkOf(layers, length);
  /** @type {number[][]} */
  const values = [];
  let most = 0;
  for (let i = 0; i < length; i++) {
    const row = [];
    for (let j = 0; j < length; j++) {
      const work = largest(network, j, layers.length * length + i);
      const { flow, cut } = yield* asPart(work, i / length, 0);
      most = Math.max(most, Math.abs(flow - cut));
      row.push(flow);
    }
    values.push(row);
    yield (i + 1) / length;
  }
  return { values, cut: most };
}
