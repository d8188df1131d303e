// In front of a class: the stage alone, type twice as large, nothing cut off; a clicker turns the pages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { examples } from '../../web/app/session.js';
import { sample } from '../support/sample.js';
import { addressOf, follow, inBrowser, settled, until } from './browser.js';
import { LOOKS } from './looks.js';

const { open } = inBrowser();
const folder = new URL('../../web/lessons/', import.meta.url);

/** Every scene of every lesson. */
const scenes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  .flatMap(({ name, scenes: all }) => all.map((_, i) => `v=1&lesson=${name}&scene=${i + 1}`));
/** What the chapters open with. */
const states = [
  ...Object.keys(examples).flatMap((name) => [
    `v=1&example=${name}&t=40`,
    `v=1&example=${name}&t=1e5`,
  ]),
  'v=1&chapter=heads',
  'v=1&chapter=heads&panel=stage',
  'v=1&chapter=positions',
  'v=1&chapter=positions&panel=sentence',
  'v=1&chapter=transformer&panel=stage&block=encoder.embedding',
];
const looks = [
  ...scenes.map((hash) => ({ hash, ready: 'gf-learn .say p' })),
  ...states.map((hash) => ({ hash, ready: 'main' })),
  { hash: 'v=1&chapter=transformer&panel=cost', ready: 'gf-cost .facts' },
  { hash: 'v=1&chapter=training&step=20&view=update', ready: 'gf-adam .next' },
];

/** Whatever else can be looked at; there type may be smaller, so that all of it is seen. */
const crowded = LOOKS.filter(
  ({ hash, act }) => !act && !/\b(lesson|learn|mode|nowhere)\b/.test(hash),
);

/** What is cut off: text and drawings beyond the window, or beyond what clips them. scrolls: type is as small as in
 * Explore, and what is larger than a screen even then may scroll. */
const cutOff = (page, scrolls) =>
  page.evaluate((scrolls) => {
    const cut = [];
    const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const beyond = (a, b) =>
      Math.max(b.left - a.left, b.top - a.top, a.right - b.right, a.bottom - b.bottom);
    const clips = (one) => getComputedStyle(one).overflow !== 'visible';
    /* A word that is longer than any label shows how it begins. */
    const begins = (one) =>
      one.closest('gf-stage, gf-shuffled') && getComputedStyle(one).textOverflow === 'ellipsis';
    const report = (one, box, what) => {
      if (box.width < 1 || box.height < 1) return;
      let far = beyond(box, room);
      for (let a = one; a && a !== document.body; a = a.parentElement) {
        if (!clips(a)) continue;
        const around = a.getBoundingClientRect();
        /* For readers of the screen alone. */
        if (around.width <= 1 || around.height <= 1) return;
        far = Math.max(far, beyond(box, around));
      }
      if (far > 2) cut.push(`${what}: ${far.toFixed()} px`);
    };
    const seen = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
    const scroller = (one) =>
      one && (/auto|scroll/.test(getComputedStyle(one).overflow) || scroller(one.parentElement));
    for (const one of document.querySelectorAll('main *')) {
      if (scrolls && scroller(one)) continue;
      if (one.closest('.hidden, .leave') || !one.checkVisibility(seen) || begins(one)) continue;
      if (/^(svg|canvas|input|button)$/i.test(one.tagName)) {
        report(one, one.getBoundingClientRect(), one.outerHTML.slice(0, 60));
        continue;
      }
      for (const node of one.childNodes) {
        if (node.nodeType !== 3 || !node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        report(one, range.getBoundingClientRect(), `“${node.data.trim().slice(0, 40)}”`);
      }
    }
    return cut;
  }, scrolls);

const SCREENS = [
  [1280, 720],
  [1920, 1080],
];

/** Waits until a slide fits: what is measured or drawn late is fitted anew. @param {import('playwright-core').Page} page */
async function fitted(page) {
  for (let calm = 0; calm < 2; calm++) {
    await settled(page);
    await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
  }
}

for (const [width, height] of sample(SCREENS, 1)) {
  test(`nothing is cut off at ${width} × ${height}, and type is twice as large`, async () => {
    const viewport = { width, height };
    const { page, complaints, close } = await open('', { viewport });
    const usual = Math.max(13, Math.min(width * 0.01111, height * 0.01778));
    const faults = [];
    for (const { hash, ready } of [...sample(looks, 8), ...sample(crowded, 5)]) {
      await follow(page, `#${hash}&mode=present`);
      if (ready) await page.waitForSelector(ready);
      await page.waitForFunction(() => !document.querySelector('main progress'));
      await fitted(page);
      assert.equal(await page.locator('gf-masthead').count(), 0, hash);
      const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
      const times = Number.parseFloat(size) / usual;
      /* The river is as high as it has layers, and all slides of lessons have one size. */
      const isHigh = (await page.locator('gf-stories').count()) > 0 || hash.includes('lesson=');
      const least = looks.some((one) => one.hash === hash) && !isHigh ? 1.35 : 1.15;
      assert.ok(times > least && times < 2.05, `${hash}: ${size}`);
      let cut = await cutOff(page, times < 1.05);
      /* A curve may be drawn by now that had not its room. */
      for (let again = 0; cut.length > 0 && again < 3; again++) {
        await fitted(page);
        cut = await cutOff(page, times < 1.05);
      }
      if (cut.length) faults.push(`${hash}\n  ${cut.slice(0, 5).join('\n  ')}`);
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(complaints, []);
    await close();
  });
}

test('a clicker turns the rows of a walk and the scenes of a lesson, Escape leaves', async () => {
  const { page, close } = await open('#v=1&example=hi-how&mode=present');
  const time = () => page.evaluate(() => document.querySelector('gf-chapter-attention').shown.t);
  const before = await time();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Space');
  const later = await time();
  assert.ok(later > before, `${before}, then ${later}`);
  await page.keyboard.press('PageUp');
  assert.ok((await time()) < later);
  await page.keyboard.press('Escape');
  await page.waitForSelector('gf-masthead');
  assert.doesNotMatch(await addressOf(page), /mode=/);
  await close();
  const lesson = await open('#v=1&lesson=one-score&scene=2&mode=present', {
    ready: 'gf-learn .say p',
  });
  /* The answer comes first. */
  await lesson.page.keyboard.press('PageDown');
  await lesson.page.locator('.reply.right p').waitFor();
  assert.match(await addressOf(lesson.page), /scene=2/);
  await lesson.page.keyboard.press('PageDown');
  await lesson.page.waitForFunction(() => location.hash.includes('scene=3'));
  assert.match(await addressOf(lesson.page), /mode=present/);
  /* What is to be removed is removed, one after the other. */
  await follow(lesson.page, '#v=1&lesson=the-output&scene=9&mode=present');
  await lesson.page.locator('gf-lens .line').first().waitFor();
  for (const n of [0, 1]) {
    await lesson.page.keyboard.press('PageDown');
    await lesson.page.locator(`.options button:nth-child(${n + 1})[aria-pressed=true]`).waitFor();
    assert.match(await addressOf(lesson.page), /scene=9/);
  }
  await lesson.page.keyboard.press('PageDown');
  await lesson.page.waitForFunction(() => location.hash.includes('scene=10'));
  /* Behind the last slide comes the next lesson. */
  await follow(lesson.page, '#v=1&lesson=one-score&scene=11&mode=present');
  await lesson.page.locator('.learned .main').waitFor();
  await lesson.page.keyboard.press('PageDown');
  await lesson.page.waitForFunction(() => location.hash.includes('scores-to-weights'));
  assert.match(await addressOf(lesson.page), /mode=present/);
  await lesson.close();
});

test('a clicker starts a film, then shows its end, then goes on', async () => {
  const { page, complaints, close } = await open('#v=1&lesson=why-attention&scene=6&mode=present', {
    ready: 'gf-learn .say p',
    reducedMotion: 'no-preference',
  });
  const isAt = (/** @type {number} */ scene) => page.url().includes(`scene=${scene}`);
  await settled(page);
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelector('gf-learn')?.playing);
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelector('gf-learn')?.film?.isOver);
  assert.ok(isAt(6), page.url());
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => location.hash.includes('scene=7'));
  assert.deepEqual(complaints, []);
  await close();
});

test('the path, the choice of scenes and the way out of a presentation do not cover each other', async () => {
  const link = '#lesson=whole-machine&scene=11&mode=present';
  const { page, close } = await open(link, {
    ...{ viewport: { width: 1920, height: 1080 }, ready: 'gf-lesson-map [data-box=next]' },
  });
  await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
  const [box, scenes, leave] = await Promise.all(
    ['gf-lesson-map [data-box=next]', '.where summary', '.leave'].map((one) =>
      page.locator(one).boundingBox(),
    ),
  );
  assert.ok(box.x + box.width < scenes.x, `path to ${box.x + box.width}, scenes from ${scenes.x}`);
  assert.ok(leave.y > scenes.y + scenes.height);
  await close();
});

test('a slider in focus keeps its arrows, a clicker turns from there, too', async () => {
  const link = '#v=1&lesson=scores-to-weights&scene=5&mode=present';
  const { page, close } = await open(link, { ready: '.slider input' });
  const slider = page.locator('.slider input');
  const before = await slider.inputValue();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(Number(await slider.inputValue()) > Number(before));
  assert.match(await addressOf(page), /scene=5/);
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => location.hash.includes('scene=6'));
  await close();
});

for (const [width, height] of SCREENS) {
  test(`each slide of a walk ends on its whole matrix, and keeps its numbers at ${width} × ${height}`, async () => {
    const viewport = { width, height };
    const { page, close } = await open('#v=1&example=i-love-robotics&mode=present', {
      viewport,
      ready: 'gf-slide .number',
    });
    const fitted = async () => {
      await settled(page);
      await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
    };
    const slide = () =>
      page.evaluate(() => {
        const { view } = document.querySelector('gf-chapter-attention');
        const { stage, line, moment } = view;
        const last = line.first[moment.stage + 1] ?? line.moments.length;
        return {
          stage: stage.name,
          known: view.known(stage),
          all: stage.data.length,
          isLast: line.moments.indexOf(moment) === last - 1,
          arrow: document.querySelector('gf-stage .op')?.textContent ?? '',
          caption: document.querySelector('gf-caption').textContent.trim(),
          lit: [...document.querySelectorAll('gf-slide .now')].map((one) => one.textContent).join(),
          number: document.querySelector('gf-slide .number').textContent,
          types: ['gf-stage .cell', 'gf-stage .side', 'gf-caption p'].map((what) =>
            Math.min(
              ...[...document.querySelectorAll(what)].map((one) =>
                Number.parseFloat(getComputedStyle(one).fontSize),
              ),
            ),
          ),
          told: document.querySelectorAll('gf-stage .row.told').length,
        };
      });
    const slides = [await slide()];
    while (slides.at(-1).stage !== 'output' || !slides.at(-1).isLast) {
      await page.keyboard.press('PageDown');
      await settled(page);
      slides.push(await slide());
    }
    /* What is read from the last row of seats: digits are the largest, and fill the slide. */
    for (const { stage, types } of slides) {
      const [digits, ...others] = types;
      assert.ok(
        digits > Math.max(...others) && digits >= (44 * height) / 1080,
        `${stage}: ${types}`,
      );
    }
    assert.deepEqual(
      slides.map(({ number }) => number),
      slides.map((_, i) => `${i + 1} / ${slides.length + 1}`),
    );
    assert.deepEqual(
      [...new Map(slides.map(({ stage, lit }) => [stage, lit]))],
      [
        ...[
          ['x', ''],
          ['q', 'Q'],
          ['k', 'KT'],
          ['v', 'V'],
          ['scores', 'Q,KT'],
        ],
        ...[
          ['scores.scaled', 'dk'],
          ['weights', 'softmax'],
          ['output', 'O,softmax,V'],
        ],
      ],
    );
    assert.deepEqual(
      slides.slice(0, 4).map(({ told }) => told),
      [0, 1, 1, 1],
    );
    /* Behind the last one stand the formula, the weights and the output; the way back leads to it. */
    await page.keyboard.press('PageDown');
    await page.waitForSelector('gf-ending gf-figure .matrix');
    await fitted();
    const { length } = slides;
    assert.equal(
      await page.locator('gf-slide .number').textContent(),
      `${length + 1} / ${length + 1}`,
    );
    const ending = await page
      .locator('gf-ending [data-grid]')
      .evaluateAll((all) => all.map((one) => one.dataset.grid));
    assert.deepEqual(ending, ['weights', 'output']);
    assert.deepEqual(await cutOff(page), []);
    await page.keyboard.press('PageUp');
    await page.waitForSelector('gf-stage .matrix');
    assert.deepEqual((await slide()).number, slides.at(-1).number);
    const ends = slides.filter(({ stage }, i) => slides[i + 1]?.stage !== stage);
    for (const { stage, known, all } of ends) assert.equal(known, all, stage);
    const of = (name) => slides.filter(({ stage }) => stage === name);
    assert.match(of('scores.scaled')[0].arrow, /÷ √dk\s*dk = 3/);
    assert.match(of('scores.scaled')[1].caption, /5 \/ √3 ≈ 2.89/);
    assert.match(of('weights')[0].caption, /eˣ/);
    /* A pencil gets each number of a softmax from those before it, with the same digits on all slides. */
    for (const { caption } of of('weights').slice(1)) {
      const [, power, sum, above, below, share] =
        /e(\S+) \/ \((.+)\) [≈=] (\S+) \/ (\S+) ≈ (0\.\d{3})$/.exec(caption.trim());
      const exponents = sum.split(' + ').map((one) => one.slice(1));
      for (const one of [power, ...exponents]) assert.match(one, /^\d\.\d{3}$/);
      const total = exponents.reduce((all, one) => all + Math.exp(one), 0);
      assert.equal(Math.exp(power).toPrecision(4), Number(above).toPrecision(4));
      assert.equal(total.toPrecision(4), Number(below).toPrecision(4));
      assert.equal((above / below).toFixed(3), share);
    }
    assert.doesNotMatch(slides[0].caption, /text|1\.332/);
    await follow(page, '#v=1&example=i-love-robotics&t=79&remove=scale&mode=present');
    await fitted();
    assert.equal(await page.locator('gf-stage gf-heatmap').count(), 0);
    assert.ok((await page.locator('gf-stage .cell:not(.unknown)').count()) >= 27);
    assert.deepEqual(await cutOff(page), []);
    await close();
  });
}

test('a claim’s evidence is larger on a slide: P opens and leaves it, nothing is cut off', async () => {
  const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=79&claim=scale', {
    viewport: { width: 1920, height: 1080 },
    ready: 'gf-evidence dialog .seeds',
  });
  const sizes = () =>
    page.evaluate(() => {
      const dialog = document.querySelector('gf-evidence dialog');
      const font = (what) =>
        Number.parseFloat(getComputedStyle(dialog.querySelector(what)).fontSize);
      return { says: font('.says'), over: dialog.scrollHeight - dialog.clientHeight };
    });
  const before = await sizes();
  await page.keyboard.press('p');
  await page.waitForSelector('gf-evidence dialog[open] .seeds');
  await settled(page);
  /* What is drawn late is fitted anew. */
  await page.waitForFunction(
    (size) =>
      document.documentElement.dataset.fit === 'done' &&
      Number.parseFloat(
        getComputedStyle(document.querySelector('gf-evidence dialog .says')).fontSize,
      ) >=
        1.1 * size,
    before.says,
  );
  assert.match(await addressOf(page), /mode=present/);
  const after = await sizes();
  assert.ok(after.over <= 2, JSON.stringify([before, after]));
  assert.deepEqual(complaints, []);
  await close();
});

test('what if: another divisor and a longer query change all that follows; R goes back', async () => {
  const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=79&mode=present', {
    ready: 'gf-slide .number',
  });
  assert.equal(await page.locator('.what-if').count(), 0);
  await page.keyboard.press('w');
  await page.locator('.what-if .choice [aria-pressed=true]:focus').waitFor();
  const number = page.locator('gf-slide .number');
  const weights = () =>
    page.evaluate(() =>
      Array.from(document.querySelector('gf-chapter-attention').view.trace.step('weights').data),
    );
  /* The scores of I are 5, 3, 4. */
  const share = (row, divisor) => {
    const powers = row.map((score) => Math.exp(score / divisor));
    return powers.map((power) => power / powers.reduce((a, b) => a + b));
  };
  const isFirstRow = (all, expected) =>
    assert.ok(
      expected.every((one, i) => Math.abs(all[i] - one) < 1e-6),
      `${all}: ${expected}`,
    );
  const usual = await weights();
  isFirstRow(usual, share([5, 3, 4], Math.sqrt(3)));
  await page.locator('.what-if .choice button').nth(2).click();
  await settled(page);
  isFirstRow(await weights(), share([5, 3, 4], 3));
  assert.match(await addressOf(page), /divide=width/);
  await page.keyboard.press('r');
  await settled(page);
  assert.deepEqual(await weights(), usual);
  /* The weight that is told is one of robotics, whose scores are 3, 3, 2. */
  const slider = page.locator('.what-if input');
  await slider.focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  await settled(page);
  isFirstRow((await weights()).slice(6), share([6, 6, 4], Math.sqrt(3)));
  /* The queries are given now, which takes moments away, and no slide. */
  assert.equal(await number.textContent(), '34 / 40');
  await page.keyboard.press('PageDown');
  assert.equal(await number.textContent(), '35 / 40');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('r');
  await settled(page);
  assert.deepEqual(await weights(), usual);
  assert.doesNotMatch(await addressOf(page), /divide|edits/);
  /* A slider that is back where it was has changed nothing. */
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.match(await addressOf(page), /edits=/);
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.doesNotMatch(await addressOf(page), /edits/);
  assert.equal(await page.locator('.cell.edited, .cell.changed').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('what if: a query of one’s own numbers is once as long, and its factor is that of the slider', async () => {
  const own = [0, 1, 2, 3].flatMap((i) => [0, 1].map((j) => `w_q:${i},${j}=${i - j}`)).join('~');
  const address = `#v=1&sentence=4~2~1~1~~je%20suis&edits=${own}&t=40&mode=present`;
  const { page, complaints, close } = await open(address, { ready: 'gf-slide .number' });
  await page.keyboard.press('w');
  const slider = page.locator('.what-if input');
  await slider.waitFor();
  const times = () => page.locator('.what-if output').textContent();
  assert.deepEqual([await slider.inputValue(), await times()], ['1', '1']);
  await slider.focus();
  for (const due of ['1.25', '1.5']) {
    await page.keyboard.press('ArrowRight');
    await settled(page);
    assert.deepEqual([await slider.inputValue(), await times()], [due, due]);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test('F2 selects the number: what is typed takes its place', async () => {
  const { page, close } = await open('#v=1&example=i-love-robotics&t=40&mode=present');
  const cell = page.locator('gf-stage .matrix .cell:not(.unknown)').first();
  await cell.focus();
  await page.keyboard.press('F2');
  await page.locator('gf-stage .field').waitFor();
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.match(await addressOf(page), /edits=[a-z_]+:\d,\d=8(&|$)/);
  await close();
});

test('keys change type and theme, and come first in the sheet of keys', async () => {
  const { page, complaints, close } = await open('#v=1&example=i-love-robotics&t=40&mode=present', {
    ready: 'gf-slide .number',
  });
  const size = async () => {
    await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
    return page.evaluate(() =>
      Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    );
  };
  const usual = await size();
  await page.keyboard.press('-');
  assert.ok((await size()) < usual);
  await page.keyboard.press('+');
  assert.equal(await size(), usual);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.keyboard.press('l');
  await settled(page);
  assert.notEqual(await theme(), before);
  await page.keyboard.press('?');
  await page.locator('gf-shortcuts dialog:modal').waitFor();
  const keys = await page.locator('gf-shortcuts dt').allTextContents();
  assert.equal(keys[0], 'Page Down, Space, →');
  assert.ok(!keys.includes('Space') && !keys.includes('← →'), keys.join('; '));
  assert.deepEqual(complaints, []);
  await close();
});

test('the shortcuts are there, too; Escape closes them first, then leaves', async () => {
  const { page, complaints, close } = await open('#v=1&chapter=heads&mode=present');
  await page.keyboard.press('?');
  const sheet = page.locator('gf-shortcuts dialog:modal');
  await sheet.waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  assert.match(await addressOf(page), /mode=present/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('gf-masthead');
  assert.deepEqual(complaints, []);
  await close();
});

test('a sheet that has just closed keeps no key, though the focus is still in it', async () => {
  const { page, close } = await open('#v=1&chapter=heads&mode=present');
  await page.keyboard.press('?');
  await page.locator('gf-shortcuts dialog:modal').waitFor();
  await page.evaluate(() => {
    const { activeElement: inside } = document;
    inside.closest('dialog').close();
    inside.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  await page.waitForSelector('gf-masthead');
  await close();
});

test('what is said stands beside the picture, which keeps its place when a reply comes', async () => {
  const { page, close } = await open('#v=1&lesson=one-score&scene=4&mode=present', {
    ...{ ready: 'gf-gate input', viewport: { width: 1920, height: 1080 } },
  });
  const boxOf = (/** @type {string} */ one) => page.locator(one).boundingBox();
  await settled(page);
  const [words, picture, drawn] = await Promise.all(
    ['.scene > .words', '.scene > .picture', '.picture .plane svg'].map(boxOf),
  );
  assert.ok(words.x + words.width <= picture.x && drawn.height > 1080 / 2, `${drawn.height}`);
  await page.locator('gf-gate input').fill('6');
  await page.keyboard.press('Enter');
  await page.locator('.reply.right').waitFor();
  await settled(page);
  assert.deepEqual(await boxOf('.scene > .picture'), picture);
  await close();
});

test('words, answers and map have one size on all slides', async () => {
  const { page, close } = await open('#v=1&lesson=one-score&scene=4&mode=present', {
    ...{ ready: 'gf-gate input', viewport: { width: 1920, height: 1080 } },
  });
  const sizes = async (link) => {
    await follow(page, `#v=1&lesson=${link}&mode=present`);
    await page.waitForFunction(() => document.documentElement.dataset.fit === 'done');
    await settled(page);
    return page.evaluate(() => {
      const [words, map, ...type] = [
        '.scene > .words',
        'gf-lesson-map .box',
        '.say p',
        '.options button, .numbers button',
      ].map((one) => document.querySelector(one));
      const zoom = words.currentCSSZoom;
      return [
        words.getBoundingClientRect().width,
        map.getBoundingClientRect().height,
        ...type.map((one) => zoom * Number.parseFloat(getComputedStyle(one).fontSize)),
      ].map(Math.round);
    });
  };
  const first = await sizes('scores-to-weights&scene=1');
  for (const link of ['one-score&scene=2', 'where-am-i&scene=3', 'find-the-head&scene=5'])
    assert.deepEqual(await sizes(link), first, link);
  await close();
});

test('the row and the cell under the pointer are marked', async () => {
  const { page, close } = await open('#v=1&example=i-love-robotics&t=40&mode=present');
  const cell = page.locator('gf-stage .matrix .cell').first();
  await cell.hover();
  for (const one of [cell, page.locator('gf-stage .matrix .row').first()]) {
    assert.equal(await one.evaluate((seen) => getComputedStyle(seen).outlineStyle), 'solid');
  }
  await close();
});

test('a mistake is played beside the right way, and both are seen', async () => {
  const link = '#v=1&lesson=the-output&scene=5&mode=present';
  const viewport = { width: 1280, height: 720 };
  const { page, close } = await open(link, { ready: 'gf-gate input', viewport });
  for (const i of [0, 1, 2])
    await page.locator('gf-gate input').nth(i).fill(['0.497', '0.497', '0.001'][i]);
  await page.keyboard.press('Enter');
  await page.locator('gf-machine .run.intact .matrix').first().waitFor();
  /* The two are laid out once each knows its room. */
  await until(page, () =>
    ['.run.intact', '.run:not(.intact)'].every((run) => {
      const last = [...document.querySelectorAll(`gf-machine ${run} .matrix`)].at(-1);
      const { top, bottom, height } = last.getBoundingClientRect();
      return height > 30 && top >= 0 && bottom <= 720;
    }),
  );
  await close();
});

test('operands of which a part is drawn say which one', async () => {
  const words = Array(4).fill('the robot sees the ball and').join(' ');
  const { page, close } = await open(`#v=1&sentence=64~64~4~1~pc~${words}&t=1e5`, {
    viewport: { width: 1280, height: 520 },
  });
  const left = page.locator('gf-stage .crossing .left [role=grid]');
  const drawn = Number(await left.getAttribute('aria-colcount'));
  assert.ok(drawn < 64, `${drawn} columns`);
  const sizes = await page.locator(':is(.corner, .above) .shape').allTextContents();
  const part = `${65 - drawn}–64/64`;
  assert.deepEqual(sizes, [`24 × ${part}`, `${part} × 64`]);
  await close();
});

test('Escape leaves a cell first, then the presentation; what a clicker sends makes the screen black, and edits nothing', async () => {
  const { page, close } = await open('#v=1&example=i-love-robotics&t=40&mode=present');
  const cell = page.locator('gf-stage .matrix .cell:not(.unknown)').first();
  await cell.click();
  await page.locator('gf-stage .cell.pinned').first().waitFor();
  const black = page.locator('.black');
  for (const key of ['.', 'b']) {
    await page.keyboard.press(key);
    await settled(page);
    assert.equal(await page.locator('gf-stage .field').count(), 0);
    assert.equal(await black.count(), 1, key);
    await page.keyboard.press(key);
    await settled(page);
    assert.equal(await black.count(), 0, key);
  }
  await page.keyboard.press('Escape');
  await settled(page);
  assert.match(await addressOf(page), /mode=present/);
  assert.equal(await page.locator('gf-stage .cell.pinned').count(), 0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('gf-masthead');
  await close();
});

for (const [width, height] of SCREENS) {
  test(`the maps of a translation are read from afar at ${width} × ${height}`, async () => {
    const { page, close } = await open('#chapter=transformer&mode=present', {
      viewport: { width, height },
      ready: 'gf-attention-maps .lines text',
    });
    await page.waitForSelector('gf-attention-maps .heads');
    const { least, heads } = await page.evaluate(() => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const boxes = (what) =>
        [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
      const words = boxes('gf-attention-maps .lines text');
      return {
        least: Math.min(...words.map((box) => box.height)) / rem,
        heads: [...document.querySelectorAll('gf-attention-maps .heads:not(.turned)')].map((row) =>
          [...row.querySelectorAll('span')].map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            const { left, right } = range.getBoundingClientRect();
            return { left, right };
          }),
        ),
      };
    });
    assert.ok(least > 0.9, `${least} rem`);
    for (const row of heads)
      for (const [i, { left }] of row.entries()) if (i > 0) assert.ok(left > row[i - 1].right + 2);
    await close();
  });
}

test('the numbers below a curve do not touch on a projector', async () => {
  const { page, close } = await open('#chapter=training&mode=present', {
    viewport: { width: 1920, height: 1080 },
    ready: 'gf-curves .u-wrap',
  });
  const rooms = await page.evaluate(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return [...document.querySelectorAll('gf-curves gf-plot')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { axes, scales, bbox } = one.plot;
        const [low, high] = [scales.x.min, scales.x.max];
        const [first, second] = axes[0]._splits;
        const apart = ((second - first) / (high - low)) * (bbox.width / devicePixelRatio);
        /* Three digits of 12 px of the design, and a gap. */
        return apart / (rem / 16) / (3 * 7.5 + 4);
      });
  });
  assert.ok(rooms.length > 0 && rooms.every((room) => room > 1), `${rooms}`);
  await close();
});

test('the birth of a head is read from afar: type is at least one and a half times as large', async () => {
  const viewport = { width: 1920, height: 1080 };
  const sizeOf = async (mode) => {
    const { page, close } = await open(`#lesson=a-head-is-born&scene=3${mode}`, {
      ready: '.birth .verdict:not(:empty)',
      viewport,
    });
    if (mode) await page.waitForSelector('[data-fit=done]');
    await settled(page);
    const sizes = await page
      .locator('.birth :is(.answer, .label, summary)')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    const cut = await page
      .locator('.scene > .picture')
      .evaluate((one) => one.scrollHeight - one.clientHeight);
    await close();
    return { least: Math.min(...sizes), cut };
  };
  const [usual, large] = [await sizeOf(''), await sizeOf('&mode=present')];
  assert.ok(large.least >= 1.5 * usual.least, `${large.least} px, usually ${usual.least}`);
  assert.ok(large.cut <= 2, `${large.cut} px are cut`);
});

test('slides pass over what is by hand', async () => {
  const { page, close } = await open('#lesson=a-head-is-born&scene=6&mode=present', {
    ready: 'gf-gate button',
  });
  /* The answer first. */
  await page.keyboard.press('PageDown');
  await page.waitForSelector('.reply.right p');
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => location.hash.includes('scene=9'));
  await page.keyboard.press('PageUp');
  await page.waitForFunction(() => location.hash.includes('scene=6'));
  await close();
});

test('ten tokens of 64 channels are read on a slide: a page of numbers, and which it is', async () => {
  const words = Array(2).fill('the robot sees the ball').join(' ');
  const link = `#v=1&sentence=64~64~4~1~pc~${words}&t=1e5&mode=present`;
  const { page, close } = await open(link, { viewport: { width: 1920, height: 1080 } });
  const result = page.locator('gf-stage .result .matrix');
  await page.locator('gf-stage .result .matrix.colours').waitFor({ state: 'detached' });
  const cells = result.locator('.cell');
  assert.ok((await cells.count()) >= 80, `${await cells.count()} numbers`);
  const size = await cells
    .first()
    .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
  assert.ok(size > 20, `${size} px`);
  assert.match(await page.locator('gf-stage .result .pager').innerText(), /columns \d+–64 of 64/);
  await close();
});
