import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { examples, load, sentence, traceExample } from '../../bindings/index.js';
import { timeline } from '../../web/app/state/timeline.js';
import { attentionsOf, storyInputs, trained } from '../../web/workers/inside/core.js';
import { file } from '../../web/workers/inside/sources.js';
import { waits } from '../support/sample.js';
import { onlyInFull } from '../support/skips.js';
import { addressOf, follow, inBrowser, numbers, settled, unfold } from './browser.js';
import { compare, ends } from './expect.js';

const TEXT = 'the robot sees the ball';

const { open } = inBrowser();
const gf = await load();
const stories = trained(gf, readFileSync(file));

/** The chapter's own trace of a sentence: as many whole channels per head as there are. */
const traced = (heads, text = TEXT, dModel = 12, more = {}) =>
  traceExample(
    gf,
    sentence(text, { dModel, dK: Math.floor(dModel / heads) * heads, heads, ...more }),
  );

const stage = (page) => page.locator('gf-stage h2').textContent();

describe('every displayed number equals the core’s', { skip: onlyInFull }, () => {
  for (const heads of [1, 3, 5, 12]) {
    test(`${heads} heads on one sentence`, async () => {
      const trace = traced(heads);
      const hash = `#v=1&chapter=heads&heads=${heads}`;
      const { page, complaints, close } = await open(hash);
      compare(await numbers(page), { page: trace });
      const line = timeline(trace.steps);
      for (const t of ends(line)) {
        for (const panel of ['stage', 'heads']) {
          await follow(page, `${hash}&panel=${panel}&t=${t}`);
          compare(await numbers(page), { page: trace });
        }
      }
      assert.deepEqual(complaints, []);
      trace.dispose();
      await close();
    });
  }

  test('an example, with another number of heads than its own', async () => {
    const given = examples['two-heads'];
    const trace = traceExample(gf, { ...given, attention: { ...given.attention, heads: 4 } });
    const hash = '#v=1&chapter=heads&example=two-heads&sentence=&heads=4&panel=stage';
    const { page, close } = await open(hash);
    for (const t of ends(timeline(trace.steps))) {
      await follow(page, `${hash}&t=${t}`);
      compare(await numbers(page), { page: trace });
    }
    trace.dispose();
    await close();
  });

  test('small multiples show every number of every head', async () => {
    const trace = traced(3);
    const { page, close } = await open('#v=1&chapter=heads', {
      viewport: { width: 1440, height: 900 },
    });
    const maps = await numbers(page);
    assert.ok(maps.some(({ grid }) => grid) && maps.every(({ node }) => node !== 'q.heads'));
    await unfold(page);
    const shown = new Set(
      (await numbers(page)).filter(({ grid }) => grid).map(({ node, index }) => `${node}:${index}`),
    );
    for (const node of ['q.heads', 'k.heads', 'v.heads', 'weights', 'mix']) {
      const { shape } = trace.step(node);
      for (let h = 0; h < shape[0]; h++)
        for (let i = 0; i < shape[1]; i++)
          for (let j = 0; j < shape[2]; j++) assert.ok(shown.has(`${node}:${h},${i},${j}`));
    }
    trace.dispose();
    await close();
  });

  test('what each number of heads comes to', async () => {
    const { page, close } = await open('#v=1&chapter=heads&panel=numbers');
    const rows = await page.locator('gf-head-numbers tbody tr').all();
    assert.equal(rows.length, 12);
    const all = [];
    for (const [k, row] of rows.entries()) {
      const heads = k + 1;
      /* What is measured is the mean over eight draws of the weights. */
      const traces = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => traced(heads, TEXT, 12, { seed }));
      const mean = (of) => traces.reduce((sum, trace) => sum + of(trace), 0) / traces.length;
      const told = await row.locator('td .number').evaluateAll((all) => all.map((n) => n.title));
      const [dk, weights, work, maps, spread, factor, scaled, entropy] = told.map(Number);
      const each = Math.floor(12 / heads);
      assert.equal(dk, each);
      assert.equal(weights, 4 * 12 * each * heads);
      // Three projections in, one out, scores, and the mixing of values: 5 tokens each.
      assert.equal(work, 4 * 5 * 12 * each * heads + 2 * heads * 5 * 5 * each);
      assert.equal(maps, heads * 25);
      const rms = (data) => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);
      const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${heads} heads: ${a}, ${b}`);
      near(
        spread,
        mean((trace) => rms(trace.step('scores').data)),
      );
      near(factor, 1 / Math.sqrt(each));
      near(
        scaled,
        mean((trace) => rms(trace.step('scores.scaled').data)),
      );
      near(
        entropy,
        mean((trace) => {
          const { data } = trace.step('weights');
          return -data.reduce((sum, a) => sum + a * Math.log(a), 0) / (5 * heads);
        }),
      );
      for (const trace of traces) trace.dispose();
      all.push({ spread, scaled });
    }
    /* S falls with narrower heads, S′ does not: the factor makes up for it. */
    const change = (name) => all.at(-1)[name] / all[0][name];
    assert.ok(change('spread') < 1 / 2, `S: ${change('spread')}`);
    assert.ok(Math.abs(change('scaled') - 1) < 0.35, `S′: ${change('scaled')}`);
    assert.match(
      await page.locator('gf-head-numbers .lead').textContent(),
      /12 channels for 3 heads give 4 each/,
    );
    const why = page.locator('gf-head-numbers .prose').first();
    assert.match(await why.innerText(), /cost as much as one wide head, but give 3 maps/);
    await page.getByRole('button', { name: '5 heads' }).first().click();
    await settled(page);
    assert.match(
      await page.locator('gf-head-numbers .lead').textContent(),
      /12 \/ 5 is not a whole number, so each head gets 2\. Together they are 10 wide/,
    );
    assert.match(await why.innerText(), /cost 2,900 multiply-adds, one wide head 3,480\./);
    await close();
  });
});

describe('split, join, mix', () => {
  test('the joined row is the heads’ rows, one after the other, with a line between the heads', async () => {
    const trace = traced(3);
    const line = timeline(trace.steps);
    const at = line.stages.findIndex(({ name }) => name === 'concat');
    const hash = `#v=1&chapter=heads&panel=stage&t=${ends(line)[at]}`;
    const { page, close } = await open(hash);
    const read = (node) =>
      page
        .locator(`gf-stage [data-node="${node}"]`)
        .evaluateAll((cells) => cells.map(({ dataset }) => [dataset.index, dataset.value]));
    const [mix, joined] = [new Map(await read('mix')), new Map(await read('concat'))];
    assert.equal(joined.size, 60);
    for (let i = 0; i < 5; i++)
      for (let c = 0; c < 12; c++)
        assert.equal(joined.get(`${i},${c}`), mix.get(`${Math.floor(c / 4)},${i},${c % 4}`));
    const boundaries = page.locator('gf-stage [data-grid=concat] .boundary');
    assert.equal(await boundaries.count(), 2);
    const [cell, first] = [
      await page.locator('gf-stage [data-node=concat][data-index="0,4"]').boundingBox(),
      await boundaries.first().boundingBox(),
    ];
    assert.ok(Math.abs(first.x + 1 - cell.x) < 2, `${first.x} is not between channels 4 and 5`);
    await page.locator('gf-strip button').last().click();
    await settled(page);
    assert.equal(await stage(page), 'Output');
    assert.equal(await page.locator('gf-stage [data-grid=w_o] .boundary.across').count(), 2);
    trace.dispose();
    await close();
  });

  test('a click on a map shows that head on the stage; so does its name', async () => {
    const { page, close } = await open('#v=1&chapter=heads');
    const map = page.locator('gf-multiples [data-grid=weights]').nth(1);
    const { width, height } = await map.boundingBox();
    await map.click({ position: { x: 0.7 * width, y: 0.5 * height } });
    await settled(page);
    assert.match(await addressOf(page), /panel=stage/);
    assert.match(await addressOf(page), /path=weights:1,2,3/);
    assert.equal(await stage(page), 'Attention weights');
    const pressed = page.locator('gf-stage .stepper [aria-pressed=true]');
    assert.equal((await pressed.textContent()).trim(), 'head 2');
    const heads = await page
      .locator('gf-stage [data-node=weights]')
      .evaluateAll((cells) => cells.map(({ dataset }) => dataset.index[0]));
    assert.ok(heads.length === 25 && heads.every((head) => head === '1'));
    await page.getByRole('button', { name: 'All heads' }).click();
    await page.getByRole('button', { name: 'Show head 3 step by step' }).click();
    await settled(page);
    assert.equal((await pressed.textContent()).trim(), 'head 3');
    await close();
  });

  test('the head of the page leads to a trained model: its maps are the model’s own, in each layer', async () => {
    const { page, complaints, close } = await open('#example=i-love-robotics');
    await page.locator('gf-masthead nav').getByRole('link', { name: 'Heads' }).click();
    await page.locator('gf-multiples').waitFor();
    await settled(page);
    const story = await page.locator('gf-chapter-heads .story input').inputValue();
    for (const layer of [0, 2]) {
      await page
        .getByRole('group', { name: 'Layer' })
        .getByText(String(layer + 1))
        .click();
      await settled(page);
      const run = stories.forward(storyInputs(story));
      const { data } = attentionsOf(run.tape)[layer].weights;
      const shown = await page
        .locator('gf-chapter-heads')
        .evaluate((chapter) => [...chapter.view.trace.step('weights').data]);
      assert.deepEqual(shown, [...data]);
      run.dispose();
    }
    /* A column is of the token above it, as a row is of that beside it. */
    const above = page.locator('gf-multiples .named .heads').first().locator('.head');
    const beside = page.locator('gf-multiples .row-name li').filter({ visible: true });
    const words = (await above.allInnerTexts()).map((word) => word.trim());
    assert.deepEqual(words, (await beside.allInnerTexts()).slice(0, words.length));
    assert.ok(words.length > 8);
    assert.equal(await page.locator('gf-chapter-heads .drawn').count(), 0);
    assert.equal(await page.getByRole('button', { name: '3 heads' }).count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('so does a link of the chapter’s name alone; random weights have a link of their own', async () => {
    const { page, complaints, close } = await open('#chapter=heads', { ready: 'gf-multiples' });
    await settled(page);
    assert.ok(await page.locator('gf-chapter-heads .story input').isVisible());
    assert.equal(await page.locator('gf-chapter-heads .drawn').count(), 0);
    assert.match(await addressOf(page), /#chapter=heads$/);
    await follow(page, '#v=1&chapter=heads');
    await page.locator('gf-chapter-heads .drawn').waitFor();
    await page.getByRole('button', { name: '4 heads' }).click();
    await page.keyboard.press('Control+z');
    await settled(page);
    await follow(page, new URL(await addressOf(page)).hash);
    assert.equal(await page.locator('gf-chapter-heads .drawn').count(), 1);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a link of random weights leads to the trained model by the list, and back', async () => {
    for (const hash of [
      '#v=1&chapter=heads&heads=3',
      '#v=1&chapter=heads&t=886&path=concat:0,0&panel=stage',
    ]) {
      const { page, complaints, close } = await open(hash, { ready: 'gf-chapter-heads .drawn' });
      await page.locator('gf-chooser select').selectOption('stories');
      await page.locator('gf-chapter-heads .story input').waitFor();
      await settled(page);
      assert.equal(await page.locator('.notice:visible, .drawn').count(), 0);
      assert.match(await addressOf(page), /example=stories.*heads=4/);
      await page.keyboard.press('Control+z');
      await settled(page);
      assert.equal(await page.locator('gf-chapter-heads .story').count(), 0);
      assert.equal(await page.locator('gf-chapter-heads .drawn').count(), 1);
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test('words of no story get random weights, a notice and a badge; other examples go on as before', async () => {
    const hash = `#v=1&chapter=heads&example=stories&sentence=&heads=4&story=${encodeURIComponent('Anna has a zug')}`;
    const { page, complaints, close } = await open(hash, { ready: 'gf-multiples' });
    assert.match(await page.locator('.story .notice').textContent(), /zug/);
    await page.locator('gf-chapter-heads .drawn').waitFor();
    /* What stands beside the text stays in its row. */
    const middleOf = async (selector) => {
      const { y, height } = await page.locator(`.shelf ${selector}`).first().boundingBox();
      return Math.round(y + height / 2);
    };
    assert.equal(await middleOf('gf-export'), await middleOf('select'));
    await page.locator('.story input').fill('Anna has a red ball.');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.locator('.story .notice').count(), 0);
    assert.equal(await page.locator('gf-chapter-heads .drawn').count(), 0);
    await page.locator('gf-chooser select').selectOption('two-heads');
    await settled(page);
    assert.match(await addressOf(page), /heads=2/);
    await page.locator('gf-chooser select').selectOption('stories');
    await settled(page);
    assert.match(await addressOf(page), /heads=4/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('Play begins where the first number of this view is computed', async (t) => {
    if (waits(t)) return;
    const trace = traced(3);
    const line = timeline(trace.steps);
    const begin = (name) => line.first[line.stages.findIndex((step) => step.name === name)];
    for (const [panel, t, least] of [
      ['heads', 1e6, begin('q.heads')],
      ['heads', begin('k'), begin('q.heads')],
      ['heads', begin('weights'), begin('weights')],
      ['stage', 1e6, 0],
    ]) {
      const { page, close } = await open(`#v=1&chapter=heads&panel=${panel}&t=${t}`);
      await page.evaluate(() => {
        const chapter = document.querySelector('gf-chapter-heads');
        chapter.play();
        chapter.pause();
      });
      const at = await page.evaluate(() => document.querySelector('gf-chapter-heads').shown.t);
      assert.equal(at, least, `${panel} from ${t}`);
      await close();
    }
    trace.dispose();
  });

  test('a map’s number, by keyboard: arrows move, Enter opens it term by term', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#v=1&chapter=heads');
    await page.locator('gf-multiples [data-grid=weights] .cell[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(await addressOf(page), /panel=stage/);
    assert.match(await addressOf(page), /open=weights:0,0,1/);
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('gf-caption p').textContent(), /e to the power of/);
    await close();
  });
});

describe('one’s own sentence', () => {
  test('keeps the number of heads; what cannot be shared is refused', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=heads&heads=4');
    await page.getByRole('button', { name: 'Your own sentence' }).click();
    const form = page.locator('gf-sentence form');
    assert.equal(await form.getByLabel('heads').count(), 0);
    await form.getByLabel('Sentence', { exact: true }).fill('Time flies.');
    await form.getByLabel('d_model').fill('3');
    await form.getByRole('button', { name: 'Show' }).click();
    assert.match(
      await page.locator('[role=alert]').textContent(),
      /4 heads cannot share 3 channels equally/,
    );
    await form.getByLabel('d_model').fill('16');
    await form.getByRole('button', { name: 'Show' }).click();
    await settled(page);
    const trace = traced(4, 'Time flies.', 16);
    compare(await numbers(page), { page: trace });
    assert.equal(await page.getByRole('button', { name: '12 heads' }).isDisabled(), false);
    await page.locator('gf-chooser select').selectOption('two-heads');
    await settled(page);
    assert.match(await addressOf(page), /heads=2/);
    assert.ok(await page.getByRole('button', { name: '3 heads' }).isDisabled());
    await page.keyboard.press('Control+z');
    await settled(page);
    compare(await numbers(page), { page: trace });
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });
});

describe('the address', () => {
  test('that makes no sense gives a notice and the opening page', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=heads');
    const opening = JSON.stringify(await numbers(page));
    for (const more of [
      'heads=0',
      'heads=13',
      'heads=3.5',
      'panel=nowhere',
      'example=two-heads&sentence=&heads=3',
      'heads=2&path=weights:2,0,0',
    ]) {
      await follow(page, `#v=1&chapter=heads&${more}`);
      assert.match(
        await page.locator('[role=alert]').textContent(),
        /opens without the link/,
        more,
      );
      assert.equal(JSON.stringify(await numbers(page)), opening, more);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});
