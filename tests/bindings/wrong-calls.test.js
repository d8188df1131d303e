// Every function of the API is called wrongly in every argument: a documented error that shows the value, no
// trap, nothing changed, and the next good call is right. The table tells what is good, and is complete: what
// is exported without a row fails.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as root from '../../bindings/index.js';
import * as inside from '../../bindings/lab/inside/index.js';
import * as pocket from '../../bindings/lab/pocket/index.js';
import * as stories from '../../bindings/lab/stories/index.js';
import * as tasks from '../../bindings/lab/tasks/index.js';
import * as lora from '../../bindings/models/lora/index.js';
import * as texts from '../../bindings/models/text/index.js';
import { load } from '../../bindings/models.js';
import { full, sample, tries } from '../support/sample.js';
import { TINY } from './calls/model.js';
import { tableOf } from './calls/table.js';
import { check, text } from './calls/wrong.js';

const gf = await load();
const { traceExample } = root;
let calls = 0;

/** Models and tapes that no wrong call is about. */
const model = gf.model(TINY);
const run = model.forward({ source: [3, 4], target: [1, 3], labels: [3, 2] });
run.backward();
const bystander = () =>
  text([
    run.tape.nodes.map(({ data, grad, bypassed, frozen }) => [data, grad, bypassed, frozen]),
    [...model.parameters.values()].map(({ data, grad, m, v }) => [data, grad, m, v]),
    model.step,
  ]);

const table = await tableOf(gf);

for (const [group, rows] of Object.entries(table)) {
  test(group, async (t) => {
    for (const row of sample(rows, tries(Math.ceil(rows.length / 2)))) {
      await t.test(row.name, async () => {
        calls += await check(row, bystander);
      });
    }
  });
}

/** What gives memory back is called once for each call above, and twice for each on what is disposed of. */
const DISPOSAL = ['dispose', 'constructor'];
/** What the classes have for each other. */
const INTERNAL = {
  tape: ['build', 'push', 'pair', 'check', 'refuse', 'operand', 'optional', 'pick', 'nodes'],
  tensor: [],
  trace: ['carrying', 'compute', 'computing', 'deriving', 'editing', 'forwarding', 'snapshot'],
  modelTrace: [
    'carrying',
    'compute',
    'computing',
    'deriving',
    'editing',
    'forwarding',
    'snapshot',
    'running',
  ],
  parameter: ['block'],
};

/** The public members of an object and its prototypes.
 * @param {any} object */
function members(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    if (at === object) continue;
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return names;
}

test('everything has its row', () => {
  const inspection = root.inspect(model, [{ source: [3, 4], target: [1, 3], labels: [3, 2] }]);
  const trace = root.traceModel(model, { source: [3], target: [1] });
  const example = traceExample(gf, 'three-tokens');
  const objects = {
    trace: example,
    tape: run.tape,
    tensor: run.logits,
    model,
    run,
    parameter: model.parameters.get('embedding.weight'),
    inspection,
    modelTrace: trace,
  };
  for (const [group, object] of Object.entries(objects)) {
    const rows = table[group].map(({ name }) => name);
    const due = [...members(object)].filter(
      (name) => ![...DISPOSAL, ...(INTERNAL[group] ?? [])].includes(name),
    );
    assert.deepEqual(
      due.filter((name) => !rows.includes(name)),
      [],
      group,
    );
  }
  for (const one of [inspection, trace, example]) one.dispose();
  /** Data, classes of which one gets instances, and what files of others are tried on in open.test.js. */
  const others = [
    'openModel',
    'examples',
    'GlassformerError',
    'tasks',
    'END',
    'PAD',
    'SPECIAL',
    'sentenceLevels',
    'START',
    'UNKNOWN',
    'vocabulary',
  ];
  /** @type {[object, string[]][]} */
  const exported = [
    [root, ['functions', 'onModels']],
    [gf, ['eager', 'makers']],
    [tasks, ['tasks']],
    [stories, ['stories']],
    [pocket, ['pocket']],
    [inside, ['inside']],
    [lora, ['lora']],
    [texts, ['text']],
  ];
  for (const [object, groups] of exported) {
    const rows = groups.flatMap((group) => table[group]).map(({ name }) => name);
    const missing = Object.keys(object).filter((name) => ![...rows, ...others].includes(name));
    assert.deepEqual(missing, [], groups.join());
  }
  const ofTasks = table.tasks.map(({ name }) => name);
  for (const object of [tasks.tasks.reverse, new tasks.Vocabulary(tasks.SPECIAL)]) {
    const missing = [...members(object)].filter(
      (name) => ![...ofTasks, 'constructor'].includes(name),
    );
    assert.deepEqual(missing, []);
  }
});

after(() => {
  assert.ok(calls >= (full ? 1500 : tries(700)), `only ${calls} wrong calls`);
  console.log(`${calls} wrong calls`);
});
