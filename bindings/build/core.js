// Writes a core as a module of JavaScript, packed: node bindings/build/core.js CORE.wasm MODULE.js, with CORE.wasm.lzma beside.
import { readFileSync, statSync } from 'node:fs';
import { write } from './write.js';

/** Of a .lzma file: properties and sizes, which are known. */
const LZMA_HEADER = 13;

const [wasm, module] = process.argv.slice(2);
const { size } = statSync(wasm);
const base64 = readFileSync(`${wasm}.lzma`).subarray(LZMA_HEADER).toString('base64');
write(
  module,
  `// Written by core.js.\n/** @type {{ size: number, base64: string }} */\nexport const packed = { size: ${size}, base64: '${base64}' };\n`,
);
