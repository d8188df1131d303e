// Links in the page: some that restore the very state, by reload, back and forward; and 200 that mean harm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { openingOf, toHash } from '../../web/app/state/store.js';
import { sample, waits } from '../support/sample.js';
import { addressOf, follow, inBrowser, ready, settled, travel } from './browser.js';
import { chapters } from './states.js';

const names = Object.keys(chapters);

const { open } = inBrowser();

/** What a link has: where it says nothing of theme or language, the page has the reader's. */
const stateOf = (page) =>
  page.evaluate(() => {
    const { whole, linked } = document.querySelector('gf-app');
    const silent = Object.entries(linked).filter(([, value]) => value === 'auto');
    return { ...whole, ...Object.fromEntries(silent) };
  });
const packed = (bytes) => `v=1&z=${Buffer.from(bytes).toString('base64url')}`;

/** States that can be shown, as different as they may be. */
const SHOWN = [
  ['attention', { example: 'masked', remove: ['mask'], t: 12.345678901234567, speed: 0.25 }],
  [
    'attention',
    {
      edits: [
        { node: 'x', index: [0, 0], value: -0 },
        { node: 'x', index: [1, 1], value: 2 ** -149 },
        { node: 'w_q', index: [0, 2], value: 3.4028234663852886e38 },
        { node: 'scores', index: [2, 1], value: -Infinity },
      ],
      path: [{ node: 'scores.scaled', index: [0, 1] }],
    },
  ],
  [
    'heads',
    {
      sentence: {
        text: `${'語ß'.repeat(300)} = & # ~ %25 🤖`,
        dModel: 12,
        dK: 12,
        heads: 1,
        seed: 4294967295,
        positions: false,
        causal: true,
        wO: true,
      },
      heads: 4,
    },
  ],
  ['positions', { panel: 'shuffle', scheme: 'rotary', order: [4, 3, 2, 1, 0], theme: 'dark' }],
  [
    'transformer',
    { text: "j'ai deux chevaux", way: 'beam', temperature: 0.1 + 0.2, panel: 'cost' },
  ],
  ['training', { settings: { rate: 1 / 3, steps: 50, dModel: 16, heads: 2 }, text: 'a b' }],
  ['exercises', { recipe: 'scores', seed: 12, answers: ['1,5', '', '−∞ ~ !'], checked: '101' }],
].map(([name, more]) => {
  const chapter = chapters[name];
  const state = { ...openingOf(chapter), ...more };
  return { state, hash: toHash(chapter, state) };
});

describe('links restore the same bits', () => {
  test('by following, reload, back and forward', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open();
    for (const { state, hash } of SHOWN) {
      await follow(page, hash);
      assert.deepStrictEqual(await stateOf(page), state);
      await page.reload();
      await ready(page);
      await settled(page);
      assert.deepStrictEqual(await stateOf(page), state);
    }
    for (const way of ['back', 'forward']) {
      const rest = way === 'back' ? SHOWN.slice(0, -1).reverse() : SHOWN.slice(1);
      for (const { state } of rest) {
        await travel(page, way);
        assert.deepStrictEqual(await stateOf(page), state, way);
      }
    }
    assert.equal(await page.locator('gf-app > [role=alert]').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a long one is packed as soon as the state changes, and is one step of the history', async () => {
    const { hash } = SHOWN[2];
    assert.ok(hash.length > 2000);
    const { page, complaints, close } = await open(hash);
    await page.getByRole('button', { name: '6 heads' }).click();
    await page.waitForURL(/#v=1&z=/);
    const link = await addressOf(page);
    assert.ok(link.length < 2000, `${link.length} characters`);
    const six = { ...SHOWN[2].state, heads: 6 };
    assert.deepStrictEqual(await stateOf(page), six);
    await travel(page, 'back');
    assert.deepStrictEqual(await stateOf(page), SHOWN[2].state);
    await travel(page, 'forward');
    assert.deepStrictEqual(await stateOf(page), six);
    await page.goto('about:blank');
    await page.goto(link);
    await ready(page);
    await settled(page);
    assert.deepStrictEqual(await stateOf(page), six);
    assert.deepEqual(complaints, []);
    await close();
  });
});

// ---- Harm ----

const PAYLOADS = [
  '<script>window.pwned=1</script>',
  '"><img src=x onerror=window.pwned=1>',
  "'-(window.pwned=1)-'",
  '<svg onload=window.pwned=1>',
  'javascript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  '$' + '{window.pwned=1}',
  '{{constructor.constructor("window.pwned=1")()}}',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '1e999',
  '-1',
  '0x10',
  'null',
  '[object Object]',
  '../../../etc/passwd',
  '\u0000',
  '\u202e',
  'x'.repeat(90_000),
];
const payload = fc.constantFrom(...PAYLOADS);
/** As a link may hold it: encoded, or raw as it was pasted. */
const sent = payload.chain((text) =>
  fc.constantFrom(encodeURIComponent(text), text.replace(/[&=%]/g, '')),
);
const huge = fc.constantFrom('999999999', '4294967296', '1e21', '-1', '1.5');

/** Parts that no payload can be: of a fixed choice, a number or a cell. */
const STRICT = {
  attention: ['example', 'sentence', 't', 'level', 'gradient', 'nudge', 'claim'],
  heads: ['panel', 'heads', 'open', 'target', 'path', 'edits'],
  positions: ['panel', 'scheme', 'channels', 'count', 'at', 'shift', 'order', 'sentence'],
  transformer: ['model', 'way', 'step', 'panel', 'temperature', 'beside', 'length', 'kernel'],
  training: ['task', 'settings', 'off', 'step', 'view', 'side', 'pair', 'weight', 'temperature'],
  inside: ['off', 'value'],
  exercises: ['level', 'seed', 'digits', 'working', 'checked'],
};
const NODES = { attention: 'scores', heads: 'weights', positions: 'codes', transformer: 'logits' };

const hostileTo = (name) => {
  const keys = fc.constantFrom(...STRICT[name], 'theme', 'lang', 'speed');
  const part = (key, value) => fc.tuple(key, value).map((pair) => pair.join('='));
  const parts = [
    part(keys, sent),
    part(sent, payload.map(encodeURIComponent)),
    part(keys, fc.constantFrom('%', '%E0%A4%A', '%FF', '%u0041', '')),
    part(fc.constantFrom('__proto__', 'constructor', 'toString', '__proto__.pwned'), sent),
    part(fc.constant('v'), fc.constantFrom('2', '0', '1.0', '__proto__', '')),
    part(fc.constant('z'), sent),
    fc.string({ minLength: 1 }).map((text) => text.replace(/[=&#]/g, '') || 'x'),
    part(fc.constant('remove'), fc.constantFrom('Scale', 'scale,<b>', '1', 'a;b')),
  ];
  const node = NODES[name];
  if (node) {
    const cell = fc
      .tuple(fc.constantFrom(node, '__proto__', 'constructor', 'nothing'), huge, huge)
      .map(([of, i, j]) => `${of}:${i},${j}`);
    const edit = fc.constantFrom('NaN', '1e39', '0x1', '', '1,5').map((value) => {
      return `${node}:0,0=${value}`;
    });
    parts.push(part(fc.constant('remove'), fc.constantFrom('__proto__', 'constructor', 'all')));
    parts.push(part(fc.constantFrom('path', 'open', 'target'), cell));
    parts.push(
      part(
        fc.constant('edits'),
        fc.oneof(
          edit,
          cell.map((at) => `${at}=1`),
        ),
      ),
    );
  }
  const whole = fc.oneof(...parts).map((bad) => `v=1&chapter=${name}&${bad}`);
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: whole.map((hash) => packed(deflateRawSync(`#${hash}`))) },
  );
};

/** Links that name no chapter that there is, or cannot even be unpacked. */
const lost = fc.oneof(
  sent.map((name) => `v=1&chapter=${name}`),
  fc.uint8Array({ minLength: 1, maxLength: 99 }).map((bytes) => packed([6, ...bytes])),
  fc.constant(packed(deflateRawSync(Buffer.alloc(2 ** 24, 'a')))),
);

const hostile = fc
  .constantFrom(...names)
  .chain((name) =>
    fc.oneof(
      { weight: 8, arbitrary: hostileTo(name).map((hash) => ({ hash, name })) },
      { weight: 1, arbitrary: lost.map((hash) => ({ hash, name: 'attention' })) },
    ),
  );

test('hostile links give the notice and the opening, and run no script', async () => {
  const links = sample(fc.sample(hostile, { numRuns: 200, seed: 5 }), 25);
  // The translator's file is there before it is asked for what is not in it.
  const { page, complaints, close } = await open('#chapter=transformer', {
    ready: 'gf-chapter-transformer .lesson',
  });
  await page.evaluate(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', (event) => {
      globalThis.violations.push(event.violatedDirective);
    });
  });
  const before = await page.evaluate(() => Object.getOwnPropertyNames(Object.prototype).length);
  for (const [at, { hash, name }] of links.entries()) {
    const told = `${at}: ${hash.slice(0, 200)}`;
    const found = await page.evaluate(async (to) => {
      const app = document.querySelector('gf-app');
      const go = async (there) => {
        const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
        location.hash = there;
        await changed;
        while (!(await app.updateComplete));
        const body = app.querySelector('main > *');
        while (!(await body.updateComplete) || !(await app.updateComplete));
      };
      await go(to);
      const { whole, linked, chapter } = app;
      const state = { ...whole, lang: linked.lang };
      const notice = app.querySelector(':scope > [role=alert]')?.textContent ?? '';
      // Between two of them, what is well.
      await go('v=1&example=hi-how');
      const after = app.querySelector(':scope > [role=alert]')?.textContent ?? '';
      return { state, notice, name: chapter.name, after };
    }, hash);
    assert.match(found.notice, /The page opens without the link/, told);
    assert.ok(found.notice.length < 300, told);
    assert.equal(found.name, name, told);
    assert.deepStrictEqual(found.state, openingOf(chapters[name]), told);
    assert.equal(found.after, '', told);
  }
  assert.deepEqual(
    await page.evaluate(() => [globalThis.pwned, Object.prototype.pwned, globalThis.violations]),
    [undefined, undefined, []],
  );
  assert.equal(
    await page.evaluate(() => Object.getOwnPropertyNames(Object.prototype).length),
    before,
  );
  assert.deepEqual(complaints, []);
  await close();
});

describe('a link that asks for too much', () => {
  /** Follows a link; how often that computed a trace, and what is said of it. */
  const counting = async (page, hash) => {
    await page.evaluate(() => {
      const { session } = document.querySelector('gf-app');
      globalThis.plain ??= session.trace;
      globalThis.traced = 0;
      session.trace = (...given) => {
        globalThis.traced++;
        return globalThis.plain(...given);
      };
    });
    await follow(page, hash);
    const notice = page.locator('gf-app > [role=alert]');
    return {
      traced: await page.evaluate(() => globalThis.traced),
      notice: (await notice.count()) ? await notice.textContent() : '',
      state: await stateOf(page),
    };
  };

  test('is computed once with the last of its edits and once before them, and says so', async () => {
    const { page, complaints, close } = await open();
    const cells = Array.from({ length: 320 }, (_, k) => `w_q:${k % 64},${k >> 6}`);
    const edits = [...cells, ...cells].map((cell, k) => `${cell}=${k}`).join('~');
    const many = await counting(page, `#v=1&example=ten-tokens&edits=${edits}`);
    assert.equal(many.traced, 2);
    assert.equal(many.notice, '');
    assert.equal(many.state.edits.length, 320);
    const [x, y] = [Array.from({ length: 10 }), Array.from({ length: 64 })];
    const each = x.flatMap((_, i) => y.map((_, j) => `x:${i},${j}=${i}`)).join('~');
    const more = await counting(page, `#v=1&example=ten-tokens&edits=${each}`);
    assert.equal(more.traced, 2);
    assert.equal(more.notice, 'The link lists 640 entries in “edits”. Only the last 512 are used.');
    assert.equal(more.state.edits.length, 512);
    const long = await counting(page, `#v=1&edits=${'x:0,0=1~'.repeat(20_000)}x:0,0=1`);
    assert.match(long.notice, /^The link has 160\d\d\d characters; the page reads at most 100000/);
    assert.deepEqual(long.state, openingOf(chapters.attention));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('changes no number but those that it names', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await open('#chapter=transformer', {
      ready: 'gf-chapter-transformer .lesson',
    });
    /** Every number of the model, in one hash. */
    const parameters = () =>
      page.evaluate(() => {
        const { model } = document.querySelector('gf-chapter-transformer').models.get('translator');
        return [...model.parameters.values()].map(({ data }) => data.join()).join();
      });
    const before = await parameters();
    for (const [edit, cell] of [
      ['embedding.weight:0,99=9', 'embedding.weight[0, 99]: the shape is'],
      ['embedding.weight:0,0=3~embedding.weight:9999,0=9', 'embedding.weight[9999, 0]'],
      ['embedding.weight:0=9', 'embedding.weight[0]'],
      ['embedding.weight:0,0,0=9', 'embedding.weight[0, 0, 0]'],
      ['encoder.layers.0.norm1.weight:0,0=9', 'encoder.layers.0.norm1.weight[0, 0]'],
    ]) {
      await follow(page, `#v=1&chapter=transformer&edits=${edit}`);
      const told = await page.locator('gf-app > [role=alert]').textContent();
      assert.ok(told.includes(`no cell ${cell}`), told);
      assert.equal(await parameters(), before, edit);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

test('a model that cannot be shown takes none of another one’s edits, which keeps them', async () => {
  const edit = 'encoder.layers.0.self_attn.q_proj.weight:0,0=5';
  const { page, complaints, close } = await open(`#v=1&chapter=transformer&edits=${edit}`, {
    ready: 'gf-chapter-transformer .lesson',
  });
  const found = await page.evaluate(() => {
    const chapter = document.querySelector('gf-chapter-transformer');
    const { models, session, shown } = chapter;
    const translator = models.get('translator');
    const name = 'encoder.layers.0.self_attn.q_proj.weight';
    const model = session.core.model({ ...translator.model.config, seed: 3 });
    const other = new translator.constructor(model, translator.task, translator.marks);
    const first = (one) => one.model.parameters.get(name).data[0];
    const before = first(other);
    models.set('disk', other);
    let refused = '';
    try {
      chapter.open({ ...shown, model: 'disk', block: 'nowhere' });
    } catch (error) {
      refused = error.message;
    }
    return { refused, translator: first(translator), other: first(other) - before };
  });
  assert.deepEqual(found, { refused: 'the model has no block nowhere', translator: 5, other: 0 });
  assert.deepEqual(complaints, []);
  await close();
});
