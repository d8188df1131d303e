// What moves on the stage: from where to where, and that it is no more than a way of showing the steps.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load, traceExample } from '../../bindings/index.js';
import { motions } from '../../web/motion/index.js';
import { motionOf } from '../../web/ops.js';
import { examples, Session } from '../../web/session.js';
import { cellOf, timeline } from '../../web/state/timeline.js';
import { follow, inBrowser, settled } from './browser.js';

/** px that the matrices are apart. */
const APART = 40_000;
/** Cells of 40 by 20 px: the operands at the left and above, their step where they cross, what is added below. */
const PLACES = { 0: [0, 1], 1: [1, 0], 2: [1, 2], [-1]: [1, 1] };
const place = (cell, operand = -1) => {
  const [left, top] = PLACES[operand].map((at) => at * APART);
  const [row, column] = cell.index.length === 1 ? [0, cell.index[0]] : cell.index.slice(-2);
  return { left: left + 40 * column, top: top + 20 * row, width: 40, height: 20 };
};

const center = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/** Whether a box is in the smallest one around two others, whose corners may be off by half a px. */
const isBetween = (box, from, to) =>
  ['left', 'top'].every((side) => {
    const size = side === 'left' ? 'width' : 'height';
    return (
      box[side] >= Math.min(from[side], to[side]) - 0.5 &&
      box[side] + box[size] <= Math.max(from[side] + from[size], to[side] + to[size]) + 0.5
    );
  });

/** One number of a product of three terms, to which something is added. */
function added() {
  const cell = (node, index, value) => ({ node, index, value });
  const told = {
    ...cell('y', [0, 0], 32.5),
    terms: [
      [1, 4, 4],
      [2, 5, 14],
      [3, 6, 32],
    ].map(([a, b, sum], k) => ({
      a: cell('x', [0, k], a),
      b: cell('w', [k, 0], b),
      product: a * b,
      sum,
    })),
    bias: cell('b', [0], 0.5),
  };
  const step = { name: 'y' };
  const each = [0, 1, 2, 3].map((term) => ({ told, step, moment: { from: term, term, terms: 4 } }));
  return [...each, { told, step, moment: { from: 0, term: 3, terms: 4 } }];
}

describe('a product', () => {
  /** Every moment of the examples that is told by products.
   * @type {{ told: any, moment: any, step: any }[]} */
  const scenes = [];
  before(async () => {
    const gf = await load();
    const session = new Session(gf);
    for (const name of Object.keys(examples)) {
      const trace = traceExample(gf, name);
      const line = timeline(trace.steps);
      for (const moment of line.moments) {
        const step = line.stages[moment.stage];
        if (motionOf(step) !== 'product' || moment.cell < 0 || moment.cell > 1) continue;
        scenes.push({ told: session.explain(trace, cellOf(line, moment)), moment, step });
      }
      trace.dispose();
    }
    scenes.push(...added());
  });
  const seen = (scene, progress) => motions.product({ ...scene, place, progress });
  const copiesOf = (all) => all.filter(({ of, opacity }) => of && opacity > 0);
  const sourceOf = ({ key, of }, { told }) => {
    const bias = told.bias?.node === of.node;
    const operand = bias ? 2 : Number(/\d/.exec(key)[0]);
    return place(of, operand);
  };

  test('is there to be tested, term by term and as a whole', () => {
    assert.ok(scenes.some(({ moment }) => moment.from === moment.term && moment.term === 0));
    assert.ok(scenes.some(({ moment }) => moment.from < moment.term));
    assert.ok(scenes.some(({ told, moment }) => moment.term === told.terms.length));
  });

  test('begins where its operands are, and they cover them', () => {
    for (const scene of scenes) {
      const copies = copiesOf(seen(scene, 0));
      const { from, term } = scene.moment;
      const { terms, bias } = scene.told;
      const told = [...terms.map(() => 2), ...(bias ? [1] : [])].slice(from, term + 1);
      assert.equal(
        copies.length,
        told.reduce((a, b) => a + b, 0),
      );
      for (const copy of copies) assert.deepEqual(copy.box, sourceOf(copy, scene));
    }
  });

  test('has its copies between their sources and the result at the middle', () => {
    for (const scene of scenes) {
      for (const copy of copiesOf(seen(scene, 0.5))) {
        const source = sourceOf(copy, scene);
        const target = place(scene.told);
        assert.ok(isBetween(copy.box, source, target), `${scene.step.name} ${copy.key}`);
      }
    }
  });

  test('ends with the sum so far in the cell, as float64 has it, and nothing else', () => {
    for (const scene of scenes) {
      const { told, moment } = scene;
      const visible = seen(scene, 1).filter(({ opacity }) => opacity > 0);
      assert.equal(visible.length, 1);
      const [{ box, value, of }] = visible;
      assert.deepEqual([box, of], [place(told), undefined]);
      const upTo = told.terms.slice(0, moment.term + 1);
      const sum = upTo.reduce((all, { a, b }) => all + a.value * b.value, 0);
      const rest = moment.term === told.terms.length || moment.from < moment.term;
      const all = sum + (rest && told.bias ? told.bias.value : 0);
      assert.ok(Math.abs(value - all) <= 1e-5 * (1 + Math.abs(all)), `${value} for ${all}`);
    }
  });

  test('shows no number that is not yet computed', () => {
    for (const scene of scenes) {
      const numbers = seen(scene, 0.5).filter(
        ({ of, opacity, value }) => !of && opacity > 0 && value !== undefined,
      );
      const before = scene.told.terms[scene.moment.from - 1]?.sum;
      for (const { key, value } of numbers) assert.deepEqual([key, value], ['before', before]);
    }
  });

  test('moves without a jump, and the same way back', () => {
    const steps = 200;
    const [scene] = scenes;
    const path = Array.from({ length: steps + 1 }, (_, k) => seen(scene, k / steps));
    for (let k = 1; k <= steps; k++) {
      for (const one of path[k].filter(({ opacity }) => opacity > 0)) {
        const before = path[k - 1].find(({ key }) => key === one.key);
        const [x, y] = center(one.box);
        const [u, v] = center(before.box);
        assert.ok(Math.hypot(x - u, y - v) < APART / 20, `${one.key} at ${k}`);
      }
    }
    for (let k = steps; k >= 0; k--) assert.deepEqual(seen(scene, k / steps), path[k]);
  });
});

describe('on the page', () => {
  const browsing = inBrowser();
  const HASH = '#v=1&example=three-tokens';
  /** The first moments of the scores, in which the first terms are added. */
  const MOMENTS = (page) =>
    page.evaluate(() => {
      const { line } = document.querySelector('gf-chapter-attention');
      const stage = line.stages.findIndex(({ name }) => name === 'scores');
      return line.moments.flatMap((moment, at) =>
        moment.stage === stage && (moment.cell === 0 || moment.cell === 1) ? [at] : [],
      );
    });
  const stageOf = (page) =>
    page.evaluate(() => {
      const { outerHTML } = document.querySelector('gf-stage .figure-grid');
      return outerHTML.replace(/<!--.*?-->/g, '').replace(/\s+/g, ' ');
    });
  const moving = (page) => page.locator('.traveller').count();

  test('a step that is told shows what it shows where nothing moves', async () => {
    const lively = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const still = await browsing.open(HASH);
    for (const at of await MOMENTS(lively.page)) {
      const pictures = [];
      for (const { page } of [lively, still]) {
        await follow(page, `${HASH}&t=${at}`);
        pictures.push(await stageOf(page));
        assert.equal(await moving(page), 0);
      }
      assert.equal(pictures[0], pictures[1]);
    }
    await lively.close();
    await still.close();
  });

  test('and between two steps copies lie on their way, from a link and back', async () => {
    const { page, complaints, close } = await browsing.open(HASH, {
      reducedMotion: 'no-preference',
    });
    const moments = await MOMENTS(page);
    /** The boxes of copies and of the cells that they are of, and whether the result is shown. */
    const look = () =>
      page.evaluate(() => {
        const box = (element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return { left, top, width, height };
        };
        const { view } = document.querySelector('gf-stage');
        const of = ({ node, index }) =>
          document.querySelector(`gf-stage [data-node="${node}"][data-index="${index}"]`);
        const { a, b } = view.explained.terms[view.moment.term];
        return {
          copies: [...document.querySelectorAll('.traveller.copy')].map(box),
          texts: [...document.querySelectorAll('.traveller.copy')].map((one) => one.textContent),
          sources: [a, b].map((cell) => box(of(cell))),
          values: [a, b].map((cell) => of(cell).textContent.trim()),
          target: box(document.querySelector('gf-stage .cell.unknown.focus')),
          result: of(view.now) !== null,
        };
      });
    const near = (a, b) => Object.keys(a).every((side) => Math.abs(a[side] - b[side]) < 1.5);
    for (const at of moments.slice(0, -1)) {
      await follow(page, `${HASH}&t=${at - 0.999}`);
      const start = await look();
      assert.ok(start.copies.every((copy, k) => near(copy, start.sources[k])));
      assert.deepEqual(start.texts, start.values);
      await follow(page, `${HASH}&t=${at - 0.5}`);
      const { copies, sources, target, result } = await look();
      assert.equal(copies.length, 2);
      assert.ok(copies.every((copy, k) => isBetween(copy, sources[k], target)));
      assert.equal(result, false);
      await follow(page, `${HASH}&t=${at - 0.999}`);
      assert.deepEqual(await look(), start);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the sum is printed nowhere before its last term has landed', async () => {
    const { page, close } = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const last = (await MOMENTS(page)).at(-2);
    const told = () =>
      page.evaluate(() => {
        const { view } = document.querySelector('gf-stage');
        const { node, index } = view.now;
        const own = `[data-node="${node}"][data-index="${index}"]`;
        const slider = document.querySelector('gf-timeline input');
        return {
          places: document.querySelectorAll(own).length,
          slider: slider.getAttribute('aria-valuetext').includes(String(view.explained.value)),
        };
      });
    await follow(page, `${HASH}&t=${last - 0.1}`);
    assert.deepEqual(await told(), { places: 0, slider: false });
    await follow(page, `${HASH}&t=${last}`);
    const { places, slider } = await told();
    assert.ok(places > 1 && slider);
    await close();
  });

  test('a reader who asks for less motion, and paper, see the steps', async () => {
    const { page, close } = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const [at] = await MOMENTS(page);
    await follow(page, `${HASH}&t=${at - 0.5}`);
    assert.ok((await moving(page)) > 0);
    for (const [on, off] of [
      [{ reducedMotion: 'reduce' }, { reducedMotion: 'no-preference' }],
      [{ media: 'print' }, { media: 'screen' }],
    ]) {
      await page.emulateMedia(on);
      await settled(page);
      assert.equal(await moving(page), 0);
      await page.emulateMedia(off);
      await settled(page);
      assert.ok((await moving(page)) > 0);
    }
    await close();
  });
});
