// ONNX Runtime Web on wasm: the SIMD build (there is no other), one thread, no worker.

import * as ort from 'onnxruntime-web/wasm';
import { player } from './player.js';

/** @typedef {import('./onnx.js').Graph} Graph */
/** @typedef {{ data: Float32Array | BigInt64Array, shape: readonly number[] }} Given */

export const version = ort.env.versions.web;

ort.env.wasm.numThreads = 1;
ort.env.wasm.proxy = false;
ort.env.logLevel = 'error';

/** A session of the graph, run on the given tensors. The result is the graph's first output.
 * @param {Graph} graph @param {Record<string, Given>} given */
export async function onnx(graph, given) {
  const session = await ort.InferenceSession.create(graph.bytes(), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const feeds = Object.fromEntries(
    Object.entries(given).map(([name, { data, shape }]) => [name, new ort.Tensor(data, shape)]),
  );
  const [first] = session.outputNames;
  return player(() => session.run(feeds), {
    result: async () => /** @type {Float32Array} */ ((await session.run(feeds))[first].data),
    dispose: () => session.release(),
  });
}
