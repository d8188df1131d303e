// What TransformerLens finds in three tiny models, which tests/reference/lens.py made: tied, untied, RMS norm.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSafetensors } from '../../bindings/js/formats/safetensors.js';
import { headScores, logitAttribution, logitLens, patch } from '../../bindings/lab/inside/index.js';
import { gf } from '../bindings/model/small.js';
import { distance } from '../bindings/naive.js';

const folder = new URL('../reference/fixtures/lens/', import.meta.url);
const given = JSON.parse(readFileSync(new URL('lens.json', folder), 'utf8'));
const WITHIN = 1e-4;

const SIZES = { kind: 'gpt', vocab: 17, maxLength: 24, dModel: 12, heads: 2, dFF: 20, layers: 2 };
const MODELS = {
  tied: { ...SIZES, tied: true, activation: 'gelu-tanh' },
  untied: { ...SIZES, tied: false, outputBias: true, activation: 'relu' },
  rms: {
    ...SIZES,
    tied: false,
    bias: false,
    norm: 'rms',
    activation: 'swiglu',
    positions: 'rotary',
  },
};

/** A model with exactly the weights of the fixture. */
function modelOf(name) {
  const { tensors } = readSafetensors(readFileSync(new URL(`${name}.safetensors`, folder)));
  const model = gf.model(MODELS[name]);
  assert.deepEqual([...tensors.keys()].sort(), [...model.parameters.keys()].sort());
  for (const [key, parameter] of model.parameters) {
    assert.deepEqual([...tensors.get(key).shape], [...parameter.shape], key);
    parameter.data.set(tensors.get(key).data);
  }
  return model;
}

const inputs = { target: given.tokens };
const metric = { kind: 'difference', token: given.token, against: given.against };

for (const [name, theirs] of Object.entries(given.models)) {
  test(`${name}: logits and the lens`, async () => {
    const model = modelOf(name);
    const run = model.forward(inputs);
    assert.ok(distance(run.logits.toArray()[0], theirs.logits) < WITHIN);
    for (const position of given.tokens.keys()) {
      const { rows } = await logitLens(model, inputs, { position });
      assert.equal(rows.length, theirs.lens.length);
      rows.forEach(({ logits }, i) => {
        assert.ok(distance([...logits], theirs.lens[i][position]) < WITHIN, rows[i].name);
      });
    }
    run.dispose();
    model.dispose();
  });

  test(`${name}: direct logit attribution of heads and feed-forwards`, async () => {
    const model = modelOf(name);
    const { token, against } = given;
    const { parts } = await logitAttribution(model, inputs, { token, against });
    const value = (part) => parts.find((one) => one.name === part)?.value ?? 0;
    theirs.heads.forEach((heads, layer) => {
      heads.forEach((due, head) => {
        assert.ok(Math.abs(value(`layer ${layer} head ${head}`) - due) < WITHIN);
      });
      /* They count a feed-forward with its bias. */
      const feed = value(`layer ${layer} feed-forward`) + value(`layer ${layer} feed-forward bias`);
      assert.ok(Math.abs(feed - theirs.feeds[layer]) < WITHIN);
    });
    model.dispose();
  });

  test(`${name}: patching grids over layers and positions, and layers and heads`, async () => {
    const model = modelOf(name);
    const from = { target: given.other };
    const positions = await patch(model, inputs, { from, each: 'position', metric });
    assert.ok(distance(positions.grid.values, theirs.residual) < WITHIN);
    const heads = await patch(model, inputs, { from, each: 'head', metric });
    assert.ok(distance(heads.grid.values, theirs.mix) < WITHIN);
    assert.ok(distance(heads.grid.values.flat(), Array(4).fill(heads.before)) > 0.01);
    model.dispose();
  });

  test(`${name}: scores of heads`, async () => {
    const model = modelOf(name);
    const { heads, repeated } = await headScores(model, inputs, { repeat: { length: 5 } });
    assert.deepEqual(repeated, given.repeated);
    for (const told of heads) {
      for (const score of ['previous', 'first', 'duplicate', 'entropy', 'induction']) {
        const due = theirs[score][told.layer][told.head];
        assert.ok(Math.abs(told[score] - due) < WITHIN, `${told.name} ${score}`);
      }
    }
    model.dispose();
  });
}
