// node --import ./tests/guard/register.js: every core that this process loads is the guarded one, which traps where it
// reads or writes beyond what it was given. Threads' cores stay as they are.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import './heap.js';

register('./hooks.js', import.meta.url);

const guard = new WebAssembly.Module(
  readFileSync(new URL('../../build/wasm/guard.wasm', import.meta.url)),
);
const { instantiate } = WebAssembly;

/** @param {WebAssembly.Module | BufferSource} module @param {WebAssembly.Imports} [imports] */
WebAssembly.instantiate = async (module, imports) => {
  const isCore =
    !imports &&
    module instanceof WebAssembly.Module &&
    WebAssembly.Module.exports(module).some(({ name }) => name === 'gf_abi');
  if (!isCore) return instantiate(module, imports);
  const instance = await instantiate(guard);
  globalThis.guarded.set(instance.exports.memory, instance.exports);
  return instance;
};
