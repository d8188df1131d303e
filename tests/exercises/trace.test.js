// A problem worked out step by step: its numbers are those of pencil and paper, rightly and with each mistake, and
// where they differ is told.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { traceProblem, worksheet } from '../../bindings/learn/exercises/index.js';
import { cellsOf, workedOut } from './by-hand.js';
import { gf, problemOf, RECIPES, seeds } from './setup.js';

const near = (a, b) =>
  Number.isFinite(a) && Number.isFinite(b)
    ? Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b))
    : Object.is(a, b);

const within = (x, low, high) => x > low && x < high;

/** The cells of a step, nested as its shape says. */
const nested = (data, shape) =>
  shape.length < 2
    ? [...data]
    : Array.from({ length: shape[0] }, (_, i) => {
        const size = data.length / shape[0];
        return nested(data.slice(i * size, (i + 1) * size), shape.slice(1));
      });

/** The numbers of a trace by cell. */
const numbersOf = (trace) =>
  Object.fromEntries(
    trace.stages.flatMap((name) => {
      const { data, shape } = trace.step(name);
      return cellsOf(name, nested(data, shape));
    }),
  );

describe('a trace of a problem', () => {
  for (const recipe of RECIPES) {
    test(recipe, () => {
      for (const seed of seeds(50, 2)) {
        const problem = problemOf(recipe, { seed });
        const right = workedOut(problem);
        const due = numbersOf(traceProblem(gf, problem));
        for (const cell of problem.asked) {
          assert.ok(near(due[cell], right[cell]), `${cell}: ${due[cell]}, not ${right[cell]}`);
        }
        for (const mistake of Object.keys(problem.misconceptions)) {
          const trace = traceProblem(gf, problem, { misconception: mistake });
          const [made, wrong] = [numbersOf(trace), workedOut(problem, mistake)];
          const told = trace.differing.map(({ node, index }) => `${node}[${index.join(',')}]`);
          for (const cell of problem.asked) {
            const where = `${recipe} ${seed}, ${mistake}: ${cell}`;
            assert.ok(near(made[cell], wrong[cell]), `${where}: ${made[cell]}, not ${wrong[cell]}`);
            /* What lies so near, float32 tells apart by chance. */
            if (within(Math.abs(wrong[cell] - right[cell]), 1e-7, 1e-5)) continue;
            assert.equal(told.includes(cell), !near(wrong[cell], right[cell]), where);
          }
          assert.ok(told.length, mistake);
        }
      }
    });
  }
});

test('what a step reads are steps, too', () => {
  for (const recipe of RECIPES) {
    const trace = traceProblem(gf, problemOf(recipe, { seed: 1 }));
    for (const { inputs } of trace.steps) for (const name of inputs) trace.step(name);
  }
});

test('what only a mistake does is told apart, and named by what it is like', () => {
  const problem = problemOf('weights');
  const trace = traceProblem(gf, problem, { misconception: 'softmax-over-columns', lang: 'de' });
  const own = trace.steps.filter(({ aside }) => aside).map(({ op, word }) => [op, word]);
  assert.deepEqual(own, [
    ['transpose', 'scores.scaled'],
    ['softmax', 'weights'],
  ]);
  assert.equal(trace.step('weights').title, 'Attention-Gewichte');
  assert.deepEqual(
    traceProblem(gf, problem).stages.map((name) => traceProblem(gf, problem).step(name).role),
    ['score', 'score', 'weight'],
  );
});

test('inside a model, every matrix that is given is seen where the working is played', () => {
  for (const recipe of ['logit-parts', 'ablation', 'find-head', 'induction']) {
    const problem = problemOf(recipe, { seed: 1 });
    const trace = traceProblem(gf, problem);
    const seen = new Set(trace.stages.flatMap((name) => trace.step(name).inputs));
    const given = Object.keys(problem.given).filter((name) =>
      Array.isArray(problem.given[name][0]),
    );
    assert.deepEqual(
      given.filter((name) => !seen.has(name)),
      [],
      recipe,
    );
  }
});

test('rows and columns that are tokens say so', () => {
  const axesOf = (recipe, name) => traceProblem(gf, problemOf(recipe)).step(name);
  assert.deepEqual(axesOf('two-heads', 'scores').axes, ['head', 'token', 'token']);
  assert.deepEqual(axesOf('two-heads', 'w_o').axes, ['channel', 'channel']);
  const { axes, sequences } = axesOf('cross-attention', 'weights');
  assert.deepEqual(
    [axes, sequences],
    [
      ['token', 'token'],
      ['target', 'source'],
    ],
  );
  assert.deepEqual(axesOf('layer-norm', 'mean').axes, ['token', null]);
  const problem = problemOf('induction');
  const [given, logits] = ['a_0', 'logits'].map((name) => axesOf('induction', name).sequences);
  assert.deepEqual(
    [given, logits],
    [
      ['target', 'target'],
      [null, 'source'],
    ],
  );
  const sheet = worksheet(gf, problem);
  assert.deepEqual(sheet.asked.at(-1).columns, ['do', 're', 'mi']);
  assert.deepEqual(sheet.given.find(({ of }) => of === 'a_0').columns, problem.tokens);
});

test('the rows of a weight matrix are channels, also where there are as many as tokens', () => {
  for (const name of RECIPES) {
    const problem = problemOf(name);
    const trace = traceProblem(gf, problem);
    for (const { of, rows } of worksheet(gf, problem).given.filter(({ of }) => /^w_/.test(of))) {
      assert.ok(
        rows.every((row, i) => row === String(i + 1)),
        `${name}: the rows of ${of} are ${rows}`,
      );
      const columns = name === 'logit-parts' && of === 'w_u' ? 'token' : 'channel';
      assert.deepEqual(trace.step(of).axes, ['channel', columns], `${name}: ${of}`);
    }
  }
});

test('wrong calls say what was wrong', () => {
  const problem = problemOf('scores');
  for (const [options, expected] of [
    [{ misconception: 'no-scaling' }, { detail: 'noMistake', code: 'GF_ERANGE' }],
    [{ misconception: 'x-for-q' }, /no place for a mistake "x-for-q" \(did you mean "x-for-k"\?\)/],
    [{ misconception: 3 }, { code: 'GF_ETYPE' }],
    [{ lang: 'it' }, { code: 'GF_ERANGE' }],
    [{ language: 'de' }, { code: 'GF_ETYPE' }],
  ]) {
    assert.throws(() => traceProblem(gf, problem, /** @type {any} */ (options)), expected);
  }
  assert.throws(() => traceProblem(gf, problem).step('score'), /scores/);
});

test('columns for the classes of labels are told from channels', () => {
  for (const recipe of ['cross-entropy', 'softmax-gradient']) {
    const trace = traceProblem(gf, problemOf(recipe, { seed: 1 }));
    for (const name of ['logits', 'probabilities'])
      assert.deepEqual(trace.step(name).axes, ['channel', 'vocabulary'], name);
  }
  const trace = traceProblem(gf, problemOf('layer-norm', { seed: 1 }));
  assert.ok(trace.steps.every(({ axes }) => !axes.includes('vocabulary')));
});
