// Writes generated/: what the package holds besides its sources. Run by `make wasm`.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ops, sentences } from './table.js';
import './words.js';

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
  ['threads.js', 'glassformer-threads.wasm'],
  ['relaxed.js', 'glassformer-relaxed.wasm'],
]) {
  const { size } = statSync(new URL(module, wasm));
  const base64 = readFileSync(new URL(`${module}.lzma`, wasm))
    .subarray(LZMA_HEADER)
    .toString('base64');
  const type = '{ size: number, base64: string }';
  write(file, type, `const packed = { size: ${size}, base64: '${base64}' }`);
}
/* That of the entry whose core is a file. */
copyFileSync(new URL('glassformer.wasm', wasm), new URL('glassformer.wasm', generated));
const unpack = readFileSync(new URL('unpack.wasm', wasm)).toString('base64');
write('unpack.js', 'string', `const unpack = '${unpack}'`);

for (const file of readdirSync(new URL('examples/', bindings))) {
  if (!ORDER.includes(file.replace(/\.json$/, ''))) {
    throw new Error(`examples/${file} has no place in generate.js's ORDER`);
  }
}
const examples = Object.fromEntries(ORDER.map((name) => [name, readExample(name)]));
write('examples.js', 'Record<string, unknown>', `const examples = ${JSON.stringify(examples)}`);

writeFileSync(
  new URL('sentences.js', generated),
  `// Written by generate.js.\nexport const TEXTS = /** @type {const} */ (${JSON.stringify(sentences)});\n`,
);

/* The families of checkpoints. What checks them imports the sentences, which are written now. */
const { familyData } = await import('./family-data.js');
const { neutral, llama3, families, gguf, llama2c } = familyData(
  JSON.parse(readFileSync(new URL('checkpoints/families.json', bindings), 'utf8')),
);
const of = (/** @type {string} */ name) => `import('../checkpoints/${name}`;
writeFileSync(
  new URL('families.js', generated),
  [
    '// Written by generate.js.',
    ...[
      [`Record<string, ${of("table.js').Family")}>`, 'FAMILIES', families],
      ['Record<string, unknown>', 'NEUTRAL', neutral],
      [
        `{ ignored: string[], architectures: Record<string, ${of("gguf.js').Architecture")}> }`,
        'GGUF',
        gguf,
      ],
      [
        `{ rope_type: string } & Record<
          'low_freq_factor' | 'high_freq_factor' | 'original_max_position_embeddings', number>`,
        'LLAMA3',
        llama3,
      ],
      ['Record<string, string>', 'LLAMA2C', llama2c],
    ].map(
      ([type, name, value]) =>
        `/** @type {${type}} */\nexport const ${name} = ${JSON.stringify(value)};`,
    ),
    '',
  ].join('\n'),
);

/* The server.py of a PrairieLearn question is one file. */
const python = (/** @type {string} */ name) =>
  readFileSync(new URL(`python/glassformer/${name}`, bindings), 'utf8');
const marker = python('_marking.py').replace(/^from (?:__future__|\._number) import .*\n/gm, '');
write(
  'server-py.js',
  'string',
  `const SERVER = ${JSON.stringify(`${python('_number.py')}\n\n${marker}`)}`,
);

/** What the files of the ops say, by what it is about: each op has the parts that it has. */
const PARTS = [
  { part: 'story', table: 'stories', type: "import('../ops/kit/cells.js').Story" },
  { part: 'partials', table: 'partials', type: "import('../ops/kit/partials.js').Rule[]" },
  {
    part: 'derivation',
    table: 'derivations',
    type: "import('../ops/kit/page.js').Derivation",
  },
  { part: 'uses', table: 'uses', type: "import('../ops/kit/uses.js').Uses" },
  { part: 'caption', table: 'captions', type: "import('../ops/kit/page.js').Caption" },
  { part: 'lines', table: 'lines', type: "import('../ops/kit/page.js').Lines" },
  { part: 'drawing', table: 'drawings', type: "import('../ops/kit/page.js').Drawing" },
];
const sources = ops.map((op) => ({
  op,
  text: readFileSync(new URL(`ops/${op}.js`, bindings), 'utf8'),
}));
/** @param {string} part */
const having = (part) =>
  sources.filter(({ text }) => text.includes(`export const ${part} =`)).map(({ op }) => op);
/** @param {{ part: string, table: string, type: string }} of
 * @param {(op: string) => string} row */
const tableOf = ({ part, table, type }, row) =>
  `/** @type {Record<string, ${type}>} */\nexport const ${table} = {\n${having(part).map(row).join('')}};\n`;
const tables = PARTS.map((of) => tableOf(of, (op) => `  ${op}: ${op}.${of.part},\n`));
const methods = having('tape');
const functions = having('eager');
writeFileSync(
  new URL('ops.js', generated),
  `${[
    '// Written by generate.js.',
    ...ops.map((op) => `import * as ${op} from '../ops/${op}.js';`),
    '',
    `/** @typedef {${methods.map((op) => `typeof ${op}.tape`).join(' & ')}} Builders */`,
    `/** @typedef {${functions.map((op) => `ReturnType<typeof ${op}.eager>`).join(' & ')}} Eager */`,
    '',
    '/** The methods of a tape. @type {Builders} */',
    `export const builders = {\n${methods.map((op) => `  ...${op}.tape,\n`).join('')}};\n`,
    "/** The functions on plain data.\n * @param {import('../eager/kit.js').Kit} kit\n * @returns {Eager} */",
    `export const eager = (kit) => ({\n${functions.map((op) => `  ...${op}.eager(kit),\n`).join('')}});\n`,
    ...tables,
  ].join('\n')}`,
);

/* Programs are written by few readers. A bundler keeps a module whole in one place, and puts those of the ops
 * where the core is loaded: by another address they are other modules, of which only this part is used. */
const code = { part: 'code', table: 'codes', type: "import('../ops/kit/code.js').Code" };
writeFileSync(
  new URL('codes.js', generated),
  `${[
    '// Written by generate.js.',
    '// @ts-nocheck: addresses with a question mark',
    ...having('code').map((op) => `import { code as ${op} } from '../ops/${op}.js?code';`),
    '',
    tableOf(code, (op) => `  ${op},\n`),
  ].join('\n')}`,
);
