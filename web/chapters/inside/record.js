// The birth with which its view opens, before anything is trained: tests/web/ends.js computes it.

/** Of which training it is. */
export const RECORDED = { seed: 1, layers: 2 };

/** What was measured, and how the trained model reads, in the form of a training of its own. */
export async function record() {
  const { STEPS } = await import('../../workers/birth/protocol.js');
  const { points, change, reading } = await import('./birth.json');
  const { before, alone, weights } = reading;
  const steps = weights.map((step, layer) => ({
    ...{ ...step, layer, data: Float32Array.from(step.data) },
    ...{ op: 'softmax', role: 'weight', bypassed: null, axes: ['head', 'query', 'key'] },
    sequences: [null, 'target', 'target'],
  }));
  return { points, change, reading: { step: STEPS, before, after: before, alone, steps } };
}
