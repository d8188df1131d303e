// Exercises as a learner does them: typed by keyboard, pasted, with a mistake that is carried through, on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { languages } from '../../bindings/js/base/speech.js';
import { unmasked } from '../../bindings/learn/exercises/formats/masked.js';
import { exercise, formats, mark, recipes } from '../../bindings/learn/exercises/index.js';
import { lookup } from '../../web/app/locale/text.js';
import { answered, checkedAt, opening } from '../../web/chapters/exercises/state.js';
import { workedOut } from '../exercises/by-hand.js';
import { penOf, slipAt } from '../exercises/learner.js';
import { unzipped } from '../exercises/unzipped.js';
import { sample, waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled } from './browser.js';
import { overflow, serious } from './expect.js';

const browsing = inBrowser();
const READY = '.sheet-matrix input';
const open = (rest = '', more = {}) =>
  browsing.open(`#v=1&chapter=exercises&cells=all${rest}`, { ready: READY, ...more });
const gf = await load();

const WORDS = 'chapters/exercises';
const pressed = (page, name, values = {}) =>
  page.getByRole('button', {
    name: Object.entries(values).reduce(
      (words, [key, value]) => words.replace(`{${key}}`, value),
      lookup(`${WORDS}/${name}`),
    ),
    exact: true,
  });
const field = (page, place) => page.locator(`input[data-place="${place}"]`);
const fields = (page) =>
  page
    .locator(READY)
    .evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.dataset.place) - Number(b.dataset.place))
        .map(({ value }) => value),
    );
/** The kinds of the marks that are shown, by place. */
const kinds = (page) =>
  page.locator('.field').evaluateAll((all) =>
    all
      .map((one) => [
        Number(one.querySelector('input').dataset.place),
        /kind-(\w+)/.exec(one.className)?.[1] ?? '',
      ])
      .sort(([a], [b]) => a - b)
      .map(([, kind]) => kind),
  );
const spoken = (page) => page.locator('gf-chapter-exercises > [aria-live]').textContent();
const score = (page) => page.locator('.score p').textContent();

/** Attention weights from Q and K in float64, with what divides the scores; each step rounded to two decimals. */
function weights({ q, k }, divisor, wrong = (scores) => scores) {
  const rounded = (x) => Math.round(x * 100) / 100;
  const scores = wrong(q.map((a) => k.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0))));
  const scaled = scores.map((row) => row.map((x) => rounded(x / divisor)));
  const shares = scaled.map((row) => {
    const powers = row.map((x) => Math.exp(x));
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((x) => rounded(x / sum));
  });
  return [scores, scaled, shares].flat(2).map(String);
}
const problem = exercise(gf, 'weights', { seed: 1 });

/** Types answers as a link brings them. */
const given = (answers) => `&answers=${answers.join('~')}`;

describe('the state', () => {
  test('keeps what was checked until it is typed again', () => {
    const typed = answered(opening, new Map([[2, '5']]));
    assert.deepEqual(typed, { answers: ['', '', '5'], checked: '' });
    const checked = { ...opening, ...typed, ...checkedAt({ ...opening, ...typed }, [0, 2]) };
    assert.equal(checked.checked, '101');
    assert.deepEqual(answered(checked, new Map([[2, '']])), { answers: [], checked: '1' });
  });
});

describe('a teacher', () => {
  test('pastes the numbers of an exam in any notation, and shares them by a link', async () => {
    const { page, complaints, close } = await open('&recipe=attention');
    await pressed(page, 'options').click();
    await pressed(page, 'numbers/button').click();
    const box = (name) => page.locator(`gf-own-numbers [name="${name}"]`);
    const pasted = {
      x: '1 0\n0 1\n1 1',
      w_q: '\\begin{pmatrix} 1 & 0 \\\\ 0 & 2 \\end{pmatrix}',
      w_k: '0\t1\n1\t1',
      w_v: '[[2, 0], [0,5, 1]]',
      mask: 'causal',
      scale: '1/3',
      tokens: 'je suis là',
    };
    for (const [name, text] of Object.entries(pasted)) await box(name).fill(text);
    const use = pressed(page, 'numbers/use');
    await use.click();
    await settled(page);
    const said = page.locator('gf-own-numbers [role=status]');
    assert.match(await said.textContent(), /row 2 has length 3, the first row 2/);
    await box('w_v').fill('[[2, 0], [1/2, 1]]');
    await use.click();
    await settled(page);
    assert.match(await said.textContent(), /^The exercise has these numbers now/);
    assert.deepEqual(await serious(page), []);
    await page.keyboard.press('Escape');
    await settled(page);
    /* The scaled scores of the last token, by hand: (1, 2) with the keys (0, 1), (1, 1), (1, 2), over 3. */
    const asked = exercise(gf, 'attention', { given: { ...pasted, w_v: '[[2, 0], [1/2, 1]]' } });
    const place = asked.asked.indexOf('scores.scaled[2,2]');
    await field(page, place).fill('5/3');
    await field(page, place).press('Control+Enter');
    await settled(page);
    assert.match(await spoken(page), /scaled scores of “là” for “là”: Right/i);
    assert.match(await page.locator('.given').textContent(), /suis/);
    const { hash } = new URL(await addressOf(page));
    await follow(page, '#v=1&chapter=exercises&recipe=attention');
    assert.doesNotMatch(await page.locator('.given').textContent(), /suis/);
    await follow(page, hash);
    assert.match(await page.locator('.given').textContent(), /suis/);
    /* What was written stands there again, fractions as fractions. */
    await pressed(page, 'numbers/button').click();
    assert.equal(await box('scale').inputValue(), '1/3');
    await page.keyboard.press('Escape');
    await pressed(page, 'anew').click();
    await settled(page);
    assert.doesNotMatch(await page.locator('.given').textContent(), /suis/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('gives the scale alone, and each seed draws other matrices', async () => {
    const { page, close } = await open('&recipe=attention');
    await pressed(page, 'options').click();
    await pressed(page, 'numbers/button').click();
    await pressed(page, 'numbers/empty').click();
    await page.locator('gf-own-numbers [name=scale]').fill('0,25');
    await pressed(page, 'numbers/use').click();
    await page.keyboard.press('Escape');
    await settled(page);
    const first = await page.locator('.given').textContent();
    assert.match(await page.locator('.task').first().textContent(), /= 0\.25/);
    await pressed(page, 'anew').click();
    await settled(page);
    assert.notEqual(await page.locator('.given').textContent(), first);
    assert.match(await page.locator('.task').first().textContent(), /= 0\.25/);
    await close();
  });
});

describe('a learner', () => {
  test('does an exercise by keyboard alone, and hears what each check came to', async () => {
    const { page, complaints, close } = await open();
    const answers = weights(problem.given, 2);
    while (!(await field(page, 0).evaluate((one) => one === document.activeElement))) {
      await page.keyboard.press('Tab');
    }
    /* Rows with Tab, then columns with Enter, which leads to the next matrix, too. */
    for (const answer of answers.slice(0, 9)) {
      await page.keyboard.type(answer);
      await page.keyboard.press('Tab');
    }
    /* Behind the cells of a step stands its check. */
    const check = await page.evaluate(() => document.activeElement.textContent.trim());
    assert.match(check, /^Check this step/);
    await page.keyboard.press('Tab');
    for (let step = 9; step < 27; step += 9) {
      for (const k of [0, 3, 6, 1, 4, 7, 2, 5, 8]) {
        await page.keyboard.type(answers[step + k]);
        await page.keyboard.press('Enter');
      }
    }
    await settled(page);
    assert.deepEqual(await fields(page), answers);
    assert.deepEqual(new Set(await kinds(page)), new Set(['']));
    await page.keyboard.press('Control+Enter');
    await settled(page);
    assert.match(await spoken(page), /attention weights of “sat” for “sat”: Right/i);
    assert.equal((await kinds(page)).filter((kind) => kind === 'right').length, 1);
    for (const [key, place] of [
      ['ArrowUp', 23],
      ['ArrowLeft', 22],
      ['ArrowDown', 25],
      ['ArrowRight', 26],
    ]) {
      await page.keyboard.press(key);
      await settled(page);
      const at = await page.evaluate(() => document.activeElement.dataset.place);
      assert.equal(at, String(place), key);
    }
    await pressed(page, 'checkAll').focus();
    await page.keyboard.press('Enter');
    await settled(page);
    assert.deepEqual(new Set(await kinds(page)), new Set(['right']));
    assert.match(await score(page), /4 of 4 points/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('begins with one row; each that is full brings the next, or all are asked for', async () => {
    const { page, close } = await browsing.open('#v=1&chapter=exercises', { ready: READY });
    const shown = () => page.locator(READY).count();
    assert.equal(await shown(), 3);
    for (const [place, rows] of [
      [0, 1],
      [1, 1],
      [2, 2],
    ]) {
      await field(page, place).fill('1');
      await field(page, place).press('Control+Enter');
      await settled(page);
      assert.equal(await shown(), 3 * rows, `${place}`);
    }
    assert.match(await page.locator('.asked').innerText(), /1 more row follows/);
    await pressed(page, 'showAll', { n: 27 }).click();
    await settled(page);
    assert.equal(await shown(), 27);
    /* No width of a model is told where it is only in the way. */
    assert.doesNotMatch(await page.locator('.work').innerText(), /model/);
    await close();
  });

  test('hears of what was just typed, not of what stood there before', async () => {
    const { page, close } = await open();
    await field(page, 0).fill(weights(problem.given, 2)[0]);
    await field(page, 0).press('Control+Enter');
    await settled(page);
    assert.match(await spoken(page), /scores of “the” for “the”: Right/i);
    await field(page, 0).fill('x');
    await field(page, 0).press('Control+Enter');
    await settled(page);
    assert.match(await spoken(page), /scores of “the” for “the”: This is not a number/i);
    await close();
  });

  test('counts what is filled in, and is told that nothing is yet', async () => {
    const { page, close } = await open();
    await pressed(page, 'checkAll').click();
    await settled(page);
    assert.match(await score(page), /^Nothing to check yet/);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), '0');
    assert.equal((await kinds(page)).filter(Boolean).length, 0);
    const answers = weights(problem.given, 2);
    for (const place of [0, 1, 2]) await field(page, place).fill(answers[place]);
    await page.locator('.check-step.main').click();
    await settled(page);
    assert.match(await score(page), /^3 of 27 cells checked/);
    assert.match(await page.locator('.strip').innerText(), /3\/9/);
    await close();
  });

  test('who makes a mistake in the first step and goes on rightly is charged for it once', async (t) => {
    if (waits(t)) return;
    const answers = weights(problem.given, 2, (scores) => {
      scores[0][0] += 10;
      return scores;
    });
    const { page, close } = await open(given(answers));
    await pressed(page, 'checkAll').click();
    await settled(page);
    const shown = await kinds(page);
    assert.equal(shown[0], 'wrong');
    assert.deepEqual(shown.slice(1, 9), Array(8).fill('right'));
    assert.deepEqual(shown.slice(9, 12), ['carried', 'right', 'right']);
    assert.deepEqual(shown.slice(18, 21), Array(3).fill('carried'));
    assert.match(await score(page), /3\.89 of 4 points/);
    const sign = page.locator('.kind-carried .sign').first();
    assert.equal(await sign.textContent(), '↪');
    const told = field(page, 18);
    await told.focus();
    assert.match(await page.locator('gf-exercise-cell .mark').textContent(), /follows from your/i);
    await close();
  });

  test('whose third step has a mistake gets the points of all that follows from it, to the end', async (t) => {
    if (waits(t)) return;
    const long = exercise(gf, 'attention', { seed: 3 });
    const pen = penOf(
      { digits: 2, even: false, notes: false, squaresFirst: false, fractions: false },
      slipAt('v[1,0]', (x) => x + 2),
    );
    const numbers = workedOut(long, '', pen);
    const answers = long.asked.map((cell) => String(numbers[cell]));
    const { page, close } = await open(`&recipe=attention&seed=3${given(answers)}`);
    await pressed(page, 'checkAll').click();
    await settled(page);
    const shown = await kinds(page);
    const kindAt = (cell) => shown[long.asked.indexOf(cell)];
    assert.ok(['wrong', 'slip'].includes(kindAt('v[1,0]')), kindAt('v[1,0]'));
    for (const row of [0, 1, 2]) assert.equal(kindAt(`output[${row},0]`), 'carried');
    assert.deepEqual(new Set(shown), new Set(['right', 'carried', kindAt('v[1,0]')]));
    /* One of the six values. */
    assert.match(await score(page), /10\.83 of 11 points/);
    assert.match(await page.locator('.strip').textContent(), /values V.*0\.83 of 1 point/);
    await close();
  });

  test('who forgets √d_k reads so', async () => {
    const { page, close } = await open(given(weights(problem.given, 1)));
    await pressed(page, 'checkAll').click();
    await settled(page);
    const expected = mark(gf, problem, {
      cells: Object.fromEntries(
        problem.asked.map((name, i) => [name, weights(problem.given, 1)[i]]),
      ),
    }).cells;
    const shown = await kinds(page);
    assert.ok(shown.slice(9, 18).includes('named'), String(shown));
    assert.ok(Object.values(expected).some((one) => one.misconception === 'no-scaling'));
    const finding = page.locator('gf-exercise-cell .finding');
    assert.match(await finding.first().textContent(), /did not divide the scores by √dk/);
    await finding.first().click();
    await settled(page);
    const at = await page.evaluate(() => document.activeElement.dataset.place);
    assert.equal(at, String(shown.indexOf('named')));
    await close();
  });

  test('what is clicked does not move away while the last answer of a row is taken', async () => {
    const { page, close } = await open('&cells=');
    const row = (await fields(page)).length;
    assert.equal(row, 3);
    for (let place = 0; place < row; place++) await field(page, place).fill('1');
    await page.locator('.check-step').click();
    await settled(page);
    const shown = (await kinds(page)).slice(0, row);
    assert.ok(shown.every(Boolean));
    /* The panel tells of the first that is not right. */
    const at = await page.evaluate(() => document.activeElement.dataset.place);
    assert.equal(at, String(shown.findIndex((kind) => kind !== 'right')));
    await close();
  });

  test('pastes a block of a spreadsheet, and takes it back', async () => {
    const { page, close } = await open();
    const paste = (place, text) =>
      field(page, place).evaluate((one, pasted) => {
        one.focus();
        const data = new DataTransfer();
        data.setData('text/plain', pasted);
        const event = new ClipboardEvent('paste', {
          clipboardData: data,
          bubbles: true,
          cancelable: true,
        });
        return one.dispatchEvent(event);
      }, text);
    assert.equal(await paste(4, '1\t2\t9\n3\t4\t9\n9\t9\t9'), false);
    await settled(page);
    const answers = await fields(page);
    assert.deepEqual(answers.slice(0, 9), ['', '', '', '', '1', '2', '', '3', '4']);
    assert.ok(await paste(0, '1.5'), 'one number is the field’s own');
    await page.locator('gf-masthead').getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    assert.deepEqual(new Set(await fields(page)), new Set(['']));
    await close();
  });

  test('is told where a text stops being a number', async () => {
    const { page, close } = await open('&answers=1x');
    await field(page, 0).focus();
    await pressed(page, 'checkCell').click();
    await settled(page);
    assert.equal((await kinds(page))[0], 'unreadable');
    assert.match(await page.locator('gf-exercise-cell .mark').textContent(), /character 2/);
    assert.match(await spoken(page), /scores of “the” for “the”: .*character 2/);
    await close();
  });

  test('gets hints, each stronger, and the working unless the link hides it', async () => {
    const { page, close } = await open();
    for (let n = 1; n <= 4; n++) {
      await pressed(page, 'hint', { n, all: 4 }).click();
      await settled(page);
      assert.equal(await page.locator('gf-exercise-cell .hints li').count(), n);
    }
    const { value } = problem.solution['scores[0,0]'];
    const last = await page.locator('gf-exercise-cell .hints li').last().textContent();
    assert.ok(last.includes(String(value).replace('-', '−')), last);
    await pressed(page, 'work').click();
    await settled(page);
    assert.equal(await page.locator('gf-exercise-cell h3').count(), 1);
    await follow(page, '#v=1&chapter=exercises&cells=all&working=0&seed=2');
    assert.equal(await pressed(page, 'work').count(), 0);
    assert.equal(await pressed(page, 'hint', { n: 1, all: 3 }).count(), 1);
    await close();
  });

  test('on a phone sees one step at a time, and the next one after its last cell', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('', { viewport: { width: 375, height: 812 } });
    const seen = () => page.locator('.asked .sheet-matrix:visible').count();
    assert.equal(await seen(), 1);
    const answers = weights(problem.given, 2);
    await field(page, 0).focus();
    for (let step = 0; step < 27; step += 9) {
      assert.ok((await overflow(page)).x <= 0);
      for (const k of [0, 3, 6, 1, 4, 7, 2, 5, 8]) {
        await page.keyboard.type(answers[step + k]);
        await page.keyboard.press('Enter');
        await settled(page);
      }
      assert.equal(await seen(), 1);
    }
    await pressed(page, 'checkAll').click();
    await settled(page);
    assert.match(await score(page), /4 of 4 points/);
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('a mistake on the stage', () => {
  const numbers = (page, run) =>
    page
      .locator('gf-machine .result, gf-machine figure')
      .locator(run ? `[data-run=${run}]` : ':not([data-run])')
      .and(page.locator('[data-node="scores.scaled"]'))
      .evaluateAll((all) => all.map(({ dataset }) => [dataset.index, Number(dataset.value)]));
  const { q, k } = problem.given;
  const scores = q.map((a) => k.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));

  test('is played beside the right way from where they differ, by keyboard, and left again', async () => {
    const { page, complaints, close } = await open(given(weights(problem.given, 1)), {
      reducedMotion: 'reduce',
    });
    await pressed(page, 'checkAll').click();
    await page.locator('gf-exercise-cell .finding').first().click();
    await pressed(page, 'machine/play').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('gf-machine .cell.differs');
    await settled(page);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /√dk/);
    /* Scores divided by 1 and by 2: the first cell that is not the same is lit in both. */
    assert.deepEqual(await numbers(page, 'intact'), [['0,0', scores[0][0] / 2]]);
    assert.deepEqual(await numbers(page), [['0,0', scores[0][0]]]);
    assert.equal(await page.locator('gf-machine .cell.differs.focus').count(), 2);
    const told = () => page.locator('.machine-head [aria-live]').textContent();
    assert.match(await told(), /−3 with this mistake, −1.5 the right way. You wrote -3/);
    await page.keyboard.press('End');
    await settled(page);
    assert.match(await told(), /weight of “sat” for “sat”/);
    await pressed(page, 'machine/next').click();
    await settled(page);
    assert.match(await told(), /−3 with this mistake/, 'after the last comes the first');
    await page.locator('.machine-head h2').focus();
    await page.keyboard.press('Space');
    await page
      .locator('gf-timeline')
      .getByRole('button', { name: lookup('timeline/pause') })
      .waitFor();
    await page.keyboard.press('Space');
    await pressed(page, 'machine/back').click();
    await settled(page);
    assert.equal(await page.locator(READY).count(), 27);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), '9');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is a place of the browser’s history, and is left out of a link for others', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open(
      `${given(weights(problem.given, 1))}&checked=${'1'.repeat(27)}`,
      {
        permissions: ['clipboard-read', 'clipboard-write'],
      },
    );
    await pressed(page, 'machine/play').first().click();
    await page.waitForSelector('gf-machine .cell');
    assert.match(await addressOf(page), /play=no-scaling/);
    await page
      .getByRole('button', { name: lookup('page/share') })
      .first()
      .click();
    await page.getByRole('button', { name: lookup('page/shared') }).waitFor();
    assert.doesNotMatch(await page.evaluate(() => navigator.clipboard.readText()), /play|answers/);
    await page.goBack();
    await page.waitForSelector(READY);
    await close();
  });

  test('is not played where the link hides the working', async () => {
    const { page, close } = await open(
      `&working=0&play=no-scaling${given(weights(problem.given, 1))}&checked=${'1'.repeat(27)}`,
    );
    assert.equal(await page.locator('gf-machine').count(), 0);
    assert.equal(await page.locator('.finding').count(), 1);
    assert.equal(await pressed(page, 'machine/play').count(), 0);
    await close();
  });

  test('that there is not is refused', async () => {
    const { page, close } = await open('&play=no-scale');
    await settled(page);
    assert.match(await page.locator('[role=alert]').textContent(), /no-scale/);
    assert.equal(await page.locator(READY).count(), 3);
    await close();
  });

  test('fits a phone in every language, whatever the recipe', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('', { viewport: { width: 375, height: 812 } });
    for (const [at, { name }] of recipes().entries()) {
      const [mistake] = Object.keys(exercise(gf, name, { seed: 1 }).misconceptions);
      const lang = languages[at % languages.length];
      await follow(
        page,
        `#v=1&chapter=exercises&cells=all&recipe=${name}&play=${mistake}&lang=${lang}`,
      );
      await page.waitForSelector('gf-machine .cell.differs');
      assert.ok((await overflow(page)).x <= 0, name);
      await page.keyboard.press('End');
      await settled(page);
      await follow(
        page,
        `#v=1&chapter=exercises&cells=all&recipe=${name}&play=working&lang=${lang}`,
      );
      await page.waitForSelector('gf-machine .cell');
      assert.equal(await page.locator('gf-machine .cell.differs').count(), 0);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('a text that is checked', () => {
  const start = (more = {}) =>
    browsing.open('#v=1&chapter=exercises&panel=text', { ready: 'textarea', ...more });
  const checked = async (page, words) => {
    await page.locator('textarea').fill(words);
    await pressed(page, 'text/check').last().click();
    await page.locator('.report h2[tabindex]').waitFor();
    await settled(page);
  };
  const seen = (page) =>
    page.locator('.marked-text').evaluate((one) => ({
      flags: [...one.querySelectorAll('.flag')].map((flag) => [
        flag.querySelector('s').textContent,
        flag.querySelector('b').textContent,
        /kind-(\w+)/.exec(flag.className)[1],
      ]),
      plain: [...one.childNodes]
        .filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE)
        .map((node) => node.querySelector?.('s').textContent ?? node.textContent)
        .join(''),
    }));

  test('has each wrong number marked in its place, with its cause and the right value', async () => {
    const { page, complaints, close } = await start({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await pressed(page, 'text/check').last().click();
    await page.locator('[role=alert]', { hasText: lookup(`${WORDS}/text/nothing`) }).waitFor();
    await pressed(page, 'text/load').click();
    const words = await page.locator('textarea').inputValue();
    await page.locator('textarea').press('Control+Enter');
    await page.locator('.flag').first().waitFor();
    /* By hand: scores over √4, softmax of those, times V; 1.1 · 0.2 + 0.1 · 1.2. */
    const scaled = [1, 1.5, 2.5, 1.5];
    const shares = [scaled.slice(0, 2), scaled.slice(2)].flatMap(([a, b]) => {
      const share = 1 / (1 + Math.exp(b - a));
      return [share, 1 - share];
    });
    const mixed = shares.map((share, i) => (i % 2 ? 4 : 2) * share);
    const { flags, plain } = await seen(page);
    assert.equal(plain, words);
    assert.deepEqual(
      flags.map(([, right]) => right),
      [...scaled.map((x) => x.toFixed(1)), ...[...shares, ...mixed, 0.34].map((x) => x.toFixed(2))],
    );
    assert.deepEqual(
      flags.map(([, , kind]) => kind),
      [...Array(4).fill('named'), ...Array(8).fill('carried'), 'slip'],
    );
    assert.match(await page.locator('#finding-1').textContent(), /not divided by √dk/);
    await page.locator('#finding-5').getByRole('button', { name: /1/ }).last().click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'finding-1');
    await page.locator('#finding-13').getByRole('button').first().click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'flag-13');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'finding-13');
    await pressed(page, 'text/copy').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /scaled_scores = \[\[1\.0, 1\.5\], \[2\.5, 1\.5\]\]/);
    assert.match(copied, /1\.2 = 0\.34/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      pressed(page, 'text/download').click(),
    ]);
    assert.equal(file.suggestedFilename(), 'corrected.txt');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is never taken for HTML, and what is not understood is listed', async () => {
    const { page, complaints, close } = await start();
    const words =
      '<img src=x onerror="window.harmed=1"><b>1.1 × 0.2 + 0.1 × 1.2 = 0.43</b>\n<script>window.harmed=1</script>\n\nx = [0.2, 0.5, ...]\n';
    await checked(page, words);
    const { plain, flags } = await seen(page);
    assert.equal(plain, words);
    assert.deepEqual(flags, [['0.43', '0.34', 'slip']]);
    assert.match(await page.locator('.unread').textContent(), /line 4.*0\.2, 0\.5, \.\.\./s);
    assert.equal(await page.locator('gf-check-text').locator('img, script').count(), 0);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('has its truncated numbers listed, which are neither wrong nor right', async () => {
    const { page, complaints, close } = await start();
    await checked(page, '2 / 3 = 0.66\nexp(1.05) = 2.86');
    assert.deepEqual((await seen(page)).flags, []);
    assert.equal(
      await page.locator('.report h2').textContent(),
      '2 numbers were checked, and none is wrong',
    );
    assert.equal(
      (await page.locator('.unread li').allTextContents()).join(),
      'line 1 The text prints 0.66, truncated; rounded, it is 0.67.',
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is told in another language at once, and kept while an exercise is looked at', async () => {
    const { page, close } = await start();
    await checked(page, '2 · 3 + 1 · 4 = 11');
    await page.evaluate(() => {
      location.hash = '#v=1&chapter=exercises&panel=text&lang=de';
    });
    await page.locator('.finding', { hasText: 'Im Text steht 11; richtig ist 10.' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#v=1&chapter=exercises&lang=de';
    });
    await page.waitForSelector(READY);
    await page.goBack();
    await page.locator('.flag').waitFor();
    await close();
  });

  test('does not hold the page up, and is refused in a sentence where it is too long', async (t) => {
    if (waits(t)) return;
    const { page, close } = await start();
    const line = '1.1 × 0.2 + 0.1 × 1.2 = 0.43\n';
    const paste = (words) =>
      page.locator('textarea').evaluate((field, pasted) => {
        field.value = pasted;
        field.dispatchEvent(new Event('input'));
      }, words);
    await paste(line.repeat(3400));
    /* Frames that the page draws while the text is checked. */
    await page.evaluate(() => {
      window.frames_ = 0;
      const next = () => {
        if (document.querySelector('.flag')) return;
        window.frames_++;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    /* Both at once: nothing says that the check lasts until a second click arrives. */
    await pressed(page, 'text/check')
      .last()
      .evaluate(
        async (button, stop) => {
          const element = button.closest('gf-check-text');
          button.click();
          await element.updateComplete;
          [...element.querySelectorAll('button')].find((one) => one.textContent === stop).click();
        },
        lookup(`${WORDS}/text/stop`),
      );
    assert.equal(await pressed(page, 'text/stop').count(), 0);
    await pressed(page, 'text/check').last().click();
    await page.locator('.flag').first().waitFor();
    assert.equal(await page.locator('.flag').count(), 3400);
    assert.equal(await page.locator('.finding').count(), 500);
    assert.ok((await page.evaluate(() => window.frames_)) > 3);
    await pressed(page, 'text/edit').click();
    await paste(line.repeat(3500));
    await pressed(page, 'text/check').last().click();
    assert.match(await page.locator('[role=alert]').textContent(), /at most 100000/);
    await close();
  });

  test('fits a phone, and axe finds nothing serious', async (t) => {
    if (waits(t)) return;
    for (const colorScheme of ['light', 'dark']) {
      const { page, close } = await start({ viewport: { width: 375, height: 812 }, colorScheme });
      assert.deepEqual(await serious(page), []);
      await pressed(page, 'text/load').click();
      await pressed(page, 'text/check').last().click();
      await page.locator('.flag').first().waitFor();
      await settled(page);
      assert.ok((await overflow(page)).x <= 0);
      assert.deepEqual(await serious(page), []);
      await close();
    }
  });
});

describe('a link', () => {
  test('brings back what was typed and checked', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open();
    await field(page, 0).fill('7 ~ !');
    await field(page, 1).fill('−∞');
    await field(page, 1).press('Enter');
    await page.getByRole('button', { name: 'Check this step' }).first().click();
    await settled(page);
    const [before, marks] = [await fields(page), await kinds(page)];
    await page.reload();
    await page.waitForSelector(READY);
    await settled(page);
    assert.deepEqual([await fields(page), await kinds(page)], [before, marks]);
    await close();
  });

  test('that is copied has the exercise, not the answers', async () => {
    const { page, close } = await open('&recipe=scores&seed=12&answers=4&checked=1', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page
      .getByRole('button', { name: lookup('page/share') })
      .first()
      .click();
    await page.getByRole('button', { name: lookup('page/shared') }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /recipe=scores&seed=12$/);
    await pressed(page, 'quiz/button').click();
    await page
      .locator('gf-quiz')
      .getByRole('button', { name: lookup('page/share') })
      .click();
    await page.locator('gf-quiz [role=status]', { hasText: lookup('page/shared') }).waitFor();
    const given = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(given, /recipe=scores&seed=12&working=0$/);
    await close();
  });

  test('to an exercise that there is not shows the opening, and says so', async () => {
    const { page, close } = await open('&recipe=nothing');
    await settled(page);
    assert.match(await page.locator('[role=alert]').textContent(), /nothing/);
    assert.equal(await page.locator(READY).count(), 3);
    await close();
  });
});

describe('a teacher', () => {
  test('takes away every format', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('&recipe=scores');
    await pressed(page, 'quiz/button').click();
    await page.locator('gf-quiz [type=number]').first().fill('3');
    const names = [];
    for (const format of formats) {
      const name = lookup(`${WORDS}/quiz/formats/${format}`);
      await page.getByRole('radio', { name, exact: true }).check();
      await pressed(page, 'quiz/write').click();
      const link = page.locator('gf-quiz .files a[download]').first();
      await link.waitFor();
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
      assert.match(file.suggestedFilename(), /^scores-/, format);
      names.push(file.suggestedFilename());
      assert.equal(await file.failure(), null);
    }
    assert.equal(new Set(names).size, formats.length, `${names}`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('is told which number is taken where another one is out of range', async () => {
    const { page, close } = await open('&recipe=scores');
    await pressed(page, 'quiz/button').click();
    const field = page.locator('gf-quiz [type=number]').first();
    for (const [typed, taken] of [
      ['201', '200'],
      ['-1', '1'],
    ]) {
      await field.fill(typed);
      await field.press('Tab');
      assert.equal(await field.inputValue(), taken);
      const said = await page.locator('gf-quiz [role=status]').textContent();
      assert.match(said, new RegExp(`Variants: .* from 1 to 200\\. Now it is ${taken}`));
    }
    await close();
  });
});

test('Tab leads to a row that appears as the one before is full', async () => {
  const first = given(weights(problem.given, 2).slice(0, 9));
  const hash = `#v=1&chapter=exercises${first}&checked=111111111`;
  const { page, close } = await browsing.open(hash, { ready: READY });
  await field(page, 9).focus();
  const typed = ['1', '2', '3', '4', '5', '6', '7'];
  for (const answer of typed) {
    await page.keyboard.type(answer);
    await page.keyboard.press('Tab');
  }
  await settled(page);
  assert.deepEqual((await fields(page)).slice(9, 16), typed);
  await close();
});

test('a long answer is read in whole beside its mark', async () => {
  const { page, close } = await open('&recipe=scores&answers=-1234.567&checked=1');
  const field = page.locator('.sheet-matrix input.marked').first();
  const { words, room } = await field.evaluate((input) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(input);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = font;
    const pads = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    return { words: pen.measureText(input.value).width, room: input.clientWidth - pads };
  });
  assert.ok(words <= room, `${words} in ${room}`);
  await close();
});

describe('the page', () => {
  for (const colorScheme of sample(['light', 'dark'], 1)) {
    test(`axe finds nothing serious, with answers of every kind: ${colorScheme}`, async () => {
      const answers = given(['1', '2', '0', '1%2F0x', '4', '', '3', '3', '3', '0.5']);
      const { page, close } = await open(`${answers}&checked=${'1'.repeat(27)}`, { colorScheme });
      assert.deepEqual(await serious(page), []);
      await pressed(page, 'quiz/button').click();
      await settled(page);
      assert.deepEqual(await serious(page), []);
      await close();
    });
  }

  test('gives each cell the headings of its row and column', async () => {
    const { page, close } = await open();
    const label = await field(page, 1).getAttribute('aria-label');
    assert.match(label, /scores.*the.*cat/);
    const headings = await page
      .locator('.asked table')
      .first()
      .evaluate((one) => ({
        rows: [...one.querySelectorAll('th[scope=row]')].map((cell) => cell.textContent.trim()),
        columns: [...one.querySelectorAll('th[scope=col]')].map((cell) => cell.textContent.trim()),
      }));
    assert.deepEqual(headings, { rows: ['the', 'cat', 'sat'], columns: ['the', 'cat', 'sat'] });
    await close();
  });

  test('shows every recipe at every level', async () => {
    const { page, complaints, close } = await open();
    const all = recipes().flatMap(({ name }) =>
      /** @type {const} */ (['steps', 'faded', 'end']).map((level) => ({ name, level })),
    );
    for (const { name, level } of sample(all, 12)) {
      await follow(page, `#v=1&chapter=exercises&cells=all&recipe=${name}&level=${level}`);
      const { asked } = exercise(gf, name, { seed: 1, level });
      assert.equal(await page.locator(READY).count(), asked.length, `${name} ${level}`);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('give it to a class', () => {
  test('a SCORM package can be an exam, and other formats cannot', async () => {
    const { page, complaints, close } = await open('&recipe=scores&seed=3');
    await pressed(page, 'quiz/button').click();
    const sheet = page.locator('gf-quiz');
    const exam = sheet.getByLabel(lookup(`${WORDS}/quiz/exam`));
    assert.ok(await exam.isDisabled(), 'a sheet of paper is no exam of this kind');
    await sheet.getByText(lookup(`${WORDS}/quiz/notExam`)).waitFor();
    await sheet.getByLabel(lookup(`${WORDS}/quiz/formats/scorm12`)).check();
    await exam.check();
    await sheet.getByLabel(lookup(`${WORDS}/quiz/attempts`)).fill('3');
    await sheet.getByLabel(lookup(`${WORDS}/quiz/variants`), { exact: true }).fill('2');
    await pressed(page, 'quiz/write').click();
    const link = sheet.locator('.files a');
    await link.waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const files = unzipped(readFileSync(await file.path()));
    const [, content] = /id="package">"([^"]*)"</.exec(files.get('index.html').toString());
    const { attempts, problems } = JSON.parse(unmasked(content));
    assert.deepEqual([attempts, problems.length], [3, 2]);
    assert.ok((await serious(page)).length === 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a teacher’s own numbers have one variant, and the dialog says so', async () => {
    const { page, complaints, close } = await open(
      `&recipe=scores&numbers=${encodeURIComponent('{"q":"1 2;0 1","k":"1 0;3 1"}')}`,
    );
    await pressed(page, 'quiz/button').click();
    const sheet = page.locator('gf-quiz');
    await sheet.getByText(lookup(`${WORDS}/quiz/own`)).waitFor();
    assert.equal(await sheet.locator('[type=number]').count(), 0);
    await pressed(page, 'quiz/write').click();
    await sheet.locator('.files a').first().waitFor();
    const said = await sheet.locator('[role=status]').textContent();
    assert.match(said, /^\D*1\D*$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('on paper stands a line for the name, and no button', async () => {
    const { page, close } = await open();
    const [name, button] = ['.task .signed', '.score .print'].map((one) => page.locator(one));
    assert.deepEqual([await name.isVisible(), await button.isVisible()], [false, true]);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual([await name.isVisible(), await button.isVisible()], [true, false]);
    await close();
  });

  test('a hint has no number that the learner has not filled in; the working has them all', async () => {
    const { page, close } = await open('&recipe=causal-attention&seed=23');
    const last = page.locator('.asked input').last();
    await last.focus();
    await settled(page);
    for (let n = 1; n <= 3; n++) {
      await pressed(page, 'hint', { n, all: 4 }).click();
      await settled(page);
    }
    const hint = page.locator('gf-exercise-cell .hints li');
    assert.match(await hint.last().textContent(), /= \? · 4 \+ \? · 0 \+ \? · \(−4\)\. /);
    await pressed(page, 'work').click();
    await settled(page);
    assert.match(
      await hint.last().textContent(),
      /= 0\.27 · 4 \+ 0\.45 · 0 \+ 0\.27 · \(−4\) = 0$/,
    );
    await close();
  });
});
