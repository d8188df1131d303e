// Writes generated/: what the package holds besides its sources. Run by `make wasm`.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/** The examples as they are listed: from the first one a learner should see to the largest. */
const ORDER = [
  'i-love-robotics',
  'three-tokens',
  'hi-how',
  'the-cat-sat',
  'the-cat-sat-projected',
  'masked',
  'positions',
  'two-heads',
  'ten-tokens',
  'layer-norm',
  'schedule',
];

const bindings = new URL('../', import.meta.url);
const wasm = new URL('../build/wasm/', bindings);
const generated = new URL('generated/', bindings);

/** @param {string} file @param {string} type @param {string} declaration */
function write(file, type, declaration) {
  const text = `// Written by generate.js.\n/** @type {${type}} */\nexport ${declaration};\n`;
  writeFileSync(new URL(file, generated), text);
}

/** @param {string} name */
const readExample = (name) =>
  JSON.parse(readFileSync(new URL(`examples/${name}.json`, bindings), 'utf8'));

mkdirSync(generated, { recursive: true });

/** Of a .lzma file: properties and sizes, which are known. */
const LZMA_HEADER = 13;

for (const [file, module] of [
  ['simd.js', 'glassformer.wasm'],
  ['scalar.js', 'glassformer-scalar.wasm'],
]) {
  copyFileSync(new URL(module, wasm), new URL(module, generated));
  const { size } = statSync(new URL(module, wasm));
  const base64 = readFileSync(new URL(`${module}.lzma`, wasm))
    .subarray(LZMA_HEADER)
    .toString('base64');
  const type = '{ size: number, base64: string }';
  write(file, type, `const packed = { size: ${size}, base64: '${base64}' }`);
}
const unpack = readFileSync(new URL('unpack.wasm', wasm)).toString('base64');
write('unpack.js', 'string', `const unpack = '${unpack}'`);

for (const file of readdirSync(new URL('examples/', bindings))) {
  if (!ORDER.includes(file.replace(/\.json$/, ''))) {
    throw new Error(`examples/${file} has no place in generate.js's ORDER`);
  }
}
const examples = Object.fromEntries(ORDER.map((name) => [name, readExample(name)]));
write('examples.js', 'Record<string, any>', `const examples = ${JSON.stringify(examples)}`);
