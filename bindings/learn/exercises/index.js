// glassformer/exercises: problems, and how they are marked.

export { exportQuiz, formats } from './formats/index.js';
export { worksheet } from './formats/page.js';
export { misconceptions, recipes } from './lists.js';
export { hints } from './marking/hints.js';
export { mark } from './marking/mark.js';
export { exercise } from './problem/problem.js';
export { traceProblem } from './trace.js';

/** @typedef {import('./formats/index.js').ExportedFile} ExportedFile */
/** @typedef {import('./formats/index.js').Format} Format */
/** @typedef {import('./formats/page.js').Cell} Cell */
/** @typedef {import('./formats/page.js').Matrix} Matrix */
/** @typedef {import('./formats/page.js').KeyEntry} KeyEntry */
/** @typedef {import('./formats/page.js').Page} Worksheet */
/** @typedef {import('./problem/problem.js').ExerciseOptions} ExerciseOptions */
/** @typedef {import('./problem/given.js').Given} Given */
/** @typedef {import('./problem/given.js').GivenNumbers} GivenNumbers */
/** @typedef {import('./lists.js').RecipeNumbers} RecipeNumbers */
/** @typedef {import('./problem/problem.js').Level} Level */
/** @typedef {import('./problem/points.js').Follow} Follow */
/** @typedef {import('./problem/problem.js').Policy} Policy */
/** @typedef {import('./problem/problem.js').Problem} Problem */
/** @typedef {import('./marking/answers.js').Answers} Answers */
/** @typedef {import('./marking/learner.js').State} State */
/** @typedef {import('./marking/mark.js').ToldMark} Mark */
/** @typedef {import('./marking/mark.js').ToldMarks} Marks */
/** @typedef {import('./marking/marks.js').StepMarks} StepMarks */
/** @typedef {import('./marking/mark.js').Language} Language */
/** @typedef {import('./marking/learner.js').Marked} Marked */
/** @typedef {import('./marking/slips.js').Slip} Slip */
/** @typedef {import('./machine/machine.js').Leaf} Leaf */
/** @typedef {import('./trace.js').ProblemTrace} ProblemTrace */
/** @typedef {import('./trace.js').ProblemFacts} ProblemFacts */
/** @typedef {import('./trace.js').ProblemStep} ProblemStep */
/** @typedef {import('./trace.js').TraceProblemOptions} TraceProblemOptions */
