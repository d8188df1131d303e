// The sentence about the present step, and the verdict on two runs: made of what was measured.
import { display } from '../../draw/format.js';
import { message } from '../../locale/text.js';
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
function alone({ sides, started, first }, shown) {
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
  return facts ? say('told/step', { ...values, loss: display(facts.loss) }) : say('told/starting');
}

/** @param {Now} now */
function compared({ sides, started, shown, state }) {
  const [a, b] = sides;
  const found = verdict(a.record, b.record, shown);
  const what = say(`switches/${state.off}/what`);
  if (!found || !started) return say('told/compare', { what });
  const values = {
    what,
    step: found.step,
    lossA: display(found.a.loss),
    lossB: display(found.b.loss),
    rightA: found.a.right,
    rightB: found.b.right,
    of: started.heldOut,
  };
  const measured = say('told/both', values);
  if (!found.better) return `${measured} ${say('told/alike')}`;
  const better = say(`told/better/${found.better}`);
  if (found.earlier === null) return `${measured} ${better}`;
  const [winner, loser] = found.better === 'a' ? ['A', 'B'] : ['B', 'A'];
  return `${measured} ${better} ${say('told/earlier', { winner, loser, step: found.earlier })}`;
}
