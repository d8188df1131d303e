// The sentence about the present step, and the verdict on two runs: made of what was measured.

import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { decidedBy, settingsOf } from './settings.js';
import { betterOf, DIVERGED, diverges, verdict } from './verdict.js';

/** @type {Readonly<Record<string, string>>} */
export const SWITCH_WHAT_TEXTS = {
  warmup: 'chapters/training/switches/warmup/what',
  norm: 'chapters/training/switches/norm/what',
  residual: 'chapters/training/switches/residual/what',
  scale: 'chapters/training/switches/scale/what',
  positions: 'chapters/training/switches/positions/what',
  layers: 'chapters/training/switches/layers/what',
  heads: 'chapters/training/switches/heads/what',
  biases: 'chapters/training/switches/biases/what',
  length: 'chapters/training/switches/length/what',
  smoothing: 'chapters/training/switches/smoothing/what',
  dropout: 'chapters/training/switches/dropout/what',
  clip: 'chapters/training/switches/clip/what',
};

/** @type {Readonly<Record<string, string>>} */
const BETTER_TEXTS = {
  a: 'chapters/training/told/better/a',
  b: 'chapters/training/told/better/b',
};

/** @typedef {import('./element.js').Now} Now */

/** @param {Now} now */
export function sentenceOf(now) {
  const { started, shown, sides } = now;
  if (!started) return text('chapters/training/told/starting');
  if (now.doing === 'start') return text('chapters/training/told/making');
  const ends = sides
    .filter(({ record }) => record.ended)
    .map(({ side, record }) =>
      text('chapters/training/told/ended', {
        side: side.toUpperCase(),
        step: record.last + 1,
        norm: display(/** @type {any} */ (record.ended).params.norm),
      }),
    );
  return [sides.length > 1 ? compared(now) : alone(now, shown), ...ends].join(' ');
}

/** What is said of the sides whose loss has become far larger than it was.
 * @param {Now} now
 * @param {import('../../workers/trainer/protocol.js').Evaluation} tried at the same step in all runs
 */
const astray = ({ sides, first }, tried) =>
  sides
    .filter(({ record }) => diverges(record, record.evaluationAt(tried.step)))
    .map(({ side }) =>
      text('chapters/training/told/diverges', { side: side.toUpperCase(), times: DIVERGED, first }),
    );

/**
 * @param {Now} now
 * @param {number} shown
 */
function alone(now, shown) {
  const { sides, started, first, state } = now;
  const [{ record }] = sides;
  const tried = record.evaluationAt(shown);
  const facts = record.at(shown);
  if (!tried || !started) return text('chapters/training/told/starting');
  const values = {
    step: shown,
    tried: tried.step,
    heldOut: display(tried.loss),
    right: tried.right,
    of: started.heldOut,
  };
  if (shown === first) return text('chapters/training/told/untrained', values);
  if (!facts) return text('chapters/training/told/starting');
  return [
    text('chapters/training/told/step', { ...values, loss: display(facts.loss) }),
    ...unlike(state),
    ...astray(now, tried),
  ].join(' ');
}

/** Why the loss of a batch is another than that of held-out pairs. @param {Now['state']} state */
function unlike(state) {
  const { dropout, smoothing } = settingsOf(state);
  if (dropout === 0 && smoothing === 0) return [];
  return [
    text(
      dropout === 0
        ? 'chapters/training/told/smoothed'
        : smoothing === 0
          ? 'chapters/training/told/dropped'
          : 'chapters/training/told/unlike',
    ),
  ];
}

/** @param {Now} now */
function compared(now) {
  const { sides, started, shown, state } = now;
  const [a, b] = sides;
  const by = decidedBy(state.off);
  const result = verdict(a.record, b.record, shown, by);
  const what = text(SWITCH_WHAT_TEXTS[/** @type {string} */ (state.off)]);
  if (!started) return text('chapters/training/told/starting');
  if (!result) return begun(now, what);
  const values = {
    what,
    step: result.step,
    lossA: display(result.a.loss),
    lossB: display(result.b.loss),
    rightA: result.a.right,
    rightB: result.b.right,
    of: started.heldOut,
  };
  return [
    ...measure(now),
    state.off === 'length' ? byLength(now, result) : text('chapters/training/told/both', values),
    ...standing(result, by),
    ...astray(now, result.a),
    text('chapters/training/told/seed', { seed: settingsOf(state).seed }),
  ].join(' ');
}

/**
 * Which run is ahead, and since when; where the losses say one and the right answers the other, both.
 * @param {import('./verdict.js').Verdict} result
 * @param {'loss' | 'right'} by what decides
 */
function standing({ better, earlier, a, b }, by) {
  if (!better) return [text('chapters/training/told/alike')];
  const [winner, loser] = better === 'a' ? ['A', 'B'] : ['B', 'A'];
  const answers = betterOf(b.right, a.right);
  if (by === 'loss' && answers && answers !== better)
    return [text('chapters/training/told/split', { winner, loser })];
  const ahead = text(BETTER_TEXTS[better]);
  if (earlier === null) return [ahead];
  return [ahead, text('chapters/training/told/earlier', { winner, loser, step: earlier })];
}

/** What both runs begin with. @param {Now} now @param {string} what */
function begun({ started, state }, what) {
  const { a, b } = started?.runs ?? {};
  if (state.off === 'length')
    return text('chapters/training/told/compareShort', { longest: b?.longest ?? 0 });
  return text(
    a?.size === b?.size
      ? 'chapters/training/told/compare'
      : 'chapters/training/told/compareSmaller',
    { what },
  );
}

/** How the runs are made comparable. @param {Now} now */
function measure({ started, state }) {
  const { warmup, smoothing } = settingsOf(state);
  if (state.off === 'warmup') {
    const peak = display(started?.runs.b?.rates[0] ?? 0);
    return [text('chapters/training/told/peak', { peak, warmup })];
  }
  if (state.off !== 'smoothing') return [];
  const target = 1 - smoothing + smoothing / (started?.vocabulary.length ?? 1);
  return [text('chapters/training/told/least', { least: display(-Math.log(target)) })];
}

/**
 * Right answers to sources as long as those that B was trained on, and to longer ones.
 * @param {Now} now
 * @param {import('./verdict.js').Verdict} result
 */
function byLength({ started }, { step, a, b }) {
  const { lengths = [] } = started ?? {};
  const longest = started?.runs.b?.longest ?? 0;
  const rightOf = (
    /** @type {Uint8Array} */ answered,
    /** @type {(length: number) => boolean} */ counts,
  ) => lengths.filter((length, i) => counts(length) && answered[i]).length;
  const short = (/** @type {number} */ length) => length <= longest;
  const long = (/** @type {number} */ length) => length > longest;
  return text('chapters/training/told/lengths', {
    step,
    longest,
    shorts: lengths.filter(short).length,
    shortA: rightOf(a.answered, short),
    shortB: rightOf(b.answered, short),
    longs: lengths.filter(long).length,
    longA: rightOf(a.answered, long),
    longB: rightOf(b.answered, long),
  });
}
