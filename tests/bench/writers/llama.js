// llama.cpp in native code, one thread, by node-llama-cpp. Its products round the activations to 8 bits.

import { getLlama } from 'node-llama-cpp';
import { timed } from './ours.js';

/** @param {string} model the path of a GGUF
 * @returns {Promise<{ write: import('./ours.js').Write, close: () => Promise<void> }>} */
export async function nativeLlama(model) {
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, progressLogs: false });
  const loaded = await llama.loadModel({ modelPath: model });
  const context = await loaded.createContext({ contextSize: 512, threads: 1 });
  const sequence = context.getSequence();
  return {
    async write(prompt, tokens) {
      await sequence.clearHistory();
      const stream = sequence.evaluate(loaded.tokenize(prompt), { temperature: 0 });
      async function* some() {
        let left = tokens;
        for await (const token of stream) {
          yield token;
          if (!--left) return;
        }
      }
      return timed(some(), () => performance.now());
    },
    close: () => llama.dispose(),
  };
}
