// An edit computes what lies downstream of it, and nothing else: counted, and held against runs that compute
// everything.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { examples, load, traceExample, traceModel } from '../../bindings/index.js';
import { Tape } from '../../bindings/js/tape/tape.js';
import { bits, families, model } from './model/small.js';

const gf = await load();

/** The names of the nodes that a piece of work computes, one after the other.
 * @param {() => unknown} work */
function computedBy(work) {
  const { forward } = Tape.prototype;
  /** @type {string[]} */
  const names = [];
  Tape.prototype.forward = function (first, last) {
    const [from, to] = [first, last].map((node, i) => node?.id ?? i * (this.nodes.length - 1));
    names.push(...this.nodes.slice(from, to + 1).map(({ name }) => name));
    return forward.call(this, first, last);
  };
  try {
    work();
  } finally {
    Tape.prototype.forward = forward;
  }
  return names;
}

/** The operands that decide a step's values. */
const readBy = ({ inputs, bypassed, frozen }) =>
  frozen ? [] : bypassed === null ? inputs : [inputs[bypassed]];

/** Everything that is computed from a step, by name; found from the end, as the tape does not do it. */
function dependents(steps, name) {
  const step = (other) => steps.find((one) => one.name === other);
  const depends = (one) =>
    readBy(one).some((input) => input !== null && (input === name || depends(step(input))));
  return steps.filter((one) => one.name !== name && depends(one)).map((one) => one.name);
}

/** Edits a cell, and checks what that computes and what it leaves alone. */
function checkEdit(trace, node, index, value) {
  trace.gradient(trace.steps.at(-1).name, [0, 0, 0, 0].slice(0, trace.steps.at(-1).shape.length));
  const before = [...trace.steps];
  const expected = dependents(before, node);
  assert.deepEqual(
    computedBy(() => trace.edit(node, index, value)),
    expected,
  );
  for (const [i, step] of trace.steps.entries()) {
    const same = step.name !== node && !expected.includes(step.name);
    assert.equal(step === before[i], same, step.name);
    assert.equal(step.grad, null, step.name);
  }
}

describe('an edit of each node of each example', () => {
  for (const [name, { attention }] of Object.entries(examples)) {
    for (const remove of attention ? [[], ['scale'], ['softmax']] : [[]]) {
      test(`${name}${remove.length ? ` without ${remove}` : ''}`, () => {
        const whole = traceExample(gf, name, { remove });
        for (const { name: node, shape, kind, data } of whole.steps) {
          const trace = traceExample(gf, name, { remove });
          const index = shape.map(() => 0);
          const value = kind === 'ids' ? data[0] : 0.625;
          checkEdit(trace, node, index, value);
          const again = traceExample(gf, name, { remove, edits: [{ node, index, value }] });
          assert.deepEqual(trace.steps, again.steps);
          for (const one of [trace, again]) one.dispose();
        }
        whole.dispose();
      });
    }
  }
});

test('what is frozen or removed hands nothing on', () => {
  const trace = traceExample(gf, 'three-tokens');
  checkEdit(trace, 'scores', [0, 0], 3);
  /* The scores keep what was written: q reaches nothing any more. */
  checkEdit(trace, 'q', [0, 0], 2);
  assert.deepEqual(
    computedBy(() => trace.edit('q', [0, 1], 2)),
    [],
  );
  assert.deepEqual(
    computedBy(() => trace.edit(trace.steps.at(-1).name, [0, 0], 2)),
    [],
  );
});

test('a model’s trace: what an edit leaves is what a run of everything leaves', () => {
  const made = Object.fromEntries(
    Object.entries(families).map(([kind, options]) => [kind, model(options, 0.5)]),
  );
  const inputs = { target: [9, 2, 6], labels: [2, 6, 1] };
  const edit = fc.record({
    node: fc.nat(),
    at: fc.nat(),
    value: fc.float({ min: -2, max: 2, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(made)),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (kind, edits, listed) => {
        const given = { ...inputs, ...(kind === 'transformer' && { source: [3, 1, 4, 1, 5] }) };
        const trace = traceModel(made[kind], given);
        const run = made[kind].forward(given);
        const list = edits.map(({ node, at, value }) => {
          const open = trace.steps.filter(
            ({ kind, name }) => kind !== 'parameter' && name !== 'probabilities',
          );
          const step = open[node % open.length];
          const cell = at % step.data.length;
          const index = step.shape.map((d, axis) => {
            const inner = step.shape.slice(axis + 1).reduce((a, b) => a * b, 1);
            return Math.floor(cell / inner) % d;
          });
          const written = step.kind === 'ids' ? run.tensor(step.name).data[cell] || 1 : value;
          return { node: step.name, index, value: written, cell };
        });
        for (const { node, value, cell } of list) {
          const tensor = run.tensor(node);
          if (tensor.kind === 'op') run.freeze(node);
          tensor.data[cell] = value;
          run.forward();
        }
        if (listed) trace.edits(list.map(({ node, index, value }) => ({ node, index, value })));
        else for (const { node, index, value } of list) checkEdit(trace, node, index, value);
        for (const { name, data } of run.tape.nodes) {
          assert.equal(bits(trace.step(name).data), bits(data), name);
        }
        run.dispose();
        trace.dispose();
      },
    ),
    { numRuns: 40 },
  );
});

test('a nudge computes twice what lies between the cell and the target, and leaves every step', () => {
  const trace = traceExample(gf, 'three-tokens');
  const { steps } = trace;
  const before = structuredClone(steps.map(({ data }) => data));
  for (const { name: node, shape, kind } of steps) {
    for (const { name: target, shape: form } of steps.filter((step) => step.kind === 'op')) {
      if (kind === 'ids') continue;
      const cell = { node, index: shape.map(() => 0) };
      const goal = { node: target, index: form.map(() => 0) };
      const path = dependents(steps, node).filter(
        (name) => name === target || dependents(steps, name).includes(target),
      );
      const expected = path.includes(target) ? [...path, ...path] : [];
      assert.deepEqual(
        computedBy(() => trace.nudge(cell, goal, 0.5)),
        expected,
        `${node} ${target}`,
      );
      assert.equal(trace.steps, steps);
    }
  }
  assert.deepEqual(
    steps.map(({ data }) => data),
    before,
  );
});

test('of a list that fails, what it had computed is computed back, and no more', () => {
  const trace = traceExample(gf, 'three-tokens');
  const before = [...trace.steps];
  const values = structuredClone(before.map(({ data }) => data));
  const edits = [
    { node: 'x', index: [0, 0], value: 9 },
    { node: 'scores', index: [0, 0], value: 9 },
    { node: 'scores', index: [0, 9], value: 9 },
  ];
  assert.throws(() => trace.edits(edits), /not a cell/);
  for (const [i, step] of trace.steps.entries()) assert.equal(step, before[i]);
  const expected = dependents(before, 'x');
  assert.deepEqual(
    computedBy(() => trace.edit('x', [0, 0], trace.step('x').data[0])),
    expected,
  );
  assert.deepEqual(
    trace.steps.map(({ data }) => data),
    values,
  );
});
