// What the vectors of the translator's words hold: verdicts that can come out either way, and the panel that shows them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { load, readModel } from '../../bindings/index.js';
import { tasks, untrained } from '../../bindings/lab/tasks/index.js';
import {
  headSymmetry,
  nearest,
  sameKind,
  senseShares,
  twoRows,
  valueShares,
} from '../../web/chapters/transformer/meaning/measures.js';
import {
  neighboursVerdict,
  sensesVerdict,
  symmetryVerdict,
  valuesVerdict,
} from '../../web/chapters/transformer/meaning/verdicts.js';
import { addressOf, inBrowser, settled, until } from './browser.js';

const HASH = '#v=1&chapter=transformer&panel=meaning';
const file = new URL('../../bindings/data/models/french-english.safetensors', import.meta.url);
const task = tasks['french-english'];
const gf = await load();
const trained = { model: gf.open(readModel(readFileSync(file))), task };
const fresh = { model: untrained(gf, task, 1), task };

const share = (value, chance = 0.05) => ({ share: value, chance });

test('verdicts come out either way', () => {
  const word = (a, b) => ({ trained: share(a), untrained: share(b) });
  assert.equal(sensesVerdict([word(0.6, 0.1), word(0.7, 0.1)]), 'holds');
  assert.equal(sensesVerdict([word(0.2, 0.1)]), 'partly');
  assert.equal(sensesVerdict([word(0.6, 0.1), word(0.1, 0.2)]), 'partly');
  assert.equal(sensesVerdict([word(0.1, 0.2)]), 'fails');
  assert.equal(sensesVerdict([word(0.04, 0.01)]), 'fails');
  const heads = (...list) => list.map((value) => share(value));
  const says = (verbs, adjectives) => valuesVerdict(heads(...verbs), heads(...adjectives)).says;
  assert.equal(says([0.6, 0.1], [0.1, 0.7]), 'holds');
  assert.equal(says([0.2, 0.1], [0.1, 0.7]), 'partly');
  assert.equal(says([0.6, 0.1], [0.7, 0.1]), 'fails');
  assert.equal(says([0.04, 0.01], [0.01, 0.04]), 'fails');
  assert.equal(says([0.09, 0.01], [0.01, 0.09]), 'fails');
  assert.deepEqual(
    [0.95, 0.5, 0.1].map((part) => neighboursVerdict(part, 0.1)),
    ['holds', 'partly', 'fails'],
  );
  assert.equal(symmetryVerdict([0, 1e-6]), 'holds');
  assert.equal(symmetryVerdict([0.05, 0.4]), 'partly');
  assert.equal(symmetryVerdict([0.2, 0.4]), 'fails');
});

/** The cosine of two rows of the table, in float64. */
function cosine({ model }, a, b) {
  const { data, shape } = model.parameters.get('embedding.weight');
  const [one, other] = task.vocabulary
    .encode([a, b])
    .map((id) => [...data.subarray(id * shape[1], (id + 1) * shape[1])]);
  const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

describe('what is measured of the translator', () => {
  test('a word of two meanings, and the control word that turns as far', async () => {
    const rows = await twoRows(trained, 'lit', ['le garçon lit un livre', 'le garçon voit un lit']);
    assert.equal(rows.states[5].cosine.toFixed(3), '0.888');
    const other = await twoRows(trained, 'chat', ['le petit chat dort', 'le garçon voit un chat']);
    assert.deepEqual(other.positions, rows.positions);
    assert.ok(other.states[5].cosine < rows.states[5].cosine);
  });

  test('the meaning explains more than chance, and more than without training', async () => {
    const last = async (subject, word) => (await senseShares(subject, word, 0)).shares.at(-1);
    for (const word of ['lit', 'porte']) {
      const pair = { trained: await last(trained, word), untrained: await last(fresh, word) };
      assert.equal(sensesVerdict([pair]), 'partly', word);
    }
    const control = { trained: await last(trained, 'chat'), untrained: await last(fresh, 'chat') };
    assert.equal(sensesVerdict([control]), 'fails');
  });

  test('neighbours are of the same kind, which chance does not give', async () => {
    const near = await nearest(trained, 'chat', 5);
    assert.equal(near[0].word, 'voiture');
    for (const one of near)
      assert.ok(Math.abs(one.cosine - cosine(trained, 'chat', one.word)) < 1e-9);
    const parts = [(await sameKind(trained)).part, (await sameKind(fresh)).part];
    assert.equal(neighboursVerdict(...parts), 'partly');
    assert.equal(neighboursVerdict(parts[1], parts[0]), 'fails');
    assert.ok(parts[0] > 0.6 && parts[1] < 0.2, String(parts));
  });

  test('heads prefer verbs or adjectives, and untrained ones neither', async () => {
    const of = async (subject) => {
      const { verbs, adjectives } = await valueShares(subject, 0);
      return valuesVerdict(verbs, adjectives);
    };
    assert.deepEqual(await of(trained), { says: 'partly', verb: 3, adjective: 4 });
    assert.equal((await of(fresh)).says, 'fails');
  });

  test('no head says everything twice', async () => {
    const heads = await headSymmetry(trained, 0);
    assert.equal(heads.length, 8);
    assert.equal(symmetryVerdict(heads.map((head) => head.share)), 'fails');
  });
});

describe('the panel', async () => {
  const browsing = inBrowser();
  const start = (more = '', options = {}) =>
    browsing.open(`${HASH}${more}`, { ready: 'gf-meaning .tabs', ...options });

  test('two arrows begin on each other and part; keys and links move them', async () => {
    const { page, close } = await start('&mark=0');
    const angle = () =>
      page.locator('gf-senses figure >> nth=0').locator('svg').getAttribute('aria-label');
    await page.locator('gf-senses svg >> nth=0').waitFor();
    assert.match(await angle(), /lit: cosine 1, 0°/);
    await page.locator('gf-senses gf-plot [role=slider]').focus();
    await page.keyboard.press('End');
    await until(page, () =>
      document.querySelector('gf-senses .state').textContent.includes('layer 2, feed'),
    );
    assert.match(await angle(), /cosine 0\.888/);
    assert.match(await addressOf(page), /mark=5/);
    await page.getByRole('button', { name: 'porte' }).click();
    await until(page, () =>
      document.querySelector('gf-senses figcaption').textContent.includes('robe'),
    );
    assert.match(await addressOf(page), /word=porte/);
    await close();
  });

  test('Play goes from state to state, without motion too', async () => {
    const { page, close } = await start('&mark=4', { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await until(page, () =>
      document.querySelector('gf-senses .state').textContent.includes('layer 2, feed'),
    );
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await close();
  });

  const lit = (await senseShares(trained, 'lit', 0)).shares.at(-1);
  for (const [claim, says, more] of [
    ['senses', 'The claim holds in part', lit.share.toPrecision(3)],
    ['similar', 'The claim holds in part', '69'],
    ['values', 'The claim holds in part', '376'],
    ['redundancy', 'The claim does not hold here', 'at least 0.343'],
  ]) {
    test(`${claim}: the verdict is that of Node`, async () => {
      const { page, complaints, close } = await start(`&measured=${claim}`);
      const verdict = page.locator('gf-meaning .verdict b');
      await verdict.waitFor({ timeout: 120_000 });
      await settled(page);
      const told = await page.locator('gf-meaning .verdict').textContent();
      assert.ok(told.includes(says), told);
      assert.ok(told.includes(more), told);
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});
