// What a sheet says of its marks: the points of each step, and what is not quite right.

import { readyFor } from '../marking/states.js';

/** The points of a problem's steps, and the rules, in a few sentences.
 * @param {import('../../../js/glassformer.js').Glassformer} gf @param {import('../problem/problem.js').Problem} problem
 * @param {import('./page.js').SheetSpeech} speech */
export function rulesOf(gf, problem, speech) {
  const { rules } = speech.words.sheet;
  const { points, follow } = readyFor('exportQuiz', gf, problem);
  const steps = Object.entries(points);
  const list = steps.map(
    ([step, one]) => `${speech.called(problem.recipe, step) ?? step} ${speech.number(one)}`,
  );
  const { policy } = problem;
  const isRounded = 'digits' in policy ? policy.digits > 0 : 'significant' in policy;
  return [
    speech.say(rules.points, { list: list.join(', ') }),
    rules.slip,
    ...(steps.length > 1 ? [rules.follow[follow]] : []),
    ...(isRounded ? [rules.few] : []),
    rules.nothing,
  ].join(' ');
}
