// A model of the reader's own files in the chapter Inside: what the page shows is what the API gives of the same file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exportModel, load } from '../../bindings/index.js';
import { ablate, logitAttribution, patch } from '../../bindings/lab/inside/index.js';
import { load as loadModels, openCheckpoint } from '../../bindings/models.js';
import { CONFIG, smallGguf } from '../support/small-gguf.js';
import { addressOf, follow, inBrowser, settled } from './browser.js';
import { agree, choose } from './opener.js';

const { open } = inBrowser();
const HASH = '#v=1&chapter=inside';
const core = await loadModels();

/** Opens a file as a reader does. @param {import('playwright-core').Page} page @param {Record<string, Uint8Array>} files */
async function openFiles(page, files) {
  await choose(page, files);
  await agree(page);
  await page.locator('.inside .own').waitFor();
  await settled(page);
}

/** @param {import('playwright-core').Page} page @param {string} cells */
const numbersIn = (page, cells) =>
  page
    .locator(cells)
    .evaluateAll((all) => all.map(({ title }) => Math.fround(title.replaceAll('−', '-'))));

/** Changes as cells have them, in three digits. @param {string[]} texts @param {number[]} expected */
function same(texts, expected) {
  assert.equal(texts.length, expected.length);
  for (const [i, text] of texts.entries()) {
    const value = Number(/[−+][\d.e−]+$/.exec(text)[0].replaceAll('−', '-'));
    assert.ok(Math.abs(value - expected[i]) <= 0.005 * Math.abs(expected[i]) + 1e-6, text);
  }
}

test('a GGUF of the reader: its sum, its heads and its stream, by another text, and back to the stories', async () => {
  const file = smallGguf();
  const { page, complaints, close } = await open(HASH, { ready: '.inside svg' });
  await page.getByRole('button', { name: 'Open a model' }).click();
  await openFiles(page, { 'small.gguf': file });
  assert.match(await addressOf(page), /model=disk/);
  const checkpoint = await openCheckpoint(file);
  const model = await core.openModel(checkpoint);
  const idsOf = (text) => checkpoint.tokenizer.encode(text);
  const text = 'the cat sat on the';
  await page.getByRole('textbox', { name: 'The text so far' }).fill(text);
  await page.getByRole('textbox', { name: 'The other text' }).fill('the cat sat on sat');
  await page.getByRole('combobox', { name: 'minus that of' }).fill('sat');
  await page.getByRole('combobox', { name: 'minus that of' }).blur();
  await settled(page);
  const inputs = { target: idsOf(text) };
  const [against] = idsOf(' sat');
  const told = await logitAttribution(model, inputs, { against });
  const { sum, total, bound, token } = told;
  assert.deepEqual(
    await numbersIn(page, '.inside .checked dd'),
    [sum, total, Math.abs(sum - total), bound].map(Math.fround),
  );
  assert.equal(await page.locator('.inside .checked .holds').count(), 1);
  const from = { target: idsOf('the cat sat on sat') };
  assert.equal(from.target.length, inputs.target.length);
  const metric = { kind: 'difference', token, against };
  const heads = await ablate(model, inputs, { each: 'head', value: { run: from }, metric });
  const cells = page.locator('.inside .both figure:first-child .alone button');
  const changes = ({ grid }) => grid.values.flat().map((value) => value - total);
  same(await cells.allTextContents(), changes(heads));
  const stream = await patch(model, inputs, { each: 'position', from, metric });
  const knots = await page.locator('.inside .knot title').allTextContents();
  same(knots, changes(stream));
  /* A head is switched off, and the sum is that of the changed run. */
  await page.getByRole('button', { name: 'Nothing' }).click();
  await settled(page);
  await page.locator('.inside .both figure:last-child .alone button').nth(3).click();
  await settled(page);
  const off = [{ layer: 1, head: 1 }];
  const changed = await logitAttribution(model, inputs, { token, against, at: off });
  assert.equal((await numbersIn(page, '.inside .checked dd'))[1], Math.fround(changed.total));
  /* A word that the model has not is told of, and nothing is lost. */
  await page.getByRole('combobox', { name: 'minus that of' }).fill('Zebra');
  await page.getByRole('combobox', { name: 'minus that of' }).blur();
  await settled(page);
  assert.match(await page.locator('.inside .refused').innerText(), /“Zebra” is not one token/);
  await page.getByRole('button', { name: 'Back to the stories' }).click();
  await settled(page);
  assert.match(await page.locator('.inside h1').innerText(), /“Ben”/);
  assert.doesNotMatch(await addressOf(page), /model=/);
  assert.deepEqual(complaints, []);
  await close();
});

test('a link to a model asks for its file, and then shows what it says; what is saved computes it in Node', async () => {
  const file = smallGguf({}, { ...CONFIG, num_hidden_layers: 8 });
  const text = 'the cat sat on the';
  const hash = `${HASH}&model=disk&prompt=${text}&other=&word=cat&instead=&off=7.1&open=layer 7 head 0`;
  const { page, complaints, close } = await open(hash, { ready: '.opener' });
  await openFiles(page, { 'small.gguf': file });
  const checkpoint = await openCheckpoint(file);
  const model = await core.openModel(checkpoint);
  const inputs = { target: checkpoint.tokenizer.encode(text) };
  const [token] = checkpoint.tokenizer.encode(' cat');
  const off = [{ layer: 7, head: 1 }];
  const { sum, total } = await logitAttribution(model, inputs, { token, at: off });
  const shown = await numbersIn(page, '.inside .checked dd');
  assert.deepEqual(shown.slice(0, 2), [sum, total].map(Math.fround));
  assert.match(await page.locator('.inside .sum h3').innerText(), /layer 8, head 1/);
  /* Of many layers every head has a colour and says its number; the largest are written. */
  const { before, grid } = await ablate(model, inputs, {
    each: 'head',
    metric: { kind: 'logit', token },
  });
  const changes = grid.values.flat().map((value) => value - before);
  const named = page.locator('.inside .dense button');
  same(await named.evaluateAll((all) => all.map(({ title }) => title)), changes);
  const sorted = changes.toSorted((a, b) => Math.abs(b) - Math.abs(a)).slice(0, 5);
  same(await page.locator('.inside .most button').allTextContents(), sorted);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JavaScript' }).click();
  const program = readFileSync(await (await waiting).path(), 'utf8');
  const folder = mkdtempSync(path.join(tmpdir(), 'own-'));
  writeFileSync(path.join(folder, 'small.gguf'), file);
  const cwd = new URL('../..', import.meta.url);
  const printed = execFileSync(
    'node',
    [
      '--input-type=module',
      '--eval',
      program.replace('"small.gguf"', JSON.stringify(path.join(folder, 'small.gguf'))),
    ],
    { cwd, encoding: 'utf8' },
  );
  for (const number of [sum, total, ...grid.values.flat()])
    assert.ok(printed.includes(String(number)), String(number));
  assert.deepEqual(complaints, []);
  await close();
});

test('what does not fit is told: a model that writes no text, a text that is too long; and Close leads back', async () => {
  const { page, complaints, close } = await open(`${HASH}&model=disk`, { ready: '.opener' });
  const gf = await load();
  const small = { vocab: 12, dModel: 8, heads: 2, maxLength: 80 };
  const bert = gf.model({ kind: 'bert', layers: 1, ...small });
  const { config, bytes } = exportModel(bert, 'bert');
  const json = Buffer.from(JSON.stringify(config));
  await choose(page, { 'config.json': json, 'model.safetensors': bytes });
  assert.match(await page.locator('.opener .refusal').innerText(), /models that write text/);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.inside h1', { hasText: 'Ben' }).waitFor();
  /* One that was saved here: without a tokenizer it reads ids. */
  await page.getByRole('button', { name: 'Open a model' }).click();
  const own = gf.model({ kind: 'gpt', layers: 2, ...small, seed: 3 });
  await choose(page, { 'mine.safetensors': own.save() });
  await page.locator('.inside .own').waitFor();
  await settled(page);
  const { sum, total } = await logitAttribution(own, { target: [0, 1, 2] });
  const shown = await numbersIn(page, '.inside .checked dd');
  assert.deepEqual(shown.slice(0, 2), [sum, total].map(Math.fround));
  const write = async (text) => {
    await page.getByRole('textbox', { name: 'The text so far' }).fill(text);
    await page.getByRole('textbox', { name: 'The text so far' }).blur();
    await settled(page);
    return page.locator('.inside .refused').first().innerText();
  };
  /* What a link asks for can be mended where there is nothing else to be seen. */
  await follow(page, `${HASH}&model=disk&prompt=0 1 2&other=`);
  assert.match(await page.locator('.inside .refused').innerText(), /“Tom” is not one token/);
  await page.getByRole('combobox', { name: 'minus that of' }).fill('');
  await page.getByRole('combobox', { name: 'minus that of' }).blur();
  await settled(page);
  assert.equal((await numbersIn(page, '.inside .checked dd'))[1], Math.fround(total));
  assert.match(await write('a b'), /write token ids/);
  assert.match(await write('3 12'), /Token 12 is outside/);
  assert.match(await write('1 '.repeat(65)), /65 tokens.*at most 64/);
  assert.deepEqual(complaints, []);
  await close();
});
