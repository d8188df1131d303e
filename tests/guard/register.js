// node --import ./tests/guard/register.js: every core that this process loads is the guarded one, which traps where it
// reads or writes beyond what it was given, and whose memory seems to grow whenever it may: at each allocation, and at each
// run, during which others may allocate. Threads' cores stay as they are.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { renew } from './heap.js';

register('./hooks.js', import.meta.url);

const guard = new WebAssembly.Module(
  readFileSync(new URL('../../build/wasm/guard.wasm', import.meta.url)),
);
const { instantiate } = WebAssembly;
const RUNS = ['gf_forward', 'gf_backward', 'gf_adam_step'];

/** @param {WebAssembly.Module | BufferSource} module @param {WebAssembly.Imports} [imports] */
WebAssembly.instantiate = async (module, imports) => {
  const isCore =
    !imports &&
    module instanceof WebAssembly.Module &&
    WebAssembly.Module.exports(module).some(({ name }) => name === 'gf_abi');
  if (!isCore) return instantiate(module, imports);
  const { exports } = await instantiate(guard);
  globalThis.guarded.set(exports.memory, exports);
  const runs = RUNS.map((name) => [
    name,
    (/** @type {number[]} */ ...given) => {
      renew(exports.memory);
      return exports[name](...given);
    },
  ]);
  return { exports: { ...exports, ...Object.fromEntries(runs) } };
};
