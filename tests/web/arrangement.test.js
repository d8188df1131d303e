// Where the matrices of a step stand: what the page and the exported picture are painted from.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { explain, load, traceExample, traceModel } from '../../bindings/index.js';
import { exercise, traceProblem } from '../../bindings/learn/exercises/index.js';
import { computedCount, timeline } from '../../web/app/state/timeline.js';
import { makeView } from '../../web/app/state/view.js';
import { OPENING } from '../../web/app/state/walk.js';
import { alone, arrange, fork } from '../../web/stage/draw/arrangement.js';
import { labels } from '../../web/stage/draw/names.js';
import { matrices } from '../../web/stage/draw/tensor.js';
import { drawingOf } from '../../web/stage/ops.js';

const gf = await load();

/** What is seen of a trace once a stage of it is computed. */
function viewOf(trace, stage) {
  const line = timeline(trace.steps);
  const t = line.moments.findLastIndex((moment) => line.stages[moment.stage].name === stage);
  const example = { title: '', tokens: ['the', 'cat', 'sat'] };
  return makeView({
    state: { ...OPENING, example: '', t },
    opened: { example, trace, intact: null },
    line,
    session: { explain: (run, { node, index }) => explain(run, node, index, gf) },
    limit: 1,
    slope: 1,
    readouts: null,
    target: null,
    hover: null,
    preview: null,
    about: null,
    playing: false,
    theme: 'light',
    locks: new Set(),
  });
}

const sheetOf = (trace, stage, more = {}) => {
  const view = viewOf(trace, stage);
  const known = () => ({ tokens: view.example.tokens });
  const room = { width: 900, height: 600 };
  return { view, drawing: drawingOf(view.stage), known, room, unit: 1, narrow: false, ...more };
};
const panelsOf = (arranged) =>
  arranged.kind === 'flow'
    ? [...arranged.operands, arranged.result].flatMap(({ panels }) => panels).concat(arranged.below)
    : [arranged.left, arranged.above, arranged.result, arranged.bias].filter(Boolean);
const widthOf = ({ across, size }) => across.count * size.width;
const heightOf = ({ down, size }) => down.count * size.height;

/** A model in which two heads share keys and values. */
const shared = gf.model({
  kind: 'gpt',
  vocab: 12,
  dModel: 16,
  heads: 4,
  kvHeads: 2,
  layers: 1,
  dFF: 24,
  maxLength: 8,
  seed: 2,
});
const traces = [
  ...['three-tokens', 'two-heads', 'masked', 'eight-heads'].map((name) => traceExample(gf, name)),
  traceModel(shared, { target: [1, 2, 3] }),
].map((trace) => (trace.mismatches ? trace : Object.assign(trace, { mismatches: [] })));
const stages = traces.flatMap((trace) =>
  timeline(trace.steps).stages.map(({ name }) => ({ trace, name })),
);
const rooms = fc.record({
  width: fc.integer({ min: 340, max: 1600 }),
  height: fc.integer({ min: 300, max: 1000 }),
});
const cases = fc.record({ at: fc.nat(stages.length - 1), room: rooms, narrow: fc.boolean() });
const arranged = ({ at, room, narrow }) => {
  const { trace, name } = stages[at];
  return arrange(sheetOf(trace, name, { room, narrow }));
};

describe('in any room, of any step', () => {
  test('each matrix shows a part of what it has, with a label for each place or none', () => {
    fc.assert(
      fc.property(cases, (given) => {
        for (const panel of panelsOf(arranged(given))) {
          const { step, head, part, down, across, transposed } = panel;
          const all = matrices(step.shape, step.kind === 'ids');
          assert.ok(head >= 0 && head < all.count, `${step.name}: head ${head} of ${all.count}`);
          for (const axis of ['rows', 'columns']) {
            const { from, count } = part[axis];
            assert.ok(from >= 0 && count > 0 && from + count <= all[axis], `${step.name} ${axis}`);
          }
          assert.deepEqual(
            [down, across],
            transposed ? [part.columns, part.rows] : [part.rows, part.columns],
          );
          const { rowLabels, columnLabels } = panel;
          if (rowLabels) assert.equal(rowLabels.length, down.count);
          if (columnLabels) assert.equal(columnLabels.length, across.count);
        }
      }),
    );
  });

  test('a product crosses: rows stand beside rows, columns below columns, and all is in the room', () => {
    fc.assert(
      fc.property(cases, ({ at, room }) => {
        const { kind, left, above, result, bias, side, gutter } = arranged({
          at,
          room,
          narrow: false,
        });
        fc.pre(kind === 'crossing');
        assert.deepEqual(result.down, left.down);
        assert.deepEqual(result.across, above.across);
        assert.deepEqual(left.across, above.down, 'what is multiplied with what');
        assert.equal(result.size.height, left.size.height);
        assert.equal(result.size.width, above.size.width);
        if (bias)
          assert.deepEqual([bias.across, bias.size.width], [result.across, result.size.width]);
        /* Above the left operand stand its name and what removes the step. */
        const leftWidth = Math.max(widthOf(left), 100);
        assert.ok(side + leftWidth + gutter + widthOf(result) <= room.width);
        assert.ok(heightOf(above) + heightOf(result) <= room.height);
      }),
    );
  });

  test('on a narrow screen a product crosses where all its numbers can be read', () => {
    const seen = { crossing: 0, stacked: 0 };
    fc.assert(
      fc.property(
        fc.record({ at: fc.nat(stages.length - 1), width: fc.integer({ min: 280, max: 519 }) }),
        ({ at, width }) => {
          const room = { width, height: 560 };
          const { kind, left, above, result, side, gutter } = arranged({ at, room, narrow: true });
          fc.pre(kind !== 'flow');
          seen[kind]++;
          if (kind === 'stacked') return assert.equal(left.down.count, 1);
          assert.ok(side + widthOf(left) + gutter + widthOf(result) <= width);
          assert.ok(heightOf(above) + heightOf(result) <= 430, 'within one screen');
          for (const { step, part, size } of [left, above, result]) {
            const { rows, columns } = matrices(step.shape);
            assert.deepEqual([part.rows.count, part.columns.count], [rows, columns], step.name);
            const isWhole = step.data.every(Number.isInteger);
            assert.ok(size.width >= (isWhole ? 32 : 42), `${step.name}: ${size.width} px`);
          }
        },
      ),
      { numRuns: 500 },
    );
    assert.ok(seen.crossing > 0 && seen.stacked > 0, JSON.stringify(seen));
  });

  test('what is compared with the intact run has its numbers where the room can be divided for that', () => {
    const trace = traceExample(gf, 'two-heads');
    const sheet = sheetOf(trace, 'output', { room: { width: 900, height: 650 } });
    const step = trace.step('output');
    const rooms = fork(sheet, step, 64);
    const { result } = arrange({ ...sheet, room: rooms.page });
    const beside = alone({ ...sheet, room: rooms.intact }, step, rooms.page).result;
    assert.notEqual(result.size.mode, 'colours');
    assert.deepEqual(beside.size, result.size);
  });

  test('an intact run with fewer columns shows its own', () => {
    const sheet = sheetOf(
      traceExample(gf, 'i-love-robotics', { remove: ['projections'] }),
      'output',
    );
    const step = traceExample(gf, 'i-love-robotics').step('output');
    assert.deepEqual(
      [sheet.view.stage.shape, step.shape],
      [
        [3, 4],
        [3, 3],
      ],
    );
    const rooms = fork(sheet, step, 64);
    const { down, across, columnLabels } = alone(
      { ...sheet, room: rooms.intact },
      step,
      rooms.page,
    ).result;
    assert.deepEqual(
      [down, across],
      [
        { from: 0, count: 3 },
        { from: 0, count: 3 },
      ],
    );
    assert.equal(columnLabels.length, 3);
    const { line } = sheet.view;
    const moment = line.moments.find(
      ({ stage, cell, term, terms }) =>
        line.stages[stage].name === 'output' && cell === 7 && term === terms - 1,
    );
    /* Two rows of four are known: so are two of three. */
    assert.deepEqual(
      [computedCount(line, moment, sheet.view.stage), computedCount(line, moment, step)],
      [8, 6],
    );
    assert.equal(computedCount(line, line.moments.at(-1), step), 9);
  });

  test('a row that scores words names the token that is read and the one that is predicted', () => {
    const sheet = sheetOf(traces.at(-1), 'logits');
    const known = () => ({
      tokens: [],
      sides: { target: ['a', 'b', 'c'] },
      predicted: ['b', 'c', 'd'],
    });
    const { left, ...arranged } = arrange({ ...sheet, known });
    const { rowLabels } = left ?? arranged.operands[0].panels[0];
    assert.deepEqual(rowLabels, ['a', 'b', 'c']);
    const narrow = arrange({ ...sheet, known, narrow: true });
    assert.deepEqual(narrow.result.rowLabels, ['a → b', 'b → c', 'c → d']);
  });

  test('weights name the tokens whose values they scale, also as the left operand', () => {
    const trace = traceExample(gf, 'three-tokens');
    for (const narrow of [false, true]) {
      const room = { width: 900, height: 700 };
      const { left } = arrange(sheetOf(trace, 'output', { room, narrow }));
      assert.equal(left.step.name, 'weights');
      assert.equal(left.columnLabels?.length, 3);
      const { left: rows } = arrange(sheetOf(trace, 'q', { room, narrow }));
      assert.equal(rows.columnLabels, null, 'channels have no names');
    }
    trace.dispose();
  });

  test('a flow has one size of cells, and is in the room that it has', () => {
    fc.assert(
      fc.property(cases, ({ at, room }) => {
        const { kind, down, side, operands, result } = arranged({ at, room, narrow: false });
        fc.pre(kind === 'flow');
        const groups = [...operands, result].map(({ panels }) => panels);
        const wide = groups.map((panels) => panels.reduce((sum, one) => sum + widthOf(one), 0));
        const width = down ? Math.max(...wide) : wide.reduce((a, b) => a + b, 0);
        assert.ok(side + width <= room.width, `${side} + ${width} of ${room.width}`);
        const numbers = groups.flat().filter(({ step }) => step.kind !== 'ids');
        assert.equal(new Set(numbers.map(({ size }) => JSON.stringify(size))).size, 1);
      }),
    );
  });
});

test('a few ids are written, however small the room', () => {
  const trace = traces.at(-1);
  const { name } = trace.steps.find(({ op }) => op === 'embed');
  fc.assert(
    fc.property(rooms, fc.boolean(), (room, narrow) => {
      const ids = panelsOf(arrange(sheetOf(trace, name, { room, narrow }))).find(
        ({ step }) => step.kind === 'ids',
      );
      assert.notEqual(ids.size.mode, 'colours');
    }),
  );
});

test('heads that share keys and values stand beside what they share', () => {
  const trace = traces.at(-1);
  const scores = trace.steps.find(({ role, op }) => role === 'score' && op === 'matmul');
  const sheet = sheetOf(trace, scores.name);
  const of = (head) => {
    const { left, above, result } = arrange({ ...sheet, view: { ...sheet.view, head } });
    return [left.head, above.head, result.head];
  };
  const kept = matrices(trace.step(scores.inputs[1]).shape).count;
  assert.deepEqual(
    [0, 1, 2, 3].map((head) => of(head)),
    [0, 1, 2, 3].map((head) => [head, Math.floor((head * kept) / 4), head]),
  );
});

test('without its operands a step stands alone', () => {
  const [trace] = traces;
  const sheet = sheetOf(trace, 'scores');
  const { kind, result } = alone(sheet, trace.step('scores'), sheet.room);
  assert.equal(kind, 'alone');
  assert.deepEqual(result.rowLabels, labels('token', 3, { tokens: ['the', 'cat', 'sat'] }));
  assert.equal(result.name, 'below');
});

test('matrices below each other with labels of their own keep their numbers in half a tablet', () => {
  const trace = Object.assign(traceProblem(gf, exercise(gf, 'cross-entropy', { seed: 1 })), {
    mismatches: [],
  });
  const { down, result } = arrange(sheetOf(trace, 'losses', { room: { width: 411, height: 536 } }));
  assert.ok(down);
  assert.notEqual(result.panels[0].size.mode, 'colours');
});
