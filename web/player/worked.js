// An exercise in a lesson: the working of its problem, on the stage.
import { exercises } from '#capabilities';
import '../chapters/exercises/machine.js';
import { OPENING } from '../app/state/walk.js';
import { optionsOf, WORKING } from '../chapters/exercises/state.js';

/** @typedef {import('../app/state/store.js').Whole} Whole */

export const ELEMENT = 'gf-worked';

/**
 * Poses the problem that a state of the exercises names.
 * @param {import('../app/shell/shell.js').Body} body
 * @param {Whole} whole
 * @returns {Promise<Whole>} with the walk through its working
 */
export async function pose(body, whole) {
  const engine = await exercises();
  const { recipe, seed, numbers, play } = /** @type {any} */ (whole);
  const options = optionsOf({ level: 'steps', digits: 'auto', numbers }, seed);
  const problem = engine.exercise(body.session.core, recipe, options);
  Object.assign(body, { engine, problem });
  /* The level of an exercise is none of a walk. */
  return { ...OPENING, ...whole, level: OPENING.level, example: play || WORKING };
}
