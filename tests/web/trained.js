// The trainings of the page, made again by the bindings alone, and the page's way to a step of one.
import { batches, train } from '../../bindings/index.js';
import { END, idsOf, START, tasks } from '../../bindings/lab/tasks/index.js';
import { planOf } from '../../web/chapters/training/settings.js';
import { until } from './browser.js';

/** @typedef {Parameters<typeof planOf>[0] & { side?: 'a' | 'b' }} Choice */

/**
 * A side's model before its first step.
 * @param {import('../../bindings/index.js').Glassformer} gf
 * @param {Choice} choice
 */
export function untrained(gf, { side = 'a', ...choice }) {
  const plan = planOf(choice);
  const recipe = plan.runs[side];
  const { model } = recipe;
  const { vocabulary, maxSource, maxTarget } = tasks[choice.task];
  const maxLength = Math.max(maxSource, maxTarget) + 1;
  const shape = { kind: 'transformer', vocab: vocabulary.size, maxLength, dropout: 0 };
  return { made: gf.model({ ...shape, ...model }), recipe, plan };
}

/**
 * The batches of a side from a step on, 1 being the first.
 * @param {Choice} choice
 * @param {number} step
 */
function batchesFrom({ side = 'a', ...choice }, step) {
  const { tokens, seed, runs } = planOf(choice);
  const task = tasks[choice.task];
  const longest = Math.floor((runs[side].reach ?? 1) * task.maxSource);
  function* items() {
    for (const pair of task.trainingPairs(seed)) {
      const ids = idsOf(task, pair);
      if (ids.source.length <= longest) yield ids;
    }
  }
  return batches(items(), { tokens, seed, start: START, end: END, from: step - 1 });
}

/**
 * The batch of a step, 1 being the first.
 * @param {Choice} choice
 * @param {number} step
 */
export function batchOf(choice, step) {
  const [batch] = batchesFrom(choice, step);
  return batch;
}

/**
 * A side's model after so many steps, what was told on the way, and the batch of the next step.
 * @param {import('../../bindings/index.js').Glassformer} gf
 * @param {Choice & { steps: number }} choice
 */
export async function trained(gf, { steps, ...choice }) {
  const { made, recipe } = untrained(gf, choice);
  const told = [];
  const { training, early } = recipe;
  const begun = early ? Math.min(steps, early.before - 1) : 0;
  const parts = [
    { from: 1, steps: begun, training: early?.training },
    { from: begun + 1, steps: steps - begun, training },
  ];
  for (const part of parts) {
    const options = { ...part.training, steps: part.steps };
    for await (const step of train(made, batchesFrom(choice, part.from), options)) told.push(step);
  }
  const next = early && steps + 1 < early.before ? early.training : training;
  return { made, told, batch: batchOf(choice, steps + 1), training: next };
}

/**
 * Waits until the page stands at a step, and nothing is on its way.
 * @param {import('playwright-core').Page} page
 * @param {number} step
 */
export const at = (page, step) =>
  until(
    page,
    (wanted) => {
      const { now } = document.querySelector('gf-chapter-training');
      return now.shown === wanted && now.last >= wanted && now.doing === '' && !now.playing;
    },
    step,
  );
