// What a lesson reads of an experiment, or of a birth: its numbers as steps.
import { birthSteps, experimentSteps } from '../../../bindings/learn/lessons/inside-steps.js';
import { STEPS } from '../../workers/birth/protocol.js';
import { partnerOf } from './needs.js';

/** @typedef {import('./experiment.js').Whole} Whole */
/** @typedef {import('./state.js').State} State */

/** A number of each head. @param {readonly (readonly unknown[])[]} like
 * @param {(layer: number, head: number) => number} value */
const gridLike = (like, value) =>
  like.map((row, layer) => row.map((_, head) => value(layer, head)));

/** @param {readonly any[]} steps @param {State} state @param {Record<string, string[]>} [words] */
const seen = (steps, state, { tokens = [], next = [] } = {}) => ({
  state,
  trace: {
    steps,
    step: (/** @type {string} */ called) => steps.find(({ name }) => name === called),
  },
  example: { tokens, next },
});

/** Null until each head was tried. @param {Whole | null} whole @param {State} state */
export function experimentView(whole, state) {
  if (!whole) return null;
  const { intact, sum, alone, contrast, value, fits, tokens, says, word, instead } = whole;
  const isWhole = [...alone, ...(contrast ?? [])].flat().every((one) => one !== null);
  if (!isWhole || (fits && !contrast)) return null;
  const changes = (/** @type {(number | null)[][]} */ grid) =>
    grid.map((row) => row.map((one) => Number(one) - intact.total));
  const other = contrast && changes(contrast);
  const [removed, replaced] = value === 'zero' ? [changes(alone), other] : [other, changes(alone)];
  const direct = gridLike(alone, (layer, head) => {
    const part = intact.parts.find((one) => one.layer === layer && one.head === head);
    return part?.source === 'head' ? part.value : 0;
  });
  const off = gridLike(alone, (layer, head) => {
    const place = `${layer}.${head}`;
    return state.off.includes(place) ? 1 : state.from.includes(place) ? 2 : 0;
  });
  const numbers = { intact: intact.total, margin: sum.total, direct, replaced, off };
  const steps = experimentSteps({
    ...numbers,
    removed: removed ?? direct.map((row) => row.map(() => 0)),
  });
  return seen(steps, state, { tokens, next: [says, word, instead] });
}

/** How each letter attends in a head, by row; nowhere before the reader has begun the training, while it is not computed, nor while
 * the head is off.
 * @param {import('./birth.js').Birth} birth @param {readonly number[]} head its layer and its number */
function rowsIn({ reading, state, step: now, isAwaited }, [layer, head]) {
  const step = reading?.steps.find((one) => one.role === 'weight' && one.layer === layer);
  const { data, shape } = /** @type {import('../../app/session.js').Step} */ (step);
  const [rows, columns] = shape.slice(-2);
  const isSeen = !isAwaited && reading?.step === now && !state.gone.includes(`${layer}.${head}`);
  return Array.from({ length: rows }, (_, row) =>
    Array.from(
      { length: columns },
      (_, column) => Number(isSeen) * data[(head * rows + row) * columns + column],
    ),
  );
}

/** Null before the first point.
 * @param {import('./birth.js').Birth} birth @param {{ read: string[], answer: string }} letters what it reads, and what comes next */
export function birthView(birth, { read, answer }) {
  const { points, reading, trained, bits, taken, step, state, change, isAwaited } = birth;
  if (!reading) return null;
  const { before, after, alone } = reading;
  const gone = gridLike(alone, (layer, head) => Number(state.gone.includes(`${layer}.${head}`)));
  const loss = Number(points.find((point) => point.step === step)?.loss ?? 0);
  const born = Math.round(change?.step ?? STEPS);
  const rose = [change?.layer ?? 0, change?.head ?? 0];
  const weights = rowsIn(birth, rose);
  const below = trained && partnerOf(trained, rose[0]);
  const partner = below ? [below.head, below.score, below.without] : undefined;
  const numbers = { step, born, rose, partner, loss, answer: [before, after], gone, weights };
  const isSure = (state.gone.length > 0 ? after : before) > 0.5;
  const said = isAwaited || reading.step !== step ? '' : isSure ? answer : '?';
  const next = read.map((_, i) => (i === read.length - 1 ? said : ''));
  const steps = birthSteps({ ...numbers, trained: bits !== null, opened: taken !== null });
  return seen(steps, state, { tokens: read, next });
}
