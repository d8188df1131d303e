// Whether the house is in order: an op is a row of ops.def and three files, and what is written once is
// nowhere copied by hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'vite';
import { ops, root } from '../bindings/build/table.js';
import { codes } from '../bindings/generated/codes.js';
import * as registry from '../bindings/generated/ops.js';
import { load } from '../bindings/index.js';
import { EXCEPTIONS, readingsIn } from './names.js';

const gf = await load();

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** Besides its row. @param {string} op */
const filesOf = (op) => [`src/op/${op}.c`, `tests/spec/op/${op}.c`, `bindings/js/ops/${op}.js`];

/** What people write, and what is made of it. */
const SOURCES = ['src', 'bindings', 'web'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(c|h|def|js|json|txt|html|css)$/.test(name))
    .filter((name) => !/\/(generated|node_modules)\//.test(name)),
);
const MADE = ['src/glassformer.h'];

test('each op has its three files, and no file is of no op', () => {
  for (const op of ops) {
    for (const file of filesOf(op))
      assert.ok(existsSync(new URL(file, root)), `${file} is missing`);
  }
  for (const [folder, end] of [
    ['src/op', '.c'],
    ['tests/spec/op', '.c'],
    ['bindings/js/ops', '.js'],
  ]) {
    const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith(end));
    assert.deepEqual(
      names.map((name) => name.slice(0, -end.length)).sort(),
      [...ops].sort(),
      folder,
    );
  }
});

/** Exercises are programs of ops, which name what they are made of; what marks them elsewhere runs these. */
const PROGRAMS =
  /^bindings\/(learn\/exercises\/(machine|recipes|problem|marking)\/|js\/trace\/example-layers\.js$|python\/glassformer\/_(marking|working)\.py$)/;

test('mul, the op that came last, is named in these and nowhere else', () => {
  const named = SOURCES.filter(
    (file) => !PROGRAMS.test(file) && /\b(gf_|OP_|gfi_op_|spec_)?mul\b/.test(read(file)),
  );
  const own = ['src/ops.def', ...filesOf('mul')].filter((file) => !file.startsWith('tests/'));
  assert.deepEqual(named.filter((file) => !MADE.includes(file)).sort(), own.sort());
});

/** A leaf is no step; attention is many steps in one, and one that tape.attention makes; the others have
 * no model or example that would show them. */
const WITHOUT = {
  builders: ['leaf', 'attention'],
  stories: ['transpose', 'attention'],
};

test('every other op can be built and told', () => {
  const tape = gf.tape();
  const told = ops.filter((op) => !(op in registry.stories));
  assert.deepEqual(told, WITHOUT.stories);
  const without = ops.filter((op) => !/export const tape =/.test(read(`bindings/js/ops/${op}.js`)));
  assert.deepEqual(without, WITHOUT.builders);
  for (const [name, method] of Object.entries(registry.builders)) assert.equal(tape[name], method);
  tape.dispose();
});

test('what is said in a sentence is also said in signs, and in each language of a program', () => {
  for (const op of Object.keys(registry.captions)) {
    if (op !== 'softcap') assert.ok(op in registry.derivations, op);
  }
  for (const [op, code] of Object.entries(codes)) {
    assert.deepEqual(
      ['javascript', 'numpy', 'pytorch'].filter((language) => !(language in code)),
      [],
      op,
    );
  }
});

/** Who decides by the name of an op, though not the op's own file, and why. */
const REASONS = {
  'bindings/lab/inside/ablate.js': 'it replaces what was looked up of the tokens',
  'bindings/lab/inside/attention.js': 'of the steps of an attention it wants one each',
  'bindings/lab/inside/attribution.js': 'the last step before the logits is one of two',
  'bindings/lab/inside/circuits.js': 'circuits are products of the matrices of linear steps',
  'bindings/lab/inside/parts.js': 'a sum is taken apart by what each op does to its parts',
  'bindings/lab/inside/paths.js': 'a path leads through linear steps',
  'bindings/lab/inside/stream.js': 'the stream goes from sum to sum',
  'bindings/lab/inside/why.js': 'a score is told before and after its rotation',
  'bindings/build/python.js':
    'attention on arrays is a function of its own, which tells its steps; there a cache has nothing to remember',
  'bindings/learn/lessons/share.js': 'shares of a whole come from a softmax',
  'bindings/models/lora/graft.js': 'adapters stand beside linear steps',
  'bindings/js/model/decode/decoder.js': 'it moves the caches when it makes room',
  'bindings/js/model/slices.js': 'pauses go by multiply-adds, most of them of products',
  'bindings/js/model/summary.js': 'multiply-adds are counted of products of matrices alone',
  'bindings/js/tape/tensor.js': 'a cache can be read before the run that fills it',
  'bindings/js/trace/example.js': 'the embedding is an experiment of its own',
  'src/model/attention.c': 'it makes an attention of named steps, and is refused as one',
  'bindings/cli/print.js': 'a factor stands among the operands',
  'web/chapters/heads/count.js': 'multiply-adds are counted of products of matrices alone',
  'web/chapters/positions/element.js': 'the angles are shown by the plot instead',
  'web/chapters/transformer/masks.js': 'the chapter is about masks',
  'web/chapters/transformer/words.js': 'the chapter is about masks',
  'web/stage/draw/map.js': 'codes that are moved stand below those that are made',
  'web/stage/draw/names.js': 'the forms of one role go by how they are made',
  'web/stage/draw/stacks.js': 'a residual is drawn as a line',
  'web/stage/elements/figure.js': 'which switch of an experiment belongs to which step',
  'web/stage/elements/heatmap.js': 'rows of a table that no token takes are pale',
  'web/stage/elements/legend.js': 'masked cells have a colour',
  'web/player/bars.js': 'a slider says whether its score is divided already',
  'web/player/mistake.js': 'an exercise asks for a row of weights, or for a code, in its own way',
};

test('nobody else decides by the name of an op without a reason', () => {
  const deciding = SOURCES.filter((file) => {
    if (PROGRAMS.test(file)) return false;
    const own = filesOf(/([^/]+)\.\w+$/.exec(file)?.[1] ?? '').includes(file);
    const names = file.endsWith('.js')
      ? [...read(file).matchAll(/\bop\)? ?(?:===|!==) ?'(\w+)'/g)]
      : [...read(file).matchAll(/\b(?:OP|gfi_op)_([a-z]\w*)/g)];
    return !own && names.some(([, name]) => name !== 'leaf' && ops.includes(name));
  });
  assert.deepEqual(deciding.sort(), Object.keys(REASONS).sort());
});

test('import { load } carries the tables that compute, and none that tells', async () => {
  const entry = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? id : null),
    load: (id) =>
      id === 'entry'
        ? `export { load } from '${new URL('bindings/index.js', root).pathname}';`
        : null,
  };
  const { output } = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entry],
    build: {
      write: false,
      rolldownOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  });
  const tables = output.flatMap(({ modules = {} }) =>
    Object.entries(modules)
      .filter(([name]) => name.endsWith('/generated/ops.js'))
      .flatMap(([, { renderedExports }]) => renderedExports),
  );
  assert.deepEqual(tables.sort(), ['builders', 'eager']);
});

test("the header says of each op what the op's file says", () => {
  const { status, stderr } = spawnSync('node', ['bindings/build/header.js', '--check'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('the core reads of a GGUF what families.json says', () => {
  const { status, stderr } = spawnSync('node', ['bindings/build/architectures.js', '--check'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('the wasm exports what the binding calls', () => {
  const called = SOURCES.filter((file) => /^bindings\/.*\.js$/.test(file)).flatMap((file) =>
    [...read(file).matchAll(/core\.(gf_\w+)|'(gf_\w+)'/g)].map(
      ([, direct, named]) => direct ?? named,
    ),
  );
  const exported = ['exports', 'exports-threads'].flatMap((list) =>
    read(`bindings/js/runtime/${list}.txt`).split('\n'),
  );
  assert.deepEqual(
    called.filter((name) => !exported.includes(name)),
    [],
  );
});

/** The names of a kind that an object file has: U, which it takes from others, or those that it gives.
 * @param {string} file @param {RegExp} kind */
function namesIn(file, kind) {
  const object = `build/obj/native/${file.replace(/c$/, 'o')}`;
  const { status, stdout } = spawnSync('nm', ['-P', object], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, `${object}: make native`);
  const rows = stdout.split('\n').map((line) => line.split(' '));
  return rows.filter(([, type]) => kind.test(type)).map(([name]) => name);
}

test('no files of the core use each other in a circle', () => {
  let files = SOURCES.filter((file) => /^src\/.*\.c$/.test(file)).map((file) => ({
    file,
    gives: new Set(namesIn(file, /^[A-TV-Z]$/)),
    takes: namesIn(file, /^U$/),
  }));
  assert.ok(files.length > 50);
  /* Again and again without those that use none of the others. */
  for (let before = 0; before !== files.length; ) {
    before = files.length;
    files = files.filter(({ takes }) =>
      takes.some((name) => files.some(({ gives }) => gives.has(name))),
    );
  }
  assert.deepEqual(
    files.map(({ file }) => file),
    [],
  );
});

/** Ways to read a meaning out of a name. */
const READ = [
  "step.name.endsWith('.weights')",
  "name?.startsWith('decoder.')",
  "(/** @type {string} */ (node)).includes('norm')",
  '/^w_/.test(name)',
  '/anything/u.exec(String(trace.steps[0].name))',
  `pattern.test(\`\${name}.x\`)`,
  "const full = step.name; const last = full.split('.').at(-1)",
  "({ name: full }) => full.replace(/^x/, '')",
  'for (const { node: of } of cells) of.slice(2)',
  "names.some((one) => one.endsWith('_attn'))",
  "told.includes('scores.scaled')",
  `key.startsWith(\`\${stack}.layers\`)`,
  'const LAYER = /^(encoder|decoder)\\.layers\\./',
  "name.trim().split('.')",
  '(label ?? step.name).slice(0, 3)',
];
/** What looks alike, and is none. */
const NOT_READ = [
  "trace.steps.find(({ name }) => name === 'logits')",
  "trace.step('decoder.layers.0.self_attn.weights')",
  'names.includes(name)',
  `\`\${step.name}: \${title}\``,
  "step.name + '.x'",
  "formula.split('=')",
  '/^\\d+$/.test(text)',
  'const file = { name: title }; title.slice(1)',
  "role === 'query' && parts.includes(part)",
  'inputs.map((input) => input?.name ?? null).slice(1)',
];

test('whoever reads a meaning out of the name of a node is found', () => {
  for (const text of READ) {
    assert.ok(readingsIn('web/stage/draw/planted.js', `\n${text}`).length > 0, text);
    assert.equal(readingsIn('bindings/js/trace/planted.js', `\n${text}`)[0].line, 2, text);
  }
  for (const text of NOT_READ) {
    assert.deepEqual(readingsIn('web/stage/draw/planted.js', text), [], text);
  }
});

test('those who may take names apart do so', () => {
  for (const file of Object.keys(EXCEPTIONS)) {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    assert.ok(readingsIn(`web/stage/draw/planted.js`, text).length > 0, file);
  }
});
