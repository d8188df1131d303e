// Whether the house is in order: an op is a row of ops.def and three files, and what is written once is
// nowhere copied by hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ops, root } from '../bindings/build/table.js';
import { codes } from '../bindings/generated/codes.js';
import * as registry from '../bindings/generated/ops.js';
import { load } from '../bindings/index.js';

const gf = await load();

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** Besides its row. @param {string} op */
const filesOf = (op) => [`src/op/${op}.c`, `tests/spec/op/${op}.c`, `bindings/ops/${op}.js`];

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
    ['bindings/ops', '.js'],
  ]) {
    const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith(end));
    assert.deepEqual(
      names.map((name) => name.slice(0, -end.length)).sort(),
      [...ops].sort(),
      folder,
    );
  }
});

test('mul, the op that came last, is named in these and nowhere else', () => {
  const named = SOURCES.filter((file) => /\b(gf_|OP_|gfi_op_|spec_)?mul\b/.test(read(file)));
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
  const without = ops.filter((op) => !/export const tape =/.test(read(`bindings/ops/${op}.js`)));
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
  'bindings/model/decode/decoder.js': 'it moves the caches when it makes room',
  'bindings/model/summary.js': 'multiply-adds are counted of products of matrices alone',
  'bindings/tape/tensor.js': 'a cache can be read before the run that fills it',
  'bindings/trace/example.js': 'the embedding is an experiment of its own',
  'src/model/attention.c': 'it makes an attention of named steps, and is refused as one',
  'bindings/cli/print.js': 'a factor stands among the operands',
  'web/chapters/heads/count.js': 'multiply-adds are counted of products of matrices alone',
  'web/chapters/positions/element.js': 'the angles are shown by the plot instead',
  'web/chapters/transformer/masks.js': 'the chapter is about masks',
  'web/chapters/transformer/size.js': 'what the words take is the table that is looked up in',
  'web/chapters/transformer/words.js': 'the chapter is about masks',
  'web/draw/blocks.js': 'what is dropped of an embedding belongs to what was added to it',
  'web/draw/names.js': 'shares have a scale of their own, heads a shape',
  'web/draw/stacks.js': 'a residual is drawn as a line',
  'web/elements/figure.js': 'which switch of an experiment belongs to which step',
  'web/elements/legend.js': 'masked cells have a colour',
  'web/telling/words.js': 'a turn is of a position and a pair, not of two words',
};

test('nobody else decides by the name of an op without a reason', () => {
  const deciding = SOURCES.filter((file) => {
    const own = filesOf(/([^/]+)\.\w+$/.exec(file)?.[1] ?? '').includes(file);
    const names = file.endsWith('.js')
      ? [...read(file).matchAll(/\bop\)? ?(?:===|!==) ?'(\w+)'/g)]
      : [...read(file).matchAll(/\bOP_([a-z]\w*)/g)];
    return !own && names.some(([, name]) => name !== 'leaf' && ops.includes(name));
  });
  assert.deepEqual(deciding.sort(), Object.keys(REASONS).sort());
});

test("the header says of each op what the op's file says", () => {
  const { status, stderr } = spawnSync('node', ['bindings/build/header.js', '--check'], {
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
  const exported = read('bindings/runtime/exports.txt').split('\n');
  assert.deepEqual(
    called.filter((name) => !exported.includes(name)),
    [],
  );
});
