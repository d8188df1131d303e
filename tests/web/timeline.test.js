import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { load, traceExample } from '../../bindings/index.js';
import { examples } from '../../web/session.js';
import {
  advance,
  cellOf,
  clockAt,
  doneAt,
  known,
  LEVELS,
  momentOf,
  stepTime,
  timeAt,
  timeline,
} from '../../web/state/timeline.js';

describe('timeline', () => {
  /** @type {Map<string, import('../../web/state/timeline.js').Timeline>} */
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

  test('at its end every stage knows all its cells, and before its start none', () => {
    for (const line of lines.values()) {
      line.stages.forEach((step, stage) => {
        const end = (line.first[stage + 1] ?? line.moments.length) - 1;
        assert.equal(known(line, line.moments[end], step), step.data.length, step.name);
        if (step.kind !== 'op') return;
        assert.equal(known(line, line.moments[line.first[stage]], step), 0, step.name);
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
