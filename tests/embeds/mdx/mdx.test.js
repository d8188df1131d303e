// MDX, which Docusaurus, Next and others take: the page is rendered on a server, then React takes it over in the browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { build } from 'vite';
import { calm } from '../../web/host.js';
import { example, missing } from '../example.js';

const here = import.meta.dirname;

/** Renders the page as a server does, which imports the elements as well. */
const SERVER = `
  import { evaluate } from '@mdx-js/mdx';
  import { readFileSync } from 'node:fs';
  import { createElement } from 'react';
  import { renderToString } from 'react-dom/server';
  import * as runtime from 'react/jsx-runtime';
  import 'glassformer/element';
  const { default: Course } = await evaluate(readFileSync('course.mdx', 'utf8'), runtime);
  process.stdout.write(renderToString(createElement(Course)));`;

/** Bundles the page for the browser. */
async function bundled() {
  const { compile } = await import(path.join(here, 'node_modules/@mdx-js/mdx/index.js'));
  const mdx = {
    name: 'mdx',
    transform: async (code, id) =>
      id.endsWith('.mdx') ? { code: String(await compile(code)), map: null } : null,
  };
  const [{ output }] = await build({
    configFile: false,
    root: here,
    logLevel: 'error',
    plugins: [mdx],
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, lib: { entry: 'client.js', formats: ['es'] } },
  });
  return output[0].code;
}

test('a figure in a page of MDX', { skip: missing(here) }, async (context) => {
  const options = { cwd: here, encoding: 'utf8' };
  const html = execFileSync(process.execPath, ['--input-type=module', '--eval', SERVER], options);
  assert.match(html, /<gf-attention id="fig1" example="masked" at="scores\/1,2" remove="scale"/);
  assert.match(html, /Open the figure<\/a>/);
  const client = await bundled();
  const { page, site, complaints } = await example(context, 'html/index.html');
  site.pages.set('client.js', client);
  site.pages.set(
    'index.html',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Course</title>
    <link rel="icon" href="data:,"></head><body><div id="root">${html}</div>
    <script type="module" src="client.js"></script></body></html>`,
  );
  await page.goto(site.url);
  const figure = page.locator('gf-attention');
  await figure.locator('.cell.pinned').waitFor();
  assert.equal(await figure.locator('.run.intact').count(), 1);
  await page.locator('a', { hasText: 'softmax' }).click();
  await calm(figure);
  assert.equal(await figure.locator('gf-stage h2').textContent(), 'Attention weights');
  assert.deepEqual(complaints, []);
});
