// The sentence about the present step, and the verdict on two runs: made of what was measured.

import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { settingsOf } from './settings.js';
import { DIVERGED, diverges, verdict } from './verdict.js';

/** @type {Readonly<Record<string, string>>} */
export const SWITCH_WHAT_TEXTS = {
  warmup: 'chapters/training/switches/warmup/what',
  norm: 'chapters/training/switches/norm/what',
  residual: 'chapters/training/switches/residual/what',
  scale: 'chapters/training/switches/scale/what',
  positions: 'chapters/training/switches/positions/what',
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
  const result = verdict(a.record, b.record, shown);
  const what = text(SWITCH_WHAT_TEXTS[/** @type {string} */ (state.off)]);
  if (!result || !started) return text('chapters/training/told/compare', { what });
  const { warmup, seed } = settingsOf(state);
  const peak = display(started.runs.a?.rates[warmup - 1] ?? 0);
  const same =
    state.off === 'warmup' ? [text('chapters/training/told/peak', { peak, warmup })] : [];
  const values = {
    what,
    step: result.step,
    lossA: display(result.a.loss),
    lossB: display(result.b.loss),
    rightA: result.a.right,
    rightB: result.b.right,
    of: started.heldOut,
  };
  const [winner, loser] = result.better === 'a' ? ['A', 'B'] : ['B', 'A'];
  return [
    ...same,
    text('chapters/training/told/both', values),
    text(result.better ? BETTER_TEXTS[result.better] : 'chapters/training/told/alike'),
    ...(result.earlier === null
      ? []
      : [text('chapters/training/told/earlier', { winner, loser, step: result.earlier })]),
    ...astray(now, result.a),
    text('chapters/training/told/seed', { seed }),
  ].join(' ');
}
