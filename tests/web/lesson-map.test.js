// The map above a lesson's picture, the names of scenes, and what the page is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, inBrowser, settled, until } from './browser.js';
import { lessons } from './learner.js';

const browsing = inBrowser();
const { open } = browsing;
const ready = 'gf-learn .say p';

const lit = (page) => page.locator('gf-lesson-map [aria-current]').getAttribute('data-box');
const drawn = (page) =>
  page
    .locator('gf-lesson-map canvas')
    .evaluateAll((all) => all.map((one) => one.closest('.box').dataset.box));

test('the map is the same in every lesson, lit where the scene is, and grows', async () => {
  const { page, complaints, close } = await open('#lesson=the-output&scene=1', { ready });
  const boxes = () =>
    page.locator('gf-lesson-map .box').evaluateAll((all) => all.map((one) => one.dataset.box));
  const PATH = [
    'x',
    'q',
    'k',
    'v',
    'scores',
    'scale',
    'softmax',
    'weights',
    'blend',
    'output',
    'next',
  ];
  await page.locator('gf-lesson-map .box').first().waitFor();
  assert.deepEqual(await boxes(), PATH);
  assert.equal(await lit(page), 'output');
  /* Nothing is shown before it is computed. */
  assert.deepEqual(await drawn(page), ['x', 'q', 'k', 'v', 'scores', 'scale', 'weights']);
  await follow(page, '#lesson=whole-machine&scene=3');
  await page.locator('gf-lesson-map [data-box=decoder]').waitFor();
  const grown = await boxes();
  for (const one of ['positions', 'heads', 'norm', 'layers', 'decoder'])
    assert.ok(grown.includes(one));
  assert.deepEqual(
    grown.filter((one) => PATH.includes(one)),
    PATH,
  );
  assert.equal(await lit(page), 'norm');
  assert.deepEqual(complaints, []);
  await close();
});

test('the first lesson begins without a map, which has its room and grows from its first arrow on', async () => {
  const { page, complaints, close } = await open('#lesson=why-attention', { ready });
  const boxes = () =>
    page.locator('gf-lesson-map .box').evaluateAll((all) => all.map((one) => one.dataset.box));
  await settled(page);
  assert.deepEqual(await boxes(), []);
  const heightOf = async () => (await page.locator('gf-lesson-map').boundingBox()).height;
  const height = await heightOf();
  const grown = ['x', 'q', 'k', 'v'];
  for (const [scene, count] of [
    [3, 2],
    [4, 3],
    [5, 4],
    [6, 4],
  ]) {
    await follow(page, `#lesson=why-attention&scene=${scene}`);
    await page.locator(`gf-lesson-map .box:nth-child(1)`).first().waitFor();
    await settled(page);
    assert.deepEqual(await boxes(), grown.slice(0, count));
    assert.equal(await heightOf(), height);
  }
  await page.getByRole('button', { name: 'Play' }).click();
  await page.locator('gf-lesson-map [data-box=next]').waitFor();
  assert.equal((await boxes()).length, 11);
  assert.deepEqual(complaints, []);
  await close();
});

test('a click on a box leads to the scene about it, and its name is read before', async () => {
  const { page, close } = await open('#lesson=where-am-i&scene=1', { ready });
  const box = page.locator('gf-lesson-map [data-box=positions]');
  await box.focus();
  assert.match(await page.locator('gf-lesson-map .name').innerText(), /a position code/);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.endsWith('lesson=where-am-i&scene=4'));
  /* What leads out of the lesson says where to. */
  const heads = page.locator('gf-lesson-map [data-box=heads]');
  await heads.hover();
  const name = page.locator('gf-lesson-map .name', { hasText: '→ Lesson 5: Many heads, “' });
  await name.waitFor();
  assert.equal(await heads.locator('.hidden').textContent(), await name.innerText());
  await heads.click();
  await page.waitForFunction(() => location.hash.includes('lesson=many-heads'));
  await close();
});

test('scenes are listed by their names, and name the page', async () => {
  const { page, close } = await open('#lesson=whole-machine&scene=10', { ready });
  const { scenes } = lessons.find(({ name }) => name === 'whole-machine');
  await until(page, () => document.title === 'Temperature · The whole machine · Glassformer');
  await page.locator('.scenes summary').click();
  assert.deepEqual(
    await page.locator('.scenes li a').allInnerTexts(),
    scenes.map(({ name }) => name.en),
  );
  const field = page.locator('.scenes input');
  await field.fill('clock');
  const found = page.locator('gf-scene-search li a');
  await found.first().waitFor();
  assert.deepEqual(await found.allInnerTexts(), ['Two clocks Where am I?']);
  assert.equal(await page.locator('.scenes ol').isVisible(), false);
  await field.press('Escape');
  assert.equal(await page.locator('.scenes').getAttribute('open'), null);
  await follow(page, '#lesson=whole-machine&scene=1&lang=de');
  await until(
    page,
    () => document.title === 'Der Satz läuft hindurch · Die ganze Maschine · Glassformer',
  );
  await follow(page, '#example=hi-how');
  await until(page, () => !document.title.includes('Satz'));
  await close();
});

for (const { width, height } of [
  { width: 375, height: 740 },
  { width: 1440, height: 900 },
]) {
  test(`at ${width} px the map takes little room, and its words can be read`, async () => {
    const { page, close } = await open('#lesson=whole-machine&scene=3', {
      ready,
      viewport: { width, height },
    });
    await settled(page);
    const seen = await page.locator('gf-lesson-map').evaluate((map) => ({
      height: map.offsetHeight,
      sizes: [...map.querySelectorAll('.sign, .sign *, .name')].map((one) =>
        Number.parseFloat(getComputedStyle(one).fontSize),
      ),
      wide: document.documentElement.scrollWidth,
    }));
    assert.ok(seen.height <= 60, `${seen.height} px high`);
    assert.ok(Math.min(...seen.sizes) >= 12, String(seen.sizes));
    assert.ok(seen.wide <= width);
    await close();
  });
}

test('the map and the words say where a film of the stage is', async () => {
  const { page, close } = await open('#lesson=the-output&scene=7', { ready });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.locator('.words .options button').click();
  const beat = page.locator('.words .beat');
  for (const said of [/^Q: queries/, /^K: keys/]) await beat.filter({ hasText: said }).waitFor();
  assert.match(await page.locator('gf-lesson-map .name').innerText(), /^K: keys/);
  await close();
});

test('the name of a box has no gaps', async () => {
  const { page, close } = await open('#lesson=scores-to-weights&scene=2', { ready });
  const name = page.locator('gf-lesson-map .name');
  await name.filter({ hasText: 'the scores' }).waitFor();
  assert.match(await name.innerText(), /^÷ √dk: the scores/);
  await close();
});
