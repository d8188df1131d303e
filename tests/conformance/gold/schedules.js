// Learning rates by step.

/** From step 0 on. @param {'inverse-sqrt' | 'linear' | 'cosine' | 'constant'} kind
 * @returns {import('./index.js').Adapter} */
const from0 =
  (kind) =>
  (gf, { base, warmup, total, expected }) => {
    const schedule = { kind, rate: base, warmup, total };
    const rates = expected.map((_, step) => gf.learningRate(step, schedule));
    return [{ what: 'rates', actual: rates, expected }];
  };

/** @type {Record<string, import('./index.js').Adapter>} */
export const schedules = {
  inverse_sqrt: from0('inverse-sqrt'),
  linear: from0('linear'),
  cosine: from0('cosine'),
  constant: from0('constant'),
  noam(gf, { d_model: dModel, warmup, n, expected }) {
    const rates = n.map((step) => gf.learningRate(step, { kind: 'noam', dModel, warmup }));
    return [{ what: 'rates', actual: rates, expected }];
  },
  noam_max(gf, { d_model: dModel, warmup, range, expected }) {
    let most = 0;
    for (let step = 1; step <= range; step++) {
      most = Math.max(most, gf.learningRate(step, { kind: 'noam', dModel, warmup }));
    }
    return [{ what: 'the largest rate', actual: most, expected }];
  },
};
