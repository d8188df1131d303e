// The gradient view: the chain rule's terms, the nudge and the choice of the target.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, load, sentence, traceExample } from '../../bindings/index.js';
import { waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled, travel } from './browser.js';
import { flat } from './expect.js';
import { inFull } from './rounding.js';

const { open } = inBrowser();
const gf = await load();

const same = (text, value) => Object.is(inFull(text), Math.fround(value));

/** What the panel says, in full: the numbers behind those that are rounded. */
const panel = (page) =>
  page.locator('gf-gradient').evaluate((element) => {
    const title = (one) => one?.querySelector('.number')?.title ?? one?.title ?? '';
    const rows = [...element.querySelectorAll('tbody tr')].map((row) => {
      const [through, there, local, product] = row.children;
      const { link } = through.querySelector('[data-link]').dataset;
      return { link, there: title(there), local: title(local), product: title(product) };
    });
    const nudged = [...element.querySelectorAll('.nudge dd')].map((one) => title(one));
    const sum = title(element.querySelector('tfoot tr:last-child td'));
    const slope = element.querySelector('.slope strong')?.title;
    return { rows, nudged, sum, slope, text: element.textContent };
  });

/** The page shows a cell's chain as the core has it. */
async function check(page, trace, target, cell, nudge = 0.01) {
  trace.gradient(target.node, target.index);
  const told = chain(trace, target, cell.node, cell.index, gf);
  const where = `d ${target.node}[${target.index}] / d ${cell.node}[${cell.index}]`;
  const shown = await panel(page);
  assert.ok(same(shown.slope, told.gradient), `${where}: ${shown.slope}, ${told.gradient}`);
  const terms = told.terms.filter(({ gradient }) => gradient !== 0).slice(0, 200);
  assert.deepEqual(
    shown.rows.map(({ link }) => link),
    terms.map(({ y }) => `${y.node}:${y.index}`),
    where,
  );
  shown.rows.forEach(({ there, local, product }, at) => {
    assert.ok(same(there, terms[at].gradient), where);
    assert.ok(same(local, terms[at].derivative), where);
    assert.ok(same(product, terms[at].product), where);
  });
  const still = told.terms.length - told.terms.filter(({ gradient }) => gradient !== 0).length;
  if (still > 0) assert.ok(shown.text.includes(`${still} more with gradient 0`), where);
  if (told.terms.length > 0) assert.ok(same(shown.sum, told.gradient), where);
  const { predicted, actual, ratio } = trace.nudge(cell, target, nudge);
  assert.ok(same(shown.nudged[0], predicted) && same(shown.nudged[1], actual), where);
  if (ratio !== null) assert.ok(same(shown.nudged[2], ratio), where);
}

test('the slopes that fill the stage are the core’s', async () => {
  const { page, complaints, close } = await open(
    '#v=1&example=hi-how&t=99&gradient=1&target=output:0,1',
  );
  const trace = traceExample(gf, 'hi-how');
  trace.gradient('output', [0, 1]);
  await page.locator('gf-stage [data-node=v][data-index="1,1"]').hover();
  await settled(page);
  const { slope } = await panel(page);
  assert.ok(same(slope, trace.step('v').grad[3]));
  assert.deepEqual(complaints, []);
  await close();
});

test('the terms of the chain rule and the nudge are the core’s, in many cells', async (t) => {
  if (waits(t)) return;
  const words = sentence('we see, therefore', {
    dModel: 6,
    dK: 4,
    heads: 2,
    seed: 7,
    causal: true,
  });
  const own = 'sentence=6~4~2~7~pc~we see, therefore';
  const cases = [
    ['three-tokens', 'example=three-tokens', { node: 'output', index: [2, 0] }],
    ['two-heads', 'example=two-heads', { node: 'output', index: [2, 0] }],
    [words, own, { node: 'output', index: [3, 0] }],
  ];
  const { page, complaints, close } = await open();
  for (const [example, hash, target] of cases) {
    const trace = traceExample(gf, example);
    const steps = trace.steps.filter(({ kind, name }) => kind === 'op' && name !== target.node);
    for (const [k, { name, shape, data }] of steps.entries()) {
      const at = (k * 7 + 1) % data.length;
      const index = shape.map((size, axis) => {
        const below = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
        return Math.floor(at / below) % size;
      });
      if (!Number.isFinite(data[flat(shape, index)])) continue;
      await follow(page, `#v=1&${hash}&t=5000&gradient=1&path=${name}:${index}`);
      await check(page, trace, target, { node: name, index });
    }
    trace.dispose();
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('with removals and edits, and another nudge', async () => {
  const edits = [{ node: 'scores', index: [0, 1], value: 2 }];
  const trace = traceExample(gf, 'hi-how', { remove: ['scale'], edits });
  const { page, close } = await open(
    '#v=1&example=hi-how&remove=scale&edits=scores:0,1=2&t=99&gradient=1&path=scores:0,1&target=output:0,0',
  );
  const [target, cell] = [
    { node: 'output', index: [0, 0] },
    { node: 'scores', index: [0, 1] },
  ];
  await check(page, trace, target, cell);
  await page.getByLabel('Change it by').selectOption('1');
  await settled(page);
  assert.match(await addressOf(page), /nudge=1/);
  await check(page, trace, target, cell, 1);
  trace.dispose();
  await close();
});

test('a slope’s formula names its cells, which can be entered', async () => {
  const { page, close } = await open(
    '#v=1&example=i-love-robotics&t=99&gradient=1&path=scores.scaled:1,0&target=output:1,0',
  );
  const rows = page.locator('gf-gradient tbody tr');
  const formulas = (await rows.locator('small').allTextContents()).map((one) =>
    one.replace(/\s+/g, ' '),
  );
  assert.deepEqual(
    formulas.map((one) => one.trim()),
    ['a2,1 (1 − a2,1)', '−a2,1 a2,2', '−a2,1 a2,3'],
  );
  await rows.first().locator('th [data-link]').click();
  await settled(page);
  assert.match(await addressOf(page), /path=scores.scaled:1,0~weights:1,0/);
  assert.match(await page.locator('gf-microscope .what').textContent(), /weight of “love” for “I”/);
  await close();
});

test('the target is chosen, kept in the link, and given back', async () => {
  const { page, complaints, close } = await open('#v=1&example=the-cat-sat&t=99');
  const legend = page.locator('gf-legend');
  await page.keyboard.press('g');
  await settled(page);
  assert.match(await addressOf(page), /gradient=1/);
  assert.match(await legend.textContent(), /gradients of output of “sat”, channel 1/);
  await page.locator('gf-stage [data-node=output][data-index="0,1"]').click();
  await page.getByRole('button', { name: 'Use as target' }).click();
  await settled(page);
  assert.match(await addressOf(page), /target=output:0,1/);
  assert.match(await legend.textContent(), /gradients of output of “The”, channel 2/);
  assert.match(await page.locator('gf-gradient').textContent(), /This is the target itself/);
  assert.equal((await panel(page)).slope, '1');
  await page.getByRole('button', { name: 'Default target' }).click();
  await settled(page);
  assert.doesNotMatch(await addressOf(page), /target=/);
  await travel(page, 'back');
  assert.match(await legend.textContent(), /gradients of output of “The”, channel 2/);
  await page.keyboard.press('g');
  await settled(page);
  assert.equal(await page.locator('gf-gradient h2').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('what has no slope says why', async () => {
  const { page, close } = await open();
  const at = async (hash) => {
    await follow(page, `#v=1&gradient=1&${hash}`);
    return (await page.locator('gf-gradient').textContent()).replace(/\s+/g, ' ');
  };
  const own = 'sentence=4~4~1~1~pc~a b';
  assert.match(await at(`${own}&path=tokens:1`), /only selects a row/);
  assert.match(await at(`${own}&path=scores.masked:0,1`), /cannot change an infinite number/);
  assert.match(await at(`${own}&t=0`), /click any number/);
  assert.match(await at(`${own}&path=output:1,1`), /The target does not depend/);
  assert.equal(await at(`${own}&target=tokens:1`), '', 'the opening page, and a notice');
  assert.match(await page.locator('.notice').textContent(), /tokens has no gradient/);
  await close();
});

test('what leaves the page as the numbers change asks no more of the run that was given back', async () => {
  const seen = '#v=1&example=hi-how&t=99&gradient=1&path=v:1,1';
  const { page, complaints, close } = await open(seen);
  for (const other of ['&edits=x:0,0=2&mode=present', '&edits=x:0,0=3&mode=present&round=2']) {
    await follow(page, `${seen}${other}`);
    assert.equal(await page.locator('gf-gradient').count(), 0);
    await follow(page, seen);
    assert.equal(await page.locator('gf-gradient').count(), 1);
  }
  assert.deepEqual(complaints, []);
  await close();
});
