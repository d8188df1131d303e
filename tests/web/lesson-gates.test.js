// What opens the gates of lessons, what is earned, and what a late answer may not do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, inBrowser, settled, until } from './browser.js';
import { PASSED } from './learner.js';

const browsing = inBrowser();
const { open } = browsing;
const ready = 'gf-learn .say p, gf-learn .learned li';

/** Scenes that are solved, as the player has them. */
const solved = (page) =>
  page
    .locator('gf-learn')
    .evaluate(({ lesson, solved }) =>
      lesson.scenes.flatMap((scene, i) => (solved.has(scene) ? [i + 1] : [])),
    );

test('an answer that is marked after its scene was left is dropped', async () => {
  const { page, complaints, close } = await open('#lesson=how-it-learns&scene=3', { ready });
  let release = () => {};
  const held = new Promise((done) => {
    release = done;
  });
  await page.route(/\/checking-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('gf-gate input').fill('3.03');
  await page.keyboard.press('Enter');
  await follow(page, '#lesson=many-heads&scene=8');
  await page.locator('gf-gate input').waitFor();
  const came = page.waitForResponse(/\/checking-/);
  release();
  await (await came).finished();
  await settled(page);
  assert.equal(await page.locator(PASSED).count(), 0);
  assert.equal(await page.locator('.reply p').count(), 0);
  assert.deepEqual(await solved(page), []);
  assert.deepEqual(complaints, []);
  await close();
});

test('a mistake in a step that is shown is told from one in the step that is asked', async () => {
  const { page, close } = await open('#lesson=the-output&scene=5', { ready: 'gf-gate input' });
  const reply = page.locator('.reply.wrong p');
  const fields = page.locator('gf-gate input');
  for (const [i, weight] of ['.497', '.497', '.001'].entries()) await fields.nth(i).fill(weight);
  await page.keyboard.press('Enter');
  await reply.filter({ hasText: '√' }).waitFor();
  assert.match(
    await reply.innerText(),
    /^These numbers do not start from what is shown here \(Scaled scores\)\. You did not divide the scores by √d/,
  );
  await close();
});

test('a wrong choice is met by a hint about it; the last one left earns nothing', async () => {
  const { page, close } = await open('#lesson=find-the-head&scene=1', { ready });
  const buttons = page.locator('gf-gate button');
  await buttons.nth(0).click();
  assert.match(await page.locator('.reply.wrong p').innerText(), /the giver/);
  await buttons.nth(2).click();
  assert.match(await page.locator('.reply.wrong p').innerText(), /names a person/);
  await buttons.nth(1).click();
  await page.waitForSelector(PASSED);
  assert.equal(await page.locator('gf-gate .again').innerText(), 'Once more');
  assert.match(await page.locator('.reply.right p').innerText(), /Right at the last try: /);
  assert.deepEqual(await solved(page), []);
  await follow(page, '#lesson=find-the-head&scene=12');
  const first = page.locator('.unsolved a').first();
  assert.equal(await first.innerText(), 'Who gets the ball?');
  await first.click();
  await buttons.nth(0).click();
  await buttons.nth(1).click();
  await page.waitForSelector(PASSED);
  assert.deepEqual(await solved(page), [1]);
  await close();
});

test('what nobody can know is a guess: it is shown, not called wrong, and counts', async () => {
  const { page, close } = await open('#lesson=many-heads&scene=1', { ready });
  await page.locator('gf-gate button').nth(3).click();
  await page.waitForSelector(PASSED);
  assert.match(await page.locator('.reply.right p').innerText(), /on the first “Anna”/);
  assert.equal(await page.locator('gf-gate .tried').count(), 0);
  assert.deepEqual(await solved(page), [1]);
  await close();
});

test('where no other answer was left the question can be answered anew at once', async () => {
  const { page, close } = await open('#lesson=one-score&scene=8', { ready });
  const buttons = page.locator('gf-gate button');
  await buttons.nth(0).click();
  await page.locator('.reply.wrong p').waitFor();
  await buttons.nth(1).click();
  await page.waitForSelector(PASSED);
  assert.deepEqual(await solved(page), []);
  await page.locator('gf-gate .again').click();
  await page.locator(PASSED).waitFor({ state: 'detached' });
  assert.equal(await page.locator('gf-gate :is(.tried, .right)').count(), 0);
  await buttons.nth(1).click();
  await page.waitForSelector(PASSED);
  assert.deepEqual(await solved(page), [8]);
  await close();
});

test('several fields say what each is for', async () => {
  const { page, close } = await open('#lesson=the-output&scene=5', { ready: 'gf-gate label' });
  assert.deepEqual(await page.locator('gf-gate label').allInnerTexts(), ['Anna', 'Eva', 'and']);
  await close();
});

test('after a click nothing has a ring in the next scene', async () => {
  const { page, close } = await open('#lesson=one-score&scene=4', { ready: 'gf-gate input' });
  await page.locator('gf-gate input').fill('6');
  await page.keyboard.press('Enter');
  await page.waitForSelector(PASSED);
  await page.locator('.next.main').click();
  await page.waitForFunction(() => location.hash.endsWith('scene=5'));
  await page.locator('gf-gate button').first().waitFor();
  await settled(page);
  assert.equal(await page.locator('gf-gate :focus-visible').count(), 0);
  await close();
});

test('after a right answer Enter goes on; of several fields the empty one gets the focus', async () => {
  const { page, close } = await open('#lesson=a-head-is-born&scene=4', { ready });
  const fields = page.locator('gf-gate input');
  await fields.first().fill('1');
  await page.locator('gf-gate button').click();
  await page.locator('.reply.wrong p').waitFor();
  assert.equal(await fields.nth(1).evaluate((one) => one === document.activeElement), true);
  await follow(page, '#lesson=many-heads&scene=8');
  await fields.fill('2');
  await page.locator('gf-gate .main').click();
  await page.waitForFunction(() => document.activeElement.matches('.next.main'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.endsWith('scene=9'));
  await close();
});

test('of steps in their order, a right press takes back what was said of a wrong one', async () => {
  const { page, close } = await open('#lesson=the-output&scene=8', { ready });
  const press = (name) => page.locator('gf-gate button', { hasText: name }).click();
  await press(/^Scores/);
  await page.locator('.reply.wrong p').waitFor();
  await press('Queries');
  await page.locator('.reply p').waitFor({ state: 'detached' });
  assert.match(await page.locator('gf-gate button', { hasText: 'Queries' }).innerText(), /^1/);
  await press(/^Scores/);
  assert.equal(await page.locator('.reply p').count(), 0);
  await close();
});

test('what comes out whole needs no rounding: 6.5 is not 7', async () => {
  const { page, close } = await open('#lesson=where-am-i&scene=7', { ready });
  const answered = async (written, kind) => {
    await page.locator('gf-gate input').fill(written);
    await page.keyboard.press('Enter');
    await page.locator(`.reply.${kind} p`).waitFor();
  };
  await answered('6.5', 'wrong');
  await answered('7.4', 'wrong');
  assert.equal(await page.locator('.next.main').count(), 0);
  await answered('7.0', 'right');
  await close();
});

test('a right answer fills the rest of its matrix', async () => {
  const { page, close } = await open('#lesson=whole-machine&scene=5', { ready });
  const filled = () =>
    page.evaluate(() => {
      const { view } = document.querySelector('gf-stage');
      return view.known(view.stage) === view.stage.data.length;
    });
  await page.locator('gf-gate input').waitFor();
  assert.equal(await filled(), false);
  await page.locator('gf-gate input').fill('1');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => {
    const { view } = document.querySelector('gf-stage');
    return view.known(view.stage) === view.stage.data.length;
  });
  await close();
});

test('where another scene asks for another row, a right answer fills its own', async () => {
  const { page, close } = await open('#chapter=learn', { ready: 'gf-learn .lessons .open' });
  const asking = (row) => ({
    ...{ state: '#v=1&example=pocket', at: `weights[${row},0]`, picture: { kind: 'stage' } },
    gate: { do: 'predict', numbers: [`weights[${row},0]`], digits: 2, right: 'Yes.', wrong: 'No.' },
    say: 'Which weight?',
  });
  const scenes = [asking(1), asking(6)];
  const own = { name: 'mine', title: 'Mine', minutes: 1, learned: ['Rows.'], scenes };
  await page.locator('.lessons .open input').setInputFiles({
    name: 'mine.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(own)),
  });
  await page.locator('gf-gate input').fill('1/7');
  await page.keyboard.press('Enter');
  await page.waitForSelector(PASSED);
  await settled(page);
  const written = await page
    .locator('gf-stage [data-node=weights]:not(.unknown)')
    .evaluateAll((all) => all.map((cell) => [cell.dataset.index, cell.textContent.trim()]));
  const row = written.filter(([index]) => index.startsWith('1,'));
  assert.deepEqual(
    row.map(([, text]) => text),
    Array(7).fill('0.1429'),
  );
  assert.ok(
    !written.some(([index]) => index.startsWith('6,')),
    'the row of She is asked in the other scene',
  );
  await close();
});

test('hints climb: the lesson’s words, the numbers, what is left to do; never the answer', async () => {
  const { page, close } = await open('#lesson=whole-machine&scene=4', { ready });
  const field = page.locator('gf-gate input');
  const hint = page.locator('.reply .hint');
  const sums = () => hint.locator('div').count();
  const write = async (number) => {
    await field.fill(number);
    await page.keyboard.press('Enter');
  };
  await write('7');
  await page.locator('.reply.wrong p').waitFor();
  await settled(page);
  assert.equal(await hint.count(), 0);
  await write('8');
  await hint.waitFor();
  assert.equal(await sums(), 1);
  await write('9');
  await page.waitForFunction(() => document.querySelectorAll('.reply .hint div').length === 2);
  assert.ok((await hint.innerText()).replace(/\s/g, '').endsWith('=3+(−2)'));
  await write('1');
  await page.waitForSelector(PASSED);
  assert.equal(await hint.count(), 0);
  await close();
});

test('of the river a scene shows what its question is about, and what is asked after the answer', async () => {
  const { page, close } = await open('#lesson=find-the-head&scene=5', { ready: '.inside .arc' });
  const seen = (part) => page.locator(`.inside ${part}`).filter({ visible: true }).count();
  const told = page.locator('.inside g:has(.head) > .level tspan').first();
  await told.waitFor({ state: 'hidden' });
  for (const part of ['.head', '.other', '.measure', 'aside']) assert.equal(await seen(part), 0);
  assert.ok(await seen('.arc'));
  await page.locator('gf-gate button').nth(2).click();
  await page.waitForSelector(PASSED);
  assert.equal(await told.isVisible(), true);
  await follow(page, '#lesson=find-the-head&scene=8');
  await page.locator('.inside .measure').filter({ hasText: 'gives in the other text' }).waitFor();
  for (const part of ['.arc', 'aside']) assert.equal(await seen(part), 0);
  for (const part of ['.head', '.other']) assert.ok(await seen(part));
  await close();
});

test('what a choice is about is not seen before it', async () => {
  const { page, close } = await open('#lesson=where-am-i&scene=3', { ready });
  const outputs = page.locator('gf-stage [data-node="output"]');
  assert.equal(await outputs.count(), 0);
  await page.locator('gf-gate button').first().click();
  await page.waitForSelector(PASSED);
  await until(page, () => document.querySelectorAll('gf-stage [data-node="output"]').length === 14);
  await follow(page, '#lesson=scores-to-weights&scene=11');
  await page.locator('gf-tokens .line.asked').first().waitFor();
  assert.equal(await page.locator('gf-tokens .share').count(), 0);
  /* How far scores spread is asked without what softmax makes of them. */
  await follow(page, '#lesson=scores-to-weights&scene=8');
  await page.locator('gf-spread svg').waitFor();
  assert.equal(await page.locator('gf-spread figure').count(), 1);
  await close();
});
