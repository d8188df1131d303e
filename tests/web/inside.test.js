// The chapter Inside: what it shows is what the experiments give, values are taken away or come from the other story by a
// click or a drag, sums open down to products of two numbers, and a link brings it all back.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import {
  ablate,
  headRoles,
  headScores,
  logitAttribution,
  why,
} from '../../bindings/lab/inside/index.js';
import {
  headJobs,
  heldOutStories,
  linkedStories,
  storyInputs,
  trained,
  vocabulary,
} from '../../bindings/lab/stories/index.js';
import { levelsOf } from '../../web/chapters/inside/river.js';
import { EXAMPLES } from '../../web/chapters/inside/state.js';
import * as core from '../../web/workers/inside/core.js';
import { Experiments } from '../../web/workers/inside/experiments.js';
import { storiesOf } from '../../web/workers/inside/stories.js';
import { csv, javascript, transformerLens } from '../../web/workers/inside/take.js';
import { onlyInFull } from '../support/skips.js';
import { addressOf, follow, inBrowser, settled } from './browser.js';

const { open } = inBrowser();
const READY = { ready: '.inside svg' };
const gf = await load();
const bytes = readFileSync(
  new URL('../../bindings/data/models/stories.safetensors', import.meta.url),
);
const model = trained(gf, bytes);
const idOf = (word) => vocabulary.encode([word])[0];
const { prompt, instead, other } = EXAMPLES.names;
const metric = { kind: 'difference', token: idOf('Ben'), against: idOf(instead) };
const run = { run: storyInputs(other) };

const newExperiments = () => new Experiments(core, storiesOf(core, gf, bytes));
/** All that the page has of what is asked. */
async function wholeOf(asked) {
  const experiments = newExperiments();
  const told = await experiments.run(asked);
  return { ...told, ...(await experiments.rows({ ...asked, layers: [0, 1, 2] })) };
}

/** The numbers of a table, as their titles have them in full. @param {import('playwright-core').Page} page */
const numbersIn = (page, cells) =>
  page
    .locator(cells)
    .evaluateAll((all) => all.map(({ title }) => Math.fround(title.replaceAll('−', '-'))));

test('every example has another text with as many tokens, and what it is about is the likeliest word', () => {
  const right = { names: 'Ben', objects: 'red', pronouns: 'she', quotes: '"', phrases: 'do' };
  for (const [name, { prompt, other }] of Object.entries(EXAMPLES)) {
    const [own, others] = [prompt, other].map((text) => storyInputs(text).target);
    assert.equal(own.length, others.length, name);
    const run = model.forward({ target: own });
    const last = run.logits.data.slice(-vocabulary.size);
    assert.equal(vocabulary.tokens[last.indexOf(Math.max(...last))], right[name], name);
    run.dispose();
  }
});

test('what is changed changes the sum and the river: heads that are off give nothing, later ones what they then give', async () => {
  const told = await newExperiments().run(asked);
  const { intact, changed } = await due();
  assert.deepEqual([told.intact, told.sum], [intact, changed]);
  const keys = told.opened.parts.filter(({ key }) => key !== undefined);
  const isRead = (layer, head) => keys.some((part) => part.layer === layer && part.head === head);
  assert.deepEqual([isRead(0, 0), isRead(2, 0), isRead(2, 1)], [false, false, true]);
  const last = storyInputs(prompt).target.length - 1;
  /* A stream that was replaced is all that there is of the levels below. */
  const levels = (sum) => levelsOf(sum).map(({ layer, part }) => [layer, part]);
  for (const layer of [0, 1, 2]) {
    const from = [{ layer, position: last }];
    const { sum } = await newExperiments().run({ ...asked, off: [], from });
    assert.equal(sum.parts[0].source, 'replaced');
    assert.deepEqual(levels(sum), levels(intact).slice(2 * layer));
  }
});

test('an experiment tells how far it is, is left when a signal comes, and is not computed twice', async () => {
  const experiments = newExperiments();
  const { open: _, off, from, ...texts } = asked;
  const rows = { ...texts, layers: [0, 1, 2] };
  /** @type {number[]} */
  const parts = [];
  const stop = new AbortController();
  const onProgress = (part) => parts.push(part) === 3 && stop.abort();
  await assert.rejects(experiments.rows(rows, { signal: stop.signal, onProgress }), {
    name: 'AbortError',
  });
  const { layers, heads } = model.config;
  const trials = layers * (heads + storyInputs(prompt).target.length);
  assert.ok(parts.length < trials / 2, `${parts.length} of ${trials}`);
  parts.length = 0;
  await experiments.rows(rows, { onProgress: (part) => parts.push(part) });
  assert.equal(parts.at(-1), 1);
  const rising = () =>
    assert.deepEqual(
      parts,
      parts.toSorted((a, b) => a - b),
    );
  rising();
  parts.length = 0;
  await experiments.run(asked, { onProgress: (part) => parts.push(part) });
  assert.ok(parts.length > 3 && parts.at(-1) <= 1);
  rising();
  const open = 'layer 2 head 1 at 3';
  const not = { onProgress: () => assert.fail('computed again') };
  const told = await experiments.run(asked, not);
  assert.ok(told.opened.parts.every(({ products }) => products === undefined));
  const again = await experiments.run({ ...asked, open }, not);
  const own = again.opened.parts.filter(({ products }) => products !== undefined);
  assert.deepEqual(
    own.map(({ name }) => name),
    [open],
  );
});

test('a layer alone has the numbers of the grid of all', async () => {
  const { open: _, off, from, ...texts } = asked;
  const all = await newExperiments().rows({ ...texts, layers: [0, 1, 2] });
  const one = await newExperiments().rows({ ...texts, layers: [1] });
  assert.deepEqual(one.alone, [all.alone[1]]);
  assert.deepEqual(one.words, [all.words[1]]);
  assert.deepEqual(one.check, { nothing: true, everything: true });
});

test('the levels of the river hold every part once, and end in their sum', async () => {
  const sum = await logitAttribution(model, storyInputs(prompt));
  const levels = levelsOf(sum);
  assert.equal(levels.length, 2 + 2 * model.config.layers);
  const total = levels.reduce((all, { value }) => all + value, 0);
  assert.ok(Math.abs(total - sum.sum) < 1e-9);
  assert.ok(Math.abs(levels.at(-1).above - sum.sum) < 1e-9);
});

/** @type {import('../../web/workers/inside/experiments.js').Asked} */
const asked = {
  ...{ prompt, other, word: '', instead, value: 'story', open: '' },
  off: [{ layer: 0, head: 0 }],
  from: [
    { layer: 2, head: 0 },
    { layer: 1, part: 'feed_forward' },
    { layer: 1, position: 3 },
  ],
};

const which = { token: metric.token, against: metric.against };

/** What the core says of everything that is asked for. */
async function due() {
  const at = [...asked.off, ...asked.from.map((place) => ({ ...place, value: run }))];
  const { after } = await ablate(model, storyInputs(prompt), { at, metric });
  const intact = await logitAttribution(model, storyInputs(prompt), which);
  const changed = await logitAttribution(model, storyInputs(prompt), { ...which, at });
  assert.equal(changed.total, after);
  const { grid } = await ablate(model, storyInputs(prompt), { each: 'head', value: run, metric });
  return { intact, changed, alone: grid.values };
}

test('the program that is saved prints the numbers of the page', async () => {
  const { intact, changed } = await due();
  const cwd = new URL('../..', import.meta.url);
  const printedBy = (program) =>
    execFileSync('node', ['--input-type=module', '--eval', program], { cwd, encoding: 'utf8' });
  const none = { score: '', isJob: false };
  const printed = printedBy(javascript(asked, await wholeOf(asked), none, null));
  for (const { sum, total } of [intact, changed])
    for (const number of [sum, total]) assert.ok(printed.includes(String(number)), printed);
  const opened = { ...asked, off: [], from: [], open: 'layer 2 head 1 at 3' };
  const told = await wholeOf(opened);
  const first = printedBy(javascript(opened, told, { score: 'induction', isJob: false }, null));
  const { heads } = await headScores(model, storyInputs(prompt));
  const numbers = [told.why.sum, told.why.total, ...heads.map(({ induction }) => induction)];
  for (const number of numbers) assert.ok(first.includes(String(number)), String(number));
  const second = printedBy(javascript(opened, told, { score: 'objects', isJob: true }, null));
  const { objects } = headJobs(model, heldOutStories(200, 1));
  for (const number of objects.grid.values.flat())
    assert.ok(second.includes(String(number)), String(number));
});

test('the program for TransformerLens has every number of the page from the weights that are saved', {
  skip: onlyInFull,
}, async () => {
  const root = new URL('../..', import.meta.url).pathname;
  const venv = path.join(root, 'build/lens-venv');
  const sh = (command, args, options) =>
    execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      ...options,
    });
  sh('python3', ['-m', 'venv', venv]);
  const wanted = ['requirements', 'transformer_lens'].flatMap((name) => [
    '-r',
    path.join(root, `tests/reference/${name}.txt`),
  ]);
  sh(path.join(venv, 'bin/pip'), ['install', '--quiet', ...wanted]);
  const folder = mkdtempSync(path.join(tmpdir(), 'lens-'));
  writeFileSync(path.join(folder, 'stories.safetensors'), bytes);
  const program = transformerLens(asked, await newExperiments().run(asked), model.config);
  writeFileSync(path.join(folder, 'inside.py'), program);
  const theirs = JSON.parse(sh(path.join(venv, 'bin/python'), ['inside.py'], { cwd: folder }));
  const ours = await due();
  const headsOf = ({ parts }) =>
    ours.alone.map((row, layer) =>
      row.map((_, head) => parts.find(({ name }) => name === `layer ${layer} head ${head}`).value),
    );
  const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-4, `${what}: ${a}, ours is ${b}`);
  close(theirs.total, ours.intact.total, 'logit');
  close(theirs.after, ours.changed.total, 'after');
  const grids = {
    ...{ alone: ours.alone, heads: headsOf(ours.intact), 'heads after': headsOf(ours.changed) },
  };
  for (const [name, grid] of Object.entries(grids)) {
    for (const [l, row] of grid.entries())
      for (const [h, value] of row.entries()) close(theirs[name][l][h], value, `${name} ${l}.${h}`);
  }
});

test('the table that is saved has every part, every head, every stretch of the stream, and the sum', async () => {
  const lines = csv(asked, await wholeOf(asked))
    .trimEnd()
    .split('\n')
    .slice(1);
  const numbers = (what) =>
    lines
      .filter((line) => line.startsWith(`${what},`))
      .map((line) => Number(line.split(',').at(-1)));
  const { intact, changed } = await due();
  for (const [then, { parts, sum, total, bound }] of Object.entries({
    '': intact,
    ' after all changes': changed,
  })) {
    assert.deepEqual(numbers(`check${then}`), [sum, total, bound]);
    assert.deepEqual(
      numbers(`part${then}`),
      parts.map(({ value }) => value),
    );
  }
  const { heads, layers } = model.config;
  assert.equal(numbers('with head changed').length, heads * layers);
  assert.equal(numbers('with stream changed').length, layers * storyInputs(prompt).target.length);
});

test('what cannot be taken from a text of another length is not said to be taken', async () => {
  const text = 'Mia and Leo are in the park. Mia has a red ball. Mia gives the ball';
  const hash = `#v=1&chapter=inside&prompt=${encodeURIComponent(text)}&from=2.0,2.1`;
  const { page, complaints, close } = await open(hash);
  const notice = page.locator('gf-stories .refused');
  await notice.waitFor();
  assert.match(await notice.innerText(), /19 tokens and the other 20.*nothing is taken from it/);
  assert.equal(await page.locator('gf-stories :is(.verdict, circle.patched)').count(), 0);
  assert.equal(await page.locator('gf-stories .alone [aria-pressed=true]').count(), 0);
  /* As many tokens, and a name that neither text says any more is not compared with. */
  await page.locator('gf-stories textarea').first().fill(`${text} to`);
  await page.keyboard.press('Enter');
  await page.locator('gf-stories .verdict').waitFor();
  assert.equal(await page.locator('gf-stories circle.patched').count(), 2);
  await page
    .locator('gf-stories textarea')
    .nth(1)
    .fill(`${text.replaceAll('Leo', 'Max')} to`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('instead=&'));
  assert.deepEqual(complaints, []);
  await close();
});

test('the program for Python asks for the release of TransformerLens that it was held against', async () => {
  const program = transformerLens(asked, await newExperiments().run(asked), model.config);
  const wanted = readFileSync(
    new URL('../reference/transformer_lens.txt', import.meta.url),
    'latin1',
  );
  const [release] = /^transformer-lens==.*$/m.exec(wanted);
  assert.match(program, new RegExp(`^# pip install ${release} `));
});

/** Drags what the other story gives onto its place.
 * @param {import('playwright-core').Page} page @param {string} what @param {string} place */
async function dragTo(page, what, place) {
  const middle = async (selector) => {
    const { x, y, width, height } = await page.locator(selector).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.locator(`[data-drag="${what}"]`).scrollIntoViewIfNeeded();
  await page.mouse.move(...(await middle(`[data-drag="${what}"]`)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(`[data-place="${place}"]`)), { steps: 3 });
  await page.mouse.up();
  await settled(page);
}

describe('on the page', () => {
  test('the sum, the core’s number and the bound are those of the API, and each head’s effect too', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    const { sum, total, bound } = await logitAttribution(model, storyInputs(prompt), {
      token: metric.token,
      against: metric.against,
    });
    const shown = await numbersIn(page, '.inside .checked dd');
    assert.deepEqual(shown, [sum, total, Math.abs(sum - total), bound].map(Math.fround));
    assert.equal(await page.locator('.inside .holds').count(), 3);
    const { grid } = await ablate(model, storyInputs(prompt), { each: 'head', value: run, metric });
    const heads = await page.locator('.inside section .alone button').allTextContents();
    const silent = await ablate(model, storyInputs(prompt), { each: 'head', metric });
    const expected = [grid, silent.grid].flatMap(({ values }) =>
      values.flat().map((value) => value - total),
    );
    assert.equal(heads.length, expected.length);
    for (const [i, text] of heads.entries()) {
      const value = Number(text.replace('−', '-'));
      assert.ok(Math.abs(value - expected[i]) <= 0.005 * Math.abs(expected[i]) + 1e-6, text);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says where the two ways to change a head disagree, and where they do not', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    const said = () => page.locator('.inside .agreement').innerText();
    for (const name of ['names', 'objects']) {
      const { prompt, other, instead } = EXAMPLES[name];
      const metric = { kind: 'difference', token: idOf(name === 'names' ? 'Ben' : 'red') };
      metric.against = idOf(instead);
      const [story, silent] = await Promise.all(
        [{ run: storyInputs(other) }, 'zero'].map((value) =>
          ablate(model, storyInputs(prompt), { each: 'head', value, metric }),
        ),
      );
      const changes = (told) => told.grid.values.flat().map((value) => value - told.before);
      const most = changes(story).indexOf(Math.min(...changes(story)));
      const agree = changes(silent)[most] <= changes(story)[most] / 2;
      assert.equal(agree, name === 'objects');
      await page.getByRole('button', { name: name === 'names' ? 'A name' : 'A thing' }).click();
      await settled(page);
      const head = `head ${(most % 4) + 1} of layer ${Math.floor(most / 4) + 1}`;
      const says = agree ? 'Here both agree' : 'The two disagree';
      assert.match(await said(), new RegExp(`^${says}: ${head} changes`), name);
    }
    /* A head of each table is changed in its way. */
    const tables = page.locator('.inside .both table');
    await tables.nth(1).locator('button').first().click();
    await settled(page);
    assert.match(await addressOf(page), /off=0\.0/);
    await tables.nth(0).locator('button').first().click();
    await settled(page);
    assert.match(await addressOf(page), /from=0\.0/);
    assert.doesNotMatch(await addressOf(page), /off=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the score of a word that a head reads is a sum of pairs, and where heads attend is told, all as the API gives it', async () => {
    const place = { layer: 2, head: 1, query: -1, key: 3 };
    const { parts, sum } = await why(model, storyInputs(prompt), place);
    const hash = '#v=1&chapter=inside&open=layer 2 head 1 at 3&score=induction';
    const { page, complaints, close } = await open(hash, { ready: '.inside .scores td' });
    const shown = await numbersIn(page, '.inside .why td:last-child');
    const sorted = parts.map(({ value }) => value).sort((a, b) => Math.abs(b) - Math.abs(a));
    assert.deepEqual(shown, sorted.map(Math.fround));
    const total = await page.locator('.inside .why .total').innerText();
    assert.ok(Math.abs(Number(total.match(/[\d.]+$/)[0]) - sum) < 1e-4, total);
    assert.equal(await page.locator('.inside .why .holds').count(), 1);
    const { heads } = await headScores(model, storyInputs(prompt));
    const told = () => numbersIn(page, '.inside .scores td[title]');
    assert.deepEqual(
      await told(),
      heads.map(({ induction }) => Math.fround(induction)),
    );
    /* In stories each head is a bar, with what even attention has as a line. */
    const bars = () => numbersIn(page, '.inside .scores .bar b');
    const roles = await headRoles(model, linkedStories(heldOutStories(200, 1)));
    await page.locator('.inside .scores select').selectOption('objects');
    await settled(page);
    assert.match(await addressOf(page), /score=objects/);
    const { objects } = headJobs(model, heldOutStories(200, 1));
    assert.deepEqual(await bars(), objects.grid.values.flat().map(Math.fround));
    const said = await page.locator('.inside .scores').innerText();
    assert.match(said, /A head does this job\. In layer 2, head 2 has its largest weight there/);
    const even = Number(/all words alike: ([\d.]+)/.exec(said)[1]);
    assert.ok(Math.abs(even - objects.even) < 1e-4, said);
    const line = await page
      .locator('.inside .head-bars')
      .evaluate(({ style }) => Number(style.getPropertyValue('--even')));
    const most = Math.max(...objects.grid.values.flat());
    assert.ok(Math.abs(line - objects.even / most) < 1e-6, String(line));
    await page.locator('.inside .scores select').selectOption('quotes');
    await settled(page);
    assert.match(await page.locator('.inside .scores').innerText(), /does this job in part\./);
    await page.locator('.inside .scores select').selectOption('distance');
    await settled(page);
    assert.deepEqual(
      await bars(),
      roles.heads.map(({ distance }) => Math.fround(distance)),
    );
    assert.match(await page.locator('.inside .scores').innerText(), /but not layer by layer\./);
    await page.locator('.inside .alone button').first().click();
    await settled(page);
    assert.equal(await page.locator('.inside .why').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a student finds the heads that copy the name, proves it by dragging them, sees the parts add up, and sends it', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    assert.match(await page.locator('.inside h1').textContent(), /Ben/);
    const done = () => page.locator('.inside .way li.done').count();
    assert.equal(await done(), 0);
    const arc = page.locator('.inside path.arc', { hasText: 'Layer 3, head 1 reads “Ben”' });
    const on = await arc.evaluate((path) => {
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
      const { a, d, e, f } = path.getScreenCTM();
      return [a * x + e, d * y + f];
    });
    await page.mouse.click(...on);
    await settled(page);
    /* The word that the head reads: every channel's product, and their sum. */
    const { parts } = await logitAttribution(model, storyInputs(prompt), {
      ...{ token: metric.token, against: metric.against, keys: true, products: true },
    });
    const part = parts.find(({ name }) => name === 'layer 2 head 0 at 3');
    const cells = await numbersIn(page, '.inside .sum .terms:not(.pairs) td');
    const all = part.products.map(([a, b]) => [a, b, a * b].map(Math.fround));
    const rows = Array.from({ length: cells.length / 3 }, (_, i) => cells.slice(3 * i, 3 * i + 3));
    const byFirst = (a, b) => a[0] - b[0];
    assert.deepEqual(rows.sort(byFirst), all.sort(byFirst));
    await dragTo(page, '2.0', '2.0');
    await dragTo(page, '2.1', '2.1');
    assert.match(await page.locator('.inside .verdict').textContent(), /Tom/);
    assert.equal(await done(), 3);
    const at = [0, 1].map((head) => ({ layer: 2, head, value: run }));
    const tom = { kind: 'probability', token: idOf('Tom') };
    const { after } = await ablate(model, storyInputs(prompt), { at, metric: tom });
    const row = page.locator('.inside .next tbody tr', { hasText: 'Tom' });
    assert.equal(
      Math.fround(await row.locator('td').last().getAttribute('title')),
      Math.fround(after),
    );
    const link = new URL(await addressOf(page)).hash;
    const seen = await page.locator('.inside').innerText();
    await page.keyboard.press('Escape');
    await settled(page);
    assert.equal(await page.locator('.inside .patched').count(), 0);
    await follow(page, '#chapter=inside');
    await follow(page, link);
    assert.equal(await page.locator('.inside').innerText(), seen);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the river is that of the changed run, over the banks of the intact one', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    const banks = () =>
      page.locator('.inside .bank').evaluateAll((all) => all.map((bank) => bank.getAttribute('d')));
    const before = await banks();
    assert.equal(await page.locator('.inside .shore').count(), 0);
    await follow(page, '#v=1&chapter=inside&from=2.0,2.1&open=layer%202%20head%200');
    const at = [0, 1].map((head) => ({ layer: 2, head, value: run }));
    const { sum, total, bound, parts } = await logitAttribution(model, storyInputs(prompt), {
      ...{ ...which, at },
    });
    const shown = await numbersIn(page, '.inside .checked dd');
    assert.deepEqual(shown, [sum, total, Math.abs(sum - total), bound].map(Math.fround));
    assert.notDeepEqual(await banks(), before);
    const shores = page.locator('.inside .shore');
    assert.equal(await shores.count(), before.length);
    /* The banks of the intact river lie where it lay: their first points are its own. */
    const starts = (paths) => paths.map((d) => d.slice(0, d.indexOf('C')));
    const shore = await shores.evaluateAll((all) => all.map((one) => one.getAttribute('d')));
    assert.deepEqual(starts(shore), starts(before));
    /* A head that was replaced is one part. */
    const part = parts.find(({ name }) => name === 'layer 2 head 0');
    const cells = await numbersIn(page, '.inside .sum .terms:not(.pairs) td');
    const written = cells.filter((_, i) => i % 3 === 2).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(written - part.value) < 1e-5, `${written}, not ${part.value}`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('on a phone the river is in sight, at the last word', async () => {
    const { page, close } = await open('#chapter=inside', {
      ...READY,
      viewport: { width: 375, height: 800 },
    });
    await settled(page);
    const left = await page
      .locator('.inside .scroll')
      .evaluate((view) => [view.scrollWidth - view.clientWidth, view.scrollLeft]);
    assert.ok(left[0] > 100 && Math.abs(left[0] - left[1]) <= 1, String(left));
    await close();
  });

  test('a ring and a word are dragged by a finger, on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const { page, complaints, close } = await open('#chapter=inside', { ...READY, ...phone });
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...at) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at.map(([x, y]) => ({ x, y })),
      });
    const middle = async (selector) => {
      const { x, y, width, height } = await page.locator(selector).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    for (const [dragged, place] of [
      ['2.0', '2.0'],
      ['@3', '0@3'],
    ]) {
      const held = `[data-drag="${dragged}"]`;
      await page
        .locator(held)
        .evaluate((one) => one.scrollIntoView({ block: 'center', inline: 'center' }));
      const [from, to] = [await middle(held), await middle(`[data-place="${place}"]`)];
      const half = from.map((one, i) => (one + to[i]) / 2);
      await touch('touchStart', from);
      await touch('touchMove', half);
      assert.ok((await page.locator('.inside .target').count()) > 0, 'where it may be dropped');
      await touch('touchMove', to);
      await touch('touchEnd');
      await settled(page);
    }
    assert.match(decodeURIComponent(await addressOf(page)), /from=2\.0,0@3/);
    assert.equal(await page.locator('.inside .patched').count(), 2);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the stream is changed word by word with keys alone', async () => {
    const { page, complaints, close } = await open('#chapter=inside', READY);
    await page.locator('.inside summary', { hasText: 'Word by word' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    /* The number behind it may not be computed yet. */
    const place = /^stream at “Tom” of the other text, before layer 1: /;
    const focused = () => page.evaluate(() => document.activeElement.ariaLabel);
    assert.match(await focused(), place);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(decodeURIComponent(await addressOf(page)), /from=0@3/);
    assert.match(await focused(), place);
    assert.equal(await page.evaluate(() => document.activeElement.ariaPressed), 'true');
    assert.match(await page.locator('.inside .verdict').textContent(), /Tom/);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.doesNotMatch(await addressOf(page), /from=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a feed-forward is a dot in the river: a click switches it off, and its part of the sum has a button', async () => {
    const hash = '#v=1&chapter=inside&value=zero&open=layer 2 feed-forward';
    const { page, complaints, close } = await open(hash, READY);
    assert.equal(await page.locator('.inside .bead').count(), model.config.layers);
    const total = async () => (await numbersIn(page, '.inside .checked dd'))[1];
    const due = async (value) => {
      const at = [{ layer: 2, part: 'feed_forward', value }];
      return Math.fround((await ablate(model, storyInputs(prompt), { at, metric })).after);
    };
    const bead = page.locator('.inside [data-place="2.ff"]');
    await bead.click();
    await settled(page);
    assert.match(await addressOf(page), /off=2\.ff/);
    assert.equal(await total(), await due('zero'));
    assert.equal(await page.locator('.inside .checked .holds').count(), 1);
    await bead.click();
    await settled(page);
    await page.getByRole('button', { name: 'From the other text' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Take it from the other text' }).press('Enter');
    await settled(page);
    assert.match(await addressOf(page), /from=2\.ff/);
    assert.equal(await total(), await due(run));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('heads are changed by keys and clicks, a word is dragged into a layer, and Undo brings back what was', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=inside&value=zero', READY);
    const head = page.getByRole('button', { name: /^layer 3, head 1 off/ });
    await head.focus();
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(await addressOf(page), /off=2\.0/);
    await page.locator('.inside circle.off').click();
    await settled(page);
    assert.equal(await head.getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await head.getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('Escape');
    await dragTo(page, '@3', '0@3');
    assert.match(await addressOf(page), /from=0%403|from=0@3/);
    assert.match(await page.locator('.inside .verdict').textContent(), /Tom/);
    assert.deepEqual(complaints, []);
    await close();
  });

  /** The page, whose worker waits after each time that it tells how far it is, until it is freed.
   * @param {string} hash */
  async function waiting(hash) {
    const opened = await open(hash, READY);
    /* What is still done for the text that stands there would wait, too, and nobody would free it. */
    await opened.page.waitForFunction(() => {
      const heads = [...document.querySelectorAll('.inside section .alone button')];
      return heads.length > 0 && heads.every(({ textContent }) => textContent !== '…');
    });
    await settled(opened.page);
    const [worker] = opened.page.workers();
    /* Every piece of work takes a second, and once it was told how much is done the next turn comes when the test says so. */
    await worker.evaluate(() => {
      let clock = performance.now();
      performance.now = () => {
        clock += 1000;
        return clock;
      };
      const { postMessage } = globalThis;
      let held = false;
      globalThis.postMessage = (told, options) => {
        held ||= 'part' in told;
        postMessage(told, options);
      };
      globalThis.free = () => {
        held = false;
      };
      const { postMessage: turn } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (told) {
        if (held) setTimeout(() => this.postMessage(told), 5);
        else turn.call(this, told);
      };
    });
    return { ...opened, free: () => worker.evaluate(() => globalThis.free()) };
  }
  /** Another text, that has other tokens. @param {import('playwright-core').Page} page */
  async function write(page) {
    await page.getByRole('textbox', { name: 'The text so far' }).fill('Tom and Ben are in the');
    await page.getByRole('textbox', { name: 'The text so far' }).blur();
  }

  test('while a sum takes long the page says how far it is, and Stop brings back what was seen', async () => {
    const { page, complaints, close, free } = await waiting(
      '#v=1&chapter=inside&value=zero&off=0.0',
    );
    const seen = await page.locator('.inside').innerText();
    await write(page);
    const bar = page.locator('.inside .checked .doing progress');
    await bar.waitFor();
    assert.ok((await bar.evaluate(({ value }) => value)) > 0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await free();
    await settled(page);
    assert.equal(await page.locator('.inside .doing').count(), 0);
    assert.equal(await page.locator('.inside').innerText(), seen);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the sum is there before all heads are tried; Stop leaves the others untried, and they can be tried later', async () => {
    const { page, complaints, close, free } = await waiting('#v=1&chapter=inside&value=zero');
    await write(page);
    await page.locator('.inside h1', { hasText: 'park' }).waitFor();
    await free();
    const doing = page.locator('.inside aside .doing');
    await doing.waitFor();
    const cells = page.locator('.inside section .alone button');
    assert.deepEqual([...new Set(await cells.allTextContents())], ['…']);
    await page.getByRole('button', { name: 'Stop' }).click();
    await free();
    await settled(page);
    assert.equal(await doing.count(), 0);
    assert.match(await page.locator('.inside h1').innerText(), /park/);
    await page.getByRole('button', { name: 'Try the other layers' }).click();
    await doing.waitFor();
    await free();
    const target = storyInputs('Tom and Ben are in the').target;
    const told = { token: idOf('park'), against: idOf(instead), kind: 'difference' };
    const { before, grid } = await ablate(model, { target }, { each: 'head', metric: told });
    for (const done = () => page.locator('.inside .doing').count(); (await done()) > 0; )
      await free();
    await settled(page);
    const texts = await cells.allTextContents();
    for (const [i, value] of grid.values.flat().entries())
      assert.ok(Math.abs(Number(texts[i].replace('−', '-')) - (value - before)) < 0.006, texts[i]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the picture is saved as it is seen, with no need of the page', async () => {
    const { page, close } = await open('#chapter=inside', READY);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SVG' }).click();
    const drawn = readFileSync(await (await waiting).path(), 'utf8');
    assert.doesNotMatch(drawn, /class=|<!--|var\(/);
    const [own, inPage] = await page.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, 'image/svg+xml');
      const shapes = (root) => [...root.querySelectorAll('path')].map(({ style }) => style.fill);
      const here = [...document.querySelectorAll('.inside .scroll path')];
      return [shapes(read), here.map((path) => getComputedStyle(path).fill)];
    }, drawn);
    assert.deepEqual(own, inPage);
    assert.ok(own.length > 8);
    await close();
  });

  test('texts of unknown words, of other lengths and too long ones say so, and the page goes on', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=inside&prompt=zug', READY);
    const said = await page.locator('.inside .refused').allTextContents();
    assert.match(said.join(), /zug.*2.*20/s);
    assert.equal(await page.locator('.inside [data-drag]').count(), 0);
    await follow(page, '#v=1&chapter=inside&from=2.0,0@3&other=Anna');
    assert.equal(await page.locator('.inside .refused').count(), 1);
    await follow(page, '#v=1&chapter=inside&from=0@90');
    assert.match(await page.getByRole('alert').textContent(), /90/);
    await follow(page, '#chapter=inside');
    assert.equal(await page.locator('.inside .refused').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

test('a lesson that opens at the river shows it, with no view loaded before', async () => {
  const { page, complaints, close } = await open('#lesson=find-the-head&scene=6', {
    ready: 'gf-learn .say p',
  });
  await page.locator('gf-stories .scroll svg').waitFor();
  /* As in all lessons, a probability is a percentage. */
  assert.match(await page.locator('.inside .next td').first().innerText(), /^[\d.]+%$/);
  assert.deepEqual(complaints, []);
  await close();
});

test('in a lesson on a phone the river is as wide as the screen', async () => {
  for (const scene of [5, 10]) {
    const { page, close } = await open(`#lesson=find-the-head&scene=${scene}`, {
      ready: '.inside .scroll svg',
      viewport: { width: 390, height: 844 },
    });
    await settled(page);
    const beyond = await page
      .locator('.inside .scroll')
      .evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.equal(beyond, 0, `scene ${scene}`);
    await close();
  }
});
