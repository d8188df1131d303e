// The snippets of the documentation compile under `strict`, as a user's project would have them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf, root, write } from './support/markdown.js';

const PAGES = ['README.md', 'docs/files.md', 'docs/npm.md'];

const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2022', types: ['node'], strict: true, noEmit: true },
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  skipLibCheck: true,
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

for (const page of PAGES) {
  test(`${page}: its snippets, one after the other`, () => {
    /* An edge worker is a program of its own, and has its own name for what it loads. */
    const code = blocksOf(page).filter(({ language }) => language === 'js');
    assert.ok(code.length > 1);
    const all = code.map((block) => block.code).join('\n');
    assert.equal(compiled(`strict-${page.replace(/\W/g, '-')}`, all), '');
  });
}

test('docs/inside.md: its snippets, each a program', () => {
  const code = blocksOf('docs/inside.md').filter(({ language }) => language === 'js');
  assert.ok(code.length > 3);
  assert.equal(compiled('strict-inside', ...code.map((block) => block.code)), '');
});

test('a signal makes undefined possible, a wrong option does not compile', () => {
  const begin = `
    import { open } from 'glassformer';
    import { embed } from 'glassformer/text';
    const { model, tokenizer } = await open('x.gguf', { signal: undefined });`;
  const fine = `${begin}
    const [first] = await embed(model, tokenizer, ['x'], { pooling: 'mean' });
    const some = await embed(model, tokenizer, ['x'], { signal: new AbortController().signal });
    const rest: Float32Array | undefined = some?.[0];
    export const both = [first.length, rest];`;
  assert.equal(compiled('strict-fine', fine), '');
  for (const [line, reason] of [
    ["(await embed(model, tokenizer, ['x'], { signal: AbortSignal.abort() })).length", /possibly/],
    ["await embed(model, tokenizer, ['x'], { poling: 'mean' })", /poling/],
    ["await open('x.gguf', { stord: true })", /stord/],
  ]) {
    assert.match(compiled('strict-wrong', `${begin}\n${line};`), reason);
  }
});
