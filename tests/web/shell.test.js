import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chapters } from '../../web/chapters/index.js';
import { VIEWS } from '../../web/chapters/training/state.js';
import { PANELS as TRANSFORMER } from '../../web/chapters/transformer/state.js';
import { waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled, travel, until } from './browser.js';
import { overflow } from './expect.js';

const browsing = inBrowser();
const { open } = browsing;

const names = chapters.map(({ name }) => name);
const nav = (page) => page.locator('gf-masthead nav');
const openMenu = (page) => page.locator('gf-masthead .menu > summary').click();
const current = (page) => nav(page).locator('[aria-current=page]').textContent();

/** Opens a chapter by its link in the head, which tells when it is there. */
async function go(page, title) {
  await nav(page).getByRole('link', { name: title }).click();
  await nav(page).locator('[aria-current=page]', { hasText: title }).waitFor();
  await settled(page);
}

describe('chapters', () => {
  test('each has a link in the head, says where it is, and opens without complaint', async () => {
    const { page, complaints, close } = await open();
    const tags = ['gf-learn', ...names.map((name) => `gf-chapter-${name}`)];
    assert.equal(await nav(page).getByRole('link').count(), tags.length);
    for (const [at, tag] of tags.entries()) {
      const title = await nav(page).getByRole('link').nth(at).textContent();
      await go(page, title);
      assert.equal(await page.title(), `${title} · Glassformer`);
      assert.equal(await page.locator(`main > ${tag}`).count(), 1);
      assert.equal(await page.locator('main > *').count(), 1);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('are loaded when they are opened, not before', async () => {
    const context = await browsing.browser.newContext();
    const page = await context.newPage();
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${browsing.site.url}#chapter=attention`);
    await page.waitForSelector('gf-stage .matrix');
    const before = asked.length;
    await nav(page).getByRole('link', { name: 'Positions' }).click();
    await page.waitForSelector('gf-waves .matrix');
    assert.ok(asked.length > before, `${before} requests, then ${asked.length}`);
    await context.close();
  });

  test('have the digits that the reader chooses: in the link, in every chapter, undone like a change', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('#v=1&example=three-tokens&t=9999');
    const list = page.locator('gf-masthead .digits select');
    await follow(page, '#v=1&example=three-tokens&t=9999&path=weights:0,0');
    const number = page.locator('gf-microscope .now .number');
    const before = await number.textContent();
    await openMenu(page);
    await list.selectOption({ label: 'all' });
    await settled(page);
    assert.match(await addressOf(page), /round=all/);
    assert.equal(
      Number(await number.textContent()),
      Number(await number.getAttribute('data-value')),
    );
    assert.notEqual(await number.textContent(), before);
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await number.textContent(), before);
    /* A key goes through all choices. */
    const rounds = [];
    for (let i = 0; i < 5; i++) {
      await page.keyboard.press('d');
      await settled(page);
      rounds.push(/round=(\w+)/.exec(await addressOf(page))?.[1]);
    }
    assert.deepEqual(rounds, ['2', '3', '4', 'all', undefined]);
    await list.focus();
    await page.keyboard.press('2');
    await settled(page);
    assert.match(await addressOf(page), /round=2/);
    await go(page, 'Heads');
    assert.match(await addressOf(page), /round=2/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('are left and found again as they were; the theme and the speed go along', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#v=1&example=masked&remove=mask&t=55&speed=2&theme=dark');
    await go(page, 'Heads');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await page.locator('gf-timeline select').last().inputValue(), '2');
    await page.getByRole('button', { name: '4 heads' }).click();
    await settled(page);
    await go(page, 'Attention');
    assert.match(await addressOf(page), /example=masked&remove=mask&t=55/);
    assert.match(await addressOf(page), /theme=dark/);
    await go(page, 'Heads');
    assert.match(await addressOf(page), /chapter=heads.*heads=4/);
    await travel(page, 'back');
    assert.equal(await current(page), 'Attention');
    await travel(page, 'forward');
    assert.equal(await current(page), 'Heads');
    await close();
  });

  test('keep what can be undone in them, until a link leads elsewhere', async () => {
    const { page, close } = await open('#v=1&example=masked&remove=mask');
    await page.locator('gf-switches .what', { hasText: 'the softmax' }).click();
    await settled(page);
    await go(page, 'Heads');
    const undo = page.locator('gf-masthead .undo');
    assert.ok(await undo.isDisabled());
    await go(page, 'Attention');
    assert.match(await addressOf(page), /remove=mask,softmax/);
    await undo.click();
    await settled(page);
    assert.match(await addressOf(page), /remove=mask(&|$)/);
    await follow(page, '#example=three-tokens');
    assert.ok(await undo.isDisabled());
    await close();
  });

  test('have the theme that the reader chose, at the first click, and no link has it', async () => {
    const { page, close } = await open('#v=1&example=masked', {
      alone: true,
      colorScheme: 'light',
    });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const press = async () => {
      await openMenu(page);
      await page.locator('gf-masthead .theme').click();
      await settled(page);
    };
    assert.equal(await theme(), 'light');
    await press();
    assert.equal(await theme(), 'dark');
    assert.doesNotMatch(await addressOf(page), /theme/);
    await page.goto('about:blank');
    await page.goto(`${browsing.site.url}#chapter=heads`);
    await page.waitForSelector('gf-chapter-heads > *');
    assert.equal(await theme(), 'dark');
    /* A link that asks for a theme has it, until the reader chooses. */
    await follow(page, '#v=1&chapter=heads&theme=light');
    assert.equal(await theme(), 'light');
    assert.match(await addressOf(page), /theme=light/);
    await press();
    assert.equal(await theme(), 'dark');
    assert.doesNotMatch(await addressOf(page), /theme/);
    await close();
  });

  test('that are not there give a notice and the first one', async () => {
    const { page, complaints, close } = await open('#chapter=heads');
    for (const name of ['nowhere', '__proto__', '<b>', '%E0%A4%A', '']) {
      await follow(page, `#chapter=${name}`);
      assert.match(await page.locator('[role=alert]').textContent(), /could not be read/, name);
      assert.equal(await current(page), 'Attention', name);
      await follow(page, '#chapter=heads');
      assert.equal(await page.locator('[role=alert]').count(), 0);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('undo their own changes, and forget them when another link is followed', async () => {
    const { page, close } = await open('#v=1&chapter=heads');
    const undo = page.locator('gf-masthead .undo');
    assert.ok(await undo.isDisabled());
    await page.getByRole('button', { name: '4 heads' }).click();
    await settled(page);
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.doesNotMatch(await addressOf(page), /heads=4/);
    await page.getByRole('button', { name: 'Redo' }).click();
    await settled(page);
    assert.match(await addressOf(page), /heads=4/);
    await follow(page, '#chapter=positions');
    assert.ok(await undo.isDisabled());
    await close();
  });

  test('have a sheet of their own keys', async () => {
    const { page, close } = await open('#chapter=positions');
    await page.keyboard.press('?');
    const sheet = page.locator('gf-shortcuts dialog');
    assert.match(await sheet.textContent(), /on a curve/);
    assert.match(await sheet.textContent(), /undo, redo/);
    await page.keyboard.press('Escape');
    await follow(page, '#chapter=attention');
    await page.keyboard.press('?');
    assert.doesNotMatch(await sheet.textContent(), /on a curve/);
    await close();
  });

  test('act on no letter, digit or sign for a reader who does not want that, and do again', async () => {
    const { page, close } = await open('#v=1&example=i-love-robotics');
    const time = () => page.locator('gf-timeline input[type=range]').inputValue();
    await page.keyboard.press('3');
    await settled(page);
    const third = await time();
    assert.notEqual(third, '0');
    for (const [wanted, press, moves] of [
      [false, '1', false],
      [false, 'Home', true],
      [true, '3', true],
    ]) {
      await page.evaluate(() => document.activeElement?.blur());
      const before = await time();
      await openMenu(page);
      await page.locator('gf-masthead').getByRole('button', { name: 'Shortcuts' }).click();
      const sheet = page.locator('gf-shortcuts dialog');
      await sheet.waitFor();
      await page.getByLabel('Letters, digits and signs are shortcuts').setChecked(wanted);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
      await page.keyboard.press(press);
      await settled(page);
      assert.equal((await time()) !== before, moves, press);
    }
    assert.equal(await time(), third);
    await close();
  });

  test('fit in the head of a narrow phone', async () => {
    const phone = { viewport: { width: 320, height: 640 } };
    const { page, close } = await open('', phone);
    for (const name of names) {
      await follow(page, `#chapter=${name}`);
      assert.ok((await overflow(page)).x <= 0, name);
      const inside = await nav(page)
        .locator('[aria-current=page]')
        .evaluate((link) => {
          const { left, right } = link.getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        });
      assert.ok(inside, `${name} is not in sight`);
    }
    await close();
  });
});

describe('on paper', () => {
  test('there is the figure with its caption, legend and formula, on white', async () => {
    const { page, complaints, close } = await open('#v=1&example=three-tokens&t=60&theme=dark');
    await page.emulateMedia({ media: 'print' });
    await settled(page);
    assert.ok((await page.locator('gf-stage .matrix.numbers').first().boundingBox()).height > 80);
    const paper = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    );
    assert.equal(paper, 'rgb(255, 255, 255)');
    for (const shown of ['gf-stage .matrix', 'gf-caption p', '.legend .bar', 'gf-formula math']) {
      assert.ok(await page.locator(shown).first().isVisible(), shown);
    }
    for (const left of ['gf-masthead', 'gf-timeline', 'gf-strip', 'gf-switches', 'gf-microscope']) {
      assert.equal(await page.locator(left).filter({ visible: true }).count(), 0, left);
    }
    await page.emulateMedia({ media: 'screen' });
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('every panel of every chapter fits one sheet', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open();
    for (const hash of [
      '#v=1&example=three-tokens&t=60',
      '#chapter=heads',
      '#v=1&chapter=heads&panel=numbers',
      '#chapter=positions',
      '#v=1&chapter=positions&panel=distance',
      '#v=1&chapter=positions&panel=shift',
      '#v=1&chapter=positions&panel=shuffle',
      ...TRANSFORMER.map((panel) => `#v=1&chapter=transformer&panel=${panel}`),
    ]) {
      await follow(page, hash);
      if (hash.includes('transformer')) await page.waitForSelector('.translation ol button');
      await settled(page);
      const sheets = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g);
      assert.equal(sheets.length, 1, hash);
    }
    await close();
  });

  test('a training is printed without its controls, each view on two sheets at most', async (t) => {
    if (waits(t)) return;
    const settings = 'dModel:16,heads:2,dFF:24,steps:60';
    const { page, close } = await open();
    for (const view of VIEWS) {
      await follow(page, `#v=1&chapter=training&settings=${settings}&step=20&view=${view}`);
      await until(page, () => {
        const { now } = document.querySelector('gf-chapter-training');
        return now.shown === 20 && now.last >= 20 && now.doing === '';
      });
      await page.emulateMedia({ media: 'print' });
      await settled(page);
      for (const left of ['gf-masthead', 'gf-training-bar', 'gf-training-settings', '.tabs']) {
        assert.equal(await page.locator(left).filter({ visible: true }).count(), 0, left);
      }
      const sheets = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g);
      assert.ok(sheets.length <= 2, `${view}: ${sheets.length} sheets`);
      await page.emulateMedia({ media: 'screen' });
    }
    await close();
  });
});

describe('motion', () => {
  /** What moves by itself, in any chapter. */
  const moving = (page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((one) => {
          const { transitionDuration, animationName } = getComputedStyle(one);
          return animationName !== 'none' || /[1-9]/.test(transitionDuration);
        })
        .map((one) => one.className),
    );

  test('there is none where the reader wants none', async () => {
    const still = await open('', { reducedMotion: 'reduce' });
    for (const name of names) {
      await follow(still.page, `#chapter=${name}`);
      await still.page.waitForSelector(`gf-chapter-${name} > *`);
      assert.deepEqual(await moving(still.page), [], name);
    }
    await still.close();
    const lively = await open('#v=1&t=40', { reducedMotion: 'no-preference' });
    /* What has just come does not move. */
    await lively.page.keyboard.press('ArrowRight');
    await settled(lively.page);
    assert.ok((await moving(lively.page)).length > 0);
    await lively.close();
  });
});
