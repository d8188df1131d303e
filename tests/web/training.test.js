import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { inspect, load } from '../../bindings/index.js';
import { heldOut } from '../../bindings/lab/tasks/held-out.js';
import { answer, tasks, testBatch } from '../../bindings/lab/tasks/index.js';
import { waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, numbers, settled, travel, until } from './browser.js';
import { displays, inFull } from './rounding.js';
import { at, batchOf, trained } from './trained.js';

/** A run that is over soon. */
const SMALL = { steps: 60, tokens: 96, dModel: 16, heads: 2, dFF: 24, warmup: 10 };
/** A learning rate that does harm without positions. */
const FAST = { ...SMALL, rate: 10, warmup: 4 };
const written = (settings) => Object.entries(settings).map((pair) => pair.join(':'));
const link = (more = '', settings = SMALL) =>
  `#v=1&chapter=training&settings=${written(settings)}${more}`;

const { open } = inBrowser();
const gf = await load();
const folder = await mkdtemp(path.join(tmpdir(), 'training-'));
after(() => rm(folder, { recursive: true }));

/** The chapter on a page of its own, once its trainer has begun. */
async function visit(hash, options) {
  const opened = await open(hash, options);
  await opened.page.waitForFunction(
    () => document.querySelector('gf-chapter-training')?.now?.started,
  );
  return opened;
}

/** What the bindings make of the same plan. */
const reference = (choice) => trained(gf, { task: 'copy', settings: SMALL, off: null, ...choice });

/** The numbers of a line of Adam's arithmetic, by name. */
const parts = (page) =>
  page.$$eval('gf-adam [data-part]', (all) =>
    Object.fromEntries(all.map((one) => [one.dataset.part, Number(one.dataset.value)])),
  );

const value = (shown) => Math.fround(Number(shown.value));

describe('numbers on the page are the core’s', () => {
  test('losses, learning rate, answers and attention at a step', async () => {
    const { page, complaints, close } = await visit(link('&step=30'));
    await at(page, 30);
    await settled(page);
    const { made, told } = await reference({ steps: 30 });
    const shown = (await numbers(page)).filter(({ node }) => node === 'loss');
    assert.equal(shown.length, 1);
    assert.equal(value(shown[0]), told[29].loss);
    const tells = (chart) =>
      page.$$eval(`gf-curves .${chart} .entry .number`, (all) => all.map(({ title }) => title));
    const tellsAt = async (chart, i) =>
      Math.fround(Number((await tells(chart))[i].replace(/.*= /, '')));
    assert.equal(await tellsAt('rate', 0), Math.fround(told[29].learningRate));
    const { pairs, examples } = heldOut(tasks.copy, 1);
    const run = made.forward(testBatch(tasks.copy, pairs));
    assert.equal(await tellsAt('loss', 1), run.loss);
    const answers = await page.locator('gf-predictions .answer .text').allTextContents();
    for (const [i, { source }] of examples.entries()) {
      const due = await answer(made, tasks.copy, source);
      assert.equal(answers[i].trim(), due || '(nothing)');
    }
    const target = [...tasks.copy.tokenize('target', examples[0].target), '<end>'];
    const map = page.locator('gf-training-attention figure').first();
    assert.deepEqual(
      await map.locator('.side').allTextContents(),
      target.map((token, i) => `${['<start>', ...target][i]} → ${token}`),
    );
    const weights = run.tensor('decoder.layers.0.cross_attn.weights').toArray()[0];
    await page.focus('gf-training-attention .cell');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await settled(page);
    const cells = (await numbers(page)).filter(({ node }) => node.endsWith('cross_attn.weights'));
    assert.equal(cells.length, 2);
    assert.deepEqual(cells[0].index, [0, 1, 2]);
    for (const cell of cells) {
      const [head, row, column] = cell.index;
      assert.equal(cell.run, 'a');
      assert.equal(value(cell), weights[head][row][column]);
    }
    assert.deepEqual(complaints, []);
    run.dispose();
    made.dispose();
    await close();
  });

  test('an answer that ends too early has a gap for each letter that is missing', async () => {
    const { page, close } = await visit(link('&step=60'));
    await at(page, 60);
    await settled(page);
    const shown = await page.$$eval('gf-predictions .answer', (all) =>
      all.map((one) => [
        one.querySelector('.text').textContent.trim(),
        one.querySelectorAll('.missing').length,
      ]),
    );
    const { examples } = heldOut(tasks.copy, 1);
    const early = shown.filter(([written]) => /^[a-z]+$/.test(written));
    assert.ok(early.length > 0, 'some letters are written');
    for (const [i, [written, gaps]] of shown.entries())
      assert.equal(gaps, early.includes(shown[i]) ? examples[i].target.length - written.length : 0);
    await close();
  });

  test('the batch, its padding and its losses', async () => {
    const { page, close } = await visit(link('&step=7&view=batch'));
    await page.waitForSelector('gf-batch td');
    const { made, batch, training } = await reference({ steps: 6 });
    const inspection = inspect(made, [batch], training);
    const rows = await page.$$eval('gf-batch tbody tr', (all) =>
      all.map((row) => ({
        cells: [...row.querySelectorAll('td')].map((cell) =>
          cell.matches('.padding') ? null : cell.textContent.trim(),
        ),
        losses: [...row.querySelectorAll('[data-loss]')].map((cell) => Number(cell.dataset.loss)),
      })),
    );
    const words = (ids) => tasks.copy.vocabulary.decode(ids);
    const [run] = inspection.runs;
    const [, S] = run.tensor('source').shape;
    const [, T] = run.tensor('target').shape;
    const padded = (list, width) => [...list, ...Array(width - list.length).fill(null)];
    assert.equal(rows.length, batch.source.length);
    let total = 0;
    for (const [i, { cells, losses }] of rows.entries()) {
      assert.deepEqual(cells, [
        ...padded(words(batch.source[i]), S),
        ...padded(words(batch.target[i]), T),
        ...padded(words(batch.labels[i]), T),
      ]);
      const logits = run.logits.toArray()[i].slice(0, losses.length);
      const options = { reduction: 'none', labelSmoothing: training.labelSmoothing };
      assert.deepEqual(losses.map(Math.fround), [
        ...gf.crossEntropy(logits, batch.labels[i], options),
      ]);
      total += losses.reduce((a, b) => a + b, 0);
    }
    assert.ok(rows.some(({ cells }) => cells.includes(null)));
    const titles = await page.$$eval('gf-batch .costs .number', (all) =>
      all.map(({ title }) => title),
    );
    const costs = titles.map(inFull);
    assert.deepEqual(
      costs.filter((_, at) => at % 2 === 1),
      rows[0].losses.map(Math.fround),
    );
    /* What each label is given: the softmax of its row of logits. */
    for (const [i, logits] of run.logits.toArray()[0].slice(0, rows[0].losses.length).entries()) {
      const all = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      const chance = Math.exp(logits[batch.labels[0][i]]) / all;
      assert.ok(Math.abs(costs[2 * i] - chance) < 1e-6, `${costs[2 * i]} ${chance}`);
    }
    assert.ok(Math.abs(total / inspection.tokens - inspection.loss) < 1e-5);
    inspection.dispose();
    made.dispose();
    const last = batch.source.length - 1;
    await follow(page, link(`&step=7&view=batch&row=${last}`));
    await page.waitForSelector(`gf-batch tr:nth-child(${last + 1}).chosen`);
    await settled(page);
    const hidden = await page.locator('gf-batch .scroll').evaluate((box) => {
      const [all, row] = [box, box.querySelector('.chosen')].map((one) =>
        one.getBoundingClientRect(),
      );
      return Math.max(all.top - row.top, row.bottom - all.bottom);
    });
    assert.ok(hidden <= 0, `the chosen pair: ${hidden} px are out of sight`);
    await close();
  });

  test('every number of an Adam update; any weight can be picked', async () => {
    const settings = { ...SMALL, clip: 0.1 };
    const name = 'decoder.layers.0.linear1.weight';
    const hash = link(`&step=21&view=update&weight=${name}:3,4`, settings);
    const { page, complaints, close } = await visit(hash);
    await page.waitForSelector('gf-adam .next');
    const { made, batch, training } = await reference({ steps: 20, settings });
    const inspection = inspect(made, [batch], training);
    const compare = async (parameter, index) => {
      const told = inspection.update(parameter, index);
      assert.ok(told.clipping < 1);
      const shown = await parts(page);
      assert.deepEqual(Object.keys(shown).sort(), [
        ...['beta1', 'beta2', 'clipped', 'clipping', 'epsilon', 'gradient', 'learningRate', 'm'],
        ...[
          'mBefore',
          'mCorrection',
          'mHat',
          'next',
          'v',
          'vBefore',
          'vCorrection',
          'vHat',
          'value',
        ],
      ]);
      for (const [part, number] of Object.entries(shown)) {
        assert.equal(Math.fround(number), Math.fround(told[part]), part);
      }
      const total = page.locator('gf-adam .terms tfoot td').last().locator('.number');
      assert.equal(inFull(await total.getAttribute('title')), told.gradient);
    };
    await compare(name, [3, 4]);
    await page.getByLabel('parameter').selectOption('embedding.weight');
    await until(page, () =>
      document.querySelector('gf-adam h2').textContent.includes('embedding.weight [1, 1]'),
    );
    const { x, y } = await page.locator('gf-adam gf-heatmap canvas').first().boundingBox();
    await page.mouse.click(x + 60, y + 100);
    await until(page, () => !document.querySelector('gf-adam h2').textContent.includes('[1, 1]'));
    await settled(page);
    const [, picked] = /embedding\.weight:([\d,]+)/.exec(decodeURIComponent(await addressOf(page)));
    await until(
      page,
      (index) => document.querySelector('gf-adam h2').textContent.includes(`[${index}]`),
      picked
        .split(',')
        .map((i) => Number(i) + 1)
        .join(', '),
    );
    await compare('embedding.weight', picked.split(',').map(Number));
    const [cell] = (await numbers(page)).filter(({ node }) => node === 'embedding.weight');
    assert.equal(value(cell), Math.fround((await parts(page)).value));
    assert.deepEqual(complaints, []);
    inspection.dispose();
    made.dispose();
    await close();
  });

  test('forward and backward of one sequence', async (t) => {
    if (waits(t)) return;
    const row = 2;
    const hash = link(`&step=12&view=values&row=${row}&block=decoder.0.cross_attn`);
    const { page, complaints, close } = await visit(hash);
    await page.waitForSelector('gf-stage .matrix');
    const { made, batch, training } = await reference({ steps: 11 });
    const inspection = inspect(made, [batch], training);
    const [run] = inspection.runs;
    const stages = await page.locator('gf-strip li').count();
    let seen = 0;
    for (let k = 0; k < stages; k++) {
      await page.locator('gf-strip button').nth(k).click();
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      for (const { node, index, value: text } of await numbers(page)) {
        const { shape, data } = run.tensor(node);
        const full = shape.length > index.length ? [row, ...index] : index;
        const place = full.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
        assert.ok(Object.is(Math.fround(Number(text)), data[place]), `${node}[${full}]`);
        seen++;
      }
    }
    assert.ok(seen > 100, `${seen}`);
    assert.deepEqual(complaints, []);
    inspection.dispose();
    made.dispose();
    await close();
  });

  test('a number that is picked stays so at another step, unless its batch has no such number', async (t) => {
    if (waits(t)) return;
    const choice = { task: 'copy', settings: SMALL, off: null };
    const widths = Array.from({ length: 20 }, (_, i) => batchOf(choice, i + 1).source[0].length);
    const [wide, narrow] = [widths.indexOf(8), widths.indexOf(3)].map((i) => i + 1);
    const opens = (step, path) => link(`&step=${step}&view=values&path=encoder.embedding:${path}`);
    const { page, close } = await visit(opens(narrow, '1,0'));
    const picked = async (step, path) => {
      await at(page, step);
      await settled(page);
      assert.equal(await page.locator('gf-app > [role=alert]').count(), 0);
      const { focus, state } = await page.evaluate(() => document.querySelector('gf-stage').view);
      assert.deepEqual(state.path, path);
      return focus;
    };
    const scrub = (to) =>
      page.locator('gf-training-bar [type=range]').evaluate((range, value) => {
        range.value = value;
        range.dispatchEvent(new Event('change', { bubbles: true }));
      }, to);
    const cell = (index) => [{ node: 'encoder.embedding', index }];
    await picked(narrow, cell([1, 0]));
    await follow(page, opens(wide, '7,0'));
    await picked(wide, cell([7, 0]));
    await scrub(narrow);
    await picked(narrow, []);
    await follow(page, opens(wide, '1,0'));
    await scrub(narrow);
    await picked(narrow, cell([1, 0]));
    /* The same step of another training. */
    const deeper = { ...SMALL, layers: 2 };
    const norm = 'encoder.layers.1.norm1';
    await follow(page, link(`&step=${narrow}&view=values&path=${norm}:1,0`, deeper));
    await picked(narrow, [{ node: norm, index: [1, 0] }]);
    await follow(page, opens(narrow, '7,0'));
    await page.getByText(/no cell encoder\.embedding\[7, 0\]/).waitFor();
    await close();
  });

  test('the gradient of any number, term by term, over one sequence of the batch', async () => {
    const hash = link('&step=4&view=values&row=1&gradient=1&block=logits&path=logits:0,1&t=9');
    const { page, complaints, close } = await visit(hash);
    const sum = async () => {
      await page.waitForSelector('gf-gradient .slope');
      await settled(page);
      const titles = (selector) =>
        page.locator(`gf-gradient ${selector}`).evaluateAll((all) => all.map(({ title }) => title));
      const products = await titles('tbody td:last-child .number');
      const others = await titles('tfoot .quiet td .number');
      const [whole] = await titles('.slope strong');
      const parts = [...products, ...others].map(inFull);
      assert.ok(products.length > 0);
      const total = parts.reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(total - inFull(whole)) < 1e-6, `${total}, ${whole}`);
      assert.notEqual(inFull(whole), 0);
      return others.length;
    };
    assert.equal(await sum(), 0);
    const weight = 'decoder.layers.0.linear2.weight:0,1';
    await follow(
      page,
      `${hash.replace(/&block.*/, '')}&block=decoder.0.feed_forward&path=${weight}`,
    );
    assert.equal(await sum(), 1, 'what the rest of the batch adds');
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('the training', () => {
  const last = (page) =>
    page.evaluate(() => document.querySelector('gf-chapter-training').now.last);
  const goesOn = async (page) => {
    const from = await last(page);
    await until(page, (n) => document.querySelector('gf-chapter-training').now.last > n, from);
  };

  test('goes on while the batch of a step is looked at, and pauses where one walks through a step', async (t) => {
    if (waits(t)) return;
    const { page, close } = await visit(link('', { ...SMALL, steps: 4000 }));
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await goesOn(page);
    await page.getByRole('button', { name: 'Batch' }).click();
    await page.locator('gf-batch td').first().waitFor();
    const label = () => page.locator('gf-batch .scroll').getAttribute('aria-label');
    const before = await label();
    await goesOn(page);
    await page.locator('gf-batch tbody tr').nth(1).locator('th button').click();
    await page.locator('gf-batch tr:nth-child(2).chosen').waitFor();
    assert.equal(await label(), before);
    await page.getByRole('button', { name: 'Adam' }).click();
    await page.locator('gf-adam .number').first().waitFor();
    await goesOn(page);
    await page.locator('.shelf .tabs button').nth(2).click();
    await page.locator('gf-training-walkthrough gf-timeline').waitFor();
    assert.equal(
      await page.evaluate(() => document.querySelector('gf-chapter-training').playing),
      false,
    );
    assert.ok((await last(page)) < 4000, 'it was over');
    await close();
  });

  test('has one Play in each view', async () => {
    const { page, close } = await visit(link('&step=5&view=values'));
    await page.locator('gf-training-walkthrough gf-timeline').waitFor();
    const plays = page.getByRole('button', { name: /^(Play|Train)$/ });
    assert.equal(await plays.count(), 1);
    for (const view of ['Run', 'Batch', 'Adam']) {
      await page.locator('.shelf > .tabs').first().getByRole('button', { name: view }).click();
      await settled(page);
      assert.equal(await plays.count(), 1, view);
    }
    await close();
  });

  test('has its timeline where other chapters have theirs: at the lower edge of the screen', async (t) => {
    if (waits(t)) return;
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 375, height: 812 },
    ]) {
      const { page, close } = await visit(link('&step=5'), { viewport });
      const edge = (name) =>
        page.locator(name).evaluate((bar) => innerHeight - bar.getBoundingClientRect().bottom);
      assert.equal(await edge('gf-training-bar'), 0);
      await follow(page, '#v=1&example=i-love-robotics&t=40');
      assert.equal(await edge('gf-timeline'), 0);
      await close();
    }
  });

  test('the sentences of its settings have the digits that the reader chooses', async () => {
    const { page, close } = await visit(
      link('&step=8&view=batch&round=2&lang=fr', { ...SMALL, smoothing: 0.123 }),
    );
    await page.locator('gf-batch td').first().waitFor();
    assert.match(
      await page.locator('gf-batch .about').innerText(),
      /Lissage des étiquettes 0,12\s/,
    );
    await close();
  });

  test('goes on when its chapter is opened again', async () => {
    const { page, close } = await visit(link('', { ...SMALL, steps: 4000 }));
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await goesOn(page);
    const head = (title) => page.locator('gf-masthead nav').getByRole('link', { name: title });
    await head('Heads').click();
    await page.locator('gf-chapter-heads .matrix').first().waitFor();
    await head('Training').click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await goesOn(page);
    await close();
  });

  test('runs, pauses, takes one step, goes back, and begins anew', async () => {
    const { page, complaints, close } = await visit(link('', { ...SMALL, steps: 5000 }));
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await until(page, () => document.querySelector('gf-chapter-training').now.last > 20);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForURL(/step=\d+/);
    const held = await page.evaluate(() => document.querySelector('gf-chapter-training').now.last);
    await at(page, held);
    await page.keyboard.press('n');
    await at(page, held + 1);
    await page.keyboard.press('Shift+ArrowLeft');
    await at(page, held - 9);
    await page.keyboard.press('ArrowRight');
    await at(page, held - 8);
    await page.keyboard.press('Home');
    await at(page, 1);
    await page.keyboard.press('End');
    await at(page, held + 1);
    await page.locator('gf-training-bar [type=range]').evaluate((range) => {
      range.value = '5';
      range.dispatchEvent(new InputEvent('input', { bubbles: true }));
      range.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await at(page, 5);
    assert.match(
      await page.locator('gf-chapter-training > .sentence').textContent(),
      /^\s*Step 5 has a loss of/,
    );
    await page.keyboard.press('Space');
    await until(page, (n) => document.querySelector('gf-chapter-training').now.last > n, held + 3);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Start over' }).click();
    await at(page, 0);
    assert.match(
      await page.locator('gf-chapter-training > .sentence').textContent(),
      /Not trained yet/,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a link trains to its step again, and can be cancelled', async (t) => {
    if (waits(t)) return;
    const { page, close } = await visit(link('&step=40&view=update'));
    await page.waitForSelector('gf-adam .next');
    const first = await parts(page);
    await close();
    const again = await visit(link('&step=40&view=update'));
    await again.page.waitForSelector('gf-adam .next');
    assert.deepEqual(await parts(again.page), first);
    await follow(again.page, link('&step=19000', { ...SMALL, steps: 20000 }));
    await again.page.getByText(/Training to step 19000: now at \d+/).waitFor();
    await again.page.getByRole('button', { name: 'Cancel' }).click();
    await until(again.page, () => document.querySelector('gf-chapter-training').now.doing === '');
    assert.ok(
      (await again.page.evaluate(() => document.querySelector('gf-chapter-training').now.last)) <
        19000,
    );
    await again.close();
  });

  test('a step that is opened again has the recorded loss, bit for bit', async (t) => {
    if (waits(t)) return;
    const { page, close } = await visit(link('&step=50&off=scale'));
    await at(page, 50);
    const recorded = await page.evaluate(() =>
      document
        .querySelector('gf-chapter-training')
        .now.sides.map(({ record }) => record.steps.map(({ loss }) => loss)),
    );
    for (const [i, side] of ['a', 'b'].entries()) {
      for (const step of [50, 33, 2]) {
        await follow(page, link(`&step=${step}&off=scale&view=batch&side=${side}`));
        await until(
          page,
          ([s, k]) => {
            const { opened } = document.querySelector('gf-chapter-training').now;
            return opened?.step === k && opened.side === s;
          },
          [side, step],
        );
        const loss = await page.evaluate(
          () => document.querySelector('gf-chapter-training').now.opened.loss,
        );
        assert.equal(loss, recorded[i][step - 1]);
      }
    }
    assert.notDeepEqual(recorded[0], recorded[1]);
    await close();
  });

  test('all its work is the worker’s: the page computes nothing, and draws once for what it is told', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await visit('#chapter=training');
    await page.addInitScript(() => {
      const calls = {};
      globalThis.calls = calls;
      const { instantiate } = WebAssembly;
      /* Every call of a core on this thread is counted; a worker has a thread, and a core, of its own. */
      WebAssembly.instantiate = async (module) => {
        const { exports } = await instantiate(module);
        const counted = Object.entries(exports).map(([name, value]) => {
          if (typeof value !== 'function') return [name, value];
          const call = (...given) => {
            calls[name] = (calls[name] ?? 0) + 1;
            return value(...given);
          };
          return [name, call];
        });
        return { exports: Object.fromEntries(counted) };
      };
    });
    await page.reload();
    await page.waitForFunction(() => document.querySelector('gf-chapter-training')?.now?.started);
    await settled(page);
    const told = await page.evaluate(async () => {
      const training = document.querySelector('gf-chapter-training');
      const { calls } = globalThis;
      const before = { ...calls };
      const counts = { heard: training.heard, drawn: 0, frames: 0 };
      const { updated } = training;
      training.updated = function counted(...given) {
        counts.drawn++;
        updated.apply(this, given);
      };
      const long = [];
      const observer = new PerformanceObserver((list) => long.push(...list.getEntries()));
      observer.observe({ type: 'longtask' });
      const begin = performance.now();
      document.querySelector('[aria-label=Train]').click();
      while (training.now.last < 250) {
        counts.frames++;
        await new Promise(requestAnimationFrame);
      }
      const rate = (1000 * counts.frames) / (performance.now() - begin);
      observer.disconnect();
      const longest = Math.max(0, ...long.map(({ duration }) => duration));
      counts.heard = training.heard - counts.heard;
      return { before, after: { ...calls }, counts, rate, long: long.length, longest };
    });
    const { before, after, counts } = told;
    t.diagnostic(
      `${told.rate.toFixed(1)} frames a second; ${told.long} tasks over 50 ms, the longest ` +
        `${told.longest} ms; ${counts.drawn} drawings for ${counts.heard} messages`,
    );
    assert.ok(before.gf_abi > 0, 'the page has a core');
    assert.deepEqual(after, before);
    assert.ok(counts.heard > 0);
    /* Pressing the button changes the page as well. */
    assert.ok(counts.drawn <= counts.heard + 2, `${counts.drawn} > ${counts.heard}`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is read aloud now and then, and when it rests', async (t) => {
    if (waits(t)) return;
    const { page, close } = await visit(link('', { ...SMALL, steps: 5000 }), {
      reducedMotion: 'no-preference',
    });
    await page.evaluate(() => {
      globalThis.shown = 0;
      globalThis.spoken = 0;
      const count = (name, selector) =>
        new MutationObserver(() => {
          globalThis[name]++;
        }).observe(document.querySelector(selector), {
          characterData: true,
          subtree: true,
          childList: true,
        });
      count('shown', 'gf-chapter-training > .sentence');
      count('spoken', 'gf-chapter-training > [aria-live]');
    });
    await page.keyboard.press('Space');
    await page.waitForFunction(() => globalThis.shown >= 15);
    const spoken = await page.evaluate(() => globalThis.spoken);
    assert.ok(spoken <= 3, `${spoken}`);
    await page.keyboard.press('Space');
    await until(page, () => {
      const [shown, said] = ['.sentence', '[aria-live]'].map((one) =>
        document.querySelector(`gf-chapter-training > ${one}`).textContent.trim(),
      );
      return !document.querySelector('gf-chapter-training').now.playing && shown === said;
    });
    await close();
  });

  test('rests while another chapter is open, and goes on behind it', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await visit(link('', { ...SMALL, steps: 5000 }));
    await page.keyboard.press('Space');
    await until(page, () => document.querySelector('gf-chapter-training').now.last > 5);
    await page.evaluate(() => {
      globalThis.training = document.querySelector('gf-chapter-training');
    });
    await follow(page, '#example=i-love-robotics');
    await page.waitForFunction(() => globalThis.training.course.doing === '');
    const last = await page.evaluate(() => globalThis.training.course.last);
    assert.ok(last < 5000, 'it did not go on to its end');
    await follow(page, '#example=hi-how');
    assert.equal(await page.evaluate(() => globalThis.training.course.last), last);
    await travel(page, 'back');
    await travel(page, 'back');
    await page.waitForFunction(
      (held) => document.querySelector('gf-chapter-training')?.now?.last > held,
      last,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('settings: changed, refused, undone', async () => {
    const { page, complaints, close } = await visit(link());
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('heads', { exact: true }).fill('3');
    await page.getByLabel('heads', { exact: true }).press('Enter');
    assert.match(
      await page.locator('.notice').textContent(),
      /heads: “3” is not valid\..*divide d_model/,
    );
    assert.equal(await page.getByLabel('heads', { exact: true }).inputValue(), '2');
    await page.getByLabel('warm-up', { exact: true }).fill('99999');
    await page.getByLabel('warm-up', { exact: true }).press('Enter');
    assert.match(await page.locator('.notice').textContent(), /a number from 0 to 4000/);
    await page.getByLabel('warm-up', { exact: true }).fill('20');
    await page.getByLabel('warm-up', { exact: true }).press('Enter');
    await page.waitForURL(/warmup:20/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(/warmup:10/);
    await page.getByLabel('Task').selectOption('sort');
    await page.waitForURL(/task=sort/);
    assert.doesNotMatch(await addressOf(page), /settings/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('links that ask for what cannot be give a notice', async () => {
    const { page, close } = await visit('#chapter=training');
    for (const bad of ['settings=heads:5', 'settings=wings:2', 'task=chess', 'off=everything']) {
      await follow(page, `#v=1&chapter=training&${bad}`);
      await page.waitForSelector('.notice');
      await until(page, () => document.querySelector('gf-chapter-training').state.task === 'copy');
    }
    await close();
  });
});

describe('A and B', () => {
  test('differ in one thing; the verdict is computed', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await visit(link('&step=60&off=positions', FAST));
    await at(page, 60);
    await settled(page);
    const { pairs } = heldOut(tasks.copy, 1);
    const tried = [];
    for (const side of ['a', 'b']) {
      const { made, told } = await reference({ steps: 60, off: 'positions', side, settings: FAST });
      const run = made.forward(testBatch(tasks.copy, pairs));
      tried.push({ loss: run.loss, last: told.at(-1).loss });
      run.dispose();
      made.dispose();
    }
    const shown = (await numbers(page)).filter(({ node }) => node === 'loss').map(value);
    assert.deepEqual(
      shown,
      tried.map(({ last }) => last),
    );
    const sentence = (await page.locator('gf-chapter-training > .sentence').textContent()).trim();
    const [, a, b] = /loss is ([\d.]+) with positions and ([\d.]+) without/.exec(sentence);
    assert.ok(displays(a, tried[0].loss, { least: 3 }) && displays(b, tried[1].loss, { least: 3 }));
    const [one, other] = tried.map(({ loss }) => loss);
    assert.ok(one < 0.97 * other, `${one} ${other}`);
    assert.match(sentence, /So far A is ahead\./);
    assert.match(sentence, /one seed, 1\. Another seed may give another result\./);
    assert.equal(await page.locator('gf-predictions .run-b.answer').count(), 5);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a switch that A does not have cannot be thrown', async () => {
    const { page, close } = await visit(link('', { ...SMALL, dropout: 0 }));
    const options = page.getByLabel('Compare with a run B').locator('option');
    assert.deepEqual(
      await options.evaluateAll((all) =>
        all.filter(({ disabled }) => disabled).map(({ value: v }) => v),
      ),
      ['dropout'],
    );
    await close();
  });
});

describe('files', () => {
  test('weights are saved and opened again, with the bits of a run that went on', async (t) => {
    if (waits(t)) return;
    const { page, close } = await visit(link('&step=20'));
    await at(page, 20);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save weights' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'glassformer-copy-a-20.safetensors');
    const file = path.join(folder, download.suggestedFilename());
    await download.saveAs(file);
    const { made } = await reference({ steps: 20 });
    assert.equal(Buffer.compare(readFileSync(file), made.save({ training: true })), 0);
    made.dispose();
    await page.locator('[type=file]').setInputFiles(file);
    await until(page, () => document.querySelector('gf-chapter-training').now.first === 20);
    await at(page, 20);
    await page.keyboard.press('n');
    await at(page, 21);
    const { told } = await reference({ steps: 21 });
    const loss = (await numbers(page)).find(({ node }) => node === 'loss');
    assert.equal(value(loss), told[20].loss);
    assert.match(
      await page.locator('gf-training-setup').textContent(),
      /Continues from glassformer-copy/,
    );
    await close();
  });

  test('other files are refused, and nothing is lost', async () => {
    const { page, complaints, close } = await visit(link('&step=5'));
    await at(page, 5);
    const put = async (name, bytes) => {
      const file = path.join(folder, name);
      writeFileSync(file, bytes);
      await page.locator('[type=file]').setInputFiles(file);
      await page.waitForSelector(`.notice:has-text("${name}")`);
      return page.locator('.notice').textContent();
    };
    assert.match(await put('note.safetensors', 'a note'), /Could not open note\.safetensors: .+/);
    const other = gf.model({
      kind: 'transformer',
      vocab: 99,
      maxLength: 30,
      dModel: 8,
      heads: 1,
      layers: 1,
    });
    assert.match(await put('other.safetensors', other.save()), /99 tokens, that of copy 30/);
    await page.keyboard.press('n');
    await until(page, () => document.querySelector('gf-chapter-training').now.last >= 6);
    assert.deepEqual(complaints, []);
    await close();
  });
});

test('one’s own text is written greedily, drawn, and by beams', async () => {
  const { page, complaints, close } = await visit(link('&step=25'));
  await at(page, 25);
  await page.getByLabel('your own text').fill('cab');
  await page.getByLabel('temperature').fill('0.7');
  await page.getByLabel('top k').fill('5');
  await page.getByRole('button', { name: 'Write' }).click();
  await page.waitForSelector('gf-writer .beamed');
  const { made } = await reference({ steps: 25 });
  const shown = async (way) =>
    (await page.locator(`gf-writer .${way} dd`).first().textContent())
      .trim()
      .split(/\s*log p/)[0]
      .trim();
  const ids = tasks.copy.vocabulary.encode([...'cab']);
  const write = async (options) => {
    const all = [];
    for await (const id of made.generate(ids, { maxNewTokens: 11, ...options })) all.push(id);
    return tasks.copy.vocabulary.decode(all).join('') || '(nothing)';
  };
  assert.equal(await shown('greedy'), await write({}));
  assert.equal(await shown('sampled'), await write({ temperature: 0.7, topK: 5, seed: 1 }));
  assert.equal(await shown('beamed'), await write({ beams: 4 }));
  await page.waitForURL(/text=cab/);
  assert.deepEqual(complaints, []);
  made.dispose();
  await close();
});

test('what takes a step apart comes when one is opened; where it does not come, the page says so and tries again', async () => {
  const { page, complaints, close } = await visit(link('&step=3'));
  await at(page, 3);
  const chunks = /assets\/opened-/;
  await page.route(chunks, (route) => route.abort());
  await page.getByRole('button', { name: 'Batch', exact: true }).click();
  await page.locator('.notice', { hasText: 'This part of the page did not load' }).waitFor();
  assert.equal(await page.locator('gf-batch').count(), 0);
  await page.unroute(chunks);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('gf-batch td');
  assert.equal(await page.locator('.notice').count(), 0);
  assert.deepEqual(
    complaints.filter((one) => !/net::ERR_FAILED/.test(one)),
    [],
  );
  await close();
});
