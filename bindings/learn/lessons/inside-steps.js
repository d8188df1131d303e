// What expressions read in a scene of the chapter Inside, as steps.

/** @typedef {import('./scope.js').Numbers} Numbers */
/** Of each head, by layer. @typedef {readonly (readonly number[])[]} Grid */

/**
 * @typedef {object} Experiment
 * @property {number} intact the logit of a word, or its difference to that of another one
 * @property {number} margin the same after all that is changed
 * @property {Grid} direct what each head adds to it
 * @property {Grid} removed what changes if each head alone gives nothing
 * @property {Grid | null} replaced what changes if each alone gives what it gives in the other text; null if that has more
 *   tokens, or fewer
 * @property {Grid} off what was changed of each head: 1 if it is off, 2 if it comes from the other text
 */

/** @param {string} name @param {Grid} grid @returns {Numbers} */
const stepOf = (name, grid) => ({
  name,
  shape: [grid.length, grid[0].length],
  data: grid.flat(),
});

/** An experiment as steps, which expressions read. @param {Experiment} experiment @returns {Numbers[]} */
export function experimentSteps({ intact, margin, ...grids }) {
  const one = { intact, margin };
  return [
    ...Object.entries(one).map(([name, value]) => ({ name, shape: [], data: [value] })),
    ...Object.entries(grids).flatMap(([name, grid]) => (grid ? [stepOf(name, grid)] : [])),
  ];
}

/** How many letters the model reads in whose birth a head is born. */
export const LETTERS = 13;

/** The same of a model's birth, before it has begun. step: of the training. trained: 1 once it is. loss: the last one.
 * answer: the probability of the right letter, then without the heads that are off. opened: 1 while a step is open. gone: 1
 * for each head that is off. born: the step before which the score of a head rose most, or the last one. rose: the layer of that
 * head, and the head, from 0. partner: the head of the layer below it that attends most to the token before, from 0; how much it
 * does; the probability of the right letter without it. weights: the attention of each letter in the head whose score rose most.
 * @param {{ step: number, born: number, trained: boolean, loss: number, answer: readonly number[], opened: boolean, gone: Grid,
 *   rose: readonly number[], partner?: readonly number[], weights: Grid }} [birth]
 * @returns {Numbers[]} */
export function birthSteps(birth) {
  const {
    step = 0,
    born = 1200,
    trained = false,
    loss = 0,
    answer = [0, 0],
    rose = [0, 0],
    partner = [0, 0, 0],
    opened = false,
  } = birth ?? {};
  const {
    gone = [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
    weights = Array.from({ length: LETTERS }, () => Array(LETTERS).fill(0)),
  } = birth ?? {};
  const one = { step, born, trained: Number(trained), loss, opened: Number(opened) };
  return [
    ...Object.entries(one).map(([name, value]) => ({ name, shape: [], data: [value] })),
    { name: 'answer', shape: [2], data: answer },
    { name: 'rose', shape: [2], data: rose },
    { name: 'partner', shape: [3], data: partner },
    stepOf('gone', gone),
    { ...stepOf('weights', weights), role: 'weight' },
  ];
}
