// The trainings of the page, made again by the bindings alone, and the page's way to a step of one.
import { train } from '../../bindings/index.js';
import { taskBatches, tasks } from '../../bindings/lab/tasks/index.js';
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
  const { model, training } = plan.runs[side];
  const { vocabulary, maxSource, maxTarget } = tasks[choice.task];
  const maxLength = Math.max(maxSource, maxTarget) + 1;
  const shape = { kind: 'transformer', vocab: vocabulary.size, maxLength, dropout: 0 };
  return { made: gf.model({ ...shape, ...model }), training, plan };
}

/**
 * The batch of a step, 1 being the first.
 * @param {Choice} choice
 * @param {number} step
 */
export function batchOf(choice, step) {
  const { tokens, seed } = planOf(choice);
  const [batch] = taskBatches(tasks[choice.task], { tokens, seed, from: step - 1 });
  return batch;
}

/**
 * A side's model after so many steps, what was told on the way, and the batch of the next step.
 * @param {import('../../bindings/index.js').Glassformer} gf
 * @param {Choice & { steps: number }} choice
 */
export async function trained(gf, { steps, ...choice }) {
  const { made, training, plan } = untrained(gf, choice);
  const told = [];
  const { tokens, seed } = plan;
  const stream = taskBatches(tasks[choice.task], { tokens, seed });
  for await (const step of train(made, stream, { ...training, steps })) told.push(step);
  return { made, told, batch: batchOf(choice, steps + 1), training };
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
