// A run that pauses: the nodes of a tape in slices of about equal work.

import { gradientOf } from '../tape/tensor.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** Multiply-adds of each thread between two pauses, unless one node has more: far less than 50 ms on any machine of today. */
const SLICE_COST = 2 ** 25;
/** The cost per number of a step without products. */
const COST_PER_NUMBER = 8;

/** The cost per number of a matrix that meets few rows: the first run lays it out, in the order in which it is read. */
const COST_OF_LAYOUT = 6;
const FEW_ROWS = 3;

/** About how many multiply-adds a node takes.
 * @param {Tensor} node */
export function costOf({ op, size, inputs }) {
  const [a, b] = inputs;
  if (op === 'leaf') return 0;
  if (
    op === 'matmul' &&
    b?.kind === 'parameter' &&
    a &&
    size * b.shape[b.shape.length - 1] <= FEW_ROWS * b.size
  )
    return COST_OF_LAYOUT * b.size;
  if (op === 'linear' || op === 'matmul') return size * (a?.shape.at(-1) ?? 0);
  if (op === 'attention') return 2 * size * (b?.shape.at(-2) ?? 0);
  return COST_PER_NUMBER * size;
}

/** The protected members of a tape, which users do not see.
 * @typedef {{ block: import('../tape/block.js').Block, check: (error: number) => void,
 *   pick: (where: string, node: import('../tape/tensor.js').Tensor | string) => import('../tape/tensor.js').Tensor }} Inner */

/** @param {Tape} tape */
export const inner = (tape) => /** @type {Inner} */ (/** @type {unknown} */ (tape));

/** Multiply-adds of all threads between two pauses. @param {Tape} tape */
export const sliceCost = (tape) => SLICE_COST * inner(tape).block.engine.threads;

/** The last node of each slice.
 * @param {Tape} tape @param {number} first
 * @returns {number[]} */
function endsOf(tape, first) {
  const { nodes } = tape;
  const most = sliceCost(tape);
  const ends = [];
  let work = 0;
  let from = first;
  for (let id = first; id < nodes.length; id++) {
    const cost = costOf(nodes[id]);
    if (id > from && work + cost > most) {
      ends.push(id - 1);
      work = 0;
      from = id;
    }
    work += cost;
  }
  return [...ends, nodes.length - 1];
}

/** Where the slices of a tape end, by the node that its runs begin with: tokens by the hundred run on one.
 * @type {WeakMap<Tape, Map<number, number[]>>} */
const endsByTape = new WeakMap();

/** @param {Tape} tape @param {number} first */
function slicesOf(tape, first) {
  const all = endsByTape.get(tape) ?? new Map();
  endsByTape.set(tape, all);
  const ends = all.get(first) ?? endsOf(tape, first);
  all.set(first, ends);
  return ends;
}

/** Slices that end behind further nodes, too.
 * @param {readonly number[]} ends @param {number} first @param {Iterable<number>} more
 * @returns {number[]} */
const withEnds = (ends, first, more) =>
  [...new Set([...ends, ...more])].filter((id) => id >= first).sort((a, b) => a - b);

/** Runs a slice. A large node is a slice of its own, and pauses between its parts.
 * @param {Tape} tape @param {'gf_forward' | 'gf_backward'} way @param {number} first @param {number} last
 * @param {number} done which part of all is, when it begins
 * @returns {Generator<number, void>} */
export function* run(tape, way, first, last, done) {
  const { block } = inner(tape);
  const { core } = block.engine;
  const parts = Math.ceil(costOf(tape.nodes[last]) / sliceCost(tape));
  let part = 0;
  do {
    if (part) yield done;
    inner(tape).check(
      parts > 1
        ? core[`${way}_part`](block.address, last, part, parts)
        : core[way](block.address, first, last),
    );
  } while (++part < parts);
}

/** Computes a tape from a node on. Pauses before each slice but the first, and tells which part is done, 0 to 1.
 * @param {Tape} tape @param {string} [name] the whole tape by default
 * @param {ReadonlyMap<number, () => void>} [behind] what is done behind nodes, by their ids
 * @returns {Generator<number, void>} */
export function* forwardInSlices(tape, name, behind) {
  const first = name === undefined ? 0 : tape.find(name).id;
  let from = first;
  const slices = slicesOf(tape, first);
  for (const end of behind ? withEnds(slices, first, behind.keys()) : slices) {
    const done = (from - first) / (tape.nodes.length - first);
    if (done) yield done;
    yield* run(tape, 'gf_forward', from, end, done);
    behind?.get(end)?.();
    from = end + 1;
  }
}

/** Adds the gradients of a node to those that the parameters have from other tapes, slice by slice. Pauses
 * between them.
 * @param {Tape} tape that was computed @param {string} name of a node @param {Float32Array} gradient of its shape
 * @returns {Generator<number, void>} */
export function* backwardInSlices(tape, name, gradient) {
  const { block } = inner(tape);
  const target = tape.find(name);
  tape.zeroGrad();
  block.derived = false;
  /** @type {Float32Array} */ (gradientOf(target)).set(gradient);
  const firsts = [0, ...slicesOf(tape, 0).map((/** @type {number} */ end) => end + 1)];
  let last = target.id;
  for (const first of firsts.reverse()) {
    if (first > last) continue;
    yield* run(tape, 'gf_backward', first, last, last / tape.nodes.length);
    last = first - 1;
    if (first) yield first / tape.nodes.length;
  }
  block.derived = true;
  block.lender.settle();
}
