import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches, exportModel, inspect, readModel, train } from '../../../bindings/index.js';
import { collect, families, gf, model, refused, refusedAs, state } from './small.js';

const pairs = Array.from({ length: 40 }, (_, i) => {
  const source = Array.from({ length: 2 + (i % 5) }, (_, j) => 3 + ((i * 7 + j * j * 3) % 8));
  return { source, target: [...source].reverse() };
});
const forGpt = pairs.map(({ source }) => source);
const stream = ({ kind }, from = 0) =>
  batches(kind === 'transformer' ? pairs : forGpt, { tokens: 40, from });
const settings = { schedule: 'noam', warmup: 6, clip: 0.5, labelSmoothing: 0.1, seed: 4, total: 9 };
const STEPS = 5;

/** A model after so many steps, and the batch of the next. */
async function trained(kind, options = settings) {
  const made = model({ ...families[kind], dropout: 0.1 });
  await collect(train(made, stream(made.config), { ...options, steps: STEPS }));
  const [batch] = stream(made.config, STEPS);
  return { made, batch };
}

/** Every cell of a parameter, as an index. */
function* cellsOf({ shape, size }) {
  for (let at = 0; at < size; at++) {
    yield shape.length === 1 ? [at] : [Math.floor(at / shape[1]), at % shape[1]];
  }
}
const flat = ([i, j], { shape }) => (j === undefined ? i : i * shape[1] + j);

for (const kind of Object.keys(families)) {
  test(`${kind}: what is inspected is the step that train takes, bit for bit`, async () => {
    const { made, batch } = await trained(kind);
    const before = state(made);
    const inspection = inspect(made, [batch], settings);
    assert.equal(state(made), before);
    assert.equal(made.step, STEPS);
    const told = [...made.parameters.values()].flatMap((parameter) =>
      [...cellsOf(parameter)].map((index) => inspection.update(parameter.name, index)),
    );
    const { loss, learningRate, gradientNorm, tokens, clipping } = inspection;
    assert.ok(clipping < 1, `${clipping}`);
    assert.equal(inspection.runs[0].loss, loss);
    inspection.dispose();
    const [step] = await collect(train(made, [batch], settings));
    assert.deepEqual(
      { loss, learningRate, gradientNorm, tokens, step: inspection.step },
      {
        loss: step.loss,
        learningRate: step.learningRate,
        gradientNorm: step.gradientNorm,
        tokens: step.tokens,
        step: step.step,
      },
    );
    for (const { parameter, index, clipped, m, v, next } of told) {
      const { data, grad, m: means, v: squares, ...rest } = made.parameters.get(parameter);
      const at = flat(index, rest);
      const where = `${parameter}[${index}]`;
      assert.ok(Object.is(next, data[at]), `${where}: ${next} ${data[at]}`);
      assert.ok(Object.is(clipped, grad[at]), where);
      assert.deepEqual([m, v], [means[at], squares[at]], where);
    }
    made.dispose();
  });
}

for (const optimizer of ['adam', 'adamw']) {
  test(`${optimizer}: each number of an update, against float64`, async () => {
    const options = { ...settings, optimizer, weightDecay: 0.1, betas: [0.8, 0.95] };
    const { made, batch } = await trained('transformer', options);
    const inspection = inspect(made, [batch], options);
    const near = (a, b, what, size = Math.abs(b)) =>
      assert.ok(Math.abs(a - b) <= 3e-6 * size + 1e-12, `${what}: ${a} ${b}`);
    for (const parameter of made.parameters.values()) {
      const index = parameter.shape.map((d) => d - 1);
      const told = inspection.update(parameter.name, index);
      const at = parameter.size - 1;
      assert.equal(told.value, parameter.data[at]);
      assert.equal(told.gradient, parameter.grad[at]);
      assert.equal(told.mBefore, parameter.m[at]);
      assert.equal(told.vBefore, parameter.v[at]);
      const rate = inspection.learningRate;
      const adam = optimizer === 'adam';
      near(told.clipped, told.gradient * inspection.clipping, 'clipped');
      near(told.decay, 0.1 * told.value, 'decay');
      const g = told.clipped + (adam ? told.decay : 0);
      /* What cancels in the sum of decay and gradient is small beside either. */
      const slack = 1e-6 * (Math.abs(told.clipped) + Math.abs(told.decay));
      assert.ok(Math.abs(told.m - (0.8 * told.mBefore + 0.2 * g)) <= slack + 1e-9, 'm');
      near(told.v, 0.95 * told.vBefore + 0.05 * g * g, 'v');
      near(told.mCorrection, 1 - 0.8 ** (STEPS + 1), 'mCorrection');
      near(told.vCorrection, 1 - 0.95 ** (STEPS + 1), 'vCorrection');
      near(told.mHat, told.m / (1 - 0.8 ** (STEPS + 1)), 'mHat');
      near(told.vHat, told.v / (1 - 0.95 ** (STEPS + 1)), 'vHat');
      const kept = told.value * (adam ? 1 : 1 - rate * 0.1);
      const next = kept - (rate * told.mHat) / (Math.sqrt(told.vHat) + 1e-9);
      near(told.next, next, 'next', Math.abs(told.value) + Math.abs(next));
    }
    inspection.dispose();
    made.dispose();
  });
}

const variants = {
  transformer: { ...families.transformer, positions: 'learned' },
  untied: { ...families.transformer, tied: false, outputBias: true, sourceVocab: 11 },
  gpt: families.gpt,
  bert: families.bert,
};
for (const [name, options] of Object.entries(variants)) {
  test(`${name}: a gradient is the sum of its terms`, () => {
    const made = model({ ...options, dropout: 0.1 }, 0.3);
    const [batch] = stream(made.config);
    const inspection = inspect(made, [batch], { labelSmoothing: 0.1 });
    for (const parameter of made.parameters.values()) {
      const scale = Math.max(...parameter.grad.map(Math.abs));
      for (const index of [parameter.shape.map(() => 0), parameter.shape.map((d) => d >> 1)]) {
        const { terms, gradient } = inspection.update(parameter.name, index);
        const sum = terms.reduce((total, { product }) => total + product, 0);
        const where = `${parameter.name}[${index}]: ${sum} ${gradient}`;
        assert.ok(Math.abs(sum - gradient) <= 1e-5 * scale + 1e-9, where);
        for (const { run, from, factor, gradient, product } of terms) {
          const { tape } = inspection.runs[run];
          const read = ({ node, index }, block) => {
            const tensor = tape.find(node);
            return tensor[block][index.reduce((at, i, axis) => at * tensor.shape[axis] + i, 0)];
          };
          assert.equal(read(gradient, 'grad'), gradient.value);
          if (from) assert.equal(read(from, 'data'), factor);
          assert.equal(product, factor * gradient.value);
        }
      }
    }
    inspection.dispose();
    made.dispose();
  });
}

test('as many batches as a step accumulates', async () => {
  const { made } = await trained('transformer', { ...settings, accumulate: 2 });
  const [first, second] = stream(made.config, 2 * STEPS);
  const options = { ...settings, accumulate: 2 };
  const inspection = inspect(made, [first, second], options);
  assert.equal(inspection.runs.length, 2);
  const { loss, gradientNorm } = inspection;
  inspection.dispose();
  const [step] = await collect(train(made, [first, second], options));
  assert.deepEqual([loss, gradientNorm], [step.loss, step.gradientNorm]);
  assert.throws(
    () => inspect(made, [first], options),
    refused(TypeError, /inspect: expected an array of 2 batches.*, received an array of 1/),
  );
  assert.throws(() => inspect(made, first), refused(TypeError, /expected an array/));
  assert.throws(
    () => inspect(made, [{ target: first.target }]),
    refused(TypeError, /labels are missing/),
  );
  made.dispose();
});

test('a cell that is not there is refused; so is a model that diverges', async () => {
  const { made, batch } = await trained('gpt');
  const inspection = inspect(made, [batch], settings);
  const name = 'decoder.layers.0.linear1.weight';
  assert.throws(() => inspection.update(name, [0]), refused(RangeError, /expected an index into/));
  assert.throws(() => inspection.update(name, [0, 99]), refused(RangeError, /is not a cell of/));
  assert.throws(
    () => inspection.update('encoder.layers.0.linear9.weight', [0]),
    refusedAs('GF_ENAME', /did you mean/),
  );
  inspection.dispose();
  made.parameters.get('decoder.norm.weight').data.fill(3e38);
  assert.throws(() => inspect(made, [batch], settings), refusedAs('GF_EDIVERGED', /step 6/));
  made.dispose();
  assert.throws(() => inspect(made, [batch], settings), refusedAs('GF_EDISPOSED', /disposed/));
});

test('moments of a parameter: none before a training, then live', async () => {
  const made = gf.model(families.gpt);
  const parameter = made.parameters.get('decoder.layers.0.linear1.weight');
  assert.equal(parameter.m, null);
  assert.equal(parameter.v, null);
  await collect(train(made, stream(made.config), { steps: 1, betas: [0.75, 0.5] }));
  for (const [i, g] of parameter.grad.entries()) {
    assert.equal(parameter.m[i], Math.fround(0.25 * g));
    assert.equal(parameter.v[i], Math.fround(Math.fround(0.5 * g) * g));
  }
  made.dispose();
});

// ---- Steps that are left out ----

test('what is removed copies its operand, wherever the model runs', async () => {
  const remove = ['scale', 'norm', 'residual'];
  const options = { ...families.transformer, dropout: 0 };
  const made = model({ ...options, remove });
  const [batch] = stream(made.config);
  const whole = model(options);
  const run = whole.forward(batch);
  for (const { name, op } of run.tape.nodes) {
    if (name.endsWith('.scores.scaled') || op === 'layer_norm') run.bypass(name, 0);
    if (/residual\d$/.test(name)) run.bypass(name, 1);
  }
  run.forward();
  const without = made.forward(batch);
  assert.deepEqual([...without.logits.data], [...run.logits.data]);
  const [step] = await collect(train(made, [batch], { rate: 0 }));
  assert.ok(Math.abs(step.loss - run.loss) < 1e-5 * run.loss);
  /* Token by token it writes what the whole forward says. */
  const logits = [];
  const source = batch.source[0];
  for await (const _ of made.generate(source, {
    maxNewTokens: 1,
    stopTokens: [],
    onStep: (s) => logits.push(s.logits),
  }));
  const first = made.forward({ source, target: [1] });
  assert.deepEqual([...logits[0]], [...first.logits.data]);
  for (const one of [run, without, first]) one.dispose();
  const again = gf.open(readModel(made.save()));
  assert.deepEqual(again.config.remove, remove);
  assert.throws(
    () => exportModel(made),
    refused(
      RangeError,
      /exportModel: no format can say that steps are removed: .* without scale, norm, residual/,
    ),
  );
  for (const one of [made, whole, again]) one.dispose();
});

test('wrong removals are refused', () => {
  const of = (remove) => () => gf.model({ ...families.gpt, remove });
  assert.throws(of(['norms']), refused(RangeError, /remove\[0\]: expected one of .* "norms"/));
  assert.throws(of('norm'), refused(TypeError, /remove: expected an array, received "norm"/));
});
