// Who keeps whose memory: what reaches into it keeps its owner alive, or is refused, or is cut off. Never does
// anything show, or write, the numbers of another owner.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { inspect, load, traceModel, train } from '../../bindings/index.js';
import { backwardInSlices } from '../../bindings/js/model/slices.js';
import { waits } from '../support/sample.js';
import { families, refusedAs, state } from './model/small.js';

const bindings = new URL('../../bindings/index.js', import.meta.url);
const gf = await load();

/** Runs a program in a process whose garbage is collected on demand; gives what it prints, as JSON. */
function child(code) {
  const program = `
    import { inspect, load, traceModel, train } from '${bindings}';
    const gf = await load();
    const options = ${JSON.stringify(families.transformer)};
    const batch = { source: [3, 4, 5], target: [1, 3, 4], labels: [3, 4, 2] };
    /* Lets the collector, and what runs behind it, come to their end. */
    const collect = async () => {
      for (let turn = 0; turn < 8; turn++) {
        gc();
        await new Promise(setImmediate);
      }
    };
    /* Takes whatever memory is free, and fills it with other numbers. */
    const others = [];
    const crowd = () => {
      for (let seed = 50; seed < 60; seed++) {
        const model = gf.model({ ...options, seed });
        others.push(model, model.forward(batch));
        others.at(-1).backward();
        const tape = gf.tape();
        const x = tape.input('x', [40 * seed]);
        tape.plan();
        x.set(new Float32Array(x.size).fill(-7));
        others.push(tape);
      }
    };
    const states = () => JSON.stringify(others.filter((other) => 'save' in other).map((model) => [
      ...model.parameters.values()].map(({ data, grad }) => [...data, ...grad])));
    const told = await (async () => { ${code} })();
    console.log(JSON.stringify(told));`;
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('under the garbage collector', () => {
  test('a tape keeps the model that it belongs to', () => {
    const told = child(`
      const forget = () => {
        const run = gf.model({ ...options, seed: 1 }).forward(batch);
        run.backward();
        const grad = run.tensor('decoder.layers.0.linear1.weight').grad;
        return { tape: run.tape, loss: run.loss, grad: [...grad] };
      };
      const { tape, loss, grad } = forget();
      await collect();
      crowd();
      const before = states();
      tape.forward();
      tape.backward('loss');
      return {
        loss: tape.find('loss').data[0] === loss,
        grad: [...tape.find('decoder.layers.0.linear1.weight').grad].join() === grad.join(),
        others: states() === before,
      };`);
    assert.deepEqual(told, { loss: true, grad: true, others: true });
  });

  test('so does a tensor, a parameter, the map of them, a trace, an inspection, a loop that waits', () => {
    const told = child(`
      const sum = (data) => data.reduce((a, b) => a + b, 0);
      const name = 'decoder.layers.0.linear1.weight';
      const make = () => gf.model({ ...options, seed: 1 });
      const steps = function* () { for (;;) yield batch; };
      const holders = {
        tensor: () => {
          const tensor = make().forward(batch).tensor(name);
          return () => { tensor.tape.forward(); return sum(tensor.tape.find('logits').data) + sum(tensor.data); };
        },
        parameter: () => {
          const parameter = make().parameters.get(name);
          return () => sum(parameter.data);
        },
        map: () => {
          const { parameters } = make();
          return () => sum(parameters.get(name).data);
        },
        trace: () => {
          const trace = traceModel(make(), { source: [3, 4], target: [1, 3] });
          return () => {
            trace.edit('source', [0], 3);
            trace.gradient('logits', [1, 2]);
            return sum(trace.step('logits').data) + sum(trace.step(name).data) + sum(trace.step(name).grad);
          };
        },
        inspection: () => {
          const inspection = inspect(make(), [batch]);
          return () => inspection.update(name, [1, 2]).next;
        },
        training: () => {
          const loop = train(make(), steps());
          return async () => (await loop.next()).value.loss;
        },
        generation: () => {
          const loop = make().generate([3, 4, 5]);
          return async () => (await loop.next()).value;
        },
      };
      const wrong = [];
      for (const [name, hold] of Object.entries(holders)) {
        const expected = await hold()();
        const ask = hold();
        await collect();
        crowd();
        if ((await ask()) !== expected) wrong.push(name);
      }
      return wrong;`);
    assert.deepEqual(told, []);
  });

  test('a training or generation that was left waiting gives all back, also after its model was disposed of', (t) => {
    if (waits(t)) return;
    const told = child(`
      const steps = function* () { for (;;) yield batch; };
      const model = gf.model(options);
      const size = () => [...model.parameters.values()][0].data.buffer.byteLength;
      const leave = async (made) => {
        await train(made, steps()).next();
        await made.generate([3, 4, 5], { stopTokens: [] }).next();
        const gone = gf.model(options);
        await train(gone, steps()).next();
        const writing = gone.generate([3, 4, 5], { stopTokens: [] });
        await writing.next();
        gone.dispose();
      };
      const sizes = [];
      for (let round = 0; round < 40; round++) {
        await leave(model);
        await collect();
        sizes.push(size());
      }
      crowd();
      const before = states();
      const { loss } = (await train(model, [batch]).next()).value;
      await collect();
      /* The collector may be a few rounds late. */
      return { bounded: sizes.at(-1) <= 2 * sizes[4], others: states() === before, finite: Number.isFinite(loss) };`);
    assert.deepEqual(told, { bounded: true, others: true, finite: true });
  });

  test('a view, or a part of one, shows its own numbers until it is cut off, never others', (t) => {
    if (waits(t)) return;
    const told = child(`
      const looks = {
        logits: () => gf.model(options).forward(batch).logits.data,
        part: () => gf.model(options).forward(batch).logits.data.subarray(5, 30),
        gradient: () => {
          const run = gf.model(options).forward(batch);
          run.backward();
          return run.tensor('decoder.layers.0.linear1').grad;
        },
        parameter: () => gf.model(options).parameters.get('decoder.layers.0.linear1.weight').data,
        tape: () => {
          const tape = gf.tape();
          const x = tape.input('x', [7]);
          tape.plan();
          x.set([1, 2, 3, 4, 5, 6, 7]);
          return x.data;
        },
      };
      const wrong = [];
      for (const [name, look] of Object.entries(looks)) {
        const view = look();
        const expected = [...view].join();
        await collect();
        if ([...view].join() !== expected) wrong.push(name + ' at once');
        for (let seed = 90; seed < 110; seed++) {
          others.push(gf.model({ ...options, seed }));
          others.push(others.at(-1).forward(batch));
          others.at(-1).backward();
          if (view.length && [...view].join() !== expected) wrong.push(name);
        }
        const before = states();
        for (let i = 0; i < view.length; i++) view[i] = 9;
        if (states() !== before) wrong.push(name + ' writes');
      }
      return wrong;`);
    assert.deepEqual(told, []);
  });
});

const batch = { source: [3, 4, 5], target: [1, 3, 4], labels: [3, 4, 2] };
const weight = 'decoder.layers.0.linear1.weight';

/** All that reaches into a model's memory, by what is called on it. */
function reaching(model) {
  const run = model.forward(batch);
  run.backward();
  const { tape } = run;
  const [logits, source, parameter] = [run.logits, tape.find('source'), tape.find(weight)];
  const learned = model.parameters.get(weight);
  const trace = traceModel(model, { source: [3, 4], target: [1, 3] });
  const inspection = inspect(model, [batch]);
  return {
    'run.forward': () => run.forward(),
    'run.backward': () => run.backward(),
    'run.loss': () => run.loss,
    'run.bypass': () => run.bypass('logits', null),
    'run.freeze': () => run.freeze('logits'),
    'tape.forward': () => tape.forward(),
    'tape.backward': () => tape.backward('loss'),
    'tape.zeroGrad': () => tape.zeroGrad(),
    'tape.refresh': () => tape.refresh(),
    'tape.find': () => tape.find('logits'),
    'logits.data': () => logits.data,
    'logits.grad': () => logits.grad,
    'logits.toArray': () => logits.toArray(),
    'logits.frozen': () => logits.frozen,
    'source.set': () => source.set([[3, 4, 5]]),
    'weight.data': () => parameter.data,
    'weight.set': () => parameter.set(new Float32Array(parameter.size)),
    'parameter.data': () => learned.data,
    'parameter.grad': () => learned.grad,
    'trace.edit': () => trace.edit('source', [0], 4),
    'trace.gradient': () => trace.gradient('logits', [0, 0]),
    'trace.nudge': () =>
      trace.nudge({ node: 'encoder.input', index: [0, 0] }, { node: 'logits', index: [0, 0] }, 1),
    'trace.steps': () => trace.step(weight).data,
    'inspection.update': () => inspection.update(weight, [0, 0]),
    'inspection.runs': () => inspection.runs[0].loss,
    'model.forward': () => model.forward(batch),
    'model.save': () => model.save(),
    'model.summary': () => model.summary(),
  };
}

describe('after dispose', () => {
  const model = gf.model(families.transformer);
  const calls = reaching(model);
  model.dispose();
  /* Other owners take the memory that became free. */
  const others = [1, 2, 3].map((seed) => gf.model({ ...families.transformer, seed }));
  const before = others.map(state).join();
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} is refused`, () => {
      /* On a model that is there it works. */
      reaching(gf.model(families.transformer))[name]();
      assert.throws(call, refusedAs('GF_EDISPOSED', /^the model is disposed of$/));
      assert.equal(others.map(state).join(), before);
    });
  }

  test('a loop over a training or a generation ends with that error', async () => {
    const made = gf.model(families.transformer);
    const forever = (function* () {
      for (;;) yield batch;
    })();
    const loops = [train(made, forever), made.generate([3, 4, 5])];
    await loops[0].next();
    loops[1] = made.generate([3, 4, 5], { stopTokens: [] });
    await loops[1].next();
    made.dispose();
    for (const loop of loops) {
      await assert.rejects(loop.next(), refusedAs('GF_EDISPOSED', /^the model is disposed of$/));
    }
  });

  test('a run whose model is gone can still be given back, once or twice', () => {
    const made = gf.model(families.transformer);
    const run = made.forward(batch);
    const inspection = inspect(made, [batch]);
    const trace = traceModel(made, { source: [3, 4], target: [1, 3] });
    made.dispose();
    for (const owner of [run, inspection, trace, made, run, inspection, trace, made]) {
      owner.dispose();
    }
    assert.throws(() => run.forward(), refusedAs('GF_EDISPOSED', /^the tape is disposed of$/));
  });

  test('a view that was kept shows its own numbers until it is cut off, and writes to nobody', () => {
    const made = gf.model(families.transformer);
    const run = made.forward(batch);
    const logits = run.logits.data;
    const part = logits.subarray(3, 9);
    const values = made.parameters.get(weight).data;
    const expected = [logits, part, values].map((view) => view.slice());
    run.dispose();
    made.dispose();
    for (let seed = 0; seed < 40; seed++) {
      const other = gf.model({ ...families.transformer, seed });
      const saved = state(other);
      for (const [i, view] of [logits, part, values].entries()) {
        if (view.length) assert.deepEqual(view, expected[i]);
        for (let at = 0; at < 9; at++) view[at] = expected[i][at] + 1;
        assert.equal(state(other), saved);
        for (let at = 0; at < 9; at++) view[at] = expected[i][at];
      }
      other.forward(batch);
    }
    const large = gf.tape();
    large.input('x', [2 ** 22]);
    large.plan();
    assert.deepEqual([logits.length, part.length, values.length], [0, 0, 0]);
  });
});

test('what disposes of a tape while it is written to writes nowhere', () => {
  const tape = gf.tape();
  const x = tape.input('x', [4]);
  tape.plan();
  let other;
  const sly = {
    get data() {
      tape.dispose();
      other = gf.tape();
      other.input('y', [4]);
      other.plan();
      return [1, 2, 3, 4];
    },
  };
  assert.throws(() => x.set(sly), refusedAs('GF_EDISPOSED', /^the tape is disposed of$/));
  assert.deepEqual(other.find('y').toArray(), [0, 0, 0, 0]);
});

test('a backward that is refused leaves the gradients of the parameters alone', () => {
  const model = gf.model(families.transformer);
  const run = model.forward(batch);
  run.backward();
  const { size } = model.parameters.get(weight);
  const before = model.parameters.get(weight).grad.slice();
  assert.equal(before.length, size);
  assert.ok(before.some((value) => value !== 0));
  for (const call of [
    () => run.backward('los'),
    () => run.backward('logits'),
    () => run.backward('logits', [1]),
    () => run.backward('source'),
  ]) {
    assert.throws(call);
    assert.deepEqual(model.parameters.get(weight).grad, before);
  }
  run.dispose();
  assert.throws(() => run.backward(), refusedAs('GF_EDISPOSED', /tape/));
  assert.deepEqual(model.parameters.get(weight).grad, before);
});

test('the tape of a run clears the gradients of the parameters, too; accumulation adds to them', () => {
  const model = gf.model(families.transformer);
  const run = model.forward(batch);
  const other = model.forward({ source: [6, 7], target: [1, 6], labels: [6, 7] });
  const gradient = () => model.parameters.get(weight).grad.slice();
  run.tape.backward('loss');
  const first = gradient();
  run.tape.backward('loss');
  assert.deepEqual(gradient(), first);
  other.tape.backward('loss');
  const second = gradient();
  for (const _ of backwardInSlices(run.tape, 'loss', new Float32Array([1])));
  /* Two float32 in another order of rounding. */
  gradient().forEach((value, i) => {
    assert.ok(Math.abs(value - first[i] - second[i]) <= 1e-6 * (1 + Math.abs(value)));
  });
  const still = model.forward({ ...batch, gradients: false });
  still.backward('loss');
  still.tape.backward('loss');
  assert.notDeepEqual(gradient(), new Float32Array(first.length));
});

test('an inspection tells nothing once the model has other gradients', async () => {
  const model = gf.model(families.transformer);
  const changes = {
    'a run backward': () => model.forward(batch).backward(),
    'another inspection': () => inspect(model, [batch]),
    'a step of training': () => train(model, [batch]).next(),
    'its own run': (inspection) => inspection.runs[0].backward(),
  };
  for (const change of Object.values(changes)) {
    const inspection = inspect(model, [batch]);
    inspection.update(weight, [0, 0]);
    await change(inspection);
    assert.throws(
      () => inspection.update(weight, [0, 0]),
      refusedAs('GF_ESTATE', /inspect\(\) again/),
    );
  }
});

test('whatever is made, run, trained, dropped and collected, each has its own numbers', () => {
  const told = child(`
    /* Repeatable chance. */
    let state = 12345;
    const dice = (n) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % n;
    const same = (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
    const models = [];
    const tapes = [];
    const views = [];
    const wrong = [];
    /* A shadow of each: what it must show, as plain arrays. */
    const shadow = (model) => [...model.parameters.values()].map(({ data }) => [...data]);
    const check = () => {
      for (const { model, values, gone } of models) {
        if (gone) continue;
        const now = shadow(model);
        if (!now.every((one, i) => same(one, values[i]))) wrong.push('parameters');
      }
      for (const { tape, loss, owner } of tapes) {
        if (owner.gone) {
          try {
            tape.forward();
            wrong.push('a tape of a model that is gone');
          } catch (error) {
            if (error.code !== 'GF_EDISPOSED') wrong.push(error.message);
          }
          continue;
        }
        tape.forward();
        const now = tape.find('loss').data[0];
        if (owner.trained === loss.trained && now !== loss.value) wrong.push('a loss');
      }
      for (const { view, numbers } of views) {
        if (view.length && !same([...view], numbers)) wrong.push('a view');
      }
    };
    for (let round = 0; round < 250; round++) {
      const entry = models[dice(models.length || 1)];
      switch (dice(8)) {
        case 0: case 1: {
          const model = gf.model({ ...options, layers: 1, seed: round });
          models.push({ model, values: shadow(model), gone: false, trained: 0 });
          break;
        }
        case 2: case 3:
          if (entry && !entry.gone) {
            const { tape, loss } = entry.model.forward(batch);
            tapes.push({ tape, owner: entry, loss: { value: loss, trained: entry.trained } });
            /* Of this run nothing is kept but a view. */
            const forgotten = entry.model.forward({ ...batch, gradients: false });
            const view = forgotten.tensor('decoder.layers.0.linear1').data.subarray(2);
            views.push({ view, numbers: [...view] });
          }
          break;
        case 4:
          if (entry && !entry.gone) {
            for await (const _ of train(entry.model, [batch])) entry.trained += 1;
            entry.values = shadow(entry.model);
          }
          break;
        case 5:
          if (entry && dice(2)) {
            entry.model.dispose();
            entry.gone = true;
          }
          break;
        case 6:
          /* Dropped, but for the tapes that it has. */
          models.splice(dice(models.length || 1), 1);
          break;
        default:
          tapes.splice(dice(tapes.length || 1), dice(3))[0]?.tape.dispose();
          if (dice(3) === 0) await collect();
      }
      check();
    }
    return { wrong, made: tapes.length + models.length > 0 };`);
  assert.deepEqual(told, { wrong: [], made: true });
});

test('where nobody tells that a thing is gone, as in older Cloudflare Workers, the package works', () => {
  const program = `
    delete globalThis.FinalizationRegistry;
    const { load, train } = await import('${bindings}');
    const { load: loadThreads } = await import('${new URL('../../bindings/models/threads/node/index.js', import.meta.url)}');
    const answers = [];
    for (const gf of [await load(), await loadThreads({ threads: 2 })]) {
      const model = gf.model(${JSON.stringify(families.gpt)});
      const batch = { target: [3, 4, 2], labels: [4, 2, 1] };
      for await (const { step } of train(model, [batch])) answers.push(step);
      const run = model.forward(batch);
      answers.push(run.logits.data.every(Number.isFinite), gf.softmax([0, 0]));
      run.dispose();
      model.dispose();
      gf.dispose?.();
    }
    console.log(JSON.stringify(answers));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], {
    input: program,
    encoding: 'utf8',
  });
  assert.equal(stdout, '[1,true,[0.5,0.5],1,true,[0.5,0.5]]\n', stderr);
});
