import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { explain, exportModel, load, readModel, traceModel } from '../../bindings/index.js';
import { headRoles, withoutHead } from '../../bindings/lab/inside/index.js';
import { END, linkedSentences, START, tasks } from '../../bindings/lab/tasks/index.js';
import { stagesOf, timeline } from '../../web/app/state/timeline.js';
import { costs, numbersOfToken } from '../../web/chapters/transformer/count.js';
import { layers } from '../../web/chapters/transformer/layers.js';
import * as state from '../../web/chapters/transformer/state.js';
import { aboutOf, shortTitle } from '../../web/chapters/transformer/words.js';
import { blocksOf, blockWith } from '../../web/stage/draw/blocks.js';
import { stacks, unfoldedIn } from '../../web/stage/draw/stacks.js';
import { page as pageOf, span, spans } from '../../web/stage/draw/window.js';
import { collect } from '../../web/workers/reader/download.js';
import { filesOf, folderOf } from '../../web/workers/reader/files.js';
import { waits } from '../support/sample.js';
import { onlyInFull } from '../support/skips.js';
import {
  addressOf,
  chooseCheckpoint,
  follow,
  inBrowser,
  made,
  numbers,
  settled,
  travel,
  unfold,
  until,
} from './browser.js';
import { compare, flat } from './expect.js';
import { agree, choose, refusal } from './opener.js';
import { inFull } from './rounding.js';

const HASH = '#v=1&chapter=transformer';
const file = new URL('../../bindings/data/models/french-english.safetensors', import.meta.url);
const task = tasks['french-english'];
const { vocabulary } = task;

const browsing = inBrowser();
const { open } = browsing;
const gf = await load();
const model = gf.open(readModel(readFileSync(file)));

const idsOf = (text) => vocabulary.encode(task.tokenize('source', text));
const limits = { start: START, stopTokens: [END] };
const translate = (text, more = {}) => model.generateSync(idsOf(text), { ...limits, ...more });
const say = (tokens) => task.detokenize('target', vocabulary.decode(tokens));

/** What the page traces: the sentence, and the first so many words of its translation. */
function traced(text, { step, remove = [], edits = [] } = {}) {
  /* What the decoder reads has room for no more. */
  const most = model.config.maxLength - 1;
  const target = [START, ...translate(text, { remove }).slice(0, step ?? most)];
  return traceModel(model, { source: idsOf(text), target }, { remove, edits });
}

const start = (hash, options) =>
  open(hash, { ready: 'gf-chapter-transformer .lesson', ...options });

describe('pure parts', () => {
  test('blocks: every step of a run is in one, in its order', () => {
    const models = {
      transformer: { kind: 'transformer', vocab: 7, dModel: 8, heads: 2, layers: 2, maxLength: 8 },
      gpt: { kind: 'gpt', vocab: 7, dModel: 8, heads: 2, layers: 3, maxLength: 8 },
      llama: {
        ...{ kind: 'gpt', vocab: 7, dModel: 8, heads: 2, layers: 1, maxLength: 8, tied: false },
        ...{ positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false },
      },
      bert: { kind: 'bert', vocab: 7, dModel: 8, heads: 2, layers: 2, maxLength: 8 },
    };
    const names = {};
    for (const [kind, options] of Object.entries(models)) {
      const made = gf.model(options);
      const source = kind === 'transformer' ? { source: [1, 2] } : {};
      const { steps } = traceModel(made, { ...source, target: [1, 2, 3] });
      const blocks = blocksOf(steps);
      for (const block of blocks) assert.ok(shortTitle(block) && aboutOf(block), block.name);
      names[kind] = blocks.map(({ name }) => name);
      assert.deepEqual(
        blocks.flatMap((block) => block.steps),
        steps.filter((step) => step.kind === 'op'),
        kind,
      );
      assert.equal(new Set(names[kind]).size, blocks.length, 'names are unique');
      for (const { name } of steps.filter((step) => step.kind === 'op')) {
        assert.ok(blockWith(blocks, name).steps.some((step) => step.name === name));
      }
      const summary = made.summary({ source: 2, target: 3 });
      const counted = costs(blocks, summary);
      const sum = (what) => counted.reduce((total, cost) => total + cost[what], 0);
      assert.equal(sum('multiplyAdds'), summary.multiplyAdds, kind);
      assert.equal(sum('parameters'), made.size, kind);
      const { boxes, columns } = stacks(blocks, { encoder: 0, decoder: 0 });
      assert.equal(columns, kind === 'transformer' ? 2 : 1);
      for (const { fold, blocks: inside } of boxes) {
        const of = (layer) => (fold ? layer > 0 : layer === null || layer === 0);
        assert.ok(inside.every(({ layer }) => of(layer)) && (fold || inside.length === 1));
      }
      assert.deepEqual(new Set(boxes.flatMap((box) => box.blocks)), new Set(blocks));
      assert.equal(new Set(boxes.map(({ x, y }) => `${x},${y}`)).size, boxes.length);
      made.dispose();
    }
    assert.deepEqual(names.transformer.slice(12, 20), [
      ...['decoder.0.self_attn', 'decoder.0.norm1', 'decoder.0.cross_attn', 'decoder.0.norm2'],
      ...['decoder.0.feed_forward', 'decoder.0.norm3', 'decoder.1.self_attn', 'decoder.1.norm1'],
    ]);
    assert.deepEqual(names.llama, [
      ...['decoder.position', 'decoder.embedding', 'decoder.0.norm1', 'decoder.0.self_attn'],
      ...['decoder.0.norm2', 'decoder.0.feed_forward', 'decoder.0.residual2', 'decoder.norm'],
      ...['logits', 'probabilities'],
    ]);
  });

  test('the figure: layers fold into lines; what is added again comes around the sublayer, and its norm if that is before', () => {
    const small = { vocab: 8, dModel: 4, heads: 2, dFF: 6, layers: 30 };
    const rotary = { positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false };
    const made = gf.model({ kind: 'gpt', ...small, ...rotary });
    const trace = traceModel(made, { target: [1, 2] });
    const blocks = blocksOf(trace.steps);
    const layers = { encoder: -1, decoder: 12 };
    const named = ({ fold, blocks: [block] }) => fold?.name ?? block.name;
    const { boxes, wires, frames, rows } = stacks(blocks, layers);
    assert.deepEqual(boxes.map(named), [
      ...['decoder.position', 'decoder.embedding', 'decoder.0-11', 'decoder.12.norm1'],
      ...['decoder.12.self_attn', 'decoder.12.norm2', 'decoder.12.feed_forward'],
      ...['decoder.12.residual2', 'decoder.13-29', 'decoder.norm', 'logits', 'probabilities'],
    ]);
    assert.deepEqual(frames, [{ x: 0, from: 3, to: 7, stack: 'decoder' }]);
    assert.equal(rows, 12);
    const skips = wires.filter(({ kind }) => kind === 'skip');
    assert.deepEqual(
      skips.map(({ from, to }) => [named(from), named(to)]),
      [
        ['decoder.0-11', 'decoder.12.norm2'],
        ['decoder.12.norm2', 'decoder.12.residual2'],
      ],
    );
    const open = stacks(blocks, layers, 'decoder.13-29').boxes.find(({ fold }) => fold?.unfolded);
    const inside = unfoldedIn(open);
    assert.deepEqual(
      inside.map(({ layer }) => layer),
      Array.from({ length: 17 }, (_, i) => 13 + i),
    );
    /* Below the line's own name, and beside each other. */
    assert.ok(inside.every(({ y }) => y >= open.y && y < open.y + open.rows - 1.7));
    assert.equal(new Set(inside.map(({ place, y }) => `${place},${y}`)).size, 17);
    trace.dispose();
    made.dispose();
  });

  test('layers: the multiply-adds of attention are the model’s own; paths grow as the paper says', () => {
    const d = 8;
    const made = gf.model({
      kind: 'transformer',
      vocab: 0,
      dModel: d,
      heads: 2,
      layers: 1,
      maxLength: 40,
    });
    for (const n of [1, 5, 8, 40]) {
      const { rows } = made.summary({ source: n, target: 1 });
      const sum = (of) =>
        rows
          .filter(({ name }) => of.test(name))
          .reduce((total, row) => total + row.multiplyAdds, 0);
      const [attention, recurrent] = layers(n, d, 3);
      assert.equal(attention.work, sum(/^encoder.*self_attn\./), `n = ${n}`);
      assert.equal(attention.between, sum(/^encoder.*self_attn\.(scores|mix)$/), `n = ${n}`);
      /* Its input and its last state, each times a matrix. */
      assert.deepEqual([recurrent.work, recurrent.between], [2 * n * d * d, n * d * d]);
      assert.equal(attention.path, 1);
      assert.equal(recurrent.path, Math.max(1, n - 1));
    }
    made.dispose();
    const [attention, recurrent] = layers(50, 512, 3);
    assert.equal((attention.work / recurrent.work).toFixed(1), '2.1');
    assert.equal((recurrent.between / attention.between).toFixed(1), '5.1');
    assert.equal(recurrent.path, 49);
    /* Four such layers, of which attention then takes half. A convolution connects all by 25 layers, or 4 dilated ones. */
    const [, , lstm, ...convolutions] = layers(50, 512, 3);
    assert.equal(lstm.work, 8 * 50 * 512 * 512);
    assert.equal((lstm.work / attention.work).toFixed(1), '1.9');
    const millions = (number) => Math.round(number / 1e6);
    assert.deepEqual(
      convolutions.map(({ work, connected }) => [work, connected].map(millions)),
      [
        [39, 983],
        [39, 157],
      ],
    );
    assert.equal(attention.connected, attention.work);
    const paths = (n, k) =>
      layers(n, d, k)
        .slice(3)
        .map(({ path }) => path);
    /* A kernel of 3 reaches 3, 5, 7, ...; dilated 3, 9, 27, ... */
    assert.deepEqual(paths(50, 3), [25, 4]);
    assert.deepEqual(paths(27, 3), [13, 3]);
    assert.deepEqual(paths(28, 3), [14, 4]);
    assert.deepEqual(paths(1, 3), [1, 1]);
  });

  test('what a run keeps is guessed within a fifth of what its steps have', () => {
    const shape = { vocab: 500, dModel: 96, heads: 6, layers: 4, maxLength: 16 };
    const rotary = { positions: 'rotary', norm: 'rms', activation: 'swiglu', bias: false };
    for (const more of [
      { kind: 'gpt', dFF: 384 },
      { kind: 'bert', dFF: 384 },
      { kind: 'gpt', dFF: 256, kvHeads: 2, ...rotary },
    ]) {
      const made = gf.model({ ...shape, ...more });
      const tokens = Array.from({ length: 10 }, (_, id) => id);
      const trace = traceModel(made, { target: tokens }, { gradients: false });
      const kept = trace.steps
        .filter(({ kind }) => kind === 'op')
        .reduce((sum, { data }) => sum + data.length, 0);
      const guess = 10 * numbersOfToken(made.config);
      assert.ok(Math.abs(guess / kept - 1) < 0.2, `${guess} of ${kept}`);
      trace.dispose();
      made.dispose();
    }
  });

  test('pages: the place in question is on its page, and all pages together are everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: 1, max: 900 }),
        fc.nat(),
        fc.double({ min: 0.5, max: 4, noNaN: true }),
        (count, room, seed, unit) => {
          const at = seed % count;
          const { from, count: shown } = span(count, room, at, unit);
          assert.ok(from <= at && at < from + shown && from + shown <= count);
          const all = new Set();
          for (let place = 0; place < count; ) {
            const next = span(count, room, place, unit);
            all.add(next.from);
            assert.equal(next.from, place);
            place += next.count;
          }
          assert.ok(all.has(from));
        },
      ),
    );
    assert.deepEqual(pageOf(315, 12, 170), { from: 168, count: 12 });
    const parts = spans(
      { rows: 20, columns: 50_257, inner: 768 },
      { width: 700, height: 400 },
      { row: 3, column: 40_000, term: 700 },
    );
    assert.ok(parts.rows.count === 20 && parts.columns.count < 200 && parts.inner.count < 200);
    assert.ok(parts.columns.from <= 40_000 && 40_000 < parts.columns.from + parts.columns.count);
    assert.ok(parts.inner.from <= 700 && 700 < parts.inner.from + parts.inner.count);
  });

  test('a timeline of a large step has a bounded number of moments, and every row begins', () => {
    const data = new Float32Array(20 * 3072);
    const step = {
      name: 'y',
      op: 'relu',
      kind: 'op',
      shape: [20, 3072],
      inputs: ['x'],
      data,
      bypassed: null,
    };
    const { moments } = timeline([step], { node: 'y', index: [7, 1001] }, stagesOf([step]));
    assert.ok(moments.length < 8000, `${moments.length}`);
    const cells = new Set(moments.map(({ cell }) => cell));
    for (let row = 0; row < 20; row++) {
      assert.ok(cells.has(row * 3072) && cells.has(row * 3072 + 3071));
    }
    assert.ok(cells.has(7 * 3072 + 1001), 'the opened cell');
  });

  test('what a host says of a length sets no memory aside beyond a bound', async () => {
    for (const total of [null, 1, 3, 2 ** 50]) {
      const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream();
      assert.deepEqual([...(await collect(stream, total))], [1, 2, 3], String(total));
    }
  });

  test('the files of a checkpoint, by their names, and the folder that an address means', () => {
    const named = (...names) => names.map((name) => ({ name }));
    const [config, weights, tokenizer] = named(
      'config.json',
      'model.safetensors',
      'tokenizer.json',
    );
    assert.deepEqual(filesOf([tokenizer, weights, config]), {
      ...{ weights, config, tokenizer },
      ...{ tokenizerConfig: undefined, chatTemplate: undefined, generation: undefined },
    });
    const [own, other] = named('my-model.safetensors', 'settings.json');
    assert.deepEqual(
      [filesOf([own]).weights, filesOf([own]).config, filesOf([own, other]).config],
      [own, undefined, other],
    );
    assert.equal(filesOf([config, tokenizer]), null);
    const hub = 'https://huggingface.co';
    for (const [address, folder] of [
      [`${hub}/openai-community/gpt2`, `${hub}/openai-community/gpt2/resolve/main/`],
      [`${hub}/gpt2`, `${hub}/gpt2/resolve/main/`],
      [`${hub}/a/b/tree/dev`, `${hub}/a/b/resolve/dev/`],
      [`${hub}/a/b/resolve/main/`, `${hub}/a/b/resolve/main/`],
      ['https://host.edu/models/one?x=1#y', 'https://host.edu/models/one/'],
    ]) {
      assert.equal(folderOf(address), folder);
    }
    for (const bad of ['gpt2', 'file:///etc/passwd', 'javascript:alert(1)']) {
      assert.throws(() => folderOf(bad));
    }
  });
});

describe('every displayed number equals the core’s', { skip: onlyInFull }, () => {
  test('every step of every block, at its end and in the middle', async () => {
    const trace = traced('le chat noir dort');
    const { page, complaints, close } = await start(`${HASH}&panel=stage`);
    for (const { name, steps } of blocksOf(trace.steps)) {
      const line = timeline(trace.steps, null, steps);
      const times = line.stages.flatMap((_, k) => {
        const end = (line.first[k + 1] ?? line.moments.length) - 1;
        return [Math.floor((line.first[k] + end) / 2), end];
      });
      for (const t of times) {
        await follow(page, `${HASH}&panel=stage&block=${name}&t=${t}`);
        compare(await numbers(page), { page: trace });
      }
    }
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });

  test('the panels, at another step, with steps left out and a batch', async () => {
    const text = "la femme regarde l'homme";
    const { page, close } = await start(`${HASH}&text=${text}`);
    for (const remove of [[], ['positions'], ['mask', 'scale'], ['norm'], ['residual']]) {
      const trace = traced(text, { step: 2, remove });
      for (const panel of state.PANELS) {
        const hash = `${HASH}&text=${text}&step=2&panel=${panel}${remove.length ? `&remove=${remove}` : ''}`;
        await follow(page, hash);
        const shown = (await numbers(page)).filter(({ run }) => run === 'page');
        compare(shown, { page: trace });
      }
      trace.dispose();
    }
    await close();
  });

  test('beside a longer sentence the numbers are those that the sentence has alone', async () => {
    const alone = traced('je suis étudiant');
    const hash = `${HASH}&text=je suis étudiant&beside=1`;
    const { page, close } = await start(hash);
    let compared = 0;
    for (const { name } of blocksOf(alone.steps)) {
      await follow(page, `${hash}&panel=stage&block=${name}`);
      for (const { node, index, value } of await numbers(page)) {
        /* Without padding there is no step that masks it. */
        const step = alone.steps.find((one) => one.name === node);
        if (!step || index.some((i, axis) => i >= step.shape[axis])) continue;
        assert.equal(
          Math.fround(Number(value)),
          step.data[flat(step.shape, index)],
          `${node} ${index}`,
        );
        compared++;
      }
    }
    assert.ok(compared > 500, `${compared}`);
    await follow(page, `${hash}&panel=attention`);
    assert.ok((await page.locator('gf-attention-maps .side').allTextContents()).includes('<pad>'));
    alone.dispose();
    await close();
  });
});

describe('translation', () => {
  const words = (page) => page.locator('.translation ol button').allTextContents();

  test('is the model’s, for the reader’s sentence, by each way of choosing', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(HASH);
    assert.deepEqual(await words(page), ['the', 'black', 'cat', 'sleeps', '<end>']);
    const field = page.locator('gf-translation [name=text]');
    for (const text of ['le garçon mange une pomme rouge', "j'ai deux chevaux blancs"]) {
      await field.fill(text);
      await page.getByRole('button', { name: 'Translate' }).click();
      await settled(page);
      assert.deepEqual(await words(page), [...vocabulary.decode(translate(text)), '<end>']);
    }
    const text = 'le chat noir dort';
    for (const [hash, more] of [
      ['way=beam&beams=3', { beams: 3 }],
      ['way=sampled&temperature=3&topK=0&seed=7', { temperature: 3, topK: 0, seed: 7 }],
      ['way=sampled&temperature=2&topK=4&seed=1', { temperature: 2, topK: 4, seed: 1 }],
      ['remove=residual', { remove: ['residual'] }],
    ]) {
      await follow(page, `${HASH}&${hash}`);
      const due = translate(text, more);
      assert.deepEqual((await words(page)).slice(0, due.length), vocabulary.decode(due), hash);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a removal says what the intact model says', async () => {
    const text = "la femme regarde l'homme";
    const { page, close } = await start(`${HASH}&text=${text}&remove=positions`);
    const told = await page.locator('.translation .intact').textContent();
    assert.match(told, new RegExp(`With nothing removed: ${say(translate(text))}`));
    assert.notEqual(say(translate(text, { remove: ['positions'] })), say(translate(text)));
    await page.locator('gf-switches input').first().uncheck();
    await settled(page);
    assert.equal(await page.locator('.translation .intact').count(), 0);
    await close();
  });

  test('step by step, by keys and clicks: the next token is the likeliest', async (t) => {
    if (waits(t)) return;
    const { page, close } = await start(HASH);
    const now = () => page.locator('.translation [aria-current=step]').textContent();
    const next = () => page.locator('.translation .next b').first().textContent();
    await page.keyboard.press(',');
    await settled(page);
    assert.deepEqual([await now(), await next()], ['sleeps', 'sleeps']);
    await page.getByRole('button', { name: 'One token back' }).click();
    await settled(page);
    assert.deepEqual([await now(), await next()], ['cat', 'cat']);
    assert.match(await addressOf(page), /step=2/);
    await page.locator('.translation ol button').first().click();
    await settled(page);
    assert.deepEqual([await now(), await next()], ['the', 'the']);
    await page.keyboard.press('.');
    await settled(page);
    assert.equal(await now(), 'black');
    await close();
  });

  test('words that the model never saw are told; a sentence without words is refused', async () => {
    const { page, close } = await start(HASH);
    const field = page.locator('gf-translation [name=text]');
    await field.fill('le dragon noir dort');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Translate anyway' }).click();
    await settled(page);
    assert.match(await page.locator('.translation .unknown').textContent(), /dragon/);
    await field.fill('!!!');
    await field.press('Enter');
    await settled(page);
    assert.match(await page.locator('[role=alert]').textContent(), /needs at least one word/);
    await field.fill('le '.repeat(20));
    await field.press('Enter');
    await settled(page);
    assert.match(await page.locator('[role=alert]').textContent(), /20 words; .* at most 18/);
    await close();
  });

  test('what a norm scales and shifts by stands beside what it reads, not behind its result', async () => {
    const { page, close } = await start(`${HASH}&panel=stage&block=encoder.0.norm1&t=9999`);
    const before = await page
      .locator('gf-figure .arrow')
      .evaluate((arrow) =>
        [...document.querySelectorAll('gf-figure .bias .chip')].map((chip) => [
          chip.textContent.trim(),
          Boolean(chip.compareDocumentPosition(arrow) & Node.DOCUMENT_POSITION_FOLLOWING),
        ]),
      );
    assert.deepEqual(before, [
      ['γ', true],
      ['β', true],
    ]);
    assert.doesNotMatch(await page.locator('gf-figure .with').innerText(), /[×+]\s*$/m);
    await close();
  });

  test('noun and adjective change places, and the picture says so', async () => {
    const { page, close } = await start(HASH);
    const told = await page.locator('svg.lines').getAttribute('aria-label');
    assert.match(told, /the → black attends most to noir/);
    assert.match(told, /black → cat attends most to chat/);
    const block = `${HASH}&panel=stage&block=decoder.1.cross_attn`;
    await follow(page, `${block}&path=decoder.layers.1.cross_attn.scores:0,1,2&t=0`);
    assert.match(await page.locator('gf-microscope .what').innerText(), /the → black/);
    const t = await page.evaluate(() => {
      const { stages, first } = document.querySelector('gf-chapter-transformer').line;
      return first[stages.findIndex(({ name }) => name.endsWith('.scores'))];
    });
    await follow(page, `${block}&t=${t}`);
    const rows = await page.locator('gf-stage .left .side').allTextContents();
    assert.deepEqual(rows.slice(1, 3), ['the → black', 'black → cat']);
    await follow(page, HASH);
    await unfold(page);
    const trace = traced('le chat noir dort');
    const { shape, data } = trace.step('decoder.layers.1.cross_attn.weights');
    const shown = new Map(
      (await numbers(page)).map((cell) => [`${cell.node}:${cell.index}`, cell]),
    );
    data.forEach((value, at) => {
      const [, rows, columns] = shape;
      const index = [
        Math.floor(at / rows / columns),
        Math.floor(at / columns) % rows,
        at % columns,
      ];
      const cell = shown.get(`decoder.layers.1.cross_attn.weights:${index}`);
      assert.ok(cell, `no cell ${index}`);
      assert.equal(Math.fround(Number(cell.value)), value);
    });
    trace.dispose();
    await close();
  });
});

describe('drilling', () => {
  test('from a probability to the inputs, each block coming along', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(`${HASH}&panel=stage&block=probabilities`);
    const trace = traced('le chat noir dort');
    const operands = (node, index) => {
      const told = explain(trace, node, index, gf);
      return [
        ...(told.terms ?? []).flatMap(({ a, b }) => [a, b]),
        ...[told.row ?? []].flat(),
        ...[told.bias, told.x, told.a, told.b, told.gain, told.from].filter(Boolean),
      ].map((cell) => `${cell.node}:${cell.index}`);
    };
    const pick = page.locator('gf-microscope .terms [data-node]');
    const seen = ['probabilities'];
    for (let depth = 0; depth < 80; depth++) {
      const links = await pick.evaluateAll((found) =>
        found.map((element) => [element.dataset.node, element.dataset.index]),
      );
      /* The way back to the words: through every sublayer, never into a weight. */
      const at = links.findLastIndex(
        ([node]) => !/weight$|bias$/.test(node) && !seen.includes(node),
      );
      if (at < 0) break;
      const [node, index] = links[at];
      const from = await page
        .locator('gf-microscope .now [data-node]')
        .first()
        .evaluate((element) => [
          element.dataset.node,
          element.dataset.index.split(',').map(Number),
        ]);
      assert.ok(operands(...from).includes(`${node}:${index}`), `${node}[${index}] is no operand`);
      seen.push(node);
      await pick.nth(at).click();
      await settled(page);
      const block =
        new URL(await addressOf(page)).hash.match(/block=([\w.]+)/)?.[1] ?? 'decoder.1.cross_attn';
      const home = blockWith(blocksOf(trace.steps), node);
      if (home) assert.equal(block, home.name, node);
      compare(await numbers(page), { page: trace });
    }
    assert.ok(seen.length > 30, `only ${seen.length} steps: ${seen}`);
    assert.ok(
      seen.some((node) => node.startsWith('encoder.')),
      seen.join(),
    );
    assert.deepEqual(complaints, []);
    trace.dispose();
    await close();
  });

  test('an edited weight changes the translation, and undo puts it back', async () => {
    const { page, close } = await start(`${HASH}&panel=stage&block=encoder.embedding&t=1`);
    const chat = vocabulary.encode(['chat'])[0];
    const edits = Array.from({ length: 20 }, (_, j) => `embedding.weight:${chat},${j}=3`);
    await follow(page, `${HASH}&panel=stage&edits=${edits.join('~')}`);
    const parameter = model.parameters.get('embedding.weight');
    const before = parameter.data.slice();
    for (let j = 0; j < 20; j++) parameter.data[chat * 64 + j] = 3;
    const changed = translate('le chat noir dort');
    const trace = traced('le chat noir dort');
    const shown = await page.locator('.translation ol button').allTextContents();
    assert.deepEqual(shown.slice(0, changed.length), vocabulary.decode(changed));
    compare(await numbers(page), { page: trace });
    parameter.data.set(before);
    await page.locator('gf-translation').getByRole('button', { name: 'Reset' }).click();
    await settled(page);
    assert.deepEqual((await page.locator('.translation ol button').allTextContents()).slice(0, 4), [
      'the',
      'black',
      'cat',
      'sleeps',
    ]);
    trace.dispose();
    await close();
  });

  test('an edit shows what was before, and what it changed downstream', async () => {
    const [chat] = vocabulary.encode(['chat']);
    const at = 'decoder.layers.0.cross_attn.output';
    const edited = `${HASH}&panel=stage&block=decoder.0.cross_attn&edits=embedding.weight:${chat},0=0.5`;
    const { page, close } = await start(`${edited}&path=${at}:0,0`);
    const weights = () => model.parameters.get('embedding.weight').data;
    const was = weights()[chat * 64];
    const source = idsOf('le chat noir dort');
    weights()[chat * 64] = 0.5;
    const written = translate('le chat noir dort').slice(0, model.config.maxLength - 1);
    const target = [START, ...written];
    const after = traceModel(model, { source, target });
    weights()[chat * 64] = was;
    const before = traceModel(model, { source, target });
    const changed = after.steps
      .filter(({ kind }) => kind === 'op')
      .flatMap((step) =>
        [...step.data].filter((x, i) => !Object.is(x, before.step(step.name).data[i])),
      );
    const told = await page.locator('gf-translation .changes').innerText();
    assert.equal(told, `1 number changed, ${changed.length.toLocaleString('en')} follow`);
    const old = async (path) => {
      await follow(page, `${edited}&path=${path}`);
      const titles = await page
        .locator('gf-microscope .before .number')
        .evaluateAll((all) => all.map(({ title }) => title));
      return titles.map(inFull);
    };
    assert.deepEqual(await old(`${at}:0,0`), [before.step(at).data[0]]);
    assert.deepEqual(await old(`embedding.weight:${chat},0`), [was]);
    for (const trace of [before, after]) trace.dispose();
    await close();
  });

  test('slopes are those of the word that is written', async (t) => {
    if (waits(t)) return;
    const { page, close } = await start(
      `${HASH}&panel=stage&block=encoder.1.norm2&gradient=1&step=1`,
    );
    const trace = traced('le chat noir dort', { step: 1 });
    const [black] = vocabulary.encode(['black']);
    trace.gradient('logits', [1, black]);
    const told = await page.locator('gf-gradient .slope').textContent();
    assert.match(told, /logit of “black” after “the”/);
    const slope = await page.locator('gf-gradient .slope strong').getAttribute('title');
    const { shape, grad } = trace.step('encoder.layers.1.norm2');
    assert.equal(inFull(slope), grad[flat(shape, [3, 63])]);
    /* A number that is picked is one that the word depends on, and no target of its own. */
    const weights = 'decoder.layers.0.cross_attn.weights';
    await follow(page, `${(await addressOf(page)).replace(/^[^#]*/, '')}&path=${weights}:1,1,1`);
    const picked = page.locator('gf-gradient .slope');
    assert.match(await picked.textContent(), /logit of “black” after “the”/);
    const one = await picked.locator('strong').getAttribute('title');
    const { shape: size, grad: slopes } = trace.step(weights);
    assert.equal(inFull(one), slopes[flat(size, [1, 1, 1])]);
    assert.notEqual(inFull(one), 0);
    trace.dispose();
    await close();
  });
});

describe('the map', () => {
  test('by keyboard and click: the lit box is the open block', async (t) => {
    if (waits(t)) return;
    const { page, close } = await start(`${HASH}&panel=stage`);
    const lit = () => page.locator('gf-model-map [aria-current=step]').getAttribute('data-block');
    assert.equal(await lit(), 'decoder.1.cross_attn');
    await page.locator('gf-model-map [data-block="encoder.1.feed_forward"]').click();
    await settled(page);
    assert.equal(await lit(), 'encoder.1.feed_forward');
    assert.equal(await page.locator('gf-stage h2').textContent(), 'Second linear layer');
    await page.keyboard.press('PageUp');
    await settled(page);
    assert.equal(await lit(), 'encoder.1.norm2');
    await page.locator('gf-model-map [data-block="encoder.1.norm2"]').focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'Enter']) {
      await page.keyboard.press(key);
      await settled(page);
    }
    assert.match(await lit(), /^decoder\.1\./);
    await page.getByRole('button', { name: 'decoder: layer 1', exact: true }).click();
    await settled(page);
    assert.match(await lit(), /^decoder\.0\./);
    assert.ok(
      await page
        .locator('gf-model-map [aria-current=step]')
        .evaluate((box) => box === document.activeElement),
    );
    await travel(page, 'back');
    await until(page, () =>
      /^decoder\.1\./.test(
        document.querySelector('gf-model-map [aria-current=step]').dataset.block,
      ),
    );
    await close();
  });
});

test('keys that walk through the steps lead from a panel to where they are told', async () => {
  const { page, close } = await start(HASH);
  const shown = () => page.locator('gf-timeline').isVisible();
  assert.equal(await shown(), false);
  await page.keyboard.press('Escape');
  await settled(page);
  assert.equal(await shown(), false);
  for (const key of ['ArrowLeft', 'Home', '3', 'Space']) {
    await follow(page, `${HASH}&panel=masks`);
    await page.keyboard.press(key);
    await page.waitForURL(/panel=stage/);
    assert.ok(await shown(), key);
  }
  await close();
});

describe('counted', () => {
  test('cost: the table adds up to the model’s summary', async () => {
    const { page, close } = await start(`${HASH}&panel=cost`);
    const summary = model.summary({ source: 4, target: 5 });
    const cells = await page
      .locator('gf-cost tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())),
      );
    const sum = (column) =>
      cells.reduce((total, row) => total + Number(row[column].replaceAll(',', '')), 0);
    assert.equal(sum(1), summary.parameters);
    assert.equal(sum(1), model.size);
    assert.equal(sum(2), summary.multiplyAdds);
    const rule = await page.locator('gf-cost .prose').nth(1).innerText();
    /* Cross-attention, 5 places that look at 4, d = 64: 2 n m d, and 2 (n + m) d². */
    assert.match(rule, new RegExp((2 * 5 * 4 * 64).toLocaleString('en')));
    assert.match(rule, new RegExp((2 * 9 * 64 ** 2).toLocaleString('en')));
    assert.match(rule, /grow with n m d\..*with n d².*with m d²/);
    await follow(page, `${HASH}&panel=cost&block=encoder.0.self_attn`);
    await settled(page);
    assert.match(await page.locator('gf-cost .prose').nth(1).innerText(), /grow with n² d\./);
    await close();
  });

  test('size: each part has the numbers that a pencil gives; what cannot be is refused', async () => {
    const { page, close } = await start(`${HASH}&panel=size`);
    const [d, dFF, words, n] = [512, 2048, 37000, 6];
    const attention = [4 * d * d + 4 * d, 4 * d];
    const forward = [2 * d * dFF + dFF + d, dFF + d];
    const norms = (count) => [count * 2 * d, count * d];
    const layer = (...parts) => [0, 1].map((at) => parts.reduce((sum, part) => sum + part[at], 0));
    const encoder = layer(attention, forward, norms(2));
    const decoder = layer(attention, attention, forward, norms(3));
    const due = [
      [[words * d, 0], 1],
      ...[attention, forward, norms(2), encoder].map((part) => [part, n]),
      ...[attention, attention, forward, norms(3), decoder].map((part) => [part, n]),
    ].map(([[all, biases], times]) =>
      [all, biases, times, times * all].map((number) => number.toLocaleString('en')),
    );
    const cells = await page
      .locator('gf-size tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())),
      );
    assert.deepEqual(cells, due);
    const layers = n * (encoder[0] + decoder[0]);
    const told = await page.locator('gf-size :is(.lead, .prose)').allTextContents();
    assert.match(told[0], new RegExp(`= 64: ${(layers + words * d).toLocaleString('en')} param`));
    assert.match(told[1], new RegExp(`${(layers + 3 * words * d).toLocaleString('en')}\\.`));
    await page.getByLabel('heads h').fill('7');
    await page.getByLabel('heads h').press('Enter');
    await settled(page);
    assert.match(
      await page.locator('gf-size [role=alert]').textContent(),
      /7 heads do not divide d_?model = 512\. Choose one of 1, 2, 4, 8, .*128\. .* of 8 heads/,
    );
    assert.equal(await page.getByLabel('heads h').inputValue(), '7');
    const kept = await page.locator('gf-size tbody td').allTextContents();
    assert.deepEqual(
      kept.map((cell) => cell.trim()),
      due.flat(),
    );
    await close();
  });

  test('what heads do: bars are headRoles, a removed head is withoutHead, by keys as by clicks', async () => {
    const sentences = tasks['french-english'].heldOut(200, 1);
    const roles = await headRoles(model, linkedSentences(sentences), { stack: 'encoder' });
    const text = 'le petit chat mange le poisson';
    const { page, complaints, close } = await start(
      `${HASH}&panel=roles&role=nounDeterminer&text=${text}`,
    );
    await page.waitForSelector('gf-roles .claims');
    const shown = () =>
      page
        .locator('gf-roles .bar b')
        .evaluateAll((all) => all.map(({ dataset }) => +dataset.value));
    assert.deepEqual(
      await shown(),
      roles.heads.map(({ relations }) => relations.nounDeterminer.attention),
    );
    /* Both nouns of the sentence, each with its determiner. */
    assert.equal(await page.locator('gf-roles line.lit').count(), 2);
    await page.getByRole('button', { name: 'distance', exact: true }).focus();
    await page.keyboard.press('Enter');
    await settled(page);
    assert.deepEqual(
      await shown(),
      roles.heads.map(({ distance }) => distance),
    );
    assert.match(await page.locator('gf-roles .verdict').textContent(), /^Not here\./);
    await page.getByRole('button', { name: 'Layer 2, head 3' }).first().press('Enter');
    await page.getByRole('button', { name: 'Remove layer 2, head 3' }).press('Enter');
    await until(page, () =>
      /right/.test(document.querySelector('gf-roles .removal p').textContent),
    );
    assert.match(await addressOf(page), /role=distance&roleHead=1\.2&headOff=1|roleHead=1\.2/);
    const place = /** @type {const} */ ({ stack: 'encoder', layer: 1, head: 2 });
    const right = () => sentences.filter(({ source, target }) => say(translate(source)) === target);
    const without = await withoutHead(model, place, () => right().length);
    const answer = await withoutHead(model, place, () => say(translate(text)));
    const told = await page.locator('gf-roles .removal p').textContent();
    assert.ok(told.includes(answer), told);
    assert.ok(
      told.includes(`${without} are translated right without this head, ${right().length} with`),
      told,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('path length: what is typed is computed', async (t) => {
    if (waits(t)) return;
    const { page, close } = await start(`${HASH}&panel=paths&length=1000&width=64`);
    const cells = () =>
      page
        .locator('gf-paths tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())),
        );
    const due = (n, d, k) =>
      layers(n, d, k).map(({ work, between, sequential, path, connected, kept }) =>
        [work, between, sequential, path, connected, kept].map((number) =>
          number.toLocaleString('en'),
        ),
      );
    const shown = async () => (await cells()).map(([work, , ...more]) => [work, ...more]);
    assert.deepEqual(await shown(), due(1000, 64, 3));
    const lead = () => page.locator('gf-paths .lead').textContent();
    assert.match(
      await lead(),
      /17.6 times as many multiply-adds in all, 31.3 times as many between/,
    );
    assert.match(await lead(), /not up to 999,/);
    await page.getByLabel('positions n', { exact: true }).fill('20');
    await page.getByLabel('positions n', { exact: true }).press('Enter');
    await settled(page);
    assert.deepEqual(await shown(), due(20, 64, 3));
    assert.match(await lead(), /2.3 times as many multiply-adds in all, 1.6 times fewer between/);
    /* A ratio that is 1 when rounded is no "1 times fewer". */
    await page.getByLabel('width d', { exact: true }).fill('512');
    await page.getByLabel('positions n', { exact: true }).fill('1000');
    await page.getByLabel('positions n', { exact: true }).press('Enter');
    await settled(page);
    assert.match(await lead(), /against an LSTM, about as many in all/);
    await close();
  });

  test('a cost that grows with the positions is a straight line', async () => {
    const { page, close } = await start(`${HASH}&panel=paths`);
    await made(page, 'gf-plot', 'plot');
    const drawn = await page.evaluate(async () => {
      const paths = new Map();
      const { lineTo } = Path2D.prototype;
      Path2D.prototype.lineTo = function (x, y) {
        paths.set(this, [...(paths.get(this) ?? []), [x, y]]);
        return lineTo.call(this, x, y);
      };
      document.querySelector('gf-plot').plot.redraw();
      await new Promise((done) => requestAnimationFrame(done));
      Path2D.prototype.lineTo = lineTo;
      return [...paths.values()];
    });
    /* Behind self-attention: recurrent, convolution. */
    const [, ...linear] = drawn.filter((points) => points.length > 30);
    assert.ok(linear.length >= 2);
    for (const points of linear.slice(0, 2)) {
      const [[x0, y0], [x1, y1]] = [points[0], points.at(-1)];
      for (const [x, y] of points) {
        assert.ok(Math.abs(y0 + ((x - x0) * (y1 - y0)) / (x1 - x0) - y) < 0.01, `${x}, ${y}`);
      }
    }
    await close();
  });

  test('masks: causal and padding, and what both leave', async () => {
    const { page, close } = await start(`${HASH}&panel=masks&beside=1&text=je suis étudiant`);
    const facts = await page.locator('gf-masks .quiet').allTextContents();
    /* 3 of 7 source tokens, 5 of 8 target tokens are there: the rest is padding. */
    assert.deepEqual(facts, [
      `${7 * 3} of ${7 * 7} pairs are visible`,
      `${1 + 2 + 3 + 4 + 5 * 4} of ${8 * 8} pairs are visible`,
      `${8 * 3} of ${8 * 7} pairs are visible`,
    ]);
    await follow(page, `${HASH}&panel=masks`);
    assert.match(await page.locator('gf-masks .prose').last().innerText(), /needs no padding/);
    await close();
  });
});

/** A small model in Hugging Face's files, and a tokenizer for it. */
function checkpointFiles({ seed = 3 } = {}) {
  const made = gf.model({
    kind: 'gpt',
    vocab: 40,
    dModel: 16,
    heads: 2,
    layers: 2,
    maxLength: 32,
    dropout: 0,
    seed,
  });
  const { config, bytes } = exportModel(made, 'gpt2');
  const list = ['[UNK]', 'the', 'cat', 'sat', 'on', 'mat', 'because', 'it', 'was', 'tired', '.'];
  const vocab = Object.fromEntries(list.map((word, id) => [word, id]));
  const wordpiece = {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    vocab,
  };
  const tokenizer = {
    version: '1.0',
    added_tokens: [{ id: 0, content: '[UNK]', special: true }],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { ...wordpiece, max_input_chars_per_word: 100 },
  };
  const files = {
    'config.json': Buffer.from(JSON.stringify(config)),
    'model.safetensors': Buffer.from(bytes),
    'tokenizer.json': Buffer.from(JSON.stringify(tokenizer)),
  };
  return { made, files, list };
}

describe('checkpoints', () => {
  const opened = (page) => page.waitForSelector('gf-translation .translation > b');

  test('from the disk: the numbers are the model’s; another text, a removal, and back', async () => {
    const { made, files, list } = checkpointFiles();
    const { page, complaints, close } = await start(HASH);
    await chooseCheckpoint(page);
    await choose(page, files);
    await agree(page);
    await opened(page);
    await settled(page);
    const encode = (text) =>
      text
        .toLowerCase()
        .match(/\w+|\./g)
        .map((word) => list.indexOf(word));
    const first = 'The cat sat on the mat because it was tired.';
    for (const panel of state.PANELS) {
      if (state.EXPERIMENTS.includes(panel))
        await page.getByLabel('Experiments').selectOption(panel);
      else await page.locator('.shelf .tabs button').nth(state.LOOKS.indexOf(panel)).click();
      await settled(page);
      compare(await numbers(page), { page: traceModel(made, { target: encode(first) }) });
    }
    await page.locator('gf-translation [name=text]').fill('it was the cat');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('.translation .plain li').length === 4,
    );
    await page.locator('.shelf .tabs button').first().click();
    await settled(page);
    compare(await numbers(page), { page: traceModel(made, { target: encode('it was the cat') }) });
    await page.locator('gf-switches').getByText('positions', { exact: true }).click();
    await page.waitForURL(/remove=positions/);
    await settled(page);
    const without = traceModel(
      made,
      { target: encode('it was the cat') },
      { remove: ['positions'] },
    );
    compare(
      (await numbers(page)).filter(({ run }) => run === 'page'),
      { page: without },
    );
    await page.getByRole('button', { name: 'Back to the translator' }).click();
    await settled(page);
    assert.equal(await page.locator('.translation ol button').first().textContent(), 'the');
    assert.deepEqual(complaints, []);
    made.dispose();
    await close();
  });

  test('without a tokenizer a text is a list of ids; the page’s own files open too', async () => {
    const { made, files } = checkpointFiles();
    const { page, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    const { 'config.json': config, 'model.safetensors': weights } = files;
    for (const given of [
      { 'config.json': config, 'model.safetensors': weights },
      { 'saved.safetensors': Buffer.from(made.save()) },
    ]) {
      await follow(page, `${HASH}&model=disk`);
      if (!(await page.locator('.opener').count())) {
        await chooseCheckpoint(page);
      }
      await choose(page, given);
      if (given['config.json']) await agree(page);
      await opened(page);
      await settled(page);
      compare(await numbers(page), { page: traceModel(made, { target: [0, 1, 2] }) });
      await page.locator('gf-translation [name=text]').fill('5 6 seven');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.waitForSelector('.waiting button');
      assert.match(await page.locator('.waiting').textContent(), /write token ids/);
      await page.locator('.waiting').getByRole('button', { name: 'Close' }).click();
    }
    made.dispose();
    await close();
  });

  test('a text that the next model cannot read gives its place to one that it can', async () => {
    const { made, files } = checkpointFiles();
    const { 'config.json': config, 'model.safetensors': weights } = files;
    const { page, complaints, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    const read = async (given) => {
      await choose(page, given);
      await agree(page);
      await page.waitForSelector('.opener', { state: 'detached' });
      await opened(page);
      await settled(page);
      return page.locator('gf-translation [name=text]').inputValue();
    };
    const anew = () => chooseCheckpoint(page);
    assert.match(await read(files), /^The cat sat/);
    await page.locator('gf-translation [name=text]').fill('it was the cat');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForURL(/it\+was|it%20was/);
    await anew();
    assert.equal(await read(files), 'it was the cat');
    await anew();
    assert.equal(await read({ 'config.json': config, 'model.safetensors': weights }), '0 1 2');
    compare(await numbers(page), { page: traceModel(made, { target: [0, 1, 2] }) });
    assert.deepEqual(complaints, []);
    made.dispose();
    await close();
  });

  test('one that takes the place of an edited one, or of one like it, is what is shown', async (t) => {
    if (waits(t)) return;
    const [one, other] = [3, 4].map((seed) => checkpointFiles({ seed }));
    const { page, complaints, close } = await start(HASH);
    const read = async (files) => {
      await chooseCheckpoint(page);
      await choose(page, files);
    };
    const shows = async ({ made, list }) => {
      await agree(page);
      await page.waitForSelector('.opener', { state: 'detached' });
      await opened(page);
      await settled(page);
      const ids = 'the cat sat on the mat because it was tired .'.split(' ');
      const trace = traceModel(made, { target: ids.map((word) => list.indexOf(word)) });
      compare(await numbers(page), { page: trace });
      trace.dispose();
      assert.equal(await page.locator('gf-app > .notice').count(), 0);
    };
    await read(one.files);
    await shows(one);
    await read(other.files);
    await shows(other);
    const cat = one.list.indexOf('cat');
    await follow(page, `${new URL(await addressOf(page)).hash}&edits=embedding.weight:${cat},0=3`);
    await read({ ...other.files, 'config.json': Buffer.from('{') });
    await refusal(page);
    const edited = await page.evaluate((row) => {
      const { model } = document.querySelector('gf-chapter-transformer').models.get('disk');
      return model.parameters.get('embedding.weight').data[row * 16];
    }, cat);
    assert.equal(edited, 3, 'a file that cannot be read leaves it as it was');
    await choose(page, other.files);
    await shows(other);
    assert.doesNotMatch(await addressOf(page), /edits=/);
    assert.deepEqual(complaints, []);
    for (const { made } of [one, other]) made.dispose();
    await close();
  });

  test('a broken file is refused with its reason, and nothing is lost', async () => {
    const { made, files } = checkpointFiles();
    const { page, complaints, close } = await start(HASH);
    await chooseCheckpoint(page);
    const config = JSON.parse(files['config.json']);
    const changed = (more) => Buffer.from(JSON.stringify({ ...config, ...more }));
    const weights = files['model.safetensors'];
    const field = page.locator('.opener [type=file]');
    for (const [given, reason] of [
      [{ ...files, 'config.json': Buffer.from('{"model_type": ') }, /config\.json: .*JSON/],
      [
        { ...files, 'config.json': changed({ model_type: 'gpt5' }) },
        /expected one of .* received "gpt5"/,
      ],
      [{ ...files, 'config.json': changed({ n_layer: 3 }) }, /missing: /],
      [{ ...files, 'model.safetensors': weights.subarray(0, 1000) }, /safetensors: /],
      [{ ...files, 'model.safetensors': Buffer.from('<!doctype html>') }, /safetensors: /],
      [{ 'model.safetensors': weights }, /expected a file of model\.save/],
      [{ ...files, 'tokenizer.json': Buffer.from('[]') }, /tokenizer\.json/],
      [
        { 'config.json': files['config.json'] },
        /None of these is a \.safetensors, \.gguf or \.bin file/,
      ],
    ]) {
      await choose(page, given);
      assert.match(await refusal(page), reason);
      await field.setInputFiles([]);
    }
    await page.getByRole('button', { name: 'Close' }).click();
    await settled(page);
    assert.equal(await page.locator('.translation ol button').first().textContent(), 'the');
    assert.deepEqual(complaints, []);
    made.dispose();
    await close();
  });

  test('by an address: asked only when the reader asks, and the page itself may ask nobody', async (t) => {
    if (waits(t)) return;
    const { made, files } = checkpointFiles();
    const asked = [];
    const host = createServer((request, response) => {
      const body = files[request.url.replace('/models/cat/', '')];
      asked.push(request.url);
      response.writeHead(body ? 200 : 404, { 'access-control-allow-origin': '*' });
      response.end(body);
    });
    await new Promise((done) => host.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${host.address().port}`;
    const link = `${HASH}&model=${encodeURIComponent(`${origin}/models/cat`)}`;
    const { page, close } = await start(link, { ready: '.opener' });
    assert.deepEqual(asked, [], 'a link alone asks nobody');
    const refused = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'fetched',
          () => 'refused',
        ),
      `${origin}/models/cat/config.json`,
    );
    assert.equal(refused, 'refused', 'the policy of the page');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await agree(page);
    await opened(page);
    await settled(page);
    compare(await numbers(page), {
      page: traceModel(made, { target: [1, 2, 3, 4, 1, 5, 6, 7, 8, 9, 10] }),
    });
    assert.deepEqual([...new Set(asked)].sort(), [
      '/models/cat/chat_template.jinja',
      '/models/cat/config.json',
      '/models/cat/generation_config.json',
      '/models/cat/model.safetensors',
      '/models/cat/tokenizer.json',
      '/models/cat/tokenizer_config.json',
    ]);
    await chooseCheckpoint(page);
    const address = page.locator('.opener [name=address]');
    await address.fill(`${origin}/nowhere`);
    await page.getByRole('button', { name: 'Fetch' }).click();
    assert.match(await refusal(page), /config\.json was not found \(404\)/);
    await address.fill('http://127.0.0.1:9/models');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.waitForFunction(() =>
      /could not/.test(document.querySelector('.refusal')?.textContent),
    );
    host.close();
    made.dispose();
    await close();
  });

  test('what takes long can be cancelled: the file of a checkpoint, and the translator’s own', async (t) => {
    if (waits(t)) return;
    const { made, files } = checkpointFiles();
    /* The weights never come to an end. */
    const host = createServer((request, response) => {
      const name = request.url.slice(1);
      response.writeHead(files[name] ? 200 : 404, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'range',
        'content-length': files[name]?.length ?? 0,
      });
      if (name === 'model.safetensors') response.write(files[name].subarray(0, 5000));
      else response.end(files[name]);
    });
    await new Promise((done) => host.listen(0, '127.0.0.1', done));
    const { page, close } = await start(HASH);
    await chooseCheckpoint(page);
    await page.locator('.opener [name=address]').fill(`http://127.0.0.1:${host.address().port}/`);
    await page.getByRole('button', { name: 'Fetch' }).click();
    await agree(page);
    await page.waitForSelector('.opener .working');
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.match(await refusal(page), /cancelled/);
    await page.getByRole('button', { name: 'Close' }).click();
    await settled(page);
    assert.equal(await page.locator('.translation ol button').first().textContent(), 'the');
    host.closeAllConnections();
    host.close();

    const context = await browsing.browser.newContext();
    const fresh = await context.newPage();
    let release;
    const held = new Promise((done) => {
      release = done;
    });
    await fresh.route(/french-english.*safetensors/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await fresh.goto(`${browsing.site.url}${HASH}`);
    await fresh.getByRole('button', { name: 'Cancel' }).click();
    await fresh.locator('.waiting', { hasText: 'cancelled' }).waitFor();
    release();
    await fresh.getByRole('button', { name: 'Try again' }).click();
    await fresh.waitForSelector('.translation ol button');
    await context.close();
    made.dispose();
    await close();
  });
});

describe('checkpoints that mean harm, or are just small', () => {
  const refusal = '.opener .refusal';
  const translation = 'gf-translation .translation > b';
  const json = (value) => Buffer.from(JSON.stringify(value));
  /** Far more ways to split it than there is time for. */
  const ENDLESS = `${'a'.repeat(60)}b`;
  /** The files of a small model, with another part in its tokenizer. */
  function filesWith(part) {
    const { made, files } = checkpointFiles();
    made.dispose();
    return {
      ...files,
      'tokenizer.json': json({ ...JSON.parse(files['tokenizer.json']), ...part }),
    };
  }
  const run = async (page, text) => {
    await page.locator('gf-translation [name=text]').fill(text);
    await page.getByRole('button', { name: 'Run' }).click();
  };

  test('a tokenizer that never comes to an end is ended, and the next text is read', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    await page.clock.install();
    const pattern = { Regex: '(a+)+$|\\w+|\\.' };
    const split = { type: 'Split', pattern, behavior: 'Removed', invert: true };
    await choose(page, filesWith({ pre_tokenizer: split }));
    await agree(page);
    await page.waitForSelector(translation);
    await settled(page);
    await run(page, ENDLESS);
    await page.locator('.waiting').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.waiting').getByRole('button', { name: 'Close' }).waitFor();
    assert.match(await page.locator('.waiting').textContent(), /cancelled/);
    await run(page, 'it was the cat');
    await page.waitForFunction(
      () => document.querySelectorAll('.translation .plain li').length === 4,
    );
    await settled(page);
    await run(page, ENDLESS);
    await page.locator('.waiting').getByRole('button', { name: 'Cancel' }).waitFor();
    await page.clock.fastForward(11_000);
    await page.locator('.waiting').getByRole('button', { name: 'Close' }).waitFor();
    assert.match(await page.locator('.waiting').textContent(), /not finished .* 10 seconds/);
    await run(page, 'the mat');
    await page.waitForFunction(
      () => document.querySelectorAll('.translation .plain li').length === 2,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('one that never opens is ended by Cancel', async () => {
    const { page, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    await choose(
      page,
      filesWith({
        normalizer: { type: 'Replace', pattern: { Regex: '(a+)+$' }, content: '' },
        added_tokens: [{ id: 100, content: ENDLESS, special: false, normalized: true }],
      }),
    );
    await page.locator('.opener').getByRole('button', { name: 'Cancel' }).click();
    await page.waitForSelector(refusal);
    assert.match(await page.locator(refusal).textContent(), /cancelled/);
    await choose(page, filesWith({}));
    await agree(page);
    await page.waitForSelector(translation);
    await close();
  });

  test('a model that the page cannot show is refused in words of its own', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    const sizes = { vocab: 5, dModel: 4, heads: 1, dFF: 4, maxLength: 4, layers: 1 };
    for (const [options, reason] of [
      [{ kind: 'gpt', layers: 0 }, /has no layers; the page shows attention/],
      [{ kind: 'bert', layers: 0 }, /has no layers/],
      [{ kind: 'transformer', layers: 0, decoderLayers: 0 }, /has no layers/],
      [{ kind: 'gpt', vocab: 0 }, /has no vocabulary/],
      [{ kind: 'gpt', layers: 129 }, /has 129 layers; the page shows at most 128/],
      [{ kind: 'transformer', decoderLayers: 200 }, /has 200 layers/],
    ]) {
      const made = gf.model({ ...sizes, ...options });
      await choose(page, { 'saved.safetensors': Buffer.from(made.save()) });
      await page.waitForSelector(refusal);
      assert.match(await page.locator(refusal).textContent(), reason);
      await page.locator('.opener [type=file]').setInputFiles([]);
      made.dispose();
    }
    const marian = gf.model({ kind: 'transformer', ...sizes, positions: 'sinusoidal-halves' });
    const { config, bytes } = exportModel(marian, 'marian');
    for (const start of [5, -1, 'x', 1.5]) {
      const wrong = { ...config, decoder_start_token_id: start };
      await choose(page, { 'config.json': json(wrong), 'model.safetensors': Buffer.from(bytes) });
      await until(
        page,
        (given) => document.querySelector('.refusal')?.textContent.includes(given),
        `decoder_start_token_id: expected an integer from 0 to 4, received ${JSON.stringify(start)}`,
      );
    }
    marian.dispose();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a model of few tokens, or few positions, opens with a text that it can read', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(`${HASH}&model=disk`, { ready: '.opener' });
    const sizes = { vocab: 5, dModel: 4, heads: 1, dFF: 4, maxLength: 4, layers: 1 };
    const anew = async () => {
      await follow(page, `${HASH}&model=disk`);
      if (await page.locator('.opener').count()) return;
      await chooseCheckpoint(page);
    };
    for (const [options, tokens] of [
      [{ kind: 'gpt', maxLength: 1 }, ['0']],
      [{ kind: 'bert', vocab: 2 }, ['0', '1']],
      [{ kind: 'transformer', sourceVocab: 1, layers: 0, decoderLayers: 1 }, ['0']],
      [{ kind: 'transformer', layers: 1, decoderLayers: 0 }, ['0', '1', '2']],
    ]) {
      await anew();
      const made = gf.model({ ...sizes, ...options });
      await choose(page, { 'saved.safetensors': Buffer.from(made.save()) });
      await page.waitForSelector(translation);
      await page.waitForFunction(
        (n) => document.querySelectorAll('.translation .plain li').length === n,
        tokens.length,
      );
      await settled(page);
      assert.deepEqual(await page.locator('.translation .plain li').allTextContents(), tokens);
      made.dispose();
    }
    /* Its sample ends where the positions end. */
    const { files } = checkpointFiles();
    const made = gf.model({ kind: 'gpt', ...sizes, vocab: 40, maxLength: 3 });
    const { config, bytes } = exportModel(made, 'gpt2');
    await anew();
    await choose(page, {
      'config.json': json(config),
      'model.safetensors': Buffer.from(bytes),
      'tokenizer.json': files['tokenizer.json'],
    });
    await agree(page);
    await page.waitForFunction(
      () => document.querySelector('gf-translation [name=text]')?.value === 'The cat sat',
    );
    made.dispose();
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('loading', () => {
  test('the model’s file is fetched when the chapter opens, not before', async () => {
    const asked = [];
    const context = await browsing.browser.newContext();
    const page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${browsing.site.url}#chapter=attention`);
    await page.waitForSelector('gf-stage .matrix');
    assert.deepEqual(
      asked.filter((url) => /safetensors|chapter.*transformer/.test(url)),
      [],
    );
    await page.getByRole('link', { name: 'Transformer' }).click();
    await page.waitForSelector('.translation ol button');
    assert.equal(asked.filter((url) => url.endsWith('.safetensors')).length, 1);
    await context.close();
  });

  test('hostile links give the notice and no script', async (t) => {
    if (waits(t)) return;
    const { page, complaints, close } = await start(HASH);
    for (const bad of [
      'block=decoder.9.self_attn',
      'block=<img src=x onerror=alert(1)>',
      'panel=nothing',
      'step=-1',
      'step=1.5',
      'temperature=0',
      'beams=1',
      'model=javascript:alert(1)',
      'model=file:///etc/passwd',
      'remove=everything',
      'edits=logits:99,0=1',
      'path=decoder.layers.1.cross_attn.weights:9,9,9',
      `text=${encodeURIComponent('le '.repeat(30))}`,
      'text=%F0%9F%91%BB',
    ]) {
      await follow(page, `${HASH}&${bad}`);
      const notice = page.locator('gf-app > [role=alert]');
      assert.match(await notice.textContent(), /opens without the link/, bad);
      assert.equal(await page.locator('.translation ol button').first().textContent(), 'the');
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});
