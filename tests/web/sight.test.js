// On a desk, a tablet and a phone a scene opens with its words. What its gate asks about can be scrolled into sight, and is in
// sight when its answer is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, rowOf } from '../../bindings/learn/lessons/expression.js';
import { computed } from '../../bindings/learn/lessons/scene.js';
import { sample } from '../support/sample.js';
import { follow, inBrowser, settled } from './browser.js';
import { gf, lessons, models, press } from './learner.js';

const { open } = inBrowser();

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 375, height: 740 },
];

/** What a gate is about, either of which is seen: the first cell of the numbers that it asks for, or of the row; or some of
 * each thing that the scene lights. */
function askedIn({ at, gate, state, lit = [] }) {
  const { scope, dispose } = computed(gf, state, models);
  const cells = (path) =>
    /^(?!(start|end)$)[a-z][\w.]*(\[.*\])?$/.test(path) ? cellsOf(path, scope) : [];
  const path = gate.numbers?.[0] ?? gate.largest ?? gate.order ?? (gate.choice ? at : '') ?? '';
  const asked = cells(path);
  /* What decides about a row is its largest number. */
  const row = gate.choice && asked.length > 1 ? rowOf(path, scope) : [0];
  const one = asked.slice(row.indexOf(Math.max(...row))).slice(0, 1);
  const all = lit.map((part) => cellsOf(part, scope));
  dispose();
  return [one.map((cell) => [cell]), all].filter((some) => some.length > 0);
}

/** In the page: how far what is asked for lies outside of what is seen between the words and the foot, px. */
function outside(wanted) {
  const box = (one) => one.getBoundingClientRect();
  const [words, foot] = ['.scene > .words', '.scene > footer'].map((find) =>
    document.querySelector(find),
  );
  const room = { top: 0, bottom: innerHeight, right: innerWidth };
  if (getComputedStyle(foot).position === 'sticky') room.bottom = box(foot).top;
  if (getComputedStyle(words).position === 'sticky') room.top = box(words).bottom;
  const beyond = ({ top, bottom, left, right }) =>
    Math.max(room.top - top, bottom - room.bottom, -left, right - room.right);
  const other = document.querySelector(
    '.plane .rows > :last-child, .bars > :last-child, .compared tr:last-child, .rows .lenses table, .clocks .sum',
  );
  if (other) return beyond(box(other));
  const grids = [...document.querySelectorAll(':is(gf-matrix, gf-heatmap)')];
  const far = (cell) => {
    const found = grids.flatMap((grid) => {
      const place = grid.placeOf(cell);
      if (!place) return [];
      const { left, top } = box(grid.querySelector('.matrix'));
      const { width, height } = grid.size;
      const [x, y] = [left + place.column * width, top + place.row * height];
      return [beyond({ left: x, right: x + width, top: y, bottom: y + height })];
    });
    return Math.min(...found);
  };
  const each = wanted.map((things) =>
    Math.max(...things.map((cells) => Math.min(...cells.map(far)))),
  );
  /* A picture without matrices has no cell to look for. */
  return each.length && grids.length ? Math.min(...each) : 0;
}

/** The same of the place that a reader scrolls to, from the top of the page to its end, at which that is least. */
async function least(page, wanted) {
  const [from, end] = await page.evaluate(() => [
    Math.abs(scrollY) + document.querySelector('.scene > .words').scrollTop,
    document.documentElement.scrollHeight - innerHeight,
  ]);
  let by = from ? Number.POSITIVE_INFINITY : await page.evaluate(outside, wanted);
  for (let y = 0; y < end + 20 && by > 1; y += 20) {
    await page.evaluate((y) => scrollTo(0, y), Math.min(y, end));
    by = Math.min(by, await page.evaluate(outside, wanted));
  }
  await page.evaluate(() => scrollTo(0, 0));
  return by;
}

/* The river has no cell to look for. */
const scenes = lessons.flatMap(({ name, scenes }) =>
  scenes.flatMap((scene, i) =>
    scene.gate?.do === 'predict' &&
    scene.picture.kind !== 'sentence' &&
    !scene.state.includes('chapter=inside')
      ? [{ name, scene, n: i + 1 }]
      : [],
  ),
);
for (const viewport of sample(SCREENS, 1)) {
  test(`what is asked for is seen: ${viewport.width} px`, async () => {
    const link = ({ name, n }) => `#v=1&lesson=${name}&scene=${n}`;
    const chosen = sample(scenes, 4);
    const ready = 'gf-learn .say p';
    const { page, complaints, close } = await open(link(chosen[0]), { viewport, ready });
    const faults = [];
    for (const one of chosen) {
      const { gate, picture } = one.scene;
      const wanted = askedIn(one.scene);
      await follow(page, link(one));
      await page.waitForFunction(
        ([kind, n]) => {
          const { placed, lesson } = document.querySelector('gf-learn');
          const drawn = kind === 'stage' ? 'gf-stage .matrix' : `gf-${kind}`;
          return placed && placed === lesson?.scenes[n - 1] && document.querySelector(drawn);
        },
        [picture.kind, one.n],
      );
      const look = async (when) => {
        await settled(page);
        await settled(page);
        const by =
          when === 'asked' ? await least(page, wanted) : await page.evaluate(outside, wanted);
        const cut = await page
          .locator('.above .side')
          .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
        if (cut > 0) faults.push(`${one.name} ${one.n}, ${when}: ${cut} labels are cut`);
        if (by > 1) faults.push(`${one.name} ${one.n}, ${when}: ${by} px out of sight`);
      };
      await look('asked');
      /* Whatever is answered, a reply takes room. */
      if (gate.numbers) {
        for (const field of await page.locator('gf-gate input').all()) await field.fill('777');
        await page.keyboard.press('Enter');
      } else {
        for (const button of await page.locator('gf-gate button').all()) {
          if (gate.choice && (await page.locator('.reply p').count())) break;
          if (await button.isEnabled()) await press(page, button);
        }
      }
      await page.locator('.reply p').waitFor();
      await look('answered');
    }
    assert.equal(faults.join('\n'), '');
    assert.deepEqual(complaints, []);
    await close();
  });
}
