// What the page loads late says so if it does not come, and tries again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample } from '../support/sample.js';
import { inBrowser, unfold, until } from './browser.js';

const browsing = inBrowser();
const TRAINING = '#v=1&chapter=training&settings=dModel:16,heads:2,dFF:24,steps:50&step=3';

/** Each: where, what does not come, what asks for it, who says so, and what is there in the end. */
const parts = {
  'the evidence for a claim': {
    file: /assets\/evidence-/,
    ask: async (page) => {
      await unfold(page);
      await page.locator('gf-switches .test').first().click();
    },
    said: 'gf-app > .notice',
    there: 'gf-evidence dialog[open] .uplot',
  },
  'the evidence that a link opens': {
    file: /assets\/evidence-/,
    hash: '#v=1&example=two-heads&claim=scale',
    said: 'gf-app > .notice',
    there: 'gf-evidence dialog[open] .uplot',
  },
  'what writes exports': {
    file: /assets\/export-/,
    ask: (page) => page.keyboard.press('e'),
    said: 'gf-export .tools',
    there: 'gf-export .preview img',
  },
  'what makes a PNG': {
    file: /assets\/png-/,
    ask: async (page) => {
      await page.keyboard.press('e');
      await page.locator('gf-export').getByLabel('PNG').check();
      await page.locator('gf-export').getByRole('button', { name: 'Download' }).click();
    },
    said: 'gf-export .tools',
    there: 'gf-export .said:text("Saved as")',
  },
  'the trainer': {
    file: /assets\/worker-/,
    hash: TRAINING,
    ready: 'gf-training-bar',
    said: 'gf-chapter-training > .notice',
    there: 'gf-training-attention .maps figure',
  },
  'the stories, from a link of other heads': {
    file: /stories-[^/]*\.safetensors$/,
    hash: '#v=1&chapter=heads&heads=3',
    ready: 'gf-multiples',
    ask: (page) => page.locator('gf-chooser select').selectOption('stories'),
    said: 'gf-app > .notice',
    there: 'gf-chapter-heads .story input',
  },
  'the translator': {
    file: /\.safetensors$/,
    hash: '#v=1&chapter=transformer',
    ready: 'gf-chapter-transformer .waiting',
    words: 'Not done',
    said: 'gf-chapter-transformer .waiting',
    there: 'gf-attention-maps .lines',
  },
};

describe('what does not come is told, and comes when it is tried again', () => {
  for (const [
    name,
    {
      file,
      hash = '#chapter=attention',
      ready,
      words = 'Check your connection',
      ask = async () => {},
      said,
      there,
    },
  ] of sample(Object.entries(parts), 4)) {
    test(name, async () => {
      const { page, complaints, close } = await browsing.open('', { ready: 'gf-masthead' });
      await page.goto('about:blank');
      let asked = 0;
      await page.route(file, (route) => {
        asked++;
        return route.abort();
      });
      await page.goto(new URL(hash, browsing.site.url).href);
      await page.waitForSelector(ready ?? 'gf-stage .matrix');
      await ask(page);
      const told = page.locator(said, { hasText: words });
      await told.waitFor();
      assert.ok(asked > 0);
      /* It fails as long as it cannot come. */
      await told.getByRole('button', { name: 'Try again' }).click();
      await told.waitFor();
      await page.unroute(file);
      await told.getByRole('button', { name: 'Try again' }).click();
      await page.waitForSelector(there);
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
      assert.deepEqual(
        complaints.filter((one) => !/net::ERR_FAILED|dynamically imported/.test(one)),
        [],
      );
      await close();
    });
  }
});

test('what a chapter still computes is no part of the scene that waits for another chapter', async () => {
  const ready = 'gf-chapter-transformer gf-translated .sentence';
  const { page, complaints, close } = await browsing.open('#lesson=whole-machine&scene=8', {
    ready,
  });
  /* Its lesson comes, its chapter does not. */
  const held = [];
  await page.route(/assets\/(?!many-heads).*\.js/, (route) => held.push(route));
  await page.evaluate(() => {
    location.hash = '#lesson=many-heads&scene=1';
  });
  await until(page, () => document.querySelector('gf-learn').shown.state.includes('chapter=heads'));
  await page.locator('gf-chapter-transformer').dispatchEvent('gf-opened');
  /* Drawn would be at once what is drawn at all: the scene itself waits. */
  await page.evaluate(async () => {
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  });
  assert.equal(await page.locator('gf-learn .say p').count(), 0, 'it says nothing yet');
  for (const route of held) await route.continue();
  await page.unroute(/assets\/(?!many-heads).*\.js/);
  await page.locator('gf-gate button').first().waitFor();
  assert.match(await page.locator('gf-gate').innerText(), /Anna/);
  assert.deepEqual(complaints, []);
  await close();
});
