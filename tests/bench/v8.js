// Compiles WebAssembly at once with V8's optimising compiler. By default functions begin with a simple
// compiler and change over when a busy background thread comes to it: in seconds, or too late.

import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-liftoff');
setFlagsFromString('--wasm-lazy-compilation');
/* Node 20 has it behind a flag, which newer versions ignore. */
setFlagsFromString('--experimental-wasm-relaxed-simd');
