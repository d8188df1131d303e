// A teacher's own matrices in the page: pasted as blocks, typed with fractions and Tab, taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, load, traceExample } from '../../bindings/index.js';
import { addressOf, inBrowser, settled } from './browser.js';

const browsing = inBrowser();
const gf = await load();
const BADGE = 'gf-term.drawn .term';
/** Two words with two channels. */
const SENTENCE = '#v=1&sentence=2~2~1~1~~je%20suis&t=';

/** The cell of a matrix at a row and a column, from 0. */
const cell = (page, node, row, column) =>
  page.locator(`gf-stage [data-node="${node}"][data-index="${row},${column}"]`).first();

/** Pastes a text where the cell is. */
const paste = (target, text) =>
  target.evaluate((one, pasted) => {
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

/** @param {import('playwright-core').Page} page @param {string} node */
const numbers = (page, node) =>
  page
    .locator(`gf-stage [data-node="${node}"][data-value]`)
    .evaluateAll((all) => all.map((one) => Number(one.dataset.value)));

test('a block replaces a whole matrix, what is too large is refused, and undo takes it back', async () => {
  const { page, complaints, close } = await browsing.open('#example=three-tokens', {
    ready: 'gf-stage [data-node="x"][data-index="0,0"]',
  });
  const before = await numbers(page, 'x');
  const { x } = examples['three-tokens'].inputs;
  const other = x.map((row, i) => row.map((_, j) => (i === j ? 0.5 : i - j)));
  const latex = `\\begin{pmatrix}${other.map((row) => row.join(' & ').replaceAll('0.5', '\\frac{1}{2}')).join(' \\\\ ')}\\end{pmatrix}`;
  /* As large as the matrix, it replaces it wherever it is pasted. */
  assert.equal(await paste(cell(page, 'x', 1, 1), latex), false);
  await settled(page);
  assert.deepEqual(await numbers(page, 'x'), other.flat());
  const example = examples['three-tokens'];
  const due = traceExample(gf, {
    ...example,
    printed: {},
    inputs: { ...example.inputs, x: other },
  });
  const first = due.step('q').data[0];
  const shown = page.locator('[data-node="q"][data-index="0,0"][data-value]').first();
  if (await shown.count()) {
    assert.ok(Math.abs(Number(await shown.getAttribute('data-value')) - first) < 1e-6);
  }
  due.dispose();
  await paste(cell(page, 'x', 1, 1), '1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8');
  await settled(page);
  assert.match(await page.locator('[role=alert], .notice').first().textContent(), /2 × 8 numbers/);
  assert.deepEqual(await numbers(page, 'x'), other.flat());
  await page.locator('gf-masthead').getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.deepEqual(await numbers(page, 'x'), before);
  assert.deepEqual(complaints, []);
  await close();
});

test('Tab keeps what was typed and goes on, fractions and decimal commas are read, Escape keeps the old number', async () => {
  const { page, close } = await browsing.open('#example=three-tokens', {
    ready: 'gf-stage [data-node="x"][data-index="0,0"]',
  });
  await cell(page, 'x', 0, 0).focus();
  await page.keyboard.type('1/4');
  await page.keyboard.press('Tab');
  await settled(page);
  await page.keyboard.type('0,75');
  await page.keyboard.press('Tab');
  await settled(page);
  const old = (await numbers(page, 'x'))[2];
  await page.keyboard.type('9');
  await page.keyboard.press('Escape');
  await settled(page);
  assert.deepEqual((await numbers(page, 'x')).slice(0, 3), [0.25, 0.75, old]);
  await cell(page, 'x', 0, 0).focus();
  await page.keyboard.type('1/3');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal((await cell(page, 'x', 0, 0).textContent()).trim(), '1/3');
  assert.match(await addressOf(page), /edits=/);
  await close();
});

test('weights that are all the reader’s own are not called random', async () => {
  const own = (node) =>
    [0, 1].flatMap((i) => [0, 1].map((j) => `${node}:${i},${j}=${i + j}`)).join('~');
  const there = await browsing.open(`${SENTENCE}1&edits=${own('w_q')}~${own('w_k')}`, {
    ready: '.matrix',
  });
  assert.equal(await there.page.locator(BADGE).count(), 0);
  await there.close();
  const half = await browsing.open(`${SENTENCE}1&edits=${own('w_q')}`, { ready: BADGE });
  assert.equal(await half.page.locator(BADGE).count(), 1);
  await half.close();
});

/** One text in several notations; of the third token the output is (1/3·2 + 1/3·1 + …) by hand. */
const OWN = `X = [[1/3, 0], [0, 1], [1, 1]]  W_Q = np.array([[1, 0], [0, 2]])
$$W_K = \\begin{pmatrix} 0 & 1 \\\\ 1 & \\frac12 \\end{pmatrix}$$
**W_V**

| | a | b | c |
|---|---|---|---|
| p | 2 | 0 | 1 |
| q | 1 | 1 | 1 |

mask = causal
tokens = je suis là`;
/** The same, worked out by hand: V = X W_V. */
const VALUES = [2 / 3, 0, 1 / 3, 1, 1, 1, 3, 1, 2];

test('a text of named matrices in any notation is an example of its own, and undo takes it back', async () => {
  const { page, complaints, close } = await browsing.open('#example=three-tokens', {
    ready: 'gf-stage [data-node="x"][data-index="0,0"]',
  });
  const select = page.locator('gf-chooser select');
  await select.selectOption(' own');
  const form = page.locator('gf-sentence');
  await form.locator('textarea').fill('X = 1 0; 0 1\nFoo = 1 2');
  await form.locator('button.main').click();
  await settled(page);
  assert.match(await page.locator('[role=alert], .notice').first().textContent(), /“Foo”|"Foo"/);
  await form.locator('textarea').fill(OWN);
  await form.locator('button.main').click();
  await settled(page);
  assert.deepEqual(
    await numbers(page, 'x'),
    [Math.fround(1 / 3), 0, 0, 1, 1, 1].map((x) => Number(x.toPrecision(8))),
  );
  assert.equal((await cell(page, 'x', 0, 0).textContent()).trim(), '1/3');
  await page.keyboard.press('End');
  await settled(page);
  const values = await numbers(page, 'v');
  assert.ok(
    values.every((value, i) => Math.abs(value - VALUES[i]) < 1e-6),
    String(values),
  );
  assert.match(await addressOf(page), /matrices=X/);
  await page.locator('gf-masthead').getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.equal(await select.inputValue(), 'three-tokens');
  assert.deepEqual(complaints, []);
  await close();
});

test('one pasted text fills the whole form of an exercise, says what has no field, and can be undone', async () => {
  const { page, complaints, close } = await browsing.open('#chapter=exercises&recipe=attention', {
    ready: 'gf-chapter-exercises .asked',
  });
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Your own numbers' }).click();
  const field = (name) => page.locator(`gf-own-numbers [name="${name}"]`);
  await field('w_v').waitFor();
  const before = await field('w_q').inputValue();
  await paste(field('w_q'), `${OWN}\nW_O = 1 0; 0 1`);
  assert.equal(await field('x').inputValue(), '1/3 0\n0 1\n1 1');
  assert.equal(await field('w_k').inputValue(), '0 1\n1 1/2');
  assert.equal(await field('w_v').inputValue(), '2 0 1\n1 1 1');
  assert.equal(await field('mask').inputValue(), 'causal');
  assert.equal(await field('tokens').inputValue(), 'je suis là');
  const said = page.locator('gf-own-numbers [role=status]');
  assert.match(await said.textContent(), /W.?O/);
  await page.locator('gf-own-numbers').getByRole('button', { name: 'Undo' }).click();
  assert.equal(await field('w_q').inputValue(), before);
  await paste(field('w_q'), OWN);
  await page.getByRole('button', { name: 'Use these numbers' }).click();
  await page.locator('.sheet-matrix td', { hasText: '1/3 ≈ 0.3333' }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});
