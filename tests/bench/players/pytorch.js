// PyTorch in its own native code. It takes part where TORCH names a Python that has it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { child } from './child.js';

/** @typedef {import('./player.js').Player} Player */
/** @typedef {import('../../../bindings/js/model/model.js').Model} Model */

const program = fileURLToPath(new URL('../pytorch.py', import.meta.url));

/** The Python to ask, if any. */
export const python = process.env.TORCH;

/** Steps of training. @param {string} python
 * @param {Model} model it starts from this one's parameters, and disposes of it
 * @param {{ target: number[][], labels: number[][] }} batch
 * @param {{ rate: number, compared: number, threads: number }} settings how many losses are compared
 * @returns {Promise<Player>} */
export async function torch(python, model, batch, { rate, compared, threads }) {
  const { heads, layers, epsilon } = /** @type {any} */ (model.config);
  const folder = mkdtempSync(join(tmpdir(), 'glassformer-torch-'));
  try {
    const weights = join(folder, 'model.safetensors');
    const task = join(folder, 'task.json');
    writeFileSync(weights, model.save());
    model.dispose();
    writeFileSync(
      task,
      JSON.stringify({ ...batch, heads, layers, epsilon, rate, compared, threads }),
    );
    const { ready, ...player } = await child(python, [program, weights, task]);
    return { result: () => Float32Array.from(JSON.parse(ready)), ...player };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
