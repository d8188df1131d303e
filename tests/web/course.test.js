// The sheet that takes a figure into a course page: what it writes is what is shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLocal } from '../../web/stage/export/embed-code.js';
import { inBrowser, open as openIn, serve, settled } from './browser.js';
import { calm, host, pageOf, shown } from './host.js';

const browsing = inBrowser();
const { open } = browsing;

const written = (page, form) => page.locator(`gf-course [data-form=${form}] pre`).textContent();

/** Opens the sheet on a state of the page. */
async function sheetOf(hash, options) {
  const opened = await open(hash, options);
  await opened.page.getByRole('button', { name: 'Use it in class' }).click();
  await settled(opened.page);
  return opened;
}

describe('use it in class', () => {
  test('writes a link, a frame, an element and Markdown, which show the present figure', async () => {
    const hash = '#v=1&example=masked&remove=scale&t=94&path=weights:1,0';
    const { page, complaints, close } = await sheetOf(hash);
    const box = (name) => page.locator('gf-course').getByRole('checkbox', { name, exact: true });
    await box('caption').uncheck();
    await box('microscope').check();
    await box('switches').last().check();
    await settled(page);
    assert.equal(await written(page, 'link'), browsing.site.url + hash);
    /* The test's own host is this machine, whose address is nothing to a class. */
    assert.match(
      await page.locator('gf-course .against').innerText(),
      /127\.0\.0\.1.*this computer only/s,
    );
    for (const [address, local] of [
      ['http://localhost:8080/', true],
      ['http://[::1]/', true],
      ['file:///home/me/site/index.html', true],
      ['https://course.example/glassformer/', false],
      ['https://localhost.example/', false],
    ])
      assert.equal(isLocal(address), local, address);
    const markdown = await written(page, 'markdown');
    assert.equal(markdown, `[Glassformer: Attention weights](${browsing.site.url}${hash})`);
    for (const form of ['iframe', 'element']) {
      const inside = await host(browsing, pageOf(await written(page, form), { script: '' }));
      const around = form === 'iframe' ? inside.page.frameLocator('iframe') : inside.page;
      const figure = around.locator('gf-attention');
      await figure.locator('.lesson').waitFor();
      await calm(figure);
      assert.equal(await figure.evaluate((element) => element.getState()), hash, form);
      assert.equal(await figure.locator('gf-microscope').count(), 1, form);
      assert.equal(await figure.locator('gf-caption').count(), 0, form);
      assert.equal(await figure.locator('.remove').count(), 0, form);
      assert.deepEqual(inside.complaints, [], form);
      await inside.close();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('writes an element that a course page of another origin shows', async () => {
    const { page, close } = await sheetOf('#v=1&example=masked&t=94&path=weights:1,0');
    const course = await serve();
    course.pages.set('course.html', pageOf(await written(page, 'element'), { script: '' }));
    const inside = await openIn(browsing.browser, `${course.url}course.html`, { ready: 'body' });
    await shown(inside.page);
    const pinned = inside.page.locator('gf-attention .cell.pinned');
    assert.equal(await pinned.getAttribute('data-node'), 'weights');
    const strange = inside.complaints.filter((one) => !one.startsWith('asked for '));
    assert.deepEqual(strange, []);
    await inside.close();
    course.close();
    await close();
  });

  test('copies what it writes', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, close } = await sheetOf('#example=hi-how', { permissions });
    await page.getByRole('button', { name: 'Copy: Frame' }).click();
    await page.locator('gf-course .said', { hasText: 'Frame copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await written(page, 'iframe'));
    assert.match(copied, /embed\.html#example=hi-how&amp;show=stage,caption,timeline"/);
    await close();
  });

  test('takes the whole page of a chapter that figures do not show', async () => {
    const { page, complaints, close } = await sheetOf('#chapter=positions');
    assert.equal(await page.locator('gf-course [type=checkbox]').count(), 0);
    assert.equal(await page.locator('gf-course [data-form=element]').count(), 0);
    const frame = await host(browsing, pageOf(await written(page, 'iframe'), { script: '' }));
    await frame.page.frameLocator('iframe').locator('gf-chapter-positions').waitFor();
    assert.deepEqual([...complaints, ...frame.complaints], []);
    await frame.close();
    await close();
  });
});

test('on a phone the button is an icon, and the sheet tells what is what', async () => {
  const { page, close } = await open('#v=1&example=hi-how', {
    viewport: { width: 375, height: 812 },
  });
  const button = page.getByRole('button', { name: 'Use it in class' });
  assert.equal(await button.locator('span').isVisible(), false);
  await button.click();
  assert.deepEqual(await page.locator('gf-course .form .label:visible').allTextContents(), [
    'Link',
    'Frame',
    'Element',
    'Markdown',
  ]);
  await close();
});
