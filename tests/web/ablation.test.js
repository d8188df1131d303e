// What breaks without a step: the fork, its read-outs, and the evidence for each claim.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, sentence, traceExample, traceModel } from '../../bindings/index.js';
import { lookup, text } from '../../web/app/locale/text.js';
import { claims } from '../../web/stage/experiments/claims.js';
import { evidence, verdict } from '../../web/stage/experiments/evidence.js';
import { sample, waits } from '../support/sample.js';
import {
  addressOf,
  follow,
  inBrowser,
  numbers,
  settled,
  travel,
  unfold,
  until,
} from './browser.js';
import { flat } from './expect.js';
import { inFull } from './rounding.js';

const { open } = inBrowser();
const gf = await load();

const OWN = 'sentence=4~4~2~3~pc~the dog, the cat';
const WORDS = sentence('the dog, the cat', { dModel: 4, heads: 2, seed: 3, causal: true });

test('intact at the left, ablated at the right, in every step', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open();
  const intact = traceExample(gf, WORDS);
  assert.ok(intact.removable.every(({ possible }) => possible));
  for (const { name } of sample(intact.removable, 3)) {
    const removed = traceExample(gf, WORDS, { remove: [name] });
    await follow(page, `#v=1&${OWN}&remove=${name}&t=9999`);
    const stages = await page.locator('gf-strip li').count();
    for (let k = 0; k < stages; k++) {
      await page.locator('gf-strip button').nth(k).click();
      await page.keyboard.press('End');
      await settled(page);
      const shown = await numbers(page);
      for (const { node, index, value, run } of shown) {
        const { shape, data } = (run === 'intact' ? intact : removed).step(node);
        const at = flat(shape, index);
        assert.ok(
          Object.is(Math.fround(Number(value)), data[at]),
          `${name}: ${run} ${node}[${index}]`,
        );
      }
      assert.ok(
        shown.some(({ run }) => run === 'intact'),
        name,
      );
    }
    removed.dispose();
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('both runs have cells of one size, whose rows stand at one height', async (t) => {
  if (waits(t)) return;
  const own = 'sentence=8~8~1~1~p~the robot sees the ball';
  const { page, close } = await open(`#v=1&${own}&remove=scale&t=9999`);
  const stages = await page.locator('gf-strip li').count();
  for (let k = 0; k < stages; k++) {
    await page.locator('gf-strip button').nth(k).click();
    await page.keyboard.press('End');
    await settled(page);
    const boxes = (run) =>
      page.locator(`gf-stage .run${run} gf-figure`).evaluate((figure) => {
        const grid = [...figure.querySelectorAll('[role=grid]')].at(-1);
        const { top, width, height } = grid.getBoundingClientRect();
        return [top, width, height].map(Math.round);
      });
    assert.deepEqual(await boxes('.intact'), await boxes(':not(.intact)'), `stage ${k + 1}`);
    const cut = await page.locator('gf-stage .figure').evaluate((box) => {
      const edges = [...box.querySelectorAll('.matrix')].map(
        (matrix) => matrix.getBoundingClientRect().right,
      );
      return Math.max(...edges) - box.getBoundingClientRect().right;
    });
    assert.ok(cut <= 0, `stage ${k + 1}: ${cut} px are cut off`);
  }
  await close();
});

test('formula, microscope and picture name the run that they are about', async () => {
  const { page, close } = await open(`#v=1&${OWN}&remove=scale,softmax&t=9999`);
  const what = 'without the scaling and the softmax';
  for (const part of ['gf-formula', 'gf-microscope']) {
    assert.equal(await page.locator(`${part} .branch`).innerText(), what);
  }
  await page.getByRole('button', { name: 'Export' }).click();
  const picture = page.locator('gf-export .preview img');
  await picture.waitFor();
  const svg = decodeURIComponent((await picture.getAttribute('src')).replace(/^.*?,/, ''));
  assert.match(svg, /<title>[^<]*, without the scaling and the softmax<\/title>/);
  assert.match(await page.locator('gf-export .file').innerText(), /-without-scale-softmax-/);
  await follow(page, `#v=1&${OWN}&t=9999`);
  assert.equal(await page.locator('.branch').count(), 0);
  await close();
});

test('an edit shows what was before, and what it changed downstream', async () => {
  const edits = [{ node: 'q', index: [0, 1], value: 3 }];
  const [now, before] = [edits, []].map((list) => traceExample(gf, 'hi-how', { edits: list }));
  const differ = (step) =>
    [...step.data].flatMap((x, at) => (Object.is(x, before.step(step.name).data[at]) ? [] : [at]));
  const changed = now.steps.filter(({ kind }) => kind === 'op').flatMap(differ);
  assert.ok(changed.length > 0);
  const { page, close } = await open('#v=1&example=hi-how&edits=q:0,1=3&t=9999&path=output:0,0');
  /* One of them was edited. */
  assert.equal(
    await page.locator('gf-chooser .changes').innerText(),
    `1 number changed, ${changed.length - 1} follow`,
  );
  const marked = await page.$$eval('gf-stage .cell.changed[data-node=output]', (all) =>
    all.map(({ dataset }) => dataset.index),
  );
  const output = now.step('output');
  const due = differ(output).map((at) => [Math.floor(at / output.shape[1]), at % output.shape[1]]);
  assert.deepEqual(marked, due.map(String));
  const old = before.step('output').data[0];
  for (const part of ['gf-microscope .before', 'gf-caption']) {
    const titles = await page
      .locator(`${part} .number`)
      .evaluateAll((all) => all.map(({ title }) => Math.fround(Number(title.replace('−', '-')))));
    assert.ok(titles.includes(old), part);
  }
  assert.ok((await page.locator('gf-microscope .terms s.old').count()) > 0);
  for (const trace of [now, before]) trace.dispose();
  await close();
});

test('a step that is gone says so, and can be put back', async () => {
  const { page, close } = await open(`#v=1&${OWN}&remove=scores,mix,embedding&t=0`);
  const step = async (node) => {
    const at = traceExample(gf, WORDS).steps.filter(({ kind }) => kind === 'op');
    await page
      .locator('gf-strip button')
      .nth(at.findIndex(({ name }) => name === node))
      .click();
    await settled(page);
    return page.locator('gf-stage .prose').innerText();
  };
  assert.match(await step('embedding'), /Removed: there is no table/);
  assert.match(await step('scores'), /Removed: no query meets any key/);
  assert.match(await step('mix'), /Removed: this step copies/);
  await step('scores');
  await page.locator('gf-stage').getByRole('button', { name: 'restore' }).click();
  await settled(page);
  assert.match(await addressOf(page), /remove=mix,embedding/);
  await close();
});

/** Entropy of the weights, and the norm of the gradient at what softmax reads, in float64 from the core's numbers. */
function read(trace, target) {
  trace.gradient(target.node, target.index);
  const { data, shape, bypassed, inputs } = trace.step('weights');
  let entropy = 0;
  for (const share of data) if (share > 0) entropy -= share * Math.log(share);
  const rows = data.length / shape.at(-1);
  const slope = Math.sqrt(trace.step(inputs[0]).grad.reduce((sum, x) => sum + x * x, 0));
  return { entropy: bypassed === null ? entropy / rows : null, slope };
}

test('the three read-outs follow from the core’s numbers', async () => {
  const { page, close } = await open();
  const target = { node: 'output', index: [4, 0] };
  for (const name of ['scale', 'softmax', 'mask', 'scores', 'mix', 'projections']) {
    const [intact, removed] = [[], [name]].map((remove) => traceExample(gf, WORDS, { remove }));
    await follow(page, `#v=1&${OWN}&remove=${name}&t=9999`);
    const found = await page.locator('gf-readouts dd').evaluateAll((all) =>
      all.map((one) => {
        const titles = [...one.querySelectorAll('[title]')].map(({ title }) => title);
        return { titles, text: one.textContent };
      }),
    );
    const values = found.map(({ titles, text }) => ({ numbers: titles.map(inFull), text }));
    const [before, after] = [read(intact, target), read(removed, target)];
    /* A masked score times a value is no number. */
    const near = (a, b) => Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
    const [entropies, slopes, change] = values;
    if (after.entropy === null) assert.match(entropies.text, /none/);
    else assert.ok(near(entropies.numbers.at(-1), after.entropy), name);
    assert.ok(near(entropies.numbers[0], before.entropy), name);
    assert.ok(near(slopes.numbers[0], before.slope), `${name}: ${slopes.numbers[0]}`);
    assert.ok(near(slopes.numbers.at(-1), after.slope), name);
    const [a, b] = [intact, removed].map((trace) => trace.step('output').data);
    assert.ok(near(change.numbers[0], Math.max(...a.map((x, i) => Math.abs(x - b[i])))), name);
  }
  await close();
});

const sheet = (page) => page.locator('gf-evidence dialog');

/** Opens the evidence for a claim, and waits for its verdict. */
async function tested(page, name) {
  if (await page.locator('.unfold').count()) await unfold(page);
  await page
    .getByRole('button', { name: `Test the claim about ${lookup(`switches/${name}`)}` })
    .click();
  await sheet(page).locator('.verdict b').waitFor();
  await settled(page);
}

/** What the page must say in the end. */
function expected(name, seed) {
  let found;
  for (found of evidence(
    { core: gf, trace: (...given) => traceExample(gf, ...given), traceModel, seed },
    name,
  ));
  const { says, shown } = verdict(found);
  const { places } = claims[name];
  const seeds = Object.values(shown).map(({ says: how, counts, from }) =>
    text(`claims/shown/${how}`, {
      n: found.seeds.length,
      k: counts.at(-1),
      across: text(`claims/${name}/across`),
      place: how === 'from' ? places[from] : places.at(-1),
    }),
  );
  const sentences = [`claims/${says}`, 'claims/limits', `claims/${name}/limits`];
  return { found, seeds, said: sentences.map((key) => text(key)).join(' ') };
}

const said = async (page) =>
  (await sheet(page).locator('.verdict').textContent()).replace(/\s+/g, ' ').trim();
const untypeset = (sentence) => sentence.replace(/\b([A-Za-z])_([A-Za-z])\b/g, '$1$2');

test('each switch has its claim, its curves and a verdict from their numbers', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open(`#v=1&${OWN}`);
  const names = traceExample(gf, WORDS).removable.map(({ name }) => name);
  for (const name of sample(names, 4)) {
    await tested(page, name);
    const { found, seeds, said: sentence } = expected(name, 7);
    assert.equal(await said(page), untypeset(sentence), name);
    assert.deepEqual(await sheet(page).locator('.shown').allTextContents(), seeds, name);
    const plots = sheet(page).locator('gf-plot');
    const keys = Object.keys(claims[name].plots);
    assert.equal(await plots.count(), keys.length);
    for (const [k, key] of keys.entries()) {
      const titles = await plots
        .nth(k)
        .locator('.told .number')
        .evaluateAll((all) => all.map(({ title }) => title));
      const values = titles.map(inFull);
      const runs = [found.intact, found.removed, ...(claims[name].instead ? [found.instead] : [])];
      const last = runs.map((run) =>
        Math.fround(run.at(-1).reduce((sum, each) => sum + each[key], 0) / run.at(-1).length),
      );
      assert.equal(values.length, last.length);
      values.forEach((value, i) => {
        assert.ok(Math.abs(value - last[i]) <= 1e-6 * Math.abs(last[i]), `${name} ${key}`);
      });
      assert.ok((await plots.nth(k).locator('canvas').count()) > 0);
    }
    await page.keyboard.press('Escape');
    await settled(page);
    assert.equal(await sheet(page).isVisible(), false);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('another seed, another place, and the switch itself', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open(`#v=1&${OWN}`);
  await tested(page, 'scale');
  await sheet(page).getByLabel('first seed').fill('12');
  await sheet(page).getByLabel('first seed').press('Enter');
  await until(
    page,
    (sentence) =>
      document.querySelector('gf-evidence .verdict').textContent.replace(/\s+/g, ' ').trim() ===
      sentence,
    untypeset(expected('scale', 12).said),
  );
  const slider = sheet(page).getByRole('slider').first();
  await slider.focus();
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal(await slider.getAttribute('aria-valuenow'), '1');
  assert.doesNotMatch(await addressOf(page), /remove=/);
  await sheet(page).getByLabel('removed on the page, too').check();
  await settled(page);
  assert.match(await addressOf(page), /remove=scale/);
  await sheet(page).getByRole('button', { name: 'Close' }).click();
  await settled(page);
  assert.equal(await page.locator('gf-stage .run').count(), 2);
  assert.deepEqual(complaints, []);
  await close();
});

test('a link opens the evidence, and going back closes it', async (t) => {
  if (waits(t)) return;
  const { page, complaints, close } = await open(`#v=1&${OWN}`);
  await follow(page, `#v=1&${OWN}&claim=scale`);
  await page.waitForSelector('gf-evidence .verdict b');
  assert.equal(await said(page), untypeset(expected('scale', 7).said));
  await follow(page, `#v=1&${OWN}&claim=mix`);
  await page.waitForSelector('gf-evidence .verdict b');
  assert.equal(await said(page), untypeset(expected('mix', 7).said));
  await travel(page, 'back');
  await travel(page, 'back');
  assert.equal(await sheet(page).count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('closing stops the measurement', async (t) => {
  if (waits(t)) return;
  const { page, close } = await open(`#v=1&${OWN}`);
  await tested(page, 'mix');
  await page.keyboard.press('Escape');
  if (await page.locator('.unfold').count()) await unfold(page);
  const places = await page.evaluate(async () => {
    const { session } = document.querySelector('gf-chapter-attention');
    const own = session.evidence.bind(session);
    let steps = 0;
    /* A measurement without an end. */
    session.evidence = async (...of) => {
      const [found] = await own(...of);
      return (function* () {
        for (;;) {
          steps++;
          yield found;
        }
      })();
    };
    document.querySelector('gf-switches [aria-label="Test the claim about the scaling"]').click();
    while (steps === 0) await new Promise((done) => setTimeout(done));
    const dialog = document.querySelector('gf-evidence dialog');
    const closed = new Promise((done) => dialog.addEventListener('close', done));
    dialog.close();
    await closed;
    const before = steps;
    for (let i = 0; i < 40; i++) await new Promise((done) => setTimeout(done));
    return { before, after: steps };
  });
  assert.ok(places.after - places.before <= 1, JSON.stringify(places));
  await close();
});
