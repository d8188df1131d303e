// The birth with which its view opens, before anything is trained: tests/web/ends.js computes it.

/** Of which training it is. */
export const RECORDED = { seed: 1, layers: 2 };

/** What was measured, and how the trained model reads, in the form of a training of its own. */
export async function record() {
  const [{ STEPS }, { birth }, { default: trained }] = await Promise.all([
    import('../../workers/birth/protocol.js'),
    import('../../player/ends.json'),
    import('./trained.json'),
  ]);
  const { before, alone, weights } = trained;
  const points = trained.points.map((point, i) => ({ ...point, induction: birth.induction[i] }));
  const steps = weights.map((step, layer) => ({
    ...{ ...step, layer, data: Float32Array.from(step.data) },
    ...{ op: 'softmax', role: 'weight', bypassed: null, axes: ['head', 'query', 'key'] },
    sequences: [null, 'target', 'target'],
  }));
  return {
    points,
    change: birth.change,
    reading: { step: STEPS, before, after: before, alone, steps },
  };
}
