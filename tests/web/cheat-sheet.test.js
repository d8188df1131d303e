// The cheat sheet: the numbers of a sentence against float64, one page on paper, and the same as a file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { examples } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import { reference } from '../reference/attention64.js';
import { inBrowser, settled } from './browser.js';
import { lessons } from './learner.js';

const { open } = inBrowser();
const ready = 'gf-cheat-sheet svg text';
const link = '#lesson=cheat-sheet';
const texts = (page) => page.locator('.cheat-sheet svg text').allTextContents();

test('the path has the numbers of the sentence that is chosen, as in float64', async () => {
  const { page, complaints, close } = await open(link, { ready });
  assert.equal(await page.title(), 'Cheat sheet · Glassformer');
  await page.locator('.cheat-sheet select').selectOption({ label: 'Eva and Tom are here. He' });
  await settled(page);
  const run = reference({
    ...examples.pocket,
    inputs: { ...examples.pocket.inputs, tokens: [1, 4, 3, 5, 6, 7, 9] },
  });
  const row = (name, i, width) =>
    Array.from(run[name].data)
      .slice(width * i, width * i + width)
      .map((x) => Number(x.toFixed(2)));
  const told = (await texts(page)).map((one) => one.replaceAll('−', '-'));
  for (const expected of [
    `He (${row('q', 6, 2).join(', ')})`,
    `Tom (${row('k', 2, 2).join(', ')})`,
    `Tom (${row('v', 2, 2).join(', ')})`,
    `He · Tom ${row('scores', 6, 7)[2]}`,
    `He · Tom ${row('scores.scaled', 6, 7)[2]}`,
    `He → Tom ${(100 * run.weights.data[6 * 7 + 2]).toFixed(0)}%`,
    `He (${row('output', 6, 2).join(', ')})`,
  ]) {
    const plain = told.map((one) => one.replace(/\s+/g, ' '));
    assert.ok(plain.includes(expected), `${expected} in ${plain.join(' | ')}`);
  }
  assert.ok(told.some((one) => /^swims\s+99%$/.test(one)));
  assert.deepEqual(complaints, []);
  await close();
});

test('it counts what the reader has done, and ticks it', async () => {
  const { page, close } = await open(link, { ready, alone: true });
  await page.evaluate(() => {
    const kept = {
      'why-attention': { scene: 9, done: true, solved: [1, 2] },
      'one-score': { scene: 2, done: false, solved: [1] },
    };
    localStorage.setItem('glassformer.lessons', JSON.stringify(kept));
  });
  await page.reload();
  await page.waitForSelector(ready);
  const gates = lessons
    .flatMap(({ scenes }) => scenes)
    .filter((one) => one.gate && !one.optional).length;
  const solved = ['why-attention', 'one-score'].flatMap((name) => {
    const { scenes } = lessons.find((one) => one.name === name);
    return (name === 'one-score' ? [1] : [1, 2]).filter((n) => scenes[n - 1].gate);
  }).length;
  assert.equal(
    await page.textContent('.cheat-sheet .course'),
    `1 of ${lessons.length} lessons done, ${solved} of ${gates} questions solved.`,
  );
  const marks = (await texts(page)).filter((one) => /^[✓○]$/.test(one));
  assert.deepEqual(marks, ['○', '✓', '○', '○', '○', '○']);
  await close();
});

test('it prints on one page in each language, and its texts stay within their column', async () => {
  for (const lang of languages) {
    const { page, complaints, close } = await open(`${link}&lang=${lang}`, { ready, alone: true });
    const wide = await page.locator('.cheat-sheet svg').evaluateAll((all) =>
      all.map((one) => {
        const { x, width } = one.getBBox();
        return x + width;
      }),
    );
    for (const right of wide) assert.ok(right <= 351, `${lang}: ${right} of 350`);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1, lang);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test('as a file it has the texts of the page, for white paper, on A4', async () => {
  const { page, close } = await open(`${link}&theme=dark`, { ready });
  const shown = await texts(page);
  const saving = page.waitForEvent('download');
  await page.locator('.cheat-sheet .save').click();
  const file = readFileSync(await (await saving).path(), 'utf8');
  const read = await page.evaluate((source) => {
    const whole = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
    const columns = [...whole.children].map(
      (one) => Number(one.getAttribute('y')) + Number(one.getAttribute('height')),
    );
    return {
      name: whole.localName,
      columns,
      all: [...whole.querySelectorAll('text')].map((one) => one.textContent),
      light: [...whole.querySelectorAll('text')].filter((one) =>
        /^#[e-f]/.test(one.getAttribute('fill')),
      ),
    };
  }, file);
  assert.equal(read.name, 'svg');
  assert.deepEqual(read.all, shown);
  assert.equal(read.light.length, 0);
  for (const below of read.columns) assert.ok(below <= 1123 - 38, String(below));
  await close();
});
