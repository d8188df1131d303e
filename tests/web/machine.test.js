// The machine in one picture: where its rows stop, what attention its lines show, and what the reader does with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLesson } from '../../bindings/learn/lessons/index.js';
import { computed } from '../../bindings/learn/lessons/scene.js';
import { filmOf, layoutOf, SIDES, stopsOf } from '../../web/player/machine-plan.js';
import { inBrowser, settled } from './browser.js';
import { gf, lessons, models } from './learner.js';

const { scenes } = lessons.find(({ name }) => name === 'whole-machine');
const [first] = scenes;
const { scope } = computed(gf, first.state, models);
const steps = scope.names.filter((name) => name !== 'attention').map((name) => scope.step(name));
const stops = Object.fromEntries(SIDES.map((side) => [side, stopsOf(steps, side)]));
const SIZES = { encoder: { lanes: 4, stops: 5 }, decoder: { lanes: 5, stops: 7 } };

test('rows stop where they enter, and behind each attention and feed-forward', () => {
  const names = (side) => stops[side].map(({ step }) => step.name);
  const layers = [0, 1];
  assert.deepEqual(names('encoder'), [
    'encoder.input',
    ...layers.flatMap((n) => [`encoder.layers.${n}.norm1`, `encoder.layers.${n}.norm2`]),
  ]);
  assert.deepEqual(names('decoder'), [
    'decoder.input',
    ...layers.flatMap((n) => [1, 2, 3].map((k) => `decoder.layers.${n}.norm${k}`)),
  ]);
});

test('its lines are the weights of the core, averaged over the heads', () => {
  for (const [side, stop, name] of [
    ['encoder', 3, 'encoder.layers.1.self_attn.weights'],
    ['decoder', 5, 'decoder.layers.1.cross_attn.weights'],
  ]) {
    const { shape, data } = scope.step(name);
    const [heads, rows, columns] = shape;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const shares = Array.from({ length: heads }, (_, h) => data[(h * rows + i) * columns + j]);
        const mean = shares.reduce((a, b) => a + b) / heads;
        assert.ok(Math.abs(stops[side][stop].weights[i][j] - mean) < 1e-12);
      }
    }
  }
  assert.equal(stops.decoder[3].weights, null, 'a feed-forward looks at no other row');
});

test('squares lie within their room and beside each other, in any room, and no word over the next', () => {
  for (const [unit, type] of [[1], [2], [2, 0.9]]) {
    for (const width of [340, 560, 700, 1000, 1800]) {
      for (const height of [0, 560, 900]) {
        const room = { width: width * unit, height: height * unit, unit, type };
        const layout = layoutOf(room, SIZES, 6);
        const { tile, lane, rise, pointOf, word, isAslant } = layout;
        /* Six letters of half an em each, at 1.125 times the design's 16 px. */
        assert.ok(isAslant || 6 * 0.5 * 18 * word * layout.unit < lane, JSON.stringify(room));
        assert.ok(
          tile >= 12 && tile < lane && tile + 12 < rise,
          JSON.stringify({ room, tile, lane, rise }),
        );
        const places = SIDES.flatMap((side) =>
          [0, SIZES[side].lanes - 1].flatMap((k) =>
            [0, SIZES[side].stops - 1].map((stop) => pointOf({ side, lane: k, stop })),
          ),
        );
        for (const { x, y } of places) {
          assert.ok(x - tile / 2 >= 0 && x + tile / 2 <= room.width, `${x} of ${room.width}`);
          assert.ok(y - tile / 2 >= 0 && y + tile / 2 <= layout.height, `${y} of ${layout.height}`);
        }
      }
    }
  }
});

test('on a phone the names of the parts stand beside the squares', async () => {
  const { page, close } = await open('#lesson=whole-machine&scene=1', {
    ready: 'gf-learn .say p',
    viewport: { width: 390, height: 844 },
  });
  await page.locator('.machine .tile').first().waitFor();
  const seen = await page.locator('.machine').evaluate((one) => {
    const boxes = (selector) =>
      [...one.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
    const tiles = boxes('.tile');
    const parts = boxes('.part');
    const over = parts.filter((a) => tiles.some((b) => a.left < b.right && a.right > b.left));
    return {
      over: over.length,
      all: parts.length,
      cut: parts.filter(({ left, right }) => left < 0 || right > innerWidth).length,
    };
  });
  assert.ok(seen.all > 5);
  /* A stack's own names lie outside of it, on no square of the other either. */
  assert.deepEqual([seen.over, seen.cut], [0, 0]);
  await close();
});

test('the film reads all tokens at once, and writes one word after the other', () => {
  const { ticks, reaches, writes, beatOf } = filmOf(SIZES);
  const top = SIZES.decoder.stops - 1;
  const read = reaches({ side: 'encoder', lane: 3, stop: 4 });
  assert.equal(read, reaches({ side: 'encoder', lane: 0, stop: 4 }));
  assert.ok(reaches({ side: 'decoder', lane: 0, stop: 0 }) > read);
  for (let lane = 0; lane < SIZES.decoder.lanes; lane++) {
    assert.ok(writes(lane) > reaches({ side: 'decoder', lane, stop: top }));
    assert.ok(lane === 0 || reaches({ side: 'decoder', lane, stop: 0 }) > writes(lane - 1));
  }
  assert.ok(ticks >= writes(SIZES.decoder.lanes - 1));
  const beats = [0, read, reaches({ side: 'decoder', lane: 1, stop: top }), writes(1), ticks];
  assert.deepEqual(beats.map(beatOf), ['x', 'layers', 'decoder', 'next', 'next']);
});

test('the linter finds a machine where there is none', () => {
  const scene = { state: '#example=hi-how', picture: { kind: 'machine' }, say: 'A sentence.' };
  const lesson = { name: 'mine', title: 'Mine', minutes: 1, learned: ['One.'], scenes: [scene] };
  const found = checkLesson(gf, lesson, models);
  assert.deepEqual(
    found.map(({ at }) => at),
    ['picture.kind'],
  );
  const right = { ...lesson, scenes: [{ ...scene, state: first.state }] };
  assert.deepEqual(checkLesson(gf, right, models), []);
});

const { open } = inBrowser();
const ready = 'gf-machine-picture .tile';

test('a sentence runs through it, and each square says what its row has gained', async () => {
  const { page, complaints, close } = await open('#lesson=whole-machine', { ready });
  const there = page.locator('gf-machine-picture .tile.there');
  assert.equal(await page.locator(ready).count(), 4 * 5 + 5 * 7);
  assert.equal(await there.count(), 0, 'nothing is computed before it plays');
  assert.deepEqual(await page.locator('.word.above').allInnerTexts(), []);
  await page.locator('.options .main').click();
  await page.locator('gf-learn .reply.right p').waitFor();
  assert.equal(await there.count(), 4 * 5 + 5 * 7);
  const written = await page.locator('.word.above').allInnerTexts();
  assert.deepEqual(written, [...scope.words.target, '<end>']);
  const row = stops.decoder[5].weights[2];
  const most = row.indexOf(Math.max(...row));
  await page.locator('[data-place="decoder,2,5"]').hover();
  await settled(page);
  const said = await page.locator('.machine > [role=status]').innerText();
  assert.ok(said.includes(`“${scope.words.source[most]}”: ${Math.round(100 * row[most])}%`), said);
  const lit = page.locator('.machine .line.lit');
  assert.equal(await lit.count(), row.filter((share) => share >= 0.06).length);
  assert.deepEqual(complaints, []);
  await close();
});

test('arrows lead from square to square, from one stack to the other', async () => {
  const { page, close } = await open('#lesson=whole-machine&scene=11', { ready });
  const now = () => page.evaluate(() => document.activeElement?.getAttribute('data-place'));
  await page.locator('[data-place="encoder,4,4"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await now(), 'decoder,0,4');
  await page.keyboard.press('ArrowUp');
  assert.equal(await now(), 'decoder,0,5');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await now(), 'encoder,4,4', 'the encoder has no more stops');
  await close();
});

test('the column that is followed is lit, with what its parts add; nothing says that they add', async () => {
  const { page, complaints, close } = await open('#lesson=whole-machine&scene=3', { ready });
  const followed = page.locator('.machine .tile.followed');
  /* What enters, and four parts. */
  assert.equal(await followed.count(), 5);
  assert.equal(await page.locator('.machine .road.followed').count(), 5);
  assert.ok((await page.locator('.machine .line.lit').count()) > 1);
  const status = page.locator('.machine > [role=status]');
  await followed.last().hover();
  assert.equal(await status.innerText(), '');
  await page.getByRole('button', { name: 'it adds something to it' }).click();
  await page.locator('.reply.right p').waitFor();
  assert.notEqual(await status.innerText(), '');
  assert.deepEqual(complaints, []);
  await close();
});
