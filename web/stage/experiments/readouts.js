// What a removal does, in three numbers computed from the core's.

/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('../draw/tensor.js').Cell} Cell */

/** The steps that are read. @typedef {{ weights: string, output: string }} Read */
/** @type {Read} */
const OWN = { weights: 'weights', output: 'output' };

/**
 * Mean entropy of the rows of the attention weights, in nats; null where they are no shares.
 * @param {Trace} trace
 * @param {string} weights
 */
export function entropy(trace, weights) {
  const step = trace.steps.find(({ name }) => name === weights);
  if (!step || step.bypassed !== null) return null;
  const width = step.shape[step.shape.length - 1];
  let sum = 0;
  for (const share of step.data) if (share > 0) sum -= share * Math.log(share);
  return sum / (step.data.length / width);
}

/**
 * The largest change of any cell of the output; null if its shape changed.
 * @param {Trace} intact
 * @param {Trace} removed
 * @param {string} output
 */
function largestChange(intact, removed, output) {
  const [before, after] = [intact, removed].map((trace) => trace.step(output));
  if (before.shape.join() !== after.shape.join()) return null;
  let most = 0;
  for (let i = 0; i < before.data.length; i++) {
    most = Math.max(most, Math.abs(before.data[i] - after.data[i]));
  }
  return most;
}

/**
 * The norm of the gradient that reaches the scores as softmax reads them, after trace.gradient(). That of the scores
 * before they are scaled would grow without the scaling, by the factor alone.
 * @param {Trace} trace
 * @param {string} weights
 */
function slopeAtScores(trace, weights) {
  const [read] = trace.steps.find(({ name }) => name === weights)?.inputs ?? [];
  const grad = trace.steps.find(({ name }) => name === read)?.grad;
  return grad ? Math.hypot(...grad) : null;
}

/**
 * Intact and removed, side by side; the gradient is that of one cell.
 * @param {import('../../app/session.js').Opened} opened gradient() has been called of both
 * @param {Read} [steps]
 * @returns {import('../../app/state/view.js').Readouts | null} null if nothing is removed
 */
export function readoutsOf({ trace, intact }, { weights, output } = OWN) {
  if (!intact) return null;
  const read = (/** @type {Trace} */ run) => ({
    entropy: entropy(run, weights),
    slope: slopeAtScores(run, weights),
  });
  return {
    intact: read(intact),
    removed: read(trace),
    change: largestChange(intact, trace, output),
  };
}
