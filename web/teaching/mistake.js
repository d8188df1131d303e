// A number that is wrong, and the machine that would give it: the marking of exercises looks for it on the
// scene's own numbers, and the exercises' stage plays it beside the right one.
import { offset } from '../draw/tensor.js';
import { language } from '../locale/text.js';
import { exercises } from '../session.js';
import { COMMON } from '../state/store.js';
import { OPENING } from '../state/walk.js';
import { rowOf } from './core.js';
import { cellsIn, scopeIn } from './telling.js';

/** @typedef {import('../../bindings/exercises/index.js').Problem} Problem */
/** @typedef {import('../state/view.js').View} View */
/** @typedef {Awaited<ReturnType<typeof exercises>>} Engine */
/**
 * What the marking found in an answer.
 * @typedef {{ right: boolean, message: string, misconception?: string, problem: Problem, engine: Engine }} Found
 */

/** What a problem of attention gives. */
const LEAVES = ['x', 'w_q', 'w_k', 'w_v'];

/**
 * The scene's numbers as a problem of attention by hand, if that is what they are.
 * @param {View} view
 * @param {number} digits
 * @returns {Problem | null}
 */
function problemOf({ trace, example, state }, digits) {
  const steps = LEAVES.map((name) => trace.steps.find((step) => step.name === name));
  const plain = state.remove.length === 0 && !example.attention?.causal && !example.sides;
  if (!plain || steps.some((step) => step?.shape.length !== 2)) return null;
  const rows = steps.map((step) => {
    const { shape, data } = /** @type {import('../session.js').Step} */ (step);
    const [n, width] = shape;
    return Array.from({ length: n }, (_, i) => Array.from(data.slice(i * width, (i + 1) * width)));
  });
  return {
    ...{ recipe: 'attention', seed: 1, level: 'steps', policy: { digits } },
    given: Object.fromEntries(LEAVES.map((name, i) => [name, rows[i]])),
    tokens: example.tokens,
    ...{ asked: [], shown: {}, solution: {}, misconceptions: {} },
  };
}

/**
 * What the marking of exercises says of an answer; null where it has nothing to say.
 * @param {View} view
 * @param {{ problem?: Problem, path: string, written: string, digits: number }} answer problem: where the scene is an
 * exercise; path: of the number that was asked for
 * @returns {Promise<Found | null>}
 */
export async function markOf(view, { problem: posed, path, written, digits }) {
  const problem = posed ? { ...posed, policy: { digits } } : problemOf(view, digits);
  if (!problem) return null;
  const scope = scopeIn(view);
  const [cell] = cellsIn(path, scope);
  /* An expression is no cell of an exercise. */
  if (!cell) return null;
  const { node, index } = cell;
  const name = `${node}[${index.join()}]`;
  const engine = await exercises();
  const { core } = view.session;
  const [value] = rowOf(path, scope);
  const worked = engine.traceProblem(core, problem).steps.find((step) => step.name === node);
  /* A number that was edited on the way is another than the exercise's. */
  const own = worked?.data[offset(worked.shape, index)];
  if (own === undefined || Math.abs(own - value) > 1e-5 * Math.max(1, Math.abs(value))) return null;
  const lang = language();
  const cells = { [name]: written };
  const marked = engine.mark(core, problem, { cells }, { lang }).cells[name];
  const { state, message, misconception } = marked;
  const right = state === 'right';
  if (!right && !misconception && !state.startsWith('slip:')) return null;
  return { right, message, misconception, problem, engine };
}

/** Loads what a wrong answer needs, while the answer is still being typed. */
export const prepare = () => Promise.all([exercises(), import('../chapters/exercises/machine.js')]);

/** The state that plays a known mistake. @param {string} misconception */
export const playing = (misconception) => ({ ...COMMON, ...OPENING, example: misconception });
