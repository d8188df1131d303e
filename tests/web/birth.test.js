// The birth of a head in the page: its points and the bits of the trained model are those of Node, time runs forth and
// back, a head can be switched off at any step, and every step of Adam opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, load, train } from '../../bindings/index.js';
import { headScores } from '../../bindings/lab/inside/index.js';
import { repeats, unborn } from '../../bindings/lab/stories/index.js';
import { Birth } from '../../web/workers/birth/birth.js';
import { SEQUENCE, STEPS } from '../../web/workers/birth/protocol.js';
import { waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled, until } from './browser.js';

const { open } = inBrowser();
const HASH = '#v=1&chapter=inside&view=birth';

test('the bits are those of Node, and each step is read as there, whole and without heads', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open(HASH, { ready: '.birth .grown .main' });
  await page.getByRole('button', { name: 'Train it yourself' }).click();
  await page.waitForSelector('.birth .bits');
  await settled(page);
  const told = [];
  const birth = new Birth(await load(), ({ grown }) => told.push(grown));
  const { bits } = await birth.grow({ seed: 1 }, new AbortController().signal);
  const due = told.flatMap(({ points }) => points);
  assert.match(await page.locator('.birth .bits').textContent(), new RegExp(bits));
  assert.deepEqual(await page.locator('gf-birth').evaluate(({ points }) => points), due);
  const { layer, head, before, after } = told.at(-1).change;
  assert.ok(after - before > 0.4);

  const shown = () =>
    page
      .locator('.birth .answer b')
      .evaluateAll((all) => all.map(({ title }) => Math.fround(title)));
  const off = [{ layer, head }];
  const read = async (step, off) => {
    const { before, after } = await birth.read({ step, off });
    return (off.length ? [before, after] : [before]).map(Math.fround);
  };
  assert.deepEqual(await shown(), await read(STEPS, []));
  assert.ok((await shown())[0] > 0.5, 'the answer is known');

  const time = page.getByRole('slider', { name: 'Training step' });
  await time.fill('300');
  await settled(page);
  assert.deepEqual(await shown(), await read(300, []));
  await time.fill('900');
  await settled(page);
  assert.deepEqual(await shown(), await read(900, []));

  await page.getByRole('button', { name: `layer ${layer + 1}, head ${head + 1} off` }).click();
  await settled(page);
  assert.deepEqual(await shown(), await read(900, off));
  assert.ok((await shown())[1] < 0.5 * (await shown())[0], 'the answer hangs on the head');

  /* What each step of the computation gave, at that step of the training. */
  const { steps } = await birth.read({ step: 900, off });
  const computation = page.getByRole('slider', { name: 'Computation step' });
  for (const role of ['weight', 'hidden', 'logit']) {
    const t = steps.findIndex((one) => one.role === role);
    await computation.fill(String(t));
    await settled(page);
    const { name, data } = await page
      .locator('.birth .computed + .maps gf-heatmap')
      .first()
      .evaluate(({ step }) => ({ name: step.name, data: [...step.data] }));
    assert.deepEqual({ name, data }, { name: steps[t].name, data: [...steps[t].data] });
  }

  /* The step of Adam that is taken from there, at the weight of the head where the loss is steepest. */
  await page.getByRole('button', { name: 'Open step 901' }).click();
  await settled(page);
  const { update, weight } = birth.take({ step: 900, weight: { layer, head } }, inspect);
  const next = () => page.locator('gf-adam .next .result [title]').first().getAttribute('title');
  assert.equal(Math.fround((await next()).replace('−', '-')), update.next);
  assert.match(
    await page.locator('gf-adam h2').textContent(),
    /901.*layers\.1\.self_attn\.q_proj/s,
  );
  assert.ok(weight.node.startsWith(`decoder.layers.${layer}`));
  const link = new URL(await addressOf(page)).hash;
  const seen = await page.locator('gf-adam').innerText();
  await follow(page, '#v=1&chapter=inside');
  await follow(page, link);
  assert.deepEqual(await shown(), await read(900, off));
  assert.equal(await page.locator('gf-adam').innerText(), seen);
  assert.equal(SEQUENCE.at(-1), SEQUENCE[5]);
  assert.deepEqual(complaints, []);
  await close();
});

test('with one layer, its four heads are shown, and why none finds what followed', async () => {
  const { page, complaints, close } = await open(`${HASH}&layers=1`, { ready: '.birth .bits' });
  assert.equal(await page.locator('.birth .induction .entry').count(), 4);
  assert.match(
    await page.locator('.birth .verdict').textContent(),
    /With one layer, a key .* rises most comes to 0\.0\d+,/,
  );
  const answer = () => page.locator('.birth .answer b').first().getAttribute('title');
  assert.ok(Number(await answer()) < 0.5);
  await page.getByLabel('Layers').selectOption('2');
  await page.getByRole('button', { name: 'Train it yourself' }).waitFor();
  await settled(page);
  assert.doesNotMatch(await addressOf(page), /layers=/);
  assert.doesNotMatch(await page.locator('.birth .verdict').textContent(), /With one layer/);
  assert.ok(Number(await answer()) > 0.5);
  assert.deepEqual(complaints, []);
  await close();
});

test('says whether the trained model needs the head whose score rose most, and what that builds on', async (t) => {
  if (waits(t)) return;
  const gf = await load();
  for (const seed of [0, 1]) {
    const { page, close } = await open(`${HASH}&seed=${seed}`, {
      ready: '.birth .verdict .mark',
    });
    const told = [];
    const birth = new Birth(gf, ({ grown }) => told.push(grown));
    await birth.grow({ seed }, new AbortController().signal);
    const { change } = told.at(-1);
    /* Each report has the points since the one before. */
    const points = told.flatMap((grown) => grown.points);
    assert.ok(points.length > 10);
    const rises = points
      .at(-1)
      .induction.map((row, layer) =>
        row.map((score, head) => score - points[0].induction[layer][head]),
      );
    assert.equal(rises[change.layer][change.head], Math.max(...rises.flat()));
    const { before, alone } = await birth.read({ step: STEPS, off: [] });
    const needs = alone[change.layer][change.head] < before / 2;
    assert.equal(needs, seed === 1, 'seed 0 has other heads for it');
    const said = await page.locator('.birth .verdict').innerText();
    const { layer, head } = change;
    assert.match(said, new RegExp(`score of head ${head + 1} of layer ${layer + 1} rises most`));
    assert.match(said, needs ? /it needs the head/ : /other heads do the same work/);
    /* The head below is the one that headScores says. */
    const model = unborn(gf, seed);
    for await (const _ of train(model, repeats(seed), { steps: STEPS, rate: 0.01, clip: 1, seed }));
    const scores = await headScores(model, { target: SEQUENCE.slice(0, -1) });
    const below = scores.heads.filter((one) => one.layer === layer - 1);
    const most = below.reduce((best, one) => (one.previous > best.previous ? one : best));
    const [, named, score] = /In the layer below, head (\d) attends .*: ([\d.]+)\./.exec(said);
    assert.equal(Number(named), most.head + 1);
    assert.ok(Math.abs(Number(score) - most.previous) < 0.0051, said);
    model.dispose();
    await close();
  }
});

test('a step that is opened is the one that training takes, bit for bit', async () => {
  const [gf, stop] = [await load(), new AbortController()];
  const birth = new Birth(gf, () => stop.abort());
  await birth.grow({ seed: 7 }, stop.signal);
  const model = unborn(gf, 7);
  for await (const _ of train(model, repeats(7), { steps: 1, rate: 0.01, clip: 1, seed: 7 }));
  for (const parameter of model.parameters.values()) {
    const { name, shape } = parameter;
    const index = shape.map((size) => size - 1);
    const { update } = birth.take({ step: 0, weight: { node: name, index } }, inspect);
    /* Memory may have grown. */
    assert.equal(update.next, parameter.data.at(-1), name);
  }
  const [layer, head] = [1, 2];
  const { weight, parameter, facts } = birth.take({ step: 0, weight: { layer, head } }, inspect);
  const own = Array.from(parameter.grad, Math.abs).filter(
    (_, i) => Math.floor((i % 32) / 8) === head,
  );
  const [i, j] = weight.index;
  assert.equal(Math.abs(parameter.grad[32 * i + j]), Math.max(...own));
  assert.equal(facts.parameters.length, model.parameters.size);
  assert.throws(
    () => birth.take({ step: 0, weight: { node: 'nothing', index: [0] } }, inspect),
    /nothing/,
  );
});

test('opens trained, trains what is asked of the model without taking the curves away', async () => {
  const { page, complaints, close } = await open(HASH, { ready: '.birth .grown .main' });
  const points = () => page.locator('gf-birth').evaluate(({ points }) => points.length);
  const all = STEPS / 25 + 1;
  assert.equal(await points(), all);
  assert.equal(await page.locator('.birth .looked .maps figure').count(), 8);
  assert.equal(page.workers().length, 0);
  const answer = page.locator('.birth .answer b').first();
  assert.equal(await answer.textContent(), '86.5%');
  await page.getByRole('slider', { name: 'Training step' }).fill('300');
  await until(page, () => document.querySelector('gf-birth').isGrowing);
  assert.equal(await points(), all);
  await page.waitForSelector('.birth .bits');
  await settled(page);
  assert.match(await page.locator('.birth .answer').innerText(), /step 300/);
  assert.deepEqual(complaints, []);
  await close();
});

test('is there as it was when its reader comes back', async () => {
  const { page, close } = await open('#v=1&chapter=inside&view=birth', { ready: '.birth' });
  await until(page, () => document.querySelector('gf-birth').points.length > 1);
  const born = await page.evaluateHandle(() => document.querySelector('gf-birth'));
  const seen = () => born.evaluate(({ points }) => points.length);
  const before = await seen();
  await page.getByRole('button', { name: 'Stories', exact: true }).click();
  await page.waitForSelector('gf-stories > *');
  await page.getByRole('button', { name: 'Birth of a head' }).click();
  await page.waitForSelector('gf-birth > *');
  assert.ok(await born.evaluate((one) => one === document.querySelector('gf-birth')));
  assert.ok((await seen()) >= before);
  await close();
});

test('opened by its link it has its styles, and those of its curves', async () => {
  const { page, close } = await open(HASH, { ready: '.birth gf-plot' });
  const styles = await page.evaluate(() =>
    ['.birth', 'gf-plot'].map((one) => getComputedStyle(document.querySelector(one)).display),
  );
  assert.deepEqual(styles, ['grid', 'flex']);
  await close();
});
