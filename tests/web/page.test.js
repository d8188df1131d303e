import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explain, load, sentence, traceExample } from '../../bindings/index.js';
import { examples } from '../../web/app/session.js';
import { timeline } from '../../web/app/state/timeline.js';
import { waits } from '../support/sample.js';
import { onlyInFull } from '../support/skips.js';
import {
  addressOf,
  follow,
  inBrowser,
  numbers,
  ready,
  settled,
  travel,
  unfold,
  until,
} from './browser.js';
import { compare, ends, flat } from './expect.js';
import { inFull } from './rounding.js';

/** @type {Awaited<ReturnType<typeof serve>>} */
const browsing = inBrowser();
const { open } = browsing;
const gf = await load();

/** The nodes that the stage draws as colours: a cell shows its number when it is pointed at. */
const inColours = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.colours[data-grid]')].map(({ dataset }) => dataset.grid),
  );

describe('every displayed number equals the core’s', { skip: onlyInFull }, () => {
  for (const name of Object.keys(examples)) {
    test(name, async () => {
      const trace = traceExample(gf, name);
      const { page, complaints, close } = await open(`#example=${name}`);
      const line = timeline(trace.steps);
      const seen = new Set();
      const coloured = new Set();
      for (const t of ends(line)) {
        await follow(page, `#v=1&example=${name}&t=${t}`);
        const shown = await numbers(page);
        compare(shown, { page: trace });
        for (const { node, index, grid } of shown) if (grid) seen.add(`${node}:${index}`);
        for (const node of await inColours(page)) coloured.add(node);
      }
      for (const { name: node, shape, data, kind } of line.stages) {
        /* Of several heads one is on the stage. */
        if (coloured.has(node) || shape.length > 2) continue;
        const missing = [...data.keys()].filter((at) => {
          const index = shape.map((_, axis) => {
            const below = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
            return Math.floor(at / below) % shape[axis];
          });
          return !seen.has(`${node}:${index}`);
        });
        assert.deepEqual(missing, [], `${kind} ${node} was not shown in full`);
      }
      assert.deepEqual(complaints, []);
      trace.dispose();
      await close();
    });
  }

  test('one’s own sentence', async () => {
    const options = { dModel: 6, dK: 4, heads: 2, seed: 7, positions: true, causal: true };
    const trace = traceExample(gf, sentence('we see, therefore', options));
    const hash = '#v=1&sentence=6~4~2~7~pc~we see, therefore';
    const { page, complaints, close } = await open(hash);
    for (const t of ends(timeline(trace.steps))) {
      await follow(page, `${hash}&t=${t}`);
      compare(await numbers(page), { page: trace });
    }
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });

  test('a heat map’s cells too, read by the keyboard', async () => {
    const trace = traceExample(gf, 'ten-tokens');
    const { page, close } = await open('#v=1&example=ten-tokens&t=200');
    await page.focus('[data-grid=w_q] .cell');
    for (const key of ['ArrowRight', 'ArrowDown', 'End', 'ArrowDown']) {
      await page.keyboard.press(key);
      await settled(page);
    }
    const cell = page.locator('[data-grid=w_q] [role=gridcell]');
    assert.equal(await cell.getAttribute('data-index'), '2,63');
    compare(await numbers(page), { page: trace });
    trace.dispose();
    await close();
  });

  test('what is removed, beside what is intact', async () => {
    const remove = ['scale', 'projections', 'mask'];
    const page = traceExample(gf, 'masked', { remove });
    const intact = traceExample(gf, 'masked');
    const hash = `#v=1&example=masked&remove=${remove.join(',')}`;
    const opened = await open(hash);
    for (const t of ends(timeline(page.steps))) {
      await follow(opened.page, `${hash}&t=${t}`);
      const shown = await numbers(opened.page);
      assert.ok(shown.some(({ run }) => run === 'intact'));
      compare(shown, { page, intact });
    }
    const entropy = (trace) => {
      const rows = trace.step('weights').data;
      return -rows.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0) / 3;
    };
    const told = await opened.page.locator('gf-readouts dd').first().locator('span').all();
    const values = await Promise.all(told.map((span) => span.getAttribute('title')));
    assert.ok(Math.abs(Number(values[0]) - entropy(intact)) < 1e-6, values[0]);
    assert.ok(Math.abs(Number(values[1]) - entropy(page)) < 1e-6, values[1]);
    assert.deepEqual(opened.complaints, []);
    page.dispose();
    intact.dispose();
    await opened.close();
  });
});

describe('time, by keyboard', () => {
  const now = (page) => page.locator('gf-timeline [type=range]').inputValue().then(Number);
  const stage = (page) => page.locator('gf-stage h2').textContent();

  test('play runs to the end and stops; play again begins anew', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('#v=1&example=hi-how&speed=0.25');
    await page.keyboard.press('9');
    await page.keyboard.press('Shift+ArrowRight');
    const from = await now(page);
    await page.keyboard.press('Space');
    await until(
      page,
      (x) => Number(document.querySelector('gf-timeline [type=range]').value) > x,
      from,
    );
    await page.keyboard.press('Space');
    await settled(page);
    const held = await now(page);
    assert.match(await addressOf(page), /t=\d/);
    /* To the end it goes sixteen times as fast. */
    for (let k = 0; k < 4; k++) await page.keyboard.press(']');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('gf-timeline [aria-label=Play]'));
    assert.ok((await now(page)) > held);
    const trace = traceExample(gf, 'hi-how');
    compare(await numbers(page), { page: trace });
    trace.dispose();
    await page.keyboard.press('Space');
    await until(
      page,
      (x) => Number(document.querySelector('gf-timeline [type=range]').value) < x,
      held,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('steps of all levels, digits, Home and End', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#example=i-love-robotics');
    await page.keyboard.press('5');
    assert.equal(await stage(page), 'Scores');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('gf-caption p').textContent(), /score of “I” for “I”: 2 × 2 …/);
    for (let k = 0; k < 2; k++) await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('gf-caption p').textContent(), /2 × 2 \+ 0 × 1 \+ 1 × 1 = 5/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await page.locator('gf-caption p').textContent(), /…$/);
    await page.locator('gf-timeline select').first().selectOption('row');
    await page.locator('gf-timeline select').first().blur();
    await page.keyboard.press('ArrowRight');
    assert.match(
      await page.locator('gf-caption p').textContent(),
      /score of “love” for “I”: 1 × 2 \+ 1 × 1 \+ 1 × 1 = 4/,
    );
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await stage(page), 'Scaled scores');
    await page.keyboard.press('End');
    assert.equal(await stage(page), 'Output');
    await page.keyboard.press('Home');
    assert.equal(await now(page), 0);
    await page.keyboard.press(']');
    assert.equal(await page.locator('gf-timeline select').last().inputValue(), '2');
    await page.keyboard.press('?');
    await page.locator('gf-shortcuts dialog').waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('gf-shortcuts dialog').isHidden());
    await close();
  });

  test('scrubbing back and forth shows the very same page', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#v=1&example=three-tokens&t=40');
    const scrub = async (part) => {
      await page.locator('gf-timeline [type=range]').evaluate((range, to) => {
        range.value = String(Number(range.max) * to);
        range.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }, part);
      await settled(page);
      return JSON.stringify(await numbers(page));
    };
    const before = await scrub(0.55);
    await scrub(1);
    await scrub(0.1);
    assert.equal(await scrub(0.55), before);
    await close();
  });

  test('Enter opens a cell term by term, Escape goes up', async () => {
    const { page, close } = await open('#example=i-love-robotics');
    await page.keyboard.press('5');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('5');
    for (let k = 0; k < 3; k++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('6');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(
      await page.locator('gf-caption p').textContent(),
      /score of “robotics” for “robotics”/,
    );
    assert.match(await addressOf(page), /open=scores:2,2/);
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('gf-caption p').textContent(), /1 × 1 \+ 1 × 1 …/);
    await page.keyboard.press('Escape');
    assert.match(await page.locator('gf-caption p').textContent(), /each a sum of 3 products/);
    await close();
  });
});

describe('edits, by keyboard', () => {
  const edit = { node: 'x', index: [0, 0], value: 2.5 };

  test('an input; only sense is taken; undo, redo, reset', async () => {
    const { page, complaints, close } = await open('#example=three-tokens');
    const cell = page.locator('gf-stage [data-node=x][data-index="0,0"]');
    await cell.focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('[role=alert]').textContent(), /“two” is not a number/);
    assert.equal(await page.locator('.field').inputValue(), 'two');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2.5');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.locator('[role=alert]').count(), 0);
    assert.match(await cell.getAttribute('class'), /edited/);
    const edited = traceExample(gf, 'three-tokens', { edits: [edit] });
    const plain = traceExample(gf, 'three-tokens');
    await page.keyboard.press('Home');
    await page.locator('gf-stage h2').click();
    await page.keyboard.press('End');
    await settled(page);
    compare(await numbers(page), { page: edited });
    const output = () =>
      page.locator('gf-stage [data-node=output][data-index="0,0"]').getAttribute('data-value');
    const after = await output();
    await page.keyboard.press('Control+z');
    await settled(page);
    compare(await numbers(page), { page: plain });
    assert.notEqual(await output(), after);
    await page.keyboard.press('Control+Shift+Z');
    await settled(page);
    assert.equal(await output(), after);
    await page.getByRole('button', { name: 'Reset' }).click();
    await settled(page);
    compare(await numbers(page), { page: plain });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a computed number, typed over: its matrix is held, what follows recomputes', async () => {
    const { page, close } = await open('#v=1&example=three-tokens&t=60');
    await page.keyboard.press('6');
    await page.locator('gf-stage [data-node=scores][data-index="1,2"]').focus();
    await page.keyboard.type('-3');
    await page.keyboard.press('Enter');
    await settled(page);
    const edits = [{ node: 'scores', index: [1, 2], value: -3 }];
    const trace = traceExample(gf, 'three-tokens', { edits });
    for (const t of ends(timeline(trace.steps))) {
      await follow(page, `#v=1&example=three-tokens&edits=scores:1,2=-3&t=${t}`);
      compare(await numbers(page), { page: trace });
    }
    trace.dispose();
    await close();
  });

  test('a weight, in the microscope', async () => {
    const { page, close } = await open('#v=1&example=three-tokens&path=w_q:1,0');
    const limit = () => page.locator('.legend .end').first().textContent();
    const before = await limit();
    const at = await addressOf(page);
    const edit = page.locator('gf-microscope').getByRole('button', { name: 'Edit' });
    await edit.click();
    /* The field takes what is typed, and a digit does not lead to a stage, wherever the focus went. */
    await page.locator('gf-stage h2').click();
    await page.keyboard.press('3');
    assert.equal(await addressOf(page), at);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await edit.click();
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await settled(page);
    const trace = traceExample(gf, 'three-tokens', {
      edits: [{ node: 'w_q', index: [1, 0], value: 0.5 }],
    });
    assert.match(await page.locator('.changes').textContent(), /^1 number changed, \d+ follow$/);
    assert.ok((await page.locator('gf-strip .changed').count()) > 3);
    assert.equal((await limit()).replace('≤ ', ''), before);
    await page.keyboard.press('End');
    await settled(page);
    compare(await numbers(page), { page: trace });
    trace.dispose();
    await close();
  });
});

describe('looking closer', () => {
  test('a click pins, a second one opens, operands can be entered, the trail leads back', async () => {
    const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=99');
    const trail = page.locator('gf-microscope .trail');
    await page.locator('gf-stage [data-node=output][data-index="1,0"]').click();
    assert.match(await addressOf(page), /path=output:1,0/);
    await page.locator('gf-microscope tbody [data-node=weights]').first().click();
    await settled(page);
    assert.match(
      await trail.textContent(),
      /output of “love”, channel 1 › .*weight of “love” for “I”/s,
    );
    assert.equal(await page.locator('gf-stage h2').textContent(), 'Attention weights');
    await page.locator('gf-microscope tbody [data-node="scores.scaled"]').first().click();
    await settled(page);
    await trail.getByRole('button', { name: 'output of “love”' }).click();
    await settled(page);
    assert.equal(await page.locator('gf-stage h2').textContent(), 'Output');
    assert.equal(await trail.count(), 0);
    await page.locator('gf-stage [data-node=output][data-index="1,0"]').click();
    await settled(page);
    assert.match(await addressOf(page), /open=output:1,0/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a sum has no result before its last term is added', async () => {
    const { page, close } = await open('#v=1&t=0&level=term');
    const results = () => page.locator('gf-formula .line').count();
    await page.keyboard.press('Escape');
    const moments = await page.evaluate(() => {
      const { moments, stages } = document.querySelector('gf-chapter-attention').line;
      const first = moments.findIndex(({ terms, cell }) => terms > 1 && cell === 0);
      return { first, terms: moments[first].terms, node: stages[moments[first].stage].name };
    });
    for (let term = 0; term < moments.terms; term++) {
      await follow(page, `#v=1&t=${moments.first + term}`);
      const last = term === moments.terms - 1;
      const shown = await page.locator('gf-microscope .big .number').count();
      assert.equal(shown, last ? 1 : 0, `term ${term}`);
      assert.equal(await results(), last ? 4 : 3);
    }
    await close();
  });

  test('terms, partial sums and powers are the core’s own', async () => {
    const { page, close } = await open('#v=1&example=three-tokens&t=99');
    const trace = traceExample(gf, 'three-tokens');
    const columns = (from) =>
      page
        .locator('gf-microscope tbody tr')
        .evaluateAll(
          (rows, at) =>
            rows.map((row) =>
              [...row.querySelectorAll('.number')].slice(at).map(({ title }) => title),
            ),
          from,
        );
    await page.locator('gf-stage [data-node=output][data-index="2,0"]').click();
    const sum = explain(trace, 'output', [2, 0], gf).terms;
    const products = (await columns(2)).map((row) => row.map(inFull));
    assert.deepEqual(
      products,
      sum.map((term) => [term.product, term.sum]),
    );
    await page.locator('gf-microscope tbody [data-node=weights]').nth(1).click();
    await settled(page);
    const { row, total } = explain(trace, 'weights', [2, 1], gf);
    const powers = (await columns(1)).map((shown) => shown.map(inFull));
    assert.deepEqual(
      powers,
      row.map(({ shifted, exp }) => [shifted, exp]),
    );
    const foot = page.locator('gf-microscope tfoot .number');
    assert.equal(inFull(await foot.nth(1).getAttribute('title')), total);
    trace.dispose();
    await close();
  });

  test('pointing at a number previews how it arose, and lights what it came from', async () => {
    const { page, close } = await open('#v=1&example=i-love-robotics&t=99');
    await page.locator('gf-stage [data-node=output][data-index="0,2"]').hover();
    await settled(page);
    assert.match(
      await page.locator('gf-microscope .what').textContent(),
      /output of “I”, channel 3/,
    );
    assert.equal(await page.locator('gf-stage .operand').count(), 6);
    await close();
  });

  test('mismatches are marked, listed with their cause, and each opens its cell', async () => {
    const { page, close } = await open('#example=the-cat-sat-projected');
    const trace = traceExample(gf, 'the-cat-sat-projected');
    await page.locator('gf-mismatches summary').click();
    const entries = page.locator('gf-mismatches li:has(button)');
    assert.equal(await entries.count(), trace.mismatches.length);
    compare(await numbers(page), { page: trace });
    for (const [k, wrong] of trace.mismatches.entries()) {
      const told = await entries.nth(k).textContent();
      const cause =
        wrong.cause === 'step'
          ? /mistake is in this step/
          : /carried on with a (rounded|wrong) number/;
      assert.match(told, cause);
      assert.ok(
        told.includes(
          `prints ${trace.printed[wrong.node].text[flat(trace.step(wrong.node).shape, wrong.index)]}`,
        ),
        told,
      );
    }
    await entries.first().getByRole('button').click();
    await settled(page);
    const { node, index } = trace.mismatches[0];
    const cell = page.locator(`gf-stage [data-node="${node}"][data-index="${index}"]`);
    assert.match(await cell.getAttribute('class'), /wrong/);
    assert.match(
      await page.locator('gf-microscope .wrong').textContent(),
      /The source prints 0\.31; it is 0\.34/,
    );
    trace.dispose();
    await close();
  });
});

describe('what the text prints', () => {
  for (const [name, path, sentence] of [
    ['the-cat-sat', 'output:0,0', 'The source prints 0.84, which is right.'],
    ['the-cat-sat', 'output:0,1', 'The source prints 0.74; it is 0.73'],
    ['the-cat-sat', 'weights:1,2', 'The source prints 0.11, truncated; rounded, it is 0.12.'],
    ['hi-how', 'output:1,1', 'The source prints 0.87; it is 0.86'],
    ['three-tokens', 'weights:2,1', 'The source prints 0.38; it is 0.37'],
  ]) {
    test(`${name} ${path}: ${sentence}`, async () => {
      const { page, close } = await open(`#v=1&example=${name}&t=9999&path=${path}`);
      assert.ok((await page.locator('gf-microscope').innerText()).includes(sentence));
      await close();
    });
  }

  test('beside the wrong numbers are truncated ones, and equations that hold for printed numbers', async () => {
    const { page, complaints, close } = await open('#example=the-cat-sat');
    const list = page.locator('gf-mismatches');
    assert.equal(await list.locator('summary').textContent(), 'Source');
    await list.locator('summary').click();
    assert.equal(await list.locator('p b').nth(1).textContent(), '2 wrong numbers in the text');
    const of = (i) => list.locator('ul').nth(i).locator('li').allInnerTexts();
    assert.deepEqual(
      [await of(0), await of(1)].map((rows) => rows.map((row) => /[\d.]+, |[\d.]+;/.exec(row)[0])),
      [
        ['0.74;', '0.74;'],
        ['0.11, ', '1.26, ', '1.26, ', '0.32, ', '0.32, '],
      ],
    );
    assert.match(
      (await of(1)).at(-1),
      /0\.32, which follows from its own numbers; exactly, it is 0\.31/,
    );
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('removals', () => {
  test('of a step without numbers yet show all of both, and no switch moves', async () => {
    const { page, close } = await open('#v=1&example=pocket');
    const name = await page.locator('gf-strip button', { hasText: 'A' }).getAttribute('title');
    const stage = page.getByRole('button', { name });
    const computed = () =>
      page.locator('gf-stage .cell[data-node="weights"]:not(.unknown)').count();
    await stage.click();
    await settled(page);
    assert.equal(await computed(), 49, 'a step is shown with all its numbers');
    await stage.click();
    await settled(page);
    assert.equal(await computed(), 0, 'and once more from its beginning');
    await unfold(page);
    const softmax = page.getByRole('checkbox', { name: 'the softmax' });
    const place = await softmax.boundingBox();
    await softmax.check();
    await settled(page);
    assert.ok((await computed()) >= 98, 'intact and without the step');
    assert.deepEqual(await softmax.boundingBox(), place);
    await close();
  });

  test('by the panel, by the arrow, and back by undo', async () => {
    const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=99');
    await unfold(page);
    const panel = page.locator('gf-switches');
    assert.doesNotMatch(await panel.textContent(), /the mask/, 'this example has none');
    await panel.getByRole('checkbox', { name: /the softmax/ }).check();
    await settled(page);
    assert.match(await addressOf(page), /remove=softmax/);
    await page.keyboard.press('6');
    await page.locator('gf-stage .run').last().getByRole('button', { name: 'remove' }).click();
    await settled(page);
    assert.match(await addressOf(page), /remove=softmax,scale/);
    const both = traceExample(gf, 'i-love-robotics', { remove: ['softmax', 'scale'] });
    const intact = traceExample(gf, 'i-love-robotics');
    await page.keyboard.press('End');
    await settled(page);
    compare(await numbers(page), { page: both, intact });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await settled(page);
    compare(await numbers(page), { page: intact });
    assert.equal(await page.locator('gf-readouts dl').count(), 0);
    assert.deepEqual(complaints, []);
    both.dispose();
    intact.dispose();
    await close();
  });
});

describe('one’s own sentence', () => {
  test('typed, shown, refused with a reason and nothing lost', async () => {
    const { page, complaints, close } = await open('#example=hi-how');
    await page.locator('gf-chooser select').selectOption({ label: 'Your own sentence…' });
    const form = page.locator('gf-sentence form');
    await form.getByLabel('Sentence', { exact: true }).fill('a b '.repeat(13));
    await form.getByRole('button', { name: 'Show' }).click();
    assert.match(await page.locator('[role=alert]').textContent(), /1 to 24 words.*26/);
    assert.match(await addressOf(page), /#example=hi-how$/);
    await form.getByLabel('Sentence', { exact: true }).fill('Time flies.');
    await form.getByLabel('heads', { exact: true }).fill('2');
    await form.getByRole('button', { name: 'Show' }).click();
    await settled(page);
    const trace = traceExample(gf, sentence('Time flies.', { heads: 2 }));
    await page.keyboard.press('End');
    await settled(page);
    compare(await numbers(page), { page: trace });
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });

  test('its form closes when it is shown, and on a press beside it', async () => {
    const { page, close } = await open('#v=1&sentence=4~4~1~1~p~Time flies');
    const form = page.locator('gf-sentence form');
    const own = page.getByRole('button', { name: 'Your own sentence' });
    await own.click();
    await form.getByRole('button', { name: 'Show' }).click();
    await settled(page);
    assert.equal(await form.count(), 0);
    await own.click();
    await form.getByLabel('Sentence', { exact: true }).click();
    assert.equal(await form.count(), 1);
    await page.locator('gf-caption').click();
    await settled(page);
    assert.equal(await form.count(), 0);
    await close();
  });
});

describe('the list of examples', () => {
  test('has those with attention, and another one that a link shows', async () => {
    const { page, close } = await open('#example=hi-how');
    const listed = () =>
      page.locator('gf-chooser option').evaluateAll((all) => all.map(({ value }) => value.trim()));
    const due = Object.values(examples)
      .filter(({ attention }) => attention)
      .map(({ name }) => name);
    assert.ok(due.length < Object.keys(examples).length);
    assert.deepEqual(await listed(), [...due, 'own']);
    await follow(page, '#example=layer-norm');
    assert.ok((await listed()).includes('layer-norm'));
    assert.equal(await page.locator('gf-chooser select').inputValue(), 'layer-norm');
    await close();
  });
});

describe('the scale of colours', () => {
  test('is shared, or each matrix has its own, which the link keeps', async () => {
    const { page, close } = await open('#v=1&example=three-tokens&t=0');
    /* The colours at the ends of the scale, as the legend has them. */
    const ends = () =>
      page
        .locator('gf-legend .bar')
        .first()
        .evaluate((bar) => [
          getComputedStyle(bar.firstElementChild).backgroundColor,
          getComputedStyle(bar.lastElementChild).backgroundColor,
        ]);
    const largest = () =>
      page.locator('gf-stage .cell[data-node=x]').evaluateAll((cells) => {
        const size = (cell) => Math.abs(Number(cell.dataset.value));
        const most = cells.reduce((one, other) => (size(other) > size(one) ? other : one));
        return getComputedStyle(most).backgroundColor;
      });
    assert.ok(!(await ends()).includes(await largest()));
    await unfold(page);
    await page.getByLabel('scale per matrix').check();
    await settled(page);
    assert.ok((await ends()).includes(await largest()));
    assert.match(await addressOf(page), /scale=own/);
    assert.match(await page.locator('gf-legend .name').first().innerText(), /^values of X$/);
    await page.reload();
    await page.locator('gf-stage .matrix').waitFor();
    await settled(page);
    assert.ok((await ends()).includes(await largest()));
    await close();
  });
});

describe('on a narrow screen', () => {
  test('no label of a column stands beside the name of a matrix', async () => {
    const { page, close } = await open('#v=1&example=ten-tokens&t=9999', {
      viewport: { width: 375, height: 812 },
    });
    const parts = await page.locator('gf-stage .part').count();
    assert.equal(parts, 3);
    const over = await page.locator('gf-stage .figure-grid').evaluate((grid) => {
      const boxes = (selector) =>
        [...grid.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
      /* However long both are in a language. */
      const meet = (a, b) => a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return boxes('.part > *').flatMap((name) =>
        boxes('.head span').filter((label) => meet(name, label)),
      ).length;
    });
    assert.equal(over, 0);
    await close();
  });
});

describe('what is said', () => {
  test('a refused edit leaves the stage where it is, and can be put away', async () => {
    const { page, close } = await open('#v=1&example=three-tokens&t=1');
    const stage = () => page.locator('gf-stage .matrix').first().boundingBox();
    const before = await stage();
    await page.locator('gf-stage .cell').first().focus();
    await page.keyboard.type('1e99');
    await page.keyboard.press('Enter');
    const notice = page.locator('[role=alert]');
    await notice.waitFor();
    await settled(page);
    assert.deepEqual(await stage(), before);
    await notice.getByRole('button', { name: 'Close' }).click();
    await settled(page);
    assert.equal(await notice.count(), 0);
    await close();
  });
});

describe('the address', () => {
  test('pasted elsewhere shows the same page', async () => {
    const hash = '#v=1&example=masked&remove=mask&edits=w_q:0,0=3&t=55&theme=dark';
    const first = await open(hash);
    await first.page.keyboard.press('ArrowRight');
    await settled(first.page);
    const second = await open(await addressOf(first.page));
    assert.equal(
      JSON.stringify(await numbers(second.page)),
      JSON.stringify(await numbers(first.page)),
    );
    await first.close();
    await second.close();
  });

  test('goes back and forward over choices', async () => {
    const { page, close } = await open('#example=hi-how');
    await page.locator('gf-chooser select').selectOption('three-tokens');
    await page.waitForURL(/three-tokens/);
    await travel(page, 'back');
    assert.equal(await page.locator('gf-chooser select').first().inputValue(), 'hi-how');
    await travel(page, 'forward');
    assert.equal(await page.locator('gf-chooser select').first().inputValue(), 'three-tokens');
    await close();
  });

  test('that makes no sense gives a notice and the opening page', async () => {
    const bad = [
      '#example=nowhere',
      '#v=9&example=hi-how',
      '#example=%E0%A4%A',
      '#<img src=x onerror=alert(1)>',
      '#v=1&example=hi-how&edits=nothing:0=1',
      '#v=1&example=hi-how&edits=x:9,9=1',
      '#v=1&example=hi-how&path=x:9,9',
      '#v=1&example=hi-how&remove=mask',
      '#v=1&sentence=8~8~3~1~p~hi',
      `#v=1&sentence=8~8~1~1~p~${'word '.repeat(40)}`,
    ];
    const { page, complaints, close } = await open('#example=hi-how');
    for (const hash of bad) {
      await follow(page, hash);
      assert.match(
        await page.locator('[role=alert]').textContent(),
        /opens without the link/,
        hash,
      );
      assert.equal(await page.locator('gf-chooser select').inputValue(), 'i-love-robotics', hash);
    }
    await follow(page, '#example=hi-how');
    assert.equal(await page.locator('[role=alert]').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('where the page cannot run', () => {
  test('it says so without WebAssembly', async () => {
    const context = await browsing.browser.newContext();
    await context.addInitScript(() => {
      delete globalThis.WebAssembly;
    });
    const page = await context.newPage();
    await page.goto(`${browsing.site.url}#chapter=attention`);
    await ready(page);
    assert.match(await page.locator('.failure').textContent(), /WebAssembly/);
    await context.close();
  });

  test('it says so where a policy refuses WebAssembly', async () => {
    const context = await browsing.browser.newContext();
    const page = await context.newPage();
    await page.route(browsing.site.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(" 'wasm-unsafe-eval'", '');
      await route.fulfill({ response, body });
    });
    await page.goto(`${browsing.site.url}#chapter=attention`);
    await ready(page);
    assert.match(await page.locator('.failure').textContent(), /'wasm-unsafe-eval'/);
    await context.close();
  });

  /** Opens the page where no chapter can be fetched, until the connection is mended. */
  async function cutOff(hash) {
    const opened = await browsing.open('', { ready: 'gf-masthead' });
    const { page, complaints } = opened;
    const chunks = /assets\/(chapter|stories)-/;
    if (hash === '') await page.goto('about:blank');
    await page.route(chunks, (route) => route.abort());
    if (hash === '') await page.goto(`${browsing.site.url}#chapter=attention`);
    const mend = async () => {
      await page.unroute(chunks);
      /* What the browser says of what did not come is no complaint of the page. */
      complaints.splice(
        0,
        complaints.length,
        ...complaints.filter((one) => !/net::ERR_FAILED/.test(one)),
      );
      await page.getByRole('button', { name: 'Try again' }).click();
    };
    return { ...opened, mend };
  }

  test('it says so where its first chapter does not load, and tries again', async () => {
    const { page, complaints, mend, close } = await cutOff('');
    await page.locator('.failure', { hasText: 'The chapter “Attention” did not load' }).waitFor();
    await mend();
    await page.waitForSelector('gf-stage .matrix');
    assert.equal(await page.locator('.failure').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('it says so where another chapter does not load, keeps this one, and tries again', async () => {
    const { page, complaints, mend, close } = await cutOff('#chapter=heads');
    await page.getByRole('link', { name: 'Heads' }).click();
    await page.locator('.notice', { hasText: 'The chapter “Heads” did not load' }).waitFor();
    assert.equal((await page.locator('gf-chapter-attention gf-stage .matrix').count()) > 0, true);
    await mend();
    await page.waitForSelector('gf-chapter-heads gf-multiples .matrix');
    assert.equal(await page.locator('.notice').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('it says so where the core does not load, and tries again', async () => {
    const context = await browsing.browser.newContext();
    const page = await context.newPage();
    await page.route(/\.wasm$/, (route) => route.abort());
    await page.goto(`${browsing.site.url}#chapter=attention`);
    await page.locator('.failure', { hasText: 'The core could not start' }).waitFor();
    await page.unroute(/\.wasm$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('gf-stage .matrix');
    await context.close();
  });
});

describe('on a phone', () => {
  test('the number that is told and its caption are both in sight, at every step', async (t) => {
    if (waits(t)) return;
    const viewport = { width: 375, height: 812 };
    for (const [hash, by] of [
      ['v=1&example=the-cat-sat&t=1', 9],
      ['v=1&chapter=heads&panel=stage&t=1', 40],
      ['v=1&chapter=transformer&panel=stage&block=encoder.0.self_attn&t=1', 60],
    ]) {
      const { page, close } = await open(`#${hash}`, { viewport, ready: '.lesson gf-stage' });
      const end = await page.evaluate(
        () => document.querySelector('.lesson').parentElement.line.moments.length,
      );
      for (let t = 1; t < end; t += by) {
        await follow(page, `#${hash.replace(/t=1$/, `t=${t}`)}`);
        await settled(page);
        const seen = await page.evaluate(() => {
          const cell = document.querySelector('gf-stage .figure-grid :is(.cell, .frame).focus');
          if (!cell) return null;
          const [own, caption, bar] = [cell, 'gf-caption', 'gf-timeline'].map((one) =>
            (typeof one === 'string' ? document.querySelector(one) : one).getBoundingClientRect(),
          );
          const all = own.top >= 0 && own.bottom <= caption.top && own.left >= 0;
          return all && own.right <= innerWidth && caption.bottom <= bar.top + 1;
        });
        assert.notEqual(seen, false, `${hash} at ${t}`);
      }
      await close();
    }
  });
});

test('the number under the pointer says where it is, in full', async () => {
  const { page, close } = await open('#v=1&example=i-love-robotics&t=1e6');
  const titled = page.locator('gf-matrix .cell[title]');
  assert.equal(await titled.count(), 0);
  const cell = page.locator('gf-matrix [data-node="output"][data-index="0,1"]');
  await cell.hover();
  await page.locator('gf-matrix [data-index="0,1"][title]').waitFor();
  assert.equal(await titled.count(), 1);
  assert.equal(await cell.getAttribute('title'), `1, 2: ${await cell.getAttribute('data-value')}`);
  await close();
});
