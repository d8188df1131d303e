// What passes from an input to an output, on the page: the recurrent network, the look-up from soft to hard, the information of
// a row, and whether codes of positions are unique. Each verdict can come out negative.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { examples, load, traceExample } from '../../bindings/index.js';
import { information, recurrence } from '../../bindings/lab/inside/index.js';
import { closest } from '../../web/chapters/positions/closest.js';
import { fading } from '../../web/chapters/transformer/fading.js';
import { channel } from '../../web/stage/experiments/channel.js';
import { waits } from '../support/sample.js';
import { addressOf, inBrowser, settled, until } from './browser.js';

const gf = await load();

test('the signal fades in all networks, in some, or in none', () => {
  assert.deepEqual(fading([1e-9, 1e-4]), { says: 'holds', faded: 2, grown: 0 });
  assert.deepEqual(fading([1e-9, 0.5, 7]), { says: 'partly', faded: 1, grown: 1 });
  assert.deepEqual(fading([0.5, 1e6]), { says: 'fails', faded: 0, grown: 1 });
  const says = (gain) =>
    fading(
      [1, 2, 3].map((seed) => {
        const network = recurrence(gf, { gain, seed, units: 16 });
        const { derivatives } = network.reach(100).recurrent;
        network.dispose();
        return derivatives[0] / derivatives[99];
      }),
    ).says;
  assert.deepEqual([says(1), says(3)], ['holds', 'fails']);
});

test('a row of weights is one value, a tie or a mixture; what comes through is the most, more, or neither', () => {
  const of = (weights) => {
    const { best, mixture, says } = channel(weights, information(weights));
    return [best, mixture, says];
  };
  assert.deepEqual(of([0, 1, 0]), [1, 'one', 'holds']);
  assert.deepEqual(of([0.02, 0.87, 0.11]), [1, 'mixture', 'partly']);
  assert.deepEqual(of([0.5, 0.3, 0.2]), [0, 'mixture', 'fails']);
  assert.deepEqual(of([1 / 3, 1 / 3, 1 / 3]), [0, 'tie', 'fails']);
});

test('the nearest codes: those of sinusoids are apart, equal rows are found', () => {
  const angles = (p, channels) =>
    Array.from({ length: channels / 2 }, (_, i) => p / 10000 ** ((2 * i) / channels));
  const codes = (count, channels) =>
    Array.from({ length: count }, (_, p) =>
      angles(p, channels).flatMap((angle) => [Math.sin(angle), Math.cos(angle)]),
    );
  const found = (rows) => closest({ data: rows.flat(), shape: [rows.length, rows[0].length] });
  const { a, b, distance, unique } = found(codes(50, 6));
  assert.deepEqual([a, b, distance.toFixed(3), unique], [0, 6, '0.396', true]);
  /* 44 is 7 turns and 0.018. */
  const bare = found(codes(50, 2));
  assert.deepEqual([bare.a, bare.b], [0, 44]);
  assert.ok(Math.abs(bare.distance - (44 - 14 * Math.PI)) < 1e-6);
  const rows = codes(9, 4);
  assert.deepEqual(found(rows.with(7, rows[2])), { a: 2, b: 7, distance: 0, unique: false });
});

test('the look-up: its weights are those of a pencil, and the last query gets half of two values', () => {
  for (const [factor, due] of [
    [1, ['0.58', '0.21', '0.21']],
    [3, ['0.91', '0.05', '0.05']],
    [10, ['1.00', '0.00', '0.00']],
  ]) {
    const e = Math.exp(factor);
    const row = [e / (e + 2), 1 / (e + 2), 1 / (e + 2)];
    assert.deepEqual(
      row.map((weight) => weight.toFixed(2)),
      due,
    );
  }
  const trace = traceExample(gf, 'look-up');
  const { data } = trace.step('output');
  assert.equal(examples['look-up'].tokens[3], 'both');
  assert.equal(data[9], data[10]);
  assert.ok(data[9] > data[11]);
  trace.dispose();
});

describe('on the page', () => {
  const { open } = inBrowser();
  /** The numbers of a table's rows, as the titles of the cells have them. */
  const numbersIn = (page, selector) =>
    page
      .locator(`${selector} tbody tr`)
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('.number')].map(({ title }) => Number(title.replace('−', '-'))),
        ),
      );
  const near = (a, b, part = 1e-5) =>
    assert.ok(Math.abs(a - b) <= part * Math.abs(b), `${a}, not ${b}`);

  test('from soft to hard: the weights follow the slider, the verdict too', async () => {
    const { page, complaints, close } = await open('#v=1&example=look-up&claim=sharpness');
    await page.locator('gf-sharpness .facts').waitFor();
    const slider = page.locator('gf-sharpness [type=range]');
    for (const factor of [1, 3, 10]) {
      await slider.fill(String(factor));
      await settled(page);
      const rows = await numbersIn(page, 'gf-sharpness');
      const e = Math.exp(factor);
      rows.forEach(([score, weight], j) => {
        assert.equal(Math.round(score * 1e6), j === 0 ? 1e6 : 0);
        near(weight, (j === 0 ? e : 1) / (e + 2));
      });
    }
    assert.match(
      await page.locator('gf-sharpness .verdict').innerText(),
      /look-up of a database.*It holds here/s,
    );
    await page.locator('gf-sharpness select').selectOption('3');
    await settled(page);
    const [[, first], [, second], [, third]] = await numbersIn(page, 'gf-sharpness');
    near(first, 0.5, 0.01);
    near(second, 0.5, 0.01);
    assert.ok(third < 0.01);
    assert.match(
      await page.locator('gf-sharpness .verdict').innerText(),
      /equally well.*does not hold here/s,
    );
    await page.locator('gf-sharpness .tools button').click();
    await until(page, () => !document.querySelector('gf-sharpness'));
    assert.doesNotMatch(await addressOf(page), /claim=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('information: the row of the text, computed and as it is printed', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#v=1&example=the-cat-sat&path=weights:1,1&claim=sharpness');
    await page.locator('gf-sharpness .facts').waitFor();
    const rows = await numbersIn(page, 'gf-sharpness');
    const powers = [1, Math.exp(4), Math.exp(2)];
    const sum = powers.reduce((a, b) => a + b);
    const squares = powers.map((power) => (power / sum) ** 2);
    const all = squares.reduce((a, b) => a + b, 0.01);
    rows.forEach(([, weight, bits], j) => {
      near(weight, powers[j] / sum);
      near(bits, Math.log2(all / (all - squares[j])) / 2, 1e-4);
    });
    const told = await page.locator('gf-sharpness .claim').last().innerText();
    assert.match(told, /0\.02; 0\.87; 0\.11 the bits are 3\.70×10⁻⁴; 2\.56; 0\.0113/);
    assert.match(
      await page.locator('gf-sharpness .verdict').innerText(),
      /holds in part.*of 3\.33 possible/s,
    );
    await close();
  });

  test('the recurrent network is played; what is left of input 1 is what the package computes', async () => {
    const { page, complaints, close } = await open(
      '#v=1&chapter=transformer&panel=recurrence&gain=0.8&moment=20',
    );
    await page.locator('gf-recurrence .verdict').waitFor();
    const network = recurrence(gf, { gain: 0.8 });
    const { recurrent, attention } = network.reach(20);
    const [fromState, fromInput, state, first, second] = await numbersIn(page, 'gf-recurrence');
    const now = network.steps[19];
    for (const [shown, due] of [
      [fromState, now.fromState],
      [fromInput, now.fromInput],
      [state, now.state],
    ]) {
      assert.deepEqual(shown.map(Math.fround), due.slice(0, 6));
    }
    near(first[0], recurrent.derivatives[0]);
    near(second[0], attention.derivatives[0]);
    assert.match(
      await page.locator('gf-recurrence .verdict').innerText(),
      /^The signal fades: at gain 0.8, in all 8/,
    );
    network.dispose();
    await page.locator('gf-recurrence button').first().click();
    await until(page, () =>
      document.querySelector('gf-recurrence .lead').textContent.startsWith('Step 22'),
    );
    await page.locator('gf-recurrence button').first().click();
    await settled(page);
    assert.match(await addressOf(page), /moment=2[2-9]/);
    const sliders = page.locator('gf-recurrence [type=range]');
    await sliders.first().fill('50');
    await sliders.first().press('ArrowLeft');
    await settled(page);
    assert.match(await addressOf(page), /panel=recurrence.*moment=49/);
    const gain = sliders.nth(1);
    await gain.fill('3');
    await until(page, () =>
      /does not fade here/.test(document.querySelector('gf-recurrence .verdict')?.textContent),
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('positions: unique is measured; two columns are not said to turn differently', async (t) => {
    if (waits(t)) return;
    const { page, close } = await open('#v=1&chapter=positions&channels=6');
    const verdict = page.locator('gf-waves .verdict');
    assert.match(await verdict.innerText(), /Unique: all 50 .* 0 and 6, which are 0\.396 apart/);
    await page.getByLabel('dmodel').fill('2');
    await page.getByLabel('dmodel').press('Enter');
    await settled(page);
    assert.match(await verdict.innerText(), /0 and 44, which are 0\.0177 apart/);
    assert.doesNotMatch(await page.locator('gf-caption').innerText(), /hardly at all/);
    await close();
  });
});
