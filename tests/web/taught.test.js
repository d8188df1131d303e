// Lessons in pages of others: <gf-lesson> and embed.html#lesson=…
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample, waits } from '../support/sample.js';
import { addressOf, inBrowser, until } from './browser.js';
import { serious } from './expect.js';
import { calm, host, pageOf } from './host.js';
import { answer, lessons, PASSED, press } from './learner.js';

const browsing = inBrowser();

const said = (page, type) =>
  page.evaluate((wanted) => globalThis.said.filter((one) => one.type === wanted), type);

/** Goes to each scene, and waits until it stands. */
async function through(page, { name, scenes, learned }) {
  for (const [i] of scenes.entries()) {
    await page.locator('gf-lesson').evaluate((figure, n) => figure.seek(n), i + 1);
    await page.waitForFunction(
      ([lesson, n]) =>
        globalThis.said.some(
          (one) => one.type === 'gf-progress' && one.lesson === lesson && one.scene === n,
        ),
      [name, i + 1],
    );
    await page.locator('gf-lesson .say p').waitFor();
    const told = await page.locator('gf-lesson .words').innerText();
    assert.doesNotMatch(told, /[{}]|undefined|NaN/, `${name} ${i + 1}: ${told}`);
    const picture = page.locator('gf-lesson .picture .chapter > *');
    assert.ok((await picture.boundingBox()).height > 60, `${name} ${i + 1} has no picture`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name} ${i + 1} is ${wide} px too wide`);
  }
  await page.locator('gf-lesson').evaluate((figure, n) => figure.seek(n), scenes.length + 1);
  await page.locator('gf-lesson .learned li').first().waitFor();
  assert.equal(await page.locator('gf-lesson .learned ul li').count(), learned.length);
}

describe('<gf-lesson>', () => {
  const sizes = [
    { lang: 'en', viewport: { width: 1440, height: 900 } },
    { lang: 'fr', viewport: { width: 375, height: 740 } },
    { lang: 'de', viewport: { width: 768, height: 1024 } },
  ];
  for (const [n, lesson] of lessons.entries()) {
    const turned = sizes.map((_, i) => sizes[(i + n) % sizes.length]);
    for (const { lang, viewport } of sample(turned, 1)) {
      test(`shows every scene of ${lesson.name}, ${lang} at ${viewport.width} px`, async () => {
        const { page, complaints, close } = await host(
          browsing,
          pageOf(`<gf-lesson name="${lesson.name}" lang="${lang}"></gf-lesson>`, { lang }),
          { viewport },
        );
        await through(page, lesson);
        assert.equal((await said(page, 'gf-ready')).length, 1);
        assert.deepEqual(await said(page, 'gf-error'), []);
        assert.deepEqual(complaints, []);
        await close();
      });
    }
  }

  test('is learned by keyboard alone; how far its reader is, the page hears', async (t) => {
    if (waits(t)) return;
    const lesson = lessons.find(({ name }) => name === 'one-score');
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-lesson name="one-score"></gf-lesson>'),
    );
    for (const [i, scene] of lesson.scenes.entries()) {
      await page.locator('gf-learn .say p').waitFor();
      if (scene.gate) {
        assert.equal(await page.locator(PASSED).count(), 0, `scene ${i + 1} waits`);
        await answer(page, scene);
      }
      await press(page, page.locator('gf-learn .next'));
      await until(
        page,
        (to) => document.querySelector('gf-lesson').state.includes(`scene=${to}`),
        i + 2,
      );
    }
    await page.locator('gf-lesson .learned li').first().waitFor();
    const all = await said(page, 'gf-progress');
    const scenes = lesson.scenes.length;
    for (let scene = 1; scene <= scenes; scene++) {
      const told = all.filter((one) => one.scene === scene && !one.done);
      assert.deepEqual(told.at(-1), {
        ...{ type: 'gf-progress', id: '', lesson: 'one-score' },
        ...{ scene, scenes, passed: true, done: false },
      });
    }
    assert.ok(all.at(-1).done && all.filter(({ done }) => done).length === 1);
    const states = await said(page, 'gf-state');
    assert.deepEqual(
      states.map(({ state }) => state),
      lesson.scenes.map((_, i) => `#lesson=one-score&scene=${i + 2}`),
    );
    assert.doesNotMatch(await addressOf(page), /#/, 'the page stays where it is');
    assert.equal(await page.evaluate(() => localStorage.getItem('glassformer.lessons')), null);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('trains, opens a step and switches a head off, without a worker', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-lesson name="a-head-is-born" scene="2"></gf-lesson>'),
    );
    const birth = page.locator('gf-lesson gf-birth');
    const right = page.locator('gf-lesson .reply.right');
    await birth.getByRole('button', { name: 'Train it yourself' }).click();
    await right.waitFor();
    await page.locator('gf-lesson').evaluate((figure) => figure.seek(10));
    await birth.locator('.taken button').click();
    await right.waitFor();
    assert.ok((await birth.locator('gf-adam tr').count()) > 10);
    await page.locator('gf-lesson').evaluate((figure) => figure.seek(11));
    await birth.locator('.switch button').click();
    await right.waitFor();
    assert.match(await right.innerText(), /^The right letter had 87\s?%; now it has 0\.7\s?%\./);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('keeps what is typed into it from the page, where a deck of slides would turn', async () => {
    const { page, close } = await host(
      browsing,
      pageOf('<gf-lesson name="one-score" scene="4"></gf-lesson>', {
        head: '<script>globalThis.heard = []; addEventListener("keydown", ({ key }) => heard.push(key))</script>',
      }),
    );
    await page.locator('gf-gate input').click();
    await page.keyboard.type('.3');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.locator('.reply.wrong').waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.heard), []);
    await close();
  });

  test('leads on to the next lesson, and to the playground that its page names', async () => {
    const { scenes, exercise, next } = lessons.find(({ name }) => name === 'one-score');
    const end = `scene="${scenes.length + 1}"`;
    const { page, complaints, close } = await host(
      browsing,
      pageOf(
        `<gf-lesson id="alone" name="one-score" ${end}></gf-lesson>
        <gf-lesson id="paged" name="one-score" ${end} page="play/#old"></gf-lesson>
        <gf-lesson id="scene" name="one-score" page="play/"></gf-lesson>
        <gf-lesson id="bad" name="one-score" page="javascript:alert(1)"></gf-lesson>`,
      ),
    );
    const out = (id) =>
      page
        .locator(`#${id} :is(.learned, .scene, .where) > :is(footer, .all) a:not([href^="#"])`)
        .evaluateAll((links) => links.map(({ href, target }) => ({ href, target })));
    const play = new URL('play/', await addressOf(page)).href;
    await page.locator('#alone .learned .main').waitFor();
    await page.locator('#paged .learned .main').waitFor();
    assert.deepEqual(await out('alone'), []);
    const [asked] = await out('paged');
    assert.equal(asked.href, `${play}#v=1&chapter=exercises&recipe=${exercise}`);
    assert.equal(asked.target, '_blank');
    await page.locator('#scene .explore').waitFor();
    const explored = await page.locator('#scene .explore').getAttribute('href');
    assert.ok(explored.startsWith(`${play}#`) && explored.includes('example='), explored);
    assert.equal(
      await page.locator('#scene .where .all').getAttribute('href'),
      `${play}#chapter=learn`,
    );
    assert.match(await page.locator('#bad .notice').innerText(), /page/);
    assert.deepEqual(await out('bad'), []);
    await press(page, page.locator('#alone .learned .main'));
    await until(
      page,
      (lesson) => document.querySelector('#alone').state === `#lesson=${lesson}`,
      next,
    );
    await page.locator('#alone .say p').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('begins where its state says, beside a figure that has the same core', async () => {
    const head = `<script>
      globalThis.cores = 0;
      const { Instance, instantiate } = WebAssembly;
      const count = (instance) => { globalThis.cores += 'gf_abi' in instance.exports };
      WebAssembly.Instance = new Proxy(Instance, { construct(target, given) { const made = new target(...given); count(made); return made } });
      WebAssembly.instantiate = async (...given) => { const made = await instantiate(...given); count(made.instance ?? made); return made };
    </script>`;
    const { page, complaints, close } = await host(
      browsing,
      pageOf(
        `<gf-lesson id="a" state="#lesson=the-output&amp;scene=3" theme="dark"></gf-lesson>
        <gf-attention id="b" example="three-tokens"></gf-attention>
        <gf-lesson id="c" name="scores-to-weights" scene="2"></gf-lesson>`,
        { head },
      ),
    );
    const now = (id) => page.locator(`#${id} .where [aria-current=step]`).textContent();
    const nameOf = (lesson, n) => lessons.find(({ name }) => name === lesson).scenes[n - 1].name.en;
    await page.locator('#a .say p').waitFor();
    await page.locator('#c .say p').waitFor();
    assert.equal(await now('a'), nameOf('the-output', 3));
    assert.equal(await now('c'), nameOf('scores-to-weights', 2));
    assert.equal(await page.locator('#a .root').getAttribute('data-theme'), 'dark');
    assert.equal(await page.evaluate(() => globalThis.cores), 1);
    await page.locator('#c').evaluate((figure) => figure.setState('#lesson=one-score&scene=4'));
    assert.equal(await now('c'), nameOf('one-score', 4));
    await page.locator('#a .where summary').click();
    await page.locator('#a .where li a').nth(0).click();
    await until(page, () => document.querySelector('#a').state === '#lesson=the-output');
    assert.equal(await now('c'), nameOf('one-score', 4));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('axe finds nothing serious, in both looks', async () => {
    for (const theme of ['light', 'dark']) {
      const { page, close } = await host(
        browsing,
        pageOf(
          [
            'one-score&scene=1',
            'scores-to-weights&scene=3',
            'the-output&scene=5',
            'one-score&scene=99',
          ]
            .map((at) => `<gf-lesson theme="${theme}" state="#lesson=${at}"></gf-lesson>`)
            .join(''),
        ),
      );
      await page.waitForFunction(
        () => globalThis.said.filter(({ type }) => type === 'gf-ready').length === 4,
      );
      assert.deepEqual(await serious(page, { runOnly: ['wcag2a', 'wcag2aa'] }), []);
      await close();
    }
  });

  test('that there is not is told with those that there are, and so is what does not load', async () => {
    const { page, close } = await host(
      browsing,
      pageOf(
        `<gf-lesson id="none" name="nothing"></gf-lesson>
        <gf-lesson id="empty"></gf-lesson>
        <gf-lesson id="elsewhere" state="#lesson=https%3A%2F%2Fcourse.example%2Fmine.json"></gf-lesson>`,
      ),
    );
    for (const id of ['none', 'empty', 'elsewhere']) {
      const told = await page.locator(`#${id} .failure`).textContent();
      assert.match(told, /why-attention, one-score.*Open your own in the playground/, id);
    }
    const refused = await page
      .locator('#none')
      .evaluate((figure) => figure.setState('#lesson=one-score').then(() => figure.state));
    assert.equal(refused, '#lesson=one-score');
    await close();
    const lost = await host(
      browsing,
      pageOf('<gf-lesson name="one-score" files="away"></gf-lesson>'),
    );
    const told = await lost.page.locator('gf-lesson .failure').textContent();
    assert.match(told, /\/away\/lessons\.js did not load.*set “files”/);
    const [{ message }] = await said(lost.page, 'gf-error');
    assert.match(message, /away\/lessons\.js/);
    await lost.close();
  });

  test('of another version says so', async () => {
    const detail = '{ build: "another", run() {} }';
    browsing.site.pages.set(
      'old/lessons.js',
      `document.currentScript.dispatchEvent(new CustomEvent('glassformer-file', { detail: ${detail} }))`,
    );
    const { page, close } = await host(
      browsing,
      pageOf('<gf-lesson name="one-score" files="old"></gf-lesson>'),
    );
    const told = await page.locator('gf-lesson .failure').textContent();
    assert.match(told, /lessons\.js is of another version/);
    await close();
  });
});

describe('embed.html#lesson=…', () => {
  test('plays in a sandboxed frame, tells how far the reader is and how high it is', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf(
        `<iframe sandbox="allow-scripts" width="900" height="300" src="embed.html#lesson=one-score&amp;scene=2"></iframe>
        <script>
          addEventListener('message', ({ data }) => {
            if (data.type === 'resize') document.querySelector('iframe').height = data.height;
          });
        </script>`,
        { script: '' },
      ),
    );
    const frame = page.frameLocator('iframe');
    await frame.locator('.say p').waitFor();
    const found = (type) =>
      page
        .waitForFunction((wanted) => globalThis.said.findLast((one) => one.type === wanted), type)
        .then((handle) => handle.jsonValue());
    const { state } = await found('ready');
    assert.equal(state, '#lesson=one-score&scene=2');
    const { lesson, scene, passed, done } = await found('progress');
    assert.deepEqual([lesson, scene, passed, done], ['one-score', 2, false, false]);
    await frame.locator('.next').click();
    await page.waitForFunction(() =>
      globalThis.said.some((one) => one.type === 'state' && /scene=3/.test(one.state)),
    );
    const ask = (question) =>
      page.evaluate(
        (data) => document.querySelector('iframe').contentWindow.postMessage(data, '*'),
        { glassformer: 1, ...question },
      );
    await ask({ type: 'seek', at: 4 });
    await frame.locator('gf-gate input').waitFor();
    await ask({ type: 'seek', at: 40, id: 'far' });
    const { message } = await found('error');
    assert.match(message, /no scene “40”/);
    await ask({ type: 'lang', lang: 'de' });
    await frame.getByText('Prüfen').waitFor();
    /* As high as what it shows: neither a scroll bar, nor ever higher. */
    await until(page, () => {
      const { height } = globalThis.said.findLast(({ type }) => type === 'resize');
      return document.querySelector('iframe').clientHeight === height;
    });
    const seen = await page
      .frames()[1]
      .evaluate(() => [document.documentElement.getBoundingClientRect().height, innerHeight]);
    /* One pixel less than was told is not told again, and a part of one is a whole. */
    const spare = seen[1] - seen[0];
    assert.ok(spare >= -1 && spare < 2 && seen[0] < 1200, String(seen));
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('what moves in a figure', () => {
  const figure = '<gf-attention example="three-tokens"></gf-attention>';
  const isAsked = () => browsing.site.asked.has('motion.js');

  test('comes with the first Play, and travels then', async (t) => {
    if (waits(t)) return;
    browsing.site.asked.clear();
    const { page, complaints, close } = await host(browsing, pageOf(figure), {
      reducedMotion: 'no-preference',
    });
    const element = page.locator('gf-attention');
    await calm(element);
    assert.ok(!isAsked());
    await element.locator('gf-timeline .main').click();
    await page.locator('gf-attention .traveller').first().waitFor({ state: 'attached' });
    assert.ok(isAsked());
    await element.evaluate((one) => one.pause());
    /* At a whole time a step stands. */
    await element.evaluate((one) => one.seek(5));
    await calm(element);
    assert.equal(await page.locator('gf-attention .traveller').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('does not come for readers who ask for reduced motion', async () => {
    browsing.site.asked.clear();
    const { page, complaints, close } = await host(browsing, pageOf(figure));
    const element = page.locator('gf-attention');
    await element.evaluate((one) => one.play());
    await until(page, () => document.querySelector('gf-attention').whole.t > 2);
    await page.waitForLoadState('networkidle');
    assert.ok(!isAsked());
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const [lang, label, about] of [
    ['en', /^Arrows in the plane/, /A row has 3 channels/],
    ['de', /^Pfeile in der Ebene/, /Eine Zeile hat 3 Kanäle/],
    ['fr', /^Des flèches dans le plan/, /3 canaux/],
  ]) {
    test(`comes with Arrows, too, with their words, ${lang}`, async () => {
      browsing.site.asked.clear();
      const own = `<gf-attention example="i-love-robotics" at="scores/2,2" lang="${lang}"></gf-attention>`;
      const { page, complaints, close } = await host(browsing, pageOf(own));
      const element = page.locator('gf-attention');
      await calm(element);
      assert.ok(!isAsked());
      await element.locator('.stage-head .geometry').click();
      await element.locator('gf-geometry .arrow').first().waitFor();
      assert.ok(isAsked());
      assert.match(await element.locator('gf-arrows svg').getAttribute('aria-label'), label);
      assert.match(await element.locator('gf-directions').textContent(), about);
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test('is missed by nobody where it does not come', async () => {
    const { page, close } = await host(browsing, pageOf(figure.replace('>', ' files="away">')), {
      reducedMotion: 'no-preference',
    });
    const element = page.locator('gf-attention');
    await element.evaluate((one) => one.play());
    await until(page, () => document.querySelector('gf-attention').whole.t > 2);
    assert.equal(await element.locator('.notice, .failure').count(), 0);
    await close();
  });
});
