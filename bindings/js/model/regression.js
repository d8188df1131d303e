// A linear layer on vectors, and the cross entropy of its logits: what classifiers and probes train.

import { Tape } from '../tape/tape.js';
import { valuesOf } from '../tape/tensor.js';

/** A tape with the vectors and labels in it; weight [width, classes] and bias are still to be written.
 * @param {import('../runtime/engine.js').Engine} engine @param {readonly ArrayLike<number>[]} vectors
 * @param {readonly number[]} labels @param {number} classes */
export function regression(engine, vectors, labels, classes) {
  const [{ length: width }] = vectors;
  const tape = new Tape(engine);
  try {
    const x = tape.input('x', [vectors.length, width]);
    const weight = tape.parameter('weight', [width, classes]);
    const bias = tape.parameter('bias', [classes]);
    const logits = tape.linear(x, weight, bias, 'logits');
    const ids = tape.ids('labels', [vectors.length]);
    const loss = tape.crossEntropy(logits, ids, {}, 'loss');
    tape.plan();
    for (const [i, vector] of vectors.entries()) valuesOf(x).set(vector, i * width);
    valuesOf(ids).set(labels);
    return { tape, weight, bias, logits, loss };
  } catch (error) {
    tape.dispose();
    throw error;
  }
}
