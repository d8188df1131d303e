// Figures in pages of others: <gf-attention>, <gf-transformer> and embed.html.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { load, traceExample } from '../../bindings/index.js';
import { waits } from '../support/sample.js';
import { addressOf, inBrowser, until } from './browser.js';
import { compare } from './expect.js';
import { CLASSIC, calm, host, MODULE, numbersOf, pageOf } from './host.js';

const root = path.resolve(import.meta.dirname, '../..');
const built = (name) => path.join(root, 'build/site', name);

const browsing = inBrowser();
const gf = await load();

const said = (page, type) =>
  page.evaluate((wanted) => globalThis.said.filter((one) => one.type === wanted), type);
const parts = (figure) =>
  figure.evaluate(({ shadowRoot }) =>
    [...shadowRoot.querySelectorAll('.lesson > * > *, gf-timeline, gf-chooser')].map(
      ({ localName }) => localName,
    ),
  );

describe('a figure', () => {
  test('shows the core’s numbers at the place that its author names', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-attention id="one" example="i-love-robotics" at="scores/1,2"></gf-attention>'),
    );
    const figure = page.locator('gf-attention');
    await calm(figure);
    const trace = traceExample(gf, 'i-love-robotics');
    compare(await numbersOf(figure), { page: trace });
    const pinned = figure.locator('.cell.pinned');
    assert.equal(await pinned.getAttribute('data-node'), 'scores');
    assert.equal(await pinned.getAttribute('data-index'), '1,2');
    assert.match(await figure.locator('gf-caption').textContent(), /love.*robotics/);
    const [ready] = await said(page, 'gf-ready');
    assert.match(ready.state, /^#v=1&example=i-love-robotics.*path=scores:1,2/);
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });
});

describe('what an author writes', () => {
  test('parts, locks, a removal and slopes', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf(
        `<gf-attention id="usual"></gf-attention>
        <gf-attention id="few" show="stage, timeline"></gf-attention>
        <gf-attention id="all" show="all" remove="scale" gradient lock="switches,inputs"
          example="masked" at="weights/1"></gf-attention>`,
      ),
    );
    for (const id of ['usual', 'few', 'all']) await calm(page.locator(`#${id}`));
    assert.deepEqual(await parts(page.locator('#usual')), [
      'gf-stage',
      'gf-readouts',
      'gf-caption',
      'gf-timeline',
    ]);
    assert.deepEqual(await parts(page.locator('#few')), ['gf-stage', 'gf-readouts', 'gf-timeline']);
    const all = page.locator('#all');
    const shown = await parts(all);
    for (const part of ['chooser', 'map', 'switches', 'strip', 'formula', 'microscope', 'legend']) {
      assert.ok(shown.includes(`gf-${part}`), part);
    }
    assert.equal(await all.locator('.run.intact').count(), 1);
    assert.ok(await all.locator('gf-gradient h2').isVisible());
    assert.equal(await all.locator('gf-switches input:not(:disabled)').count(), 0);
    assert.equal(await all.locator('.remove, gf-chooser select').count(), 0);
    /* What is locked stays as it is, whoever asks. */
    const before = await all.evaluate((figure) => figure.state);
    await all.evaluate((figure) => {
      const act = (detail) =>
        figure.body.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
      act({ do: 'remove', name: 'scale' });
      act({ do: 'example', name: 'three-tokens' });
      act({ do: 'edit', cell: { node: 'x', index: [0, 0] }, text: '3' });
    });
    assert.equal(await all.evaluate((figure) => figure.state), before);
    assert.match(await all.locator('.notice').textContent(), /locked/);
    const inside = await all.locator('.root').evaluate((root) => {
      const [around, notice] = [root, root.querySelector('.notice')].map((one) =>
        one.getBoundingClientRect(),
      );
      return notice.top >= around.top && notice.bottom <= around.bottom;
    });
    assert.ok(inside, 'the notice is outside of its figure');
    await all.evaluate((figure) => {
      const detail = { do: 'edit', cell: { node: 'w_q', index: [0, 0] }, text: '3' };
      figure.body.dispatchEvent(new CustomEvent('gf-act', { detail, bubbles: true }));
    });
    assert.match(await all.evaluate((figure) => figure.state), /edits=w_q:0,0=3/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('with fit it is no higher than its element at any step: the Play bar is seen, no heading is cut off', async () => {
    const figure = (
      size,
      at,
    ) => `<div style="width:1000px;height:600px;display:flex;flex-direction:column;overflow:hidden">
      <h2>On a slide</h2>
      <gf-attention fit style="flex:1;min-height:0;${size}" example="i-love-robotics" at="${at}"></gf-attention></div>`;
    const all = figure('', 'output/1') + figure('--gf-size:26px', 'scores/1');
    const { page, complaints, close } = await host(browsing, pageOf(all));
    const fits = () =>
      [...document.querySelectorAll('gf-attention')].every(
        ({ shadowRoot: root, parentElement }) => {
          const bar = root.querySelector('gf-timeline').getBoundingClientRect();
          const stage = root.querySelector('.figure');
          const box = parentElement.getBoundingClientRect();
          return (
            bar.height > 20 &&
            bar.bottom <= box.bottom + 1 &&
            stage.scrollWidth <= stage.clientWidth + 1
          );
        },
      );
    await until(page, fits);
    /* The matrices show their numbers. */
    assert.equal(await page.locator('gf-attention gf-stage gf-heatmap').count(), 0);
    for (const place of ['q', 'scores', 'weights', 'output']) {
      for (const one of await page.locator('gf-attention').all())
        await one.evaluate((element, to) => element.seek(to), place);
      await until(page, fits);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('places: a step, a row, a cell, a kind of step, a time', async () => {
    const { page, close } = await host(browsing, pageOf('<gf-attention></gf-attention>'));
    const figure = page.locator('gf-attention');
    const at = async (place) => {
      await figure.evaluate((element, to) => element.seek(to), place);
      await calm(figure);
      return figure.evaluate(({ shadowRoot, whole }) => ({
        stage: shadowRoot.querySelector('gf-stage .count').textContent,
        known: shadowRoot.querySelectorAll('.cell[data-node=weights]').length,
        path: whole.path,
      }));
    };
    assert.deepEqual((await at('weights')).known, 9);
    const row = await at('softmax/1');
    assert.deepEqual([row.known, row.path], [6, []]);
    const cell = await at('weights/1,0');
    assert.deepEqual([cell.known, cell.path], [4, [{ node: 'weights', index: [1, 0] }]]);
    assert.match((await at(0)).stage, /^1 /);
    for (const place of ['nowhere', 'scores/9,9', 'scores/0,0,0,0', '<b>', 'scores/-1', '']) {
      const message = await figure.evaluate((element, to) => {
        try {
          element.seek(to);
          return '';
        } catch (error) {
          return `${error.name}: ${error.message}`;
        }
      }, place);
      assert.match(message, /^RangeError: /, place);
    }
    await close();
  });

  test('that cannot be shown is told in the figure, with what is wrong', async () => {
    const wrong = [
      ['example="nowhere"', /there is no example called nowhere/],
      ['show="stage,stge"', /show: “stage,stge” .*“stge” is not one of example, map/],
      ['lock="everything"', /lock: “everything” .*not one of weights/],
      ['remove="<img src=x onerror=alert(1)>"', /remove: “<img/],
      ['remove="everything"', /everything/],
      ['at="nowhere/1"', /there is no step “nowhere”. Choose from q, k/],
      ['at="scores/7,7"', /there is no cell scores\[7, 7\]: the shape is 3 × 3/],
      ['theme="sepia"', /theme: “sepia”/],
      ['lang="xx"', /lang: “xx”/],
      ['state="#v=1&amp;t=soon"', /state: “#v=1&t=soon”.*t=soon/],
      ['state="#chapter=training"', /state: .*training/],
    ];
    const { page, complaints, close } = await host(
      browsing,
      pageOf(
        wrong.map(([given], i) => `<gf-attention id="w${i}" ${given}></gf-attention>`).join(''),
      ),
    );
    for (const [i, [given, message]] of wrong.entries()) {
      const figure = page.locator(`#w${i}`);
      await calm(figure);
      assert.match(await figure.locator('.notice').textContent(), message, given);
      assert.ok(await figure.locator('gf-stage .matrix').first().isVisible(), given);
    }
    const errors = await said(page, 'gf-error');
    assert.deepEqual(new Set(errors.map(({ id }) => id)).size, wrong.length);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('changes while the page lives, as attributes and as properties', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-attention></gf-attention>'),
    );
    const figure = page.locator('gf-attention');
    const title = () => figure.locator('gf-stage h2').textContent();
    await figure.evaluate((element) => {
      element.example = 'masked';
      element.at = 'weights';
    });
    await calm(figure);
    assert.equal(await figure.getAttribute('example'), 'masked');
    assert.equal(await title(), 'Attention weights');
    await figure.evaluate((element) => element.setAttribute('remove', 'mask'));
    await calm(figure);
    assert.match(
      await figure.evaluate((element) => element.getState()),
      /example=masked&remove=mask/,
    );
    const state = '#v=1&example=three-tokens&t=12&path=q:1,1';
    await figure.evaluate((element, hash) => element.setState(hash), state);
    assert.equal(await figure.evaluate((element) => element.getState()), state);
    const opened = await said(page, 'gf-error');
    for (const [hash, why] of [
      ['#v=1&t=never', /^Part “t=never” of the state could not be read\.$/],
      ['#v=1&z=A!', /“z=A!”/],
      [
        `#v=1&t=${'0'.repeat(100_000)}`,
        /^The state has 100007 characters; the figure reads at most 100000/,
      ],
      ['#example=nowhere', /there is no example called nowhere/],
      ['#v=1&example=masked&remove=everything', /everything/],
      ['#v=1&example=masked&edits=x:99,0=1', /\[99,0\] is not a cell/],
      ['#v=1&chapter=heads&path=nothing:0,0', /no step "nothing"/],
      ['#v=1&chapter=transformer&model=https://elsewhere.example/', /only the translator/],
      [7, /expected a hash, received number/],
    ]) {
      const refused = await figure.evaluate(
        (element, given) => element.setState(given).catch((error) => error.message),
        hash,
      );
      assert.match(refused, why);
      assert.equal(await figure.evaluate((element) => element.getState()), state);
      assert.equal(await figure.locator('gf-chapter-attention .lesson').count(), 1);
      assert.equal(await figure.locator('.notice').count(), 0);
    }
    assert.deepEqual(await said(page, 'gf-error'), opened);
    await figure.evaluate((element) => element.setState('#chapter=heads&example=two-heads'));
    await calm(figure);
    assert.equal(await figure.locator('gf-chapter-heads .lesson').count(), 1);
    await figure.evaluate((element, hash) => element.setState(hash), state);
    const display = () => figure.evaluate((element) => getComputedStyle(element).display);
    assert.equal(await display(), 'block');
    await figure.evaluate((element) => {
      element.hidden = true;
    });
    assert.equal(await display(), 'none');
    await figure.evaluate((element) => element.remove());
    assert.equal(await page.locator('gf-attention').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

test('numbers have as many digits as the author writes, each figure its own', async () => {
  const { page, complaints, close } = await host(
    browsing,
    pageOf(
      `<gf-attention id="two" example="the-cat-sat" at="weights" round="2"></gf-attention>
      <gf-attention id="four" example="the-cat-sat" at="weights" round="4"></gf-attention>
      <gf-attention id="bad" round="7"></gf-attention>`,
    ),
  );
  const texts = async (id) => {
    await calm(page.locator(`#${id}`));
    const shown = await numbersOf(page.locator(`#${id}`));
    return shown.filter(({ node, text }) => node === 'weights' && /^0\./.test(text));
  };
  const rounded = async (id, digits) => {
    const shown = await texts(id);
    assert.ok(shown.length >= 9, `${shown.length}`);
    for (const { text, value } of shown) {
      assert.equal(Number(text), Number((+value).toPrecision(digits)));
    }
    assert.ok(shown.some(({ text }) => text.replace(/^0\.0*/, '').length === digits));
  };
  await rounded('two', 2);
  await rounded('four', 4);
  assert.match(await page.locator('#bad .notice').textContent(), /round: “7” .*text, 2, 3, 4, all/);
  await page.locator('#two').evaluate((figure) => {
    figure.round = 3;
  });
  await rounded('two', 3);
  assert.equal(await page.locator('#two').getAttribute('round'), '3');
  assert.deepEqual(complaints, []);
  await close();
});

describe('in a page of others', () => {
  /** What hostile pages do. */
  const HOSTILE = `<style>
    html { font-size: 40px; background: #123; color: #fff; --ink: red; --paper: red; --rem: 3px }
    body * { all: unset; font: italic 50px/4 Impact !important; color: lime !important;
      text-transform: uppercase !important; letter-spacing: 9px !important; box-sizing: content-box }
    .cell, .matrix, button, main, .chapter { display: none !important }
    gf-attention, gf-stage { width: 760px; display: block }
  </style>`;

  test('looks the same, whatever styles that page has', async () => {
    const figure = '<gf-attention example="three-tokens" at="scores" show="all"></gf-attention>';
    const look = async (head) => {
      const body = `<div style="width: 760px !important; display: block">${figure}</div>`;
      const opened = await host(browsing, pageOf(body, { head }));
      await calm(opened.page.locator('gf-attention'));
      const seen = await opened.page.locator('gf-attention').evaluate(({ shadowRoot }) => {
        const frame = shadowRoot.querySelector('.root').getBoundingClientRect();
        return [...shadowRoot.querySelectorAll('.root *')]
          .filter((element) => !element.matches('option'))
          .map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect();
            const { color, fontSize, fontStyle, textTransform } = getComputedStyle(element);
            const box = [left - frame.left, top - frame.top, width, height].map(Math.round);
            const style = [color, fontSize, fontStyle, textTransform];
            return [element.localName, ...box, ...style].join(' ');
          });
      });
      await opened.close();
      return seen;
    };
    const calmly = await look('');
    assert.ok(calmly.length > 300, `${calmly.length} elements`);
    assert.deepEqual(await look(HOSTILE), calmly);
  });

  test('takes colours and size from the variables that are meant for it', async () => {
    const { page, close } = await host(
      browsing,
      pageOf(
        `<gf-attention id="own" style="--gf-paper: rgb(1, 2, 3); --gf-size: 20px"></gf-attention>
         <gf-attention id="usual"></gf-attention>`,
      ),
    );
    const root = (id) => page.locator(`#${id} .root`);
    const style = (id, name) =>
      root(id).evaluate((element, key) => getComputedStyle(element)[key], name);
    await calm(page.locator('#own'));
    assert.equal(await style('own', 'backgroundColor'), 'rgb(1, 2, 3)');
    assert.notEqual(await style('usual', 'backgroundColor'), 'rgb(1, 2, 3)');
    assert.equal(await style('own', 'fontSize'), '20px');
    assert.equal(await style('usual', 'fontSize'), '16px');
    await close();
  });

  test('several share one core', async () => {
    /* What unpacks the core is a module, too. */
    const head = `<script>
      globalThis.cores = 0;
      const { Instance, instantiate } = WebAssembly;
      const count = (instance) => { globalThis.cores += 'gf_abi' in instance.exports };
      WebAssembly.instantiate = async (...given) => {
        const made = await instantiate(...given);
        count(made.instance ?? made);
        return made;
      };
      WebAssembly.Instance = class extends Instance { constructor(...given) { super(...given); count(this) } };
    </script>`;
    const three = '<gf-attention></gf-attention>'.repeat(3);
    const { page, complaints, close } = await host(browsing, pageOf(three, { head }));
    assert.equal(await page.evaluate(() => globalThis.cores), 1);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('may be defined twice', async () => {
    const script = `${CLASSIC}${MODULE}${CLASSIC}<script type="module" src="anywidget.js"></script>`;
    const { complaints, close } = await host(
      browsing,
      pageOf('<gf-attention></gf-attention>', { script }),
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('takes keys only while it has the focus, and plays only while it is seen', async (context) => {
    if (waits(context)) return;
    const { page, close } = await host(
      browsing,
      pageOf(
        '<gf-attention></gf-attention><p style="height: 3000px">Prose</p><p id="end">End</p>',
        {
          head: '<script>addEventListener("keydown", () => { globalThis.heard = true })</script>',
        },
      ),
    );
    const figure = page.locator('gf-attention');
    const t = () => figure.evaluate(({ whole }) => whole.t);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual([await t(), await page.evaluate(() => globalThis.heard)], [0, true]);
    await page.evaluate(() => {
      globalThis.heard = false;
    });
    await figure.locator('gf-caption').click();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual([await t(), await page.evaluate(() => globalThis.heard)], [1, false]);
    await figure.evaluate((element) => element.play());
    assert.ok(await figure.evaluate(({ body }) => body.playing));
    await page.locator('#end').scrollIntoViewIfNeeded();
    await until(page, () => !document.querySelector('gf-attention').body.playing);
    await close();
  });

  test('follows links in the prose, which still are links', async () => {
    const { page, close } = await host(
      browsing,
      pageOf(`<p><a id="go" href="#fig" data-gf-at="softmax/1">row 1</a>
        <a id="lost" href="#fig" data-gf-at="nowhere">nowhere</a>
        <a id="plain" href="#gone" data-gf-at="softmax/1">no figure</a></p>
        <gf-attention id="fig"></gf-attention>`),
    );
    const figure = page.locator('gf-attention');
    await page.locator('#go').click();
    await calm(figure);
    assert.equal(await figure.locator('gf-stage h2').textContent(), 'Attention weights');
    assert.equal(await figure.locator('.cell[data-node=weights]').count(), 6);
    assert.doesNotMatch(await addressOf(page), /#/, 'the page stays where it is');
    await page.locator('#lost').click();
    await calm(figure);
    assert.match(await figure.locator('.notice').textContent(), /“nowhere”/);
    await page.locator('#plain').click();
    assert.match(await addressOf(page), /#gone$/);
    await close();
  });

  test('shows the translator too, with its weights beside the script', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-transformer sentence="la souris mange" show="all"></gf-transformer>'),
    );
    const figure = page.locator('gf-transformer');
    await calm(figure);
    assert.match(await figure.locator('gf-translation').textContent(), /mouse/);
    await figure.evaluate((element) => element.seek('decoder.layers.0.cross_attn.weights/0,1,1'));
    await calm(figure);
    assert.match(await figure.locator('gf-stage h2').textContent(), /weights/i);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('shows the translator’s masks: each token sees itself and those before it', async () => {
    const { page, complaints, close } = await host(
      browsing,
      pageOf('<gf-transformer state="#panel=masks" show="all"></gf-transformer>'),
    );
    const figure = page.locator('gf-transformer');
    await calm(figure);
    const rows = await figure
      .locator('.mask tr')
      .evaluateAll((all) => all.map(({ cells }) => [...cells].slice(1).map((cell) => cell.title)));
    assert.equal(rows.length, 5);
    for (const [i, row] of rows.entries()) {
      const seen = row.map((title) => title.endsWith(': 0'));
      assert.deepEqual(
        seen,
        Array.from(rows, (_, j) => j <= i),
      );
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says so if the weights are not there, in the reader’s language', async () => {
    const { page, close } = await host(
      browsing,
      pageOf('<gf-transformer model="elsewhere/weights.js" lang="de"></gf-transformer>'),
    );
    const told = page.locator('gf-transformer .waiting');
    const german = /elsewhere\/weights\.js ließ sich nicht laden\..*Datei dort ablegen/;
    assert.match(await told.textContent(), german);
    const [{ message }, ...others] = await said(page, 'gf-error');
    assert.match(message, german);
    assert.deepEqual(others, []);
    await close();
  });
});

describe('without a server', () => {
  test('a server that renders pages imports the modules, which define nothing there', () => {
    const program = `
      const before = Object.getOwnPropertyNames(globalThis).join();
      const { Attention, Transformer } = await import('glassformer/element');
      const { default: widget } = await import('glassformer/anywidget');
      const after = Object.getOwnPropertyNames(globalThis).join();
      console.log(JSON.stringify([before === after, Attention ?? null, Transformer ?? null, typeof widget.render]));`;
    const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(told), [true, null, null, 'function']);
  });

  test('the scripts are plain ASCII, and read the same in a page of any encoding', () => {
    for (const name of [
      'element.js',
      'element.classic.js',
      'anywidget.js',
      'french-english.js',
      'stories.js',
    ]) {
      assert.doesNotMatch(readFileSync(built(name), 'latin1'), /[\u0080-\u00ff]/, name);
    }
  });

  test('embed.html is one file of at most 279 kB as it travels', () => {
    const text = readFileSync(built('embed.html'));
    assert.ok(gzipSync(text, { level: 9 }).length <= 279_000, `${gzipSync(text).length} bytes`);
    assert.doesNotMatch(text.toString('utf8'), /<(script|img|iframe)[^>]*\ssrc=|<link/);
  });
});

describe('embed.html', () => {
  /** A page with two sandboxed frames; each is as high as it says. */
  const frames = (first, second = first) =>
    pageOf(
      `<iframe id="one" sandbox="allow-scripts" width="700" height="200" src="embed.html#${first}"></iframe>
      <iframe id="two" sandbox="allow-scripts" width="700" height="200" src="embed.html#${second}"></iframe>
      <script>
        globalThis.from = [];
        addEventListener('message', ({ source, data, origin }) => {
          const frame = [...document.querySelectorAll('iframe')].find((one) => one.contentWindow === source);
          from.push({ id: frame.id, origin, data });
          if (data.type === 'resize') frame.height = data.height;
        });
        globalThis.ask = (id, data) => document.getElementById(id).contentWindow.postMessage(data, '*');
      </script>`,
      { script: '' },
    );
  const ready = (page) =>
    page.waitForFunction(() => {
      const told = globalThis.from.filter(({ data }) => data.type === 'ready');
      return new Set(told.map(({ id }) => id)).size === 2;
    });
  /** What comes back for a question. */
  const answer = async (page, frame, question) => {
    const id = `q${Math.random()}`;
    await page.evaluate(
      ([to, asked]) => globalThis.ask(to, asked),
      [frame, { glassformer: 1, id, ...question }],
    );
    const found = await page.waitForFunction(
      (own) => globalThis.from.find(({ data }) => data.id === own),
      id,
    );
    return found.jsonValue();
  };

  test('in sandboxed frames says what it shows and how high it is, and does what it is asked', async () => {
    const one = 'v=1&example=i-love-robotics&show=stage,timeline&at=scores/1,2';
    const two = 'v=1&example=masked&show=stage&lock=all';
    const { page, complaints, close } = await host(browsing, frames(one, two));
    await ready(page);
    const [first, second] = ['#one', '#two'].map((id) =>
      page.frameLocator(id).locator('gf-attention'),
    );
    await calm(first);
    assert.equal(await first.locator('.cell.pinned').getAttribute('data-index'), '1,2');
    assert.deepEqual(await parts(first), ['gf-stage', 'gf-readouts', 'gf-timeline']);
    assert.deepEqual(await parts(second), ['gf-stage', 'gf-readouts']);
    for (const [i, id] of ['one', 'two'].entries()) {
      await page.waitForFunction((frame) => {
        const sizes = globalThis.from.filter(
          (told) => told.id === frame && told.data.type === 'resize',
        );
        const element = document.getElementById(frame);
        return sizes.length > 0 && element.clientHeight === sizes.at(-1).data.height;
      }, id);
      const canvas = await page.evaluate(
        (frame) => globalThis.from.findLast((told) => told.id === frame && told.data.subject)?.data,
        id,
      );
      assert.equal(canvas.subject, 'lti.frameResize');
      assert.equal(
        canvas.height,
        await page.evaluate((frame) => document.getElementById(frame).clientHeight, id),
      );
      const height = await page
        .frames()
        [i + 1].evaluate(() => document.documentElement.getBoundingClientRect().height);
      assert.ok(Math.abs(canvas.height - height) <= 1, `${canvas.height}, ${height}`);
    }
    /* Each answers for itself. */
    const state = async (id) => (await answer(page, id, { type: 'getState' })).data.state;
    assert.match(await state('one'), /example=i-love-robotics.*path=scores:1,2/);
    assert.equal(await state('two'), '#example=masked');
    const set = await answer(page, 'two', { type: 'setState', state: '#example=three-tokens' });
    assert.deepEqual([set.id, set.data.type], ['two', 'state']);
    assert.equal(await state('two'), '#example=three-tokens');
    assert.match(await state('one'), /i-love-robotics/);
    await answer(page, 'one', { type: 'seek', at: 'weights/0' });
    await calm(first);
    assert.equal(await first.locator('gf-stage h2').textContent(), 'Attention weights');
    await answer(page, 'one', { type: 'seek', at: 0 });
    await calm(first);
    assert.match(await first.locator('gf-stage .count').textContent(), /^1 /);
    await answer(page, 'two', { type: 'theme', theme: 'dark' });
    await calm(second);
    assert.equal(await second.locator('.root').getAttribute('data-theme'), 'dark');
    await answer(page, 'two', { type: 'round', round: 2 });
    assert.equal(await second.getAttribute('round'), '2');
    await answer(page, 'one', { type: 'play' });
    assert.ok(await first.evaluate(({ body }) => body.playing));
    await answer(page, 'one', { type: 'pause' });
    assert.ok(!(await first.evaluate(({ body }) => body.playing)));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('takes no message that is not of the protocol, and says what is wrong with one that is', async () => {
    const { page, complaints, close } = await host(browsing, frames('example=three-tokens'));
    await ready(page);
    const told = (message) =>
      answer(page, 'one', message).then(({ data }) => [data.type, data.message]);
    const wrong = [
      [{ glassformer: 2, type: 'getState' }, /version 1/],
      [{ glassformer: '1', type: 'getState' }, /version 1/],
      [{ type: 'eval' }, /type must be one of getState/],
      [{ type: '__proto__' }, /type must be/],
      [{ type: 7 }, /type must be/],
      [{ type: 'setState' }, /setState: state does not fit/],
      [{ type: 'setState', state: { example: 'masked' } }, /does not fit/],
      [{ type: 'setState', state: '#v=1&t=never' }, /t=never/],
      [{ type: 'setState', state: '#v=1&example=<script>alert(1)</script>' }, /example=/],
      [{ type: 'setState', state: 'x'.repeat(200_000) }, /does not fit/],
      [{ type: 'seek' }, /seek: at does not fit/],
      [{ type: 'seek', at: -1 }, /does not fit/],
      [{ type: 'seek', at: Number.NaN }, /does not fit/],
      [{ type: 'seek', at: '<img src=x onerror=alert(1)>' }, /no step|no place/],
      [{ type: 'theme', theme: 'sepia' }, /does not fit/],
      [{ type: 'lang', lang: 'javascript:alert(1)' }, /does not fit/],
      [{ type: 'lang', lang: 'xx' }, /“xx” is not one of en, fr, de/],
      [{ type: 'round', round: 7 }, /round: round does not fit/],
    ];
    for (const [message, reason] of wrong) {
      const [type, text] = await told(message);
      assert.equal(type, 'error', JSON.stringify(message).slice(0, 80));
      assert.match(text, reason, JSON.stringify(message).slice(0, 80));
    }
    const before = await page.evaluate(() => globalThis.from.length);
    const unasked = await page.evaluate(() =>
      globalThis.from.filter(({ data }) => data.type === 'error' && data.id === undefined),
    );
    assert.deepEqual(unasked, [], 'each error answers a message');
    await page.evaluate(() => {
      const others = [
        null,
        7,
        'setState',
        [],
        {},
        { type: 'setState', state: '#' },
        { subject: 'x' },
      ];
      for (const data of others) globalThis.ask('one', data);
    });
    /* Messages keep their order: what comes next is the answer to the first one of ours. */
    const { data } = await answer(page, 'one', { type: 'getState' });
    assert.equal(data.state, '#example=three-tokens');
    assert.equal(await page.evaluate(() => globalThis.from.length), before + 1);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('obeys the page around it alone, and only of the origin that its address names', async () => {
    const own = encodeURIComponent(new URL(browsing.site.url).origin);
    const { page, close } = await host(
      browsing,
      frames(
        `example=masked&origin=${own}`,
        'example=masked&origin=https%3A%2F%2Felsewhere.example',
      ),
    );
    const second = page.frameLocator('#two').locator('gf-attention');
    await second.locator('.lesson').waitFor();
    assert.equal((await answer(page, 'one', { type: 'getState' })).data.state, '#example=masked');
    /* The other frame is neither heard nor heeded here. */
    await page.evaluate(() =>
      globalThis.ask('two', { glassformer: 1, type: 'setState', state: '#example=hi-how' }),
    );
    await answer(page, 'one', { type: 'getState' });
    await calm(second);
    assert.match(await second.evaluate((figure) => figure.state), /masked/);
    const ids = await page.evaluate(() => globalThis.from.map(({ id }) => id));
    assert.ok(!ids.includes('two'));
    await close();
  });

  test('is deaf to the frames beside it', async () => {
    const { page, close } = await host(browsing, frames('example=masked'));
    await ready(page);
    const [, one, two] = page.frames();
    await one.evaluate(() => {
      globalThis.heard = new Promise((done) => addEventListener('message', done, { once: true }));
    });
    await two.evaluate(() => {
      const question = { glassformer: 1, type: 'setState', state: '#example=hi-how' };
      parent.frames[0].postMessage(question, '*');
    });
    await one.evaluate(async () => {
      await globalThis.heard;
    });
    assert.equal((await answer(page, 'one', { type: 'getState' })).data.state, '#example=masked');
    await close();
  });

  test('of many states that wait it shows the newest, once, and answers each', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await host(browsing, frames('example=three-tokens'));
    await ready(page);
    const frame = page.frames()[1];
    const figure = page.frameLocator('#one').locator('gf-attention');
    await calm(figure);
    const opened = await frame.evaluate(async () => {
      const [figure] = document.querySelectorAll('gf-attention');
      let times = 0;
      figure.shadowRoot.addEventListener('gf-opened', () => {
        times++;
      });
      const ask = (id, question) =>
        dispatchEvent(
          new MessageEvent('message', {
            data: { glassformer: 1, id, ...question },
            source: parent,
            origin: 'null',
          }),
        );
      for (let k = 0; k < 2000; k++) {
        ask(k, { type: 'setState', state: `#v=1&example=hi-how&edits=x:0,0=${k}` });
      }
      ask('seek', { type: 'seek', at: 'scores' });
      ask('bad', { type: 'setState', state: '#v=1&t=never' });
      ask('worse', { type: 'setState', state: '#v=1&example=nowhere' });
      ask('theme', { type: 'theme', theme: 'dark' });
      await figure.setState('#v=1&example=hi-how&edits=x:0,0=1999');
      return times;
    });
    assert.equal(opened, 1);
    const answers = await page.waitForFunction(() => {
      const told = globalThis.from.filter(({ data }) => data.id !== undefined);
      return told.some(({ data }) => data.id === 'theme') && told.map(({ data }) => data);
    });
    const all = await answers.jsonValue();
    assert.deepEqual(
      all.map(({ id }) => id),
      [...Array.from({ length: 2000 }, (_, k) => k), 'seek', 'bad', 'worse', 'theme'],
    );
    const kinds = all.map(({ type, state, message }) => (type === 'error' ? message : state));
    assert.deepEqual([...new Set(kinds.slice(0, 2000))], ['#v=1&example=hi-how&edits=x:0,0=1999']);
    assert.match(kinds[2000], /edits=x:0,0=1999&t=/);
    assert.match(kinds[2001], /t=never/);
    assert.match(kinds[2002], /nowhere/);
    assert.match(kinds[2003], /theme=dark|edits=x:0,0=1999/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('talks to nobody where its address names no origin, and says so', async () => {
    const { page, complaints, close } = await host(
      browsing,
      frames('example=masked&origin=garbage', 'example=masked&origin=javascript:alert(1)'),
    );
    for (const [id, given] of [
      ['#one', 'garbage'],
      ['#two', 'javascript:alert(1)'],
    ]) {
      const figure = page.frameLocator(id).locator('gf-attention');
      await figure.locator('.notice', { hasText: `“${given}” is not an origin` }).waitFor();
    }
    await page.evaluate(() => globalThis.ask('one', { glassformer: 1, type: 'getState' }));
    await page.evaluate(() => globalThis.ask('one', 'slide:stop'));
    await calm(page.frameLocator('#one').locator('gf-attention'));
    assert.deepEqual(await page.evaluate(() => globalThis.from), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says that it shows no checkpoint', async () => {
    const checkpoint = 'v=1&chapter=transformer&model=https://elsewhere.example/';
    const { page, complaints, close } = await host(browsing, frames(checkpoint));
    const told = await page.waitForFunction(
      () => globalThis.from.find(({ data }) => data.type === 'error')?.data.message,
    );
    assert.match(await told.jsonValue(), /A figure shows only the translator/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says what is wrong in one language', async () => {
    const wrong = 'v=1&t=soon&at=nowhere&show=stge&lock=x&lang=fr';
    const { page, close } = await host(browsing, frames(wrong, 'v=1&example=nowhere&lang=de'));
    const notice = (id) => page.frameLocator(id).locator('gf-attention .notice');
    await notice('#one').waitFor();
    const said = await notice('#one').textContent();
    assert.match(said, /^state\s: «\s#v=1&t=soon\s» ne peut pas être montré \(t=soon\)/);
    assert.match(said, /«\sstge\s» ne figure pas parmi example/);
    assert.match(said, /aucune étape ne s’appelle «\snowhere\s»\s; il y a q, k/);
    assert.doesNotMatch(said, /\b(no|is|there|cannot|none|shown)\b/);
    assert.match(await notice('#two').textContent(), /kein Beispiel heißt nowhere/);
    await close();
  });

  test('links in the prose drive it, too', async () => {
    const { page, close } = await host(
      browsing,
      pageOf(`<a href="#fig" data-gf-at="softmax/1">row 1</a>
        <iframe id="fig" sandbox="allow-scripts" width="700" height="600" src="embed.html#example=masked"></iframe>`),
    );
    const figure = page.frameLocator('#fig').locator('gf-attention');
    await figure.locator('.lesson').waitFor();
    await page.locator('a').click();
    await figure.getByRole('heading', { name: 'Attention weights' }).waitFor();
    await close();
  });

  test('a packed link is one of its, too', async () => {
    const hash = '#v=1&sentence=8~8~1~1~pc~many words and no more';
    const { page, close } = await host(browsing, frames('', ''));
    await ready(page);
    const packed = await page.evaluate(async (plain) => {
      const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      const text = btoa(String.fromCharCode(...bytes));
      return `#v=1&z=${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
    }, hash);
    await answer(page, 'one', { type: 'setState', state: packed });
    const figure = page.frameLocator('#one').locator('gf-attention');
    await figure.locator('gf-stage .side', { hasText: 'words' }).first().waitFor();
    const shown = (await answer(page, 'one', { type: 'getState' })).data.state;
    assert.match(shown, /^#v=1&sentence=8~/);
    for (const state of ['#v=1&z=A!', '#v=1&example=nowhere', '#v=1&edits=x:0,99=1']) {
      const { data } = await answer(page, 'one', { type: 'setState', state });
      assert.equal(data.type, 'error', state);
      assert.equal((await answer(page, 'one', { type: 'getState' })).data.state, shown);
    }
    assert.equal(await figure.locator('.notice').count(), 0);
    await close();
  });
});
