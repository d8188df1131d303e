// docs/embedding.md: its blocks show figures, and its tables name what there is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LOCKS } from '../../web/app/state/locks.js';
import { QUESTIONS } from '../../web/figures/embed/protocol.js';
import { PARTS, USUAL } from '../../web/stage/export/embed-code.js';
import { blocks, read } from '../support/markdown.js';
import { inBrowser } from './browser.js';
import { host, pageOf } from './host.js';

const PAGE = 'docs/embedding.md';
const text = read(PAGE);

const browsing = inBrowser();

/** The names that stand first in the rows of a table, by what is in its head. */
const names = (head) => {
  const at = text.indexOf(`| ${head} |`);
  assert.notEqual(at, -1, `no table of ${head}`);
  const [table] = text.slice(at).split('\n\n');
  const rows = table.split('\n').slice(2);
  return rows.flatMap((row) =>
    [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
};

describe('docs/embedding.md', () => {
  const isFramed = (block) => block.includes('src="../playground/');
  const all = blocks(PAGE, 'html');
  test('a frame of the playground shows a lesson of the author’s own that lies beside it, unasked', async () => {
    browsing.site.pages.set('mine.json', read('web/lessons/one-score.json'));
    const block = all.find(isFramed);
    const { page, complaints, close } = await host(
      browsing,
      pageOf(block.replace('../playground/', ''), { script: '' }),
    );
    const frame = page.frameLocator('iframe');
    await frame.locator('gf-learn .say p').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const [i, block] of all.filter((one) => !isFramed(one)).entries()) {
    test(`HTML block ${i + 1} shows a figure`, async () => {
      const { page, complaints, close } = await host(browsing, pageOf(block, { script: '' }));
      const framed = block.includes('<iframe');
      const around = framed ? page.frameLocator('iframe') : page;
      const figure = around.locator('gf-attention, gf-transformer, gf-lesson');
      await figure.locator('.lesson, .say p').first().waitFor();
      assert.equal(await figure.locator('.notice').count(), 0);
      if (block.includes("'resize'")) {
        await page.waitForFunction(() => {
          const frame = document.querySelector('iframe');
          const { offsetHeight } = frame.contentDocument.documentElement;
          return Math.abs(frame.clientHeight - offsetHeight) <= 1;
        });
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test('names every attribute, part, lock, event, method, question and variable', async () => {
    const { page, close } = await host(browsing, pageOf('<gf-attention></gf-attention>'));
    const found = await page.locator('gf-attention').evaluate((figure) => ({
      attributes: figure.constructor.observedAttributes,
      methods: ['getState', 'setState', 'play', 'pause', 'seek'].filter((name) => figure[name]),
      variables: [
        ...new Set(
          [...figure.shadowRoot.adoptedStyleSheets[0].cssRules]
            .flatMap(({ cssText }) => [...cssText.matchAll(/--gf-[\w-]+/g)])
            .map(([name]) => name)
            .filter((name) => !name.startsWith('--gf-curve')),
        ),
      ],
    }));
    await close();
    assert.deepEqual(names('attribute').sort(), found.attributes.sort());
    const methods = names('method').map((call) => call.replace(/\(.*/, ''));
    assert.deepEqual(methods, found.methods);
    assert.deepEqual(names('variable').sort(), found.variables.sort());
    assert.deepEqual(names('to the frame').sort(), Object.keys(QUESTIONS).sort());
    assert.deepEqual(names('event'), ['gf-ready', 'gf-state', 'gf-progress', 'gf-error']);
    assert.ok(text.includes(`\`${PARTS.join(' ')}\``));
    assert.ok(text.includes(`without it \`${USUAL}\``));
    for (const lock of LOCKS) assert.ok(text.includes(`\`${lock}\``), lock);
  });
});
