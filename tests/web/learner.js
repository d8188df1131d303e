// A reader of lessons who has a keyboard alone.
import { readdirSync, readFileSync } from 'node:fs';
import { load, readModel } from '../../bindings/index.js';
import { holds, numberOf, rowOf } from '../../bindings/learn/lessons/expression.js';
import { computed } from '../../bindings/learn/lessons/scene.js';
import { neededFor } from '../../bindings/learn/lessons/sequence.js';
import { whole } from '../../web/bundle/lessons.js';
import { settled } from './browser.js';

export const gf = await load();
const folder = new URL('../../web/lessons/', import.meta.url);
export const lessons = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => whole(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
const shipped = (name) =>
  gf.open(
    readModel(
      readFileSync(new URL(`../../bindings/data/models/${name}.safetensors`, import.meta.url)),
    ),
  );
/** The trained models, which scenes may need. */
export const models = { model: shipped('french-english'), stories: shipped('stories') };

/** What is there once a scene's gate is open. */
export const PASSED = 'gf-learn .next.main';

/** Which key moves what is dragged to where the scene wants it. */
const KEYS = {
  'q[6]': 'ArrowUp',
  'x[0]': 'ArrowUp',
  'k[0]': 'ArrowLeft',
  'k[1]': 'ArrowLeft',
  'v[0]': 'ArrowLeft',
  'scores.scaled[6,2]': 'End',
  'scores[6,2]': 'ArrowRight',
  w_q: 'ArrowLeft',
};
const AROUND = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'];

/** Presses a button without the pointer. */
export async function press(page, locator) {
  await locator.focus();
  await page.keyboard.press('Enter');
}

/** Which option of a question is right; 0 where there are none, or only the page knows. */
function rightOption({ choice, largest, among, by, take }, state) {
  /* What a training has learned: it copies. */
  if (largest && /chapter=training/.test(state)) return 4;
  if (!choice && !largest && !among) return 0;
  const { scope, dispose } = computed(gf, state, models);
  const sign = take === 'least' ? -1 : 1;
  const row = largest
    ? rowOf(largest, scope)
    : among?.map((path) => sign * numberOf(`${by}(${path})`, scope));
  const right = choice
    ? choice.findIndex(({ when }) => holds(when, scope))
    : row.indexOf(Math.max(...row));
  dispose();
  return right;
}

/** What has to be done on the page of experiments until a condition holds there. */
const TRIALS = {
  'sum(off) > 0': ['1.3'],
  'off[0,0] = 1': ['0.0'],
  'margin < 0': ['2.0', '2.1'],
};

/** Changes heads in the river, shuffles words, or trains a model and looks into it. */
async function tried(page, until) {
  const shuffle = page.locator('gf-learn button.shuffle');
  if (await shuffle.count()) {
    for (let i = 0; i < 40 && !(await page.locator(PASSED).count()); i++) {
      await press(page, shuffle);
      await settled(page);
    }
  }
  for (const head of TRIALS[until] ?? [])
    await page.locator(`circle.head[data-place="${head}"]`).dispatchEvent('click');
  if (until === 'trained = 1') await page.locator('.birth .grown .main').click();
  if (until.includes('step - born')) {
    const time = page.locator('.birth .time input[type=range]').first();
    await page.locator('.birth .taken').waitFor({ state: 'attached' });
    for (let i = 0; i < 48 && !(await page.locator(PASSED).count()); i++) {
      await time.press('ArrowLeft');
      await page.locator('gf-learn').evaluate((learn) => learn.updateComplete);
    }
  }
  if (until.includes('opened')) await page.locator('.birth .taken button').click();
  if (until.includes('gone')) {
    await page.locator('.birth .switch button').click();
    await settled(page);
  }
}

/** Does what a scene asks for, by keyboard. */
export async function answer(page, { gate, state }) {
  const passed = () => page.locator(PASSED).count();
  if (gate.numbers) {
    const { scope, dispose } = computed(gf, state, models);
    const fields = page.locator('gf-gate input');
    for (const [i, path] of gate.numbers.entries()) {
      await fields.nth(i).focus();
      await page.keyboard.type(String(numberOf(path, scope).toFixed(4)));
    }
    dispose();
    await page.keyboard.press('Enter');
  } else if (gate.order) {
    const { scope, dispose } = computed(gf, state, models);
    const row = rowOf(gate.order, scope);
    dispose();
    const order = row.map((_, i) => i).sort((a, b) => row[b] - row[a]);
    const buttons = page.locator('gf-learn .words .options button');
    for (const i of order) await press(page, buttons.nth(i));
  } else if (gate.steps) {
    const { scope, dispose } = computed(gf, state, models);
    const depth = (name) => neededFor(name, gate.steps, scope).length;
    const order = [...gate.steps].sort((a, b) => depth(a) - depth(b));
    dispose();
    const buttons = page.locator('gf-learn .words .options button');
    for (const name of order) await press(page, buttons.nth(gate.steps.indexOf(name)));
  } else if (gate.do === 'play') {
    await press(page, page.locator('gf-learn .words .options button'));
  } else if (gate.do === 'drag') {
    await page.locator('gf-learn :is(.handle, .slider input)').focus();
    /* An arrow leads round a circle no further than its side. */
    for (const key of [KEYS[gate.what], ...AROUND]) {
      for (let i = 0; i < 40 && !(await passed()); i++) {
        await page.keyboard.press(key);
        await page.locator('gf-learn').evaluate((learn) => learn.updateComplete);
      }
    }
  } else if (gate.do === 'try') {
    await tried(page, gate.until);
  } else {
    const buttons = page.locator('gf-learn .words .options button');
    await buttons.first().waitFor();
    const count = await buttons.count();
    const first = rightOption(gate, state);
    for (let i = 0; i < count && !(await passed()); i++)
      await press(page, buttons.nth((first + i) % count));
  }
  await page.waitForSelector(PASSED);
}
