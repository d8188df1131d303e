// The snippets of the documentation compile under `strict`, as a user's project would have them; and what a project may
// ask for beyond it: the declarations are checked, too, and an option that is undefined is one that is absent.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { blocks, filesNamed, read, root, write } from './support/markdown.js';

/** Pages whose snippets follow each other. Those of the others, and `mjs` everywhere, are programs of their own. */
const IN_ONE_GO = ['bindings/README.md', 'docs/files.md', 'docs/npm.md'];

const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2022', types: ['node'], strict: true, noEmit: true },
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  exactOptionalPropertyTypes: true,
};

/** What TypeScript says of modules that use the package. @param {string} name @param {string[]} codes */
function compiled(name, ...codes) {
  const files = codes.map((code, i) =>
    path.basename(write(`${name}-${i}.ts`, `${code}\nexport {};\n`)),
  );
  const project = write(`${name}.json`, JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  return stdout;
}

/** An example of the API, where gf is `await load()` unless it loads its own. @param {string} code */
function example(code) {
  const imports = code.match(/^import .+;$/gm) ?? [];
  const body = code.replace(/^import .+;$/gm, '');
  const core = "import { load as start } from 'glassformer';\nconst gf = await start();";
  return `${imports.join('\n')}\n${core}\n{${body}}`;
}

/** @param {string} page */
function programsOf(page) {
  const snippets = blocks(page, 'js');
  if (page === 'docs/api.md') return snippets.map(example);
  const programs = IN_ONE_GO.includes(page) ? [snippets.join('\n')] : snippets;
  return [...programs, ...blocks(page, 'mjs')];
}

for (const page of filesNamed('.md')) {
  const programs = programsOf(page);
  if (programs.length === 0) continue;
  test(`${page}: its snippets`, () => {
    assert.equal(compiled(`strict-${page.replace(/\W/g, '-')}`, ...programs), '');
  });
}

test('an option that is undefined is absent', () => {
  const begin = `
    import { load, open, train, forwardInTurns } from 'glassformer';
    import { generateText } from 'glassformer/text';
    import { startWorker } from 'glassformer/worker';
    const none = undefined;
    const gf = await load({ module: none });
    const made = gf.model({ kind: 'gpt', vocab: 8, dModel: none, layers: 1 });
    made.forward({ target: [1], source: none, gradients: none, steps: none });
    await forwardInTurns(made, { target: [1] }, { signal: none, onProgress: none });
    await train(made, [{ target: [1], labels: [1] }], { steps: none, signal: none, groups: none });
    const { model, tokenizer } = await open('x.gguf', { signal: none, openTokenizer: none });
    await generateText(model, tokenizer, 'x', { signal: none, temperature: none, hooks: none });
    const there = await startWorker().open('x.gguf', { signal: none, tokenizerFiles: none });`;
  const end = "await there.ablate({ target: [1] }, { each: 'head', signal: none, metric: none });";
  assert.equal(compiled('strict-undefined', `${begin}\n${end}`), '');
  const refusing = filesNamed('.d.ts', 'bindings/generated/types').filter((file) =>
    /^\t+(readonly )?\w+\?: (?!undefined|unknown;)|Partial<\w+>/m.test(read(file)),
  );
  assert.deepEqual(refusing, []);
});

test('a wrong option does not compile', () => {
  const begin = `
    import { open } from 'glassformer';
    import { embed } from 'glassformer/text';
    import { startWorker } from 'glassformer/worker';
    const there = await startWorker().open('x.gguf');
    const { model, tokenizer } = await open('x.gguf', { signal: undefined });`;
  const fine = `${begin}
    const [first] = await embed(model, tokenizer, ['x'], { pooling: 'mean' });
    const { signal } = new AbortController();
    const [second] = await embed(model, tokenizer, ['x'], { signal });
    const { text } = await there.generateText('x', { signal });
    export const all = [first.length, second.length, text.length];`;
  assert.equal(compiled('strict-fine', fine), '');
  for (const [line, reason] of [
    ["await there.generateText('x', { hooks: {} })", /hooks/],
    ["await embed(model, tokenizer, ['x'], { poling: 'mean' })", /poling/],
    ["await open('x.gguf', { stord: true })", /stord/],
  ]) {
    assert.match(compiled('strict-wrong', `${begin}\n${line};`), reason);
  }
});
