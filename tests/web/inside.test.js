// The chapter Inside: what it shows is what the experiments give, a head is switched off by a click, and a link brings it
// all back.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { ablate, logitAttribution } from '../../bindings/inside/index.js';
import { storyInputs, trained, vocabulary } from '../../bindings/stories/index.js';
import { levelsOf } from '../../web/chapters/inside/river.js';
import { EXAMPLES } from '../../web/chapters/inside/state.js';
import * as core from '../../web/inside/core.js';
import { Experiments } from '../../web/inside/experiments.js';
import { csv, javascript } from '../../web/inside/take.js';
import { follow, inBrowser, settled } from './browser.js';

const { open } = inBrowser();
const READY = { ready: '.inside svg' };
const gf = await load();
const bytes = readFileSync(new URL('../../bindings/models/stories.safetensors', import.meta.url));
const model = trained(gf, bytes);
const idOf = (word) => vocabulary.encode([word])[0];
const { prompt, instead, other } = EXAMPLES.objects;
const metric = { kind: 'difference', token: idOf('red'), against: idOf(instead) };

/** The numbers of a table, as their titles have them in full. @param {import('playwright-core').Page} page */
const numbersIn = (page, cells) =>
  page
    .locator(cells)
    .evaluateAll((all) => all.map(({ title }) => Math.fround(title.replaceAll('−', '-'))));

test('every example has another text with as many tokens, and what it is about is the likeliest word', () => {
  const right = { objects: 'red', names: 'Ben', pronouns: 'she', quotes: '"', phrases: 'do' };
  for (const [name, { prompt, other }] of Object.entries(EXAMPLES)) {
    const [own, others] = [prompt, other].map((text) => storyInputs(text).target);
    assert.equal(own.length, others.length, name);
    const run = model.forward({ target: own });
    const last = run.logits.data.slice(-vocabulary.size);
    assert.equal(vocabulary.tokens[last.indexOf(Math.max(...last))], right[name], name);
    run.dispose();
  }
});

test('the levels of the river hold every part once, and end in their sum', async () => {
  const sum = await logitAttribution(model, storyInputs(prompt));
  const levels = levelsOf(sum);
  assert.equal(levels.length, 2 + 2 * model.config.layers);
  const total = levels.reduce((all, { value }) => all + value, 0);
  assert.ok(Math.abs(total - sum.sum) < 1e-9);
  assert.ok(Math.abs(levels.at(-1).above - sum.sum) < 1e-9);
});

/** @type {import('../../web/inside/experiments.js').Asked} */
const asked = { prompt, word: '', instead, off: [{ layer: 0, head: 0 }], other };

test('the program that is saved prints the numbers of the page', async () => {
  const gone = [...asked.off];
  const value = { run: storyInputs(other) };
  const { after } = await ablate(model, storyInputs(prompt), { at: gone, value, metric });
  const { sum, total } = await logitAttribution(model, storyInputs(prompt), {
    token: metric.token,
    against: metric.against,
  });
  const args = ['--input-type=module', '--eval', javascript(asked, { word: 'red' })];
  const cwd = new URL('../..', import.meta.url);
  const printed = execFileSync('node', args, { cwd, encoding: 'utf8' });
  for (const number of [sum, total, after]) assert.ok(printed.includes(String(number)), printed);
});

test('the table that is saved has every part, every head, and the sum', async () => {
  const told = await new Experiments(core, gf, bytes).run(asked);
  const lines = csv(told).trimEnd().split('\n').slice(1);
  const numbers = (what) =>
    lines
      .filter((line) => line.startsWith(`${what},`))
      .map((line) => Number(line.split(',').at(-1)));
  const [sum, total] = numbers('check');
  const all = numbers('part').reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(all - sum) < 1e-9 && Math.abs(sum - total) <= told.sum.bound);
  const { heads, layers } = model.config;
  assert.equal(numbers('without').length, heads * layers + 1);
});

describe('on the page', () => {
  test('the sum, the core’s number and the bound are those of the API, and each head’s effect too', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    const { sum, total, bound } = await logitAttribution(model, storyInputs(prompt), {
      token: metric.token,
      against: metric.against,
    });
    const shown = await numbersIn(page, '.inside .checked td');
    assert.deepEqual(shown, [sum, total, Math.abs(sum - total), bound].map(Math.fround));
    const { grid } = await ablate(model, storyInputs(prompt), { each: 'head', metric });
    const heads = await page.locator('.inside .alone button').allTextContents();
    const expected = grid.values.flat().map((value) => value - total);
    assert.equal(heads.length, expected.length);
    for (const [i, text] of heads.entries()) {
      const value = Number(text.replace('−', '-'));
      assert.ok(Math.abs(value - expected[i]) <= 0.005 * Math.abs(expected[i]) + 1e-6, text);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a click switches a head off, in the picture or in the table; a link and Undo bring it back', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    const head = page.getByRole('button', { name: /^layer 0, head 0 off/ });
    await head.click();
    await settled(page);
    assert.equal(await head.getAttribute('aria-pressed'), 'true');
    const link = new URL(page.url()).hash;
    assert.match(link, /off=0\.0/);
    const at = [{ layer: 0, head: 0 }];
    const red = { kind: 'probability', token: metric.token };
    const { after } = await ablate(model, storyInputs(prompt), { at, metric: red });
    const shares = await numbersIn(page, '.inside .next tbody tr:first-child td');
    assert.equal(shares[1], Math.fround(after));
    await page.locator('.inside circle').first().waitFor();
    const circles = page.locator('.inside circle.off');
    assert.equal(await circles.count(), 1);
    await circles.click();
    await settled(page);
    assert.equal(await head.getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await head.getAttribute('aria-pressed'), 'true');
    await follow(page, '#chapter=inside');
    await follow(page, link);
    assert.equal(await head.getAttribute('aria-pressed'), 'true');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a head takes its values from the other story, and the answer turns', async () => {
    const { page, close } = await open('#v=1&chapter=inside&value=story&off=0.0', READY);
    const { after } = await ablate(model, storyInputs(prompt), {
      at: [{ layer: 0, head: 0 }],
      value: { run: storyInputs(other) },
      metric: { kind: 'probability', token: idOf('blue') },
    });
    assert.ok(after > 0.9);
    const row = page.locator('.inside .next tbody tr', { hasText: 'blue' });
    const title = await row.locator('td').last().getAttribute('title');
    assert.equal(Math.fround(title), Math.fround(after));
    assert.deepEqual(await page.locator('.inside .other').allTextContents(), ['blue']);
    await close();
  });

  test('a text of unknown words and one that does not fit say so, and the page goes on', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=inside&prompt=zug', READY);
    assert.match(await page.locator('.inside .refused').textContent(), /zug/);
    await follow(page, '#v=1&chapter=inside&value=story&other=Anna');
    assert.match(await page.getByRole('alert').textContent(), /\d/);
    await follow(page, '#chapter=inside');
    assert.equal(await page.locator('.inside .refused').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
