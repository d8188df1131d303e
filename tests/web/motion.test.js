// What moves on the stage: from where to where, and that it is no more than a way of showing the steps.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load, traceExample } from '../../bindings/index.js';
import { examples, Session } from '../../web/app/session.js';
import { cellOf, timeline } from '../../web/app/state/timeline.js';
import { motions } from '../../web/stage/motion/index.js';
import { motionOf } from '../../web/stage/ops.js';
import { waits } from '../support/sample.js';
import { follow, inBrowser, settled, unfold } from './browser.js';

/** px that the matrices are apart. */
const APART = 40_000;
/** Cells of 40 by 20 px: the operands at the left and above, their step where they cross, what is added below. */
const PLACES = { 0: [0, 1], 1: [1, 0], 2: [1, 2], [-1]: [1, 1] };
/** The operands and their step beside each other. */
const LINE = { 0: [0, 0], 1: [1, 0], [-1]: [2, 0] };
const place = (cell, operand = -1, places = PLACES) => {
  const [left, top] = places[operand].map((at) => at * APART);
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
  const each = [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [0, 3],
    [1, 2],
  ];
  return each.map(([from, term]) => ({
    told,
    step,
    begun: { from },
    moment: { from, term, terms: 4 },
  }));
}

describe('a product', () => {
  /** Every moment of the examples that is told by products.
   * @type {{ told: any, begun: any, moment: any, step: any }[]} */
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
        const told = session.explain(trace, cellOf(line, moment));
        scenes.push({ told, begun: moment, moment, step });
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
      const all = told.reduce((a, b) => a + b, 0);
      assert.equal(copies.length, Math.min(all, 2 * 32));
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
      const visible = seen(scene, 1).filter(({ opacity, look }) => opacity > 0 && look !== 'note');
      assert.equal(visible.length, 1);
      const [{ box, value, of }] = visible;
      assert.deepEqual([box, of], [place(told), undefined]);
      const upTo = told.terms.slice(0, moment.term + 1);
      const sum = upTo.reduce((all, { a, b }) => all + a.value * b.value, 0);
      const rest = moment.term === moment.terms - 1;
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

/**
 * A scene of a step of an example, its matrices APART from each other, as they are shown beside each other.
 * @param {any} gf @param {string} example @param {string} name @param {number[]} [index] the cell that is told
 * @param {any} [places]
 */
function sceneOf(gf, example, name, index = [0, 0], places = PLACES) {
  const trace = traceExample(gf, example);
  const session = new Session(gf);
  const step = trace.step(name);
  const explain = ({ node, index: at }) => session.explain(trace, { node, index: at });
  const operandOf = (operand) => (operand < 0 ? step : trace.step(step.inputs[operand]));
  const isTurned = (operand) => operand === 1 && step.attributes.transposed === 1;
  const boxOf = ({ index: at }, operand = -1) => {
    const [row, column] = at.length === 1 ? [0, at[0]] : at.slice(-2);
    const turned = isTurned(operand) ? [column, row] : [row, column];
    return place({ index: turned }, operand, places);
  };
  /** What is shown of an operand, or of the step. */
  const panels = (operand) => {
    const one = operand < 0 ? step : step.inputs[operand] && operandOf(operand);
    if (!one) return [];
    const { shape, data, name: node } = one;
    const cells = Array.from(data, (value, flat) => {
      const at = shape.length === 1 ? [flat] : [Math.floor(flat / shape[1]), flat % shape[1]];
      return { cell: { node, index: at, value, flat }, box: boxOf({ index: at }, operand) };
    }).sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
    const rows = new Set(cells.map(({ box }) => box.top)).size;
    return [{ cells, rows, columns: cells.length / rows }];
  };
  return {
    step,
    crosses: places === PLACES,
    told: explain({ node: name, index }),
    explain,
    place: boxOf,
    panels,
    cells: (operand) => panels(operand)[0].cells,
  };
}

const near = (a, b, most = 1e-4) => assert.ok(Math.abs(a - b) <= most, `${a} for ${b}`);
const nearBox = (a, b) => {
  for (const side of ['left', 'top', 'width', 'height']) near(a[side], b[side]);
};
const looking = (seen, look) => seen.filter((one) => one.look === look);

describe('a step that moves as a whole', () => {
  let gf;
  before(async () => {
    gf = await load();
  });

  test('folds K over its diagonal: mirror images meet there, and end where Kᵀ has them', () => {
    const scene = sceneOf(gf, 'i-love-robotics', 'scores');
    const at = (progress) => motions.fold({ ...scene, progress }).filter(({ of }) => of);
    const [ending, middle, start] = [at(1), at(0.5), at(0)];
    assert.equal(ending.length, 9);
    for (const [k, { of, box }] of ending.entries()) {
      const [i, j] = of.index;
      assert.deepEqual(box, place({ index: [j, i] }, 1));
      assert.deepEqual(start[k].box, place({ index: [i, j] }, 1));
      const other = middle.find((one) => one.of.index.join() === [j, i].join());
      nearBox(middle[k].box, other.box);
    }
  });

  test('stacks the rows of V, each as high as its weight, into just one row', () => {
    const scene = sceneOf(gf, 'three-tokens', 'output');
    const weights = scene.cells(0).slice(0, 3);
    const at = (progress) => looking(motions.blend({ ...scene, progress }), 'block');
    const { top, left, width, height } = place({ index: [0, 0] });
    const columns = scene.step.shape[1];
    let from = top;
    at(0.9).forEach(({ box, picture }, k) => {
      near(box.top, from);
      near(box.height, height * weights[k].cell.value);
      assert.deepEqual([box.left, box.width], [left, columns * width]);
      assert.deepEqual(
        picture.cells.map(({ index }) => index),
        Array.from({ length: columns }, (_, column) => [k, column]),
      );
      from += box.height;
    });
    near(from, top + height);
    at(0.58).forEach(({ box }, k) => {
      const source = place({ index: [k, 0] }, 1);
      near(box.height, source.height * weights[k].cell.value);
      assert.ok(isBetween(box, source, { ...source, width: columns * source.width }));
    });
    assert.ok(motions.blend({ ...scene, progress: 1 }).every(({ opacity }) => opacity === 0));
  });

  test('hides no number of V before its rows are scaled: the weights stand beside them', () => {
    const scene = sceneOf(gf, 'three-tokens', 'output');
    const at = (progress) => motions.blend({ ...scene, progress });
    for (const progress of [0, 0.15, 0.3, 0.35]) {
      assert.ok(looking(at(progress), 'block').every(({ opacity }) => opacity === 0));
    }
    const weights = at(0.32).filter(({ of }) => of);
    assert.equal(weights.length, 3);
    weights.forEach(({ box, opacity }, k) => {
      const row = place({ index: [k, 0] }, 1);
      assert.deepEqual([box.top, box.height, opacity], [row.top, row.height, 1]);
      assert.ok(box.left + box.width < row.left);
    });
  });

  test('does not stack rows by what is no share of a whole', () => {
    const scene = sceneOf(gf, 'three-tokens', 'output');
    const doubled = (operand) =>
      scene.panels(operand).map(({ cells, ...size }) => ({
        ...size,
        cells: cells.map(({ cell, box }) => ({ cell: { ...cell, value: 2 * cell.value }, box })),
      }));
    assert.deepEqual(motions.blend({ ...scene, panels: doubled, progress: 0.5 }), []);
  });

  test('makes a row of scores bars, stretches them by exp, and packs them into one of length 1', () => {
    const scene = sceneOf(gf, 'three-tokens', 'weights', [1, 0]);
    const scores = scene.told.row.map(({ value }) => value);
    const most = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - most));
    const total = powers.reduce((a, b) => a + b);
    const terms = scores.length + 3;
    const bars = (from, term, progress) => {
      const moment = { from, term, terms };
      const seen = motions.shares({ ...scene, begun: moment, moment, progress });
      return seen.filter(({ key }) => key.startsWith('bar')).map(({ box }) => box);
    };
    const high = bars(0, 0, 0.9).map(({ height }) => height);
    for (const [k, score] of scores.entries()) near(high[k] / high[1], score / scores[1]);
    bars(0, 0, 0).forEach((box, k) => {
      assert.deepEqual(box, place({ index: [1, k] }, 0));
    });
    const stretched = bars(3, 3, 0.9).map(({ height }) => height);
    for (const [k, power] of powers.entries()) near(stretched[k] / stretched[1], power);
    /* The row above, which is told already, stays in sight. */
    const { top } = place({ index: [1, 0] });
    for (const box of [...bars(0, 0, 0.9), ...bars(3, 3, 0.9)]) assert.ok(box.top >= top);
    for (const [from, term] of [
      [4, 4],
      [5, 5],
      [0, 5],
    ]) {
      const packed = bars(from, term, { '4 4': 0.8, '5 5': 0.2, '0 5': 0.5 }[`${from} ${term}`]);
      const row = { left: APART, width: 3 * 40 };
      let left = row.left;
      for (const [k, box] of packed.entries()) {
        near(box.left, left, 1e-3);
        near(box.width, (row.width * powers[k]) / total, 1e-3);
        left += box.width;
      }
      near(left, row.left + row.width, 1e-3);
    }
    const last = { from: 5, term: 5, terms };
    const end = motions.shares({ ...scene, begun: last, moment: last, progress: 1 });
    const [only, ...others] = end.filter(({ opacity }) => opacity > 0);
    assert.deepEqual([only.box, others], [place({ index: [1, 0] }), []]);
    near(only.value, powers[0] / total, 1e-6);
  });

  test('slides a row to mean 0, and stretches it to variance 1', () => {
    const scene = sceneOf(gf, 'layer-norm', 'norm');
    const values = (progress) =>
      looking(motions.level({ ...scene, progress }), 'label')
        .filter(({ opacity }) => opacity > 0)
        .map(({ value }) => value);
    const width = scene.step.shape.at(-1);
    const mean = (row) => row.reduce((a, b) => a + b, 0) / width;
    const variance = (row) => mean(row.map((x) => x * x)) - mean(row) ** 2;
    const [before, slid, stretched, end] = [0.25, 0.48, 0.7, 0.9].map(values);
    const given = scene.cells(0).slice(0, width);
    assert.deepEqual(
      before,
      given.map(({ cell }) => cell.value),
    );
    near(mean(slid), 0, 1e-5);
    near(variance(slid), variance(before), 1e-3 * variance(before));
    near(mean(stretched), 0, 1e-5);
    near(variance(stretched), 1, 1e-3);
    end.forEach((value, k) => {
      near(value, scene.step.data[k], 1e-6);
    });
    assert.ok(motions.level({ ...scene, progress: 1 }).every(({ opacity }) => opacity === 0));
  });

  test('stretches a row until the mean of its squares is 1, where the mean stays as it is', () => {
    const tape = gf.tape();
    const values = [3, -1, 2, 0.5];
    const x = tape.input('x', [1, 4]);
    tape.rmsNorm(x, null, 1e-6, 'norm');
    tape.plan();
    x.set([values]);
    tape.forward();
    const data = tape.find('norm').data;
    const root = Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / 4 + 1e-6);
    const cells = (operand) =>
      [...(operand < 0 ? data : values)].map((value, k) => {
        const index = [0, k];
        return { cell: { node: 'x', index, value, flat: k }, box: place({ index }, operand) };
      });
    const explain = () => ({ root });
    const labels = (progress) =>
      looking(motions.level({ cells, explain, progress }), 'label')
        .filter(({ opacity }) => opacity > 0)
        .map(({ value }) => value);
    assert.deepEqual(labels(0.45), values);
    const squares = labels(0.7).reduce((sum, v) => sum + v * v, 0);
    near(squares / 4, 1, 1e-5);
    labels(0.9).forEach((value, k) => {
      near(value, values[k] / root, 1e-6);
    });
    tape.dispose();
  });

  test('adds what comes from both matrices, and takes a residual around the block', () => {
    const scene = sceneOf(gf, 'hi-how', 'x', [0, 0], LINE);
    const copies = (role, progress) =>
      motions
        .join({ ...scene, step: { ...scene.step, role }, progress })
        .filter(({ of, opacity }) => of && opacity > 0);
    const sources = [scene.place(scene.told.a, 0), scene.place(scene.told.b, 1)];
    const target = scene.place(scene.told);
    for (const role of ['embedding', 'residual']) {
      copies(role, 0).forEach(({ box }, k) => {
        assert.deepEqual(box, sources[k]);
      });
    }
    copies('embedding', 0.4).forEach(({ box }, k) => {
      assert.ok(isBetween(box, sources[k], target));
    });
    const [residual, straight] = copies('residual', 0.375);
    assert.ok(isBetween(straight.box, sources[1], target));
    const { top, height } = residual.box;
    assert.ok(top + height <= sources[1].top && top + 2 * height > sources[1].top, 'close by');
    const end = motions.join({ ...scene, progress: 1 }).filter(({ opacity }) => opacity > 0);
    assert.deepEqual(
      end.map(({ box, value }) => [box, value]),
      [[target, Math.fround(scene.told.a.value + scene.told.b.value)]],
    );
  });
});

describe('what is told at once', () => {
  let gf;
  before(async () => {
    gf = await load();
  });

  /** A panel of cells that hold their own places. */
  const panel = (node, rows, columns, { left, top }) => ({
    rows,
    columns,
    cells: Array.from({ length: rows * columns }, (_, flat) => {
      const [row, column] = [Math.floor(flat / columns), flat % columns];
      const box = { left: left + 40 * column, top: top + 20 * row, width: 40, height: 20 };
      return { cell: { node, index: [row, column], value: flat, flat }, box };
    }),
  });
  const flats = ({ picture }) => picture.cells.map(({ flat }) => flat);

  test('rows of a product come from the same rows of the left, and from all of what is above', () => {
    const all = {
      0: [panel('a', 4, 3, { left: 0, top: APART })],
      1: [panel('b', 3, 5, { left: APART, top: 0 })],
      [-1]: [panel('y', 4, 5, { left: APART, top: APART })],
    };
    const scene = {
      panels: (operand) => all[operand] ?? [],
      crosses: true,
      begun: { cell: 5 },
      moment: { cell: 14 },
    };
    const at = (progress) => motions.rows({ ...scene, progress });
    const [left, above, told] = at(0);
    assert.deepEqual(flats(left), [3, 4, 5, 6, 7, 8]);
    assert.deepEqual(flats(above).length, 15);
    assert.deepEqual(flats(told), [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    /* In the place of the product stand its own numbers alone. */
    assert.deepEqual(
      [left, above, told].map(({ picture }) => picture.mute),
      [true, true, false],
    );
    assert.deepEqual(left.box, { left: 0, top: APART + 20, width: 120, height: 40 });
    const target = { left: APART, top: APART + 20, width: 200, height: 40 };
    for (const { box } of at(0.7)) nearBox(box, target);
    /* Nothing lies over what it comes from; on its way it is seen. */
    assert.ok(at(0).every(({ opacity }) => opacity === 0));
    for (const progress of [0.01, 0.4])
      assert.deepEqual(
        at(progress).map(({ opacity }) => opacity),
        [1, 1, 0],
      );
    const end = at(1).filter(({ opacity }) => opacity > 0);
    assert.deepEqual(end, [{ ...told, opacity: 1 }]);
  });

  test('a head takes its columns, and heads that join go each to its own', () => {
    const wide = panel('x', 2, 6, { left: 0, top: 0 });
    const heads = [0, 1, 2].map((h) => panel('h', 2, 2, { left: 40 * 2 * h, top: APART }));
    for (const [h, one] of heads.entries()) for (const { cell } of one.cells) cell.flat += 4 * h;
    const cut = motions.rows({
      panels: (operand) => ({ 0: [wide], [-1]: heads })[operand] ?? [],
      crosses: false,
      begun: { cell: 4 },
      moment: { cell: 7 },
      progress: 0.5,
    });
    assert.deepEqual(cut.map(flats), [
      [2, 3, 8, 9],
      [4, 5, 6, 7],
    ]);
    const joined = motions.rows({
      panels: (operand) => ({ 0: heads, [-1]: [wide] })[operand] ?? [],
      crosses: false,
      begun: { cell: 6 },
      moment: { cell: 11 },
      progress: 0.7,
    });
    assert.deepEqual(joined.slice(0, 3).map(flats), [
      [2, 3],
      [6, 7],
      [10, 11],
    ]);
    joined.slice(0, 3).forEach(({ box }, h) => {
      nearBox(box, { left: 80 * h, top: 20, width: 80, height: 20 });
    });
  });

  test('a large matrix folds as one picture, within the room of its transpose', () => {
    const transpose = panel('k', 32, 16, { left: 100, top: 50 });
    const seen = (progress) =>
      motions.fold({ panels: () => [transpose], progress }).find(({ key }) => key === 'all');
    const { picture, box } = seen(0);
    assert.deepEqual([picture.columns, box], [32, { left: 100, top: 50, width: 640, height: 640 }]);
    /* The transpose has at [j][i] what the matrix has at [i][j]. */
    picture.cells.forEach(({ index }, at) => {
      assert.deepEqual(index, [at % 32, Math.floor(at / 32)]);
    });
    for (const part of [0, 0.5, 1]) near(seen(part).folded, part, 1e-9);
  });

  test('of many products a sample travels, and it is said how large it is', () => {
    const cell = (node, k) => ({ node, index: [0, k], value: k });
    const terms = Array.from({ length: 100 }, (_, k) => ({
      a: cell('a', k),
      b: cell('b', k),
      sum: k,
    }));
    const told = { ...cell('y', 0), value: 99, terms };
    const moment = { from: 0, term: 99, terms: 100 };
    const seen = motions.product({ told, begun: moment, moment, place, progress: 0.1 });
    const { sample } = seen.find(({ look }) => look === 'note');
    assert.equal(sample.all, 100);
    assert.equal(seen.filter(({ of }) => of).length, 2 * sample.drawn);
    assert.ok(sample.drawn < 50);
  });

  test('has the same travellers from its beginning to its end, in all examples', () => {
    for (const name of Object.keys(examples)) {
      const trace = traceExample(gf, name);
      for (const { name: node, kind, shape } of trace.steps.filter(({ op }) => op !== 'leaf')) {
        if (kind !== 'op' || shape.length !== 2) continue;
        const scene = sceneOf(gf, name, node);
        const motion = motionOf(scene.step);
        const { moments } = timeline(trace.steps, { node, index: [0, 0] });
        const line = timeline(trace.steps);
        const stage = line.stages.findIndex((step) => step.name === node);
        const own = moments.filter((moment) => moment.stage === stage && moment.cell === 0);
        for (const moment of own) {
          const of = (progress) =>
            motions[motion]({ ...scene, begun: moment, moment, progress }).map(
              ({ box, opacity, folded, ...rest }) => rest,
            );
          for (const progress of [0.25, 0.5, 0.75, 1]) assert.deepEqual(of(progress), of(0));
        }
      }
      trace.dispose();
    }
  });
});

/** Shows a time at which something moves, once what moves is loaded. */
async function fly(page, hash) {
  await follow(page, hash);
  await page.evaluate(() => customElements.whenDefined('gf-motion').then(() => {}));
  await settled(page);
}

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
  /** The time at which a step is introduced. */
  const firstOf = (page, name) =>
    page.evaluate((node) => {
      const { line } = document.querySelector('gf-chapter-attention');
      return line.first[line.stages.findIndex((step) => step.name === node)];
    }, name);

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

  test('how many of many numbers travel is written small, beside them', async () => {
    const wide = '#v=1&sentence=48~48~1~1~p~each of the eight words sees all others';
    const { page, close } = await browsing.open(wide, { reducedMotion: 'no-preference' });
    const at = await page.evaluate(() => {
      const { line } = document.querySelector('gf-chapter-attention');
      const stage = line.stages.findIndex(({ name }) => name === 'q');
      const isWhole = (one) => one.stage === stage && one.from === 0 && one.term > 40;
      return line.moments.findIndex(isWhole);
    });
    await follow(page, `${wide}&t=${at - 0.5}`);
    await page.waitForSelector('.traveller[data-look=note]');
    const { note, cell, font, words } = await page.evaluate(() => {
      const one = document.querySelector('.traveller[data-look=note]');
      const drawn = [...document.querySelectorAll('gf-stage .focus')].at(-1);
      const { fontSize } = getComputedStyle(one);
      const edges = (element) => element.getBoundingClientRect().toJSON();
      const [text] = one.children;
      return {
        ...{ note: edges(text), cell: edges(drawn), words: text.textContent },
        font: Number.parseFloat(fontSize),
      };
    });
    assert.match(words, /^32 of 48/);
    assert.equal(Math.round(font), 12);
    assert.ok(note.top >= cell.bottom - 4, `${note.top} ${cell.bottom}`);
    await close();
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
          copies: [...document.querySelectorAll('[data-look=copy]')].map(box),
          texts: [...document.querySelectorAll('[data-look=copy]')].map((one) => one.textContent),
          sources: [a, b].map((cell) => box(of(cell))),
          values: [a, b].map((cell) => of(cell).textContent.trim()),
          target: box(document.querySelector('gf-stage .cell.unknown.focus')),
          result: of(view.now) !== null,
        };
      });
    const near = (a, b) => Object.keys(a).every((side) => Math.abs(a[side] - b[side]) < 1.5);
    for (const at of moments.slice(0, -1)) {
      await fly(page, `${HASH}&t=${at - 0.999}`);
      const start = await look();
      assert.ok(start.copies.every((copy, k) => near(copy, start.sources[k])));
      assert.deepEqual(start.texts, start.values);
      await fly(page, `${HASH}&t=${at - 0.5}`);
      const { copies, sources, target, result } = await look();
      assert.equal(copies.length, 2);
      assert.ok(copies.every((copy, k) => isBetween(copy, sources[k], target)));
      assert.equal(result, false);
      await fly(page, `${HASH}&t=${at - 0.999}`);
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

  test('a removal takes the run from where it stood to where the intact one has room, and back', async () => {
    const hash = `${HASH}&t=1e6`;
    const { page, close } = await browsing.open(hash, { reducedMotion: 'no-preference' });
    await unfold(page);
    /* Nothing goes on before it was looked at. */
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function stopped(...how) {
        const way = animate.apply(this, how);
        way.pause();
        return way;
      };
    });
    /** Presses the last switch. The box of the run: just before, as it begins to go, and where it ends. */
    const press = async () => {
      const last = () => [...document.querySelectorAll('gf-stage .figure-grid')].at(-1);
      const boxOf = (of) => {
        const { left, top, width, height } = of.getBoundingClientRect();
        return [left, top, width, height].map(Math.round);
      };
      const seen = `const last = ${last}, boxOf = ${boxOf};`;
      const before = await page.evaluate(`{
        ${seen}
        const before = boxOf(last());
        [...document.querySelectorAll('gf-switches input:not(:disabled)')].at(-1).click();
        before;
      }`);
      await settled(page);
      const boxes = await page.evaluate(`{
        ${seen}
        const [way] = last().getAnimations();
        const begins = way ? boxOf(last()) : null;
        way?.finish();
        ({ begins, ends: boxOf(last()) });
      }`);
      return { before, ...boxes };
    };
    const removed = await press();
    assert.deepEqual(removed.begins, removed.before);
    assert.ok(removed.ends[2] < removed.before[2], String(removed.ends));
    const again = await press();
    assert.deepEqual(again, { before: removed.ends, begins: removed.ends, ends: removed.before });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual(await press(), { before: again.ends, begins: null, ends: removed.ends });
    await close();
  });

  test('a reader who asks for less motion, and paper, see the steps', async () => {
    const { page, close } = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const [at] = await MOMENTS(page);
    await fly(page, `${HASH}&t=${at - 0.5}`);
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

  /** Plays a film in frames of 100 ms: the blocks in the order in which they are shown, and how many frames each. */
  const filmOf = async (length) => {
    const { page, close } = await browsing.open(
      '#v=1&chapter=transformer&panel=stage&text=le chat dort',
      { ready: '.translation ol button' },
    );
    await page.locator('gf-timeline select').nth(1).selectOption(length);
    await settled(page);
    const film = await page.evaluate(() => {
      const lesson = document.querySelector('gf-chapter-transformer');
      const { requestAnimationFrame: own } = globalThis;
      const waiting = [];
      globalThis.requestAnimationFrame = (frame) => waiting.push(frame);
      const found = [];
      let now = performance.now();
      lesson.play();
      for (let count = 0; lesson.playing && count < 3000; count++) {
        const { block, step } = lesson.shown;
        if (found.at(-1)?.at !== `${step} ${block}`)
          found.push({ at: `${step} ${block}`, frames: 0 });
        found.at(-1).frames++;
        now += 100;
        for (const frame of waiting.splice(0)) frame(now);
      }
      globalThis.requestAnimationFrame = own;
      const names = lesson.blocks.map(({ name }) => name);
      const { length } = lesson.reading.written.tokens;
      return { found, blocks: names, tokens: length };
    });
    await close();
    const seen = film.found.map(({ at }) => at);
    const frames = film.found.map((one) => one.frames);
    return { ...film, seen, frames, all: frames.reduce((sum, count) => sum + count, 0) };
  };

  test('a sentence is one film: the encoder once, then all blocks for each token, in 2 min', async () => {
    const { seen, all, blocks, tokens } = await filmOf('long');
    const writing = blocks.filter((name) => !name.startsWith('encoder'));
    const steps = Array.from({ length: tokens + 1 }, (_, step) =>
      (step === 0 ? blocks : writing).map((name) => `${step} ${name}`),
    );
    assert.ok(tokens > 2 && writing.length < blocks.length);
    assert.deepEqual(seen, steps.flat());
    assert.ok(Math.abs(all - 1200) <= 12, `${all} frames of 100 ms`);
  });

  test('in 30 s the first token has all blocks, the others what they look at and what is written', async () => {
    const { seen, frames, all, blocks, tokens } = await filmOf('short');
    const steps = Array.from({ length: tokens + 1 }, (_, step) =>
      (step === 0 ? blocks : ['decoder.1.cross_attn', 'probabilities']).map(
        (name) => `${step} ${name}`,
      ),
    );
    assert.deepEqual(seen, steps.flat());
    assert.ok(Math.abs(all - 300) <= 3, `${all} frames of 100 ms`);
    assert.ok(Math.min(...frames) >= 5, 'each is shown for half a second');
  });

  /** What is done in each of some frames while a step is played: elements that render, boxes that are asked for, and
   * how often the browser lays out meanwhile. The first frame begins the step, and what moves and what stands beside
   * the stage is drawn within three more.
   * @param {import('playwright-core').Page} page @param {number[]} times ms that pass in each frame */
  const workOf = async (page, times) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const layouts = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount').value;
    };
    await page.evaluate(() => {
      const counts = {};
      const count = (name) => {
        counts[name] = (counts[name] ?? 0) + 1;
      };
      const elements = [...document.querySelectorAll('*')].filter(({ render }) => render);
      for (const prototype of new Set(elements.map((one) => Object.getPrototypeOf(one)))) {
        const { render } = prototype;
        prototype.render = function () {
          count(this.localName);
          return render.call(this);
        };
      }
      const { getBoundingClientRect } = Element.prototype;
      Element.prototype.getBoundingClientRect = function () {
        count('measured');
        return getBoundingClientRect.call(this);
      };
      const { requestAnimationFrame: own } = globalThis;
      const waiting = [];
      globalThis.requestAnimationFrame = (frame) => waiting.push(frame);
      document.querySelector('main > *').play();
      let now = performance.now();
      const drawn = () => new Promise((done) => own(() => own(done)));
      /** Lets time pass, until what it changes is on the screen. */
      globalThis.after = async (ms) => {
        now += ms;
        for (const name of Object.keys(counts)) delete counts[name];
        for (const frame of waiting.splice(0)) frame(now);
        await drawn();
        return { ...counts };
      };
    });
    const found = [];
    for (const ms of times) {
      const before = await layouts();
      const counts = await page.evaluate((time) => globalThis.after(time), ms);
      found.push({ counts, layouts: (await layouts()) - before });
    }
    return found;
  };

  test('a frame between two steps renders nothing, measures nothing and lays nothing out', async () => {
    const { page, close } = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const [first] = await MOMENTS(page);
    await fly(page, `${HASH}&t=${first - 1}`);
    const [, , , , ...within] = await workOf(page, [200, 1, 1, 1, 100, 100, 100, 400, 1, 1, 1]);
    const drawn = within.splice(-4).map(({ counts }) => counts);
    const frames = {
      stage: [1, undefined, undefined],
      figure: [1, undefined, undefined],
      motion: [undefined, 1, undefined],
      caption: [undefined, 1, undefined],
      formula: [undefined, 1, undefined],
      microscope: [undefined, undefined, 1],
    };
    for (const [name, [now, next, third]] of Object.entries(frames)) {
      const all = [now, next, third, undefined];
      assert.deepEqual(
        drawn.map((counts) => counts[`gf-${name}`]),
        all,
        name,
      );
    }
    for (const one of within) assert.deepEqual(one, { counts: {}, layouts: 0 });
    await close();
  });

  test('nor while rows are swept, or at the level of stages', async () => {
    for (const [how, times, told] of [
      ['', [50, 1, 1, 1, 50, 50, 50], /^Rows? \d.* in the same way/],
      ['&level=stage', [50, 1, 1, 1, 300, 300, 300], /^S has 3 × 3 numbers/],
    ]) {
      const { page, close } = await browsing.open(HASH, { reducedMotion: 'no-preference' });
      const at = await page.evaluate(() => {
        const { line } = document.querySelector('gf-chapter-attention');
        const stage = line.stages.findIndex(({ name }) => name === 'scores');
        return line.moments.findIndex((moment) => moment.stage === stage && moment.cell === 3);
      });
      const begin = how ? await firstOf(page, 'scores') : at - 1;
      await fly(page, `${HASH}${how}&t=${begin}`);
      const [, , , , ...within] = await workOf(page, times);
      for (const one of within) assert.deepEqual(one, { counts: {}, layouts: 0 });
      assert.ok((await page.locator('[data-look=block]').count()) >= 3);
      assert.match(await page.locator('gf-caption').innerText(), told);
      /* All of a picture is seen, however high or wide its cells are. */
      const pictures = await page.locator('.traveller canvas').evaluateAll((all) =>
        all.map(({ offsetWidth, offsetHeight, parentElement }) => ({
          own: [offsetWidth, offsetHeight],
          room: [parentElement?.clientWidth, parentElement?.clientHeight],
        })),
      );
      for (const { own, room } of pictures) assert.deepEqual(own, room);
      await close();
    }
  });

  test('a film shows the columns of the likeliest word while its probability is computed', async () => {
    const hash = '#v=1&chapter=transformer&panel=stage&text=le chat dort&film=short';
    const { page, close } = await browsing.open(`${hash}&block=probabilities&step=1&t=0.5`, {
      ready: 'gf-stage .pager',
    });
    const { likeliest, pages } = await page.evaluate(() => {
      const { opened } = document.querySelector('gf-chapter-transformer');
      const { data, shape } = opened.trace.step('probabilities');
      const row = [...data.slice(-shape.at(-1))];
      const pagers = [...document.querySelectorAll('gf-stage .pager')];
      return {
        likeliest: row.indexOf(Math.max(...row)) + 1,
        pages: pagers.map(({ textContent }) =>
          /(\d+)–(\d+)/.exec(textContent).slice(1).map(Number),
        ),
      };
    });
    assert.ok(pages.length > 0);
    for (const [from, to] of pages)
      assert.ok(from <= likeliest && likeliest <= to, `${from}–${to}`);
    await close();
  });

  test('a norm is told by the rows that its numbers come from', async () => {
    const { page, close } = await browsing.open('#v=1&example=layer-norm');
    await follow(page, `#v=1&example=layer-norm&t=${await firstOf(page, 'norm')}`);
    const told = await page.locator('gf-caption').innerText();
    assert.match(told, /numbers, each computed from a whole row of \S+\.$/);
    await close();
  });

  test('a time between two steps shows its own moment, whether or not anything moves', async (t) => {
    if (waits(t)) return;
    const lively = await browsing.open(HASH, { reducedMotion: 'no-preference' });
    const still = await browsing.open(HASH);
    const { length } = await lively.page.evaluate(
      () => document.querySelector('gf-chapter-attention').line.moments,
    );
    for (let t = 0.5; t < length - 1; t += 3) {
      const pictures = [];
      for (const { page } of [lively, still]) {
        await follow(page, `${HASH}&t=${t}`);
        const shown = await stageOf(page);
        pictures.push(shown.replace(/<gf-motion.*?<\/gf-motion>/, ''));
        const known = await page.evaluate(() => {
          const { line, stage, begun } = document.querySelector('gf-stage').view;
          const own = document.querySelectorAll(`gf-stage [data-node="${stage.name}"]`);
          return {
            cells: own.length,
            before: Math.max(0, begun.cell),
            op: stage.kind,
            of: line.stages.length,
          };
        });
        if (known.op === 'op') assert.equal(known.cells, known.before, `at ${t}`);
      }
      assert.equal(pictures[0], pictures[1], `at ${t}`);
    }
    await lively.close();
    await still.close();
  });
});
