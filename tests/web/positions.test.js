import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load, sentence, traceExample } from '../../bindings/index.js';
import { stagesOf, timeline } from '../../web/app/state/timeline.js';
import * as state from '../../web/chapters/positions/state.js';
import { blockMap } from '../../web/stage/draw/map.js';
import { onlyInFull } from '../support/skips.js';
import { addressOf, follow, inBrowser, made, numbers, settled } from './browser.js';
import { compare, ends } from './expect.js';
import { inFull } from './rounding.js';

const TEXT = 'the robot sees the ball';
const ORDER = [1, 2, 3, 4, 0];

const { open } = inBrowser();
const gf = await load();

/** The chapter's table of sinusoids. */
const codes = (channels = 6, count = 50, shift = 4, edits = []) =>
  traceExample(
    gf,
    {
      name: 'codes',
      title: '',
      source: '',
      about: '',
      positions: [
        {
          node: 'codes',
          positions: Array.from({ length: count }, (_, p) => p),
          channels,
          dots: true,
          shift,
        },
      ],
    },
    { edits },
  );

/** The sentence, as written and in another order. */
function sentences(positions, order = ORDER, more = {}) {
  const example = sentence(TEXT, { dModel: 8, dK: 8, heads: 2, positions, ...more });
  const { tokens } = example.inputs;
  const other = {
    ...example,
    tokens: order.map((from) => example.tokens[from]),
    inputs: { ...example.inputs, tokens: order.map((from) => tokens[from]) },
  };
  return { page: traceExample(gf, example), shuffled: traceExample(gf, other) };
}

/** How far each word's output is from the one that it has in the other order. Words 0 and 3 are both “the”: of the two
 * ways to match them, the one with the nearest pair counts. */
function changes({ page, shuffled }, order = ORDER) {
  const [one, other] = [page, shuffled].map((trace) => trace.step('output').data);
  const ways = [order, order.map((from) => ({ 0: 3, 3: 0 })[from] ?? from)].map((way) =>
    way.map((from, to) =>
      Math.max(
        ...Array.from({ length: 8 }, (_, c) => Math.abs(one[8 * from + c] - other[8 * to + c])),
      ),
    ),
  );
  const nearest = ways.map((way) => Math.min(...way.filter((_, to) => order[to] % 3 === 0)));
  return ways[nearest[0] <= nearest[1] ? 0 : 1];
}

/** As the page writes a number that is not a cell's: the float32 that it rounds to. */
const rounded = Math.fround;
const titles = async (locator) =>
  (await locator.evaluateAll((all) => all.map(({ title }) => title))).map(inFull);
const verdict = (page) => page.locator('.verdict').textContent();

test('in the map of a table no line leads through a box of another step', () => {
  const { steps } = codes();
  const { blocks, wires } = blockMap(stagesOf(steps), steps);
  const at = (end) => blocks.find(({ name }) => name === `codes${end}`);
  const [moved, wanted, dots] = ['.shifted', '.ahead', '.dots'].map(at);
  for (const { from, to } of wires) {
    const between = blocks.filter(({ x, y }) => x === to.x && y > from.y && y < to.y);
    assert.deepEqual(between, [], `${from.name} to ${to.name}`);
  }
  assert.equal(new Set([moved, wanted, dots].map(({ x }) => x)).size, 3);
  assert.deepEqual(
    wires.filter(({ to }) => to === moved).map(({ from }) => from.name),
    ['codes'],
  );
});

describe('every displayed number equals the core’s', { skip: onlyInFull }, () => {
  for (const [channels, count, shift] of [
    [6, 50, 4],
    [2, 12, 1],
    [16, 8, 30],
    [64, 100, 64],
  ]) {
    test(`sinusoids of ${count} positions in ${channels} channels`, async () => {
      const trace = codes(channels, count, shift);
      const hash = `#v=1&chapter=positions&channels=${channels}&count=${count}&shift=${shift}`;
      const { page, complaints, close } = await open(hash);
      const line = timeline(trace.steps);
      for (const panel of state.OF_CODES) {
        for (const t of [...ends(line), 1e6]) {
          await follow(page, `${hash}&panel=${panel}&t=${t}`);
          compare(await numbers(page), { page: trace });
        }
      }
      assert.deepEqual(complaints, []);
      trace.dispose();
      await close();
    });
  }

  for (const scheme of state.SCHEMES) {
    test(`a sentence with positions ${scheme}`, async () => {
      const runs = sentences(scheme);
      const hash = `#v=1&chapter=positions&scheme=${scheme}`;
      const { page, complaints, close } = await open(`${hash}&panel=sentence`);
      const { steps } = runs.page;
      const stages = stagesOf(steps).filter(({ op }) => op !== 'rotation');
      for (const t of ends(timeline(steps, null, stages))) {
        await follow(page, `${hash}&panel=sentence&t=${t}`);
        compare(await numbers(page), runs);
      }
      await follow(page, `${hash}&panel=shuffle`);
      const shown = await numbers(page);
      assert.ok(shown.some(({ run }) => run === 'shuffled'));
      compare(shown, runs);
      assert.deepEqual(complaints, []);
      for (const trace of Object.values(runs)) trace.dispose();
      await close();
    });
  }
});

describe('waves', () => {
  test('open on the guide’s example: position 3 in 6 channels, all printed numbers right', async () => {
    const { page, close } = await open('#chapter=positions');
    const marked = page.locator('.fingerprint [data-node=codes]');
    assert.deepEqual(
      (await marked.evaluateAll((all) => all.map(({ dataset }) => Number(dataset.value)))).map(
        Math.fround,
      ),
      [...gf.position([3], 6)[0]],
    );
    assert.match(await page.locator('gf-mismatches').textContent(), /All 6 .* are right/);
    for (const [c, printed] of ['0.141', '−0.990', '0.139', '0.990', '0.0065', '1.000'].entries()) {
      await marked.nth(c).click();
      await settled(page);
      assert.equal(
        await page.locator('gf-microscope .right').textContent(),
        `The source prints ${printed}, which is right.`,
      );
    }
    await close();
  });

  test('are walked along by keyboard; what stands there is read out', async () => {
    const { page, close } = await open('#chapter=positions');
    const slider = page.locator('gf-plot [role=slider]');
    await slider.focus();
    for (const [key, p] of [
      ['ArrowRight', 4],
      ['ArrowLeft', 3],
      ['PageUp', 13],
      ['End', 49],
      ['ArrowRight', 49],
      ['Home', 0],
      ['ArrowRight', 1],
    ]) {
      await page.keyboard.press(key);
      await settled(page);
      assert.equal(await slider.getAttribute('aria-valuenow'), String(p), key);
    }
    assert.match(await addressOf(page), /at=1/);
    const [row] = gf.position([1], 6);
    const told = await page
      .locator('gf-plot .told [data-node=codes]')
      .evaluateAll((all) => all.map(({ dataset }) => Math.fround(Number(dataset.value))));
    assert.deepEqual(told, [...row]);
    assert.match(await slider.getAttribute('aria-valuetext'), /^p = 1, column 1 \(sin\) 0\.841,/);
    assert.match(
      await page.locator('gf-caption p').textContent(),
      /position code of position 1, channel 1: sin\(1\)/,
    );
    await close();
  });

  test('grow with time, place by place', async () => {
    const { page, close } = await open('#v=1&chapter=positions&t=0');
    const told = page.locator('gf-plot .told [data-node=codes]');
    assert.equal(await told.count(), 0);
    const line = timeline(codes().steps);
    const fourth = line.moments.findIndex(({ stage, cell }) => stage === 0 && cell === 24);
    await follow(page, `#v=1&chapter=positions&t=${fourth}`);
    assert.equal(await told.count(), 6);
    await follow(page, `#v=1&chapter=positions&at=4&t=${fourth - 1}`);
    assert.equal(await told.count(), 0);
    await close();
  });

  test('turn as slowly as the core’s angles say', async () => {
    const { page, close } = await open('#v=1&chapter=positions&channels=8');
    const told = await titles(page.locator('gf-wavelengths .number'));
    const expected = [0, 1, 2, 3].map((i) => 2 * Math.PI * 10000 ** ((2 * i) / 8));
    assert.equal(told.length, 4);
    for (const [i, value] of told.entries()) {
      assert.ok(Math.abs(value / expected[i] - 1) < 1e-6, `${value}, ${expected[i]}`);
    }
    await close();
  });
});

test('a panel about the table walks to the step that it is about', async () => {
  const { page, close } = await open('#chapter=positions');
  const tabs = page.locator('.shelf > .tabs button');
  for (const [k, letter] of ['PE', 'G', 'PE′', 'PE+k'].entries()) {
    await tabs.nth(k).click();
    await settled(page);
    const told = (await page.locator('gf-strip .now .chip').textContent()).replace(/\s/g, '');
    assert.equal(told, letter, state.OF_CODES[k]);
  }
  await close();
});

describe('distance', () => {
  test('alone decides the dot product: the spread is computed, and an edit breaks it', async () => {
    const hash = '#v=1&chapter=positions&panel=distance';
    const { page, close } = await open(hash);
    const { data } = codes().step('codes.dots');
    let spread = 0;
    for (let d = 0; d < 50; d++) {
      const same = [];
      for (let i = 0; i + d < 50; i++) same.push(data[50 * i + i + d], data[50 * (i + d) + i]);
      spread = Math.max(spread, Math.max(...same) - Math.min(...same));
    }
    assert.match(await verdict(page), /Over all 2500 pairs .* only the distance counts/s);
    assert.deepEqual(await titles(page.locator('.verdict .number')), [spread].map(rounded));
    await follow(page, `${hash}&edits=codes:5,0=3`);
    assert.match(await verdict(page), /no longer give equal products/);
    await follow(page, `${hash}&t=10`);
    assert.match(await verdict(page), /not computed yet/);
    await close();
  });

  test('is picked on the curve and told: the same product from 0 and from p', async () => {
    const { page, close } = await open('#v=1&chapter=positions&panel=distance&at=20');
    await page.locator('gf-plot [role=slider]').focus();
    await page.keyboard.press('ArrowRight');
    await settled(page);
    assert.match(await addressOf(page), /shift=5/);
    const cells = await page
      .locator('gf-plot .told [data-node="codes.dots"]')
      .evaluateAll((all) => all.map(({ dataset }) => [dataset.index, Number(dataset.value)]));
    assert.deepEqual(
      cells.map(([index]) => index),
      ['0,5', '20,25', '20,15'],
    );
    for (const [, value] of cells) assert.ok(Math.abs(value - cells[0][1]) < 1e-5);
    await close();
  });
});

describe('the shift by k', () => {
  test('is one linear map: its error over all positions is computed, and an edit breaks it', async () => {
    const hash = '#v=1&chapter=positions&panel=shift&shift=9&at=7';
    const { page, close } = await open(hash);
    const trace = codes(6, 50, 9);
    const [shifted, ahead] = ['codes.shifted', 'codes.ahead'].map((name) => trace.step(name).data);
    const errors = [...shifted].map((value, at) => Math.abs(value - ahead[at]));
    assert.match(await verdict(page), /Over all 50 positions .* rounding.* every position by 9/s);
    assert.deepEqual(
      await titles(page.locator('.verdict .number')),
      [Math.max(...errors)].map(rounded),
    );
    assert.deepEqual(
      await titles(page.locator('gf-shift .errors span')),
      [0, 1, 2, 3, 4, 5].map((c) => rounded(shifted[42 + c] - ahead[42 + c])),
    );
    await follow(page, `${hash}&edits=codes.shift:0,0=0.5`);
    assert.match(await verdict(page), /does not move every position by 9/);
    trace.dispose();
    await close();
  });
});

describe('the shuffle test', () => {
  test('says of each kind of positions whether the order counts, by the core’s outputs', async () => {
    const { page, close } = await open('#v=1&chapter=positions&panel=shuffle');
    const cells = await titles(page.locator('gf-shuffled .facts .number'));
    const most = state.SCHEMES.map((scheme) => Math.max(...changes(sentences(scheme))));
    assert.deepEqual(cells, most.map(rounded));
    assert.ok(most[0] < 1e-6 && most.slice(1).every((change) => change > 1e-3), String(most));
    for (const [k, scheme] of state.SCHEMES.entries()) {
      await page.locator('.stepper').getByRole('button').nth(k).click();
      await settled(page);
      const said = k === 0 ? /attention cannot tell the two sentences apart/ : /word order counts/;
      assert.match(await verdict(page), said, scheme);
      const rows = await titles(page.locator('.changes .number'));
      assert.deepEqual(rows, changes(sentences(scheme)).map(rounded), scheme);
    }
    await close();
  });

  test('in an order of one’s own: two words swapped, reversed, drawn', async () => {
    const { page, complaints, close } = await open(
      '#v=1&chapter=positions&panel=shuffle&scheme=alibi',
    );
    const words = async () => {
      const all = await page.locator('.after button').allTextContents();
      return all.map((word) => word.trim()).join(' ');
    };
    assert.equal(await words(), 'robot sees the ball the');
    await page.locator('.after button').first().press('Enter');
    await page.locator('.after button').last().press('Enter');
    await settled(page);
    assert.equal(await words(), 'the sees the ball robot');
    assert.match(await addressOf(page), /order=0\.2\.3\.4\.1/);
    compare(await numbers(page), sentences('alibi', [0, 2, 3, 4, 1]));
    await page.getByRole('button', { name: 'Reverse' }).click();
    await settled(page);
    assert.equal(await words(), 'ball the sees robot the');
    assert.match(await verdict(page), /Reversing keeps all distances/);
    await page.getByRole('button', { name: 'Shuffle', exact: true }).click();
    await settled(page);
    const drawn = /order=([\d.]+)/
      .exec(await addressOf(page))[1]
      .split('.')
      .map(Number);
    assert.deepEqual([...drawn].sort(), [0, 1, 2, 3, 4]);
    compare(await numbers(page), sentences('alibi', drawn));
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await words(), 'ball the sees robot the');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('finds that equal words which change places leave the same sentence', async () => {
    const cell = (page) =>
      page.locator('gf-shuffled .facts tr').last().locator('td').allInnerTexts();
    const hash = '#v=1&chapter=positions&panel=shuffle&scheme=sinusoidal';
    for (const more of ['&order=3.1.2.0.4', '&sentence=8~8~1~1~p~the%20the%20the&order=1.2.0']) {
      const { page, close } = await open(hash + more);
      assert.match(await verdict(page), /This is the same sentence/, more);
      assert.ok(
        (await cell(page)).every((verdict) => /^not (tested|with this)/.test(verdict)),
        more,
      );
      const moved = await titles(page.locator('.changes .number'));
      assert.ok(
        moved.every((change) => Number(change) === 0),
        `${more}: ${moved}`,
      );
      await close();
    }
    const { page, close } = await open(`${hash}&order=0.1.2.4.3`);
    assert.match(await verdict(page), /word order counts/);
    await close();
  });

  test('a causal mask alone tells the order', async () => {
    const { page, close } = await open(
      `#v=1&chapter=positions&panel=shuffle&scheme=none&sentence=8~8~2~1~pc~${TEXT}`,
    );
    assert.match(await verdict(page), /causal mask alone/);
    const most = Math.max(...changes(sentences('none', ORDER, { causal: true })));
    assert.deepEqual(await titles(page.locator('.verdict .number')), [most].map(rounded));
    await close();
  });
});

describe('the address', () => {
  test('that makes no sense gives a notice and the opening page', async () => {
    const { page, complaints, close } = await open('#chapter=positions');
    const opening = JSON.stringify(await numbers(page));
    for (const more of [
      'channels=5',
      'channels=66',
      'count=1',
      'at=-1',
      'shift=0',
      'scheme=spiral',
      'panel=shuffle&order=0.0.1.2.3',
      'panel=shuffle&order=0.1',
      'path=output:0,0',
      'panel=sentence&path=codes:0,0',
    ]) {
      await follow(page, `#v=1&chapter=positions&${more}`);
      assert.match(
        await page.locator('[role=alert]').textContent(),
        /opens without the link/,
        more,
      );
      assert.equal(JSON.stringify(await numbers(page)), opening, more);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('waves are drawn as the functions that they are, without corners', async () => {
    const { page, close } = await open('#chapter=positions');
    await made(page, 'gf-plot', 'plot');
    const sharpest = await page.evaluate(async () => {
      const { lineTo } = Path2D.prototype;
      const paths = new Map();
      Path2D.prototype.lineTo = function (x, y) {
        if (!paths.has(this)) paths.set(this, []);
        paths.get(this).push([x, y]);
        lineTo.call(this, x, y);
      };
      const plot = document.querySelector('gf-plot');
      plot.theme = 'dark';
      await plot.updateComplete;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      Path2D.prototype.lineTo = lineTo;
      const lines = [...paths.values()].filter((points) => points.length > 20);
      const turns = lines.flatMap((points) => {
        const ways = points
          .slice(1)
          .map(([x, y], k) => Math.atan2(y - points[k][1], x - points[k][0]));
        return ways.slice(1, -1).map((way, k) => Math.abs(way - ways[k]));
      });
      return { curves: lines.length, turn: Math.max(...turns) };
    });
    assert.equal(sharpest.curves, 6);
    assert.ok(sharpest.turn < 1.2, `a corner of ${sharpest.turn} rad`);
    await close();
  });

  test('a field takes only what makes sense, and a position beyond the table is its last', async () => {
    const { page, close } = await open('#v=1&chapter=positions&at=90');
    assert.match(await page.locator('.fingerprint h2').textContent(), /position 49/);
    const field = page.getByLabel('dmodel');
    await field.fill('7');
    await field.press('Enter');
    await settled(page);
    assert.equal(await field.inputValue(), '8');
    const said = page.locator('[role=alert]');
    assert.match(
      await said.textContent(),
      /7 is not possible.*even number from 2 to 64.*8 is shown/,
    );
    const position = page.getByLabel('p', { exact: true });
    await position.fill('70');
    await position.press('Enter');
    await settled(page);
    assert.equal(await position.inputValue(), '49');
    assert.match(await said.textContent(), /70 is not possible.*from 0 to 49/);
    await page.getByLabel('positions', { exact: true }).fill('20');
    await page.getByLabel('positions', { exact: true }).press('Enter');
    await settled(page);
    assert.equal(await position.inputValue(), '19');
    assert.match(await said.textContent(), /49 is not possible.*from 0 to 19/);
    await page.getByLabel('positions', { exact: true }).fill('50');
    await page.getByLabel('positions', { exact: true }).press('Enter');
    await field.fill('10');
    await field.press('Enter');
    await settled(page);
    assert.match(await addressOf(page), /channels=10/);
    compare(await numbers(page), { page: codes(10) });
    await close();
  });
});
