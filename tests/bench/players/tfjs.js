// TensorFlow.js with its wasm backend: the SIMD build, one thread.

import * as tf from '@tensorflow/tfjs';
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';
import { player } from './player.js';

export const version = tf.version_core;

setThreadsCount(1);
await tf.setBackend('wasm');
if (!(await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT'))) throw new Error('tfjs: no SIMD');

/** Kernels of this backend run when they are called, so a run needs no reading to be complete.
 * @param {Record<string, tf.Tensor>} given
 * @param {(given: Record<string, any>) => tf.Tensor} compute one tensor from the given ones */
export function tfjs(given, compute) {
  return player(() => tf.tidy(() => compute(given)).dispose(), {
    result: () => /** @type {Float32Array} */ (tf.tidy(() => compute(given).dataSync().slice())),
    dispose: () => tf.dispose(given),
  });
}

export { tf };
