// The promise of the page: for any example, edits and switches, at any time, in any panel, each number that is
// displayed is the core's. The bindings compute them again here; how a number may be displayed is written here anew.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  examples,
  inspect,
  load,
  readModel,
  sentence,
  traceExample,
  traceModel,
} from '../../bindings/index.js';
import { heldOut } from '../../bindings/lab/tasks/held-out.js';
import { END, START, tasks, testBatch } from '../../bindings/lab/tasks/index.js';
import { openingOf, toHash } from '../../web/app/state/store.js';
import { LEVELS } from '../../web/app/state/timeline.js';
import { OF_CODES, SCHEMES } from '../../web/chapters/positions/state.js';
import { planOf, RANGES, switches } from '../../web/chapters/training/settings.js';
import { VIEWS } from '../../web/chapters/training/state.js';
import { PANELS } from '../../web/chapters/transformer/state.js';
import { blocksOf } from '../../web/stage/draw/blocks.js';
import { DIGITS } from '../../web/stage/draw/format.js';
import { full, sample, waits } from '../support/sample.js';
import { follow, inBrowser, numbers, settled } from './browser.js';
import { displaysPercent, flat } from './expect.js';
import { displays, inFull } from './rounding.js';
import { chapters } from './states.js';
import { at, batchOf, trained, untrained } from './trained.js';

/** States of each chapter, and trainings. */
const [STATES, TRAININGS] = full ? [150, 24] : [24, 4];
const french = tasks['french-english'];

const { open } = inBrowser();
const gf = await load();
const model = gf.open(
  readModel(
    readFileSync(new URL('../../bindings/data/models/french-english.safetensors', import.meta.url)),
  ),
);

// ---- How a number may be displayed ----

test('what may be displayed', () => {
  const third = Math.fround(1 / 3);
  for (const [text, x] of [
    ['0.3', third],
    ['0.333', third],
    ['0.33333334', third],
    ['−1.23×10⁻⁷', Math.fround(-1.2345678e-7)],
    ['12346', Math.fround(12345.678)],
    ['1.00', 1.0004],
    ['0', -0],
    ['4', 4],
    ['−∞', -Infinity],
  ]) {
    assert.ok(displays(text, x), `${text} for ${x}`);
  }
  for (const [text, x] of [
    ['0.333…', third],
    ['0.334', third],
    ['−0.333', third],
    ['-0.333', -third],
    ['0,333', third],
    ['4.00', 4],
    ['0.33e', third],
    ['.33', third],
    ['', 0],
    ['-inf', -Infinity],
  ]) {
    assert.ok(!displays(text, x), `${text} for ${x}`);
  }
  assert.ok(displays('0,333', third, { point: ',', least: 3 }));
  assert.ok(!displays('0.33', third, { least: 3 }) && displays('1234', 1234.4, { least: 5 }));
});

/** Significant digits of what is no cell, by the reader's choice; the text may print fewer. */
const LEAST = { text: 0, all: 9 };

/** Whether a text is a fraction that has a value: a number of the reader's may be one. @param {string} text */
function isFraction(text, value) {
  const [, sign, above, below] = /^(−?)(\d+)\/(\d+)$/.exec(text) ?? [];
  return Object.is(Math.fround((sign ? -above : above) / below), value);
}

/** Without the brackets in which a negative number stands where a sign is before it. */
const bare = (text) => text.replace(/^\((−.*)\)$/, '$1');

/**
 * @param {Awaited<ReturnType<typeof numbers>>} shown
 * @param {Record<string, { step: (name: string) => any }>} runs page, and what is beside it
 * @param {string} told
 * @param {string | number} [round] the reader's choice
 */
function check(shown, runs, told, round = 'text') {
  for (const { node, index, value, run, text, grid, besideText, isPixel } of shown) {
    const { shape, data } = runs[run].step(node);
    assert.equal(index.length, shape.length, `${node}[${index}] of ${shape}: ${told}`);
    assert.ok(index.every((i, axis) => i >= 0 && i < shape[axis]));
    const x = data[flat(shape, index)];
    const at = `${run}: ${node}[${index}] is ${x}, data-value ${value}, shown as "${text}": ${told}`;
    assert.ok(Object.is(Math.fround(Number(value)), x), at);
    // A heat map says which cell it reads.
    const plain = bare(text.replace(/^[\d, ]+: /, ''));
    /* A cell shows as many digits as fit; beside a wrong number of the text there are those of the text. */
    const least = grid || besideText ? 0 : (LEAST[round] ?? round);
    const isNumber =
      isFraction(plain, x) || displaysPercent(plain, x) || displays(plain, x, { least });
    assert.ok(isPixel || isNumber, at);
  }
}

// ---- Any state that can be computed ----

const float = fc.oneof(
  fc.float({ min: -10, max: 10, noNaN: true }),
  fc.constantFrom(0, -0, 1e-30, -123456, Math.fround(1 / 3)),
);
/** A cell of one of the steps. */
const cellOf = (steps) =>
  fc.constantFrom(...steps).chain(({ name, shape }) =>
    fc.record({
      node: fc.constant(name),
      index: fc.tuple(...shape.map((size) => fc.nat(size - 1))),
    }),
  );
const some = (arbitrary) => fc.option(arbitrary, { freq: 1 });

/** What there is to choose from in a walk through these steps. */
function walkOf(steps, removable = []) {
  const numeric = steps.filter(({ kind }) => kind !== 'ids');
  const edit = fc
    .tuple(cellOf(numeric), float)
    .map(([cell, value]) => ({ ...cell, value: Math.fround(value) }));
  return {
    t: fc.oneof(fc.nat(400), fc.double({ min: 0, max: 60, noNaN: true }), fc.constant(1e6)),
    path: fc.oneof(
      fc.constant([]),
      cellOf(steps).map((cell) => [cell]),
    ),
    open: some(cellOf(steps)),
    level: fc.constantFrom(...LEVELS),
    gradient: fc.boolean(),
    round: fc.constantFrom(...DIGITS),
    edits: fc.uniqueArray(edit, {
      maxLength: 3,
      selector: ({ node, index }) => `${node}:${index}`,
    }),
    remove: removable.length ? fc.subarray(removable, { maxLength: 2 }) : fc.constant([]),
  };
}

/** The steps of an example, and what can be removed from it. */
function stepsOf(example) {
  const trace = traceExample(gf, example);
  const removable = trace.removable.filter(({ possible }) => possible).map(({ name }) => name);
  const steps = trace.steps.map(({ name, shape, kind }) => ({ name, shape, kind }));
  trace.dispose();
  return { steps, removable };
}

/** The runs that a page of this example shows: as it is, and without the removals. */
function runsOf(example, { edits, remove }) {
  const page = traceExample(gf, example, { edits, remove });
  return remove.length ? { page, intact: traceExample(gf, example, { edits }) } : { page };
}

/** Whether the removals leave each cell that is edited or told: values that are wider than tokens lose some. */
function hasCells(example, { edits, path, open, remove }) {
  const trace = traceExample(gf, example, { remove });
  const shapes = new Map(trace.steps.map(({ name, shape }) => [name, shape]));
  trace.dispose();
  return [...edits, ...path, ...(open ? [open] : [])].every(({ node, index }) => {
    const shape = shapes.get(node);
    return !shape || index.every((at, axis) => at < shape[axis]);
  });
}

const words = fc.constantFrom('the robot sees the ball', 'I, too, see', 'yes', 'a b a b a b a b');
const sizes = {
  text: words,
  dModel: fc.integer({ min: 1, max: 6 }).map((half) => 2 * half),
  seed: fc.nat(99),
  causal: fc.boolean(),
  wO: fc.boolean(),
};

/** For each chapter: a state, and the runs that it stands for. */
const shown = {
  attention: () => {
    const own = fc
      .record({ ...sizes, dK: fc.constantFrom(2, 4, 6), heads: fc.constantFrom(1, 2) })
      .map((drawn) => ({ ...drawn, positions: true }));
    const given = Object.keys(examples).filter((name) => examples[name].attention);
    const chosen = fc.oneof(
      fc.constantFrom(...given).map((name) => ({ example: name, sentence: null })),
      own.map((drawn) => ({ sentence: drawn })),
    );
    return chosen.chain((choice) => {
      const { text, ...more } = choice.sentence ?? {};
      const example = choice.sentence ? sentence(text, more) : examples[choice.example];
      const { steps, removable } = stepsOf(example);
      return fc
        .record(walkOf(steps, removable))
        .filter((walk) => hasCells(example, walk))
        .map((walk) => ({
          state: { ...choice, ...walk },
          runs: () => runsOf(example, walk),
        }));
    });
  },
  heads: () =>
    fc.record({ ...sizes, heads: fc.integer({ min: 1, max: 12 }) }).chain(({ heads, ...own }) => {
      const written = { ...own, dModel: 12, dK: 12, heads: 1, positions: true };
      const { text, ...more } = { ...written, dK: Math.floor(12 / heads) * heads, heads };
      const example = sentence(text, more);
      const { steps, removable } = stepsOf(example);
      const panel = fc.constantFrom('heads', 'stage');
      return fc.record({ ...walkOf(steps, removable), panel }).map((walk) => ({
        state: { sentence: written, heads, ...walk },
        runs: () => runsOf(example, walk),
      }));
    }),
  positions: () => {
    const codes = fc
      .record({
        channels: fc.integer({ min: 1, max: 8 }).map((half) => 2 * half),
        count: fc.integer({ min: 2, max: 40 }),
        shift: fc.integer({ min: 1, max: 12 }),
      })
      .chain(({ channels, count, shift }) => {
        const positions = Array.from({ length: count }, (_, p) => p);
        const table = { node: 'codes', positions, channels, dots: true, shift };
        const example = { name: '', title: '', source: '', about: '', positions: [table] };
        const { steps } = stepsOf(example);
        const more = { panel: fc.constantFrom(...OF_CODES), at: fc.nat(count - 1) };
        return fc.record({ ...walkOf(steps), ...more }).map((walk) => ({
          state: { channels, count, shift, ...walk },
          runs: () => runsOf(example, walk),
        }));
      });
    const sentences = fc
      .record({
        ...sizes,
        scheme: fc.constantFrom(...SCHEMES),
        order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      })
      .chain(({ scheme, order, ...own }) => {
        const written = { ...own, text: 'one two three', dK: 4, heads: 2, positions: true };
        const { text, ...more } = { ...written, positions: scheme };
        const example = sentence(text, more);
        const { tokens } = example.inputs;
        const other = {
          ...example,
          tokens: order.map((from) => example.tokens[from]),
          inputs: { ...example.inputs, tokens: order.map((from) => tokens[from]) },
        };
        const { steps, removable } = stepsOf(example);
        const panel = fc.constantFrom('shuffle', 'sentence');
        return fc.record({ ...walkOf(steps, removable), panel }).map((walk) => ({
          state: { sentence: written, scheme, order, ...walk },
          runs: () => {
            // What belongs to no place of the sentence is edited in both orders.
            const edits = walk.edits.filter(({ node }) => /^w_|weight$/.test(node));
            const { remove } = walk;
            const shuffled = traceExample(gf, other, { edits, remove });
            return { ...runsOf(example, walk), shuffled };
          },
        }));
      });
    return fc.oneof(codes, sentences);
  },
  transformer: () =>
    fc
      .record({
        text: fc.constantFrom(
          'le chat noir dort',
          "j'ai deux chevaux",
          'la femme regarde le garçon',
        ),
        step: fc.integer({ min: 0, max: 2 }),
        remove: fc.subarray(['positions', 'mask', 'scale', 'norm', 'residual'], { maxLength: 1 }),
      })
      .chain(({ text, step, remove }) => {
        const source = french.vocabulary.encode(french.tokenize('source', text));
        const options = { start: START, stopTokens: [END], remove };
        const said = model.generateSync(source, options).slice(0, step);
        const input = { source, target: [START, ...said] };
        const trace = traceModel(model, input, { remove });
        const { steps } = trace;
        const blocks = blocksOf(steps).map(({ name }) => name);
        const { edits, remove: _, ...walk } = walkOf(steps);
        const more = { panel: fc.constantFrom(...PANELS), block: fc.constantFrom(...blocks) };
        trace.dispose();
        return fc.record({ ...walk, ...more }).map((drawn) => ({
          state: { text, step: said.length, remove, ...drawn },
          runs: () => ({
            page: traceModel(model, input, { remove }),
            ...(remove.length ? { intact: traceModel(model, input) } : {}),
          }),
        }));
      }),
};

for (const name of sample(Object.keys(shown), 2)) {
  test(`chapter ${name}: each displayed number is the core’s`, async (t) => {
    const chapter = chapters[name];
    const { page, complaints, close } = await open(`#chapter=${name}`, {
      ready: name === 'transformer' ? 'gf-chapter-transformer .lesson' : undefined,
    });
    t.after(close);
    let states = 0;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(shown[name](), async ({ state, runs }) => {
        const hash = toHash(chapter, { ...openingOf(chapter), ...state });
        await follow(page, hash);
        const notice = page.locator('gf-app > [role=alert]');
        assert.equal(await notice.count(), 0, `${await notice.allTextContents()} ${hash}`);
        const found = await numbers(page);
        const computed = runs();
        check(found, computed, hash, state.round);
        for (const run of Object.values(computed)) run.dispose();
        states++;
        seen += found.length;
      }),
      { numRuns: STATES, seed: 3 },
    );
    assert.deepEqual(complaints, []);
    assert.ok(seen > 0);
    t.diagnostic(`${seen} numbers in ${states} states`);
  });
}

// ---- Any step of any training ----

/** Steps of a training, and moments at which it is looked at. */
const STEPS = 20;
const MOMENTS = 4;

const choices = fc.record({
  task: fc.constantFrom(...Object.keys(tasks)),
  off: fc.option(fc.constantFrom(...switches)),
  settings: fc
    .record({
      heads: fc.constantFrom(1, 2),
      half: fc.integer({ min: 2, max: 4 }),
      steps: fc.constant(STEPS),
      tokens: fc.integer({ min: 64, max: 160 }),
      seed: fc.nat(99),
      schedule: fc.constantFrom(...RANGES.schedule.choices),
      rate: fc.double({ min: 1e-3, max: 1, noNaN: true }),
      warmup: fc.nat(12),
      smoothing: fc.constantFrom(0, 0.1, 0.3),
      dropout: fc.constantFrom(0, 0.1, 0.5),
      clip: fc.constantFrom(0, 0.1, 1),
      dFF: fc.integer({ min: 4, max: 24 }),
      layers: fc.constantFrom(1, 2),
      positions: fc.constantFrom(...RANGES.positions.choices),
    })
    .map(({ heads, half, ...settings }) => ({ ...settings, heads, dModel: 2 * half * heads })),
});

/** The nodes of one sequence of a batch: those that the words lead to, without the batch's dimension.
 * @param {{ derived?: boolean }} [options] derived: with the gradients of a run that has been differentiated */
function sequenceOf({ tape }, row, { derived = false } = {}) {
  const batched = new Set();
  for (const node of tape.nodes) {
    const fed = /^(source|target|labels)(\.lengths)?$/.test(node.name);
    if (fed || node.inputs.some((input) => batched.has(input))) batched.add(node);
  }
  batched.delete(tape.find('loss'));
  return tape.nodes.map((node) => {
    const { name, kind, op, role, stack, layer, part, size, data } = node;
    const [rows, ...own] = node.shape;
    const alone = batched.has(node);
    const [from, to] = alone ? [row, row + 1].map((at) => (at * size) / rows) : [0, size];
    const shape = alone ? own : node.shape;
    return {
      ...{ name, kind, op, role, stack, layer, part },
      shape: shape.length > 0 ? shape : [1],
      data: data.slice(from, to),
      grad: derived ? node.grad?.slice(from, to) : null,
    };
  });
}

/** What a training can be looked at for, at one of its steps. */
const momentOf = (choice) =>
  fc
    .record({ step: fc.integer({ min: 1, max: STEPS }), asked: fc.constantFrom('a', 'b') })
    .chain(({ step, asked }) => {
      const side = planOf(choice).runs[asked] ? asked : 'a';
      const batch = batchOf({ ...choice, side }, step);
      const { made, recipe } = untrained(gf, { ...choice, side });
      const inspection = inspect(made, [batch], recipe.training);
      const steps = sequenceOf(inspection.runs[0], 0).map(({ data: _, ...facts }) => facts);
      const parameters = [...made.parameters.values()];
      inspection.dispose();
      made.dispose();
      const { edits: _, remove: __, ...walk } = walkOf(steps);
      const blocks = blocksOf(steps).map(({ name }) => name);
      return fc.record({
        ...walk,
        step: fc.constant(step),
        side: fc.constant(side),
        view: fc.constantFrom(...VIEWS),
        row: fc.nat(batch.source.length - 1),
        block: fc.constantFrom(...blocks),
        weight: cellOf(parameters),
        pair: fc.nat(4),
      });
    });

/** Numbers of any kind, with the value in full that their titles tell. */
const plain = (page, selector) =>
  page.$$eval(selector, (all) =>
    all.map(({ textContent, title }) => ({ text: textContent.trim(), title })),
  );

/** They are these ones, in their order. */
function checkPlain(found, due, told) {
  assert.equal(found.length, due.length, told);
  for (const [i, { text, title }] of found.entries()) {
    const x = Math.fround(due[i]);
    const same = Object.is(inFull(title), x) && displays(bare(text), x);
    assert.ok(same, `${i} is ${x}, shown as "${text}" (${title}): ${told}`);
  }
}

const runOf = (nodes) => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return { step: (name) => byName.get(name) };
};

/** Both runs as they learn: losses, rates, and the attention to a held-out pair. */
async function learning(page, choice, { step, pair }, told) {
  const title = await page.locator('gf-predictions h2').textContent();
  const tried = Number(/after step (\d+)/.exec(title)[1]);
  assert.ok(tried <= step && step - tried < planOf(choice).every, `${title}: ${told}`);
  const task = tasks[choice.task];
  const runs = {};
  const losses = [];
  const rates = [];
  for (const side of Object.keys(planOf(choice).runs)) {
    const now = await trained(gf, { ...choice, side, steps: step });
    const then = tried === step ? now : await trained(gf, { ...choice, side, steps: tried });
    const { loss, learningRate } = now.told.at(-1);
    const run = then.made.forward(testBatch(task, heldOut(task, choice.settings.seed).pairs));
    losses.push(loss, run.loss);
    rates.push(learningRate);
    runs[side] = runOf([
      ...sequenceOf(run, pair),
      { name: 'loss', shape: [1], data: Float32Array.of(loss) },
    ]);
    for (const made of new Set([run, now.made, then.made])) made.dispose();
  }
  check(await numbers(page), runs, told);
  checkPlain(await plain(page, 'gf-curves .loss .entry .number'), losses, told);
  const shown = await plain(page, 'gf-curves .rate .entry .number');
  /* B's rate is told where the two differ, be it at another step. */
  if (shown.length < rates.length) assert.equal(new Set(rates).size, 1, told);
  checkPlain(shown, rates.slice(0, shown.length), told);
}

/** For each view of an opened step, what there is beside the cells of its tensors. */
const opened = {
  async batch(page, { inspection, batch, training }, _, told) {
    const [, mean] = await plain(page, 'gf-batch .about .number');
    checkPlain([mean], [inspection.loss], told);
    const rows = await page.$$eval('gf-batch tbody tr', (all) =>
      all.map((row) => [...row.querySelectorAll('[data-loss]')].map(({ dataset }) => dataset.loss)),
    );
    const logits = inspection.runs[0].logits.toArray();
    const { labelSmoothing } = training;
    assert.deepEqual(
      rows.map((losses) => losses.map((loss) => Math.fround(Number(loss)))),
      batch.labels.map((labels, i) => [
        ...gf.crossEntropy(logits[i].slice(0, labels.length), labels, {
          reduction: 'none',
          labelSmoothing,
        }),
      ]),
      told,
    );
  },

  /** The slope of the loss by the number in question. */
  async values(page, { nodes }, { gradient }, told) {
    const focus = await page.evaluate(() => document.querySelector('gf-gradient').view.focus);
    const { kind, shape, grad } = nodes.find(({ name }) => name === focus?.node) ?? {};
    const due = focus?.node === 'loss' ? 1 : grad?.[flat(shape, focus.index)];
    const isAsked = gradient && focus && kind !== 'ids';
    checkPlain(await plain(page, 'gf-gradient .slope strong'), isAsked ? [due] : [], told);
  },

  /** One weight's step of Adam, line by line; and the weight that the training has afterwards. */
  async update(page, { inspection, choice }, { weight }, told) {
    const due = inspection.update(weight.node, weight.index);
    const shown = await page.$$eval('gf-adam [data-part]', (all) =>
      all.map(({ dataset, textContent }) => [dataset.part, dataset.value, textContent.trim()]),
    );
    for (const [part, value, text] of shown) {
      const x = Math.fround(due[part]);
      const same = Object.is(Math.fround(Number(value)), x) && displays(bare(text), x);
      assert.ok(same, `${part} is ${x}, shown as "${text}" (${value}): ${told}`);
    }
    const { parameter, index, terms: _, step, decay, clipping, clipped, ...always } = due;
    const parts = clipping < 1 ? { ...always, clipping, clipped } : always;
    assert.deepEqual([...new Set(shown.map(([part]) => part))].sort(), Object.keys(parts).sort());
    const { made } = await trained(gf, { ...choice, steps: step });
    const { shape, data } = made.parameters.get(weight.node);
    assert.equal(due.next, data[flat(shape, weight.index)], told);
    made.dispose();
    const terms = due.terms.toSorted((a, b) => Math.abs(b.product) - Math.abs(a.product));
    checkPlain(
      await plain(page, 'gf-adam .terms tbody .number'),
      terms
        .slice(0, 8)
        .flatMap(({ factor, gradient, product }) => [factor, gradient.value, product]),
      told,
    );
    const [total] = (await plain(page, 'gf-adam .terms tfoot .number')).slice(-1);
    checkPlain([total], [due.gradient], told);
  },
};

/** One step, taken apart. */
async function takenApart(page, choice, moment, told) {
  const { step, side, view, row } = moment;
  const before = await trained(gf, { ...choice, side, steps: step - 1 });
  const inspection = inspect(before.made, [before.batch], before.training);
  const nodes = sequenceOf(inspection.runs[0], row, { derived: true });
  const run = runOf(nodes);
  check(await numbers(page), { page: run, [side]: run }, told);
  const made = { ...before, inspection, nodes, choice: { ...choice, side } };
  await opened[view](page, made, moment, told);
  inspection.dispose();
  before.made.dispose();
}

test('chapter training: each displayed number is that of the same training, made again', async (t) => {
  if (waits(t)) return;
  const chapter = chapters.training;
  const { page, complaints, close } = await open('#chapter=training');
  t.after(close);
  const courses = choices.chain((choice) =>
    fc.record({
      choice: fc.constant(choice),
      moments: fc.array(momentOf(choice), { minLength: 1, maxLength: MOMENTS }),
    }),
  );
  let [trainings, seen] = [0, 0];
  await fc.assert(
    fc.asyncProperty(courses, async ({ choice, moments }) => {
      for (const moment of moments) {
        const hash = toHash(chapter, { ...openingOf(chapter), ...choice, ...moment });
        await follow(page, hash);
        const notice = page.locator('gf-app > [role=alert]');
        assert.equal(await notice.count(), 0, `${await notice.allTextContents()} ${hash}`);
        await at(page, moment.step);
        await settled(page);
        await (moment.view === 'run' ? learning : takenApart)(page, choice, moment, hash);
        seen++;
      }
      trainings++;
    }),
    { numRuns: TRAININGS, seed: 3, includeErrorInReport: true },
  );
  assert.deepEqual(complaints, []);
  assert.ok(seen > 0);
  t.diagnostic(`${seen} moments of ${trainings} trainings`);
});
