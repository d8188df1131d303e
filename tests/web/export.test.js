// The sheet from which figures, tensors, solutions and programs are taken away.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { explain, load, sentence, traceExample } from '../../bindings/index.js';
import { stagesOf } from '../../web/app/state/timeline.js';
import { javascript } from '../../web/stage/export/javascript.js';
import { latex } from '../../web/stage/export/latex.js';
import { numpy, pytorch } from '../../web/stage/export/python.js';
import { snippet, variable } from '../../web/stage/export/snippet.js';
import { csv, json } from '../../web/stage/export/tables.js';
import { runJavaScript } from '../export/run.js';
import { waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled } from './browser.js';
import { flat } from './expect.js';

const { open } = inBrowser();
const gf = await load();

const sheet = (page) => page.locator('gf-export dialog');
const preview = (page) => sheet(page).locator('.preview');

/** Opens the sheet, and waits until there is something to take away. */
async function show(page) {
  await page.keyboard.press('e');
  await sheet(page).locator('.main:not([disabled])').waitFor();
}

/** Chooses a format by its name. */
async function choose(page, name) {
  await sheet(page).getByRole('radio', { name, exact: true }).check();
  await settled(page);
}

/** What the download button saves. */
async function saved(page) {
  const download = page.waitForEvent('download');
  await sheet(page).getByRole('button', { name: 'Download' }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('a file stays there after the click that saves it: a browser may read it later', async () => {
  const { page, close } = await open('#example=hi-how');
  await show(page);
  await page.evaluate(() => {
    globalThis.urls = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      const url = createObjectURL(blob);
      globalThis.urls.push(url);
      return url;
    };
  });
  const file = await saved(page);
  const later = await page.evaluate(() =>
    Promise.all(
      globalThis.urls.map(
        (url) =>
          new Promise((done) => {
            const image = new Image();
            image.onload = () => done('there');
            image.onerror = () => done('gone');
            image.src = url;
          }),
      ),
    ),
  );
  assert.match(file.name, /\.svg$/);
  assert.deepEqual(later, ['there']);
  await close();
});

const text = ({ bytes }) => bytes.toString('utf8');
const plain = (trace) => ({ ...trace.example, tokens: trace.example.tokens ?? [] });

test('what is saved is what is computed, with edits and removals', async (t) => {
  if (waits(t)) return;
  const edits = [{ node: 'q', index: [0, 1], value: 0.1 }];
  const trace = traceExample(gf, 'hi-how', { remove: ['scale'], edits });
  const hash = '#v=1&example=hi-how&remove=scale&edits=q:0,1=0.1&t=99';
  const { page, complaints, close } = await open(hash);
  await show(page);
  const example = { ...plain(trace), title: `${trace.example.title}, without the scaling` };
  const run = { steps: trace.steps, example };
  const expected = {
    CSV: ['hi-how-without-scale-output.csv', `# without the scaling\n${csv(trace.step('output'))}`],
    JSON: ['hi-how-without-scale-output.json', json(trace.step('output'), ['scale'])],
    LaTeX: [
      'hi-how-without-scale.tex',
      latex({
        trace,
        example,
        stages: stagesOf(trace.steps),
        explain: (run, { node, index }) => explain(run, node, index, gf),
      }),
    ],
    NumPy: ['hi-how-without-scale.py', snippet(run, numpy)],
    PyTorch: ['hi-how-without-scale-pytorch.py', snippet(run, pytorch)],
    JavaScript: ['hi-how-without-scale.mjs', snippet(run, javascript)],
  };
  for (const [format, [name, content]] of Object.entries(expected)) {
    await choose(page, format);
    assert.equal(await preview(page).textContent(), content, format);
    const file = await saved(page);
    assert.equal(file.name, name);
    assert.equal(text(file), content, format);
    assert.equal(await sheet(page).getByRole('status').textContent(), `Saved as ${name}.`);
  }
  assert.deepEqual(JSON.parse(expected.JSON[1]).removed, ['scale']);
  await choose(page, 'CSV');
  await sheet(page).getByLabel('Which').selectOption('weights');
  await settled(page);
  assert.equal(text(await saved(page)), `# without the scaling\n${csv(trace.step('weights'))}`);
  await choose(page, 'JavaScript');
  await sheet(page).getByLabel('only “Output”').check();
  await settled(page);
  assert.equal(text(await saved(page)), snippet(run, javascript, ['output']));
  assert.deepEqual(complaints, []);
  trace.dispose();
  await close();
});

test('the figure as SVG holds the core’s numbers, as PNG its pixels', async () => {
  const trace = traceExample(gf, 'the-cat-sat');
  const { page, complaints, close } = await open('#v=1&example=the-cat-sat&t=9999');
  await show(page);
  const svg = await saved(page);
  assert.equal(svg.name, 'the-cat-sat-output.svg');
  const parsed = await page.evaluate((source) => {
    const found = new DOMParser().parseFromString(source, 'image/svg+xml');
    return {
      failed: found.querySelector('parsererror') !== null,
      size: [
        found.documentElement.getAttribute('width'),
        found.documentElement.getAttribute('height'),
      ],
      cells: [...found.querySelectorAll('text[data-node]')].map((cell) => ({ ...cell.dataset })),
      images: found.querySelectorAll('image, foreignObject, script').length,
    };
  }, text(svg));
  assert.equal(parsed.failed, false);
  assert.equal(parsed.images, 0, 'nothing but vectors and text');
  for (const node of ['weights', 'v', 'output']) {
    const cells = parsed.cells.filter((cell) => cell.node === node);
    const { shape, data } = trace.step(node);
    assert.equal(cells.length, data.length, node);
    for (const { index, value } of cells) {
      const at = flat(shape, index.split(',').map(Number));
      assert.ok(Object.is(Math.fround(Number(value)), data[at]), `${node}[${index}] ${value}`);
    }
  }
  await choose(page, 'PNG');
  const png = await saved(page);
  assert.equal(png.name, 'the-cat-sat-output.png');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  const [width, height] = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
  const near = (a, b) => Math.abs(a - 2 * Number(b)) <= 2;
  assert.ok(near(width, parsed.size[0]) && near(height, parsed.size[1]), `${width} × ${height}`);
  const colours = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, png.bytes.toString('base64'));
  assert.ok(colours > 50, `${colours} colours`);
  assert.deepEqual(complaints, []);
  await close();
});

test('by keyboard: opened, chosen by arrows, closed, and back where one was', async () => {
  const { page, close } = await open('#v=1&example=hi-how&t=99');
  const button = page.getByRole('button', { name: 'Export' });
  await button.focus();
  await page.keyboard.press('Enter');
  await sheet(page).locator('.main:not([disabled])').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'export-title');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.value), 'svg');
  const t = await addressOf(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await settled(page);
  assert.equal(await sheet(page).locator('input:checked').inputValue(), 'csv');
  assert.match(await preview(page).textContent(), /^i,0,1\n0,/);
  assert.equal(await addressOf(page), t, 'the lesson did not move');
  await page.keyboard.press('Escape');
  await settled(page);
  assert.equal(await sheet(page).isVisible(), false);
  assert.ok(await button.evaluate((element) => element === document.activeElement));
  await close();
});

test('copied to the clipboard', async () => {
  const { page, close } = await open('#v=1&example=masked&t=99', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await show(page);
  await choose(page, 'NumPy');
  await sheet(page).getByRole('button', { name: 'Copy' }).click();
  await sheet(page).getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, snippet(traceExample(gf, 'masked'), numpy));
  await close();
});

test('a sentence writes no markup, and no path', async () => {
  const words = '<img src=x onerror=alert(1)> ../../etc';
  const { page, complaints, close } = await open(
    `#v=1&sentence=4~4~1~1~p~${encodeURIComponent(words)}&t=30`,
  );
  await show(page);
  assert.equal(await sheet(page).locator('img').count(), 1);
  const svg = await saved(page);
  assert.match(svg.name, /^sentence-[\w-]+\.svg$/);
  const broken = await page.evaluate((source) => {
    const found = new DOMParser().parseFromString(source, 'image/svg+xml');
    return found.querySelector('parsererror, img, script')?.outerHTML ?? '';
  }, text(svg));
  assert.equal(broken, '');
  await choose(page, 'JavaScript');
  const trace = traceExample(gf, sentence(words, { dModel: 4, dK: 4, seed: 1 }));
  assert.equal(await preview(page).textContent(), snippet(trace, javascript));
  assert.deepEqual(complaints, []);
  await close();
});

test('a program marks the lines of the present step, which goes on behind the sheet', async () => {
  const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=59');
  await show(page);
  const marked = preview(page).locator('mark');
  for (const [name, begins] of Object.entries({
    PyTorch: '# scores.scaled [3, 3]',
    NumPy: '# scores.scaled [3, 3]',
    JavaScript: '// scores.scaled [3, 3]',
  })) {
    await choose(page, name);
    const lines = (await marked.textContent()).split('\n');
    assert.ok(lines[0].startsWith(begins), lines[0]);
    assert.ok(lines[1].includes('scores_scaled = '), lines[1]);
    assert.equal(lines.length, 2);
  }
  await page
    .locator('gf-export')
    .evaluate((sheet) =>
      sheet.dispatchEvent(
        new CustomEvent('gf-act', { bubbles: true, composed: true, detail: { do: 'goto', t: 74 } }),
      ),
    );
  await settled(page);
  assert.match(await marked.textContent(), /^\/\/ weights /);
  await choose(page, 'JSON');
  assert.equal(await marked.textContent(), '');
  assert.deepEqual(complaints, []);
  await close();
});

test('in other chapters, too', async () => {
  const { page, complaints, close } = await open();
  for (const chapter of ['heads', 'positions']) {
    await follow(page, `#chapter=${chapter}`);
    await show(page);
    assert.ok((await saved(page)).bytes.length > 1000, chapter);
    await choose(page, 'NumPy');
    assert.match(await preview(page).textContent(), /import numpy as np/);
    await page.keyboard.press('Escape');
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('a whole model: the program from the page gives the page’s numbers', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open('#chapter=transformer');
  await page.locator('gf-stage .matrix, .panel').first().waitFor();
  await show(page);
  for (const format of ['SVG', 'CSV', 'LaTeX', 'NumPy', 'PyTorch']) {
    await choose(page, format);
    assert.ok((await saved(page)).bytes.length > 200, format);
  }
  await choose(page, 'JavaScript');
  const program = text(await saved(page));
  const steps = await page.evaluate(() => {
    const { steps } = document.querySelector('gf-export').view.trace;
    return steps.slice(-3).map(({ name, data }) => ({ name, data: [...data] }));
  });
  const names = steps.map(({ name }) => variable(name, javascript));
  const [{ values }] = runJavaScript([program], [names]);
  steps.forEach(({ name, data }, k) => {
    const found = [values[names[k]]].flat(Infinity);
    assert.equal(found.length, data.length, name);
    data.forEach((value, at) => {
      assert.ok(Object.is(Math.fround(found[at]), value), `${name}[${at}]`);
    });
  });
  assert.deepEqual(complaints, []);
  await close();
});

test('what would be too much says so', async () => {
  const { page, close } = await open('#v=1&example=masked&t=99');
  await show(page);
  await page.evaluate(async () => {
    const sheet = document.querySelector('gf-export');
    const { trace } = sheet.view;
    const big = { ...trace.step('x'), data: new Float32Array(1e6 + 1) };
    const steps = trace.steps.map((step) => (step.name === 'x' ? big : step));
    const step = (name) => steps.find((one) => one.name === name);
    sheet.view = { ...sheet.view, trace: { ...trace, steps, step } };
  });
  await choose(page, 'NumPy');
  assert.match(await sheet(page).getByRole('status').textContent(), /would be 1000049 numbers/);
  assert.equal(await sheet(page).getByRole('button', { name: 'Download' }).isDisabled(), true);
  await sheet(page).getByLabel('only').check();
  await settled(page);
  assert.equal(await sheet(page).getByRole('button', { name: 'Download' }).isDisabled(), false);
  await close();
});
