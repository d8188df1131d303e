// Writes generated/: what the package holds besides its sources. Run by `make wasm`.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflated } from './deflated.js';
import { layoutModule } from './layout.js';
import { ops, sentences } from './table.js';
import { write } from './write.js';
import './words.js';

/** The examples as they are listed: from the first one a learner should see to the largest. */
const ORDER = [
  'i-love-robotics',
  'pocket',
  'sub-words',
  'three-tokens',
  'hi-how',
  'the-cat-sat',
  'look-up',
  'the-cat-sat-projected',
  'masked',
  'what-did-the-cat-do',
  'wide-values',
  'digit',
  'positions',
  'two-heads',
  'ten-tokens',
  'eight-heads',
  'layer-norm',
  'schedule',
  'label-smoothing',
];

const bindings = new URL('../', import.meta.url);
const wasm = new URL('../build/wasm/', bindings);
const generated = new URL('generated/', bindings);

/** @param {string} file @param {string} text */
const put = (file, text) =>
  write(fileURLToPath(new URL(file, generated)), `// Written by generate.js.\n${text}`);

/** @param {string} file @param {string} type @param {string} declaration */
const declare = (file, type, declaration) =>
  put(file, `/** @type {${type}} */\nexport ${declaration};\n`);

/** @param {string} name */
const readExample = (name) =>
  JSON.parse(readFileSync(new URL(`data/examples/${name}.json`, bindings), 'utf8'));

const unpack = readFileSync(new URL('unpack.wasm', wasm)).toString('base64');
declare('unpack.js', 'string', `const unpack = '${unpack}'`);

for (const file of readdirSync(new URL('data/examples/', bindings))) {
  if (!ORDER.includes(file.replace(/\.json$/, ''))) {
    throw new Error(`data/examples/${file} has no place in generate.js's ORDER`);
  }
}
const examples = Object.fromEntries(ORDER.map((name) => [name, readExample(name)]));
declare('examples.js', 'Record<string, unknown>', `const examples = ${JSON.stringify(examples)}`);

put('layout.js', layoutModule());
put('sentences.js', `export const TEXTS = /** @type {const} */ (${JSON.stringify(sentences)});\n`);

/* The families of checkpoints. What checks them imports the sentences, which are written now. */
const { familyData } = await import('./family-data.js');
const { neutral, llama3, families, gguf, llama2c } = familyData(
  JSON.parse(readFileSync(new URL('models/checkpoints/families.json', bindings), 'utf8')),
);
const of = (/** @type {string} */ name) => `import('../models/checkpoints/${name}`;
put(
  'families.js',
  [
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
const marker = ['_working.py', '_marking.py'].map((name) =>
  python(name).replace(/^from (?:__future__|\._\w+) import (?:\([^)]*\)|.*)\n/gm, ''),
);
const server = [python('_number.py'), ...marker].join('\n\n');
declare('server-py.js', 'string', `const packed = '${await deflated(server)}'`);

/** What the files of the ops say, by what it is about: each op has the parts that it has. */
const PARTS = [
  { part: 'story', table: 'stories', type: "import('../js/ops/kit/cells.js').Story" },
  { part: 'partials', table: 'partials', type: "import('../js/ops/kit/partials.js').Rule[]" },
  {
    part: 'derivation',
    table: 'derivations',
    type: "import('../js/ops/kit/page.js').Derivation",
  },
  { part: 'uses', table: 'uses', type: "import('../js/ops/kit/uses.js').Uses" },
  { part: 'caption', table: 'captions', type: "import('../js/ops/kit/page.js').Caption" },
  { part: 'lines', table: 'lines', type: "import('../js/ops/kit/page.js').Lines" },
  { part: 'drawing', table: 'drawings', type: "import('../js/ops/kit/page.js').Drawing" },
];
const sources = ops.map((op) => ({
  op,
  text: readFileSync(new URL(`js/ops/${op}.js`, bindings), 'utf8'),
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
put(
  'ops.js',
  `${[
    ...ops.map((op) => `import * as ${op} from '../js/ops/${op}.js';`),
    '',
    `/** @typedef {${methods.map((op) => `typeof ${op}.tape`).join(' & ')}} Builders */`,
    `/** @typedef {${functions.map((op) => `ReturnType<typeof ${op}.eager>`).join(' & ')}} Eager */`,
    '',
    '/** The methods of a tape. @type {Builders} */',
    `export const builders = {\n${methods.map((op) => `  ...${op}.tape,\n`).join('')}};\n`,
    "/** The functions on plain data.\n * @param {import('../js/eager/kit.js').Kit} kit\n * @returns {Eager} */",
    `export const eager = (kit) => ({\n${functions.map((op) => `  ...${op}.eager(kit),\n`).join('')}});\n`,
    ...tables,
  ].join('\n')}`,
);

/* Programs are written by few readers. A bundler keeps a module whole in one place, and puts those of the ops
 * where the core is loaded: by another address they are other modules, of which only this part is used. */
const code = { part: 'code', table: 'codes', type: "import('../js/ops/kit/code.js').Code" };
put(
  'codes.js',
  `${[
    '// @ts-nocheck: addresses with a question mark',
    ...having('code').map((op) => `import { code as ${op} } from '../js/ops/${op}.js?code';`),
    '',
    tableOf(code, (op) => `  ${op},\n`),
  ].join('\n')}`,
);
