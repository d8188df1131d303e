// The geometric view beside the matrices: what it shows, what is dragged in it, and what long rows are seen along.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gram, largestTwo } from '../support/eigen.js';
import { follow, inBrowser, settled, until } from './browser.js';

const browsing = inBrowser();
const TWO = '#v=1&example=three-tokens';
const THREE = '#v=1&example=i-love-robotics';
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The last moment of a step. @param {import('playwright-core').Page} page @param {string} name */
const endOf = (page, name) =>
  page.evaluate((node) => {
    const { line } = document.querySelector('main > *');
    const stage = line.stages.findIndex((step) => step.name === node);
    return (line.first[stage + 1] ?? line.moments.length) - 1;
  }, name);

/** Opens a step when it is computed, with its arrows. */
async function opened(hash, name, settings) {
  const opening = await browsing.open(hash, settings);
  const { page } = opening;
  await follow(page, `${hash}&t=${await endOf(page, name)}&arrows=1`);
  await page.locator('gf-geometry .arrow').first().waitFor();
  return opening;
}

/** The rows of a step, as the page has them. */
const rowsOf = (page, node) =>
  page.evaluate((name) => {
    const { trace } = document.querySelector('gf-stage').view;
    const { shape, data } = trace.step(name);
    const width = shape.at(-1);
    return Array.from({ length: data.length / width }, (_, row) => [
      ...data.slice(row * width, (row + 1) * width),
    ]);
  }, node);

/** Where the tips of the arrows are, in the drawing's own units, from its origin, upwards. */
const tipsOf = (page) =>
  page.evaluate(() => {
    const [across, up] = document
      .querySelector('gf-geometry .axis')
      .getAttribute('d')
      .match(/^M([\d.]+) .*M0 ([\d.]+)H/)
      .slice(1)
      .map(Number);
    return [...document.querySelectorAll('gf-geometry .handle')].map((one) => [
      Number(one.getAttribute('cx')) - across,
      up - Number(one.getAttribute('cy')),
    ]);
  });

/** Asserts that tips lie where the rows do, all at the same scale, which it returns. */
function placed(tips, seen) {
  assert.equal(tips.length, seen.length);
  const unit = Math.max(...tips.flat().map(Math.abs)) / Math.max(...seen.flat().map(Math.abs));
  for (const [i, [x, y]] of seen.entries()) {
    const [u, v] = tips[i];
    assert.ok(Math.abs(u - x * unit) < 0.01 && Math.abs(v - y * unit) < 0.01, `${i}: ${u}, ${v}`);
  }
  return unit;
}

describe('Arrows', () => {
  test('stand beside scores and outputs, where the button is, and the link keeps them', async () => {
    const { page, complaints, close } = await browsing.open(TWO);
    const button = page.locator('.stage-head .geometry');
    for (const name of ['scores', 'output']) {
      await follow(page, `${TWO}&t=${await endOf(page, name)}`);
      assert.equal(await page.locator('gf-geometry').count(), 0);
      assert.equal(await button.getAttribute('aria-pressed'), 'false');
      await button.click();
      await page.locator('gf-geometry .arrow').first().waitFor();
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      assert.match(await page.evaluate(() => location.hash), /arrows=1/);
      await button.click();
      await settled(page);
      assert.equal(await page.locator('gf-geometry').count(), 0);
      assert.doesNotMatch(await page.evaluate(() => location.hash), /arrows/);
    }
    for (const name of ['q', 'scores.scaled', 'weights']) {
      await follow(page, `${TWO}&t=${await endOf(page, name)}&arrows=1`);
      assert.equal(await button.count(), 0, name);
      assert.equal(await page.locator('gf-geometry').count(), 0, name);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('are the rows themselves where these have two channels', async () => {
    const { page, close } = await opened(TWO, 'scores');
    const [q, k] = [await rowsOf(page, 'q'), await rowsOf(page, 'k')];
    placed(await tipsOf(page), [q.at(-1), ...k]);
    assert.equal(await page.locator('gf-directions').count(), 0);
    /* The key meets the line of the query at its projection. */
    const [[u, v], [, , [x, y]]] = [q.at(-1), k];
    const unit = placed(await tipsOf(page), [q.at(-1), ...k]);
    const part = (u * x + v * y) / (u * u + v * v);
    const cast = await page.locator('gf-geometry .cast').getAttribute('d');
    const [, fx, fy] = /L([-\d.]+),([-\d.]+)/.exec(cast).map(Number);
    const [, ox, oy] = /^M([-\d.]+),([-\d.]+)/.exec(cast).map(Number);
    assert.ok(Math.abs(fx - ox - part * u * unit) < 0.01);
    assert.ok(Math.abs(oy - fy - part * v * unit) < 0.01);
    await close();
  });

  test('are dragged, the matrices follow, and one undo takes all of the way back', async () => {
    const { page, complaints, close } = await opened(TWO, 'scores');
    const before = { k: await rowsOf(page, 'k'), scores: await rowsOf(page, 'scores') };
    const q = await rowsOf(page, 'q');
    const unit = placed(await tipsOf(page), [q.at(-1), ...before.k]);
    const hash = await page.evaluate(() => location.hash);
    /* The second key. */
    const handle = await page.locator('gf-geometry .handle').nth(2).boundingBox();
    const drawing = await page.locator('gf-geometry svg').boundingBox();
    const scale = drawing.width / 400;
    const way = [-40, -25];
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await until(page, () => document.querySelector('gf-arrows').drag?.held === 2);
    await page.mouse.move(x + way[0], y + way[1], { steps: 8 });
    await settled(page);
    const after = await rowsOf(page, 'k');
    const grain = 0.1;
    for (const [c, px] of [way[0], -way[1]].entries()) {
      const moved = after[1][c] - before.k[1][c];
      const wanted = px / scale / unit;
      assert.ok(Math.abs(moved - wanted) <= grain, `channel ${c}: ${moved} for ${wanted}`);
      assert.ok(Math.abs(moved) > grain);
    }
    assert.deepEqual([after[0], after[2]], [before.k[0], before.k[2]]);
    placed(await tipsOf(page), [q.at(-1), ...after]);
    /* While it is dragged all that is shown of the scores is their product. */
    const shown = await page
      .locator('gf-stage [data-node="scores"]')
      .evaluateAll((all) => all.map(({ dataset }) => [dataset.index, Number(dataset.value)]));
    assert.equal(new Set(shown.map(([index]) => index)).size, 9);
    for (const [index, value] of shown) {
      const [i, j] = index.split(',').map(Number);
      assert.ok(Math.abs(value - dot(q[i], after[j])) < 1e-5, `${index}: ${value}`);
    }
    await page.mouse.up();
    await settled(page);
    /* Which channel comes first is that which moved first. */
    const [, edits] = /edits=([^&]*)/.exec(await page.evaluate(() => location.hash));
    const linked = edits.split('~').map((edit) => edit.split('='));
    assert.deepEqual(
      linked.map(([cell, x]) => [cell, Math.fround(Number(x))]).sort(),
      after[1].map((x, c) => [`k:1,${c}`, x]),
    );
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.deepEqual(await rowsOf(page, 'k'), before.k);
    assert.deepEqual(await rowsOf(page, 'scores'), before.scores);
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.keyboard.press('Control+Shift+z');
    await settled(page);
    assert.deepEqual(await rowsOf(page, 'k'), after);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('move by the arrow keys, too', async () => {
    const { page, close } = await opened(TWO, 'output');
    const [v, weights] = [await rowsOf(page, 'v'), await rowsOf(page, 'weights')];
    await page.locator('gf-geometry .handle').nth(1).focus();
    await until(page, () => document.querySelector('gf-arrows').drag);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    const moved = await rowsOf(page, 'v');
    assert.ok(moved[1][1] > v[1][1] && moved[1][0] < v[1][0]);
    for (const [i, row] of (await rowsOf(page, 'output')).entries()) {
      for (const [c, value] of row.entries()) {
        const blend = moved.reduce((sum, one, j) => sum + weights[i][j] * one[c], 0);
        assert.ok(Math.abs(value - blend) < 1e-5);
      }
    }
    await close();
  });

  test('of longer rows show two channels, which are chosen', async () => {
    const { page, close } = await opened(THREE, 'scores');
    const [q, k] = [await rowsOf(page, 'q'), await rowsOf(page, 'k')];
    const rows = [q.at(-1), ...k];
    placed(
      await tipsOf(page),
      rows.map(([a, b]) => [a, b]),
    );
    const choices = page.locator('gf-directions select');
    await choices.first().waitFor();
    await choices.nth(1).selectOption({ value: '2' });
    await choices.nth(0).selectOption({ value: '1' });
    await settled(page);
    placed(
      await tipsOf(page),
      rows.map(([, b, c]) => [b, c]),
    );
    /* Another row of the same step keeps them. */
    const at = await page.evaluate(() => {
      const { line } = document.querySelector('main > *');
      const stage = line.stages.findIndex(({ name }) => name === 'scores');
      return line.moments.findIndex((moment) => moment.stage === stage && moment.cell === 4);
    });
    await follow(page, `${THREE}&t=${at}&arrows=1`);
    placed(
      await tipsOf(page),
      [q[1], ...k].map(([, b, c]) => [b, c]),
    );
    await close();
  });

  test('of longer rows show the principal directions, as an eigen-decomposition has them', async () => {
    const { page, close } = await opened(THREE, 'scores');
    const [q, k] = [await rowsOf(page, 'q'), await rowsOf(page, 'k')];
    const rows = [q.at(-1), ...k];
    await page.locator('gf-directions input').nth(1).check();
    await settled(page);
    await settled(page);
    const [a, b] = largestTwo(gram(rows)).map((along) => {
      const most = along.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best));
      return along.map((x) => x * Math.sign(most));
    });
    placed(
      await tipsOf(page),
      rows.map((row) => [dot(row, a), dot(row, b)]),
    );
    assert.ok(await page.locator('gf-directions select').first().isDisabled());
    /* What is dragged moves in the plane, and what is not seen of it stays. */
    const across = [0, 1, 2].map(
      (i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3],
    );
    await page.locator('gf-geometry .handle').nth(2).focus();
    await until(page, () => document.querySelector('gf-arrows').drag);
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const moved = (await rowsOf(page, 'k'))[1].map((x, i) => x - k[1][i]);
    assert.ok(dot(moved, a) > 0.01);
    assert.ok(Math.abs(dot(moved, b)) < 2e-3 && Math.abs(dot(moved, across)) < 2e-3, String(moved));
    await close();
  });
});
