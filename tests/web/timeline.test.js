import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { load, traceExample } from '../../bindings/index.js';
import { examples, Session } from '../../web/app/session.js';
import {
  advance,
  cellOf,
  clockAt,
  computedCount,
  doneAt,
  flightAt,
  flightsOf,
  LEVELS,
  momentOf,
  stepTime,
  timeAt,
  timeline,
  turnTime,
} from '../../web/app/state/timeline.js';

describe('timeline', () => {
  /** @type {Map<string, import('../../web/app/state/timeline.js').Timeline>} */
  const lines = new Map();
  before(async () => {
    const gf = await load();
    for (const name of Object.keys(examples)) {
      const trace = traceExample(gf, name);
      lines.set(name, timeline(trace.steps));
      trace.dispose();
    }
  });
  const anyTime = fc.tuple(
    fc.constantFrom(...Object.keys(examples)),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const at = ([name, part]) => {
    const line = lines.get(name);
    return { line, t: part * (line.moments.length - 1) };
  };

  test('moments follow each other without a gap', () => {
    for (const { moments, duration } of lines.values()) {
      let clock = 0;
      for (const [at, moment] of moments.entries()) {
        assert.equal(moment.start, clock);
        assert.ok(at === 0 ? moment.duration === 0 : moment.duration > 0);
        clock += moment.duration;
      }
      assert.equal(clock, duration);
    }
  });

  test('a class stops at first numbers and at complete rows; the last stop of a step has its whole matrix', () => {
    for (const [name, line] of lines) {
      const end = line.moments.length - 1;
      const stops = [0];
      while (stops.at(-1) < end) stops.push(turnTime(line, stops.at(-1), 1));
      line.stages.forEach((step, stage) => {
        const here = stops.map((t) => line.moments[t]).filter((moment) => moment.stage === stage);
        assert.equal(here[0].cell, -1, `${name} ${step.name}`);
        if (step.kind !== 'op') return;
        assert.equal(computedCount(line, here.at(-1), step), step.data.length, step.name);
        for (const moment of here.slice(1)) {
          const count = computedCount(line, moment, step);
          assert.ok(count === 1 || count % step.shape.at(-1) === 0, `${step.name}: ${count}`);
        }
      });
      const back = [end];
      while (back.at(-1) > 0) back.push(turnTime(line, back.at(-1), -1));
      assert.deepEqual(back.reverse(), stops);
    }
    /* A clicker turns a worked example in about the time of a talk. */
    const few = lines.get('i-love-robotics');
    let [t, turns] = [0, 0];
    for (; t < few.moments.length - 1; turns++) t = turnTime(few, t, 1);
    assert.ok(turns < 45, `${turns}`);
  });

  test('at its end every stage knows all its cells, and before its start none', () => {
    for (const line of lines.values()) {
      line.stages.forEach((step, stage) => {
        const end = (line.first[stage + 1] ?? line.moments.length) - 1;
        assert.equal(computedCount(line, line.moments[end], step), step.data.length, step.name);
        if (step.kind !== 'op') return;
        assert.equal(computedCount(line, line.moments[line.first[stage]], step), 0, step.name);
      });
    }
  });

  test('one, two, many: the first cell by terms, the second alone, the rest within 1.2 s', () => {
    const line = lines.get('i-love-robotics');
    const scores = line.stages.findIndex(({ name }) => name === 'scores');
    const of = (cell) => line.moments.filter((m) => m.stage === scores && m.cell === cell);
    assert.deepEqual(
      of(0).map((m) => m.duration),
      [600, 600, 600],
    );
    assert.deepEqual(
      of(1).map((m) => m.duration),
      [600],
    );
    for (const { moments, stages } of lines.values()) {
      stages.forEach((_, stage) => {
        const rest = moments.filter((m) => m.stage === stage && m.cell > 1);
        const swept = rest.reduce((sum, m) => sum + m.duration, 0);
        assert.ok(stages[stage].kind !== 'op' || swept <= 1200 + 1e-6);
      });
    }
  });

  test('a coarser level tells the same moments in less time: a stage of it in one go', async () => {
    const gf = await load();
    for (const name of Object.keys(examples)) {
      const trace = traceExample(gf, name);
      const of = (level) => timeline(trace.steps, null, undefined, level);
      const told = ({ moments }) => moments.map(({ start, duration, ...moment }) => moment);
      const [stage, ...finer] = LEVELS.map(of);
      for (const line of finer) assert.deepEqual(told(line), told(stage));
      stage.stages.forEach((step, at) => {
        if (step.kind !== 'op') return;
        const own = stage.moments.filter((moment) => moment.stage === at && moment.cell >= 0);
        const swept = own.reduce((sum, { duration }) => sum + duration, 0);
        assert.ok(Math.abs(swept - 1200) < 1e-6, `${step.name}: ${swept}`);
      });
      trace.dispose();
    }
  });

  /** The flights of a step, as [first, last, ms], from the first of its own moments on. */
  const flightsIn = (line, name, pace = 1) => {
    const stage = line.stages.findIndex((step) => step.name === name);
    const begin = line.first[stage] + 1;
    return flightsOf(line, pace)
      .filter(({ first }) => line.moments[first].stage === stage && first >= begin)
      .map(({ first, last, duration }) => [first - begin, last - begin, Math.round(duration)]);
  };

  test('what is too short to be watched is told in one go, by rows', () => {
    /* 3 x 3 scores: three terms, the second cell, then the rest within 1.2 s. */
    assert.deepEqual(flightsIn(lines.get('i-love-robotics'), 'scores'), [
      [0, 0, 600],
      [1, 1, 600],
      [2, 2, 600],
      [3, 3, 600],
      [4, 4, 171],
      [5, 7, 514],
      [8, 10, 514],
    ]);
  });

  test('at the level of stages a matrix is told at once, at that of rows a row', async () => {
    const gf = await load();
    const trace = traceExample(gf, 'i-love-robotics');
    const of = (level) => flightsIn(timeline(trace.steps, null, undefined, level), 'scores');
    assert.deepEqual(of('stage'), [[0, 10, 1200]]);
    assert.deepEqual(of('row'), [
      [0, 4, 600],
      [5, 7, 600],
      [8, 10, 600],
    ]);
    assert.deepEqual(of('cell').slice(0, 2), [
      [0, 2, 300],
      [3, 3, 300],
    ]);
    trace.dispose();
  });

  test('flights follow each other without a gap, none across two stages, at any pace', () => {
    for (const line of lines.values()) {
      for (const pace of [0.5, 1, 7, 200]) {
        let at = 0;
        for (const { first, last, start, duration } of flightsOf(line, pace)) {
          assert.equal(first, at);
          assert.equal(line.moments[first].stage, line.moments[last].stage);
          assert.equal(start, line.moments[first].start);
          const own = line.moments.slice(first, last + 1);
          const sum = own.reduce((all, moment) => all + moment.duration, 0);
          assert.ok(Math.abs(duration - sum) < 1e-6);
          at = last + 1;
        }
        assert.equal(at, line.moments.length);
      }
    }
  });

  test('between two moments what is told goes on evenly, at one nothing does', () => {
    fc.assert(
      fc.property(anyTime, (place) => {
        const { line, t } = at(place);
        const { first, last, start, duration, progress } = flightAt(line, t, 1);
        if (Number.isInteger(t)) return first === t && last === t && progress === 1;
        return (
          first <= Math.ceil(t) &&
          last >= Math.ceil(t) &&
          Math.abs(start + progress * duration - clockAt(line, t)) < 1e-6
        );
      }),
    );
  });

  test('numbers on their way are not known yet, and all before them are', () => {
    const line = lines.get('i-love-robotics');
    const stage = line.stages.findIndex(({ name }) => name === 'scores');
    const begun = line.moments[line.first[stage] + 1 + 5];
    const moment = line.moments[line.first[stage] + 1 + 7];
    assert.equal(computedCount(line, moment, line.stages[stage], begun), 3);
    assert.equal(computedCount(line, moment, line.stages[stage]), 6);
  });

  test('an opened cell is told term by term too', async () => {
    const gf = await load();
    const trace = traceExample(gf, 'i-love-robotics');
    const cell = { node: 'scores', index: [1, 0] };
    const line = timeline(trace.steps, cell);
    const begin = momentOf(line, cell);
    assert.equal(line.moments[begin].terms, 3);
    assert.equal(doneAt(line, cell), begin + 2);
    assert.deepEqual(cellOf(line, line.moments[begin + 2]), cell);
    trace.dispose();
  });

  test('time and clock are each other’s inverse', () => {
    fc.assert(
      fc.property(anyTime, (place) => {
        const { line, t } = at(place);
        return Math.abs(timeAt(line, clockAt(line, t)) - t) < 1e-6;
      }),
    );
  });

  test('playing on in two parts is playing on at once', () => {
    fc.assert(
      fc.property(anyTime, fc.nat(3000), fc.nat(3000), (place, a, b) => {
        const { line, t } = at(place);
        return Math.abs(advance(line, advance(line, t, a), b) - advance(line, t, a + b)) < 1e-6;
      }),
    );
  });

  test('a step back undoes a step forward at every level', () => {
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...LEVELS), (place, level) => {
        const { line, t } = at(place);
        const here = stepTime(line, t, -1, level);
        const there = stepTime(line, here, 1, level);
        return there === line.moments.length - 1 || stepTime(line, there, -1, level) === here;
      }),
    );
  });

  test('a coarser step never stops where a finer one does not', () => {
    fc.assert(
      fc.property(anyTime, (place) => {
        const { line, t } = at(place);
        const next = LEVELS.map((level) => stepTime(line, t, 1, level));
        return next.every((stop, i) => i === 0 || stop <= next[i - 1]);
      }),
    );
  });
});

test('the run before the edits is computed once while the edits alone change', async () => {
  const session = new Session(await load());
  const state = { example: 'three-tokens', sentence: null, remove: [] };
  const run = (more) => session.run(session.exampleOf(state), { ...state, ...more });
  const [one, two] = [1, 2].map((value) => run({ edits: [{ node: 'x', index: [0, 0], value }] }));
  assert.equal(two.before, one.before);
  assert.deepEqual(two.before.step('output').data, run({ edits: [] }).trace.step('output').data);
  const other = run({ edits: [{ node: 'x', index: [0, 0], value: 2 }], remove: ['scale'] });
  assert.notEqual(other.before, one.before);
  assert.ok(other.before.steps.some(({ removed }) => removed));
});
