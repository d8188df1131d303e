// The sentence about the present step, and the verdict on two runs: made of what was measured.
import { display } from '../../draw/format.js';
import { message } from '../../locale/text.js';
import { settingsOf } from './settings.js';
import { verdict } from './verdict.js';
import { say } from './words.js';

/** @typedef {import('./element.js').Now} Now */

/** @param {Now} now */
export function told(now) {
  const { started, shown, sides } = now;
  if (!started) return say('told/starting');
  const ends = sides
    .filter(({ record }) => record.ended)
    .map(({ side, record }) =>
      say('told/ended', {
        side: side.toUpperCase(),
        step: record.last + 1,
        message: message(record.ended),
      }),
    );
  return [sides.length > 1 ? compared(now) : alone(now, shown), ...ends].join(' ');
}

/**
 * @param {Now} now
 * @param {number} shown
 */
function alone({ sides, started, first, state }, shown) {
  const [{ record }] = sides;
  const tried = record.evaluationAt(shown);
  const facts = record.at(shown);
  if (!tried || !started) return say('told/starting');
  const values = {
    step: shown,
    tried: tried.step,
    heldOut: display(tried.loss),
    right: tried.right,
    of: started.heldOut,
  };
  if (shown === first) return say('told/untrained', values);
  if (!facts) return say('told/starting');
  return [say('told/step', { ...values, loss: display(facts.loss) }), ...unlike(state)].join(' ');
}

/** Why the loss of a batch is another than that of held-out pairs. @param {Now['state']} state */
function unlike(state) {
  const { dropout, smoothing } = settingsOf(state);
  if (dropout === 0 && smoothing === 0) return [];
  return [say(`told/${dropout === 0 ? 'smoothed' : smoothing === 0 ? 'dropped' : 'unlike'}`)];
}

/** @param {Now} now */
function compared({ sides, started, shown, state }) {
  const [a, b] = sides;
  const found = verdict(a.record, b.record, shown);
  const what = say(`switches/${state.off}/what`);
  if (!found || !started) return say('told/compare', { what });
  const { warmup, seed } = settingsOf(state);
  const peak = display(started.runs.a?.rates[warmup - 1] ?? 0);
  const same = state.off === 'warmup' ? [say('told/peak', { peak, warmup })] : [];
  const values = {
    what,
    step: found.step,
    lossA: display(found.a.loss),
    lossB: display(found.b.loss),
    rightA: found.a.right,
    rightB: found.b.right,
    of: started.heldOut,
  };
  const [winner, loser] = found.better === 'a' ? ['A', 'B'] : ['B', 'A'];
  return [
    ...same,
    say('told/both', values),
    say(found.better ? `told/better/${found.better}` : 'told/alike'),
    ...(found.earlier === null
      ? []
      : [say('told/earlier', { winner, loser, step: found.earlier })]),
    say('told/seed', { seed }),
  ].join(' ');
}
