// Rows that are added up, as arrows: asked for they begin at one point, then each where the one before it ends; and one alone
// beside the word by which it is multiplied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBrowser, settled } from './browser.js';
import { answer, lessons, PASSED } from './learner.js';

const { open } = inBrowser();
const ready = 'gf-sum .laid';

/** @param {string} name @param {number} n */
const sceneAt = (name, n) => ({
  scene: lessons.find((one) => one.name === name).scenes[n - 1],
  link: `#lesson=${name}&scene=${n}`,
});

/** The numbers that the address of a scene gives, in rows. @param {{ state: string }} scene @param {string} name */
const numbersIn = ({ state }, name) =>
  JSON.parse(new URLSearchParams(state.slice(1)).get('numbers'))
    [name].split(';')
    .map((row) => row.trim().split(' ').map(Number));

/** Where the arrows begin and end on the screen, from the origin, in units of the plane's first number. */
const arrowsIn = (page) =>
  page.locator('gf-sum').evaluate((sum) => {
    const svg = sum.querySelector('svg');
    const box = svg.getBoundingClientRect();
    const scale = box.width / 400;
    const middle = { x: box.left + 200 * scale, y: box.top + 200 * scale };
    return [...svg.querySelectorAll('.laid .shaft')].map((shaft) => {
      const to = shaft.getScreenCTM();
      const at = (length) => {
        const { x, y } = shaft.getPointAtLength(length).matrixTransform(to);
        return [(x - middle.x) / scale, (middle.y - y) / scale];
      };
      return { from: at(0), towards: at(shaft.getTotalLength()) };
    });
  });

const near = (a, b, much) => Math.hypot(a[0] - b[0], a[1] - b[1]) < much;

test('parts begin at the origin; answered, they are laid end to end, and their end is their sum', async () => {
  const { scene, link } = sceneAt('find-the-head', 2);
  const { page, complaints, close } = await open(link, { ready });
  const before = await arrowsIn(page);
  assert.equal(before.length, 4);
  for (const { from } of before) assert.ok(near(from, [0, 0], 1), `${from}`);
  assert.equal(await page.locator('gf-sum .end').count(), 0);
  assert.match(await page.locator('gf-sum .product').innerText(), /\(\?, \?\)/);
  await answer(page, scene);
  await page.waitForSelector(PASSED);
  await settled(page);
  await page.waitForFunction(() =>
    document
      .querySelector('gf-sum')
      .getAnimations({ subtree: true })
      .every(({ playState }) => playState === 'finished'),
  );
  const parts = numbersIn(scene, 'parts');
  const total = parts.reduce(([x, y], [dx, dy]) => [x + dx, y + dy], [0, 0]);
  /* Of the drawing, for 1: by the first arrow, which begins at the origin before and after. */
  const end = await page
    .locator('gf-sum .end')
    .evaluate((one) => [one.cx.baseVal.value - 200, 200 - one.cy.baseVal.value]);
  const unit = Math.hypot(...end) / Math.hypot(...total);
  assert.ok(
    near(
      end,
      total.map((x) => unit * x),
      0.5,
    ),
    `${end}`,
  );
  let place = [0, 0];
  for (const [i, { from }] of (await arrowsIn(page)).entries()) {
    assert.ok(
      near(
        from,
        place.map((x) => unit * x),
        1,
      ),
      `part ${i} begins at ${from}`,
    );
    place = place.map((x, c) => x + parts[i][c]);
  }
  assert.match(
    await page.locator('gf-sum .product').innerText(),
    new RegExp(`\\(${total.join(', ')}\\)`),
  );
  /* The name whose column has the larger dot product with the sum. */
  const columns = numbersIn(scene, 'w_u');
  const [ben, tom] = [0, 1].map((c) => total[0] * columns[0][c] + total[1] * columns[1][c]);
  assert.ok(ben > tom);
  assert.equal(await page.locator('gf-sum .likeliest text').textContent(), 'Ben');
  assert.deepEqual(complaints, []);
  await close();
});

for (const [name, n, terms, product] of [
  ['find-the-head', 3, 'H2 · Ben = 3 · 2 + 1 · 1 = ', '7'],
  ['a-head-is-born', 8, 'O · re = −0.157 · (−1) + −0.719 · (−1) = ', '0.875'],
]) {
  test(`${name} ${n}: one part is multiplied by its word, and the product waits for the answer`, async () => {
    const { scene, link } = sceneAt(name, n);
    const { page, close } = await open(link, { ready });
    const said = () => page.locator('gf-sum .product').innerText();
    assert.equal(await said(), `${terms}?`);
    assert.equal(await page.locator('gf-sum .shadow').count(), 0);
    await answer(page, scene);
    await page.waitForSelector(PASSED);
    await settled(page);
    assert.equal(await said(), terms + product);
    /* Where the part is projected, no line leaves the paper. */
    const ends = await page
      .locator('gf-sum .shadow .along')
      .evaluate((one) =>
        [0, one.getTotalLength()]
          .map((at) => one.getPointAtLength(at))
          .flatMap(({ x, y }) => [x, y]),
      );
    assert.ok(Math.min(...ends) > -1 && Math.max(...ends) < 401, `${ends}`);
    await close();
  });
}
