// How long somebody waits for a problem, and for its marks.

import { exercise, mark, recipes } from '../../../bindings/learn/exercises/index.js';
import { summary } from '../measure/statistics.js';

/** @typedef {import('../figures.js').Figures} Figures */
/** @typedef {import('../../../bindings/learn/exercises/index.js').Problem} Problem */

const SEEDS = 20;
const REPEATS = 30;

/** The median of calls, in milliseconds. @param {number} count @param {(i: number) => void} call */
function median(count, call) {
  const times = Array.from({ length: count }, (_, i) => {
    const start = performance.now();
    call(i);
    return performance.now() - start;
  });
  return summary(times).median;
}

/** What somebody writes who is right, or makes a mistake. @param {Problem} problem @param {string} [mistake] */
const answersOf = ({ asked, solution, misconceptions }, mistake) => ({
  cells: Object.fromEntries(
    asked.map((cell) => [cell, (mistake && misconceptions[mistake][cell]) || solution[cell].value]),
  ),
});

/** @type {Figures} */
export const exercises = {
  name: 'exercises',
  figures(gf) {
    const problem = exercise(gf, 'attention');
    const marking = [undefined, 'no-scaling', 'w-transposed'].map((mistake) => {
      const answers = answersOf(problem, mistake);
      mark(gf, problem, answers);
      const value = median(REPEATS, () => void mark(gf, problem, answers));
      const what = `ms, marks of ${problem.asked.length} cells, ${mistake ?? 'all right'}`;
      return { what, value, most: 5 };
    });
    const making = recipes().map(({ name }) => ({
      what: `ms, a problem: ${name}`,
      value: median(SEEDS, (i) => void exercise(gf, name, { seed: i + 1 })),
      most: 20,
    }));
    return [...marking, ...making];
  },
};
