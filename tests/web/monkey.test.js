// Somebody who presses whatever there is, in any order: buttons, cells, fields, keys, back and forward. In no chapter
// does the page fail. The same seed presses the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chapters } from '../../web/chapters/index.js';
import { full, sample } from '../support/sample.js';
import { inBrowser, travel } from './browser.js';

const { open } = inBrowser();

const PRESSES = full ? 150 : 15;
const SEED = Number(process.env.SEED ?? 1);
const KEYS = [
  ...[
    '?',
    'e',
    'g',
    ' ',
    'Enter',
    'Escape',
    'Escape',
    'Tab',
    'Home',
    'End',
    'ArrowLeft',
    'ArrowRight',
  ],
  ...['1', '4', '9', '[', ']', 'n', '.', ',', 'PageUp', 'PageDown', 'Control+z', 'Control+y'],
];

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * In the page: where something can be pressed, a control drawn by a number from 0 to 1; null if there is none.
 * @param {number} drawn
 */
function placeOf(drawn) {
  const CONTROLS =
    'button, summary, a[href^="#"], input:not([type=file]), select, [role=gridcell], canvas, svg [tabindex]';
  const seen = [...document.querySelectorAll(CONTROLS)].flatMap((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const there = document.elementFromPoint(x, y);
    return width > 0 && one.contains(there) && !one.disabled ? [{ one, x, y }] : [];
  });
  if (seen.length === 0) return null;
  const { one, x, y } = seen[Math.floor(drawn * seen.length)];
  const name = `${one.localName} ${(one.ariaLabel ?? one.textContent).trim().slice(0, 30)}`;
  if (!one.matches('select')) return { x, y, name };
  /* Its list is the browser's own. */
  const option = one.options[Math.floor(((drawn * seen.length) % 1) * one.options.length)];
  one.value = option.value;
  one.dispatchEvent(new Event('change', { bubbles: true }));
  return { name: `${name}: ${option.value}` };
}

/** One press, drawn; what it was. */
async function press(page, draw) {
  const kind = draw();
  if (kind < 0.2) {
    const key = KEYS[Math.floor(draw() * KEYS.length)];
    await page.keyboard.press(key);
    return key;
  }
  if (kind < 0.3) {
    const way = draw() < 0.5 ? 'goBack' : 'goForward';
    /* Not out of the page. */
    await page.evaluate((to) => {
      if (to === 'goBack' ? navigation.canGoBack : navigation.canGoForward) {
        history[to === 'goBack' ? 'back' : 'forward']();
      }
    }, way);
    return way;
  }
  const place = await page.evaluate(placeOf, draw());
  if (!place) return 'nothing';
  const { x, y, name } = place;
  if (x === undefined) return name;
  if (draw() < 0.1) await page.mouse.dblclick(x, y);
  else await page.mouse.click(x, y);
  return name;
}

describe(`${PRESSES} presses at random`, () => {
  for (const [at, { name }] of sample([...chapters.entries()], 2)) {
    test(name, async () => {
      const { page, complaints, close } = await open('');
      await page.evaluate((chapter) => {
        location.hash = `chapter=${chapter}`;
      }, name);
      await page.waitForSelector(`main > gf-chapter-${name} > *`);
      const draw = chance(SEED * 100 + at);
      const done = [];
      for (let k = 0; k < PRESSES && complaints.length === 0; k++) {
        done.push(await press(page, draw));
        await page.evaluate(() => new Promise((frame) => requestAnimationFrame(frame)));
        const wrong = await page.evaluate(
          () => [...document.querySelectorAll('dialog[open]:not(:modal)')].length,
        );
        assert.equal(
          wrong,
          0,
          `a sheet is open without being modal after ${done.slice(-9).join(' · ')}`,
        );
      }
      assert.deepEqual(complaints, [], done.slice(-9).join(' · '));
      await close();
    });
  }
});

describe('a sheet', () => {
  test('closes when another link is followed, and opens again', async () => {
    const { page, complaints, close } = await open('#v=1&chapter=heads');
    await page.evaluate(() => {
      location.hash = 'example=masked';
    });
    await page.waitForSelector('gf-chapter-attention gf-stage .matrix');
    const sheet = page.locator('dialog:modal');
    const press = async (/** @type {string} */ name) => {
      if (name === 'Shortcuts') await page.locator('gf-masthead .menu > summary').click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    for (const name of ['Export', 'Use it in class', 'Shortcuts']) {
      await press(name);
      await sheet.waitFor();
      for (const way of ['back', 'forward']) {
        await travel(page, way);
        assert.equal(await page.locator('dialog[open]').count(), 0, `${name}, ${way}`);
      }
      await press(name);
      await sheet.waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('dialog[open]').count(), 0, name);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('that is part of a state is there as often as that is', async () => {
    const { page, complaints, close } = await open('#v=1&example=masked&claim=mask');
    const sheet = page.locator('gf-evidence dialog:modal');
    await sheet.waitFor();
    await page.evaluate(() => {
      location.hash = 'chapter=heads';
    });
    await page.waitForSelector('gf-chapter-heads gf-multiples .matrix');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    await travel(page, 'back');
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.hash.includes('claim'));
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
