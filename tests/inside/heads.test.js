// What heads do, as numbers: each by its definition, from the weights of a float64 model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circuits, headScores, rollout } from '../../bindings/lab/inside/index.js';
import { families, gf, model as made, refused } from '../bindings/model/small.js';
import { distance, matmul, transpose } from '../bindings/naive.js';
import { KINDS, modelOf, reference, SIZES } from './reference.js';

const target = [3, 7, 7, 1, 3, 7];
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: scores of heads`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { heads, repeated } = await headScores(
      model,
      { target },
      { repeat: { length: 7, seed: 4 } },
    );
    assert.equal(repeated.length, 14);
    assert.deepEqual(repeated.slice(0, 7), repeated.slice(7));
    assert.ok(new Set(repeated).size > 3 && repeated.every((id) => id >= 0 && id < SIZES.vocab));
    const [run, again] = [double.run(target), double.run(repeated)];
    assert.equal(heads.length, SIZES.layers * SIZES.heads);
    for (const told of heads) {
      const rows = run.step('weights', told.layer)[told.head];
      const due = {
        previous: mean([1, 2, 3, 4, 5].map((i) => rows[i][i - 1])),
        first: mean([1, 2, 3, 4, 5].map((i) => rows[i][0])),
        /* The 7 at 2 has a copy at 1; the 3 at 4 one at 0; the 7 at 5 two, at 1 and 2. */
        duplicate: mean([rows[2][1], rows[4][0], rows[5][1] + rows[5][2]]),
        entropy: mean(
          rows.map((row) => -row.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0)),
        ),
        /* In the second half each token attends to the one behind its copy. */
        induction: mean(
          [7, 8, 9, 10, 11, 12, 13].map(
            (i) => again.step('weights', told.layer)[told.head][i][i - 6],
          ),
        ),
      };
      for (const [score, value] of Object.entries(due)) {
        assert.ok(
          Math.abs(told[score] - value) < 2e-5,
          `${told.name} ${score}: ${told[score]}, not ${value}`,
        );
      }
    }
    model.dispose();
  });

  test(`${name}: rollout multiplies halves of weights and identity`, async () => {
    const model = modelOf(gf, options);
    const run = reference(model).run(target);
    const { layers, check } = await rollout(model, { target });
    let due = target.map((_, i) => target.map((_, j) => Number(i === j)));
    for (let l = 0; l < SIZES.layers; l++) {
      const [one, other] = run.step('weights', l);
      const half = one.map((row, i) =>
        row.map((a, j) => ((a + other[i][j]) / 2 + Number(i === j)) / 2),
      );
      due = matmul(half, due);
      assert.ok(distance(layers[l].grid.values, due) < 2e-5);
    }
    assert.ok(check.rowSums < 1e-6);
    model.dispose();
  });

  test(`${name}: attention flow is as large as the smallest of all cuts`, async () => {
    const model = modelOf(gf, options);
    const { layers, check } = await rollout(model, { target: [3, 7, 1] }, { flow: true });
    const run = reference(model).run([3, 7, 1]);
    const halves = Array.from({ length: SIZES.layers }, (_, l) => {
      const [one, other] = run.step('weights', l);
      return one.map((row, i) => row.map((a, j) => (a + other[i][j] + 2 * Number(i === j)) / 4));
    });
    /* Every set of places that holds the token and not the position cuts off the rest: what its pipes hold, at least. */
    for (const [above, { flow }] of layers.entries()) {
      const places = 3 * (above + 2);
      for (const [i, row] of flow.values.entries()) {
        for (const [j, value] of row.entries()) {
          let least = Number.POSITIVE_INFINITY;
          for (let set = 0; set < 2 ** places; set++) {
            const has = (place) => ((set >> place) & 1) === 1;
            if (!has(j) || has(3 * (above + 1) + i)) continue;
            let cut = 0;
            for (let l = 0; l <= above; l++)
              for (let p = 0; p < 9; p++) {
                const [high, low] = [Math.floor(p / 3), p % 3];
                if (has(3 * l + low) && !has(3 * (l + 1) + high)) cut += halves[l][high][low];
              }
            least = Math.min(least, cut);
          }
          assert.ok(Math.abs(value - least) < 2e-5, `${above} ${i} ${j}: ${value}, not ${least}`);
        }
      }
    }
    assert.ok(check.cut < 1e-9);
    model.dispose();
  });

  test(`${name}: circuits are products of the weights`, async () => {
    const model = modelOf(gf, options);
    const { matrix } = reference(model);
    const [layer, head] = [1, 1];
    const at = `decoder.layers.${layer}.self_attn`;
    const e = matrix('embedding.weight');
    const u = options.tied ? transpose(e) : matrix('logits.weight');
    const columns = (w, h) => matrix(`${at}.${w}.weight`).map((row) => row.slice(4 * h, 4 * h + 4));
    const shared = model.config.kvHeads === 1 ? 0 : head;
    const out = matrix(`${at}.out_proj.weight`).slice(4 * head, 4 * head + 4);
    const ov = matmul(e, matmul(columns('v_proj', shared), matmul(out, u)));
    const qk = matmul(
      e,
      matmul(columns('q_proj', head), transpose(matmul(e, columns('k_proj', shared)))),
    );
    const told = await circuits(model, { layer, head });
    assert.ok(distance(told.ov.values, ov) < 1e-12);
    assert.ok(distance(told.qk.values, qk) < 1e-12);
    assert.ok(told.check.difference <= told.check.bound && told.check.bound < 1e-11);
    const some = await circuits(model, { layer, head, tokens: [12, 0] });
    assert.ok(
      distance(
        some.ov.values,
        [12, 0].map((i) => [12, 0].map((j) => ov[i][j])),
      ) < 1e-12,
    );
    assert.deepEqual(some.qk.axes[0], { name: 'query', labels: ['12', '0'] });
    model.dispose();
  });
}

test('other families: what has no meaning is null, or refused', async () => {
  const model = made(families.transformer);
  const inputs = { source: [3, 1, 3], target: [9, 2, 6, 5] };
  const { heads, repeated } = await headScores(model, inputs);
  assert.equal(repeated, null);
  assert.deepEqual(heads.map(({ name }) => name).slice(3, 8), [
    'encoder layer 1 head 1',
    ...['decoder layer 0 head 0', 'decoder layer 0 head 1'],
    ...['decoder layer 0 cross-attention head 0', 'decoder layer 0 cross-attention head 1'],
  ]);
  for (const { part, stack, previous, duplicate, induction } of heads) {
    assert.equal(induction, null);
    assert.equal(previous === null, part === 'cross_attn');
    assert.equal(duplicate === null, stack === 'decoder');
  }
  const { layers } = await rollout(model, inputs);
  assert.deepEqual(
    layers.map(({ name }) => name),
    [...['encoder layer 0', 'encoder layer 1', 'decoder layer 0', 'decoder layer 1']],
  );
  assert.equal(layers[2].grid.values[0][1], 0, 'a stack begins anew');
  const told = await circuits(model, { layer: 0, head: 0, stack: 'encoder' });
  assert.ok(told.check.difference <= told.check.bound);
  const cross = circuits(model, { layer: 0, head: 0, part: 'cross_attn' });
  await assert.rejects(cross, refused(TypeError, /another sequence/));
  const none = circuits(model, { layer: 0, head: 0, tokens: [] });
  await assert.rejects(none, refused(RangeError, /expected 1 to 2048 tokens, received 0/));
  model.dispose();
});
