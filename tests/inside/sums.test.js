// Sums that are opened into their parts: each part against a float64 model, and the parts against the whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logitAttribution, logitLens, why } from '../../bindings/lab/inside/index.js';
import { families, gf, model as made } from '../bindings/model/small.js';
import { distance, softmaxRow } from '../bindings/naive.js';
import { KINDS, modelOf, reference, SIZES } from './reference.js';

const target = [3, 7, 7, 1, 12, 0];
const close = (a, b, within, what) =>
  assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`);

/** A vector's product with a column of the unembedding, brought through the final norm with the scale of the run. */
function projection({ matrix, statistics }, { config }, last, token) {
  const { rate } = statistics(last);
  const gain = matrix('decoder.norm.weight')[0];
  const column = config.tied
    ? matrix('embedding.weight')[token]
    : matrix('logits.weight').map((row) => row[token]);
  return (vector) => {
    const mean = config.norm === 'layer' ? vector.reduce((a, b) => a + b, 0) / vector.length : 0;
    return vector.reduce((total, x, j) => total + (x - mean) * rate * gain[j] * column[j], 0);
  };
}

for (const [name, options] of Object.entries(KINDS)) {
  test(`${name}: each part of a logit is what it wrote into the stream, times the unembedding`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { step, logits } = double.run(target);
    const [token, position] = [4, 3];
    const told = await logitAttribution(model, { target }, { token, position });
    const through = projection(double, model, step('output', 1)[position], token);
    const due = { embedding: through(double.matrix('embedding.weight')[target[position]]) };
    if (options.positions === 'learned') {
      due.position = through(double.matrix('decoder.position_embedding.weight')[position]);
    }
    for (let l = 0; l < SIZES.layers; l++) {
      const at = `decoder.layers.${l}`;
      const out = double.matrix(`${at}.self_attn.out_proj.weight`);
      step('mix', l).forEach((head, h) => {
        const rows = out.slice(h * 4, (h + 1) * 4);
        const wrote = rows[0].map((_, c) =>
          rows.reduce((sum, row, k) => sum + head[position][k] * row[c], 0),
        );
        due[`layer ${l} head ${h}`] = through(wrote);
      });
      const biases = ['self_attn.out_proj', 'linear2'].map((part) => double.bias(`${at}.${part}`));
      const zero = Array(8).fill(0);
      const wrote = step('feed-forward', l)[position].map((x, c) => x - (biases[1] ?? zero)[c]);
      due[`layer ${l} feed-forward`] = through(wrote);
      if (!biases[0]) continue;
      due[`layer ${l} attention bias`] = through(biases[0]);
      due[`layer ${l} feed-forward bias`] = through(biases[1]);
    }
    const parts = Object.fromEntries(told.parts.map((part) => [part.name, part.value]));
    for (const [part, value] of Object.entries(due)) close(parts[part], value, 2e-5, part);
    const rest = Object.keys(parts).filter((part) => !(part in due));
    const biases = {
      tied: ['final norm bias'],
      untied: ['final norm bias', 'output bias'],
      rms: [],
    };
    assert.deepEqual(rest, biases[name]);
    close(told.total, logits[position][token], 2e-5, 'total');
    assert.ok(Math.abs(told.sum - told.total) <= told.bound);
    assert.ok(told.bound < 1e-3, `a bound that tells nothing: ${told.bound}`);
    model.dispose();
  });

  test(`${name}: a head's part opens into the positions that it reads, and every part into products`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { step } = double.run(target);
    const [token, against, position] = [4, 9, 3];
    const asked = { token, against, position };
    const told = await logitAttribution(model, { target }, { ...asked, keys: true });
    const [plus, minus] = [token, against].map((id) =>
      projection(double, model, step('output', 1)[position], id),
    );
    for (let l = 0; l < SIZES.layers; l++) {
      const out = double.matrix(`decoder.layers.${l}.self_attn.out_proj.weight`);
      for (let h = 0; h < SIZES.heads; h++) {
        const value = step('values', l)[Math.floor((h * step('values', l).length) / SIZES.heads)];
        const own = told.parts.filter(({ layer, head }) => layer === l && head === h);
        assert.deepEqual(
          own.map(({ key }) => key),
          [...target.keys()],
        );
        for (const { key, value: part, weight: used, name } of own) {
          const wrote = out[0].map((_, c) =>
            value[key].reduce((sum, v, k) => sum + v * out[h * 4 + k][c], 0),
          );
          const weight = step('weights', l)[h][position][key];
          close(part, weight * (plus(wrote) - minus(wrote)), 2e-5, name);
          close(used, weight, 1e-6, name);
        }
      }
    }
    assert.ok(Math.abs(told.sum - told.total) <= told.bound);
    const { parts } = await logitAttribution(model, { target }, { ...asked, products: true });
    const whole = await logitAttribution(model, { target }, asked);
    assert.deepEqual(
      parts.map(({ products: _, ...part }) => part),
      whole.parts,
    );
    for (const { products, value, name } of parts) {
      assert.equal(products.length, name === 'output bias' ? 1 : SIZES.dModel, name);
      const sum = products.reduce((all, [a, b]) => all + a * b, 0);
      close(sum, value, 1e-12, name);
    }
    const opened = await logitAttribution(
      model,
      { target },
      { ...asked, products: 'layer 1 head 0' },
    );
    assert.deepEqual(
      opened.parts,
      parts.map(({ products, ...part }) =>
        part.name === 'layer 1 head 0' ? { ...part, products } : part,
      ),
    );
    await assert.rejects(logitAttribution(model, { target }, { products: 'layer 9 head 0' }), {
      name: 'RangeError',
      message: /the sum has no part "layer 9 head 0"/,
    });
    const [[, ofFirst]] = parts[0].products;
    const numberOf = (id) =>
      model.config.tied
        ? double.matrix('embedding.weight')[id][0]
        : double.matrix('logits.weight')[0][id];
    close(ofFirst, numberOf(token) - numberOf(against), 1e-12, 'unembedding');
    model.dispose();
  });

  test(`${name}: of a changed run the sum is that of the changed logit, and what was put there is a part`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const from = [3, 5, 7, 1, 2, 0];
    const value = { run: { target: from } };
    const { step } = double.run(from);
    const [token, position] = [4, 4];
    const asked = { token, position, keys: true };
    /* Head 1 of layer 0 gives nothing, and at the position a stream of the other run enters layer 1. */
    const off = { layer: 0, head: 1 };
    const stream = { layer: 1, position, value };
    const swap = (put) => (name, l, values) => put[`${name} ${l}`]?.(values) ?? values;
    const without = (heads) => [heads[0], heads[1].map((row) => row.map(() => 0))];
    const entering = (rows) => rows.map((row, t) => (t === position ? step('output', 0)[t] : row));
    for (const [at, put] of [
      [[off], { 'mix 0': without }],
      [[stream], { 'output 0': entering }],
      [[off, stream], { 'mix 0': without, 'output 0': entering }],
    ]) {
      const told = await logitAttribution(model, { target }, { ...asked, at });
      const run = double.run(target, swap(put));
      close(told.total, run.logits[position][token], 3e-5, 'total');
      assert.ok(Math.abs(told.sum - told.total) <= told.bound && told.bound < 2e-3);
      const own = told.parts.filter(({ name }) => name.startsWith('layer 0 head 1'));
      const replaced = told.parts.filter(({ source }) => source === 'replaced');
      if (at.includes(stream)) {
        const through = projection(double, model, run.step('output', 1)[position], token);
        assert.deepEqual([own, replaced.length], [[], 1]);
        assert.equal(replaced[0].name, 'layer 0 stream replaced');
        close(replaced[0].value, through(step('output', 0)[position]), 3e-5, 'stream');
      } else {
        assert.deepEqual([own.length, own[0].value, replaced], [1, 0, []]);
      }
    }
    model.dispose();
  });

  test(`${name}: a logit that was replaced is one part, and the sum is still that of the run`, async () => {
    const model = modelOf(gf, options);
    const [token, against, position] = [4, 2, 4];
    const intact = reference(model).run(target).logits[position];
    const from = [3, 5, 7, 1, 2, 0];
    const other = reference(model).run(from).logits[position];
    const value = { run: { target: from } };
    const one = { node: 'logits', index: [0, position, token], value };
    const asked = { token, against, position, products: true };
    for (const [at, own, total] of [
      [[one], 'logits replaced', other[token] - intact[against]],
      [[{ node: 'logits', value }], 'logits replaced', other[token] - other[against]],
      [[{ node: 'logits', index: [0, 0, token] }], undefined, intact[token] - intact[against]],
    ]) {
      const told = await logitAttribution(model, { target }, { ...asked, at });
      close(told.total, total, 3e-5, 'total');
      assert.ok(Math.abs(told.sum - told.total) <= told.bound && told.bound < 2e-3);
      assert.equal(told.parts.find(({ source }) => source === 'replaced')?.name, own);
      for (const { products, value } of told.parts)
        close(
          products.reduce((sum, [a, b]) => sum + a * b, 0),
          value,
          1e-9,
          'products',
        );
    }
    model.dispose();
  });

  test(`${name}: a score is the sum over pairs of a part of the query and a part of the key`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { step } = double.run(target);
    const [query, key, head, layer] = [4, 2, 1, 1];
    const told = await why(model, { target }, { layer, head, query, key });
    const score = step('scores', layer)[head][query][key] / Math.sqrt(4);
    close(told.total, score, 2e-5, 'total');
    assert.ok(
      Math.abs(told.sum - told.total) <= told.bound && told.bound < 2e-3,
      String(told.bound),
    );
    /* One pair by hand: the embedding of the one token, the feed-forward of the other. */
    const at = `decoder.layers.${layer}`;
    const gain = double.matrix(`${at}.norm1.weight`)[0];
    const side = (vector, row, projected, h) => {
      const { rate } = double.statistics(row);
      const mean = model.config.norm === 'layer' ? vector.reduce((a, b) => a + b, 0) / 8 : 0;
      const w = double.matrix(`${at}.self_attn.${projected}.weight`);
      return Array.from({ length: 4 }, (_, d) =>
        vector.reduce((sum, x, c) => sum + (x - mean) * rate * gain[c] * w[c][h * 4 + d], 0),
      );
    };
    const entering = step('output', layer - 1);
    const embedded = double.matrix('embedding.weight')[target[query]];
    const bias = double.bias('decoder.layers.0.linear2') ?? Array(8).fill(0);
    const wrote = step('feed-forward', 0)[key].map((x, c) => x - bias[c]);
    const q = side(embedded, entering[query], 'q_proj', head);
    const k = side(wrote, entering[key], 'k_proj', model.config.kvHeads === 1 ? 0 : head);
    const due = q.reduce((sum, x, d) => sum + x * k[d], 0) / Math.sqrt(4);
    const pair = told.parts.find((part) => part.name === 'embedding × layer 0 feed-forward');
    close(pair.value, due, 2e-5, 'pair');
    const { axes, values } = told.grid;
    assert.equal(
      values[axes[0].labels.indexOf('embedding')][axes[1].labels.indexOf('layer 0 feed-forward')],
      pair.value,
    );
    assert.equal(told.hidden, false);
    assert.equal((await why(model, { target }, { layer, head, query: 2, key: 4 })).hidden, true);
    model.dispose();
  });

  test(`${name}: the lens norms each state for itself`, async () => {
    const model = modelOf(gf, options);
    const double = reference(model);
    const { steps } = double.run(target);
    const told = await logitLens(model, { target }, { position: 2 });
    const states = steps.filter(({ step }) => ['input', 'middle', 'output'].includes(step));
    assert.equal(told.rows.length, states.length);
    assert.deepEqual(told.check, { lastIsLogits: true });
    const own = double.run(target).logits.map((row) => row.indexOf(Math.max(...row)));
    states.forEach(({ values }, i) => {
      const logits = double.unembed(double.normed(values, 'decoder.norm'));
      const row = told.rows[i];
      assert.ok(distance([...row.logits], logits[2]) < 2e-5);
      assert.deepEqual(
        row.best,
        logits.map((one) => one.indexOf(Math.max(...one))),
      );
      const shares = logits.map(softmaxRow);
      assert.ok(
        distance(
          told.grid.values[i],
          own.map((token, t) => shares[t][token]),
        ) < 1e-5,
      );
      const order = shares[2].map((p, token) => ({ p, token })).sort((a, b) => b.p - a.p);
      assert.deepEqual(
        row.top.map(({ token }) => token),
        order.slice(0, 5).map(({ token }) => token),
      );
    });
    model.dispose();
  });
}

test('sums close in every family, at every position and head, and in a difference', async () => {
  for (const [name, options] of Object.entries(families)) {
    const model = made(options);
    const inputs = {
      target: [9, 2, 6, 5],
      ...(options.kind === 'transformer' && { source: [3, 1, 4] }),
    };
    const run = model.forward(inputs);
    for (const [position, against] of [
      [0, undefined],
      [1, 3],
      [-1, 0],
    ]) {
      const told = await logitAttribution(model, inputs, { position, token: 7, against });
      const row = run.logits.toArray()[0].at(position);
      assert.equal(told.total, row[7] - (against === undefined ? 0 : row[against]), name);
      assert.ok(Math.abs(told.sum - told.total) <= told.bound, name);
      const split = await logitAttribution(model, inputs, {
        position,
        token: 7,
        against,
        keys: true,
      });
      assert.ok(Math.abs(split.sum - split.total) <= split.bound, name);
      const names = told.parts.map((part) => part.name);
      assert.equal(new Set(names).size, names.length, 'each part has its own name');
    }
    const parts = options.kind === 'transformer' ? ['self_attn', 'cross_attn'] : ['self_attn'];
    for (const part of parts) {
      for (let head = 0; head < 2; head++) {
        const told = await why(model, inputs, { layer: 1, head, part, query: -1, key: 1 });
        assert.ok(Math.abs(told.sum - told.total) <= told.bound, `${name} ${part}`);
      }
    }
    run.dispose();
    model.dispose();
  }
});

test('the lens ends in the bits of the logits in every family', async () => {
  for (const options of Object.values(families)) {
    const model = made(options);
    const inputs = { target: [9, 2, 6], ...(options.kind === 'transformer' && { source: [3, 1] }) };
    const { check, rows } = await logitLens(model, inputs);
    assert.equal(check.lastIsLogits, true);
    const run = model.forward(inputs);
    assert.deepEqual([...rows.at(-1).logits], run.logits.toArray()[0].at(-1));
    run.dispose();
    model.dispose();
  }
});
